//! The clause lists of spec 02 sections 4.1 and 4.2 once more, as plain predicates, against the model's
//! masks on records with random fields and random bits.

mod tensor_support;

use contract::isa::{AluOp, DEFINED_OPCODES, Dtype, Generation, UpdateMode, WaitMode};
use contract::outcome::{TensorReason, TensorVerdict};
use tensor_support::{Cache, Cumulative, Pattern, psum, sbuf, verdict};

struct Judge<'a> {
    generation: Generation,
    record: &'a [u8; 64],
}

/// A pattern as the predicates see it.
struct Plain {
    address: u32,
    counts: Vec<u64>,
}

impl Judge<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.record[at]
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.record[at..at + 4].try_into().unwrap())
    }

    fn pattern(&self, at: usize, rank: usize) -> Plain {
        let count = |axis: usize| {
            let at = at + 4 + 2 * rank + 2 * axis;
            u64::from(u16::from_le_bytes([self.record[at], self.record[at + 1]]))
        };
        Plain { address: self.word(at), counts: (0..rank).map(count).collect() }
    }

    fn has_op(&self, at: usize) -> bool {
        AluOp::from_wire(self.byte(at)).is_some_and(|op| op.since() <= self.generation)
    }

    fn op(&self, at: usize) -> Option<AluOp> {
        AluOp::from_wire(self.byte(at)).filter(|op| op.since() <= self.generation)
    }

    fn arith(&self, at: usize) -> bool {
        self.op(at).is_some_and(|op| {
            op == AluOp::Bypass
                || matches!(op.wire(), 0x04..=0x09 | 0x0D..=0x0F | 0x12..=0x1B | 0x1D)
                || matches!(op.wire(), 0x20..=0x23 | 0xC4..=0xC8)
        })
    }

    fn general_arith(&self, at: usize) -> bool {
        use AluOp::{Divide, Mod, Pow, Rsqrt};
        self.arith(at)
            && !self
                .op(at)
                .is_some_and(|op| matches!(op, Divide | Pow | Mod | Rsqrt) || op.wire() >= 0xC4)
    }

    fn bitvec(&self, at: usize) -> bool {
        matches!(self.byte(at), 0x00..=0x03 | 0x0A..=0x0C | 0x10 | 0x11 | 0x1C)
    }

    /// Region and place of an address: PSUM or not, partition, backed.
    fn locate(&self, address: u32) -> Option<(bool, u32, bool)> {
        let geometry = self.generation.geometry();
        if address < geometry.sbuf_region {
            let backed = address % geometry.sbuf_stride < geometry.sbuf_active;
            return Some((false, address / geometry.sbuf_stride, backed));
        }
        if address >= geometry.psum_base && address < geometry.psum_base + geometry.psum_region {
            let inside = address - geometry.psum_base;
            let backed = inside % geometry.psum_stride < geometry.psum_active;
            return Some((true, inside / geometry.psum_stride, backed));
        }
        None
    }

    fn alignment(&self, dtype: u8) -> Option<u32> {
        match dtype {
            1..=15 => Some(u32::from(Dtype::from_wire(dtype).unwrap().storage_bytes())),
            16 if self.generation >= Generation::Mariana => Some(1),
            _ => None,
        }
    }

    fn start_ok(&self, word: u32, dtype: u8, written: bool) -> bool {
        let bytes = word.to_le_bytes();
        if word >> 29 == 4 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 0x80 && bytes[0] < 64 {
            return true;
        }
        if word >> 31 == 1 {
            return false;
        }
        let address = word & 0x1FFF_FFFF;
        let Some(alignment) = self.alignment(dtype) else { return false };
        let Some((in_psum, ..)) = self.locate(address) else { return false };
        address.is_multiple_of(alignment) && !(in_psum && written && !matches!(dtype, 8..=11))
    }

    fn pattern_ok(&self, pattern: &Plain, dtype: u8, written: bool) -> bool {
        self.start_ok(pattern.address, dtype, written)
            && matches!(pattern.address >> 24 & 0xE0, 0x00 | 0x80)
            && pattern.counts.iter().all(|&count| count != 0)
    }

    fn channels_ok(&self, word: u32, channels: u8) -> bool {
        if word >> 24 & 0xE0 == 0x80 {
            return true;
        }
        let Some((_, partition, backed)) = self.locate(word & 0x1FFF_FFFF) else { return false };
        let limit = match partition {
            0 => 128,
            64 => 64,
            32 | 96 => 32,
            _ => return false,
        };
        backed && channels <= limit
    }

    fn immediate_ok(&self, source: u8, word: u32, channels: u8) -> bool {
        match source {
            0 => true,
            1 => word >> 29 == 0 && word.is_multiple_of(4) && self.channels_ok(word, channels),
            2 => word < 64,
            _ => false,
        }
    }

    fn plain_dtype(dtype: u8) -> bool {
        matches!(dtype, 2..=10 | 13..=15)
    }

    fn preamble(&self) -> Vec<(&'static str, bool)> {
        vec![
            ("HDR-OPC", DEFINED_OPCODES.contains(&self.byte(0))),
            ("HDR-LEN", self.byte(1) == 16),
            ("EVT-WAIT", WaitMode::from_wire(self.byte(4)).is_some()),
            ("EVT-UPD", UpdateMode::from_wire(self.byte(6)).is_some()),
        ]
    }

    fn cache(&self) -> Vec<(&'static str, bool)> {
        let (source, destination) = (self.pattern(16, 3), self.pattern(48, 3));
        let (input, output, channels) = (self.byte(32), self.byte(33), self.byte(34));
        let (command, imm0, imm1) = (self.byte(12), self.word(40), self.word(44));
        let (imm0_src, imm1_src) = (self.byte(35), self.byte(39));
        let count = |pattern: &Plain| pattern.counts.iter().product::<u64>();
        vec![
            ("CR-OP0-ENUM", self.has_op(36)),
            ("CR-OP1-ENUM", self.has_op(37)),
            ("CR-OP0-GEN", self.general_arith(36)),
            ("CR-OP1", matches!(self.byte(37), 0x04 | 0x05 | 0x06 | 0x08 | 0x09)),
            ("CR-TYPES", matches!(input, 2..=7 | 10 | 13..=15)),
            ("CR-IMM0", self.immediate_ok(imm0_src, imm0, channels)),
            (
                "CR-IMM1-GATE",
                command == 4 && self.immediate_ok(imm1_src, imm1, channels)
                    || imm1_src == 0 && imm1 == 0,
            ),
            ("CR-SRC-MEM", self.pattern_ok(&source, input, false)),
            ("CR-DST-MEM", self.pattern_ok(&destination, output, true)),
            ("CR-COUNT", count(&source) == count(&destination)),
            ("CR-REV-ENUM", self.byte(38) <= 3),
            ("CR-REV", self.byte(38) == 0),
            ("CR-RSVD", self.record[13..16] == [0; 3]),
            ("CR-ACC", matches!(command, 2..=4)),
            ("CR-IN-DT", Self::plain_dtype(input)),
            ("CR-OUT-DT", Self::plain_dtype(output) || output == 11),
            ("CR-CHAN", (1..=128).contains(&channels)),
            ("CR-SRC-CH", self.channels_ok(source.address, channels)),
            ("CR-DST-CH", self.channels_ok(destination.address, channels)),
        ]
    }

    fn cumulative(&self) -> Vec<(&'static str, bool)> {
        let (source, destination) = (self.pattern(12, 4), self.pattern(44, 4));
        let (input, output, channels) = (self.byte(32), self.byte(33), self.byte(34));
        let op = self.byte(36);
        let bitvec = self.byte(0) == 0x5E;
        let count = |pattern: &Plain| pattern.counts.iter().product::<u64>();
        let bitvec_dtypes = input == output
            && matches!(input, 3 | 5 | 8 | 9)
            && (op != AluOp::LogicalShiftRight.wire() || input == 8);
        vec![
            ("TC-RSVD", self.record[39..44] == [0; 5]),
            ("TC-MASK0", self.byte(38) == 0),
            ("TC-IN-DT", Self::plain_dtype(input)),
            ("TC-OUT-DT", Self::plain_dtype(output) || output == 11),
            ("TC-OP-ENUM", self.has_op(36)),
            ("TC-DIM", matches!(self.byte(37), 2..=5)),
            ("TC-CHAN", (1..=128).contains(&channels)),
            ("TC-SRC-CH", self.channels_ok(source.address, channels)),
            ("TC-DST-CH", self.channels_ok(destination.address, channels)),
            ("TC-SRC-MEM", self.pattern_ok(&source, input, false)),
            ("TC-DST-MEM", self.pattern_ok(&destination, output, true)),
            ("TC-COUNT", count(&source) == count(&destination)),
            ("TC-EXCL", !matches!(op, 0x07 | 0x1A | 0x1B)),
            ("TC-BV", !bitvec || self.bitvec(36)),
            ("TC-AR", bitvec || self.arith(36)),
            ("TC-DT-BV", !bitvec || bitvec_dtypes),
            ("TC-NEG0", self.byte(35) == 0),
        ]
    }

    /// The verdict up to the clauses: the reason of `unsupported`, or the failing ids.
    fn decide(&self) -> Result<Vec<&'static str>, TensorReason> {
        if self.generation == Generation::Maverick && self.record[2..4] != [0, 0] {
            return Err(TensorReason::HdrTile);
        }
        let (starts, clauses) = match self.byte(0) {
            0x9A | 0xE6 => ([16, 48], self.cache()),
            0x4E | 0x5E => ([12, 44], self.cumulative()),
            opcode if DEFINED_OPCODES.contains(&opcode) => return Err(TensorReason::OutOfScope),
            _ => return Ok(self.preamble().iter().filter(|row| !row.1).map(|row| row.0).collect()),
        };
        for at in starts {
            match self.word(at) >> 24 & 0xE0 {
                0x40 | 0xC0 => return Err(TensorReason::AddrShapereg),
                0x20 if self.generation >= Generation::Mariana => return Err(TensorReason::Ind),
                _ => {}
            }
        }
        let all = self.preamble().into_iter().chain(clauses);
        Ok(all.filter(|row| !row.1).map(|row| row.0).collect())
    }
}

/// Compares one record on one generation; true if it is valid.
fn compare(generation: Generation, record: &[u8; 64]) -> bool {
    let expected = Judge { generation, record }.decide();
    let got = verdict(generation, record);
    match &expected {
        Err(reason) => assert_eq!(got, TensorVerdict::Unsupported(reason.clone())),
        Ok(failing) if failing.is_empty() => {
            let valid = matches!(got, TensorVerdict::Accept | TensorVerdict::Fault(_));
            assert!(valid, "{got:?} {generation} {record:02x?}");
            return true;
        }
        Ok(failing) => {
            assert_eq!(&tensor_support::failing(&got), failing, "{generation} {record:02x?}");
        }
    }
    false
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }
}

/// Address words of every kind.
fn address(random: &mut Random, generation: Generation) -> u32 {
    let geometry = generation.geometry();
    let partition = [0, 0, 32, 64, 96, 1, 127][random.below(7)];
    let offset = [0, 4, 2, 1, 0x1000, geometry.sbuf_active, geometry.psum_active][random.below(7)];
    let plain = match random.below(5) {
        0 => psum(generation, partition).wrapping_add(offset),
        1 => random.below(1 << 30) as u32,
        _ => sbuf(generation, partition).wrapping_add(offset),
    };
    let marker = [0, 0, 0, 0, 0x2000_0000, 0x4000_0000, 0x6000_0000, 0xA000_0000, 0xC000_0000];
    match random.below(12) {
        0 => 0x8000_0000 | [0, 63, 64, 0x100, 0x1000_0000][random.below(5)],
        1 => (plain & 0x1FFF_FFFF) | marker[random.below(9)],
        _ => plain,
    }
}

#[test]
fn masks_agree_with_plain_predicates_on_random_fields_and_bits() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut valid = 0;
    for round in 0..60_000 {
        let generation = Generation::ALL[random.below(5)];
        let interesting = [0u8, 1, 2, 3, 4, 5, 6, 8, 9, 16, 128, 129, 255];
        let mut record = if round % 2 == 0 {
            let mut record = Cache { opcode: [0x9A, 0xE6][random.below(2)], ..Cache::default() };
            for _ in 0..random.below(5) {
                match random.below(13) {
                    0 => record.accumulator_cmd = random.below(6) as u8,
                    1 => record.source.address = address(&mut random, generation),
                    2 => record.destination.address = address(&mut random, generation),
                    3 => record.in_dtype = random.below(34) as u8,
                    4 => record.out_dtype = random.below(34) as u8,
                    5 => record.channels = [0, 1, 32, 33, 64, 65, 128, 129][random.below(8)],
                    6 => record.imm0_src = random.below(4) as u8,
                    7 => record.imm0 = address(&mut random, generation),
                    8 => record.op0 = random.below(256) as u8,
                    9 => record.op1 = random.below(16) as u8,
                    10 => record.imm1_src = random.below(4) as u8,
                    11 => record.imm1 = address(&mut random, generation),
                    _ => record.source = Pattern::new(0, &[1], &[[0, 16, 8][random.below(3)]]),
                }
            }
            record.encode()
        } else {
            let base =
                if random.below(2) == 0 { Cumulative::default() } else { Cumulative::bitvec() };
            let mut record = base;
            for _ in 0..random.below(5) {
                match random.below(9) {
                    0 => record.source.address = address(&mut random, generation),
                    1 => record.destination.address = address(&mut random, generation),
                    2 => record.in_dtype = random.below(34) as u8,
                    3 => record.out_dtype = random.below(34) as u8,
                    4 => record.channels = [0, 1, 32, 33, 64, 65, 128, 129][random.below(8)],
                    5 => record.op = random.below(256) as u8,
                    6 => record.op_dim = random.below(8) as u8,
                    7 => (record.in_dtype, record.out_dtype) = (8, 8),
                    _ => record.source = Pattern::new(0, &[1], &[[0, 16, 8][random.below(3)]]),
                }
            }
            record.encode()
        };
        match random.below(4) {
            0 => record[random.below(64)] ^= 1 << random.below(8),
            1 => record[random.below(64)] = interesting[random.below(interesting.len())],
            _ => {}
        }
        valid += u32::from(compare(generation, &record));
    }
    assert!(valid > 5_000, "only {valid} records were valid");
}

#[test]
fn masks_agree_with_plain_predicates_on_every_operator_dtype_and_byte_value() {
    for &generation in Generation::ALL {
        let baselines = [
            Cache::default().encode(),
            Cumulative::default().encode(),
            Cumulative::bitvec().encode(),
        ];
        for record in baselines {
            for at in 0..64 {
                for value in 0..=255 {
                    let mut changed = record;
                    changed[at] = value;
                    compare(generation, &changed);
                }
            }
        }
    }
}

//! What the generator's tests check against: the clauses of spec 02 for the two groups in scope and
//! the execution preconditions of spec 01 section 7.1, written out plainly for the tests alone. It
//! decodes bytes by the offsets of spec 01 section 5 and knows nothing of the generator's tables.

use contract::case::TensorCase;
use contract::isa::{ClauseId, ClauseSet, Generation};
use contract::state::{Region, Space};
use std::collections::BTreeSet;

/// What a record should come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Executes.
    Accept,
    /// Fails these clauses.
    Reject(ClauseSet),
    /// Is unsupported for this reason.
    Unsupported(&'static str),
    /// Faults for this reason.
    Fault(&'static str),
    /// The record belongs to a group that is not written out here.
    OtherGroup,
}

/// A pattern as decoded.
pub struct Pattern {
    pub word: u32,
    pub steps: Vec<i64>,
    pub counts: Vec<u64>,
}

impl Pattern {
    fn at(bytes: &[u8], rank: usize) -> Self {
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            word: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            steps: (0..rank).map(|i| i64::from(half(4 + 2 * i) as i16)).collect(),
            counts: (0..rank).map(|i| u64::from(half(4 + 2 * rank + 2 * i))).collect(),
        }
    }

    pub fn count(&self) -> u64 {
        self.counts.iter().product()
    }

    /// Element offsets in stream order.
    pub fn offsets(&self) -> Vec<i64> {
        let mut all = vec![0i64];
        for (&step, &count) in self.steps.iter().zip(&self.counts) {
            all = (0..count as i64)
                .flat_map(|i| all.iter().map(move |&inner| inner + i * step))
                .collect();
        }
        all
    }

    /// Smallest and largest element offset.
    fn span(&self) -> (i64, i64) {
        let far = |(&step, &count): (&i64, &u64)| step * (count as i64 - 1);
        let ends = self.steps.iter().zip(&self.counts).map(far);
        (ends.clone().filter(|&f| f < 0).sum(), ends.filter(|&f| f > 0).sum())
    }
}

/// The fields of a record of the two layouts in scope.
pub struct Record<'a> {
    pub bytes: &'a [u8; 64],
    pub src: Pattern,
    pub dst: Pattern,
    pub input: u8,
    pub output: u8,
    pub channels: u32,
}

impl<'a> Record<'a> {
    /// Decodes a record of one of the four opcodes.
    pub fn of(bytes: &'a [u8; 64]) -> Option<Self> {
        let (src, dst) = match bytes[0] {
            0x9A | 0xE6 => (Pattern::at(&bytes[16..], 3), Pattern::at(&bytes[48..], 3)),
            0x4E | 0x5E => (Pattern::at(&bytes[12..], 4), Pattern::at(&bytes[44..], 4)),
            _ => return None,
        };
        let (input, output, channels) = (bytes[32], bytes[33], bytes[34].into());
        Some(Self { bytes, src, dst, input, output, channels })
    }

    fn is_cache(&self) -> bool {
        matches!(self.bytes[0], 0x9A | 0xE6)
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes([
            self.bytes[at],
            self.bytes[at + 1],
            self.bytes[at + 2],
            self.bytes[at + 3],
        ])
    }
}

pub fn size(dtype: u8) -> Option<u32> {
    match dtype {
        0x2 | 0x3 | 0xD..=0xF => Some(1),
        0x4..=0x7 => Some(2),
        0x8..=0xB => Some(4),
        0x1 | 0xC => Some(8),
        _ => None,
    }
}

/// Space, partition and offset of a 29-bit address.
pub fn locate(generation: Generation, address: u32) -> Option<(Space, u32, u32)> {
    let maverick = generation == Generation::Maverick;
    let (region, stride) = if maverick { (0x800_0000, 0x10_0000) } else { (0x200_0000, 0x4_0000) };
    if address < region {
        Some((Space::Sbuf, address / stride, address % stride))
    } else if !maverick && (0x200_0000..0x240_0000).contains(&address) {
        let inside = address - 0x200_0000;
        Some((Space::Psum, inside / 0x8000, inside % 0x8000))
    } else {
        None
    }
}

pub fn active(generation: Generation, space: Space) -> u32 {
    match (space, generation) {
        (Space::Psum, _) => 0x4000,
        (_, Generation::Sunda) => 0x3_0000,
        (_, Generation::Cayman) => 0x3_8000,
        (_, Generation::Mariana | Generation::MarianaPlus) => 0x4_0000,
        (_, Generation::Maverick) => 0x8_0000,
    }
}

fn chan(generation: Generation, word: u32, n: u32) -> bool {
    if word >> 29 == 0b100 {
        return true;
    }
    let Some((space, partition, offset)) = locate(generation, word & 0x1FFF_FFFF) else {
        return false;
    };
    let limit = match partition {
        0 => 128,
        32 | 96 => 32,
        64 => 64,
        _ => return false,
    };
    offset < active(generation, space) && n <= limit
}

fn pattern_ok(generation: Generation, pattern: &Pattern, dtype: u8, written: bool) -> bool {
    let word = pattern.word;
    let marker = (word >> 24) as u8 & 0xE0;
    let start = if marker == 0x80 && word >> 24 == 0x80 && word & 0xFF_FF00 == 0 && word & 0xFF < 64
    {
        true
    } else if word >> 31 == 1 {
        false
    } else {
        let mariana = generation >= Generation::Mariana;
        let alignment = size(dtype).or((dtype == 0x10 && mariana).then_some(1));
        let address = word & 0x1FFF_FFFF;
        match (alignment, locate(generation, address)) {
            (Some(alignment), Some((space, ..))) => {
                address.is_multiple_of(alignment)
                    && !(space == Space::Psum && written && size(dtype) != Some(4))
            }
            _ => false,
        }
    };
    start && matches!(marker, 0x00 | 0x80) && pattern.counts.iter().all(|&count| count != 0)
}

fn dt(dtype: u8, fp32r: bool) -> bool {
    matches!(dtype, 0x2..=0xA | 0xD..=0xF) || (fp32r && dtype == 0xB)
}

fn alu_member(generation: Generation, op: u8) -> bool {
    match op {
        0x00..=0x1D | 0xC4..=0xC6 => true,
        0x20..=0x23 => generation >= Generation::Mariana,
        0x24 => generation == Generation::Maverick,
        0xC7..=0xE1 => generation >= Generation::Cayman,
        _ => false,
    }
}

fn general(generation: Generation, op: u8) -> bool {
    match op {
        0x00 | 0x04..=0x06 | 0x08 | 0x09 | 0x0D..=0x0F | 0x12..=0x19 => true,
        0x20..=0x23 => generation >= Generation::Mariana,
        _ => false,
    }
}

fn arith(generation: Generation, op: u8) -> bool {
    general(generation, op)
        || matches!(op, 0x07 | 0x1A | 0x1B | 0x1D | 0xC4..=0xC6)
        || (matches!(op, 0xC7 | 0xC8) && generation >= Generation::Cayman)
}

fn bitvec(op: u8) -> bool {
    matches!(op, 0x00..=0x03 | 0x0A..=0x0C | 0x10 | 0x11 | 0x1C)
}

fn pointer_ok(generation: Generation, pointer: u32, n: u32) -> bool {
    pointer >> 29 == 0 && chan(generation, pointer, n) && pointer.is_multiple_of(4)
}

fn immediate_ok(generation: Generation, source: u8, word: u32, n: u32) -> bool {
    match source {
        0 => true,
        1 => pointer_ok(generation, word, n),
        2 => word < 64,
        _ => false,
    }
}

/// The failing clauses of the record's group.
fn group_clauses(generation: Generation, r: &Record<'_>) -> ClauseSet {
    use ClauseId::*;
    let b = r.bytes;
    let mut fails = ClauseSet::EMPTY;
    let mut clause = |id, holds: bool| fails.insert_if(id, !holds);
    let (op, n) = (b[36], r.channels);
    let src_mem = pattern_ok(generation, &r.src, r.input, false);
    let dst_mem = pattern_ok(generation, &r.dst, r.output, true);
    let same = r.src.count() == r.dst.count();
    let range = (1..=128).contains(&n);
    let src_ch = chan(generation, r.src.word, n);
    let dst_ch = chan(generation, r.dst.word, n);
    if r.is_cache() {
        let (command, imm1) = (b[12], r.word(44));
        clause(CrOp0Enum, alu_member(generation, op));
        clause(CrOp1Enum, alu_member(generation, b[37]));
        clause(CrOp0Gen, general(generation, op));
        clause(CrOp1, matches!(b[37], 0x04 | 0x05 | 0x06 | 0x08 | 0x09));
        clause(CrTypes, matches!(r.input, 0x2..=0x7 | 0xA | 0xD..=0xF));
        clause(CrImm0, immediate_ok(generation, b[35], r.word(40), n));
        clause(
            CrImm1Gate,
            command == 4 && immediate_ok(generation, b[39], imm1, n) || b[39] == 0 && imm1 == 0,
        );
        clause(CrSrcMem, src_mem);
        clause(CrDstMem, dst_mem);
        clause(CrCount, same);
        clause(CrRevEnum, b[38] <= 3);
        clause(CrRev, b[38] == 0);
        clause(CrRsvd, b[13..16] == [0; 3]);
        clause(CrAcc, matches!(command, 2..=4));
        clause(CrInDt, dt(r.input, false));
        clause(CrOutDt, dt(r.output, true));
        clause(CrChan, range);
        clause(CrSrcCh, src_ch);
        clause(CrDstCh, dst_ch);
    } else {
        let raw = b[0] == 0x5E;
        clause(TcRsvd, b[39..44] == [0; 5]);
        clause(TcMask0, b[38] == 0);
        clause(TcInDt, dt(r.input, false));
        clause(TcOutDt, dt(r.output, true));
        clause(TcOpEnum, alu_member(generation, op));
        clause(TcDim, matches!(b[37], 2..=5));
        clause(TcChan, range);
        clause(TcSrcCh, src_ch);
        clause(TcDstCh, dst_ch);
        clause(TcSrcMem, src_mem);
        clause(TcDstMem, dst_mem);
        clause(TcCount, same);
        clause(TcExcl, !matches!(op, 0x07 | 0x1A | 0x1B));
        clause(TcBv, !raw || bitvec(op));
        clause(TcAr, raw || arith(generation, op));
        let dtypes = r.input == r.output && matches!(r.input, 0x3 | 0x5 | 0x8 | 0x9);
        clause(TcDtBv, !raw || dtypes && (op != 0x11 || r.input == 0x8));
        clause(TcNeg0, b[35] == 0);
    }
    fails
}

/// What the record comes to in a case, by spec 01 section 7.1 and spec 02.
pub fn fate(case: &TensorCase, bytes: &[u8; 64]) -> Fate {
    let generation = case.generation;
    let defined = contract::isa::DEFINED_OPCODES.contains(&bytes[0]);
    if generation == Generation::Maverick && bytes[2..4] != [0, 0] {
        return Fate::Unsupported("HDR-TILE");
    }
    let record = Record::of(bytes);
    if defined && record.is_none() {
        // Chapter 2 has groups for the opcodes with a layout row in the contract.
        return match contract::isa::opcode_info(bytes[0]).and_then(|row| row.layout) {
            Some(_) => Fate::OtherGroup,
            None => Fate::Unsupported("OUT_OF_SCOPE"),
        };
    }
    let mut fails = ClauseSet::EMPTY;
    fails.insert_if(ClauseId::HdrOpc, !defined);
    fails.insert_if(ClauseId::HdrLen, bytes[1] != 16);
    let wait = matches!(bytes[4], 0..=7 | 14 | 15 | 0x81..=0x85);
    fails.insert_if(ClauseId::EvtWait, !wait);
    let update =
        [0, 1, 2, 3, 4, 5, 7, 9, 17, 18, 19, 20, 21, 23, 25, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99];
    fails.insert_if(ClauseId::EvtUpd, !update.contains(&bytes[6]));
    let Some(record) = record else { return Fate::Reject(fails) };
    for word in [record.src.word, record.dst.word] {
        match (word >> 24) as u8 & 0xE0 {
            0x40 | 0xC0 => return Fate::Unsupported("ADDR-SHAPEREG"),
            0x20 if generation >= Generation::Mariana => return Fate::Unsupported("IND"),
            _ => {}
        }
    }
    let fails = fails.union(group_clauses(generation, &record));
    if fails.is_empty() { execution(case, &record) } else { Fate::Reject(fails) }
}

/// The execution preconditions, for a valid record.
fn execution(case: &TensorCase, record: &Record<'_>) -> Fate {
    let generation = case.generation;
    if [record.src.word, record.dst.word].iter().any(|word| word >> 31 == 1) {
        return Fate::Fault("EXEC-ADDRREG");
    }
    if record.is_cache() {
        let seed = record.bytes[12] == 4;
        for (source, word, read) in
            [(record.bytes[35], record.word(40), true), (record.bytes[39], record.word(44), seed)]
        {
            let pointer = case.registers.get(&(word as u8)).copied().unwrap_or(0);
            if read && source == 2 && !pointer_ok(generation, pointer, record.channels) {
                return Fate::Fault("EXEC-IMMREG");
            }
        }
    }
    let walks = [(&record.src, record.input), (&record.dst, record.output)];
    for (pattern, dtype) in walks {
        let bytes = i64::from(size(dtype).expect("a valid dtype has a size"));
        let (space, partition, offset) = locate(generation, pattern.word).expect("valid start");
        let (low, high) = pattern.span();
        let first = i64::from(offset) + low * bytes;
        let end = i64::from(offset) + (high + 1) * bytes;
        if first < 0
            || end > i64::from(active(generation, space))
            || partition + record.channels > 128
        {
            return Fate::Fault("EXEC-BOUNDS");
        }
    }
    if record.src.count() * u64::from(record.channels) > 1 << 20 {
        return Fate::Fault("EXEC-SIZE");
    }
    if !overlap_ok(generation, record) {
        return Fate::Fault("EXEC-OVERLAP");
    }
    Fate::Accept
}

/// Byte offsets of the elements of one channel, in stream order.
fn bytes_of(generation: Generation, pattern: &Pattern, dtype: u8) -> (Space, u32, Vec<u32>, u32) {
    let size = size(dtype).expect("a valid dtype has a size");
    let (space, partition, offset) = locate(generation, pattern.word).expect("valid start");
    let at = |element: i64| (i64::from(offset) + element * i64::from(size)) as u32;
    (space, partition, pattern.offsets().into_iter().map(at).collect(), size)
}

fn overlap_ok(generation: Generation, record: &Record<'_>) -> bool {
    let (space_s, part_s, src, size_s) = bytes_of(generation, &record.src, record.input);
    let (space_d, part_d, dst, size_d) = bytes_of(generation, &record.dst, record.output);
    if space_s != space_d {
        return true;
    }
    let n = record.channels;
    if part_s + n <= part_d || part_d + n <= part_s {
        return true;
    }
    if (part_s, size_s) == (part_d, size_d) && src == dst {
        return true;
    }
    let expand = |starts: &[u32], size: u32| -> BTreeSet<u32> {
        starts.iter().flat_map(|&start| start..start + size).collect()
    };
    expand(&src, size_s).is_disjoint(&expand(&dst, size_d))
}

/// Whether the regions of the case hold every byte of the record's destination.
pub fn destination_is_held(case: &TensorCase, record: &Record<'_>) -> bool {
    let (space, partition, starts, size) = bytes_of(case.generation, &record.dst, record.output);
    (partition..partition + record.channels).all(|partition| {
        starts.iter().all(|&start| {
            (start..start + size)
                .all(|byte| case.memory.iter().any(|r| holds(r, space, partition, byte)))
        })
    })
}

fn holds(region: &Region, space: Space, partition: u32, byte: u32) -> bool {
    region.index_of(space, partition, byte).is_some()
}

/// What is wrong with the regions of a case, if anything (external contract, part 2).
pub fn region_fault(case: &TensorCase) -> Option<String> {
    for (index, a) in case.memory.iter().enumerate() {
        let bytes = (a.partitions * a.stride) as usize;
        if a.data.len() != bytes || bytes == 0 {
            return Some(format!("region {index} holds {} of {bytes} bytes", a.data.len()));
        }
        if a.partition + a.partitions > 128 {
            return Some(format!("region {index} goes past partition 127"));
        }
        if a.offset + a.stride > active(case.generation, a.space) {
            return Some(format!("region {index} goes past the active bytes"));
        }
        if a.space == Space::Psum && case.generation == Generation::Maverick {
            return Some(format!("region {index} names PSUM on maverick"));
        }
        for (other, b) in case.memory.iter().enumerate().skip(index + 1) {
            let apart = a.space != b.space
                || a.partition + a.partitions <= b.partition
                || b.partition + b.partitions <= a.partition
                || a.offset + a.stride <= b.offset
                || b.offset + b.stride <= a.offset;
            if !apart {
                return Some(format!("regions {index} and {other} overlap"));
            }
        }
    }
    None
}

//! Clauses of the two groups: every near-valid example and accept probe of spec 02 sections 4.1 and
//! 4.2, the sub-rule probes of section 2.4 and the combinations of section 5, on every generation,
//! each with its exact failing set.

mod tensor_support;

use contract::isa::{AluOp, DEFINED_OPCODES, Dtype, Generation};
use contract::outcome::{TensorReason, TensorVerdict};
use tensor_support::{Cache, Cumulative, Pattern, failing, psum, sbuf, verdict};

/// Baselines B-CR, its twin, B-TC and B-TCB.
fn baselines() -> [[u8; 64]; 4] {
    [
        Cache::default().encode(),
        Cache { opcode: 0xE6, ..Cache::default() }.encode(),
        Cumulative::default().encode(),
        Cumulative::bitvec().encode(),
    ]
}

/// Generations up to cayman, from mariana on, and so on, as the chapter writes them.
fn before_mariana(generation: Generation) -> bool {
    generation < Generation::Mariana
}

fn with_psum(generation: Generation) -> bool {
    generation != Generation::Maverick
}

/// Checks the failing set of a changed record.
fn expect(generation: Generation, what: &str, record: [u8; 64], clauses: &[&str]) {
    let verdict = verdict(generation, &record);
    assert_eq!(failing(&verdict), clauses, "{what} on {generation}: {verdict:?}");
    if clauses.is_empty() {
        let kept = matches!(verdict, TensorVerdict::Accept | TensorVerdict::Fault(_));
        assert!(kept, "{what} on {generation}: {verdict:?}");
    }
}

/// A baseline with some bytes changed.
fn patched(mut record: [u8; 64], changes: &[(usize, u8)]) -> [u8; 64] {
    for &(at, value) in changes {
        record[at] = value;
    }
    record
}

#[test]
fn baselines_are_accepted_on_every_generation() {
    for &generation in Generation::ALL {
        for record in baselines() {
            assert_eq!(verdict(generation, &record), TensorVerdict::Accept, "{generation}");
        }
    }
}

#[test]
fn preamble_clauses_fail_alone_and_together_in_every_group() {
    for &generation in Generation::ALL {
        for record in baselines() {
            expect(generation, "length", patched(record, &[(1, 15)]), &["HDR-LEN"]);
            expect(generation, "wait", patched(record, &[(4, 8)]), &["EVT-WAIT"]);
            expect(generation, "update", patched(record, &[(6, 8)]), &["EVT-UPD"]);
            expect(
                generation,
                "all three",
                patched(record, &[(1, 0), (4, 0xFF), (6, 0x0A)]),
                &["HDR-LEN", "EVT-WAIT", "EVT-UPD"],
            );
            // Observed and inferred register codes are members; the bytes beside them are free.
            let free = [(4, 0x85), (5, 0xFF), (6, 0x99), (7, 0xFF), (8, 1), (11, 0xFF)];
            expect(generation, "free events", patched(record, &free), &[]);
        }
        expect(generation, "opcode 0", [0; 64], &["HDR-OPC", "HDR-LEN"]);
        let opcode_0 = patched(baselines()[0], &[(0, 0), (13, 1)]);
        expect(generation, "no group runs", opcode_0, &["HDR-OPC"]);
        // Undefined opcodes have no patterns, so no marker rule.
        let marker = patched(baselines()[0], &[(0, 0xFF), (19, 0x40)]);
        expect(generation, "no marker rule", marker, &["HDR-OPC"]);
    }
}

#[test]
fn opcodes_without_a_group_are_out_of_scope_whatever_else_is_wrong() {
    for &generation in Generation::ALL {
        for opcode in 0..=255u8 {
            let record = patched([0xFF; 64], &[(0, opcode), (2, 0), (3, 0)]);
            let verdict = verdict(generation, &record);
            let group = [0x9A, 0xE6, 0x4E, 0x5E].contains(&opcode);
            match (DEFINED_OPCODES.contains(&opcode), group) {
                (true, false) => {
                    let reason = TensorReason::OutOfScope;
                    assert_eq!(verdict, TensorVerdict::Unsupported(reason), "{opcode:#x}");
                }
                (false, _) => {
                    let preamble = ["HDR-OPC", "HDR-LEN", "EVT-WAIT", "EVT-UPD"];
                    assert_eq!(failing(&verdict), preamble, "{opcode:#x}");
                }
                _ => assert_ne!(verdict, TensorVerdict::Accept),
            }
        }
    }
}

#[test]
fn header_bytes_2_and_3_are_the_tile_flag_on_maverick_and_nothing_elsewhere() {
    for &generation in Generation::ALL {
        for record in baselines().into_iter().chain([[0; 64], [0x9D; 64], [0x46; 64]]) {
            let plain = patched(record, &[(2, 0), (3, 0)]);
            let before = verdict(generation, &plain);
            for changes in [[(2, 1), (3, 0)], [(2, 0), (3, 0x80)], [(2, 0xFF), (3, 0xFF)]] {
                let after = verdict(generation, &patched(record, &changes));
                if generation == Generation::Maverick {
                    assert_eq!(after, TensorVerdict::Unsupported(TensorReason::HdrTile));
                } else {
                    assert_eq!(after, before);
                }
            }
        }
    }
}

#[test]
fn cache_near_valid_examples_fail_exactly_their_clause() {
    for &generation in Generation::ALL {
        let p = |k| sbuf(generation, k);
        for opcode in [0x9A, 0xE6] {
            let base = || Cache { opcode, ..Cache::default() };
            let line = |address, count| Pattern::line(address, count);
            let check = |what: &str, record: Cache, clauses: &[&str]| {
                expect(generation, what, record.encode(), clauses);
            };
            check("op0 Divide", Cache { op0: 0x07, ..base() }, &["CR-OP0-GEN"]);
            let absmax = Cache { op0: 0x20, ..base() };
            if before_mariana(generation) {
                check("op0 AbsMax", absmax, &["CR-OP0-ENUM", "CR-OP0-GEN"]);
            } else {
                check("op0 AbsMax", absmax, &[]);
            }
            check("op0 hole", Cache { op0: 0x1E, ..base() }, &["CR-OP0-ENUM", "CR-OP0-GEN"]);
            check("op1 Bypass", Cache { op1: 0, ..base() }, &["CR-OP1"]);
            check("op1 hole", Cache { op1: 0xFF, ..base() }, &["CR-OP1-ENUM", "CR-OP1"]);
            check("in INT32", Cache { in_dtype: 8, ..base() }, &["CR-TYPES"]);
            check("in FP32R", Cache { in_dtype: 11, ..base() }, &["CR-TYPES", "CR-IN-DT"]);
            check(
                "in INVALID",
                Cache { in_dtype: 0, ..base() },
                &["CR-TYPES", "CR-SRC-MEM", "CR-IN-DT"],
            );
            check("imm0_src 3", Cache { imm0_src: 3, ..base() }, &["CR-IMM0"]);
            for (what, imm0_src, imm0) in [
                ("misaligned pointer", 1, 2),
                ("pointer to partition 1", 1, p(1)),
                ("pointer with a top bit", 1, 0x2000_0000),
                ("register with a stray byte", 2, 0x100),
                ("register 64", 2, 64),
            ] {
                check(what, Cache { imm0_src, imm0, ..base() }, &["CR-IMM0"]);
            }
            check("register 63", Cache { imm0_src: 2, imm0: 63, ..base() }, &[]);
            check("pointer", Cache { imm0_src: 1, imm0: p(0) + 4, ..base() }, &[]);
            check("imm1 1", Cache { imm1: 1, ..base() }, &["CR-IMM1-GATE"]);
            check("imm1 -0.0", Cache { imm1: 0x8000_0000, ..base() }, &["CR-IMM1-GATE"]);
            check("imm1_src 1", Cache { imm1_src: 1, ..base() }, &["CR-IMM1-GATE"]);
            let load = || Cache { accumulator_cmd: 4, ..base() };
            check("load, imm1_src 3", Cache { imm1_src: 3, ..load() }, &["CR-IMM1-GATE"]);
            check("load, inline", Cache { imm1: 7, ..load() }, &[]);
            check("load, pointer", Cache { imm1_src: 1, imm1: 8, ..load() }, &[]);
            check("load, bad pointer", Cache { imm1_src: 1, imm1: 3, ..load() }, &["CR-IMM1-GATE"]);
            check("load, register", Cache { imm1_src: 2, imm1: 5, ..load() }, &[]);
            check("src 2", Cache { source: line(2, 16), ..base() }, &["CR-SRC-MEM"]);
            let destination = line(0x1002, 16);
            check("dst 0x1002", Cache { destination, ..base() }, &["CR-DST-MEM"]);
            if with_psum(generation) {
                let destination = line(psum(generation, 0), 16);
                let narrow = Cache { out_dtype: 7, destination: destination.clone(), ..base() };
                check("narrow PSUM write", narrow, &["CR-DST-MEM"]);
                check("wide PSUM write", Cache { destination, ..base() }, &[]);
                let source = line(psum(generation, 0), 16);
                check("narrow PSUM read", Cache { in_dtype: 7, source, ..base() }, &[]);
            }
            check("dst count", Cache { destination: line(0x1000, 8), ..base() }, &["CR-COUNT"]);
            check("dst count 1", Cache { destination: line(0x1000, 1), ..base() }, &["CR-COUNT"]);
            let destination = Pattern::new(0x1000, &[1, 4], &[4, 4]);
            check("another shape", Cache { destination, ..base() }, &[]);
            check("reverse 1", Cache { reverse: 1, ..base() }, &["CR-REV"]);
            check("reverse 4", Cache { reverse: 4, ..base() }, &["CR-REV-ENUM", "CR-REV"]);
            for at in [13, 14, 15] {
                let record = patched(base().encode(), &[(at, 1)]);
                expect(generation, "reserved", record, &["CR-RSVD"]);
            }
            for accumulator_cmd in [0, 1, 5, 255] {
                check("command", Cache { accumulator_cmd, ..base() }, &["CR-ACC"]);
            }
            check("out INT64", Cache { out_dtype: 12, ..base() }, &["CR-OUT-DT"]);
            check("out FP32R", Cache { out_dtype: 11, ..base() }, &[]);
            check("channels 0", Cache { channels: 0, ..base() }, &["CR-CHAN"]);
            check(
                "channels 129",
                Cache { channels: 129, ..base() },
                &["CR-CHAN", "CR-SRC-CH", "CR-DST-CH"],
            );
            check("src P(32)", Cache { source: line(p(32), 16), ..base() }, &["CR-SRC-CH"]);
            let destination = line(p(32), 16);
            check("dst P(32)", Cache { destination, ..base() }, &["CR-DST-CH"]);
            let zero = || line(0, 0);
            check("zero in src", Cache { source: zero(), ..base() }, &["CR-SRC-MEM", "CR-COUNT"]);
            let destination = line(0x1000, 0);
            let both = Cache { source: zero(), destination: destination.clone(), ..base() };
            check("zero in both", both, &["CR-SRC-MEM", "CR-DST-MEM"]);
            check("zero in dst", Cache { destination, ..base() }, &["CR-DST-MEM", "CR-COUNT"]);
        }
    }
}

#[test]
fn cumulative_near_valid_examples_fail_exactly_their_clause() {
    for &generation in Generation::ALL {
        let p = |k| sbuf(generation, k);
        let line = |address, count| Pattern::line(address, count);
        let check = |what: &str, record: Cumulative, clauses: &[&str]| {
            expect(generation, what, record.encode(), clauses);
        };
        for base in [Cumulative::default as fn() -> Cumulative, Cumulative::bitvec] {
            for at in 39..=43 {
                let record = patched(base().encode(), &[(at, 1)]);
                expect(generation, "reserved", record, &["TC-RSVD"]);
            }
            let masked = patched(base().encode(), &[(38, 1)]);
            expect(generation, "mask", masked, &["TC-MASK0"]);
            let negated = patched(base().encode(), &[(35, 1)]);
            expect(generation, "negated", negated, &["TC-NEG0"]);
            for op_dim in [0, 1, 6, 255] {
                check("op_dim", Cumulative { op_dim, ..base() }, &["TC-DIM"]);
            }
            for op_dim in [2, 3, 4, 5] {
                check("op_dim", Cumulative { op_dim, ..base() }, &[]);
            }
            check("channels 0", Cumulative { channels: 0, ..base() }, &["TC-CHAN"]);
            check(
                "channels 200",
                Cumulative { channels: 200, ..base() },
                &["TC-CHAN", "TC-SRC-CH", "TC-DST-CH"],
            );
            check("src P(32)", Cumulative { source: line(p(32), 16), ..base() }, &["TC-SRC-CH"]);
            let destination = line(p(32), 16);
            check("dst P(32)", Cumulative { destination, ..base() }, &["TC-DST-CH"]);
            check("src 2", Cumulative { source: line(2, 16), ..base() }, &["TC-SRC-MEM"]);
            let destination = line(0x1002, 16);
            check("dst 0x1002", Cumulative { destination, ..base() }, &["TC-DST-MEM"]);
            let destination = line(0x1000, 8);
            check("dst count", Cumulative { destination, ..base() }, &["TC-COUNT"]);
        }
        let base = Cumulative::default;
        check("in FP32R", Cumulative { in_dtype: 11, ..base() }, &["TC-IN-DT"]);
        check("out INT64", Cumulative { out_dtype: 12, ..base() }, &["TC-OUT-DT"]);
        check("in INVALID", Cumulative { in_dtype: 0, ..base() }, &["TC-IN-DT", "TC-SRC-MEM"]);
        for op in [AluOp::Divide, AluOp::Pow, AluOp::Mod] {
            check("excluded", Cumulative { op: op.wire(), ..base() }, &["TC-EXCL"]);
            let bitvec = Cumulative { op: op.wire(), ..Cumulative::bitvec() };
            check("excluded, bitvec", bitvec, &["TC-EXCL", "TC-BV"]);
        }
        let bitwise = AluOp::BitwiseAnd.wire();
        check("BitwiseAnd", Cumulative { op: bitwise, ..base() }, &["TC-AR"]);
        let max_int = Cumulative { op: AluOp::MaxInt.wire(), ..base() };
        if generation == Generation::Sunda {
            check("MaxInt", max_int, &["TC-OP-ENUM", "TC-AR"]);
        } else {
            check("MaxInt", max_int, &["TC-AR"]);
        }
        let clamp = Cumulative { op: AluOp::SymmetricClamp.wire(), ..base() };
        if generation == Generation::Maverick {
            check("SymmetricClamp", clamp, &["TC-AR"]);
        } else {
            check("SymmetricClamp", clamp, &["TC-OP-ENUM", "TC-AR"]);
        }
        check("Rsqrt", Cumulative { op: AluOp::Rsqrt.wire(), ..base() }, &[]);
        if with_psum(generation) {
            let destination = line(psum(generation, 0), 16);
            check(
                "narrow PSUM write",
                Cumulative { out_dtype: 7, destination, ..base() },
                &["TC-DST-MEM"],
            );
        }
        let bitvec = Cumulative::bitvec;
        check("op Add", Cumulative { op: AluOp::Add.wire(), ..bitvec() }, &["TC-BV"]);
        check("hole", Cumulative { op: 0x1F, ..bitvec() }, &["TC-OP-ENUM", "TC-BV"]);
        check("out INT32", Cumulative { out_dtype: 8, ..bitvec() }, &["TC-DT-BV"]);
        let int16 = Cumulative { in_dtype: 4, out_dtype: 4, ..bitvec() };
        check("INT16", int16, &["TC-DT-BV"]);
        let op = AluOp::LogicalShiftRight.wire();
        check("LSR UINT32", Cumulative { op, ..bitvec() }, &["TC-DT-BV"]);
        let int32 = Cumulative { op, in_dtype: 8, out_dtype: 8, ..bitvec() };
        check("LSR INT32", int32, &[]);
    }
}

#[test]
fn sub_rule_probes_of_the_source_word_fail_only_the_pattern_clause() {
    for &generation in Generation::ALL {
        for (record, at, clause) in [
            (baselines()[0], 16, "CR-SRC-MEM"),
            (baselines()[1], 16, "CR-SRC-MEM"),
            (baselines()[2], 12, "TC-SRC-MEM"),
            (baselines()[3], 12, "TC-SRC-MEM"),
        ] {
            let with = |word: u32| {
                let mut changed = record;
                changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
                changed
            };
            for word in [0x6000_0000, 0xA000_0000, 0x8000_0040, 0x8000_0100] {
                expect(generation, "probe", with(word), &[clause]);
            }
            // Bit 28 is an address bit, so the register form has it clear.
            expect(generation, "bit 28", with(0x9000_0000), &[clause]);
            let register = verdict(generation, &with(0x8000_003F));
            assert_eq!(register, TensorVerdict::Fault(TensorReason::ExecAddrreg));
            let indirect = verdict(generation, &with(0x2000_0000));
            if before_mariana(generation) {
                assert_eq!(failing(&indirect), [clause]);
            } else {
                assert_eq!(indirect, TensorVerdict::Unsupported(TensorReason::Ind));
            }
            for word in [0x4000_0000, 0xC000_0001] {
                let shape = verdict(generation, &with(word));
                assert_eq!(shape, TensorVerdict::Unsupported(TensorReason::AddrShapereg));
            }
            // An address in no region and a misplaced start break the channel clause too.
            let channels = clause.replace("MEM", "CH");
            let nowhere = verdict(generation, &with(0x1800_0000));
            let mut both = [clause, channels.as_str()];
            both.sort_unstable_by_key(|id| contract::isa::ClauseId::from_id(id));
            assert_eq!(failing(&nowhere), both);
        }
    }
}

#[test]
fn markers_are_decided_before_clauses_and_in_record_order() {
    for &generation in Generation::ALL {
        let word = |record: &mut [u8; 64], at: usize, word: u32| {
            record[at..at + 4].copy_from_slice(&word.to_le_bytes());
        };
        for (record, source, destination) in
            [(baselines()[0], 16, 48), (baselines()[2], 12, 44), (baselines()[3], 12, 44)]
        {
            let mut first = record;
            first[1] = 0;
            word(&mut first, source, 0x2000_0000);
            word(&mut first, destination, 0x4000_0000);
            // On the first generations 0x20 is no reason, so the destination's marker is the first.
            let reason = if before_mariana(generation) {
                TensorReason::AddrShapereg
            } else {
                TensorReason::Ind
            };
            assert_eq!(verdict(generation, &first), TensorVerdict::Unsupported(reason));
            let mut second = record;
            word(&mut second, source, 0xC000_0000);
            word(&mut second, destination, 0x2000_0000);
            let reason = TensorReason::AddrShapereg;
            assert_eq!(verdict(generation, &second), TensorVerdict::Unsupported(reason));
        }
    }
}

#[test]
fn channels_are_bound_to_the_tier_of_their_quadrant() {
    for &generation in Generation::ALL {
        for partition in 0..128 {
            for channels in [0u8, 1, 31, 32, 33, 63, 64, 65, 96, 127, 128] {
                let limit = match partition {
                    0 => 128,
                    32 | 96 => 32,
                    64 => 64,
                    _ => -1,
                };
                let record = Cache {
                    source: Pattern::line(sbuf(generation, partition), 16),
                    channels,
                    ..Cache::default()
                };
                let mut expected = Vec::new();
                if channels == 0 {
                    expected.push("CR-CHAN");
                }
                if i32::from(channels) > limit {
                    expected.push("CR-SRC-CH");
                }
                expect(generation, "tier", record.encode(), &expected);
                if with_psum(generation) {
                    let source = Pattern::line(psum(generation, partition), 16);
                    expect(generation, "PSUM", Cache { source, ..record }.encode(), &expected);
                }
            }
        }
    }
}

#[test]
fn a_start_must_be_backed() {
    for &generation in Generation::ALL {
        let geometry = generation.geometry();
        for (offset, valid) in [
            (geometry.sbuf_active - 4, true),
            (geometry.sbuf_active, geometry.sbuf_active == geometry.sbuf_stride),
        ] {
            let source = Pattern::line(offset, 1);
            let destination = Pattern::line(0x1000, 1);
            let record = Cache { source, destination, channels: 1, ..Cache::default() };
            // Where a partition is backed to its end, the next address is partition 1.
            let clauses: &[&str] =
                if valid && offset < geometry.sbuf_active { &[] } else { &["CR-SRC-CH"] };
            expect(generation, "backed", record.encode(), clauses);
        }
    }
}

#[test]
fn accept_sets_have_the_sizes_that_the_chapter_counts() {
    for &generation in Generation::ALL {
        let valid = |record: [u8; 64]| verdict(generation, &record) == TensorVerdict::Accept;
        let small = || Cache { channels: 1, ..Cache::default() };
        let mut pairs = 0;
        for op0 in 0..=255 {
            for op1 in 0..=255 {
                // Only the named operators can pass, but every value of each is tried.
                if op0 > 0x30 && op1 > 0x30 {
                    continue;
                }
                pairs += usize::from(valid(Cache { op0, op1, ..small() }.encode()));
            }
        }
        let general = if before_mariana(generation) { 17 } else { 21 };
        assert_eq!(pairs, general * 5, "{generation}");
        let commands = (0..=255)
            .filter(|&accumulator_cmd| valid(Cache { accumulator_cmd, ..small() }.encode()));
        assert_eq!(commands.collect::<Vec<_>>(), [2, 3, 4]);
        let arith = (0..=255)
            .filter(|&op| valid(Cumulative { op, channels: 1, ..Cumulative::default() }.encode()));
        let expected = match generation {
            Generation::Sunda => 21,
            Generation::Cayman => 23,
            _ => 27,
        };
        assert_eq!(arith.count(), expected, "{generation}");
        let bitvec = (0..=255).filter(|&op| {
            let base = Cumulative { op, channels: 1, ..Cumulative::bitvec() };
            let int32 = Cumulative { in_dtype: 8, out_dtype: 8, ..base };
            valid(int32.encode())
        });
        assert_eq!(bitvec.count(), 10, "{generation}");
    }
}

#[test]
fn dtypes_are_accepted_as_the_predicates_say() {
    let plain = [2u8, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15];
    for &generation in Generation::ALL {
        for dtype in 0..=255u8 {
            let source = Cumulative { in_dtype: dtype, channels: 1, ..Cumulative::default() };
            let got = failing(&verdict(generation, &source.encode()));
            let aligned =
                (1..=15).contains(&dtype) || dtype == 0x10 && generation >= Generation::Mariana;
            let mut expected = Vec::new();
            if !plain.contains(&dtype) {
                expected.push("TC-IN-DT");
            }
            if !aligned {
                expected.push("TC-SRC-MEM");
            }
            assert_eq!(got, expected, "{dtype:#x} {generation}");
            let destination = Cache { out_dtype: dtype, channels: 1, ..Cache::default() };
            let got = failing(&verdict(generation, &destination.encode()));
            let mut expected = Vec::new();
            if !aligned {
                expected.push("CR-DST-MEM");
            }
            if !plain.contains(&dtype) && dtype != Dtype::Fp32r.wire() {
                expected.push("CR-OUT-DT");
            }
            assert_eq!(got, expected, "{dtype:#x} {generation}");
            // A register start word is not aligned to anything.
            let source = Pattern::line(0x8000_0000, 16);
            let record = Cumulative { in_dtype: dtype, source, ..Cumulative::default() };
            let got = failing(&verdict(generation, &record.encode()));
            let expected: &[&str] = if plain.contains(&dtype) { &[] } else { &["TC-IN-DT"] };
            assert_eq!(got, expected, "{dtype:#x} {generation}");
        }
    }
}

#[test]
fn mariana_plus_gives_the_verdicts_of_mariana() {
    let mut seed = 1u32;
    for round in 0..20_000 {
        let mut record = baselines()[round % 4];
        for _ in 0..1 + round % 3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            record[(seed >> 26) as usize] ^= 1 << (seed >> 20 & 7);
        }
        assert_eq!(
            verdict(Generation::Mariana, &record),
            verdict(Generation::MarianaPlus, &record)
        );
    }
}

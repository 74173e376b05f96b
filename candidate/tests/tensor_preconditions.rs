//! Execution preconditions: their conditions at the edges and the order of spec 01 section 7.1.

mod tensor_support;

use contract::isa::{Dtype, Generation};
use contract::outcome::{TensorReason, TensorVerdict};
use tensor_support::{Cache, Cumulative, Pattern, psum, sbuf, state, step, verdict};

fn fault(reason: TensorReason) -> TensorVerdict {
    TensorVerdict::Fault(reason)
}

/// A scan of one channel.
fn scan(source: Pattern, destination: Pattern) -> Cumulative {
    Cumulative { channels: 1, source, destination, ..Cumulative::default() }
}

#[test]
fn walks_stay_inside_the_active_bytes_of_their_partition() {
    for &generation in Generation::ALL {
        let geometry = generation.geometry();
        let active = geometry.sbuf_active;
        let check = |what: &str, source: Pattern, inside: bool| {
            let count = source.length() as u16;
            let record = scan(source, Pattern::line(sbuf(generation, 32), count));
            let expected =
                if inside { TensorVerdict::Accept } else { fault(TensorReason::ExecBounds) };
            assert_eq!(verdict(generation, &record.encode()), expected, "{what} {generation}");
        };
        check("to the end", Pattern::line(active - 16, 4), true);
        check("one past the end", Pattern::line(active - 16, 5), false);
        check("far past", Pattern::new(active - 16, &[i16::MAX], &[2]), false);
        check("down to 0", Pattern::new(0x1000, &[-1024], &[2]), true);
        check("below 0", Pattern::new(0x1000, &[-1025], &[2]), false);
        check("back and forth", Pattern::new(0x1000, &[-1024, 2], &[2, 2]), true);
        // Down by 4, then up by 8: the lowest element is the one below 0.
        check("below 0 inside", Pattern::new(0x1000, &[-1024, -1], &[2, 2]), false);
        // A last element that no other axis reaches.
        let far = (active / 4 / 4 - 1).min(32767) as i16;
        check("outer axis", Pattern::new(0, &[1, far], &[4, 2]), true);
        let reach = u32::from(far as u16) * 4;
        check("outer axis out", Pattern::new(active - reach, &[0, far], &[2, 2]), false);
        if geometry.psum_region != 0 {
            let end = psum(generation, 0) + geometry.psum_active;
            check("PSUM end", Pattern::line(end - 16, 4), true);
            check("PSUM past", Pattern::line(end - 16, 5), false);
        }
        let record = scan(Pattern::line(0, 5), Pattern::line(active - 16, 5));
        assert_eq!(verdict(generation, &record.encode()), fault(TensorReason::ExecBounds));
    }
}

#[test]
fn the_largest_patterns_are_out_of_bounds_and_do_not_overflow() {
    for step in [1, i16::MAX, i16::MIN] {
        let all = Pattern::new(0, &[step; 4], &[65535; 4]);
        let record = scan(all.clone(), all);
        let got = verdict(Generation::Mariana, &record.encode());
        assert_eq!(got, fault(TensorReason::ExecBounds));
    }
    let still = Pattern::new(0, &[0; 4], &[65535; 4]);
    let record = scan(still.clone(), still);
    assert_eq!(verdict(Generation::Mariana, &record.encode()), fault(TensorReason::ExecSize));
}

#[test]
fn an_instruction_has_at_most_two_to_the_twentieth_elements() {
    let still = |counts: &[u16], address| Pattern::new(address, &[0, 0, 0], counts);
    for (channels, counts, fits) in [
        (128u8, &[8192][..], true),
        (128, &[8193], false),
        (1, &[1024, 1024], true),
        (1, &[65535, 17], false),
        (3, &[1 << 15, 10], true),
        (3, &[1 << 15, 11], false),
    ] {
        let record = Cache {
            channels,
            source: still(counts, 0),
            destination: still(counts, 0x1000),
            ..Cache::default()
        };
        let expected = if fits { TensorVerdict::Accept } else { fault(TensorReason::ExecSize) };
        let got = verdict(Generation::Cayman, &record.encode());
        assert_eq!(got, expected, "{channels} x {counts:?}");
    }
}

#[test]
fn overlap_is_decided_by_bytes_and_coincidence_by_walks() {
    let generation = Generation::Mariana;
    let p = |k| sbuf(generation, k);
    let check = |what: &str, source: Pattern, destination: Pattern, runs: bool| {
        let record = scan(source, destination);
        let expected = if runs { TensorVerdict::Accept } else { fault(TensorReason::ExecOverlap) };
        assert_eq!(verdict(generation, &record.encode()), expected, "{what}");
    };
    let line = Pattern::line;
    check("apart", line(0, 16), line(64, 16), true);
    check("in place", line(0, 16), line(0, 16), true);
    check("shifted", line(0, 16), line(60, 16), false);
    check("before", line(60, 16), line(0, 16), false);
    check("same addresses, other shape", Pattern::new(0, &[1, 2], &[2, 8]), line(0, 16), true);
    check("reversed", Pattern::new(60, &[-1], &[16]), line(0, 16), false);
    check("interleaved", Pattern::new(0, &[2], &[16]), Pattern::new(4, &[2], &[16]), true);
    check(
        "columns of a matrix",
        Pattern::new(0, &[1, 8], &[4, 4]),
        Pattern::new(16, &[1, 8], &[4, 4]),
        true,
    );
    check(
        "columns that touch",
        Pattern::new(0, &[1, 8], &[4, 4]),
        Pattern::new(12, &[1, 8], &[4, 4]),
        false,
    );
    check("a hole", Pattern::new(0, &[3], &[4]), Pattern::new(4, &[3], &[4]), true);
    check("in a gap", Pattern::new(0, &[100, 1], &[2, 2]), Pattern::new(8, &[1, 1], &[2, 2]), true);
    check("still, in place", Pattern::new(0, &[0], &[4]), Pattern::new(0, &[0], &[4]), true);
    check("other partitions", line(p(32), 16), line(p(64), 16), true);
    check("other memory", line(psum(generation, 0), 16), line(0, 16), true);
    // Equal addresses but unequal element sizes do not coincide.
    let narrow = Cumulative {
        out_dtype: Dtype::Fp16.wire(),
        ..scan(Pattern::new(0, &[1], &[4]), Pattern::new(0, &[2], &[4]))
    };
    assert_eq!(verdict(generation, &narrow.encode()), fault(TensorReason::ExecOverlap));
    // A destination position that is never written counts all the same.
    let reduce = Cache {
        channels: 1,
        source: line(0, 4),
        destination: Pattern::new(24, &[-1], &[4]),
        ..Cache::default()
    };
    assert_eq!(verdict(generation, &reduce.encode()), fault(TensorReason::ExecOverlap));
    // Immediates are no sources.
    let pointer = Cache { channels: 1, imm0_src: 1, imm0: 0x1000, ..Cache::default() };
    assert_eq!(verdict(generation, &pointer.encode()), TensorVerdict::Accept);
}

#[test]
fn channel_ranges_that_meet_in_later_partitions_do_not_overlap() {
    // Channels 0 to 63 of the source and 64 to 127 of the destination.
    let generation = Generation::Mariana;
    let record = Cumulative {
        channels: 64,
        source: Pattern::line(0, 16),
        destination: Pattern::line(sbuf(generation, 64), 16),
        ..Cumulative::default()
    };
    assert_eq!(verdict(generation, &record.encode()), TensorVerdict::Accept);
}

#[test]
fn register_pointers_are_checked_like_pointers_when_the_step_runs() {
    for &generation in Generation::ALL {
        let geometry = generation.geometry();
        for (value, channels, fine) in [
            (0, 128, true),
            (4, 128, true),
            (2, 128, false),
            (geometry.sbuf_stride, 1, false),
            (32 * geometry.sbuf_stride, 32, true),
            (32 * geometry.sbuf_stride, 33, false),
            (64 * geometry.sbuf_stride + 8, 64, true),
            (0x2000_0000, 1, false),
            (0x8000_0000, 1, false),
            (0x1800_0000, 1, false),
        ] {
            for (accumulator_cmd, first, second) in [(3, 2, 0), (4, 0, 2)] {
                let mut state = state(generation, Vec::new());
                state.registers[5] = value;
                let record = Cache {
                    channels,
                    accumulator_cmd,
                    imm0_src: first,
                    imm0: if first == 2 { 5 } else { 0 },
                    imm1_src: second,
                    imm1: if second == 2 { 5 } else { 0 },
                    ..Cache::default()
                };
                let got = step(&mut state, &record.encode());
                let got = got.map_or(TensorVerdict::Accept, |step| step.verdict);
                let expected =
                    if fine { TensorVerdict::Accept } else { fault(TensorReason::ExecImmreg) };
                assert_eq!(got, expected, "{value:#x} {channels} {generation}");
            }
        }
    }
}

#[test]
fn faults_apply_in_their_order() {
    let generation = Generation::Sunda;
    let mut state = state(generation, Vec::new());
    state.registers[1] = 2;
    let far = generation.geometry().sbuf_active - 4;
    let mut record = Cache {
        imm0_src: 2,
        imm0: 1,
        source: Pattern::new(far, &[1, 0, 0], &[2, 1000, 1000]),
        destination: Pattern::new(0x8000_0000, &[1, 0, 0], &[2, 1000, 1000]),
        ..Cache::default()
    };
    let mut next = |record: &Cache| step(&mut state, &record.encode()).unwrap().verdict;
    assert_eq!(next(&record), fault(TensorReason::ExecAddrreg));
    record.destination.address = 8;
    assert_eq!(next(&record), fault(TensorReason::ExecImmreg));
    record.imm0_src = 0;
    assert_eq!(next(&record), fault(TensorReason::ExecBounds));
    record.source.address = 4;
    assert_eq!(next(&record), fault(TensorReason::ExecSize));
    record.source.counts = vec![2];
    record.destination.counts = vec![2];
    assert_eq!(next(&record), fault(TensorReason::ExecOverlap));
    // A clause comes before every fault.
    record.reverse = 1;
    assert!(matches!(next(&record), TensorVerdict::Reject(_)));
}

//! The plain state: memory windows and their touched lines, regions, and that a reload leaves nothing
//! of the case before.

use contract::case::{MemoryChunk, MemoryWindow, TensorCase, VectorCase};
use contract::isa::Generation;
use contract::profile::Profile;
use contract::state::{OutsideCase, Region, RegionHit, Space, TensorState, VectorMemory};

fn case(base: u32, bytes: u32, init: &[(u32, &[u8])]) -> VectorCase {
    let chunk = |&(address, data): &(u32, &[u8])| MemoryChunk { address, data: data.to_vec() };
    VectorCase {
        id: String::new(),
        profile: Profile::default(),
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow { base, bytes, init: init.iter().map(chunk).collect() },
        program: Vec::new(),
    }
}

fn touched(a: &VectorMemory, b: &VectorMemory) -> Vec<usize> {
    let mut lines = Vec::new();
    a.for_touched_lines(b, |line| lines.push(line));
    lines
}

#[test]
fn later_chunks_win_where_chunks_overlap() {
    let mut memory = VectorMemory::default();
    memory.load(&case(0x1000, 128, &[(0x1000, &[1; 4]), (0x1002, &[2; 4]), (0x1003, &[3])]));
    assert_eq!(memory.bytes()[..8], [1, 1, 2, 3, 2, 2, 0, 0]);
}

#[test]
fn a_reloaded_memory_equals_a_fresh_one_whatever_was_before() {
    let cases = [
        case(0x8_0000, 4096, &[(0x8_0010, &[7; 100]), (0x8_0fff, &[1])]),
        case(0x8_0000, 4096, &[]),
        case(0x8_0000, 64, &[(0x8_0000, &[9; 64])]),
        case(0, 65536, &[(0xffff, &[5])]),
        case(0xffff_f000, 4096, &[(0xffff_ffc0, &[6; 64])]),
        case(64, 0, &[]),
    ];
    let mut reused = VectorMemory::default();
    for (before, after) in cases.iter().flat_map(|a| cases.iter().map(move |b| (a, b))) {
        reused.load(before);
        if let Some(at) = before.memory.bytes.checked_sub(3) {
            reused.write(at as usize, &[0xaa; 3]);
        }
        reused.load(after);
        let mut fresh = VectorMemory::default();
        fresh.load(after);
        assert_eq!(reused, fresh);
        assert_eq!(touched(&reused, &reused), touched(&fresh, &fresh));
        assert_eq!(reused.bytes().len(), after.memory.bytes as usize);
    }
}

#[test]
fn an_access_lies_in_the_window_only_with_every_byte() {
    let mut memory = VectorMemory::default();
    memory.load(&case(0x8_0000, 4096, &[]));
    assert_eq!(memory.window(0x8_0000, 64), Some(0));
    assert_eq!(memory.window(0x8_0fc0, 64), Some(4032));
    assert_eq!(memory.window(0x8_0fc1, 64), None);
    assert_eq!(memory.window(0x7_ffff, 1), None);
    assert_eq!(memory.window(0x8_1000, 1), None);

    memory.load(&case(0xffff_f000, 4096, &[]));
    assert_eq!(memory.window(0xffff_ffc0, 64), Some(4032));
    assert_eq!(memory.window(0xffff_ffc1, 64), None);
    memory.load(&case(0, 4096, &[]));
    assert_eq!(memory.window(0xffff_ffff, 2), None);
}

#[test]
fn touched_lines_are_those_of_either_memory() {
    let (mut a, mut b) = (VectorMemory::default(), VectorMemory::default());
    a.load(&case(0, 65536, &[(63, &[1, 2])]));
    b.load(&case(0, 65536, &[(64 * 700, &[1])]));
    assert_eq!(touched(&a, &b), [0, 1, 700]);
    b.write(0, &[]);
    assert_eq!(touched(&b, &b), [700]);
}

#[test]
fn a_chunk_outside_the_window_is_not_loaded() {
    let mut memory = VectorMemory::default();
    memory.load(&case(0x1000, 64, &[(0xfff, &[1; 2]), (0x103f, &[1; 2]), (0x1040, &[1])]));
    assert_eq!(memory.bytes(), [0; 64]);
}

#[test]
fn a_byte_is_found_in_the_region_that_holds_it() {
    let region = |space, partition, offset, fill| Region {
        space,
        partition,
        partitions: 2,
        offset,
        stride: 4,
        data: vec![fill; 8],
    };
    let mut state = TensorState {
        regions: vec![region(Space::Sbuf, 3, 16, 1), region(Space::Psum, 3, 16, 2)],
        ..TensorState::default()
    };
    let hit = RegionHit { region: 0, index: 6, run: 2 };
    assert_eq!(state.find(Space::Sbuf, 4, 18), Some(hit));
    assert_eq!(state.read_byte(Space::Psum, 3, 19), 2);
    for (partition, offset) in [(2, 16), (5, 16), (3, 15), (3, 20)] {
        assert_eq!(state.read_byte(Space::Sbuf, partition, offset), 0);
        let outside = OutsideCase { space: Space::Sbuf, partition, offset };
        assert_eq!(state.write_byte(Space::Sbuf, partition, offset, 9), Err(outside));
    }
    assert_eq!(state.write_byte(Space::Sbuf, 4, 18, 9), Ok(()));
    assert_eq!(state.regions[0].data, [1, 1, 1, 1, 1, 1, 9, 1]);
}

#[test]
fn a_reloaded_tensor_state_equals_a_fresh_one() {
    let region = |stride| Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: 1,
        offset: 0,
        stride,
        data: vec![stride as u8; stride as usize],
    };
    let case = |memory: Vec<Region>, register| TensorCase {
        id: String::new(),
        generation: Generation::Cayman,
        profile: Profile::default(),
        memory,
        registers: [(register, 7)].into(),
        program: Vec::new(),
    };
    let cases = [case(vec![region(4), region(8)], 1), case(vec![region(16)], 63), case(vec![], 0)];
    let mut reused = TensorState::default();
    for (before, after) in cases.iter().flat_map(|a| cases.iter().map(move |b| (a, b))) {
        reused.load(before);
        reused.accumulators[5] = 1;
        reused.seeded = 1 << 5;
        reused.lane_mask = Some([0; 32]);
        reused.load(after);
        assert_eq!(reused, TensorState::of(after));
    }
}

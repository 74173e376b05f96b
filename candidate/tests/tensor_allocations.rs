//! A model that has run a program once runs it again without a single allocation.

mod tensor_support;

use contract::isa::{AluOp, Dtype, Generation};
use contract::model::TensorModel;
use contract::state::{Space, TensorState};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tensor_support::{Cache, Cumulative, Pattern, models, region, state};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting what the current thread asks for.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Records of every kind: row and lane engines, strides, overlap by bitmap, rejections, faults.
fn program() -> Vec<[u8; 64]> {
    let base = Cache { channels: 3, ..Cache::default() };
    let overlapping = Cumulative {
        channels: 1,
        source: Pattern::new(0, &[3, 7], &[5, 5]),
        destination: Pattern::new(4, &[5, 3], &[5, 5]),
        ..Cumulative::default()
    };
    vec![
        base.encode(),
        Cache { opcode: 0xE6, accumulator_cmd: 2, ..base.clone() }.encode(),
        Cache { channels: 40, in_dtype: Dtype::Int8.wire(), ..base.clone() }.encode(),
        Cache {
            source: Pattern::line(0, 700),
            destination: Pattern::new(0x1000, &[2], &[700]),
            op1: AluOp::Max.wire(),
            opcode: 0xE6,
            ..base.clone()
        }
        .encode(),
        Cumulative {
            channels: 64,
            source: Pattern::new(0, &[1, 20], &[12, 9]),
            destination: Pattern::new(0x1000, &[1], &[108]),
            ..Cumulative::default()
        }
        .encode(),
        Cumulative { channels: 2, op: AluOp::Rsqrt.wire(), ..Cumulative::default() }.encode(),
        Cumulative { destination: Pattern::new(0x1000, &[0], &[16]), ..Cumulative::bitvec() }
            .encode(),
        overlapping.encode(),
        Cache { op1: 0, channels: 0, ..base.clone() }.encode(),
        Cache { source: Pattern::line(0x8000_0000, 16), ..base }.encode(),
        [0x9D; 64],
    ]
}

fn run(model: &mut impl TensorModel, state: &mut TensorState) {
    for record in program() {
        model.step(state, &record).expect("inside the regions");
    }
}

#[test]
fn the_second_run_of_a_program_allocates_nothing() {
    for mut model in models() {
        let data = vec![0x3C; 128 * 0x4000];
        let mut state = state(Generation::Mariana, vec![region(Space::Sbuf, 0, 128, 0, data)]);
        run(&mut model, &mut state);
        let records = program();
        let before = ALLOCATIONS.with(Cell::get);
        for record in &records {
            model.step(&mut state, record).expect("inside the regions");
        }
        let after = ALLOCATIONS.with(Cell::get);
        assert_eq!(after - before, 0, "{:?}", model.path());
        drop(program());
        assert!(ALLOCATIONS.with(Cell::get) > after, "the counter counts");
    }
}

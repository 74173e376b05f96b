//! No schedule makes a chart panic, however much it contradicts itself or the program.

use crate::report::chart::{Glyphs, TextOptions, diff_text_with, svg, text_with};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::{FaultReason, LegalityReason};
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, LatTable, OpTiming, Posting, Role, Schedule,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Mostly small, sometimes as large as can be.
fn cycle() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..60u32, 1 => any::<u32>(), 1 => Just(u32::MAX)]
}

fn small() -> impl Strategy<Value = u8> {
    prop_oneof![8 => 0..16u8, 1 => any::<u8>()]
}

fn class() -> impl Strategy<Value = RegClass> {
    select(RegClass::ALL)
}

fn mnemonic() -> impl Strategy<Value = Mnemonic> {
    let known = |id| Mnemonic::from_index(id).unwrap_or(Mnemonic::NOP);
    (0..Mnemonic::count()).prop_map(known)
}

fn format() -> impl Strategy<Value = FormatWord> {
    prop_oneof![
        select(Format::ALL).prop_map(FormatWord::Known),
        any::<String>().prop_map(|word| FormatWord::Unknown(word.into())),
    ]
}

/// Ranges that may be empty, reversed or beyond the end.
fn range() -> impl Strategy<Value = std::ops::Range<u32>> {
    (0..24u32, 0..24u32).prop_map(|(start, end)| start..end)
}

fn posting() -> impl Strategy<Value = Posting> {
    let role = select(vec![Role::Use, Role::Def, Role::Port]);
    (class(), proptest::option::of(small()), role, small())
        .prop_map(|(class, index, role, lat)| Posting { class, index, role, lat })
}

fn cause() -> impl Strategy<Value = Cause> {
    let hazard = select(vec![Hazard::Raw, Hazard::Waw]);
    let producer = prop_oneof![8 => 0..12u32, 1 => any::<u32>()];
    (hazard, class(), small(), producer, [small(), small(), small(), small(), small()]).prop_map(
        |(hazard, class, index, producer_bundle, [ps, pl, cs, cl, distance])| Cause {
            hazard,
            class,
            index,
            producer_bundle,
            producer_slot: ps,
            producer_lat: pl,
            consumer_slot: cs,
            consumer_lat: cl,
            distance,
        },
    )
}

fn verdict() -> impl Strategy<Value = BundleVerdict> {
    prop_oneof![
        4 => Just(BundleVerdict::Ok),
        1 => any::<String>().prop_map(|it| BundleVerdict::Illegal(LegalityReason::from_text(&it))),
        1 => any::<String>().prop_map(|it| BundleVerdict::Fault(FaultReason::from_text(&it))),
    ]
}

fn timing() -> impl Strategy<Value = BundleTiming> {
    let issue = proptest::option::weighted(0.9, (cycle(), cycle()));
    (format(), verdict(), issue, range(), range()).prop_map(
        |(format, verdict, issue, causes, ops)| BundleTiming {
            format,
            verdict,
            issue,
            causes,
            ops,
        },
    )
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let op = (small(), mnemonic(), range()).prop_map(|(slot, op, postings)| OpTiming {
        slot,
        op,
        postings,
    });
    let table = select(vec![LatTable::Lat1, LatTable::Lat1Formal]);
    let parts = (vec(timing(), 0..12), vec(op, 0..20), vec(posting(), 0..20), vec(cause(), 0..20));
    (table, cycle(), parts).prop_map(|(table, cycles, (bundles, ops, postings, causes))| Schedule {
        table,
        cycles,
        bundles,
        ops,
        postings,
        causes,
    })
}

fn program() -> impl Strategy<Value = Vec<Bundle>> {
    let operand = prop_oneof![
        (class(), any::<u32>()).prop_map(|(class, index)| Operand::Reg(class, index)),
        any::<i64>().prop_map(Operand::Imm),
        any::<String>().prop_map(|word| Operand::Word(word.into())),
    ];
    let op = prop_oneof![
        mnemonic().prop_map(OpWord::Known),
        any::<String>().prop_map(|word| OpWord::Unknown(word.into())),
    ];
    let slot = prop_oneof![8 => 0..6u32, 1 => any::<u32>()];
    let slot_op = (slot, op, vec(operand, 0..8)).prop_map(|(slot, op, operands)| SlotOp {
        slot,
        op,
        operands: operands.into_iter().collect(),
    });
    let bundle = (format(), vec(slot_op, 0..5)).prop_map(|(format, ops)| Bundle { format, ops });
    vec(bundle, 0..14)
}

/// Cycle numbers of ten digits and their stalls may stretch a row beyond its width, by no more than
/// this.
const STRETCH: usize = 80;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_schedule_can_be_drawn(
        program in program(),
        schedule in schedule(),
        other in schedule(),
        width in 0..200usize,
        id in any::<String>(),
        ascii in any::<bool>(),
    ) {
        let glyphs = if ascii { Glyphs::Ascii } else { Glyphs::Unicode };
        let options = TextOptions { width, glyphs, colour: false };
        for chart in [
            text_with(&program, &schedule, &options),
            diff_text_with(&schedule, &other, &program, &options),
        ] {
            let widest = chart.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            prop_assert!(widest <= width.max(80) + STRETCH, "{widest} of {width}\n{chart}");
            prop_assert!(chart.lines().count() < 4_000);
            prop_assert!(!chart.chars().any(|it| it.is_control() && it != '\n'));
        }
        let picture = svg(&program, &schedule, &id);
        prop_assert!(roxmltree::Document::parse(&picture).is_ok(), "{picture}");
        prop_assert!(picture.len() < 4_000_000);
    }
}

//! Misjudged legality of bundles (spec 05 section 6).

use super::vector::Reading;
use super::vector::judge::Bundles;
use super::{Fault, Wrong};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::outcome::{LegalityReason, VectorStep};

pub(super) const fn fault(
    name: &'static str,
    bundles: Bundles,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Bundle(bundles) }
}

/// Every op of a bundle that is a known mnemonic.
pub(super) fn known(bundle: &Bundle) -> impl Iterator<Item = Reading<'_>> {
    bundle.ops.iter().filter_map(Reading::of)
}

/// A bundle with its last op taken out, if it is refused for a reason.
fn without_last(bundle: &Bundle, right: &VectorStep, reason: LegalityReason) -> Option<Bundle> {
    (*right == VectorStep::Reject(reason) && bundle.ops.len() > 1).then(|| {
        let mut other = bundle.clone();
        other.ops.pop();
        other
    })
}

/// A bundle with one operand made a register that no file has.
fn broken(bundle: &Bundle) -> Option<Bundle> {
    let mut other = bundle.clone();
    let operand = other.ops.iter_mut().flat_map(|op| op.operands.iter_mut()).next()?;
    *operand = Operand::Reg(RegClass::Br, 99);
    Some(other)
}

/// A bundle with every op changed, if it is refused for its operands.
fn mended(
    bundle: &Bundle,
    right: &VectorStep,
    mend: fn(&mut Operand, OperandKind),
) -> Option<Bundle> {
    if *right != VectorStep::Reject(LegalityReason::Operand) {
        return None;
    }
    let mut other = bundle.clone();
    for op in &mut other.ops {
        let OpWord::Known(mnemonic) = op.op else { continue };
        for (operand, (_, kind)) in op.operands.iter_mut().zip(mnemonic.info().operands) {
            mend(operand, *kind);
        }
    }
    Some(other)
}

/// Whether a bundle has two registers of one class that could be written twice: a cheap sieve.
pub(super) fn crowded(bundle: &Bundle) -> bool {
    bundle.ops.len() > 1
}

fn defines_align_twice(bundle: &Bundle) -> bool {
    let mut seen = [0; 4];
    for read in known(bundle) {
        if let Some(align) = read.register("u").and_then(|index| seen.get_mut(index)) {
            *align += 1;
        }
    }
    seen.iter().any(|count| *count > 1)
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "register-index-masked",
        Bundles {
            reads: |bundle, _, right| {
                mended(bundle, right, |operand, kind| {
                    if let (Operand::Reg(class, index), OperandKind::Reg(wanted)) = (operand, kind)
                        && *class == wanted
                    {
                        *index %= wanted.entries();
                    }
                })
            },
            ..Bundles::RIGHT
        },
        "a register index beyond its file is masked, as the decoder does with valign",
        "spec 05 section 6, step 5: OPERAND (example X05)",
    ),
    fault(
        "immediate-step-ignored",
        Bundles {
            reads: |bundle, _, right| {
                mended(bundle, right, |operand, _| {
                    if let Operand::Imm(value) = operand {
                        *value &= !63;
                    }
                })
            },
            ..Bundles::RIGHT
        },
        "an immediate offset loses its low six bits, as an address does",
        "spec 04 V-36: the program checker rejects others",
    ),
    fault(
        "immediate-low-bits",
        Bundles {
            reads: |bundle, _, right| {
                mended(bundle, right, |operand, _| {
                    if let Operand::Imm(value) = operand {
                        *value &= 3;
                    }
                })
            },
            ..Bundles::RIGHT
        },
        "an immediate out of range keeps its low two bits",
        "spec 05 section 6, step 5: OPERAND",
    ),
    fault(
        "largest-offset-refused",
        Bundles {
            concerns: |bundle, _| known(bundle).any(|read| read.immediate() == Some(448)),
            reads: |bundle, _, right| {
                (*right == VectorStep::Accept).then(|| broken(bundle)).flatten()
            },
            ..Bundles::RIGHT
        },
        "the upper end of an offset range is exclusive: 448 is refused",
        "spec 04 section 1.2: -512..448",
    ),
    fault(
        "operand-too-many-dropped",
        Bundles {
            reads: |bundle, _, right| {
                if *right != VectorStep::Reject(LegalityReason::Operand) {
                    return None;
                }
                let mut other = bundle.clone();
                for op in &mut other.ops {
                    if let OpWord::Known(mnemonic) = op.op {
                        op.operands.truncate(mnemonic.info().operands.len());
                    }
                }
                Some(other)
            },
            ..Bundles::RIGHT
        },
        "operands after the last one are dropped",
        "spec 05 section 6, step 5: operand count matches",
    ),
    fault(
        "double-definition-first-wins",
        Bundles {
            concerns: |bundle, _| crowded(bundle),
            reads: |bundle, _, right| without_last(bundle, right, LegalityReason::DupDef),
            ..Bundles::RIGHT
        },
        "of two definitions of one register in a bundle the first one holds",
        "spec 05 T-22: illegal, DUP_DEF",
    ),
    fault(
        "double-align-definition",
        Bundles {
            concerns: |bundle, _| defines_align_twice(bundle),
            reads: |bundle, _, right| without_last(bundle, right, LegalityReason::DupDef),
            ..Bundles::RIGHT
        },
        "two streams of one bundle may share an align register",
        "spec 05 section 6: two aligning loads on one register are illegal (X04)",
    ),
    fault(
        "deal-into-one-register",
        Bundles {
            concerns: |bundle, _| {
                known(bundle).any(|read| {
                    read.register("vu").is_some() && read.register("vu") == read.register("vt")
                })
            },
            reads: |bundle, _, right| {
                if *right != VectorStep::Reject(LegalityReason::DupDef) {
                    return None;
                }
                let mut other = bundle.clone();
                for op in &mut other.ops {
                    let same = Reading::of(op).is_some_and(|read| {
                        read.register("vu").is_some() && read.register("vu") == read.register("vt")
                    });
                    if same && let Operand::Reg(_, index) = &mut op.operands[0] {
                        *index = (*index + 1) % 32;
                    }
                }
                Some(other)
            },
            ..Bundles::RIGHT
        },
        "DSEL with equal destinations is legal",
        "spec 05 T-22: illegal, DUP_DEF",
    ),
    fault(
        "memory-ports-unlimited",
        Bundles {
            concerns: |bundle, _| crowded(bundle),
            reads: |bundle, _, right| without_last(bundle, right, LegalityReason::MemPorts),
            ..Bundles::RIGHT
        },
        "a paired load takes one load/store copy, like any other",
        "spec 05 section 6, step 7: copies of at most 2",
    ),
    fault(
        "slot-named-twice",
        Bundles {
            concerns: |bundle, _| bundle.ops.windows(2).any(|pair| pair[0].slot == pair[1].slot),
            reads: |bundle, _, right| {
                (*right == VectorStep::Reject(LegalityReason::SlotCount)).then(|| {
                    let mut other = bundle.clone();
                    other.ops.dedup_by_key(|op| op.slot);
                    other
                })
            },
            ..Bundles::RIGHT
        },
        "a slot that is named twice holds its first op",
        "spec 05 section 6, step 2: SLOT_COUNT",
    ),
    fault(
        "operands-before-slots",
        Bundles {
            reads: |bundle, _, right| {
                let counts = |op: &SlotOp| match op.op {
                    OpWord::Known(mnemonic) => op.operands.len() == mnemonic.info().operands.len(),
                    OpWord::Unknown(_) => true,
                };
                // A bundle of a scalar op with the wrong operands is refused for them.
                let early = *right == VectorStep::Reject(LegalityReason::OpSlot)
                    && !bundle.ops.iter().all(counts);
                early.then(|| {
                    let mut op = bundle.ops.iter().find(|op| !counts(op)).cloned();
                    if let Some(op) = &mut op {
                        op.op = OpWord::Known(Mnemonic::from_name("MOVI").unwrap_or(Mnemonic::NOP));
                        op.slot = 0;
                        op.operands.clear();
                    }
                    Bundle { format: FormatWord::Known(Format::F0), ops: op.into_iter().collect() }
                })
            },
            ..Bundles::RIGHT
        },
        "operands are checked before slots",
        "spec 05 section 6: OP_SLOT is step 4, OPERAND step 5",
    ),
];

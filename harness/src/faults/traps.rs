//! Misread coprocessor gate, memory faults and ops without values (spec 04 sections 2.3, 3 and 10).

use super::Fault;
use super::bundles::{crowded, fault, known};
use super::vector::Reading;
use super::vector::judge::Bundles;
use contract::isa::Mnemonic;
use contract::outcome::{FaultReason, VectorStep};
use contract::state::VectorState;

fn is_scalar(mnemonic: Mnemonic) -> bool {
    let scalar =
        ["MOVI", "ADDI", "ADD", "SUB", "AND", "OR", "XOR", "MUL16S", "MULL", "L32I", "S32I"];
    scalar.contains(&mnemonic.name())
}

/// The base update of a post-incrementing access that faulted.
fn update_base(before: &VectorState, read: &Reading<'_>, state: &mut VectorState) {
    let Some(base) = read.register("ars") else { return };
    let name = read.name();
    if name.ends_with("_IP") {
        let by = read.immediate().map_or(64, |imm| imm as u32);
        state.ar[base] = before.ar[base].wrapping_add(by);
    } else if name.ends_with("_XP")
        && let Some(index) = read.register("art")
    {
        state.ar[base] = before.ar[base].wrapping_add(before.ar[index]);
    }
}

fn is_bad_access(step: &VectorStep) -> bool {
    matches!(step, VectorStep::Fault(FaultReason::BadAccess, _))
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "gate-ignored",
        Bundles {
            concerns: |_, state| state.cpenable & 2 == 0,
            after: |before, _, [step, _], _| match step {
                VectorStep::Fault(FaultReason::Coprocessor1Exception, _)
                    if before.cpenable != 0 =>
                {
                    VectorStep::Accept
                }
                other => other,
            },
            ..Bundles::RIGHT
        },
        "any enabled coprocessor opens the gate of the vector unit",
        "spec 04 section 2: CPENABLE bit 1",
    ),
    fault(
        "gate-stops-scalars",
        Bundles {
            concerns: |bundle, state| {
                state.cpenable & 2 == 0 && known(bundle).any(|read| is_scalar(read.mnemonic))
            },
            after: |before, _, [step, _], state| match step {
                VectorStep::Accept => {
                    state.clone_from(before);
                    VectorStep::Fault(FaultReason::Coprocessor1Exception, None)
                }
                other => other,
            },
            ..Bundles::RIGHT
        },
        "scalar ops need the vector coprocessor too",
        "spec 04 section 3, rule 1: the ops of section 10.1 do not",
    ),
    fault(
        "gate-after-memory",
        Bundles {
            concerns: |_, state| state.cpenable & 2 == 0,
            trial: |state| state.cpenable |= 2,
            after: |_, _, [step, open], _| match step {
                VectorStep::Fault(FaultReason::Coprocessor1Exception, _)
                    if is_bad_access(&open) =>
                {
                    open
                }
                other => other,
            },
            ..Bundles::RIGHT
        },
        "a bad access is found before the gate",
        "spec 04 section 3, rule 1: the gate takes precedence over BadAccess",
    ),
    fault(
        "fault-updates-base",
        Bundles {
            after: |before, bundle, [step, _], state| {
                if is_bad_access(&step) {
                    known(bundle).for_each(|read| update_base(before, &read, state));
                }
                step
            },
            ..Bundles::RIGHT
        },
        "a faulting access has moved its base",
        "spec 04 V-30: the whole bundle is squashed, base updates included",
    ),
    fault(
        "fault-address-of-line",
        Bundles {
            after: |_, _, [step, _], _| match step {
                VectorStep::Fault(FaultReason::BadAccess, Some(address)) => {
                    VectorStep::Fault(FaultReason::BadAccess, Some(address & !63))
                }
                other => other,
            },
            ..Bundles::RIGHT
        },
        "the address of a fault is that of its line",
        "spec 04 section 2.3: the first byte of the access",
    ),
    fault(
        "misaligned-scalar-passes",
        Bundles {
            after: |_, _, [step, _], _| match step {
                VectorStep::Fault(FaultReason::Alignment, _) => VectorStep::Accept,
                other => other,
            },
            ..Bundles::RIGHT
        },
        "a misaligned scalar access is carried out",
        "spec 04 V-39: Alignment",
    ),
    fault(
        "window-before-alignment",
        Bundles {
            after: |before, _, [step, _], _| match step {
                VectorStep::Fault(FaultReason::Alignment, Some(address))
                    if before.memory.window(address, 4).is_none() =>
                {
                    VectorStep::Fault(FaultReason::BadAccess, Some(address))
                }
                other => other,
            },
            ..Bundles::RIGHT
        },
        "a scalar access is tested against the window before its alignment",
        "spec 04 section 10.1: Alignment, tested before the window",
    ),
    fault(
        "masked-store-never-faults",
        Bundles {
            after: |before, bundle, [step, _], _| {
                let masked = known(bundle).any(|read| {
                    let name = read.name();
                    name.starts_with("SV")
                        && name.contains("T_")
                        && read.register("vbr").is_some_and(|q| before.vbool[q] == 0)
                });
                if masked && is_bad_access(&step) { VectorStep::Accept } else { step }
            },
            ..Bundles::RIGHT
        },
        "a store without a live lane makes no access",
        "spec 04 V-38: a masked store counts in full",
    ),
    fault(
        "unsupported-executes-the-rest",
        Bundles {
            concerns: |bundle, _| {
                crowded(bundle) && known(bundle).any(|read| read.mnemonic.info().chapter != 4)
            },
            after: |before, bundle, [step, _], state| {
                if let VectorStep::Unsupported(_) = step {
                    known(bundle).filter(|read| read.name() == "MOVI").for_each(|read| {
                        if let (Some(target), Some(imm)) = (read.register("art"), read.immediate())
                        {
                            state.ar[target] = imm as u32;
                        }
                    });
                    known(bundle).filter(|read| read.name() == "MOVVV").for_each(|read| {
                        if let (Some(target), Some(source)) =
                            (read.register("vt"), read.register("vr"))
                        {
                            state.vec[target] = before.vec[source];
                        }
                    });
                    known(bundle)
                        .filter(|read| {
                            read.name().starts_with("LV") || read.name().starts_with("SV")
                        })
                        .for_each(|read| update_base(before, &read, state));
                }
                step
            },
            ..Bundles::RIGHT
        },
        "beside an op without values the moves and base updates of a bundle take place",
        "spec 05 T-29: no op of the bundle changes a register or memory",
    ),
];

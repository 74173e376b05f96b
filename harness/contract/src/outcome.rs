//! What a model answers: a verdict per step and the final state, for vector programs the schedule
//! too. The JSON form lives in [`crate::json`].

use crate::isa::{ClauseSet, Mnemonic};
use crate::schedule::Schedule;
use crate::state::{TensorState, VectorState};
use std::fmt;

/// Declares a reason enum with its texts and an escape for the reasons of external models.
macro_rules! reasons {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$vmeta])* $variant,)*
            /// A reason that the spec does not list; only an external model answers one.
            Other(Box<str>),
        }
        impl $name {
            /// The reason's text.
            pub fn text(&self) -> &str {
                match self { $(Self::$variant => $text,)* Self::Other(text) => text }
            }
            /// The reason with this text; never fails.
            pub fn from_text(text: &str) -> Self {
                match text { $($text => Self::$variant,)* other => Self::Other(other.into()) }
            }
            /// Every reason of the spec, in its order.
            pub fn all() -> Vec<Self> { vec![$(Self::$variant),*] }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.text()) }
        }
    };
}

reasons! {
    /// Reasons of `unsupported` and `fault` on the tensor side, in the order in which they apply
    /// (spec 01 section 7.1).
    TensorReason {
        /// Maverick header byte 2 or 3 is not zero.
        HdrTile "HDR-TILE"
        /// Defined opcode without a clause group.
        OutOfScope "OUT_OF_SCOPE"
        /// A pattern takes its shape from a register.
        AddrShapereg "ADDR-SHAPEREG"
        /// Indirect pattern on mariana and later.
        Ind "IND"
        /// Integer reduce operator.
        TrIntop "TR-INTOP"
        /// Valid, but no execution is described.
        ExecOpcode "EXEC-OPCODE"
        /// A pattern start word in register form.
        ExecAddrreg "EXEC-ADDRREG"
        /// The address in an immediate's register is no legal pointer.
        ExecImmreg "EXEC-IMMREG"
        /// A walk leaves the active bytes of its partition.
        ExecBounds "EXEC-BOUNDS"
        /// Too many elements.
        ExecSize "EXEC-SIZE"
        /// Destination and source overlap without coinciding.
        ExecOverlap "EXEC-OVERLAP"
        /// 64-bit operand in an FP32 computation.
        Exec64 "EXEC-64"
        /// Bitwise cross-lane reduce on a dtype without raw form.
        ExecXlBv "EXEC-XL-BV"
        /// 64-bit shift with another output dtype.
        ExecShout "EXEC-SHOUT"
        /// No usable lane mask.
        ExecMask "EXEC-MASK"
    }
}

/// Verdict of a tensor step (spec 02 section 1).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TensorVerdict {
    /// Valid and executed.
    Accept,
    /// At least one clause fails; the full failing set.
    Reject(ClauseSet),
    /// Outside the profile.
    Unsupported(TensorReason),
    /// Valid, but not executable.
    Fault(TensorReason),
}

/// One step of a tensor program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TensorStep {
    /// Verdict.
    pub verdict: TensorVerdict,
    /// Flag `INDETERMINATE_ACC` (spec 03 D-25).
    pub indeterminate_acc: bool,
}

impl TensorStep {
    /// A step without flags.
    pub const fn new(verdict: TensorVerdict) -> Self {
        Self { verdict, indeterminate_acc: false }
    }
}

reasons! {
    /// Why a bundle is illegal (spec 05 section 6), in the order of the checks.
    LegalityReason {
        /// Step 1: unknown format.
        Format "FORMAT"
        /// Step 2: a slot that the format lacks, or a slot named twice.
        SlotCount "SLOT_COUNT"
        /// Step 3: no row in the LAT table.
        UnknownOp "UNKNOWN_OP"
        /// Step 4: the op may not stand in that slot.
        OpSlot "OP_SLOT"
        /// Step 5: operand count, class, index or immediate.
        Operand "OPERAND"
        /// Step 6: two defs of one register.
        DupDef "DUP_DEF"
        /// Step 7: memory copies or stores.
        MemPorts "MEM_PORTS"
    }
}

reasons! {
    /// Why a legal bundle faulted (spec 04 sections 2.3, 3 and 10.1).
    FaultReason {
        /// An access leaves the memory window.
        BadAccess "BadAccess"
        /// A scalar access is misaligned.
        Alignment "Alignment"
        /// The vector unit is disabled.
        Coprocessor1Exception "Coprocessor1Exception"
    }
}

/// Verdict of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VectorStep {
    /// Executed.
    Accept,
    /// Illegal, with its one reason.
    Reject(LegalityReason),
    /// Faulted; the address is absent for the coprocessor gate.
    Fault(FaultReason, Option<u32>),
    /// Holds an op without values; the op of the lowest such slot.
    Unsupported(Mnemonic),
}

impl VectorStep {
    /// True if the program goes on after this step.
    pub const fn goes_on(&self) -> bool {
        matches!(self, Self::Accept | Self::Unsupported(_))
    }
}

/// Outcome of a tensor case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TensorOutcome {
    /// One verdict per instruction.
    pub steps: Vec<TensorStep>,
    /// Final memory, accumulators and seeded lanes.
    pub state: TensorState,
}

/// Outcome of a vector case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VectorOutcome {
    /// One verdict per bundle, up to and including the one that ended the program.
    pub steps: Vec<VectorStep>,
    /// Final registers and memory.
    pub state: VectorState,
    /// The schedule; `None` if the model does not give one.
    pub schedule: Option<Schedule>,
}

/// What a model answers to a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Of a tensor case.
    Tensor(Box<TensorOutcome>),
    /// Of a vector case.
    Vector(Box<VectorOutcome>),
}

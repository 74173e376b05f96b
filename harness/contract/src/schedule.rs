//! The canonical schedule object (spec 05 section 9.1) as flat, reusable data. Bundles hold ranges
//! into `ops` and `causes`, ops hold ranges into `postings`; clearing keeps the buffers, so that a
//! campaign builds schedules without allocating. Derived equality on two schedules is equality of
//! their canonical bytes.

use crate::bundle::FormatWord;
use crate::isa::{Mnemonic, RegClass};
use crate::outcome::{FaultReason, LegalityReason};
use std::fmt;
use std::ops::Range;

/// Version of the LAT table a schedule was built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LatTable {
    /// `lat-1`.
    #[default]
    Lat1,
    /// `lat-1/formal`: crossbar and reduce with sources at 10, result at 12 (spec 05 T-03).
    Lat1Formal,
}

impl LatTable {
    /// Text of the `table` key.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lat1 => "lat-1",
            Self::Lat1Formal => "lat-1/formal",
        }
    }
}

/// Role of a posting (spec 05 section 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Needed at the start of the stage.
    Use,
    /// Available at the end of the stage.
    Def,
    /// An internal path is busy.
    Port,
}

impl Role {
    /// Text of the role.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Def => "def",
            Self::Port => "port",
        }
    }
}

/// One register reference of one op.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Posting {
    /// Register class.
    pub class: RegClass,
    /// Register index; `None` for a port.
    pub index: Option<u8>,
    /// Role.
    pub role: Role,
    /// Pipeline stage.
    pub lat: u8,
}

/// Kind of hazard that binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hazard {
    /// Read after write.
    Raw,
    /// Write after write.
    Waw,
}

impl Hazard {
    /// Text of the `k` field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "RAW",
            Self::Waw => "WAW",
        }
    }
}

/// One stall cause (spec 05 section 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cause {
    /// `k`: hazard.
    pub hazard: Hazard,
    /// `c`: register class.
    pub class: RegClass,
    /// `i`: register index.
    pub index: u8,
    /// `pb`: producer bundle.
    pub producer_bundle: u32,
    /// `ps`: producer slot.
    pub producer_slot: u8,
    /// `pl`: producer LAT.
    pub producer_lat: u8,
    /// `cs`: consumer slot.
    pub consumer_slot: u8,
    /// `cl`: consumer LAT.
    pub consumer_lat: u8,
    /// `d`: required distance.
    pub distance: u8,
}

/// Verdict of a bundle in the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BundleVerdict {
    /// Issued.
    Ok,
    /// Judged illegal; never issues, ends the program.
    Illegal(LegalityReason),
    /// Issued and faulted; ends the program.
    Fault(FaultReason),
}

/// One op of a bundle with its postings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OpTiming {
    /// Slot number.
    pub slot: u8,
    /// The op.
    pub op: Mnemonic,
    /// Its postings, as a range into [`Schedule::postings`].
    pub postings: Range<u32>,
}

/// One bundle of the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BundleTiming {
    /// Format as written.
    pub format: FormatWord,
    /// Verdict.
    pub verdict: BundleVerdict,
    /// Issue cycle and stall; `None` when illegal.
    pub issue: Option<(u32, u32)>,
    /// Stall causes, as a range into [`Schedule::causes`].
    pub causes: Range<u32>,
    /// Ops ascending by slot, NOPs left out, as a range into [`Schedule::ops`].
    pub ops: Range<u32>,
}

/// The schedule of one program.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Schedule {
    /// LAT table.
    pub table: LatTable,
    /// Issue cycle of the last bundle that issued, plus 1; 0 if none did.
    pub cycles: u32,
    /// Bundles in program order.
    pub bundles: Vec<BundleTiming>,
    /// Ops of every bundle.
    pub ops: Vec<OpTiming>,
    /// Postings of every op.
    pub postings: Vec<Posting>,
    /// Causes of every bundle.
    pub causes: Vec<Cause>,
}

impl Schedule {
    /// Empties the schedule and keeps its buffers.
    pub fn clear(&mut self, table: LatTable) {
        self.table = table;
        self.cycles = 0;
        self.bundles.clear();
        self.ops.clear();
        self.postings.clear();
        self.causes.clear();
    }

    /// Ops of a bundle.
    pub fn ops_of(&self, bundle: &BundleTiming) -> &[OpTiming] {
        &self.ops[bundle.ops.start as usize..bundle.ops.end as usize]
    }

    /// Postings of an op.
    pub fn postings_of(&self, op: &OpTiming) -> &[Posting] {
        &self.postings[op.postings.start as usize..op.postings.end as usize]
    }

    /// Causes of a bundle's stall.
    pub fn causes_of(&self, bundle: &BundleTiming) -> &[Cause] {
        &self.causes[bundle.causes.start as usize..bundle.causes.end as usize]
    }
}

/// The canonical text of spec 05 section 9.2, without a line end after the last line. It carries the
/// same information as the JSON form.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, bundle) in self.bundles.iter().enumerate() {
            write!(f, "B{number} {} ", bundle.format.text())?;
            match &bundle.verdict {
                BundleVerdict::Ok => f.write_str("ok")?,
                BundleVerdict::Illegal(reason) => write!(f, "illegal:{reason}")?,
                BundleVerdict::Fault(reason) => write!(f, "fault:{reason}")?,
            }
            if let Some((issue, stall)) = bundle.issue {
                write!(f, " @{issue} +{stall}")?;
            }
            f.write_str("\n")?;
            for op in self.ops_of(bundle) {
                write!(f, "  S{} {}", op.slot, op.op)?;
                for posting in self.postings_of(op) {
                    write!(f, " {posting}")?;
                }
                f.write_str("\n")?;
            }
            for cause in self.causes_of(bundle) {
                writeln!(f, "  ! {cause}")?;
            }
        }
        write!(f, "= {}", self.cycles)
    }
}

impl fmt::Display for Posting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class.prefix())?;
        match self.index {
            Some(index) => write!(f, "{index}")?,
            None => f.write_str("-")?,
        }
        write!(f, ".{}@{}", self.role.name(), self.lat)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}{} B{}.S{}@{} > S{}@{} d={}",
            self.hazard.name(),
            self.class.prefix(),
            self.index,
            self.producer_bundle,
            self.producer_slot,
            self.producer_lat,
            self.consumer_slot,
            self.consumer_lat,
            self.distance
        )
    }
}

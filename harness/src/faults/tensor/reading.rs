//! A valid record of the four executed opcodes as a misreading sees it: operands, operators, compute type.
//! Decoding and every rule that is not misread come from the reference model's public rooms.

use contract::case::RECORD;
use contract::isa::layout::s3d3_ts;
use contract::isa::{AccumCmd, AluOp, Dtype, Generation, Subdim, opcode};
use contract::profile::Profile;
use contract::state::TensorState;
use oracle::numeric::compute::{bits_compute_width, integer_compute_format, is_integer_operator};
use oracle::numeric::format::{IntegerFormat, element_size};
use oracle::tensor::operands::Operand;
use oracle::tensor::record::{S3d3Ts, S4d4Tr};
use oracle::verdict;

/// Most elements × channels that execute (EXEC-SIZE).
const MOST_WORK: u64 = 1 << 20;

/// The compute type (spec 03 section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// C_F.
    Float,
    /// C_I(N).
    Integer(IntegerFormat),
    /// C_B(W).
    Bits(u32),
}

/// An immediate as it stands in the record.
#[derive(Debug, Clone, Copy)]
pub struct Immediate {
    /// Source selector.
    pub source: u8,
    /// The word.
    pub word: u32,
}

/// A valid record, decoded.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Byte 0.
    pub opcode: u8,
    /// Generation of the case.
    pub generation: Generation,
    /// Switches of the case.
    pub profile: Profile,
    /// What is read.
    pub source: Operand,
    /// What is written.
    pub destination: Operand,
    /// Operator on element and scalar; Bypass for the scans of chapter 03 section 7.5.
    pub fold: AluOp,
    /// Operator of the running combine.
    pub combine: AluOp,
    /// Accumulator command; `None` for TensorCumulative.
    pub command: Option<AccumCmd>,
    /// Both immediates of a cached record.
    pub immediates: [Immediate; 2],
    /// Axes of one run of TensorCumulative, from X on.
    pub axes: usize,
    /// Compute type.
    pub domain: Domain,
}

impl Reading {
    /// Decodes a record that every clause accepts and that is small enough to execute; `None` for any
    /// other.
    pub fn of(state: &TensorState, record: &[u8; RECORD]) -> Option<Self> {
        verdict::judge(state.generation, record).ok()?;
        Self::unjudged(state, record)
    }

    /// Decodes a record that some clause refuses, if its fields mean anything: known operators and
    /// commands, dtypes with a size.
    pub fn unjudged(state: &TensorState, record: &[u8; RECORD]) -> Option<Self> {
        let sized = |byte| Dtype::from_wire(byte).and_then(element_size).is_some();
        // Both structs have their dtypes at the same offsets.
        if !(sized(record[s3d3_ts::IN_DTYPE]) && sized(record[s3d3_ts::OUT_DTYPE])) {
            return None;
        }
        let reading = match record[0] {
            opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE => {
                Self::cached(state, record)?
            }
            opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC => {
                Self::scan(state, record)?
            }
            _ => return None,
        };
        let work = reading.source.pattern.count().checked_mul(reading.source.channels.into())?;
        (work <= MOST_WORK).then_some(reading)
    }

    fn cached(state: &TensorState, record: &[u8; RECORD]) -> Option<Self> {
        let r = S3d3Ts::decode(record);
        Some(Self {
            opcode: r.opcode,
            generation: state.generation,
            profile: state.profile,
            source: Operand::of_valid(r.source, r.in_dtype, r.num_active_channels),
            destination: Operand::of_valid(r.destination, r.out_dtype, r.num_active_channels),
            fold: AluOp::from_wire(r.op0)?,
            combine: AluOp::from_wire(r.op1)?,
            command: Some(AccumCmd::from_wire(r.accumulator_cmd)?),
            immediates: [
                Immediate { source: r.imm0_src, word: r.imm0 },
                Immediate { source: r.imm1_src, word: r.imm1 },
            ],
            axes: 3,
            domain: Domain::Float,
        })
    }

    fn scan(state: &TensorState, record: &[u8; RECORD]) -> Option<Self> {
        let r = S4d4Tr::decode(record);
        let op = AluOp::from_wire(r.op)?;
        let in_dtype = Dtype::from_wire(r.in_dtype)?;
        let domain = if r.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
            Domain::Bits(bits_compute_width(in_dtype)?)
        } else if is_integer_operator(op) {
            Domain::Integer(integer_compute_format(in_dtype))
        } else {
            Domain::Float
        };
        let axes = match Subdim::from_wire(r.op_dim)? {
            Subdim::X => 1,
            Subdim::XY => 2,
            Subdim::XYZ => 3,
            _ => 4,
        };
        Some(Self {
            opcode: r.opcode,
            generation: state.generation,
            profile: state.profile,
            source: Operand::of_valid(r.source, r.in_dtype, r.num_active_channels),
            destination: Operand::of_valid(r.destination, r.out_dtype, r.num_active_channels),
            fold: AluOp::Bypass,
            combine: op,
            command: None,
            immediates: [Immediate { source: 0, word: 0 }; 2],
            axes,
            domain,
        })
    }

    /// True for 0x9A and 0xE6.
    pub const fn is_cached(&self) -> bool {
        self.command.is_some()
    }

    /// True for 0x9A.
    pub const fn reduces(&self) -> bool {
        self.opcode == opcode::TENSOR_SCALAR_CACHE_REDUCE
    }

    /// True for 0x4E and 0x5E.
    pub const fn is_scan(&self) -> bool {
        self.command.is_none()
    }

    /// Elements of a run of `axes` axes.
    pub fn run_length(&self, axes: usize) -> usize {
        self.source.pattern.counts[..axes].iter().map(|&count| usize::from(count)).product()
    }
}

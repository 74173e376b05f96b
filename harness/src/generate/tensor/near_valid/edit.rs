//! The hand of a probe: changes to a valid draft that break one thing and mend what else the change
//! would break, such as the alignment after a new dtype.

use crate::generate::Draw;
use crate::generate::tensor::geometry::{
    ADDRESS, Place, QUADRANT_LIMIT, QUADRANTS, Walk, active, has_psum,
};
use crate::generate::tensor::record::{Draft, Layout};
use crate::generate::values::formats::size_of;
use contract::isa::{AccumCmd, AluOp, Dtype, Generation, ImmSrc, opcode};
use contract::state::Space;
use std::collections::BTreeMap;

/// Which pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The source.
    Src,
    /// The destination.
    Dst,
}

/// A draft in the hand of a probe.
#[derive(Debug)]
pub struct Edit<'a, 'b> {
    /// The record.
    pub draft: &'a mut Draft,
    /// Source of decisions.
    pub draw: &'a mut Draw<'b>,
    /// Generation of the case.
    pub generation: Generation,
    /// Registers of the case.
    pub registers: &'a mut BTreeMap<u8, u32>,
}

impl Edit<'_, '_> {
    /// A non-zero byte, 1 first.
    pub fn nonzero(&mut self) -> u8 {
        self.byte_from(1)
    }

    /// A byte of `low ..= 255`, `low` in half of the draws.
    pub fn byte_from(&mut self, low: u8) -> u8 {
        if self.draw.percent(50) { self.draw.between(low.into(), 255) as u8 } else { low }
    }

    /// One of the operators that the generation's enum has.
    pub fn member(&mut self, operators: &[AluOp]) -> u8 {
        let generation = self.generation;
        let known = || operators.iter().copied().filter(|op| op.since() <= generation);
        let index = self.draw.below(known().count() as u32) as usize;
        known().nth(index).unwrap_or(operators[0]).wire()
    }

    /// A code that the generation's ALU_OP lacks.
    pub fn hole(&mut self) -> u8 {
        const HOLES: &[u8] = &[0x1E, 0x1F, 0x25, 0x7F, 0xC3, 0xE2, 0xFF];
        let code = if self.draw.percent(50) { self.draw.u8() } else { self.draw.pick(HOLES) };
        match AluOp::from_wire(code) {
            Some(op) if op.since() <= self.generation => self.draw.pick(HOLES),
            _ => code,
        }
    }

    /// A dtype code without alignment on the generation (spec 01 section 7).
    pub fn unaligned_dtype(&mut self) -> u8 {
        const CODES: &[u8] =
            &[0x00, 0x11, 0x12, 0x13, 0x16, 0x17, 0x18, 0x19, 0x1F, 0x20, 0x80, 0xFF, 0x10];
        // FP4_EXP2, the last, has one from mariana on.
        let known = if self.generation < Generation::Mariana { 0 } else { 1 };
        self.draw.pick(&CODES[..CODES.len() - known])
    }

    /// The pattern of a side.
    pub fn walk(&mut self, side: Side) -> &mut Walk {
        match side {
            Side::Src => &mut self.draft.src,
            Side::Dst => &mut self.draft.dst,
        }
    }

    /// Where a side starts; partition 0 of SBUF if it starts nowhere.
    pub fn place(&mut self, side: Side) -> Place {
        let word = self.walk(side).word & ADDRESS;
        Place::of(self.generation, word).unwrap_or(Place {
            space: Space::Sbuf,
            partition: 0,
            offset: 0,
        })
    }

    /// Moves the start of a side.
    pub fn put(&mut self, side: Side, place: Place) {
        let word = place.address(self.generation);
        self.walk(side).word = word;
    }

    /// Moves the start of a side down to a multiple of `bytes`.
    pub fn align(&mut self, side: Side, bytes: u32) {
        self.walk(side).word &= !(bytes - 1);
    }

    /// Moves a side to SBUF, at a multiple of 8, in the partition where it is.
    pub fn to_sbuf(&mut self, side: Side) {
        let mut place = self.place(side);
        // PSUM offsets are backed in SBUF too.
        place.space = Space::Sbuf;
        place.offset &= !7;
        self.put(side, place);
    }

    /// Moves a side to partition 0.
    pub fn to_partition_zero(&mut self, side: Side) {
        let mut place = self.place(side);
        place.partition = 0;
        self.put(side, place);
    }

    /// Makes every immediate that is read inline.
    pub fn inline_immediates(&mut self) {
        self.draft.imm0_src = ImmSrc::InstructionImmediate.wire();
        self.draft.imm1_src = ImmSrc::InstructionImmediate.wire();
        if self.draft.command != AccumCmd::LoadAccumulate.wire() {
            self.draft.imm1 = 0;
        }
    }

    /// A command without a seed of its own, and no seed.
    pub fn without_load(&mut self) {
        if self.draft.command == AccumCmd::LoadAccumulate.wire() {
            self.draft.command =
                self.draw.pick(&[AccumCmd::ZeroAccumulate, AccumCmd::Accumulate]).wire();
        }
        self.draft.imm1_src = ImmSrc::InstructionImmediate.wire();
        self.draft.imm1 = 0;
    }

    /// Sets `in_dtype`, and aligns the source for it.
    pub fn input(&mut self, code: u8) {
        self.draft.in_dtype = code;
        self.align(Side::Src, 8);
    }

    /// Sets `out_dtype`, and puts the destination where any dtype may stand.
    pub fn output(&mut self, code: u8) {
        self.draft.out_dtype = code;
        self.to_sbuf(Side::Dst);
    }

    /// Gives a side a dtype of two or four bytes, and aligns it.
    pub fn widen(&mut self, side: Side) {
        const WIDE: &[Dtype] =
            &[Dtype::Fp32, Dtype::Fp16, Dtype::Bfloat16, Dtype::Int16, Dtype::Uint16];
        const FOUR: &[Dtype] = &[Dtype::Fp32, Dtype::Int32, Dtype::Uint32, Dtype::Fp32r];
        if self.draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
            // INT32 goes with every operator of the class.
            self.draft.in_dtype = Dtype::Int32.wire();
            self.draft.out_dtype = Dtype::Int32.wire();
            self.align(Side::Src, 4);
            self.align(Side::Dst, 4);
            return;
        }
        let dtype = match side {
            Side::Src => self.draw.pick(WIDE),
            Side::Dst if self.place(side).space == Space::Psum => self.draw.pick(FOUR),
            Side::Dst => self.draw.pick(&[WIDE, FOUR].concat()),
        };
        match side {
            Side::Src => self.draft.in_dtype = dtype.wire(),
            Side::Dst => self.draft.out_dtype = dtype.wire(),
        }
        self.align(side, 4);
    }

    /// Starts a side beside its alignment.
    pub fn misalign(&mut self, side: Side) {
        self.widen(side);
        let code = match side {
            Side::Src => self.draft.in_dtype,
            Side::Dst => self.draft.out_dtype,
        };
        let size = size_of(code).unwrap_or(2);
        let by = self.draw.between(1, size - 1);
        self.walk(side).word += by;
    }

    /// Adds marker bits to the start of a side.
    pub fn mark(&mut self, side: Side, marker: u32) {
        self.walk(side).word |= marker;
    }

    /// Gives a side the register form with these low bits.
    pub fn register_form(&mut self, side: Side, low: u32) {
        self.walk(side).word = 0x8000_0000 | low;
    }

    /// Puts a narrow destination into PSUM. For generations that have it.
    pub fn narrow_to_psum(&mut self) {
        const NARROW: &[Dtype] = &[
            Dtype::Fp16,
            Dtype::Bfloat16,
            Dtype::Int16,
            Dtype::Uint16,
            Dtype::Int8,
            Dtype::Uint8,
            Dtype::Fp8Exp3,
            Dtype::Fp8Exp4,
            Dtype::Fp8Exp5,
        ];
        if self.draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
            let dtype = self.draw.pick(&[Dtype::Uint16, Dtype::Uint8]).wire();
            self.draft.in_dtype = dtype;
            self.draft.out_dtype = dtype;
            self.align(Side::Src, 2);
            if self.draft.op0 == AluOp::LogicalShiftRight.wire() {
                self.draft.op0 = AluOp::LogicalShiftLeft.wire();
            }
        } else {
            self.draft.out_dtype = self.draw.pick(NARROW).wire();
        }
        let partition = self.place(Side::Dst).partition;
        let offset = self.draw.pick(&[0, 1024, 0x3FF8]);
        self.put(Side::Dst, Place { space: Space::Psum, partition, offset });
    }

    /// Starts a side in a partition that is no quadrant's first.
    pub fn off_quadrant(&mut self, side: Side) {
        const PARTITIONS: &[u32] = &[1, 2, 16, 31, 33, 63, 65, 95, 97, 127];
        let mut place = self.place(side);
        place.partition = self.draw.pick(PARTITIONS);
        self.put(side, place);
    }

    /// More channels than a quadrant allows, on one side; the other starts at partition 0.
    pub fn beyond_limit(&mut self, side: Side) {
        let quadrant = self.draw.between(1, 3) as usize;
        let (low, high) = (QUADRANT_LIMIT[quadrant] + 1, 128);
        let channels = if self.draw.percent(50) { self.draw.between(low, high) } else { low };
        self.draft.channels = channels as u8;
        self.inline_immediates();
        self.to_partition_zero(Side::Src);
        self.to_partition_zero(Side::Dst);
        let mut place = self.place(side);
        place.partition = QUADRANTS[quadrant];
        self.put(side, place);
    }

    /// A memory whose partitions have bytes that are not backed.
    fn holed_space(&mut self) -> Option<Space> {
        let geometry = self.generation.geometry();
        let sbuf = geometry.sbuf_active < geometry.sbuf_stride;
        match (sbuf, has_psum(self.generation)) {
            (true, true) => Some(self.draw.pick(&[Space::Sbuf, Space::Psum])),
            (true, false) => Some(Space::Sbuf),
            (false, true) => Some(Space::Psum),
            (false, false) => None,
        }
    }

    /// A byte that is not backed, at a multiple of 8, in this partition.
    fn unbacked(&mut self, partition: u32) -> Option<Place> {
        let space = self.holed_space()?;
        let geometry = self.generation.geometry();
        let stride = match space {
            Space::Sbuf => geometry.sbuf_stride,
            Space::Psum => geometry.psum_stride,
        };
        let low = active(self.generation, space);
        let offset = if self.draw.percent(50) { self.draw.between(low, stride - 8) } else { low };
        Some(Place { space, partition, offset: offset & !7 })
    }

    /// Starts a side behind the backed bytes of its partition. A destination gets four-byte elements,
    /// in case it lands in PSUM.
    pub fn unback(&mut self, side: Side) {
        if side == Side::Dst {
            let four = if self.draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
                Dtype::Int32
            } else {
                Dtype::Fp32
            };
            if self.draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
                self.draft.in_dtype = four.wire();
                self.align(Side::Src, 4);
            }
            self.draft.out_dtype = four.wire();
        }
        let partition = self.place(side).partition;
        if let Some(place) = self.unbacked(partition) {
            self.put(side, place);
        }
    }

    /// An address in no region, a multiple of 8, below the marker bits.
    pub fn nowhere(&mut self) -> u32 {
        let geometry = self.generation.geometry();
        let low = if has_psum(self.generation) {
            geometry.psum_base + geometry.psum_region
        } else {
            geometry.sbuf_region
        };
        let address = if self.draw.percent(50) { self.draw.between(low, ADDRESS - 7) } else { low };
        address & !7
    }

    /// A pointer that is legal for the draft's channels.
    pub fn good_pointer(&mut self) -> u32 {
        let channels = u32::from(self.draft.channels);
        let quadrant = self.draw.below(4) as usize;
        let partition = if channels <= QUADRANT_LIMIT[quadrant] { QUADRANTS[quadrant] } else { 0 };
        let offset = self.draw.below(0x400) * 4;
        Place { space: Space::Sbuf, partition, offset }.address(self.generation)
    }

    /// A pointer that is illegal in one way (spec 02 section 2.8).
    pub fn bad_pointer(&mut self, fault: BadPointer) -> u32 {
        let good = self.good_pointer();
        match fault {
            BadPointer::Misaligned => good + self.draw.between(1, 3),
            BadPointer::Quadrant => {
                let partition = self.draw.pick(&[1, 2, 31, 33, 63, 65, 97, 127]);
                let offset = good % 0x1000;
                Place { space: Space::Sbuf, partition, offset }.address(self.generation)
            }
            BadPointer::TopBits => good | self.draw.between(1, 7) << 29,
            BadPointer::Nowhere => self.nowhere(),
            BadPointer::Unbacked => {
                self.unbacked(0).map_or(good + 2, |place| place.address(self.generation))
            }
        }
    }

    /// A register word that is illegal: a reserved byte set.
    pub fn bad_register_word(&mut self) -> u32 {
        let byte = u32::from(self.nonzero()) << (8 * self.draw.between(1, 3));
        self.draw.below(64) | byte
    }

    /// A register that holds this value; one that nothing reads yet.
    pub fn register_with(&mut self, value: u32) -> u8 {
        let mut register = self.draw.below(64) as u8;
        while self.registers.contains_key(&register) && self.registers.len() < 64 {
            register = (register + 1) % 64;
        }
        self.registers.insert(register, value);
        register
    }

    /// A dimension of the layout.
    pub fn dimension(&mut self) -> usize {
        self.draw.below(self.draft.layout.rank() as u32) as usize
    }

    /// Index of a reserved byte.
    pub fn reserved(&mut self, number: usize) -> &mut u8 {
        &mut self.draft.reserved[number]
    }

    /// Both patterns the same number of elements: at least `least`, walked without gaps if changed.
    pub fn at_least(&mut self, least: u16) {
        if self.draft.src.elements() < least.into() {
            for side in [Side::Src, Side::Dst] {
                let counts = [least, 1, 1, 1];
                let walk = self.walk(side);
                walk.counts = counts;
                walk.steps = Walk::contiguous(counts);
            }
        }
    }

    /// The layout of the draft.
    pub fn layout(&self) -> Layout {
        self.draft.layout
    }
}

/// A way in which a pointer is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPointer {
    /// No multiple of 4.
    Misaligned,
    /// In a partition that is no quadrant's first.
    Quadrant,
    /// One of the top three bits set.
    TopBits,
    /// In no region.
    Nowhere,
    /// Behind the backed bytes of its partition.
    Unbacked,
}

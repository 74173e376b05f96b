//! The plan of one case: the operands that exist so far, the registers that are taken, the values to
//! fill in. Steps ask it for a source, a destination and immediates; what it gives never makes two
//! operands of one step overlap unless they coincide (spec 01 DD-OVERLAP).

use super::arena::Arena;
use super::geometry::{Place, QUADRANT_LIMIT, QUADRANTS, Walk, active, has_psum};
use super::regions::{Fill, Rect};
use super::shape::{Tier, counts, reshaped, steps};
use super::tables::PSUM_OUTPUTS;
use crate::generate::values::edges;
use crate::generate::values::formats::{nearest, size_of};
use crate::generate::values::{Style, Values};
use crate::generate::{Draw, Steer, TensorOptions};
use contract::isa::{Dtype, Generation, ImmSrc};
use contract::state::Space;
use std::collections::BTreeMap;

/// Shares in a hundred.
const PSUM: u32 = 18;
const REUSED_SOURCE: u32 = 50;
const IN_PLACE: u32 = 14;
const INTERLEAVED: u32 = 4;
const REUSED_DESTINATION: u32 = 18;
const ABSENT_SOURCE: u32 = 3;

/// An operand that some step has used: a byte range in some partitions.
#[derive(Debug, Clone, Copy)]
struct Buffer {
    space: Space,
    partition: u32,
    channels: u32,
    /// First byte and number of bytes in each partition.
    low: u32,
    bytes: u32,
    /// The walk and dtype that used it last.
    walk: Walk,
    dtype: Dtype,
}

/// A chosen operand.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// Its pattern.
    pub walk: Walk,
    /// Its dtype.
    pub dtype: Dtype,
    buffer: Option<usize>,
}

/// What a step's dtypes may be.
#[derive(Debug, Clone, Copy)]
pub struct Dtypes {
    /// Source dtypes.
    pub inputs: &'static [Dtype],
    /// Destination dtypes.
    pub outputs: &'static [Dtype],
    /// The destination has the dtype of the source.
    pub equal: bool,
}

/// The plan of one case.
#[derive(Debug)]
pub struct Plan {
    /// Generation of the case.
    pub generation: Generation,
    /// Address registers given.
    pub registers: BTreeMap<u8, u32>,
    /// Values to fill in.
    pub fills: Vec<Fill>,
    /// Size tier.
    pub tier: Tier,
    /// Choices to prefer in every step.
    pub steer: Steer,
    /// Whether the source of the step under construction has no memory.
    pub absent_source: bool,
    arena: Arena,
    buffers: Vec<Buffer>,
    last_destination: Option<usize>,
    has_data: bool,
}

impl Plan {
    /// An empty plan, to be begun.
    pub fn new() -> Self {
        Self {
            generation: Generation::Sunda,
            registers: BTreeMap::new(),
            fills: Vec::new(),
            tier: Tier::Ordinary,
            steer: Steer::NONE,
            absent_source: false,
            arena: Arena::EMPTY,
            buffers: Vec::new(),
            last_destination: None,
            has_data: false,
        }
    }

    /// Begins a case.
    pub fn begin(
        &mut self,
        draw: &mut Draw<'_>,
        generation: Generation,
        options: &TensorOptions,
        steer: Steer,
        has_data: bool,
    ) {
        self.generation = generation;
        self.steer = steer;
        self.registers.clear();
        self.fills.clear();
        self.tier = Tier::draw(draw, options);
        self.arena = Arena::draw(draw, generation);
        self.buffers.clear();
        self.last_destination = None;
        self.has_data = has_data;
    }

    /// Chooses the source of a step of at most `channels` channels (fewer if an operand is reused) and
    /// about `elements` elements. `shifts`: the values serve as shift counts.
    ///
    /// `None` if the memory is full.
    pub fn source(
        &mut self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        rank: usize,
        channels: &mut u32,
        elements: u32,
        shifts: bool,
    ) -> Option<Operand> {
        self.absent_source = false;
        if !self.buffers.is_empty()
            && draw.percent(REUSED_SOURCE)
            && let Some(operand) = self.reused_source(draw, dtypes, rank, channels, elements)
        {
            return Some(operand);
        }
        let dtype = dtype_of(draw, dtypes.inputs);
        let shape = counts(draw, elements, rank);
        // An instruction with equal dtypes may be asked for a PSUM destination in place later, so
        // the source is free to lie anywhere.
        let operand = self.fresh(draw, dtype, shape, rank, *channels, true)?;
        let buffer = self.buffers[operand.buffer?];
        self.absent_source = draw.percent(ABSENT_SOURCE);
        if !self.absent_source {
            let style = if shifts && draw.percent(60) {
                Style::Plain
            } else {
                Style::draw(draw, self.has_data)
            };
            self.fills.push(Fill { rect: buffer.rect(), dtype, style, seed: draw.u64() });
        }
        Some(operand)
    }

    /// An operand of an earlier step as a source: walked as before, or newly.
    fn reused_source(
        &mut self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        rank: usize,
        channels: &mut u32,
        elements: u32,
    ) -> Option<Operand> {
        let last = self.last_destination.filter(|_| draw.percent(75));
        let number = last.unwrap_or_else(|| draw.below(self.buffers.len() as u32) as usize);
        let buffer = self.buffers[number];
        let channels_here = (*channels).min(buffer.channels);
        let size = size_of(buffer.dtype.wire())?;
        let same_size = |dtype: &&Dtype| size_of(dtype.wire()) == Some(size);
        if draw.percent(70) && buffer.walk.counts[rank..].iter().all(|&count| count == 1) {
            // As written, in the writer's dtype if that is a legal source, in its size if not.
            let dtype = if dtypes.inputs.contains(&buffer.dtype) && !draw.percent(15) {
                buffer.dtype
            } else {
                *dtypes.inputs.iter().find(same_size)?
            };
            let mut walk = buffer.walk;
            if walk.steps == Walk::contiguous(walk.counts) && draw.percent(30) {
                walk.counts = reshaped(draw, walk.counts, rank);
                walk.steps = Walk::contiguous(walk.counts);
            }
            *channels = channels_here;
            return Some(Operand { walk, dtype, buffer: Some(number) });
        }
        let dtype = dtype_of(draw, dtypes.inputs);
        let walk = self.rewalked(draw, &buffer, dtype, rank, elements)?;
        *channels = channels_here;
        Some(Operand { walk, dtype, buffer: Some(number) })
    }

    /// A new walk of at most `elements` elements inside a buffer.
    fn rewalked(
        &self,
        draw: &mut Draw<'_>,
        buffer: &Buffer,
        dtype: Dtype,
        rank: usize,
        elements: u32,
    ) -> Option<Walk> {
        let size = size_of(dtype.wire())?;
        let low = buffer.low.next_multiple_of(size);
        let room = (buffer.low + buffer.bytes).saturating_sub(low);
        let elements = elements.min(room / size);
        if elements == 0 {
            return None;
        }
        let counts = counts(draw, elements, rank);
        let steps = steps(draw, counts, rank, size, room);
        Some(self.walk_from(buffer.space, buffer.partition, low, size, counts, steps))
    }

    /// The walk whose lowest byte is `low`.
    fn walk_from(
        &self,
        space: Space,
        partition: u32,
        low: u32,
        size: u32,
        counts: [u16; 4],
        steps: [i16; 4],
    ) -> Walk {
        let mut walk = Walk { word: 0, steps, counts };
        let below = (-walk.reach().0) as u32 * size;
        walk.word = Place { space, partition, offset: low + below }.address(self.generation);
        walk
    }

    /// A new buffer with a walk over it; `psum`: it may lie there.
    fn fresh(
        &mut self,
        draw: &mut Draw<'_>,
        dtype: Dtype,
        counts: [u16; 4],
        rank: usize,
        channels: u32,
        psum: bool,
    ) -> Option<Operand> {
        let size = size_of(dtype.wire())?;
        let least = size * counts.iter().map(|&count| u32::from(count)).product::<u32>();
        let quarter = active(self.generation, Space::Psum) / 4;
        let wants_psum =
            psum && has_psum(self.generation) && least <= quarter && draw.percent(PSUM);
        let sbuf = active(self.generation, Space::Sbuf);
        // The first operand of a case may span most of a partition, the others share the rest.
        let wide = self.buffers.is_empty() && draw.percent(4);
        let room = if wide { sbuf / 4 * 3 } else { (sbuf / 64).max(least) };
        let tries: &[(Space, u32)] = if wants_psum {
            &[(Space::Psum, quarter), (Space::Sbuf, room)]
        } else {
            &[(Space::Sbuf, room), (Space::Sbuf, 0)]
        };
        for &(space, room) in tries {
            let steps = if room == 0 {
                Walk::contiguous(counts)
            } else {
                steps(draw, counts, rank, size, room)
            };
            let (low, high) = Walk { word: 0, steps, counts }.reach();
            let bytes = (high - low + 1) as u32 * size;
            let partition = partition_for(draw, channels);
            let Some(at) = self.arena.place(draw, space, partition, channels, bytes, size) else {
                continue;
            };
            let walk = self.walk_from(space, partition, at, size, counts, steps);
            self.buffers.push(Buffer { space, partition, channels, low: at, bytes, walk, dtype });
            return Some(Operand { walk, dtype, buffer: Some(self.buffers.len() - 1) });
        }
        None
    }

    /// Chooses the destination of a step. May move the source (interleaved operands).
    ///
    /// `None` if the memory is full.
    pub fn destination(
        &mut self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        rank: usize,
        channels: u32,
        source: &mut Operand,
    ) -> Option<Operand> {
        let chosen = self.choose_destination(draw, dtypes, rank, channels, source)?;
        if let Some(number) = chosen.buffer {
            let buffer = &mut self.buffers[number];
            buffer.walk = chosen.walk;
            buffer.dtype = chosen.dtype;
            // Later readers find written channels only.
            buffer.channels = buffer.channels.min(channels);
            self.last_destination = Some(number);
        }
        Some(chosen)
    }

    fn choose_destination(
        &mut self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        rank: usize,
        channels: u32,
        source: &mut Operand,
    ) -> Option<Operand> {
        let size = size_of(source.dtype.wire())?;
        let mut counts = source.walk.counts;
        if draw.percent(30) {
            counts = reshaped(draw, counts, rank);
        }
        let in_psum = Place::of(self.generation, source.walk.word)
            .is_some_and(|place| place.space == Space::Psum);
        if draw.percent(IN_PLACE)
            && let Some(dtype) = self.output(draw, dtypes, source.dtype, in_psum, Some(size))
        {
            let mut walk = source.walk;
            if walk.steps == Walk::contiguous(walk.counts) {
                walk.counts = counts;
                walk.steps = Walk::contiguous(counts);
            }
            return Some(Operand { walk, dtype, buffer: source.buffer });
        }
        if draw.percent(REUSED_DESTINATION) {
            let number = draw.below(self.buffers.len() as u32) as usize;
            let buffer = self.buffers[number];
            let in_psum = buffer.space == Space::Psum;
            let elements = source.walk.elements() as u32;
            if Some(number) != source.buffer
                && buffer.channels >= channels
                && let Some(dtype) = self.output(draw, dtypes, source.dtype, in_psum, None)
                && let Some(size) = size_of(dtype.wire())
            {
                let low = buffer.low.next_multiple_of(size);
                let room = (buffer.low + buffer.bytes).saturating_sub(low);
                if room / size >= elements {
                    let steps = Walk::contiguous(counts);
                    let walk =
                        self.walk_from(buffer.space, buffer.partition, low, size, counts, steps);
                    return Some(Operand { walk, dtype, buffer: Some(number) });
                }
            }
        }
        if !in_psum
            && draw.percent(INTERLEAVED)
            && let Some(operand) = self.interleaved(draw, dtypes, channels, counts, source)
        {
            return Some(operand);
        }
        let dtype = self.output(draw, dtypes, source.dtype, false, None)?;
        self.fresh(draw, dtype, counts, rank, channels, PSUM_OUTPUTS.contains(&dtype))
    }

    /// Source and destination tooth by tooth in one new buffer.
    fn interleaved(
        &mut self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        channels: u32,
        counts: [u16; 4],
        source: &mut Operand,
    ) -> Option<Operand> {
        let size = size_of(source.dtype.wire())?;
        let dtype = self.output(draw, dtypes, source.dtype, false, Some(size))?;
        let bytes = source.walk.elements() as u32 * size * 2;
        let partition = partition_for(draw, channels);
        let low = self.arena.place(draw, Space::Sbuf, partition, channels, bytes, size)?;
        let double = |counts| Walk::contiguous(counts).map(|step| step.saturating_mul(2));
        let place = |offset| Place { space: Space::Sbuf, partition, offset };
        let generation = self.generation;
        let walk = |offset, counts| Walk {
            word: place(offset).address(generation),
            steps: double(counts),
            counts,
        };
        source.walk = walk(low, source.walk.counts);
        let space = Space::Sbuf;
        let buffer = Buffer {
            space,
            partition,
            channels,
            low,
            bytes,
            walk: source.walk,
            dtype: source.dtype,
        };
        self.buffers.push(buffer);
        source.buffer = Some(self.buffers.len() - 1);
        self.absent_source = false;
        let style = Style::draw(draw, self.has_data);
        let fill = Fill { rect: buffer.rect(), dtype: source.dtype, style, seed: draw.u64() };
        self.fills.push(fill);
        Some(Operand { walk: walk(low + size, counts), dtype, buffer: source.buffer })
    }

    /// A legal destination dtype, of this size if one is asked for.
    fn output(
        &self,
        draw: &mut Draw<'_>,
        dtypes: &Dtypes,
        source: Dtype,
        in_psum: bool,
        size: Option<u32>,
    ) -> Option<Dtype> {
        if dtypes.equal {
            let fits = !in_psum || PSUM_OUTPUTS.contains(&source);
            return fits.then_some(source);
        }
        if !in_psum && size.is_none() {
            return Some(dtype_of(draw, dtypes.outputs));
        }
        let fits = |dtype: &Dtype| {
            (!in_psum || PSUM_OUTPUTS.contains(dtype))
                && (size.is_none() || size_of(dtype.wire()) == size)
        };
        let fitting: smallvec::SmallVec<[Dtype; 16]> =
            dtypes.outputs.iter().copied().filter(fits).collect();
        (!fitting.is_empty()).then(|| draw.pick(&fitting))
    }

    /// Chooses an immediate of the arithmetic class: source selector and word.
    pub fn immediate(&mut self, draw: &mut Draw<'_>, channels: u32) -> (u8, u32) {
        let source = draw.weighted(&[
            (68, ImmSrc::InstructionImmediate),
            (18, ImmSrc::PointerImmediate),
            (14, ImmSrc::RegPtrImmediate),
        ]);
        if source == ImmSrc::InstructionImmediate {
            return (source.wire(), fp32(draw));
        }
        let Some(address) = self.pointer(draw, channels) else {
            return (ImmSrc::InstructionImmediate.wire(), fp32(draw));
        };
        if source == ImmSrc::PointerImmediate {
            return (source.wire(), address);
        }
        let register = self.free_register(draw);
        // A register that the case does not give holds 0, a legal pointer.
        if !draw.percent(6) {
            self.registers.insert(register, address);
        }
        (source.wire(), register.into())
    }

    /// A register that no earlier immediate uses. There are more registers than immediates.
    pub fn free_register(&self, draw: &mut Draw<'_>) -> u8 {
        let mut register = draw.weighted(&[(6, 64), (1, 0), (1, 63)]);
        if register == 64 {
            register = draw.below(64) as u8;
        }
        while self.registers.contains_key(&register) && self.registers.len() < 64 {
            register = (register + 1) % 64;
        }
        register
    }

    /// The address of one scalar per channel: a new one, or bytes that the case uses otherwise.
    fn pointer(&mut self, draw: &mut Draw<'_>, channels: u32) -> Option<u32> {
        if !self.buffers.is_empty() && draw.percent(20) {
            let buffer = self.buffers[draw.below(self.buffers.len() as u32) as usize];
            let low = buffer.low.next_multiple_of(4);
            let quadrant = (buffer.partition / 32).min(3) as usize;
            if channels <= QUADRANT_LIMIT[quadrant]
                && low + 4 <= active(self.generation, buffer.space)
            {
                let place = Place { space: buffer.space, partition: buffer.partition, offset: low };
                return Some(place.address(self.generation));
            }
        }
        let psum = has_psum(self.generation) && draw.percent(PSUM);
        let space = if psum { Space::Psum } else { Space::Sbuf };
        let partition = partition_for(draw, channels);
        let offset = self.arena.place(draw, space, partition, channels, 4, 4)?;
        let style = Style::draw(draw, self.has_data);
        let rect = Rect { space, partition, partitions: channels, low: offset, high: offset + 4 };
        self.fills.push(Fill { rect, dtype: Dtype::Fp32, style, seed: draw.u64() });
        Some(Place { space, partition, offset }.address(self.generation))
    }
}

impl Buffer {
    const fn rect(&self) -> Rect {
        Rect {
            space: self.space,
            partition: self.partition,
            partitions: self.channels,
            low: self.low,
            high: self.low + self.bytes,
        }
    }
}

/// A start partition that allows so many channels.
fn partition_for(draw: &mut Draw<'_>, channels: u32) -> u32 {
    let quadrant = draw.weighted(&[(50, 0), (17, 1), (16, 2), (17, 3)]);
    if channels <= QUADRANT_LIMIT[quadrant] { QUADRANTS[quadrant] } else { 0 }
}

/// One of the dtypes; the first, FP32 in most tables, comes more often than the others.
fn dtype_of(draw: &mut Draw<'_>, dtypes: &[Dtype]) -> Dtype {
    if draw.percent(80) { draw.pick(dtypes) } else { dtypes[0] }
}

/// The FP32 pattern of an inline immediate.
fn fp32(draw: &mut Draw<'_>) -> u32 {
    const COMMON: &[f64] = &[2.0, 1.0, 0.5, -1.0, 0.0, 3.0, 1e-3, -0.1];
    match draw.weighted(&[(40, 0), (35, 1), (15, 2), (10, 3)]) {
        0 => nearest(Dtype::Fp32, draw.pick(COMMON)) as u32,
        1 => {
            let set = edges::of(Dtype::Fp32);
            draw.pick(set.codes) | if draw.percent(50) { set.sign } else { 0 }
        }
        2 => draw.u32(),
        _ => Values::new(Style::Unit, Dtype::Fp32, draw.u64(), None).one(),
    }
}

//! The engine of recurrences: a [`Job`] describes what happens to every element of every channel, and
//! [`run`] does it in blocks that fit the first-level cache.
//!
//! A channel's stream is cut into runs that do not know of each other; each run is a sequence. With
//! enough sequences they become lanes: a block of positions of many sequences is loaded and turned, so
//! that one position of all sequences lies side by side, and the recurrence goes from position to
//! position over whole vectors. That needs no associativity, so every operator takes it. With few
//! sequences each is scanned as a row, which cuts long rows into segments where the operator allows it
//! ([`row::scan`]).
//!
//! Blocks interleave reads and writes. That is invisible if no destination address is written twice:
//! operands share no byte or coincide position by position (EXEC-OVERLAP), so a write can only hit an
//! element that was read already. Otherwise whole streams are read before they are written, in stream
//! order (spec 03 section 6, rules 3 and 4).

use super::memory::{self, Row};
use crate::numeric::load::{Load, floats_to_integers, load};
use crate::numeric::operator::{Binary, Operator};
use crate::numeric::row::{self, map_row};
use crate::numeric::store::{Store, integers_to_floats, store};
use crate::numeric::tile::{CARRY_ROWS, fold_tile, scan_tile};
use crate::numeric::transpose::{BLOCK, from_lanes, to_lanes};
use crate::simd::Supported;
use crate::verdict::Operand;
use contract::state::{ACCUMULATOR_LANES, OutsideCase, TensorState};

/// How memory codes become compute values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    /// The load.
    pub load: Load,
    /// FP32 values are then turned into C_I(32), rounded to nearest even if the inner flag is set.
    pub to_integer: Option<bool>,
}

/// How compute values become memory codes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// C_I(32) values are first turned into FP32, signed if the inner flag is set.
    pub from_integer: Option<bool>,
    /// The store.
    pub store: Store,
}

/// The recurrence.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Recurrence {
    /// Every run starts with its first element and writes every running value.
    Scan(Operator),
    /// A map with a scalar per channel, then a running value per channel that starts from the
    /// accumulators and ends in them.
    Accumulate {
        /// `map(element, scalar)`.
        map: Operator,
        /// `combine(running, mapped)`.
        combine: Binary,
        /// What is written.
        emit: Emit,
    },
}

/// What an accumulating instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emit {
    /// Every running value.
    Running,
    /// The mapped elements.
    Mapped,
    /// The last running value, in the last position.
    Last,
}

/// What to do to every channel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job<'a> {
    /// Source.
    pub source: &'a Operand,
    /// Destination.
    pub destination: &'a Operand,
    /// Active channels.
    pub channels: usize,
    /// Elements of a run; the stream length is a multiple of it.
    pub run: usize,
    /// Conversion in.
    pub input: Input,
    /// Conversion out.
    pub output: Output,
    /// The recurrence.
    pub recurrence: Recurrence,
}

impl Job<'_> {
    /// Operator and emission: for a scan as for an accumulation that writes running values.
    fn operator(&self) -> (Operator, Emit) {
        match self.recurrence {
            Recurrence::Scan(operator) => (operator, Emit::Running),
            Recurrence::Accumulate { combine, emit, .. } => (Operator::Binary(combine), emit),
        }
    }

    /// True if each run starts with its own first element.
    const fn starts_fresh(&self) -> bool {
        matches!(self.recurrence, Recurrence::Scan(_))
    }
}

/// Buffers and per-channel values, kept between instructions.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    /// The scalar of each channel.
    pub scalars: [u32; ACCUMULATOR_LANES],
    /// The running value of each channel, before and after.
    pub accumulators: [u32; ACCUMULATOR_LANES],
    sources: Vec<Row>,
    destinations: Vec<Row>,
    codes: Vec<u8>,
    loaded: Vec<u32>,
    rows: Vec<u32>,
    tile: Vec<u32>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            scalars: [0; ACCUMULATOR_LANES],
            accumulators: [0; ACCUMULATOR_LANES],
            sources: Vec::new(),
            destinations: Vec::new(),
            codes: Vec::new(),
            loaded: Vec::new(),
            rows: Vec::new(),
            tile: Vec::new(),
        }
    }
}

/// Values of a block: 16 KiB, so that a block and its surroundings stay in the first-level cache.
const BLOCK_VALUES: usize = 4096;
/// Lanes of a block of long runs: enough that their chains hide each other, few enough that a row of the
/// block is a long stretch of memory.
const LONG_LANES: usize = 32;
/// Most lanes of a block of short runs.
const MAX_LANES: usize = 1024;
/// Fewest sequences that are worth turning into lanes.
const MIN_LANES: usize = 5;
/// Rows that are loaded together before they are turned, if runs are long.
const ROW_VALUES: usize = 512;

/// Runs a job. Accumulators are read from and left in the scratch.
///
/// # Errors
/// The first byte that would be written outside every region; nothing is written then.
pub(crate) fn run(
    job: &Job<'_>,
    state: &mut TensorState,
    path: Supported,
    scratch: &mut Scratch,
) -> Result<(), OutsideCase> {
    let length = job.source.walk.length() as usize;
    memory::rows(state, job.source, job.channels, &mut scratch.sources);
    memory::rows(state, job.destination, job.channels, &mut scratch.destinations);
    let (operator, emit) = job.operator();
    let first_written = if emit == Emit::Last { length as u64 - 1 } else { 0 };
    let destinations = &scratch.destinations;
    if let Some(place) = memory::first_outside(state, job.destination, destinations, first_written)
    {
        return Err(place);
    }
    let mut engine = Engine { job, state, path, scratch, length };
    let sequences = job.channels * (length / job.run);
    let in_order = emit == Emit::Last || job.destination.walk.is_injective();
    match operator {
        _ if !in_order => engine.by_rows(length),
        Operator::Binary(combine) if sequences >= MIN_LANES && job.run > 1 => {
            engine.by_lanes(combine);
        }
        _ => engine.by_rows(BLOCK_VALUES),
    }
    Ok(())
}

/// A job in progress.
struct Engine<'a> {
    job: &'a Job<'a>,
    state: &'a mut TensorState,
    path: Supported,
    scratch: &'a mut Scratch,
    /// Elements of a channel's stream.
    length: usize,
}

impl Engine<'_> {
    /// Loads and maps positions of a channel into `rows[at ..]`.
    fn read(&mut self, channel: usize, position: usize, count: usize, at: usize) {
        let scratch = &mut *self.scratch;
        let place = (self.job.source, channel, scratch.sources[channel]);
        let span = (position as u64, count);
        let codes = memory::read(self.state, place, span, &mut scratch.codes);
        let values = &mut scratch.rows[at..at + count];
        match self.job.recurrence {
            Recurrence::Accumulate { map, .. } if map != Operator::BYPASS => {
                let loaded = &mut scratch.loaded[..count];
                load(self.path, self.job.input.load, codes, loaded);
                map_row(self.path, map, loaded, values, scratch.scalars[channel]);
            }
            _ => load(self.path, self.job.input.load, codes, values),
        }
        if let Some(nearest_even) = self.job.input.to_integer {
            floats_to_integers(self.path, nearest_even, values);
        }
    }

    /// Stores positions of a channel from `rows[at ..]`.
    fn write(&mut self, channel: usize, position: usize, count: usize, at: usize) {
        let scratch = &mut *self.scratch;
        let values = &mut scratch.rows[at..at + count];
        if let Some(signed) = self.job.output.from_integer {
            integers_to_floats(self.path, signed, values);
        }
        let place = (self.job.destination, channel, scratch.destinations[channel]);
        let span = (position as u64, count);
        memory::write(self.state, place, span, &mut scratch.codes, |codes| {
            store(self.path, self.job.output.store, values, codes);
        });
    }

    /// Writes the accumulators into the last position of their channels.
    fn write_last(&mut self) {
        self.reserve(1, 0);
        for channel in 0..self.job.channels {
            self.scratch.rows[0] = self.scratch.accumulators[channel];
            self.write(channel, self.length - 1, 1, 0);
        }
    }

    /// Makes room; buffers never shrink.
    fn reserve(&mut self, rows: usize, tile: usize) {
        let grow = |buffer: &mut Vec<u32>, length: usize| {
            if buffer.len() < length {
                buffer.resize(length, 0);
            }
        };
        grow(&mut self.scratch.loaded, rows);
        grow(&mut self.scratch.rows, rows);
        grow(&mut self.scratch.tile, tile);
    }

    /// Channel after channel, block after block of at most `block` values.
    fn by_rows(&mut self, block: usize) {
        let (run, length) = (self.job.run, self.length);
        let (operator, emit) = self.job.operator();
        let block = block.min(length);
        self.reserve(block, 0);
        for channel in 0..self.job.channels {
            let mut carry = self.scratch.accumulators[channel];
            let mut position = 0;
            while position < length {
                // Whole runs, or a part of one.
                let inside = position % run;
                let count = if run <= block {
                    (block / run * run).min(length - position)
                } else {
                    block.min(run - inside)
                };
                self.read(channel, position, count, 0);
                if emit == Emit::Mapped {
                    self.write_mapped(channel, position, count);
                }
                let fresh = self.job.starts_fresh() && inside == 0;
                // Runs of one element are their own scan.
                let scanned = if fresh && run == 1 { 0 } else { count };
                let Scratch { rows, tile, .. } = &mut *self.scratch;
                for values in rows[..scanned].chunks_mut(run) {
                    if let (Operator::Binary(combine), true) = (operator, emit != Emit::Running) {
                        row::fold(self.path, combine, values, &mut carry, tile);
                    } else {
                        row::scan(self.path, operator, values, (&mut carry, fresh), tile);
                    }
                }
                if emit == Emit::Running {
                    self.write(channel, position, count, 0);
                }
                position += count;
            }
            self.scratch.accumulators[channel] = carry;
        }
        if emit == Emit::Last {
            self.write_last();
        }
    }

    /// Stores mapped values; they are FP32, so the store leaves them in place for the fold.
    fn write_mapped(&mut self, channel: usize, position: usize, count: usize) {
        debug_assert!(self.job.output.from_integer.is_none());
        self.write(channel, position, count, 0);
    }

    /// Many sequences side by side.
    fn by_lanes(&mut self, combine: Binary) {
        let run = self.job.run;
        let runs = self.length / run;
        let sequences = self.job.channels * runs;
        let most = (BLOCK_VALUES / run).clamp(LONG_LANES, MAX_LANES) / BLOCK * BLOCK;
        let lanes = most.min(sequences.next_multiple_of(BLOCK));
        let room = BLOCK_VALUES / lanes;
        let columns = if room >= run { run } else { room / BLOCK * BLOCK };
        // Rows that are loaded together: at least a block, more if they are short.
        let group = (ROW_VALUES / columns).next_multiple_of(BLOCK).clamp(BLOCK, lanes);
        let padded = columns.next_multiple_of(BLOCK);
        self.reserve(group * columns + BLOCK, lanes * (padded + CARRY_ROWS));
        for first in (0..sequences).step_by(lanes) {
            let count = lanes.min(sequences - first);
            let width = count.next_multiple_of(BLOCK);
            self.lanes_block(combine, Lanes { first, count, width, columns, group });
        }
        if self.job.operator().1 == Emit::Last {
            self.write_last();
        }
    }

    /// One set of lanes from the first to the last position of their runs.
    fn lanes_block(&mut self, combine: Binary, lanes: Lanes) {
        let Lanes { first, count, width, columns, group } = lanes;
        let run = self.job.run;
        let emit = self.job.operator().1;
        let fresh = self.job.starts_fresh();
        if !fresh {
            let Scratch { tile, accumulators, .. } = &mut *self.scratch;
            tile[..count].copy_from_slice(&accumulators[first..first + count]);
        }
        let mut position = 0;
        while position < run {
            let columns = columns.min(run - position);
            for lane in (0..width).step_by(group) {
                let height = group.min(width - lane);
                self.for_stretches(lanes, lane, (position, columns), Self::read);
                if emit == Emit::Mapped {
                    self.for_stretches(lanes, lane, (position, columns), Self::write);
                }
                let Scratch { rows, tile, .. } = &mut *self.scratch;
                let inputs = &mut tile[CARRY_ROWS * width + lane..];
                to_lanes(self.path, (rows, columns, height), (inputs, width), columns);
            }
            let tile = &mut self.scratch.tile[..(columns + CARRY_ROWS) * width];
            if emit == Emit::Running {
                scan_tile(self.path, combine, tile, width, fresh && position == 0);
                for lane in (0..width).step_by(group) {
                    let height = group.min(width - lane);
                    let Scratch { rows, tile, .. } = &mut *self.scratch;
                    let outputs = &tile[width + lane..];
                    from_lanes(self.path, (outputs, width), (rows, columns, height), columns);
                    self.for_stretches(lanes, lane, (position, columns), Self::write);
                }
            } else {
                fold_tile(self.path, combine, tile, width);
            }
            position += columns;
        }
        if !fresh {
            let Scratch { tile, accumulators, .. } = &mut *self.scratch;
            accumulators[first..first + count].copy_from_slice(&tile[..count]);
        }
    }

    /// Calls `visit(channel, stream position, count, index into rows)` for the sequences of a group of
    /// rows that begins at `lane`; whole runs of one channel that follow each other are one stretch.
    fn for_stretches(
        &mut self,
        lanes: Lanes,
        lane: usize,
        (position, columns): (usize, usize),
        mut visit: impl FnMut(&mut Self, usize, usize, usize, usize),
    ) {
        let run = self.job.run;
        let runs = self.length / run;
        let mut sequence = lanes.first + lane;
        let end = lanes.first + lanes.count.min(lane + lanes.group);
        let mut at = 0;
        while sequence < end {
            let (channel, number) = (sequence / runs, sequence % runs);
            let stretch = if columns == run { (runs - number).min(end - sequence) } else { 1 };
            visit(self, channel, number * run + position, stretch * columns, at);
            at += stretch * columns;
            sequence += stretch;
        }
    }
}

/// A set of sequences that are processed side by side.
#[derive(Debug, Clone, Copy)]
struct Lanes {
    /// First sequence.
    first: usize,
    /// Sequences.
    count: usize,
    /// Lanes: the sequences, filled up to whole blocks.
    width: usize,
    /// Positions of a block.
    columns: usize,
    /// Rows loaded together.
    group: usize,
}

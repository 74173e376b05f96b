//! Executes valid records by [`Rules`]: the right model judges and executes, its writes are taken back, and
//! the record is executed again with one thing wrong. With [`Rules::RIGHT`] nothing changes, which a test
//! holds against thousands of generated cases.

use super::reading::{Domain, Reading};
use super::recurrence;
use super::rules::{Rules, Twist};
use super::walk::{Saved, element, offsets, put, scalar};
use contract::case::RECORD;
use contract::isa::AccumCmd;
use contract::model::TensorModel;
use contract::outcome::{TensorStep, TensorVerdict};
use contract::profile::ReduceEmit;
use contract::state::{ACCUMULATOR_LANES, OutsideCase, TensorState};
use oracle::numeric::{convert, fp32};
use oracle::tensor::address::Place;

/// An element to be written.
#[derive(Debug, Clone, Copy)]
struct Write {
    place: Place,
    code: u64,
    position: usize,
}

/// Buffers, kept from step to step.
#[derive(Debug, Default)]
struct Buffers {
    saved: Saved,
    from: Vec<Option<u32>>,
    to: Vec<Option<u32>>,
    codes: Vec<u64>,
    folded: Vec<u64>,
    values: Vec<u64>,
    passes: Vec<u64>,
    writes: Vec<Write>,
}

/// A model that misreads.
pub struct Misreader<M> {
    rules: Rules,
    model: M,
    buffers: Buffers,
}

impl<M> Misreader<M> {
    /// Wraps the right model.
    pub fn new(rules: Rules, model: M) -> Self {
        Self { rules, model, buffers: Buffers::default() }
    }
}

impl<M: TensorModel> TensorModel for Misreader<M> {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let read = Reading::of(state, record).filter(|read| (self.rules.concerns)(read));
        let places = read.and_then(|read| {
            Some((
                read,
                read.source.start(state.generation)?,
                read.destination.start(state.generation)?,
            ))
        });
        let Some((reading, from, to)) = places else { return self.model.step(state, record) };
        self.buffers.saved.take(state, to, &reading.destination);
        let (accumulators, seeded) = (state.accumulators, state.seeded);
        let mut step = self.model.step(state, record)?;
        if step.verdict == TensorVerdict::Accept {
            self.buffers.saved.restore(state);
            (state.accumulators, state.seeded) = (accumulators, seeded);
            let execution =
                Execution { rules: &self.rules, reading: &reading, from, to, flag: false };
            step.indeterminate_acc = execution.run(state, &mut self.buffers);
        }
        Ok(step)
    }
}

/// Executes a record that a misjudging model lets through, as far as its fields mean anything.
pub fn execute_unjudged(state: &mut TensorState, record: &[u8; RECORD]) -> bool {
    let Some(reading) = Reading::unjudged(state, record) else { return false };
    let places =
        (reading.source.start(state.generation), reading.destination.start(state.generation));
    let (Some(from), Some(to)) = places else { return false };
    let execution = Execution { rules: &Rules::RIGHT, reading: &reading, from, to, flag: false };
    execution.run(state, &mut Buffers::default())
}

/// One record under execution.
struct Execution<'a> {
    rules: &'a Rules,
    reading: &'a Reading,
    from: Place,
    to: Place,
    flag: bool,
}

impl Execution<'_> {
    /// Executes; the flag of the step.
    fn run(mut self, state: &mut TensorState, buffers: &mut Buffers) -> bool {
        let (rules, reading) = (self.rules, self.reading);
        let (source, destination) = (&reading.source, &reading.destination);
        offsets(
            &source.pattern,
            source.element_size(),
            self.from.offset,
            rules.twist,
            &mut buffers.from,
        );
        let mut pattern = destination.pattern;
        match rules.twist {
            Twist::SourceShape => pattern.counts = source.pattern.counts,
            Twist::SourceSteps => pattern.steps = source.pattern.steps,
            _ => {}
        }
        let size = destination.element_size();
        offsets(&pattern, size, self.to.offset, rules.twist, &mut buffers.to);
        buffers.writes.clear();
        let mut carried = None;
        for channel in 0..source.channels {
            if rules.twist == Twist::Streaming {
                self.stream(state, buffers, channel);
            } else {
                self.load(state, buffers, channel);
                self.channel(state, buffers, channel, &mut carried);
            }
        }
        if rules.twist == Twist::PositionMajor {
            buffers.writes.sort_by_key(|write| write.position);
        }
        let in_order = buffers.writes.iter();
        if rules.twist == Twist::FirstWriteWins {
            in_order.rev().for_each(|write| put(state, write.place, size, write.code));
        } else {
            in_order.for_each(|write| put(state, write.place, size, write.code));
        }
        if rules.twist == Twist::IdleLanesReset && reading.is_cached() {
            for lane in source.channels as usize..ACCUMULATOR_LANES {
                state.accumulators[lane] = 0;
                state.seeded &= !(1 << lane);
            }
        }
        self.flag && rules.twist != Twist::NoFlag
    }

    /// Loads the elements of a channel and folds them with the scalar.
    fn load(&self, state: &TensorState, buffers: &mut Buffers, channel: u32) {
        let (rules, reading) = (self.rules, self.reading);
        let size = reading.source.element_size();
        buffers.codes.clear();
        buffers.folded.clear();
        let scalar0 = if reading.is_cached() {
            scalar(state, reading, rules, reading.immediates[0], channel)
        } else {
            0
        };
        for &at in &buffers.from {
            let code = element(state, self.from, channel, at, size);
            buffers.codes.push(code);
            let loaded = recurrence::load(reading, rules, code);
            buffers.folded.push(self.fold(loaded, scalar0));
        }
    }

    /// `t = op0(x, s0)`; the element itself in a scan.
    fn fold(&self, loaded: u64, scalar0: u32) -> u64 {
        let (rules, reading) = (self.rules, self.reading);
        let fused = rules.twist == Twist::Fused;
        if reading.is_scan() || fused {
            return loaded;
        }
        let op = if rules.twist == Twist::CombineFirst { reading.combine } else { reading.fold };
        let scalar0 = u64::from(scalar0);
        let folded = match rules.twist {
            Twist::ScalarLeft => recurrence::apply(reading, rules, op, scalar0, loaded),
            _ => recurrence::apply(reading, rules, op, loaded, scalar0),
        };
        let profile = &reading.profile;
        match rules.twist {
            Twist::RoundFold => {
                let dtype = reading.source.dtype;
                u64::from(convert::load(convert::store(folded as u32, dtype, profile), dtype))
            }
            Twist::IntegerAccumulator => {
                let dtype = contract::isa::Dtype::Int32;
                u64::from(convert::load(convert::store(folded as u32, dtype, profile), dtype))
            }
            _ => folded,
        }
    }

    /// The recurrence of one channel and its writes.
    fn channel(
        &mut self,
        state: &mut TensorState,
        buffers: &mut Buffers,
        channel: u32,
        carried: &mut Option<u64>,
    ) {
        let (rules, reading) = (self.rules, self.reading);
        buffers.values.clear();
        buffers.values.extend_from_slice(&buffers.folded);
        if reading.is_scan() {
            let axes = match rules.twist {
                Twist::NoRestart => 4,
                Twist::RowRuns => 1,
                Twist::OneAxisLess => (reading.axes - 1).max(1),
                _ => reading.axes,
            };
            let start = carried.filter(|_| rules.twist == Twist::LeakIntoNextChannel);
            let length = reading.run_length(axes);
            let Buffers { values, passes, .. } = &mut *buffers;
            *carried = recurrence::scan(reading, rules, start, length, values, passes);
            if rules.twist == Twist::ScanSeeds && reading.domain == Domain::Float {
                state.accumulators[channel as usize] = carried.unwrap_or(0) as u32;
                state.seeded |= 1 << channel;
            }
        } else {
            let lane = self.lane(channel);
            let start = self.start(state, channel, lane);
            let scalar0 = scalar(state, reading, rules, reading.immediates[0], channel);
            let scalar1 = scalar(state, reading, rules, reading.immediates[1], channel);
            let scalars = [scalar0, scalar1].map(u64::from);
            let Buffers { values, passes, .. } = &mut *buffers;
            let end = recurrence::cached(reading, rules, state, start, scalars, values, passes);
            self.persist(state, lane, end as u32);
        }
        self.emit(state, buffers, channel);
    }

    /// The accumulator lane of a channel (spec 03 D-26).
    fn lane(&self, channel: u32) -> usize {
        match self.rules.twist {
            Twist::LaneIsPartition => (self.from.partition + channel) as usize % ACCUMULATOR_LANES,
            Twist::SharedAccumulator => 0,
            // A record whose channels are not judged may have more than there are lanes.
            _ => channel as usize % ACCUMULATOR_LANES,
        }
    }

    /// The start value by accumulator command.
    fn start(&mut self, state: &TensorState, channel: u32, lane: usize) -> u64 {
        let (rules, reading) = (self.rules, self.reading);
        let right = fp32::identity(reading.combine).unwrap_or(0);
        let identity = (rules.identity)(reading.combine).unwrap_or(right);
        let seeded = state.seeded >> lane & 1 == 1;
        let start = match reading.command {
            Some(AccumCmd::ZeroAccumulate) => identity,
            Some(AccumCmd::LoadAccumulate) => match rules.twist {
                Twist::LoadFromIdentity => identity,
                Twist::LoadCombines if seeded => {
                    let seed = scalar(state, reading, rules, reading.immediates[1], channel);
                    let (left, right) = (state.accumulators[lane].into(), seed.into());
                    recurrence::apply(reading, rules, reading.combine, left, right) as u32
                }
                _ => scalar(state, reading, rules, reading.immediates[1], channel),
            },
            _ => {
                let flagged = rules.twist != Twist::FlagOfFirstLane || channel == 0;
                self.flag |= !seeded && flagged;
                match rules.twist {
                    Twist::AccumulateFromIdentity => identity,
                    Twist::AccumulateFromZero => 0,
                    _ if seeded => state.accumulators[lane],
                    _ => 0,
                }
            }
        };
        u64::from(start)
    }

    /// Leaves the accumulator of a lane behind.
    fn persist(&self, state: &mut TensorState, lane: usize, value: u32) {
        let reading = self.reading;
        let forgets = match self.rules.twist {
            Twist::ReduceForgets => reading.reduces(),
            Twist::CumulativeForgets => !reading.reduces(),
            _ => false,
        };
        if forgets {
            return;
        }
        let dtype = reading.destination.dtype;
        state.accumulators[lane] = if self.rules.twist == Twist::RoundAccumulator {
            convert::load(convert::store(value, dtype, &state.profile), dtype)
        } else {
            value
        };
        let seeds = self.rules.twist != Twist::AccumulateDoesNotSeed
            || reading.command != Some(AccumCmd::Accumulate);
        if seeds {
            state.seeded |= 1 << lane;
        }
    }

    /// What goes to the destination.
    fn emit(&self, state: &TensorState, buffers: &mut Buffers, channel: u32) {
        let (rules, reading) = (self.rules, self.reading);
        let Some(last) = buffers.values.len().checked_sub(1) else { return };
        let collapses = (reading.reduces() && rules.twist != Twist::ReduceStreams)
            || (!reading.reduces() && rules.twist == Twist::CumulativeCollapses);
        let elementwise = reading.reduces() && state.profile.reduce_emit == ReduceEmit::Elementwise;
        let length = reading.run_length(reading.axes);
        for position in 0..=last {
            let value = if reading.is_scan() || !(collapses || elementwise) {
                Some(buffers.values[position])
            } else if elementwise {
                Some(buffers.folded[position])
            } else {
                match (rules.twist, position) {
                    (Twist::EverySlot, _) | (Twist::FirstSlot, 0) => Some(buffers.values[last]),
                    (Twist::FirstSlot, _) => None,
                    (_, position) if position == last => Some(buffers.values[last]),
                    (Twist::ZeroUnwritten, _) => Some(0),
                    _ => None,
                }
            };
            let offset = buffers.to.get(position).copied().flatten();
            let (Some(value), Some(offset)) = (value, offset) else { continue };
            let moved = rules.twist == Twist::FirstMoved
                && position % length == 0
                && reading.source.dtype == reading.destination.dtype;
            let code = if moved {
                buffers.codes[position]
            } else {
                recurrence::store(reading, rules, value, &state.profile)
            };
            let place = Place { offset, ..self.to.channel(channel) };
            buffers.writes.push(Write { place, code, position });
        }
    }

    /// One channel, each element written before the next is read.
    fn stream(&mut self, state: &mut TensorState, buffers: &mut Buffers, channel: u32) {
        let (rules, reading) = (self.rules, self.reading);
        let lane = channel as usize;
        let length = reading.run_length(reading.axes);
        let mut running = if reading.is_cached() { self.start(state, channel, lane) } else { 0 };
        let size = reading.destination.element_size();
        let last = buffers.from.len() - 1;
        for position in 0..=last {
            let code = element(
                state,
                self.from,
                channel,
                buffers.from[position],
                reading.source.element_size(),
            );
            let loaded = recurrence::load(reading, rules, code);
            running = if reading.is_cached() {
                let scalar0 = scalar(state, reading, rules, reading.immediates[0], channel);
                let folded = self.fold(loaded, scalar0);
                recurrence::combine(reading, rules, state, running, folded)
            } else if position % length == 0 {
                loaded
            } else {
                recurrence::apply(reading, rules, reading.combine, running, loaded)
            };
            let written = !reading.reduces() || position == last;
            if let (true, Some(offset)) = (written, buffers.to[position]) {
                let code = recurrence::store(reading, rules, running, &state.profile);
                put(state, Place { offset, ..self.to.channel(channel) }, size, code);
            }
        }
        if reading.is_cached() {
            self.persist(state, lane, running as u32);
        }
    }
}

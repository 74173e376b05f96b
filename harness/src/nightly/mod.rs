//! The nightly run: golden vectors, regressions, saved fuzz inputs, edge products, then campaigns over
//! every family, preset and generation, in numbered chunks whose results are journalled one by one.
//!
//! - [`plan`]: what a night does, and which chunk is which work.
//! - [`fuzz`]: the saved inputs of fuzz targets.
//! - [`work`]: runs one chunk.
//! - [`journal`]: the file that loses no finished chunk, whenever the program ends.
//! - [`state`]: adds chunks up, phase by phase.
//! - [`previous`]: the night before, and what is news compared with it.
//! - [`report`]: what a night leaves.
//!
//! Promises:
//! - Plan and case count determine the totals: the order in which chunks are finished, the number of
//!   threads and of interruptions do not matter. (With a time budget the case count is what fitted in.)
//! - A chunk counts once it is in the journal, with its line synced. An interruption at any moment costs
//!   the chunks in hand and nothing else.

pub mod fuzz;
pub mod journal;
pub mod plan;
pub mod previous;
pub mod report;
pub mod state;
pub mod work;

use crate::report::files::WriteError;
use journal::{ChunkLine, Journal, Line};
use plan::{NightlyPlan, Phase, Work};
use state::State;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use work::Executor;

/// Chunks in numeric order, without those that are done.
struct Queue<'a> {
    plan: &'a NightlyPlan,
    next: u64,
    done: HashSet<u64>,
    /// Highest chunk that is done; lower ones are finished even when the time is over, so that every
    /// campaign covers a prefix of its cases.
    highest: Option<u64>,
    deadline: Option<Instant>,
}

impl Queue<'_> {
    fn next(&mut self) -> Option<(u64, Work)> {
        loop {
            let chunk = self.next;
            let work = self.plan.work(chunk)?;
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let gap = self.highest.is_some_and(|highest| chunk < highest);
            // The first chunk of each campaign runs all the same: a night in which an op compared nothing
            // would be news.
            if late && !gap && work.part > 0 && matches!(work.phase, Phase::Campaign(_)) {
                return None;
            }
            self.next += 1;
            if !self.done.contains(&chunk) {
                return Some((chunk, work));
            }
        }
    }
}

/// What one session of a night may use.
pub struct Session {
    /// Worker threads.
    pub jobs: usize,
    /// Time that earlier sessions spent.
    pub spent: Duration,
}

/// Runs whatever chunks are not in `state` yet. `interrupt` ends it early when set; `progress` hears of
/// cases and diverging cases so far. True if every chunk was run.
///
/// # Errors
/// [`WriteError`] if a chunk cannot be journalled; earlier ones are.
pub fn run(
    plan: &NightlyPlan,
    session: &Session,
    journal: &mut Journal,
    state: &mut State,
    interrupt: &AtomicBool,
    mut progress: impl FnMut(&State),
) -> Result<bool, WriteError> {
    let begin = Instant::now();
    let left = plan.budget.map(|budget| budget.saturating_sub(session.spent));
    let done: HashSet<u64> = state.chunks().collect();
    let queue = Mutex::new(Queue {
        plan,
        next: 0,
        highest: done.iter().copied().max(),
        done,
        deadline: left.map(|left| begin + left),
    });
    // Set when a chunk cannot be journalled: no point in finishing others.
    let failed = AtomicBool::new(false);
    let stop = || interrupt.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let mut result = Ok(());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(2 * session.jobs.max(1));
        for _ in 0..session.jobs.max(1) {
            let (sender, queue, stop) = (sender.clone(), &queue, &stop);
            scope.spawn(move || {
                let mut executor = Executor::new(plan);
                while !stop() {
                    // A thread that panicked holds no half-made state.
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((chunk, work)) = next else { break };
                    let start = Instant::now();
                    let Some(found) = executor.execute(&work, stop) else { break };
                    let seconds = start.elapsed().as_secs_f64();
                    if sender.send((chunk, work, found, seconds)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (chunk, work, found, seconds) in receiver {
            if result.is_err() {
                continue;
            }
            let elapsed = begin.elapsed().as_secs_f64();
            let line = Line::Chunk(Box::new(ChunkLine::of(chunk, seconds, elapsed, &found)));
            match journal.append(&line) {
                Ok(()) => {
                    state.add(chunk, &work, found, seconds);
                    progress(state);
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    result = Err(error);
                }
            }
        }
    });
    result?;
    let complete = !interrupt.load(Ordering::Relaxed)
        || queue.lock().unwrap_or_else(PoisonError::into_inner).is_spent(state);
    Ok(complete)
}

impl Queue<'_> {
    /// True if an interrupted session had nothing left to do.
    fn is_spent(&mut self, state: &State) -> bool {
        self.done = state.chunks().collect();
        self.highest = self.done.iter().copied().max();
        self.next = 0;
        self.next().is_none()
    }
}

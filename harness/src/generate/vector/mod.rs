//! The generator of vector-unit programs: one to twelve bundles in all formats, legal by construction
//! or with one bundle broken on purpose, and the initial state and memory that they read.
//!
//! - [`table`], [`places`], [`roles`], [`edges`]: facts. Slots, operands, immediates and postings come from the
//!   golden LAT tables, edge values from the golden edge sets; a role says what an operand is for.
//! - [`menu`], [`pools`], [`draft`]: what may be drawn, the few registers of one program, and bundles
//!   that take an op only where it is legal.
//! - [`shapes`]: one op, any ops, hazards, align streams, address chains.
//! - [`state`], [`fill`], [`memory`], [`bulk`]: values for what the program reads.
//! - [`near_valid`]: broken bundles by reason.
//! - [`targets`]: the meetings of families that the cases of a campaign aim at in turn.
//! - [`directed`]: the edge product of every op of chapter 04, and random pairs, as programs.
//!
//! An op of another chapter comes with its row of the table; its operands get roles by family and
//! name. A family whose operands mean something new needs a line in `roles`.

mod bulk;
pub mod directed;
mod draft;
mod edges;
mod fill;
mod memory;
mod menu;
mod near_valid;
mod options;
mod places;
mod pools;
mod roles;
mod shapes;
mod state;
mod table;
pub mod targets;

pub use near_valid::probes;
pub use options::{VectorOptions, chapter_04, matching, off_by_default};

use super::{CaseGenerator, Draw, Generated, Intent, Options};
use contract::bundle::Bundle;
use contract::case::{Case, MemoryWindow, VectorCase};
use contract::isa::{Format, Mnemonic};
use contract::outcome::VectorStep;
use contract::profile::{FsrGate, LaFresh, LatCrossbar, Profile, RbTie, RotrMode};
use draft::Draft;
use menu::Menu;
use shapes::Plan;
use state::{Reads, Spare};
use targets::Targets;

/// Generates vector cases; holds the buffers that are reused.
#[derive(Debug)]
pub struct VectorGenerator {
    menu: Menu,
    targets: Targets,
    drafts: Vec<Draft>,
    bundles: Vec<Bundle>,
    spare: Spare,
}

impl VectorGenerator {
    /// A generator for these options.
    pub fn new(options: &Options) -> Self {
        Self {
            menu: Menu::new(&options.vector),
            targets: if options.aim { Targets::new(&options.vector) } else { Targets::default() },
            drafts: Vec::new(),
            bundles: Vec::new(),
            spare: Spare::default(),
        }
    }

    /// Translates the drafts into the case's program; buffers are reused.
    fn emit(&mut self, drafts: &[Draft], program: &mut Vec<Bundle>) {
        while program.len() > drafts.len() {
            self.bundles.extend(program.pop());
        }
        while program.len() < drafts.len() {
            program.push(self.bundles.pop().unwrap_or_else(|| Bundle::empty(Format::F0)));
        }
        for (draft, bundle) in drafts.iter().zip(program) {
            draft.emit(bundle);
        }
    }
}

impl CaseGenerator for VectorGenerator {
    fn generate(&mut self, options: &Options, draw: &mut Draw<'_>, out: &mut Generated) {
        if !matches!(out.case, Case::Vector(_)) {
            out.case = Case::Vector(empty_case());
        }
        let Case::Vector(case) = &mut out.case else { unreachable!("just set") };
        self.spare.take(case);
        case.profile = profile(draw, options);
        let aim = draw.target().filter(|_| !self.targets.all().is_empty());
        // The gate is bit 1; the other bits say nothing.
        case.cpenable =
            if aim.is_none() && draw.one_in(20) { draw.pick(&[0, 0xfd, 1, 3, 0xff, 6]) } else { 2 };
        let near_valid = draw.chance(options.near_valid);
        let mut drafts = std::mem::take(&mut self.drafts);
        drafts.clear();
        let mut plan = match aim {
            Some(number) => {
                let targets = self.targets.of_case(number);
                Plan::aim(draw, &self.menu, &options.vector, drafts, &self.targets, targets)
            }
            None => Plan::draw(draw, &self.menu, &options.vector, drafts),
        };
        let fault = near_valid.then(|| plan.fault(draw, aim.is_some()));
        let mut reads = Reads::of(&plan.drafts);
        let Plan { drafts, presets, window, pools, .. } = plan;
        let data = options.data.as_deref();
        state::draw_state(draw, &mut reads, &presets, &window, data, &mut self.spare, case);
        self.emit(&drafts, &mut case.program);
        out.intent = match fault {
            None => Intent::Valid,
            Some(fault) => {
                let bundle = &mut case.program[fault.step];
                let (reason, probe) = near_valid::broken(draw, &pools, fault.draft, bundle);
                Intent::Illegal { step: fault.step, reason, probe }
            }
        };
        self.drafts = drafts;
    }
}

impl Intent {
    /// Whether the steps of a vector outcome are what the case was made for: no bundle is illegal but
    /// the broken one, and that one for its reason. `None` where the program ended before it, or where
    /// the intent is not one of the vector family.
    pub fn met_by_bundles(&self, steps: &[VectorStep]) -> Option<bool> {
        let (step, reason) = match self {
            Self::Valid => (usize::MAX, None),
            Self::Illegal { step, reason, .. } => (*step, Some(reason)),
            _ => return None,
        };
        if reason.is_some() && step >= steps.len() {
            let faulted = matches!(steps.last(), Some(VectorStep::Fault(..)));
            return if faulted { None } else { Some(false) };
        }
        Some(steps.iter().enumerate().all(|(number, found)| match found {
            VectorStep::Reject(found) => number == step && Some(found) == reason,
            _ => number != step,
        }))
    }
}

/// A vector case without program or state.
fn empty_case() -> VectorCase {
    VectorCase {
        id: String::new(),
        profile: Profile::default(),
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow::default(),
        program: Vec::new(),
    }
}

/// The switches of a case.
fn profile(draw: &mut Draw<'_>, options: &Options) -> Profile {
    let mut profile = options.profile;
    if options.vary_switches {
        profile.rb_tie = draw.pick(RbTie::ALL);
        profile.rotr_mode = draw.pick(RotrMode::ALL);
        profile.la_fresh = draw.pick(LaFresh::ALL);
        profile.lat_crossbar = draw.pick(LatCrossbar::ALL);
        profile.fsr_gate = draw.pick(FsrGate::ALL);
    }
    profile
}

/// A bundle that is going to be broken: its place, and the legal bundle that stands there.
struct Fault {
    step: usize,
    draft: Draft,
}

impl Plan<'_> {
    /// Chooses the bundle to break: mostly a new one at the end, so that the whole program runs before
    /// it; else a new one, or one of the program's own, anywhere. A program that is as long as it may
    /// be gets no new one. `last` wants it at the end.
    fn fault(&mut self, draw: &mut Draw<'_>, last: bool) -> Fault {
        let count = self.drafts.len();
        let room = self.has_room();
        let anywhere = draw.below(count as u32 + 1) as usize;
        let step = if draw.percent(60) || last { count } else { anywhere };
        if room && (step == count || draw.one_in(2)) {
            let draft = self.any_bundle(draw);
            self.drafts.insert(step, draft);
        }
        let step = step.min(self.drafts.len() - 1);
        Fault { step, draft: self.drafts[step].clone() }
    }
}

/// A slot that can take the op, of any format.
pub(super) fn any_slot_of(draw: &mut Draw<'_>, mnemonic: Mnemonic) -> (Format, u8) {
    draft::any_slot(draw, table::Table::get().row(mnemonic))
}

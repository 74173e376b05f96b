//! Align streams as real code uses them: prime, produce, produce …; append, append …, flush; both
//! prime styles, variable-length tails, spills and copies of align registers, stores that start in
//! mid-line, one stream alone or two woven into each other.

use super::super::super::Draw;
use super::super::draft::{Args, Draft, any_slot};
use super::super::table::{OPERANDS, Row, Table};
use super::Plan;
use contract::isa::RegClass;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// Element forms of the streaming ops.
const FORMS: [&str; 6] = ["2NX8", "NX16", "NX8S", "NX8U", "N_2X16S", "N_2X16U"];

/// The first two forms move 64 bytes at a time, the others 32.
const WIDE_FORMS: usize = 2;

/// The ops of streams.
struct Ops {
    /// Streaming loads and stores by form, for each [`Step`].
    loads: [[&'static Row; 6]; 3],
    stores: [[&'static Row; 6]; 2],
    la_pp: &'static Row,
    la_ppxu: &'static Row,
    lalign_i: &'static Row,
    lalign_ip: &'static Row,
    zalign: &'static Row,
    malign: &'static Row,
    salign_i: &'static Row,
    salign_ip: &'static Row,
    sapos: &'static Row,
    load: &'static Row,
    addi: &'static Row,
}

static OPS: LazyLock<Ops> = LazyLock::new(|| {
    let named = |name: &str| Table::get().named(name);
    let forms =
        |before: &str, after: &str| FORMS.map(|form| named(&format!("{before}{form}{after}")));
    Ops {
        loads: [forms("LA", "_IP"), forms("LAV", "_XP"), forms("LA", "_XP")],
        stores: [forms("SA", "_IP"), forms("SAV", "_XP")],
        la_pp: named("LA_PP"),
        la_ppxu: named("LA_PPXU"),
        lalign_i: named("LALIGN_I"),
        lalign_ip: named("LALIGN_IP"),
        zalign: named("ZALIGN"),
        malign: named("MALIGN"),
        salign_i: named("SALIGN_I"),
        salign_ip: named("SALIGN_IP"),
        sapos: named("SAPOS_FP"),
        load: named("LV2NX8_I"),
        addi: named("ADDI"),
    }
});

/// How a streaming op advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// By its size.
    Fixed,
    /// By a length, clamped.
    Variable,
    /// By a register; loads only.
    Register,
}

const STEPS: &[(u32, Option<Step>)] = &[
    (35, Some(Step::Fixed)),
    (30, Some(Step::Variable)),
    (10, Some(Step::Register)),
    // Another way at each step.
    (25, None),
];

/// One stream: its registers and its ops in order.
#[derive(Debug, Default)]
struct Script {
    align: i32,
    base: i32,
    step: i32,
    length: i32,
    form: usize,
    ops: SmallVec<[(&'static Row, Args); 16]>,
}

impl Script {
    fn push(&mut self, row: &'static Row, operands: &[i32]) {
        let mut args = [0; OPERANDS];
        args[..operands.len()].copy_from_slice(operands);
        self.ops.push((row, args));
    }

    /// Bytes that one full step moves.
    const fn bytes(&self) -> i32 {
        if self.form < WIDE_FORMS { 64 } else { 32 }
    }

    /// A streaming load or store of a vector register.
    fn advance(&mut self, store: bool, step: Step, vector: i32) {
        let Self { align, base, step: index, length, form, .. } = *self;
        let row = match (store, step) {
            (false, step) => OPS.loads[step as usize][form],
            (true, Step::Variable) => OPS.stores[1][form],
            (true, _) => OPS.stores[0][form],
        };
        match step {
            Step::Variable => self.push(row, &[vector, align, base, length]),
            Step::Register if !store => self.push(row, &[vector, align, base, index]),
            _ => self.push(row, &[vector, align, base]),
        }
    }
}

impl Plan<'_> {
    /// One stream, or two.
    pub(super) fn stream(&mut self, draw: &mut Draw<'_>) {
        let lead = match &self.menu.focus {
            Some(focus) => Some(draw.pick(&focus.streams)),
            None => None,
        };
        let (first, second) = draw.weighted(&[
            (28, (false, None)),
            (24, (true, None)),
            (16, (false, Some(true))),
            (10, (true, Some(false))),
            (9, (false, Some(false))),
            (9, (true, Some(true))),
        ]);
        let mut scripts: SmallVec<[Script; 2]> = SmallVec::new();
        scripts.push(self.script(draw, first, 0, lead));
        if let Some(second) = second {
            let mut script = self.script(draw, second, 1, None);
            if draw.one_in(12) {
                // Two streams through one register: nothing is saved.
                let align = scripts[0].align;
                let own = script.align;
                for (row, args) in &mut script.ops {
                    for (facts, arg) in row.operands.iter().zip(args.iter_mut()) {
                        if facts.class() == Some(RegClass::Valign) && *arg == own {
                            *arg = align;
                        }
                    }
                }
            }
            scripts.push(script);
        }
        let busy = draw.pick(&[0, 15, 40]);
        self.weave(draw, &scripts, busy);
    }

    /// The script of a load or store stream. `lead` is an op that shall appear in it.
    fn script(
        &mut self,
        draw: &mut Draw<'_>,
        store: bool,
        number: u32,
        lead: Option<&'static Row>,
    ) -> Script {
        let address = |nth: u32| self.pools.nth(RegClass::Ar, 3 * number + nth);
        let mut script = Script {
            align: self.pools.nth(RegClass::Valign, number) as i32,
            base: address(0) as i32,
            step: address(1) as i32,
            length: address(2) as i32,
            form: draw.weighted(&[(40, 0), (15, 1), (12, 2), (11, 3), (11, 4), (11, 5)]),
            ops: SmallVec::new(),
        };
        let mut store = store;
        let mut way = draw.weighted(STEPS);
        if let Some(lead) = lead {
            let place = |table: &[[&'static Row; 6]]| {
                (table.iter().enumerate()).find_map(|(step, forms)| {
                    let form = forms.iter().position(|row| row.mnemonic == lead.mnemonic)?;
                    Some(([Step::Fixed, Step::Variable, Step::Register][step], form))
                })
            };
            if let Some((step, form)) = place(&OPS.loads) {
                (store, way, script.form) = (false, Some(step), form);
            } else if let Some((step, form)) = place(&OPS.stores) {
                (store, way, script.form) = (true, Some(step), form);
            }
        }
        if draw.percent(70) {
            self.presets.push((script.step as u32, script.bytes() as u32));
        }
        if store {
            self.open_store(draw, &mut script);
        } else {
            self.prime(draw, &mut script);
        }
        self.steps(draw, &mut script, store, way);
        if store {
            self.close_store(draw, &mut script);
        }
        self.insert(draw, &mut script, lead);
        script
    }

    /// Fills the align register before the first load, or leaves it as it is.
    fn prime(&self, draw: &mut Draw<'_>, script: &mut Script) {
        let Script { align, base, step, .. } = *script;
        match draw.weighted(&[(40, 0), (14, 1), (20, 2), (7, 3), (8, 4), (4, 5), (7, 6)]) {
            0 => script.push(OPS.la_pp, &[align, base]),
            1 => script.push(OPS.lalign_i, &[align, base, 0]),
            2 => script.push(OPS.lalign_ip, &[align, base, 64]),
            3 => script.push(OPS.la_ppxu, &[align, base, step]),
            4 => script.push(OPS.zalign, &[align]),
            5 => {
                let offset = draw.pick(&[-64, 64, 128, -512, 448]);
                let row = if draw.one_in(2) { OPS.lalign_i } else { OPS.lalign_ip };
                script.push(row, &[align, base, offset]);
            }
            _ => {}
        }
    }

    /// Clears or restores the align register before the first store, or leaves what is pending.
    fn open_store(&self, draw: &mut Draw<'_>, script: &mut Script) {
        let Script { align, base, .. } = *script;
        match draw.weighted(&[(55, 0), (25, 1), (10, 2), (10, 3)]) {
            0 => script.push(OPS.zalign, &[align]),
            1 => {}
            2 => script.push(OPS.lalign_i, &[align, base, draw.pick(&[0, -64, 64])]),
            _ => script.push(OPS.malign, &[align, self.other_align(align)]),
        }
    }

    /// Produces or appends one to seven times.
    fn steps(&mut self, draw: &mut Draw<'_>, script: &mut Script, store: bool, way: Option<Step>) {
        let steps = draw.weighted(&[(15, 1), (25, 2), (25, 3), (20, 4), (10, 5), (5, 7)]);
        // A length that a loop counts down, or any length again and again.
        let countdown = draw.percent(45);
        if countdown {
            let length = draw.below(64 * steps + 70);
            self.presets.push((script.length as u32, length));
        }
        for number in 0..steps {
            let last = number + 1 == steps;
            let step = match way {
                Some(Step::Fixed) if last && draw.percent(30) => Step::Variable,
                Some(step) => step,
                None => draw.pick(&[Step::Fixed, Step::Variable, Step::Register]),
            };
            if way.is_none() && draw.percent(25) {
                script.form = draw.below(FORMS.len() as u32) as usize;
            }
            let vector = self.pools.nth(RegClass::Vec, number % 5);
            script.advance(store, step, vector as i32);
            if countdown && step == Step::Variable && !last {
                let length = script.length;
                script.push(OPS.addi, &[length, length, -script.bytes()]);
            }
            if draw.one_in(12) {
                self.side_step(draw, script);
            }
        }
    }

    /// What happens to an align register between two steps: a copy, a spill and its restore.
    fn side_step(&self, draw: &mut Draw<'_>, script: &mut Script) {
        let Script { align, base, .. } = *script;
        let other = self.other_align(align);
        let offset = draw.pick(&[128, -128, 64, 0, -512]);
        match draw.below(5) {
            0 => script.push(OPS.malign, &[other, align]),
            1 => {
                script.push(OPS.malign, &[other, align]);
                script.align = other;
            }
            2 => script.push(OPS.salign_i, &[align, base, offset]),
            3 => {
                script.push(OPS.salign_i, &[align, base, offset]);
                script.push(OPS.lalign_i, &[align, base, offset]);
            }
            _ => script.push(OPS.salign_ip, &[align, base, offset]),
        }
    }

    /// Flushes a store stream, mostly; then perhaps reads back or starts anew without clearing.
    fn close_store(&self, draw: &mut Draw<'_>, script: &mut Script) {
        let Script { align, base, .. } = *script;
        match draw.weighted(&[(82, 0), (10, 1), (8, 2)]) {
            0 => script.push(OPS.sapos, &[align, base]),
            1 => script.push(OPS.salign_i, &[align, base, draw.pick(&[0, 64, 128])]),
            _ => {}
        }
        if draw.percent(30) {
            let vector = self.pools.nth(RegClass::Vec, 5) as i32;
            script.push(OPS.load, &[vector, base, draw.pick(&[-64, 0, -128])]);
        } else if draw.percent(15) {
            script.advance(true, Step::Fixed, self.pools.nth(RegClass::Vec, 0) as i32);
            script.push(OPS.sapos, &[align, base]);
        }
    }

    /// Puts the lead somewhere into a script that lacks it.
    fn insert(&self, draw: &mut Draw<'_>, script: &mut Script, lead: Option<&'static Row>) {
        let Some(lead) = lead else { return };
        if script.ops.iter().any(|(row, _)| row.mnemonic == lead.mnemonic) {
            return;
        }
        let fixed: SmallVec<[(usize, i32); 2]> = (lead.operands.iter().enumerate())
            .filter_map(|(at, facts)| match facts.class()? {
                RegClass::Valign if facts.name == "u" => Some((at, script.align)),
                RegClass::Ar if facts.name == "ars" => Some((at, script.base)),
                _ => None,
            })
            .collect();
        if let Some(args) = self.pools.args(draw, lead, 0, &fixed) {
            let at = draw.below(script.ops.len() as u32 + 1) as usize;
            script.ops.insert(at, (lead, args));
        }
    }

    fn other_align(&self, align: i32) -> i32 {
        let third = self.pools.nth(RegClass::Valign, 2) as i32;
        if third == align { self.pools.nth(RegClass::Valign, 3) as i32 } else { third }
    }

    /// Packs the ops of one or two scripts into bundles, each script in its order.
    fn weave(&mut self, draw: &mut Draw<'_>, scripts: &[Script], busy: u32) {
        let mut at = [0, 0];
        let next = |script: usize, at: &[usize; 2]| scripts.get(script)?.ops.get(at[script]);
        while self.drafts.len() < self.most {
            let mut script = 0;
            if next(0, &at).is_none() || next(1, &at).is_some() && draw.one_in(2) {
                script = 1;
            }
            let Some((row, args)) = next(script, &at) else { break };
            let (mut format, mut slot) = any_slot(draw, row);
            if let Some((other, _)) = next(1 - script, &at) {
                // A format that has room for both, if one is soon found.
                for _ in 0..3 {
                    if other.slots.of(format) & !(1 << slot) != 0 {
                        break;
                    }
                    (format, slot) = any_slot(draw, row);
                }
            }
            let mut draft = Draft::new(format);
            at[script] += 1;
            if !draft.place(row, slot, args) {
                continue;
            }
            for other in [1 - script, script] {
                if let Some((row, args)) = next(other, &at)
                    && draw.percent(60)
                    && draft.place_anywhere(draw, row, args)
                {
                    at[other] += 1;
                }
            }
            self.fill(draw, &mut draft, busy);
            self.drafts.push(draft);
            if draw.one_in(12) {
                self.pause(draw, 1);
            }
        }
    }
}

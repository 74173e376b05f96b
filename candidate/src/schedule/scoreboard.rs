//! The scoreboard: for every register its latest definition, and nothing older.
//!
//! That is enough for issue cycles and for causes (spec 05 sections 3.1 and 3.4). Let `d` be an older
//! and `e` a younger definition of one register, issued at `t(d) < t(e)` with LATs `L(d)`, `L(e)`. A
//! bundle defines a register once, so they stand in different bundles, and the WAW rule has put
//! `t(e) ≥ t(d) + L(d) − L(e) + 1`. A later posting with LAT `n` needs an issue cycle of at least
//!
//! - for `d`: `t(d) + max(1, L(d) − n + 1)`,
//! - for `e`: `t(e) + max(1, L(e) − n + 1)`.
//!
//! If the first maximum is 1, the requirement of `d` is `t(d) + 1 ≤ t(e)`. Otherwise it is
//! `t(d) + L(d) − n + 1 ≤ t(e) + L(e) − n`. Either way it lies at least one cycle below that of `e`,
//! so `d` can neither set the issue cycle nor be among the pairs that bind at it.
//!
//! The maximum itself never decides either: a producer issued at least one bundle earlier, and the
//! in-order rule asks for `t(k − 1) + 1` already. So one number per register is all that the rule
//! needs: the cycle from which its value exists at the start of stage 0, `t + LAT + 1`. A posting at
//! stage `n` may issue `n` cycles before.

use super::registers::REGISTERS;

/// The latest definition of a register.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Definition {
    /// Bundle of the definition.
    pub(super) bundle: u32,
    /// Slot of the definition.
    pub(super) slot: u8,
    /// LAT of the definition.
    pub(super) lat: u8,
}

/// Latest definitions of every register.
#[derive(Debug, Clone)]
pub(super) struct Scoreboard {
    /// See [`landing`](Self::landing).
    landing: [u32; REGISTERS],
    /// Who defined it; meaningless where `landing` is 0.
    definition: [Definition; REGISTERS],
}

/// First cycle in which a posting at this stage may issue, as far as its register goes. If that lies
/// beyond the in-order bound, it is due to the register's latest definition alone.
pub(super) fn earliest_issue(landing: u32, lat: u8) -> u32 {
    landing.saturating_sub(u32::from(lat))
}

impl Default for Scoreboard {
    fn default() -> Self {
        Self { landing: [0; REGISTERS], definition: [Definition::default(); REGISTERS] }
    }
}

impl Scoreboard {
    /// Forgets every definition.
    pub(super) fn clear(&mut self) {
        self.landing = [0; REGISTERS];
    }

    /// Issue cycle plus LAT plus 1 of the register's latest definition; 0 if there is none.
    pub(super) fn landing(&self, register: usize) -> u32 {
        self.landing[register]
    }

    /// The latest definition of a register that has one.
    pub(super) fn latest(&self, register: usize) -> Definition {
        self.definition[register]
    }

    /// Notes a definition in a bundle that issues in this cycle.
    pub(super) fn define(&mut self, register: usize, issue: u32, definition: Definition) {
        self.landing[register] = issue + u32::from(definition.lat) + 1;
        self.definition[register] = definition;
    }
}

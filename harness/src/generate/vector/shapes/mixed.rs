//! One op alone, and any ops in any slots.

use super::super::super::{Draw, Span};
use super::super::draft::Draft;
use super::Plan;
use contract::isa::{Format, Mnemonic};

/// Weights of the formats: the wide ones more often, as they hold more.
const FORMATS: &[(u32, Format)] = &[
    (14, Format::F0),
    (14, Format::F1),
    (10, Format::F2),
    (10, Format::F3),
    (8, Format::F4),
    (8, Format::F6),
    (8, Format::F7),
    (9, Format::F11),
    (5, Format::N0),
    (4, Format::N1),
    (6, Format::N2),
    (4, Format::X1),
];

impl Plan<'_> {
    /// One bundle with one op.
    pub(super) fn single(&mut self, draw: &mut Draw<'_>) {
        let row = draw.pick(&self.menu.singles);
        if row.mnemonic == Mnemonic::NOP {
            self.pause(draw, 1);
        } else if let Some(args) = self.pools.args(draw, row, 0, &[]) {
            self.append(draw, row, &args);
        }
    }

    /// Bundles of any ops, sparse, ordinary or full.
    pub(super) fn mixed(&mut self, draw: &mut Draw<'_>, bundles: Span) {
        let wanted = match draw.below(4) {
            0 => draw.between(1, 3),
            1 | 2 => draw.between(2, 6),
            _ => draw.between(4, 12),
        };
        // A span that asks for longer programs than usual gets them.
        let wanted =
            if bundles.low > 12 { draw.between(bundles.low, bundles.high) } else { wanted };
        let density = draw.pick(&[35, 60, 90, 100]);
        for _ in 0..bundles.clip(wanted).min(self.most as u32) {
            let mut draft = Draft::new(draw.weighted(FORMATS));
            if !draw.one_in(16) {
                self.fill(draw, &mut draft, density);
            }
            self.drafts.push(draft);
        }
    }
}

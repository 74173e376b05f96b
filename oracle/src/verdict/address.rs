//! Address, pattern, channel and count predicates (spec 02 sections 2.4 to 2.6).

use crate::tensor::address::{AddressWord, active_bytes, place_of};
use crate::tensor::pattern::Pattern;
use crate::verdict::dtype::{alignment, four};
use contract::isa::{AddrMarker, Generation};
use contract::state::Space;

/// Address registers of the engine.
pub const ADDRESS_REGISTERS: u8 = 64;

/// What a pattern is used for, and where it may lie.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// W: the pattern is written.
    pub written: bool,
    /// PSUM is allowed.
    pub psum: bool,
    /// SBUF is allowed.
    pub sbuf: bool,
}

/// A source in either memory.
pub const READ: Use = Use { written: false, psum: true, sbuf: true };
/// A destination in either memory.
pub const WRITE: Use = Use { written: true, psum: true, sbuf: true };

/// The register form in full: byte 3 exactly 0x80, bytes 1 and 2 zero, number below 64
/// (DD-ADDR-REG).
fn register_form(word: AddressWord) -> bool {
    let [number, low, high, marker] = word.0.to_le_bytes();
    marker == AddrMarker::AddrReg.wire() && low == 0 && high == 0 && number < ADDRESS_REGISTERS
}

/// `start_ok(a, d, W, psum, sbuf)`.
pub fn start_ok(generation: Generation, word: AddressWord, dtype: u8, usage: Use) -> bool {
    if register_form(word) {
        return true;
    }
    if word.0 >> 31 == 1 {
        return false;
    }
    let aligned = alignment(generation, dtype)
        .is_some_and(|alignment| word.address().is_multiple_of(alignment));
    let placed = match place_of(generation, word.address()).map(|place| place.space) {
        None => false,
        Some(Space::Sbuf) => usage.sbuf,
        Some(Space::Psum) => usage.psum && (!usage.written || four(dtype)),
    };
    aligned && placed
}

/// MP-MARK: the marker is that of an immediate address or of an address register. The markers with
/// a verdict of their own never get here on the generations where they have it.
pub fn mp_mark(word: AddressWord) -> bool {
    matches!(AddrMarker::from_wire(word.marker()), Some(AddrMarker::Imm | AddrMarker::AddrReg))
}

/// `pat_ok(p, d, W, psum, sbuf)`.
pub fn pat_ok(generation: Generation, pattern: &Pattern, dtype: u8, usage: Use) -> bool {
    start_ok(generation, pattern.start, dtype, usage)
        && mp_mark(pattern.start)
        && pattern.counts.iter().all(|&count| count != 0)
}

/// `range(n)`: 1 to 128 channels.
pub fn range(channels: u8) -> bool {
    (1..=128).contains(&channels)
}

/// `chan(a, n)`: a register form, or a backed address of a quadrant's first partition with at most
/// the channels of its tier; no channels satisfy it (VD-CHAN, VD-CHAN-BACKED). Markers are masked
/// off, so dead markers are judged by their 29-bit address.
pub fn chan(generation: Generation, word: AddressWord, channels: u8) -> bool {
    if word.is_register() {
        return true;
    }
    let Some(place) = place_of(generation, word.address()) else { return false };
    let limit = match place.partition {
        0 => 128,
        32 => 32,
        64 => 64,
        96 => 32,
        _ => return false,
    };
    place.offset < active_bytes(generation, place.space) && channels <= limit
}

/// `same(p, q)`: equal element counts; the shapes may differ.
pub fn same(left: &Pattern, right: &Pattern) -> bool {
    left.count() == right.count()
}

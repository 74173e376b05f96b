//! Byte patterns of the immediate crossbar forms (spec 04 section 5.1, V-19), as data: one row of
//! pool positions per immediate. Positions 0..63 are `vr`, 64..127 are `vs`. The vendor's patterns
//! are unknown; to use others, replace these tables.

use super::lanes::Constant;

const BLANK: Constant = Constant([0; 64]);

/// `SEL2NX8I`: pool position `l + imm` modulo 128.
pub(super) static SELECT: [Constant; 128] = {
    let mut table = [BLANK; 128];
    let mut imm = 0;
    while imm < 128 {
        let mut lane = 0;
        while lane < 64 {
            table[imm].0[lane] = ((lane + imm) % 128) as u8;
            lane += 1;
        }
        imm += 1;
    }
    table
};

/// `SHFL2NX8I`: below 64 position `l + imm` modulo 64, from 64 on position `l xor imm`.
pub(super) static SHUFFLE: [Constant; 128] = {
    let mut table = [BLANK; 128];
    let mut imm = 0;
    while imm < 128 {
        let mut lane = 0;
        while lane < 64 {
            let rotated = (lane + imm) % 64;
            let crossed = lane ^ (imm % 64);
            table[imm].0[lane] = if imm < 64 { rotated } else { crossed } as u8;
            lane += 1;
        }
        imm += 1;
    }
    table
};

/// `DSEL2NX8I`: `vt`, then `vu`. Immediates 0..5 interleave blocks of `2^imm` bytes, 8..13 separate
/// them, the others pass `vr` and `vs` on.
pub(super) static DEAL: [[Constant; 2]; 16] = {
    let mut table = [[BLANK; 2]; 16];
    let mut imm = 0;
    while imm < 16 {
        let mut position = 0;
        while position < 128 {
            let source = deal_source(imm, position);
            table[imm][position / 64].0[position % 64] = source as u8;
            position += 1;
        }
        imm += 1;
    }
    table
};

/// Pool position of byte `position` of `vt`, `vu` joined.
const fn deal_source(imm: usize, position: usize) -> usize {
    let size = imm % 8;
    if size > 5 {
        return position;
    }
    let block = 1 << size;
    if imm < 8 {
        // Blocks of vr and vs in turn.
        let (pair, within) = (position / (2 * block), position % (2 * block));
        let second = within / block;
        64 * second + pair * block + within % block
    } else {
        // Even blocks of the pool to vt, odd blocks to vu.
        let (second, within) = (position / 64, position % 64);
        within / block * 2 * block + second * block + within % block
    }
}

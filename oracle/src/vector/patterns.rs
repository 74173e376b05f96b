//! The pattern table of the crossbar's immediate forms (spec 04 section 5.1, V-19). The vendor's
//! meaning of each immediate is unknown; these rows are the project's and stand apart as data, so
//! that a real table can replace them without touching an op. Results may be compared between the
//! models, never quoted as the vendor's.

/// For every result byte the pool position it takes: 0..=63 are `vr`, 64..=127 are `vs`.
pub(super) type Pattern = [u8; 64];

/// Rows of `SEL2NX8I`, by immediate.
pub(super) static SEL: [Pattern; 128] = sel();
/// Rows of `SHFL2NX8I`, by immediate; only `vr` positions occur.
pub(super) static SHFL: [Pattern; 128] = shfl();
/// Rows of `DSEL2NX8I`, by immediate: `vt`, then `vu`.
pub(super) static DSEL: [[Pattern; 2]; 16] = dsel();

/// `POOL_8[(l + imm) & 0x7f]`.
const fn sel() -> [Pattern; 128] {
    let mut rows = [[0; 64]; 128];
    let mut imm = 0;
    while imm < 128 {
        let mut l = 0;
        while l < 64 {
            rows[imm][l] = ((l + imm) & 0x7f) as u8;
            l += 1;
        }
        imm += 1;
    }
    rows
}

/// `imm < 64`: `vr[(l + imm) & 0x3f]`; else `vr[l xor (imm & 0x3f)]`.
const fn shfl() -> [Pattern; 128] {
    let mut rows = [[0; 64]; 128];
    let mut imm = 0;
    while imm < 128 {
        let mut l = 0;
        while l < 64 {
            let position = if imm < 64 { (l + imm) & 0x3f } else { l ^ (imm & 0x3f) };
            rows[imm][l] = position as u8;
            l += 1;
        }
        imm += 1;
    }
    rows
}

/// Blocks of `B = 2^(imm & 7)` bytes, valid for `(imm & 7) <= 5`, else `vt := vr`, `vu := vs`;
/// `imm < 8` interleaves, `imm >= 8` separates.
const fn dsel() -> [[Pattern; 2]; 16] {
    let mut rows = [[[0; 64]; 2]; 16];
    let mut imm = 0;
    while imm < 16 {
        if imm & 7 > 5 {
            let mut l = 0;
            while l < 64 {
                rows[imm][0][l] = l as u8;
                rows[imm][1][l] = 64 + l as u8;
                l += 1;
            }
        } else {
            let block = 1 << (imm & 7);
            let mut j = 0;
            while j < 64 / block {
                let mut i = 0;
                while i < block {
                    if imm < 8 {
                        // z[2Bj + i] = vr[Bj + i]; z[2Bj + B + i] = vs[Bj + i]; vt ++ vu = z
                        let from_vr = 2 * block * j + i;
                        let from_vs = 2 * block * j + block + i;
                        rows[imm][from_vr / 64][from_vr % 64] = (block * j + i) as u8;
                        rows[imm][from_vs / 64][from_vs % 64] = (64 + block * j + i) as u8;
                    } else {
                        // vt[Bj + i] = p[2Bj + i]; vu[Bj + i] = p[2Bj + B + i]
                        rows[imm][0][block * j + i] = (2 * block * j + i) as u8;
                        rows[imm][1][block * j + i] = (2 * block * j + block + i) as u8;
                    }
                    i += 1;
                }
                j += 1;
            }
        }
        imm += 1;
    }
    rows
}

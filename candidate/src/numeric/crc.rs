//! Crc32 by tables (spec 03 section 5.6, D-20): reflected IEEE polynomial, no inversion.

/// `TABLES[k][b]`: what byte `b` leaves in the state after itself and `k` zero bytes.
static TABLES: [[u32; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let mut state = byte as u32;
        let mut zeros = 0;
        while zeros < 4 {
            let mut bit = 0;
            while bit < 8 {
                state = state >> 1 ^ if state & 1 == 1 { 0xEDB8_8320 } else { 0 };
                bit += 1;
            }
            tables[zeros][byte] = state;
            zeros += 1;
        }
        byte += 1;
    }
    tables
};

/// The table entry of the byte that starts at bit `shift`.
#[inline(always)]
fn entry(zeros: usize, word: u32, shift: u32) -> u32 {
    TABLES[zeros][(word >> shift & 0xFF) as usize]
}

/// State and data of 8 bits; the low 8 bits of the new state.
#[inline(always)]
pub fn update8(state: u32, data: u32) -> u32 {
    entry(0, state ^ data, 0) & 0xFF
}

/// State and data of 16 bits; the low 16 bits of the new state.
#[inline(always)]
pub fn update16(state: u32, data: u32) -> u32 {
    let word = state ^ data;
    (entry(1, word, 0) ^ entry(0, word, 8)) & 0xFFFF
}

/// State and data of 32 bits.
#[inline(always)]
pub fn update32(state: u32, data: u32) -> u32 {
    let word = state ^ data;
    entry(3, word, 0) ^ entry(2, word, 8) ^ entry(1, word, 16) ^ entry(0, word, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule of spec 03 section 5.6, bit by bit.
    fn by_bits(mut state: u32, data: u32, bytes: u32) -> u32 {
        for byte in 0..bytes {
            state ^= data >> (8 * byte) & 0xFF;
            for _ in 0..8 {
                let out = state & 1;
                state >>= 1;
                if out == 1 {
                    state ^= 0xEDB8_8320;
                }
            }
        }
        if bytes == 4 { state } else { state & ((1 << (8 * bytes)) - 1) }
    }

    #[test]
    fn tables_equal_the_bitwise_definition() {
        let mut seed = 7u32;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (state, data) = (seed, seed.rotate_left(13) ^ 0x5A5A_1234);
            assert_eq!(update8(state & 0xFF, data & 0xFF), by_bits(state & 0xFF, data & 0xFF, 1));
            let (state16, data16) = (state & 0xFFFF, data & 0xFFFF);
            assert_eq!(update16(state16, data16), by_bits(state16, data16, 2));
            assert_eq!(update32(state, data), by_bits(state, data, 4));
        }
        assert_eq!(update8(0, 1), 0x96);
    }
}

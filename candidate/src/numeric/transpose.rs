//! Rows to lanes and back. `rows` holds streams one after the other, `pitch` values apart; a tile
//! holds position after position, `lanes` values apart. Whole blocks of 8 by 8 are moved, so both
//! buffers need room up to the next multiple of 8 (see each function).

use crate::simd::{Simd, Supported};

/// Side of a block.
pub(crate) const BLOCK: usize = 8;

/// Copies `columns` positions of `count` rows into the first `count` lanes of a tile; pass a tile from
/// a later lane on to fill others.
///
/// `count` is a multiple of [`BLOCK`]. The tile has room for `columns` rounded up to a block, `rows` for
/// as much beyond its last row; what lies there is copied but means nothing.
pub(crate) fn to_lanes(
    path: Supported,
    (rows, pitch, count): (&[u32], usize, usize),
    (tile, lanes): (&mut [u32], usize),
    columns: usize,
) {
    let columns = columns.next_multiple_of(BLOCK);
    transpose(path, (rows, pitch), (tile, lanes), (count, columns));
}

/// Copies `columns` positions of the first lanes of a tile into `count` rows. Sizes as in
/// [`to_lanes`], but nothing beyond `columns` is written.
pub(crate) fn from_lanes(
    path: Supported,
    (tile, lanes): (&[u32], usize),
    (rows, pitch, count): (&mut [u32], usize, usize),
    columns: usize,
) {
    let whole = columns / BLOCK * BLOCK;
    transpose(path, (tile, lanes), (rows, pitch), (whole, count));
    for row in 0..count {
        for column in whole..columns {
            rows[row * pitch + column] = tile[column * lanes + row];
        }
    }
}

/// `destination[column][row] = source[row][column]` for whole blocks.
fn transpose(
    path: Supported,
    source: (&[u32], usize),
    destination: (&mut [u32], usize),
    (rows, columns): (usize, usize),
) {
    match path.path() {
        // SAFETY: both wide paths include AVX2, and a `Supported` path exists only where the machine
        // has its features.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 | Simd::Avx512 => unsafe { avx2::transpose(source, destination, rows, columns) },
        _ => portable(source, destination, rows, columns),
    }
}

fn portable(
    (source, source_pitch): (&[u32], usize),
    (destination, destination_pitch): (&mut [u32], usize),
    rows: usize,
    columns: usize,
) {
    for row in (0..rows).step_by(BLOCK) {
        for column in 0..columns {
            let lanes = &mut destination[column * destination_pitch + row..][..BLOCK];
            for (lane, value) in lanes.iter_mut().enumerate() {
                *value = source[(row + lane) * source_pitch + column];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::BLOCK;
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_loadu_si128, _mm256_castsi128_si256, _mm256_inserti128_si256,
        _mm256_storeu_si256, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32,
        _mm256_unpacklo_epi64,
    };

    /// Transposes block by block.
    #[target_feature(enable = "avx2")]
    pub(super) fn transpose(
        (source, source_pitch): (&[u32], usize),
        (destination, destination_pitch): (&mut [u32], usize),
        rows: usize,
        columns: usize,
    ) {
        if rows == 0 || columns == 0 {
            return;
        }
        assert!(rows.is_multiple_of(BLOCK) && columns.is_multiple_of(BLOCK));
        assert!(source.len() >= (rows - 1) * source_pitch + columns);
        assert!(destination.len() >= (columns - 1) * destination_pitch + rows);
        for row in (0..rows).step_by(BLOCK) {
            for column in (0..columns).step_by(BLOCK) {
                // SAFETY: the block's last row ends at or before the last source row, and its last
                // column's 8 values at or before the last destination row; both fit as asserted.
                unsafe {
                    block(
                        source.as_ptr().add(row * source_pitch + column),
                        source_pitch,
                        destination.as_mut_ptr().add(column * destination_pitch + row),
                        destination_pitch,
                    );
                }
            }
        }
    }

    /// Transposes one block: each register holds half a row and the same half of the row four below,
    /// so that two rounds of unpacking finish both 4 by 4 transposes.
    ///
    /// # Safety
    /// 8 rows of 8 values can be read `source_pitch` values apart and written `destination_pitch`
    /// values apart.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn block(
        source: *const u32,
        source_pitch: usize,
        destination: *mut u32,
        destination_pitch: usize,
    ) {
        let pair = |row: usize, half: usize| -> __m256i {
            // SAFETY: `row` < 4 and `half` is 0 or 4, so both reads of 4 values lie in the block.
            let (low, high) = unsafe {
                let low = source.add(row * source_pitch + half);
                let high = source.add((row + 4) * source_pitch + half);
                (_mm_loadu_si128(low.cast::<__m128i>()), _mm_loadu_si128(high.cast::<__m128i>()))
            };
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
        };
        for half in [0, 4] {
            let [a, b, c, d] = [pair(0, half), pair(1, half), pair(2, half), pair(3, half)];
            let ab_low = _mm256_unpacklo_epi32(a, b);
            let ab_high = _mm256_unpackhi_epi32(a, b);
            let cd_low = _mm256_unpacklo_epi32(c, d);
            let cd_high = _mm256_unpackhi_epi32(c, d);
            let columns = [
                _mm256_unpacklo_epi64(ab_low, cd_low),
                _mm256_unpackhi_epi64(ab_low, cd_low),
                _mm256_unpacklo_epi64(ab_high, cd_high),
                _mm256_unpackhi_epi64(ab_high, cd_high),
            ];
            for (column, values) in columns.into_iter().enumerate() {
                // SAFETY: the column is below 8, so the 8 values lie in the block.
                unsafe {
                    let at = destination.add((half + column) * destination_pitch);
                    _mm256_storeu_si256(at.cast::<__m256i>(), values);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_rows_are_transposes_of_each_other_on_every_path() {
        for path in Supported::all() {
            for [count, columns, pitch, lanes, lane] in
                [[8usize, 8, 8, 8, 0], [16, 13, 13, 24, 8], [8, 1, 1, 8, 0], [24, 30, 31, 24, 0]]
            {
                let rows: Vec<u32> = (0..(count * pitch + BLOCK) as u32).collect();
                let mut tile = vec![u32::MAX; columns.div_ceil(BLOCK) * BLOCK * lanes];
                to_lanes(path, (&rows, pitch, count), (&mut tile[lane..], lanes), columns);
                for row in 0..count {
                    for column in 0..columns {
                        assert_eq!(tile[column * lanes + lane + row], rows[row * pitch + column]);
                    }
                }
                let mut back = vec![u32::MAX; rows.len()];
                from_lanes(path, (&tile[lane..], lanes), (&mut back, pitch, count), columns);
                for row in 0..count {
                    assert_eq!(
                        back[row * pitch..row * pitch + columns],
                        rows[row * pitch..row * pitch + columns]
                    );
                }
                assert!(back[count * pitch..].iter().all(|&value| value == u32::MAX));
            }
        }
    }
}

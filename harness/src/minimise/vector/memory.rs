//! Passes over data memory and the environment: chunks, addresses, the window, coprocessor enables,
//! switches.

use super::super::edit::{Edits, chunks, edit, set_default, smaller};
use contract::case::{MemoryWindow, RegisterValue, VectorCase};
use contract::profile::Profile;

/// Leaves out chunks of memory; then the beginning or the end of each.
pub(super) fn drop_chunks(case: &VectorCase) -> Edits<'_, VectorCase> {
    let whole = chunks(case.memory.init.len()).map(|range| {
        edit(move |case: &mut VectorCase| {
            case.memory.init.drain(range);
        })
    });
    let cut = case.memory.init.iter().enumerate().flat_map(|(index, chunk)| {
        let length = chunk.data.len();
        let front_zeros = chunk.data.iter().take_while(|&&byte| byte == 0).count();
        let back_zeros = chunk.data.iter().rev().take_while(|&&byte| byte == 0).count();
        let zeros = [length.saturating_sub(back_zeros)].into_iter();
        let kept = zeros.chain(smaller(length as u64, 1).map(|kept| kept as usize));
        let ends = kept.map(move |kept| {
            edit(move |case: &mut VectorCase| case.memory.init[index].data.truncate(kept))
        });
        let gone = [front_zeros].into_iter();
        let gone = gone.chain(smaller(length as u64, 1).map(move |kept| length - kept as usize));
        let beginnings = gone.map(move |gone| {
            edit(move |case: &mut VectorCase| {
                let chunk = &mut case.memory.init[index];
                chunk.data.drain(..gone);
                chunk.address = chunk.address.wrapping_add(gone as u32);
            })
        });
        ends.chain(beginnings)
    });
    Box::new(whole.chain(cut))
}

/// Coprocessor enables and switches back to their defaults.
pub(super) fn default_environment(case: &VectorCase) -> Edits<'_, VectorCase> {
    let enables = edit(|case: &mut VectorCase| case.cpenable = 2);
    let all = edit(|case: &mut VectorCase| case.profile = Profile::default());
    let each = case
        .profile
        .non_default()
        .into_iter()
        .map(|(key, _)| edit(move |case: &mut VectorCase| set_default(&mut case.profile, key)));
    Box::new([enables, all].into_iter().chain(each))
}

/// Memory and the pointers into it moved down together: everything to the base, then each chunk with
/// the pointers near it; then a window at the default base.
pub(super) fn lower_addresses(case: &VectorCase) -> Edits<'_, VectorCase> {
    let pointers = case.state.iter().filter_map(|value| match value {
        RegisterValue::Ar(_, address) if in_window(case, *address) => Some(*address),
        _ => None,
    });
    let lowest = pointers.chain(case.memory.init.iter().map(|chunk| chunk.address)).min();
    let distance = lowest.map_or(0, |lowest| lowest.wrapping_sub(case.memory.base));
    let together = [distance / 64 * 64, distance].into_iter().map(|distance| {
        edit(move |case: &mut VectorCase| {
            (0..case.memory.init.len()).for_each(|chunk| lower_chunk(case, chunk, distance));
            lower_pointers(case, distance, |_| true);
        })
    });
    let base = case.memory.base;
    let each = case.memory.init.iter().enumerate().flat_map(move |(index, chunk)| {
        let distance = chunk.address.wrapping_sub(base);
        let distances = [distance / 64 * 64, distance, distance / 128 * 64, 64, 1];
        distances.into_iter().map(move |distance| {
            edit(move |case: &mut VectorCase| {
                let chunk = &case.memory.init[index];
                let near = chunk.address.saturating_sub(64)
                    ..chunk.address.saturating_add(chunk.data.len() as u32).saturating_add(64);
                lower_chunk(case, index, distance);
                lower_pointers(case, distance, |address| near.contains(&address));
            })
        })
    });
    let rebased = edit(|case: &mut VectorCase| {
        let distance = case.memory.base.wrapping_sub(MemoryWindow::default().base);
        (0..case.memory.init.len()).for_each(|chunk| lower_chunk(case, chunk, distance));
        lower_pointers(case, distance, |_| true);
        case.memory.base = MemoryWindow::default().base;
    });
    let moved = edit(|case: &mut VectorCase| case.memory.base = MemoryWindow::default().base);
    Box::new(together.chain(each).chain([rebased, moved]))
}

fn in_window(case: &VectorCase, address: u32) -> bool {
    address.wrapping_sub(case.memory.base) < case.memory.bytes
}

fn lower_chunk(case: &mut VectorCase, chunk: usize, distance: u32) {
    let chunk = &mut case.memory.init[chunk];
    chunk.address = chunk.address.wrapping_sub(distance);
}

/// Lowers the address registers that point into the window and are picked.
fn lower_pointers(case: &mut VectorCase, distance: u32, pick: impl Fn(u32) -> bool) {
    let (base, bytes) = (case.memory.base, case.memory.bytes);
    for value in &mut case.state {
        if let RegisterValue::Ar(_, address) = value
            && address.wrapping_sub(base) < bytes
            && pick(*address)
        {
            *address = address.wrapping_sub(distance);
        }
    }
}

/// Windows from one line up.
pub(super) fn smaller_window(case: &VectorCase) -> Edits<'_, VectorCase> {
    let lines = u64::from(case.memory.bytes / 64);
    let sizes = [1, 2, 4, 8, 16, 32, 64].into_iter().chain(smaller(lines, 1));
    Box::new(
        sizes.map(|lines| {
            edit(move |case: &mut VectorCase| case.memory.bytes = (lines * 64) as u32)
        }),
    )
}

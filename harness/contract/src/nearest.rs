//! The known word closest to a misspelt one, by edits (insert, delete, replace, swap two
//! neighbours), for the "did you mean" of error messages.

use crate::isa::Mnemonic;

/// The candidate with the fewest edits from `word`, if it is close enough to be a likely slip: at
/// most one edit and one more per four letters. Case does not count. The first of equals wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let length = word.chars().count();
    let limit = 1 + length / 4;
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(&word, &candidate.to_ascii_uppercase()), candidate))
        // A distance of the whole word means that nothing of it is left.
        .filter(|&(distance, _)| distance <= limit && distance < length)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The mnemonic closest to a misspelt op word; a prefix `IVP_` is forgiven.
pub fn nearest_mnemonic(word: &str) -> Option<Mnemonic> {
    let upper = word.to_ascii_uppercase();
    let bare = upper.strip_prefix("IVP_").unwrap_or(&upper);
    Mnemonic::from_name(bare).or_else(|| {
        nearest(bare, Mnemonic::all().map(Mnemonic::name)).and_then(Mnemonic::from_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_each_kind_finds_its_mnemonic() {
        for (slip, meant) in [
            ("ADDNX61", "ADDNX16"),
            ("addnx1", "ADDNX16"),
            ("RBMAXXNX16", "RBMAXNX16"),
            ("LA2NX8_IQ", "LA2NX8_IP"),
            ("ivp_selnx16", "SELNX16"),
        ] {
            assert_eq!(nearest_mnemonic(slip), Mnemonic::from_name(meant), "{slip}");
        }
    }

    #[test]
    fn a_word_far_from_every_candidate_finds_none() {
        assert_eq!(nearest_mnemonic("FROBNICATE"), None);
        assert_eq!(nearest("", ["a", "b"]), None);
        assert_eq!(nearest("x", ["a", "b"]), None);
    }

    #[test]
    fn the_closest_candidate_wins_over_an_earlier_one() {
        assert_eq!(nearest("partitons", ["partition", "partitions"]), Some("partitions"));
        assert_eq!(nearest("cpenabel", ["state", "cpenable"]), Some("cpenable"));
    }
}

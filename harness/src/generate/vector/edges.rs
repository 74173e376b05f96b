//! Edge values of the vector unit, read once from the golden edge sets.

use super::roles::Lane;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const TEXT: &str = include_str!("../../../../corpus/golden/edge_sets.json");

/// The edge sets, each in the order of the file.
#[derive(Debug)]
pub(super) struct Edges {
    lanes: [Vec<u32>; 5],
    /// 64-bit predicates.
    pub(super) predicates: Vec<u64>,
    /// Lane numbers at the boundaries of a crossbar mask, some beyond.
    pub(super) lane_numbers: Vec<u32>,
    /// Counts of the tail masks.
    pub(super) counts: Vec<u32>,
    /// Stream lengths in bytes.
    pub(super) lengths: Vec<u32>,
    amounts: [Vec<u32>; 2],
}

impl Edges {
    /// The sets, read on first use.
    pub(super) fn get() -> &'static Self {
        static EDGES: LazyLock<Edges> = LazyLock::new(Edges::read);
        &EDGES
    }

    /// Elements of a lane type: integers in the low bits, floats as patterns.
    pub(super) fn lane(&self, lane: Lane) -> &[u32] {
        &self.lanes[lane as usize]
    }

    /// Signed shift amounts of 16- and 32-bit lanes.
    pub(super) fn amounts(&self, lane: Lane) -> &[u32] {
        &self.amounts[usize::from(lane.bits() == 32)]
    }

    fn read() -> Self {
        // The text is embedded, and a unit test reads it.
        let raw: Raw = serde_json::from_str(TEXT).expect("the edge sets are well formed");
        let set = |name: &str| -> Vec<u64> {
            let set = raw.lane_widths.get(name).expect("the edge sets have this width");
            set.values.iter().map(|text| hex(text)).collect()
        };
        let narrow = |name: &str| set(name).into_iter().map(|value| value as u32).collect();
        let mut words: Vec<u32> = narrow("int32");
        words.extend::<Vec<u32>>(narrow("int32_extra"));
        let structured = |set: Counts| -> Vec<u32> {
            let mut values: Vec<u32> = Vec::new();
            for value in set.values.into_iter().chain(set.project_additions) {
                // Negative numbers as the register holds them.
                let value = value as u32;
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values
        };
        let amounts = |set: Amounts| {
            set.instruction_signed_lane.into_iter().map(|value| value as u32).collect()
        };
        let Structured {
            shift_amount_16,
            shift_amount_32,
            permute_controls,
            ltr_counts,
            valign_length_bytes,
        } = raw.structured;
        let mut lane_numbers = permute_controls.selnx16_index_edges;
        lane_numbers.extend(permute_controls.shflnx16_index_edges);
        lane_numbers.sort_unstable();
        lane_numbers.dedup();
        Self {
            lanes: [narrow("int8"), narrow("int16"), words, narrow("fp16"), narrow("fp32")],
            predicates: set("vbool64"),
            lane_numbers,
            counts: structured(ltr_counts),
            lengths: structured(valign_length_bytes),
            amounts: [amounts(shift_amount_16), amounts(shift_amount_32)],
        }
    }
}

/// A number written in hexadecimal; the file's own tests are in the corpus.
fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("an edge value is hexadecimal")
}

#[derive(Deserialize)]
struct Raw {
    lane_widths: BTreeMap<String, Values>,
    structured: Structured,
}

#[derive(Deserialize)]
struct Values {
    values: Vec<String>,
}

#[derive(Deserialize)]
struct Structured {
    shift_amount_16: Amounts,
    shift_amount_32: Amounts,
    permute_controls: Controls,
    ltr_counts: Counts,
    valign_length_bytes: Counts,
}

#[derive(Deserialize)]
struct Amounts {
    instruction_signed_lane: Vec<i64>,
}

#[derive(Deserialize)]
struct Controls {
    selnx16_index_edges: Vec<u32>,
    shflnx16_index_edges: Vec<u32>,
}

#[derive(Deserialize)]
struct Counts {
    values: Vec<i64>,
    #[serde(default)]
    project_additions: Vec<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_those_of_the_file() {
        let edges = Edges::get();
        let sizes = [Lane::I8, Lane::I16, Lane::I32, Lane::F16, Lane::F32]
            .map(|lane| edges.lane(lane).len());
        assert_eq!(sizes, [12, 15, 17, 18, 18]);
        assert_eq!(edges.predicates.len(), 15);
        assert_eq!(edges.counts.len(), 21);
        assert!(edges.counts.contains(&0x8000_0000) && edges.counts.contains(&u32::MAX));
        assert_eq!(edges.lengths.len(), 24);
        assert_eq!(edges.amounts(Lane::I16).len(), 20);
        assert!(edges.amounts(Lane::I32).contains(&0x8000_0000));
        assert!(edges.lane_numbers.contains(&65535) && edges.lane_numbers.contains(&30));
    }
}

//! The campaigns of a night: every family under every preset on every generation that its cases have, then
//! under every value of a switch that no preset has. Without the latter a misreading of, say,
//! `fp8_overflow=saturate` would never meet a night.

use super::failure::Failure;
use super::options::{FamilyChoice, GeneratorArgs, ProfileArgs};
use crate::family::Family;
use crate::generate;
use crate::nightly::plan::{Campaign, campaign_seed};
use crate::report::options::{ProfileRecord, RunOptions};
use contract::isa::Generation;
use contract::profile::Profile;

/// The family whose enabled ops read a switch; `None` for a switch of ops that are not enabled yet.
const READERS: [(&str, Option<generate::Family>); 14] = [
    ("rb_tie", Some(generate::Family::Vector)),
    ("rotr_mode", Some(generate::Family::Vector)),
    ("la_fresh", Some(generate::Family::Vector)),
    ("lat_crossbar", Some(generate::Family::Vector)),
    ("sg_offset", None),
    ("fsr_gate", None),
    ("fcmp_t", None),
    ("narrow_nan", None),
    ("reduce_emit", Some(generate::Family::Tensor)),
    ("op1_order", Some(generate::Family::Tensor)),
    ("f2i_round", Some(generate::Family::Tensor)),
    ("fp8_overflow", Some(generate::Family::Tensor)),
    ("fp32r_fraction", Some(generate::Family::Tensor)),
    ("engine", None),
];

/// Every campaign of a night with this seed; `record` says what they have in common.
///
/// # Errors
/// None that a correct table of presets and switches can bring about.
pub(super) fn campaigns(seed: u64, record: &RunOptions) -> Result<Vec<Campaign>, Failure> {
    let mut campaigns = Vec::new();
    for &family in generate::Family::ALL {
        let generations: Vec<Option<Generation>> = match Family::from(family) {
            Family::Tensor => Generation::ALL.iter().copied().map(Some).collect(),
            // A vector case has no generation.
            Family::Vector => vec![None],
        };
        for &preset in Profile::PRESETS {
            for &generation in &generations {
                let mut name = format!("{} {preset}", family.name());
                if let Some(generation) = generation {
                    name.push_str(&format!(" {generation}"));
                }
                let profile = ProfileArgs { profile: Some(preset.to_owned()), sets: Vec::new() };
                campaigns.push(Setting { name, family, generation, profile });
            }
        }
    }
    for (key, value) in beyond_presets() {
        if let Some((_, Some(family))) = READERS.into_iter().find(|(known, _)| *known == key) {
            let set = format!("{key}={value}");
            campaigns.push(Setting {
                name: format!("{} {set}", family.name()),
                family,
                generation: None,
                profile: ProfileArgs { profile: None, sets: vec![set] },
            });
        }
    }
    (0..)
        .zip(campaigns)
        .map(|(number, it)| it.campaign(campaign_seed(seed, number), record))
        .collect()
}

/// Values of switches that no preset sets, in the order of spec 06.
fn beyond_presets() -> impl Iterator<Item = (&'static str, &'static str)> {
    let presets: Vec<Profile> =
        Profile::PRESETS.iter().filter_map(|preset| Profile::preset(preset).ok()).collect();
    let values = |key| Profile::values_of(key).unwrap_or_default();
    Profile::SWITCHES
        .iter()
        .flat_map(move |&key| values(key).into_iter().map(move |value| (key, value)))
        .filter(move |(key, value)| presets.iter().all(|preset| preset.get(key) != Some(value)))
}

/// What tells one campaign from the others.
struct Setting {
    name: String,
    family: generate::Family,
    /// `None` for all of them.
    generation: Option<Generation>,
    profile: ProfileArgs,
}

impl Setting {
    fn campaign(self, seed: u64, record: &RunOptions) -> Result<Campaign, Failure> {
        let arguments = GeneratorArgs {
            family: match Family::from(self.family) {
                Family::Tensor => FamilyChoice::Tensor,
                Family::Vector => FamilyChoice::Vector,
            },
            ops: Vec::new(),
            near_valid: None,
            generations: self.generation.iter().map(|it| it.name().to_owned()).collect(),
            profile: self.profile,
            data: None,
            naive: false,
        };
        let selection = arguments.selection()?;
        let options = selection.options;
        Ok(Campaign {
            name: self.name,
            family: self.family,
            seed,
            ops: selection.ops,
            record: RunOptions {
                families: vec![self.family.name()],
                generations: options.generations.iter().map(|it| it.name()).collect(),
                near_valid: options.near_valid,
                profile: ProfileRecord(options.profile),
                ..record.clone()
            },
            options,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_has_a_line() {
        let lines: Vec<&str> = READERS.iter().map(|(key, _)| *key).collect();
        assert_eq!(lines, Profile::SWITCHES);
    }

    #[test]
    fn values_of_no_preset_are_found() {
        let found: Vec<String> =
            beyond_presets().map(|(key, value)| format!("{key}={value}")).collect();
        for missing in
            ["la_fresh=base", "fp8_overflow=saturate", "fp32r_fraction=10", "fp32r_fraction=23"]
        {
            assert!(found.contains(&missing.to_owned()), "{missing} not in {found:?}");
        }
        assert!(!found.contains(&"rb_tie=union".to_owned()), "val05 has it");
    }
}

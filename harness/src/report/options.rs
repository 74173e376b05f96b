//! The options of a run as the summary records them, and the command line that makes one of its cases
//! again. The number of jobs and the report's folder are left out: a summary does not depend on them.

use crate::campaign::Shard;
use crate::compare::{NanPolicy, Policy};
use crate::family::Family;
use crate::generate::{CaseSeed, Options};
use crate::report::words::{self, Word};
use contract::profile::Profile;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Options that a run's outcome depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Families that were enabled.
    #[serde(deserialize_with = "words::families")]
    pub families: Vec<Word>,
    /// `--op` patterns; empty for every op.
    pub ops: Vec<String>,
    /// Generated cases asked for, over all shards; of each campaign, for a night.
    pub cases: Option<u64>,
    /// Seconds asked for.
    pub time: Option<f64>,
    /// Generations that cases were drawn from.
    #[serde(deserialize_with = "words::generations")]
    pub generations: Vec<Word>,
    /// Share of near-valid cases.
    pub near_valid: f64,
    /// `--naive`
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub naive: bool,
    /// Every switch with its value.
    pub profile: ProfileRecord,
    /// Presets of the campaigns of a night; its phases say the switches of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<String>,
    /// `--candidate`
    pub candidate: String,
    /// `--fault`
    pub fault: Option<String>,
    /// `--fp-order`
    #[serde(deserialize_with = "words::policy")]
    pub fp_order: Word,
    /// `--nan`
    #[serde(deserialize_with = "words::policy")]
    pub nan: Word,
    /// `--shard`
    pub shard: String,
    /// `--until-coverage`, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_coverage: Option<f64>,
    /// `--data`
    pub data: Option<String>,
    /// False with `--no-minimise`.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub minimise: bool,
}

const fn yes() -> bool {
    true
}

/// Every switch of a profile, as an object in the order of spec 06.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileRecord(pub Profile);

impl Serialize for ProfileRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Profile::SWITCHES.len()))?;
        for &switch in Profile::SWITCHES {
            map.serialize_entry(switch, self.0.get(switch).unwrap_or_default())?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ProfileRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut profile = Profile::default();
        for (switch, value) in BTreeMap::<String, String>::deserialize(deserializer)? {
            profile.set(&switch, &value).map_err(serde::de::Error::custom)?;
        }
        Ok(Self(profile))
    }
}

/// Name of a NaN policy on the command line.
pub const fn nan_name(policy: Policy) -> &'static str {
    match policy.nan {
        NanPolicy::Exact => "exact",
        NanPolicy::Any => "any",
    }
}

/// Text of a shard on the command line.
pub fn shard_name(shard: Shard) -> String {
    format!("{}/{}", shard.index, shard.count)
}

impl RunOptions {
    /// The command that generates and compares one case again.
    pub fn reproduction(&self, family: Family, seed: CaseSeed) -> String {
        format!("q7diff replay --case-seed {seed} --family {family}")
            + &self.generator_arguments()
            + &self.comparison_arguments()
    }

    /// Arguments that say what is generated, where they are not the default.
    fn generator_arguments(&self) -> String {
        let mut line = String::new();
        let default = Options::default();
        // Writing to a string cannot fail.
        if !self.ops.is_empty() {
            let _ = write!(line, " --op '{}'", self.ops.join(","));
        }
        let all: Vec<&str> = default.generations.iter().map(|g| g.name()).collect();
        if self.generations != all {
            let _ = write!(line, " --generation {}", self.generations.join(","));
        }
        if self.near_valid != default.near_valid {
            let _ = write!(line, " --near-valid {}", self.near_valid);
        }
        if self.naive {
            line.push_str(" --naive");
        }
        if let Some(data) = &self.data {
            let _ = write!(line, " --data '{data}'");
        }
        for (switch, value) in self.profile.0.non_default() {
            let _ = write!(line, " --set {switch}={value}");
        }
        line
    }

    /// The command that does the whole run again. `cases` is what the run got to; it stands for a time
    /// budget and for the budget of an interrupted run, whose own number says nothing.
    pub fn command(&self, seed: u64, cases: u64, interrupted: bool) -> String {
        if self.is_night() {
            return self.night_command(seed);
        }
        let mut line = format!("q7diff run --seed {seed}");
        let generated: Vec<&str> = Family::generated().into_iter().map(Family::name).collect();
        // Writing to a string cannot fail.
        if self.families != generated {
            let _ = write!(line, " --family {}", self.families.join(","));
        }
        let shards = self.shard.rsplit('/').next().and_then(|count| count.parse().ok());
        let cases = match self.cases {
            Some(cases) if !interrupted && self.time.is_none() => cases,
            _ => cases.saturating_mul(shards.unwrap_or(1)),
        };
        let _ = write!(line, " --cases {cases}");
        line += &self.generator_arguments();
        if shards != Some(1) {
            let _ = write!(line, " --shard {}", self.shard);
        }
        if let Some(percent) = self.until_coverage {
            let _ = write!(line, " --until-coverage {percent}%");
        }
        if !self.minimise {
            line += " --no-minimise";
        }
        line + &self.comparison_arguments()
    }

    /// True for a night. Its cases depend on the options of their phases, not on these.
    pub fn is_night(&self) -> bool {
        !self.presets.is_empty()
    }

    fn night_command(&self, seed: u64) -> String {
        let budget = match (self.cases, self.time) {
            (Some(cases), _) => format!(" --cases {cases}"),
            (None, Some(seconds)) => format!(" --budget {seconds}s"),
            (None, None) => String::new(),
        };
        format!("q7diff nightly --seed {seed}{budget}") + &self.comparison_arguments()
    }

    /// The command that replays a case from a file.
    pub fn reproduction_of_file(&self, file: &str) -> String {
        format!("q7diff replay '{file}'{}", self.comparison_arguments())
    }

    /// Arguments that choose model and policy, where they are not the default.
    fn comparison_arguments(&self) -> String {
        let mut line = String::new();
        if self.candidate != "builtin" {
            let _ = write!(line, " --candidate '{}'", self.candidate);
        }
        if let Some(fault) = &self.fault {
            let _ = write!(line, " --fault {fault}");
        }
        if self.fp_order != "exact" {
            let _ = write!(line, " --fp-order {}", self.fp_order);
        }
        if self.nan != "exact" {
            let _ = write!(line, " --nan {}", self.nan);
        }
        line
    }
}

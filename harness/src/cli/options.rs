//! Arguments that several commands share, and what they mean.

use super::failure::Failure;
use crate::campaign::family_of;
use crate::compare::{Comparator, FpOrder, NanPolicy, Policy};
use crate::corpus::read_text;
use crate::family::{Family, Op, select_ops};
use crate::faults;
use crate::generate::{self, CaseSeed, DataSource, Generated, Generator, Options};
use crate::models::{self, SharedFactory};
use clap::{Args, ValueEnum};
use contract::isa::{Generation, Mnemonic};
use contract::nearest::nearest;
use contract::profile::Profile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `--family`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FamilyChoice {
    /// Tensor programs.
    Tensor,
    /// Vector-unit programs.
    Vector,
    /// Every family.
    All,
}

/// `--fp-order`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FpOrderChoice {
    /// Bit for bit.
    Exact,
    /// Sums and products in another order, within the proven bound.
    Reassociated,
}

/// `--nan`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NanChoice {
    /// Bit for bit.
    Exact,
    /// Any two NaNs are equal.
    Any,
}

/// Which models, compared how.
#[derive(Debug, Clone, Args)]
pub struct ModelArgs {
    /// Model under test: builtin or oracle (self-check)
    #[arg(long, value_name = "SPEC", default_value = "builtin")]
    pub candidate: String,
    /// Plant a misreading in the built-in candidate
    #[arg(long, value_name = "NAME")]
    pub fault: Option<String>,
    /// How floating-point sums and products compare
    #[arg(long, value_enum, default_value_t = FpOrderChoice::Exact)]
    pub fp_order: FpOrderChoice,
    /// How NaNs compare
    #[arg(long, value_enum, default_value_t = NanChoice::Exact)]
    pub nan: NanChoice,
}

impl ModelArgs {
    /// The factory of the model under test.
    ///
    /// # Errors
    /// An unknown model or fault, or both at once.
    pub fn candidate(&self) -> Result<SharedFactory, Failure> {
        match &self.fault {
            None => Ok(models::select(&self.candidate)?),
            Some(_) if self.candidate != "builtin" => Err(Failure::input(
                "--fault plants a misreading in the built-in candidate; it takes no --candidate",
            )),
            Some(name) => Ok(faults::candidate_with(faults::by_name(name)?)),
        }
    }

    /// The comparator.
    ///
    /// # Errors
    /// A policy that this version does not have.
    pub fn comparator(&self) -> Result<Comparator, Failure> {
        if self.fp_order == FpOrderChoice::Reassociated {
            return Err(Failure::input(
                "--fp-order reassociated is not supported by this version yet",
            )
            .hint("leave it out to compare bit for bit"));
        }
        let nan = match self.nan {
            NanChoice::Exact => NanPolicy::Exact,
            NanChoice::Any => NanPolicy::Any,
        };
        Ok(Comparator { policy: Policy { nan, fp_order: FpOrder::Exact } })
    }
}

/// Switches of the profile.
#[derive(Debug, Clone, Args)]
pub struct ProfileArgs {
    /// Preset (seed, val05, vendor) or a JSON file of switches
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Change one switch, after the preset
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
}

impl ProfileArgs {
    /// The profile: preset or file, then the single switches, on top of `base`.
    ///
    /// # Errors
    /// An unknown preset, switch or value, or a file that cannot be read.
    pub fn apply(&self, base: Profile) -> Result<Profile, Failure> {
        let mut profile = match &self.profile {
            None => base,
            Some(name) if Profile::PRESETS.contains(&name.as_str()) => Profile::preset(name)?,
            Some(file) => profile_file(file)?,
        };
        for set in &self.sets {
            let Some((key, value)) = set.split_once('=') else {
                return Err(Failure::input(format!("--set: `{set}` is not KEY=VALUE")));
            };
            profile.set(key.trim(), value.trim())?;
        }
        Ok(profile)
    }
}

fn profile_file(file: &str) -> Result<Profile, Failure> {
    let path = Path::new(file);
    if !path.exists() {
        let failure = Failure::input(format!("--profile: `{file}` is neither a preset nor a file"));
        return Err(match nearest(file, Profile::PRESETS.iter().copied()) {
            Some(preset) => failure.hint(format!("did you mean `{preset}`?")),
            None => failure.hint(format!("presets: {}", Profile::PRESETS.join(", "))),
        });
    }
    let text = read_text(path)?;
    // The case form knows how to read a profile, so the file goes through an empty case.
    let object: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("{file}: not JSON: {error}")))?;
    let case = serde_json::json!({
        "version": 1, "kind": "tensor", "id": "", "generation": "mariana",
        "profile": object, "memory": [], "registers": {}, "program": [],
    });
    contract::json::case_from_value(&case)
        .map(|case| *case.profile())
        .map_err(|error| Failure::input(format!("{file}: {error}")))
}

/// Which cases are generated.
#[derive(Debug, Clone, Args)]
pub struct GeneratorArgs {
    /// Family of the cases
    #[arg(long, value_enum, default_value_t = FamilyChoice::All)]
    pub family: FamilyChoice,
    /// Ops: names, hex opcodes, mnemonics, globs
    #[arg(long = "op", value_name = "NAME,…", value_delimiter = ',')]
    pub ops: Vec<String>,
    /// Share of cases in which one step breaks a clause on purpose (0 to 1)
    #[arg(long, value_name = "P")]
    pub near_valid: Option<f64>,
    /// Generations to draw from
    #[arg(long = "generation", value_name = "G,…", value_delimiter = ',')]
    pub generations: Vec<String>,
    /// Switches
    #[command(flatten)]
    pub profile: ProfileArgs,
    /// Draw values from a .npy or .safetensors file
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Plain uniform cases, for comparison: nothing valid by construction, no bias
    #[arg(long)]
    pub naive: bool,
}

/// What [`GeneratorArgs`] mean.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Families to generate.
    pub families: Vec<generate::Family>,
    /// Ops to draw from, also those that are held to have been compared.
    pub ops: Vec<Op>,
    /// Options of the generators.
    pub options: Options,
}

impl GeneratorArgs {
    /// True if any of these options was given.
    pub fn is_given(&self) -> bool {
        self.family != FamilyChoice::All
            || !(self.ops.is_empty() && self.generations.is_empty())
            || !(self.profile.profile.is_none() && self.profile.sets.is_empty())
            || self.near_valid.is_some()
            || self.data.is_some()
            || self.naive
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// Whatever is unknown, out of range or unreadable.
    pub fn selection(&self) -> Result<Selection, Failure> {
        let families: Vec<generate::Family> = match self.family {
            FamilyChoice::All => generate::Family::ALL.to_vec(),
            FamilyChoice::Tensor => vec![generate::Family::Tensor],
            FamilyChoice::Vector => vec![generate::Family::Vector],
        };
        let named: Vec<Family> = families.iter().map(|&family| family.into()).collect();
        let ops = select_ops(&named, &self.ops)?;
        let mut options = Options::default();
        if let Some(share) = self.near_valid {
            if !(0.0..=1.0).contains(&share) {
                return Err(Failure::input(format!("--near-valid: {share} is not in 0..=1")));
            }
            options.near_valid = share;
        }
        options.naive = self.naive;
        options.generations = self.generations()?;
        options.profile = self.profile.apply(Profile::default())?;
        options.tensor.opcodes = ops
            .iter()
            .filter_map(|op| match op {
                Op::Tensor(opcode) => Some(*opcode),
                Op::Vector(_) => None,
            })
            .collect();
        // Without `--op` the generator has its own choice: every op but those that the spec keeps out.
        if !self.ops.is_empty() {
            options.vector.ops = vector_ops(&ops);
        }
        if let Some(file) = &self.data {
            options.data = Some(Arc::new(DataSource::open(file)?));
        }
        // A family of which no op was chosen has nothing to do.
        let families = families
            .into_iter()
            .filter(|&family| ops.iter().any(|op| op.family() == family.into()))
            .collect();
        Ok(Selection { families, ops, options })
    }

    fn generations(&self) -> Result<Vec<Generation>, Failure> {
        if self.generations.is_empty() {
            return Ok(Generation::ALL.to_vec());
        }
        let mut chosen = Vec::new();
        for name in &self.generations {
            chosen.push(parse_generation(name)?);
        }
        Ok(Generation::ALL.iter().copied().filter(|known| chosen.contains(known)).collect())
    }
}

/// The vector mnemonics among ops.
pub fn vector_ops(ops: &[Op]) -> Vec<Mnemonic> {
    ops.iter()
        .filter_map(|op| match op {
            Op::Vector(mnemonic) => Some(*mnemonic),
            Op::Tensor(_) => None,
        })
        .collect()
}

/// The generation of a name.
///
/// # Errors
/// The name, with the nearest known one.
pub fn parse_generation(name: &str) -> Result<Generation, Failure> {
    Generation::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Generation::ALL.iter().map(|known| known.name()).collect();
        let failure = Failure::input(format!(
            "--generation: no generation is called `{name}` (known: {})",
            known.join(", ")
        ));
        match nearest(name, known) {
            Some(known) => failure.hint(format!("did you mean `{known}`?")),
            None => failure,
        }
    })
}

/// Reads a seed: decimal, or hexadecimal after `0x`.
///
/// # Errors
/// A sentence for the command line.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    let text = text.replace('_', "");
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    }
    .map_err(|error| format!("{error} (a seed is a 64-bit number, decimal or 0x hex)"))
}

/// Where the corpus is.
#[derive(Debug, Clone, Args)]
pub struct CorpusArgs {
    /// Corpus folder; else $Q7DIFF_CORPUS, else ./corpus
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
}

/// Makes the cases of a campaign one after the other, as the campaign itself does.
pub struct CaseStream {
    generator: Generator,
    families: Vec<generate::Family>,
    seed: u64,
}

impl CaseStream {
    /// The cases of a campaign seed.
    pub fn new(selection: &Selection, seed: u64) -> Self {
        Self {
            generator: Generator::new(selection.options.clone()),
            families: selection.families.clone(),
            seed,
        }
    }

    /// The case with this index, into a reused place.
    pub fn case(&mut self, index: u64, out: &mut Generated) -> CaseSeed {
        let seed = CaseSeed::of(self.seed, index);
        let family = self.families[family_of(self.seed, index, self.families.len())];
        self.generator.seeded(family, seed, out);
        seed
    }
}

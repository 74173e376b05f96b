//! Generalising: from one minimal case to a statement of all the cases around it. Each *property* of
//! the case (a field, a value, a lane, the generation …) is set to other values while everything else
//! stays; the values after which the divergence still shows make a [`Finding`], and the findings make
//! one line of text. Properties vary one at a time, so the line says what each alone may be, not which
//! combinations may.

mod finding;
mod samples;
mod tensor;
mod vector;

pub use finding::{Finding, Scale, Value, sum_up};

use super::edit::Edit;
use super::search::{Search, Subject};
use super::{Interest, MinimiseError, OnProgress};
use contract::case::{Case, TensorCase, VectorCase};
use contract::profile::Profile;
use finding::Phrase;
use std::collections::BTreeSet;
use std::fmt;

/// Evaluations that a generalisation may take unless told otherwise.
pub const DEFAULT_BUDGET: usize = 5_000;

/// Values that a field allows at most if they are to say something of the cause.
const MOST_TIED: usize = 8;

/// Operators and element types that a minimised case has unless it needs others.
const PREFERRED: [&str; 3] = ["Bypass", "Add", "FP32"];

/// What a property is, for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Says something whatever comes out.
    Telling,
    /// A mnemonic; as telling.
    Mnemonic,
    /// The operator of a tensor instruction; as telling.
    Operator,
    /// An element type of a tensor instruction; as telling.
    Dtype,
    /// Holds its ordinary value; says something only if it may hold others.
    Ordinary,
    /// Of no matter to most cases; says something only if it may not vary.
    Background,
    /// Several properties together; says something only if each of that many properties before it is
    /// pinned.
    Joint(usize),
    /// The value of one element or lane.
    Element,
}

/// One property and what was found about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The property (`op1`, `channel count`, `src element 0`, …).
    pub subject: String,
    /// Kind of property.
    pub kind: Kind,
    /// The value in the case, as printed.
    pub current: String,
    /// For which values the divergence stays.
    pub finding: Finding,
    /// Labels of those values, the case's own included.
    pub holds: Vec<String>,
    /// Values judged, the case's own included.
    pub tried: usize,
}

impl Fact {
    /// Subject and finding as the line says them. Of mnemonics only those with the same operands are
    /// tried, so few are named and many are not called any.
    fn in_words(&self) -> (String, Finding) {
        let (subject, finding) = (self.subject.clone(), self.finding.clone());
        match self.kind {
            Kind::Mnemonic if finding::is_short(&self.holds) => {
                (subject, Finding::Only(self.holds.clone()))
            }
            Kind::Mnemonic => (format!("{subject} with these operands"), finding),
            _ => (subject, finding),
        }
    }

    /// True if the property has no other value.
    fn is_pinned(&self) -> bool {
        matches!(&self.finding, Finding::Only(values) if values.len() == 1)
    }
}

/// What may vary around a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Generalisation {
    /// A fact for every property with at least two values to try.
    pub facts: Vec<Fact>,
    /// Cases judged, the case itself included.
    pub evaluations: usize,
    /// True if the budget ended the run; later properties are missing.
    pub exhausted_budget: bool,
    /// True if the callback ended the run; later properties are missing.
    pub interrupted: bool,
}

impl Generalisation {
    /// The fact about this property.
    pub fn fact(&self, subject: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.subject == subject)
    }
}

/// One line: what may be anything, then what is needed, then elements.
impl fmt::Display for Generalisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phrase = |fact: &Fact| {
            let (subject, finding) = fact.in_words();
            Phrase { subject: &subject, finding: &finding }.to_string()
        };
        let told: Vec<_> = self.told().filter(|fact| fact.kind != Kind::Element).collect();
        let any = told.iter().filter(|fact| fact.in_words().1 == Finding::Any);
        let any: Vec<_> = any.map(|fact| fact.in_words().0).collect();
        let mut free: Vec<_> = match &any[..] {
            [] => Vec::new(),
            [one] => vec![format!("any {one}")],
            [others @ .., last] => vec![format!("any {} and {last}", others.join(", "))],
        };
        let (partly, needed): (Vec<_>, Vec<_>) = told
            .into_iter()
            .filter(|fact| fact.in_words().1 != Finding::Any)
            .partition(|fact| is_free(&fact.in_words().1));
        free.extend(partly.into_iter().map(phrase));
        let needed = said_once(needed.into_iter().map(phrase));
        let mut parts: Vec<_> = [free, needed]
            .iter()
            .filter(|group| !group.is_empty())
            .map(|group| group.join(", "))
            .collect();
        let runs = self.element_runs();
        let free = runs.iter().filter(|(_, finding)| **finding == Finding::Any);
        let mut elements: Vec<_> = free.map(|(subject, _)| subject.clone()).collect();
        if let Some(last) = elements.last_mut() {
            last.push_str(" free");
        }
        let bound = runs.iter().filter(|(_, finding)| **finding != Finding::Any);
        elements.extend(said_once(
            bound.map(|(subject, finding)| Phrase { subject, finding }.to_string()),
        ));
        if !elements.is_empty() {
            parts.push(elements.join(", "));
        }
        if parts.is_empty() {
            parts.push("nothing may vary".to_owned());
        }
        f.write_str(&parts.join("; "))?;
        if self.exhausted_budget || self.interrupted {
            f.write_str(" (incomplete)")?;
        }
        Ok(())
    }
}

/// Phrases of which those that begin with `needs` say so once.
fn said_once(phrases: impl Iterator<Item = String>) -> Vec<String> {
    let mut said = false;
    let short = phrases.map(|phrase| match phrase.strip_prefix("needs ") {
        Some(rest) if std::mem::replace(&mut said, true) => rest.to_owned(),
        _ => phrase,
    });
    short.collect()
}

impl Generalisation {
    /// The facts that the line mentions.
    fn told(&self) -> impl Iterator<Item = &Fact> {
        let facts = self.facts.iter().enumerate();
        let told = facts.filter(|(at, fact)| match fact.kind {
            Kind::Telling | Kind::Mnemonic | Kind::Operator | Kind::Dtype | Kind::Element => true,
            Kind::Ordinary => !fact.is_pinned(),
            Kind::Background => fact.finding != Finding::Any,
            Kind::Joint(parts) => {
                let before = &self.facts[at.saturating_sub(parts)..*at];
                before.iter().all(Fact::is_pinned) && !fact.is_pinned()
            }
        });
        told.map(|(_, fact)| fact)
    }

    /// The operators and element types without which a tensor case shows nothing, but for those that the
    /// minimiser prefers: `Max`, `to.BF16`, `from.INT8`.
    pub fn needs(&self) -> BTreeSet<String> {
        let pinned = self.facts.iter().filter(|fact| {
            matches!(fact.kind, Kind::Operator | Kind::Dtype)
                && fact.is_pinned()
                && !PREFERRED.contains(&fact.current.as_str())
        });
        let named = pinned.map(|fact| match fact.subject.rsplit(' ').next() {
            Some("out_dtype") => format!("to.{}", fact.current),
            Some("in_dtype") => format!("from.{}", fact.current),
            _ => fact.current.clone(),
        });
        named.collect()
    }

    /// What a case of the same cause is likely to have in common with this one: the mnemonics that may
    /// stand in the place of `op`; of a tensor case the operators of a field that allows few, else the
    /// element types of one that does.
    pub fn ties(&self, op: &str) -> BTreeSet<String> {
        let few = |fact: &&Fact| fact.holds.len() <= MOST_TIED && fact.holds.len() < fact.tried;
        let of = |kind: Kind| self.facts.iter().filter(move |fact| fact.kind == kind);
        let labels = |facts: Vec<&Fact>| -> BTreeSet<String> {
            facts.into_iter().flat_map(|fact| fact.holds.iter().cloned()).collect()
        };
        let mnemonics = labels(of(Kind::Mnemonic).filter(|fact| fact.current == op).collect());
        if !mnemonics.is_empty() {
            return mnemonics;
        }
        let operators = labels(of(Kind::Operator).filter(few).collect());
        if !operators.is_empty() {
            return operators;
        }
        let dtypes = of(Kind::Dtype).filter(few);
        dtypes
            .flat_map(|fact| fact.holds.iter().map(|name| format!("{}.{name}", fact.subject)))
            .collect()
    }

    /// Elements and what was found about them; neighbours with the same finding are one.
    fn element_runs(&self) -> Vec<(String, &Finding)> {
        let mut runs: Vec<(String, &Finding)> = Vec::new();
        // Subject without its number, first and last number of the run that stands last.
        let mut open: Option<(&str, u64, u64)> = None;
        for fact in self.facts.iter().filter(|fact| fact.kind == Kind::Element) {
            let number = fact
                .subject
                .rsplit_once(' ')
                .and_then(|(name, number)| Some((name, number.parse::<u64>().ok()?)));
            open = match (number, open, runs.last_mut()) {
                (Some((name, number)), Some((before, first, last)), Some((subject, finding)))
                    if name == before && number == last + 1 && **finding == fact.finding =>
                {
                    *subject = format!("{name}s {first} to {number}");
                    Some((name, first, number))
                }
                _ => {
                    runs.push((fact.subject.clone(), &fact.finding));
                    number.map(|(name, number)| (name, number, number))
                }
            };
        }
        runs
    }
}

fn is_free(finding: &Finding) -> bool {
    matches!(finding, Finding::Any | Finding::AllBut(_) | Finding::Since(_) | Finding::Until(_))
}

/// One value to try: the ways to give it to the case, of which one has to keep the divergence.
struct Trial<'a, C> {
    value: Value,
    ways: Vec<Edit<'a, C>>,
}

/// A property and the values to try.
struct Property<'a, C> {
    subject: String,
    kind: Kind,
    scale: Scale,
    /// The value in the case. Its place among the trials keeps the order of ages.
    current: Value,
    trials: Vec<Trial<'a, C>>,
}

/// A kind of case that can be generalised.
trait Varied: Subject {
    /// Gives the case what its properties are about, where the reader of cases would fill it in.
    fn furnish(&mut self) {}

    /// Its properties, most telling first.
    fn properties(&self) -> Vec<Property<'_, Self>>;
}

impl Varied for TensorCase {
    fn furnish(&mut self) {
        tensor::furnish(self);
    }

    fn properties(&self) -> Vec<Property<'_, Self>> {
        tensor::properties(self)
    }
}

impl Varied for VectorCase {
    fn properties(&self) -> Vec<Property<'_, Self>> {
        vector::properties(self)
    }
}

/// Finds what may vary around a case while it shows the divergence with this signature. Made for
/// minimised cases; on others it says less and takes longer.
///
/// # Errors
/// See [`MinimiseError`].
pub fn generalise<I: Interest>(
    case: &Case,
    wanted: &I::Signature,
    interest: &mut I,
    budget: usize,
    progress: OnProgress<'_>,
) -> Result<Generalisation, MinimiseError> {
    let search = Search::new(interest, wanted.clone(), budget, progress);
    match case {
        Case::Tensor(case) => run(case, search),
        Case::Vector(case) => run(case, search),
    }
}

fn run<C: Varied, I: Interest>(
    case: &C,
    mut search: Search<'_, I>,
) -> Result<Generalisation, MinimiseError> {
    let mut case = search.check(case)?;
    search.set_pass("generalise");
    let mut furnished = case.clone();
    furnished.furnish();
    let weighs_more = furnished.weight() != case.weight();
    if weighs_more && furnished.is_well_formed() && search.evaluate(&furnished.clone().wrap()) {
        case = furnished;
    }
    let mut facts = Vec::new();
    for property in case.properties() {
        let Property { subject, kind, scale, current, trials } = property;
        let mut judged = Vec::new();
        for Trial { value, ways } in trials {
            if value.label == current.label {
                judged.push((value, true));
            } else if let Some(stays) = judge(&case, ways, &mut search) {
                judged.push((value, stays));
            }
        }
        if search.stopped() {
            break;
        }
        if judged.iter().all(|(value, _)| value.label != current.label) {
            judged.insert(0, (current.clone(), true));
        }
        if judged.len() > 1 {
            let finding = sum_up(scale, &judged);
            let (current, tried) = (current.label, judged.len());
            let kept = judged.into_iter().filter(|(_, stays)| *stays);
            let holds = kept.map(|(value, _)| value.label).collect();
            facts.push(Fact { subject, kind, current, finding, holds, tried });
        }
    }
    Ok(Generalisation {
        facts,
        evaluations: search.evaluations(),
        exhausted_budget: search.exhausted_budget(),
        interrupted: search.stopped() && !search.exhausted_budget(),
    })
}

/// True if one of the ways keeps the divergence; `None` if none makes a case that can be written.
fn judge<C: Varied, I: Interest>(
    case: &C,
    ways: Vec<Edit<'_, C>>,
    search: &mut Search<'_, I>,
) -> Option<bool> {
    let mut judged = None;
    for way in ways {
        let mut other = case.clone();
        way(&mut other);
        other.normalise();
        if !other.is_well_formed() || search.stopped() {
            continue;
        }
        let stays = search.evaluate(&other.wrap());
        judged = Some(stays);
        if stays {
            break;
        }
    }
    judged
}

/// Every switch, as a property of either kind of case.
fn switches<'a, C: 'a>(profile: Profile, of: fn(&mut C) -> &mut Profile) -> Vec<Property<'a, C>> {
    let keys = Profile::SWITCHES.iter().filter_map(|&key| Some((key, profile.get(key)?)));
    keys.map(|(key, current)| {
        let values = Profile::values_of(key).unwrap_or_default();
        let trials = values.into_iter().map(|value| Trial {
            value: samples::name(value),
            ways: vec![super::edit::edit(move |case: &mut C| {
                // Cannot fail: key and value come from the table of switches.
                let _ = of(case).set(key, value);
            })],
        });
        Property {
            subject: key.to_owned(),
            kind: if current == default_of(key) { Kind::Background } else { Kind::Telling },
            scale: Scale::Names,
            current: samples::name(current),
            trials: trials.collect(),
        }
    })
    .collect()
}

fn default_of(key: &str) -> &'static str {
    Profile::default().get(key).unwrap_or_default()
}

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
use std::fmt;

/// Evaluations that a generalisation may take unless told otherwise.
pub const DEFAULT_BUDGET: usize = 5_000;

/// What a property is, for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Says something whatever comes out.
    Telling,
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
    /// Values judged, the case's own included.
    pub tried: usize,
}

impl Fact {
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
        let phrase =
            |fact: &Fact| Phrase { subject: &fact.subject, finding: &fact.finding }.to_string();
        let told: Vec<_> = self.told().filter(|fact| fact.kind != Kind::Element).collect();
        let any = told.iter().filter(|fact| fact.finding == Finding::Any);
        let any: Vec<_> = any.map(|fact| fact.subject.as_str()).collect();
        let mut free: Vec<_> = match &any[..] {
            [] => Vec::new(),
            [one] => vec![format!("any {one}")],
            [others @ .., last] => vec![format!("any {} and {last}", others.join(", "))],
        };
        let (partly, needed): (Vec<_>, Vec<_>) = told
            .into_iter()
            .filter(|fact| fact.finding != Finding::Any)
            .partition(|fact| is_free(&fact.finding));
        free.extend(partly.into_iter().map(phrase));
        let needed: Vec<_> = needed.into_iter().map(phrase).collect();
        let mut parts: Vec<_> = [free, needed]
            .iter()
            .filter(|group| !group.is_empty())
            .map(|group| group.join(", "))
            .collect();
        let free: Vec<_> = self.elements().filter(|fact| fact.finding == Finding::Any).collect();
        let mut elements: Vec<_> = free.iter().map(|fact| fact.subject.clone()).collect();
        if let Some(last) = elements.last_mut() {
            last.push_str(" free");
        }
        let bound = self.elements().filter(|fact| fact.finding != Finding::Any);
        elements.extend(bound.map(phrase));
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

impl Generalisation {
    /// The facts that the line mentions.
    fn told(&self) -> impl Iterator<Item = &Fact> {
        let facts = self.facts.iter().enumerate();
        let told = facts.filter(|(at, fact)| match fact.kind {
            Kind::Telling | Kind::Element => true,
            Kind::Ordinary => !fact.is_pinned(),
            Kind::Background => fact.finding != Finding::Any,
            Kind::Joint(parts) => {
                let before = &self.facts[at.saturating_sub(parts)..*at];
                before.iter().all(Fact::is_pinned) && !fact.is_pinned()
            }
        });
        told.map(|(_, fact)| fact)
    }

    fn elements(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.kind == Kind::Element)
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
            facts.push(Fact { subject, kind, current, finding, tried });
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

//! What trials of one property add up to. The rules are tried from the strongest statement down; each
//! speaks of the values that were tried, and holds for all of them.

use std::fmt;

/// A value of a property, tried or to be tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// As printed.
    pub label: String,
    /// As a number, for properties that are numbers; NaN where the value is none.
    pub number: f64,
}

/// How the values of a property relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Names without an order.
    Names,
    /// Names from old to new.
    Ages,
    /// Numbers.
    Numbers,
}

/// For which of the tried values the divergence stays.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// For all.
    Any,
    /// For odd numbers.
    Odd,
    /// For even numbers.
    Even,
    /// For numbers that are not zero.
    NonZero,
    /// For numbers below zero.
    Negative,
    /// For numbers above zero.
    Positive,
    /// For this number and above.
    AtLeast(f64),
    /// For this number and below.
    AtMost(f64),
    /// From this member on.
    Since(String),
    /// Up to this member.
    Until(String),
    /// For all but these.
    AllBut(Vec<String>),
    /// For these alone.
    Only(Vec<String>),
}

/// A statement about numbers, and the finding that it is.
type Rule = (fn(f64) -> bool, Finding);

/// Sums up trials: every value that was judged, and whether the divergence stayed. The value of the
/// case itself is among them.
pub fn sum_up(scale: Scale, trials: &[(Value, bool)]) -> Finding {
    let labels = |wanted: bool| -> Vec<String> {
        let picked = trials.iter().filter(|(_, stays)| *stays == wanted);
        picked.map(|(value, _)| value.label.clone()).collect()
    };
    let (kept, lost) = (labels(true), labels(false));
    if lost.is_empty() {
        return Finding::Any;
    }
    if kept.len() < 2 {
        return Finding::Only(kept);
    }
    let found = match scale {
        Scale::Names => None,
        Scale::Ages => ages(trials),
        Scale::Numbers => numbers(trials),
    };
    found.unwrap_or(if lost.len() < kept.len() {
        Finding::AllBut(lost)
    } else {
        Finding::Only(kept)
    })
}

fn ages(trials: &[(Value, bool)]) -> Option<Finding> {
    let boundary = trials.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
    let (first, last) = (trials.first()?, trials.last()?);
    let at = |wanted: bool| trials.iter().position(|(_, stays)| *stays == wanted);
    match (boundary, first.1, last.1) {
        (1, false, true) => at(true).map(|at| Finding::Since(trials[at].0.label.clone())),
        (1, true, false) => at(false).map(|at| Finding::Until(trials[at - 1].0.label.clone())),
        _ => None,
    }
}

fn numbers(trials: &[(Value, bool)]) -> Option<Finding> {
    let rules: [Rule; 5] = [
        (|number| number % 2.0 == 1.0 || number % 2.0 == -1.0, Finding::Odd),
        (|number| number % 2.0 == 0.0, Finding::Even),
        (|number| number != 0.0, Finding::NonZero),
        (|number| number < 0.0, Finding::Negative),
        (|number| number > 0.0, Finding::Positive),
    ];
    let holds = |rule: &dyn Fn(f64) -> bool| {
        trials.iter().all(|(value, stays)| rule(value.number) == *stays)
    };
    if let Some((_, finding)) = rules.into_iter().find(|(rule, _)| holds(rule)) {
        return Some(finding);
    }
    let kept = trials.iter().filter(|(_, stays)| *stays).map(|(value, _)| value.number);
    let low = kept.clone().fold(f64::INFINITY, f64::min);
    let high = kept.fold(f64::NEG_INFINITY, f64::max);
    if holds(&|number| number >= low) {
        Some(Finding::AtLeast(low))
    } else if holds(&|number| number <= high) {
        Some(Finding::AtMost(high))
    } else {
        None
    }
}

/// Values printed of a list before it is cut short.
const MOST_LISTED: usize = 6;

/// True if a list of values is printed whole.
pub(super) fn is_short(values: &[String]) -> bool {
    values.len() <= MOST_LISTED + 1
}

/// A list of values, cut short.
fn list(f: &mut fmt::Formatter<'_>, values: &[String]) -> fmt::Result {
    let shown = if is_short(values) { values.len() } else { MOST_LISTED };
    f.write_str(&values[..shown].join(", "))?;
    if shown < values.len() {
        write!(f, " and {} more", values.len() - shown)?;
    }
    Ok(())
}

/// `a, b or c`.
fn one_of(values: &[String]) -> String {
    match values {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => values.concat(),
    }
}

/// The finding as a phrase about `subject`.
pub(super) struct Phrase<'a> {
    pub subject: &'a str,
    pub finding: &'a Finding,
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, finding } = self;
        match finding {
            Finding::Any => write!(f, "any {subject}"),
            Finding::Odd => write!(f, "needs an odd {subject}"),
            Finding::Even => write!(f, "needs an even {subject}"),
            Finding::NonZero => write!(f, "needs {subject} other than 0"),
            Finding::Negative => write!(f, "needs {subject} below 0"),
            Finding::Positive => write!(f, "needs {subject} above 0"),
            Finding::AtLeast(number) => write!(f, "needs {subject} of at least {number}"),
            Finding::AtMost(number) => write!(f, "needs {subject} of at most {number}"),
            Finding::Since(name) => write!(f, "any {subject} from {name} on"),
            Finding::Until(name) => write!(f, "any {subject} up to {name}"),
            Finding::AllBut(values) => {
                write!(f, "any {subject} but ")?;
                list(f, values)
            }
            Finding::Only(values) if !is_short(values) => {
                let first = values[..MOST_LISTED].join(", ");
                write!(f, "needs one of {} {subject} ({first}, …)", values.len())
            }
            Finding::Only(values) => {
                let numbers = values.iter().all(|value| value.parse::<f64>().is_ok());
                let sign = if numbers { "= " } else { "" };
                write!(f, "needs {subject} {sign}{}", one_of(values))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: f64) -> Value {
        Value { label: number.to_string(), number }
    }

    fn found(rule: impl Fn(f64) -> bool, numbers: &[f64]) -> Finding {
        let trials: Vec<_> = numbers.iter().map(|&n| (number(n), rule(n))).collect();
        sum_up(Scale::Numbers, &trials)
    }

    #[test]
    fn numbers_give_the_strongest_statement() {
        let some = [0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 64.0];
        assert_eq!(found(|_| true, &some), Finding::Any);
        assert_eq!(found(|n| n % 2.0 != 0.0, &some), Finding::Odd);
        assert_eq!(found(|n| n % 2.0 == 0.0, &some), Finding::Even);
        assert_eq!(found(|n| n < 0.0, &some), Finding::Negative);
        assert_eq!(found(|n| n > 0.0, &some), Finding::Positive);
        assert_eq!(found(|n| n != 0.0, &some), Finding::NonZero);
        assert_eq!(found(|n| n >= 2.0, &some), Finding::AtLeast(2.0));
        assert_eq!(found(|n| n <= 1.0, &some), Finding::AtMost(1.0));
        assert_eq!(found(|n| n != 2.0, &some), Finding::AllBut(vec!["2".to_owned()]));
        assert_eq!(found(|n| n == 3.0, &some), Finding::Only(vec!["3".to_owned()]));
    }

    #[test]
    fn nan_breaks_no_order() {
        let some = [0.0, 1.0, -1.0, f64::NAN];
        assert_eq!(found(|n| n < 0.0, &[0.0, -2.0, -1.0, f64::NAN]), Finding::Negative);
        assert_eq!(
            found(|n| n.is_nan() || n > 0.0, &some),
            Finding::Only(vec!["1".to_owned(), "NaN".to_owned()])
        );
    }

    #[test]
    fn ages_give_a_beginning_or_an_end() {
        let value = |label: &str| Value { label: label.to_owned(), number: f64::NAN };
        let sum = |stays: [bool; 4]| {
            let names = ["a", "b", "c", "d"].map(value);
            sum_up(Scale::Ages, &names.into_iter().zip(stays).collect::<Vec<_>>())
        };
        assert_eq!(sum([false, true, true, true]), Finding::Since("b".to_owned()));
        assert_eq!(sum([true, true, false, false]), Finding::Until("b".to_owned()));
        assert_eq!(sum([true, false, true, true]), Finding::AllBut(vec!["b".to_owned()]));
    }

    #[test]
    fn phrases_read_as_english() {
        let phrase = |subject, finding| Phrase { subject, finding: &finding }.to_string();
        assert_eq!(phrase("op1", Finding::AllBut(vec!["Max".to_owned()])), "any op1 but Max");
        assert_eq!(phrase("channel count", Finding::Odd), "needs an odd channel count");
        assert_eq!(
            phrase("generation", Finding::Since("cayman".to_owned())),
            "any generation from cayman on"
        );
        let only =
            |values: &[&str]| Finding::Only(values.iter().map(|&it| it.to_owned()).collect());
        assert_eq!(phrase("op1", only(&["Add", "Max", "Min"])), "needs op1 Add, Max or Min");
        assert_eq!(phrase("element 0", only(&["17", "100"])), "needs element 0 = 17 or 100");
        assert_eq!(phrase("la_fresh", only(&["next"])), "needs la_fresh next");
        let many: Vec<_> = (0..20).map(|n| n.to_string()).collect();
        assert_eq!(phrase("imm", Finding::Only(many)), "needs one of 20 imm (0, 1, 2, 3, 4, 5, …)");
    }
}

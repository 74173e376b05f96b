//! Which signatures mean one cause. A fault shows in several ops, memories and registers; once cases are
//! minimised, what is left of each signature says what they have in common, and they share a group.

use super::Signature;
use super::class::{CARRIED, ROUNDED};
use crate::compare::Aspect;
use crate::family::{Op, TENSOR_OPS};
use std::collections::BTreeSet;

/// Op of a group that any op belongs to.
pub const ANY_OP: &str = "any";

/// Prefixes of mnemonics that name a family of ops with one rule (spec 04), the longest that fits first.
/// A mnemonic of no row stands for itself up to its element type.
const VECTOR_FAMILIES: &[&str] = &[
    "GATHERA", "GATHERD", "SCATTER", "SAPOS", "RBMAX", "RBMIN", "RADDS", "RADDU", "LALIGN",
    "SALIGN", "DSEL", "SHFL", "RADD", "RMAX", "RMIN", "SEL", "LSR", "LTR", "LA", "SA", "LV", "SV",
    "LS", "SS", "LB", "SB",
];

/// The family of an op, by the name that a signature has for it: the ops of one clause group, or of one
/// row of [`VECTOR_FAMILIES`].
pub fn op_family(op: &str) -> String {
    let names = |clauses: &str| -> Vec<String> {
        let rows = TENSOR_OPS.iter().filter(|row| row.clauses == clauses);
        rows.map(|row| Op::Tensor(row.opcode).name()).collect()
    };
    let own = TENSOR_OPS.iter().find(|row| Op::Tensor(row.opcode).name() == op);
    if let Some(row) = own {
        return names(row.clauses).iter().fold(op.to_owned(), |stem, name| common(&stem, name));
    }
    let mut families: Vec<String> = op.split('+').map(vector_family).collect();
    families.sort();
    families.dedup();
    families.join("+")
}

fn common(one: &str, other: &str) -> String {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).map(|(c, _)| c).collect()
}

fn vector_family(op: &str) -> String {
    if let Some(family) = VECTOR_FAMILIES.iter().find(|family| op.starts_with(**family)) {
        return (*family).to_owned();
    }
    // `ADDNX16T` is ADD on NX16; a name that begins otherwise (`0x4c`) stays whole.
    let end = op.find(|letter: char| letter.is_ascii_digit() || letter == '_').unwrap_or(op.len());
    let stem = op[..end].trim_end_matches('X').trim_end_matches('N');
    if stem.is_empty() || op.starts_with("0x") { op.to_owned() } else { stem.to_owned() }
}

/// Beginnings of the names of ops that address memory; what they leave in an address register is one rule
/// (spec 04 section 4).
const ADDRESSING: &[&str] = &["LA", "LB", "LS", "LV", "SA", "SB", "SS", "SV"];

/// The op that a verdict is named after: a clause of one instruction family is its own, any other cause
/// of a refusal is shared by all ops.
fn op_of_verdict(signature: &Signature) -> String {
    let about_family = TENSOR_OPS.iter().any(|row| {
        let clause = signature.class.strip_prefix("unreported-");
        let clause = clause.or_else(|| signature.class.strip_prefix("unfounded-"));
        clause.is_some_and(|clause| clause.starts_with(row.clauses))
    });
    if about_family { op_family(&signature.op) } else { ANY_OP.to_owned() }
}

/// A clause class without the prefix of its instruction family: `unreported-COUNT` of `unreported-TC-COUNT`,
/// with the prefix.
fn without_family(class: &str) -> Option<(String, &'static str)> {
    TENSOR_OPS.iter().find_map(|row| {
        let (direction, clause) = class.split_once('-')?;
        let rest = clause.strip_prefix(row.clauses)?;
        Some((format!("{direction}-{rest}"), row.clauses))
    })
}

/// The group of a clause that several instruction families have and that is misread in more than one.
fn shared_clause(signature: &Signature, all: &BTreeSet<Signature>) -> Option<(String, String)> {
    let (shared, family) = without_family(&signature.class)?;
    let elsewhere = |other: &Signature| {
        other.aspect == Aspect::Verdict
            && without_family(&other.class)
                .is_some_and(|(class, theirs)| class == shared && theirs != family)
    };
    all.iter().any(elsewhere).then(|| (ANY_OP.to_owned(), shared))
}

/// The group of a signature. `all` are the signatures of the whole run: a hazard that is one cycle short
/// for reads and for writes alike is one rule, not two.
pub fn group_of(signature: &Signature, all: &BTreeSet<Signature>) -> Signature {
    let (place, mark) = signature.class.split_once('+').unwrap_or((&signature.class, ""));
    let (op, class) = match signature.aspect {
        Aspect::Value => match (place, mark) {
            ("memory", ROUNDED) => (ANY_OP.to_owned(), format!("data+{ROUNDED}")),
            ("memory" | "accumulator", CARRIED) => {
                (op_family(&signature.op), format!("data+{CARRIED}"))
            }
            ("outside" | "region" | "kind" | "window" | "seeded", _) => {
                (op_family(&signature.op), place.to_owned())
            }
            ("ar", _) if ADDRESSING.iter().any(|stem| signature.op.starts_with(stem)) => {
                (ANY_OP.to_owned(), "address".to_owned())
            }
            _ => (op_family(&signature.op), "data".to_owned()),
        },
        Aspect::Verdict => shared_clause(signature, all)
            .unwrap_or_else(|| (op_of_verdict(signature), signature.class.clone())),
        Aspect::Schedule => match mark.split_once('.') {
            Some((hazard @ ("RAW" | "WAW"), by)) => {
                let same_rule = |other: &Signature| other.class.ends_with("+RAW.one");
                let hazard = if by == "one" && all.iter().any(same_rule) { "RAW" } else { hazard };
                (ANY_OP.to_owned(), format!("ISSUE+{hazard}"))
            }
            Some(_) => (ANY_OP.to_owned(), signature.class.clone()),
            None => (op_family(&signature.op), signature.class.clone()),
        },
    };
    Signature { aspect: signature.aspect, op, class }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_with_one_rule_are_one_family() {
        for (op, family) in [
            ("TensorScalarCacheReduce", "TensorScalarCache"),
            ("TensorScalarCacheCumulative", "TensorScalarCache"),
            ("TensorCumulativeBitvecOp", "TensorCumulative"),
            ("LAVN_2X32_XP", "LA"),
            ("SAPOS_FP", "SAPOS"),
            ("SELNX16I", "SEL"),
            ("RBMINUNX16", "RBMIN"),
            ("ADDNX16T", "ADD"),
            ("MULUSNX16", "MULUS"),
            ("MOVVV", "MOVVV"),
            ("0x4c", "0x4c"),
            ("ADDNX16+ADDN_2X32", "ADD"),
        ] {
            assert_eq!(op_family(op), family, "{op}");
        }
    }

    #[test]
    fn a_clause_that_several_families_have_is_one_group_where_both_misread_it() {
        let verdict = |op: &str, class: &str| Signature {
            aspect: Aspect::Verdict,
            op: op.to_owned(),
            class: class.to_owned(),
        };
        let scan = verdict("TensorCumulativeArithOp", "unreported-TC-COUNT");
        let cache = verdict("TensorScalarCacheReduce", "unreported-CR-COUNT");
        let both = [scan.clone(), cache.clone()].into_iter().collect();
        assert_eq!(group_of(&scan, &both).to_string(), "verdict-any-unreported-COUNT");
        assert_eq!(group_of(&scan, &both), group_of(&cache, &both));
        let alone = [scan.clone()].into_iter().collect();
        assert_eq!(
            group_of(&scan, &alone).to_string(),
            "verdict-TensorCumulative-unreported-TC-COUNT"
        );
    }

    #[test]
    fn a_short_distance_is_one_group_and_a_missing_hazard_another() {
        let stall = |mark: &str| Signature {
            aspect: Aspect::Schedule,
            op: ANY_OP.to_owned(),
            class: format!("ISSUE+{mark}"),
        };
        let group = |mark: &str, all: &[&str]| {
            group_of(&stall(mark), &all.iter().map(|mark| stall(mark)).collect()).class
        };
        let short = ["RAW.one", "WAW.one"];
        assert_eq!(group("RAW.one", &short), group("WAW.one", &short));
        let missing = ["WAW.more", "WAW.one"];
        assert_eq!(group("WAW.more", &missing), group("WAW.one", &missing));
        let both = ["RAW.one", "WAW.more", "WAW.one"];
        assert_ne!(group("RAW.one", &both), group("WAW.more", &both));
    }
}

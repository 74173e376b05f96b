//! Misread stages: a posting one off, missing or in another place (spec 05 sections 1 and 5). A row names
//! the ops by the beginning of their name, the posting, and the stage that it gets.

use super::schedule::{Rules, Twist};
use super::{Fault, Wrong};
use contract::isa::RegClass::{Ar, Pr, Valign, Vbool, Vec as Vector, Wvec};
use contract::isa::{Mnemonic, RegClass};
use contract::schedule::{Posting, Role};

const fn fault(
    name: &'static str,
    rewrite: fn(Mnemonic, &mut Vec<Posting>),
    story: &'static str,
    source: &'static str,
) -> Fault {
    let rules = Rules { rewrite, twist: Twist::None };
    Fault { name, story, source, wrong: Wrong::Schedule(rules) }
}

/// Moves the postings of a class and role from one stage to another, for ops whose name begins so.
fn moved(
    op: Mnemonic,
    postings: &mut [Posting],
    names: &[&str],
    (class, role): (RegClass, Role),
    (from, to): (u8, u8),
) {
    if names.iter().any(|name| op.name().starts_with(name)) {
        for posting in postings {
            if (posting.class, posting.role, posting.lat) == (class, role, from) {
                posting.lat = to;
            }
        }
    }
}

fn begins(op: Mnemonic, names: &[&str]) -> bool {
    names.iter().any(|name| op.name().starts_with(name))
}

const USE: Role = Role::Use;
const DEF: Role = Role::Def;

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "valign-def-10",
        |op, p| moved(op, p, &[""], (Valign, DEF), (9, 10)),
        "a load-side op has its align register ready at 10, like a loaded vector",
        "seed 004 section 2.2: LAT 9, one stage earlier than a plain load's 10",
    ),
    fault(
        "valign-use-10",
        |op, p| moved(op, p, &["LA"], (Valign, USE), (9, 10)),
        "an aligning load reads its align register at 10",
        "seed 004 section 2.3: the align register is used at 9",
    ),
    fault(
        "store-align-9",
        |op, p| {
            moved(op, p, &["SA"], (Valign, USE), (10, 9));
            moved(op, p, &["SA"], (Valign, DEF), (10, 9));
        },
        "the store side has its align register at 9, like the load side",
        "seed 004 section 2.4: the store-align register runs at 10",
    ),
    fault(
        "aligning-load-result-11",
        |op, p| moved(op, p, &["LA2", "LAN"], (Vector, DEF), (10, 11)),
        "an aligning load has its vector ready a stage later than a plain one",
        "seed 004 section 2.3: the destination at LAT 10, like a plain load",
    ),
    fault(
        "load-result-11",
        |op, p| moved(op, p, &["LV"], (Vector, DEF), (10, 11)),
        "a load has its vector ready at 11",
        "seed 004 section 2.2: a plain load's LAT-10 destination",
    ),
    fault(
        "ar-increment-def-4",
        |op, p| {
            if op.name() != "MOVI" {
                moved(op, p, &[""], (Ar, DEF), (1, 4));
            }
        },
        "a post-incremented base is ready at 4, like a scalar result",
        "spec 05 T-04: base use, index use and base def are all at 1",
    ),
    fault(
        "base-update-is-use",
        |op, p| {
            if op.name().ends_with("_IP") || op.name().ends_with("_XP") {
                p.iter_mut()
                    .filter(|posting| (posting.class, posting.role) == (Ar, DEF))
                    .for_each(|posting| posting.role = USE);
            }
        },
        "the second stamp of a post-incremented base is a use",
        "spec 05 T-04: the update (the seed's label is a slip)",
    ),
    fault(
        "sel-control-10",
        |op, p| moved(op, p, &["SEL", "DSEL"], (Vector, USE), (12, 10)),
        "SEL reads its control at 10, like its data",
        "seed 004 section 3.2: the control word at LAT 12",
    ),
    fault(
        "shfl-control-11",
        |op, p| moved(op, p, &["SHFL"], (Vector, USE), (12, 11)),
        "SHFL reads its control one stage early",
        "seed 004 section 3.2: the control word at LAT 12",
    ),
    fault(
        "crossbar-result-12",
        |op, p| moved(op, p, &["SEL", "SHFL", "DSEL"], (Vector, DEF), (10, 12)),
        "the crossbar has its result at 12, as the formal table says",
        "spec 05 T-03: result at 10 unless lat_crossbar says formal",
    ),
    fault(
        "crossbar-result-11",
        |op, p| moved(op, p, &["SEL", "SHFL", "DSEL"], (Vector, DEF), (10, 11)),
        "the crossbar has its result at 11, like the ALU",
        "seed 004 section 3.2: data and result at LAT 10",
    ),
    fault(
        "dcmprs-result-10",
        |op, p| moved(op, p, &["DCMPRS"], (Vector, DEF), (12, 10)),
        "DCMPRS has its result at 10, like the rest of the crossbar",
        "seed 004 section 3.4: it drains at LAT 12",
    ),
    fault(
        "dcmprs-port-missing",
        |op, p| {
            if begins(op, &["DCMPRS"]) {
                p.retain(|posting| posting.role != Role::Port)
            }
        },
        "DCMPRS posts no packed-predicate port",
        "spec 05 T-08: b32_pr port at 12",
    ),
    fault(
        "dcmprs-port-is-register",
        |op, p| {
            if begins(op, &["DCMPRS"]) {
                p.iter_mut().filter(|posting| posting.class == Pr).for_each(|posting| {
                    posting.index = Some(0);
                    posting.role = DEF
                })
            }
        },
        "the packed-predicate path of DCMPRS is a definition of pr0",
        "spec 05 T-08: no index, no hazard",
    ),
    fault(
        "fold-source-10",
        |op, p| moved(op, p, &["RADD", "RMAX", "RMIN"], (Vector, USE), (12, 10)),
        "a reduction reads its source at 10, like every vector op",
        "seed 004 section 4.2: the fold source at LAT 12",
    ),
    fault(
        "fold-source-11",
        |op, p| moved(op, p, &["RADD", "RMAX", "RMIN"], (Vector, USE), (12, 11)),
        "a reduction reads its source one stage early",
        "seed 004 section 4.2: the fold source at LAT 12",
    ),
    fault(
        "fold-result-12",
        |op, p| moved(op, p, &["RADD", "RMAX", "RMIN"], (Vector, DEF), (10, 12)),
        "a reduction has its result at 12, for the tree is deep",
        "seed 004 section 4.2: the result at LAT 10",
    ),
    fault(
        "flagged-fold-like-plain",
        |op, p| {
            moved(op, p, &["RB"], (Vector, USE), (10, 12));
            moved(op, p, &["RB"], (Vector, DEF), (12, 10));
        },
        "a flagged reduction has the stages of a plain one",
        "seed 004 section 4.4: vbool at 12, source at 10, dst at 12",
    ),
    fault(
        "flag-def-11",
        |op, p| moved(op, p, &["RB"], (Vbool, DEF), (12, 11)),
        "a flagged reduction has its flags at 11, like a compare",
        "seed 004 section 4.4: the flag mask at LAT 12",
    ),
    fault(
        "predicated-fold-reads-late",
        |op, p| {
            if op.name().ends_with('T') {
                moved(op, p, &["RADD", "RMAX", "RMIN"], (Vector, USE), (10, 12))
            }
        },
        "a predicated reduction reads its old destination at 12, with the source",
        "spec 05 T-06: a merging destination is read at 10",
    ),
    fault(
        "flagged-fold-merges",
        |op, p| {
            if begins(op, &["RB"])
                && op.name().ends_with('T')
                && let Some(at) =
                    p.iter().position(|posting| (posting.class, posting.role) == (Vector, DEF))
            {
                let old = Posting { role: USE, lat: 10, ..p[at] };
                p.insert(at, old);
            }
        },
        "a predicated flagged reduction reads its old destination",
        "spec 05 T-09: it does not",
    ),
    fault(
        "mask-use-11",
        |op, p| {
            if op.name().ends_with('T') {
                moved(op, p, &[""], (Vbool, USE), (10, 11))
            }
        },
        "every mask is read at 11, as of a floating compare",
        "spec 05 T-06: at 10 unless stated",
    ),
    fault(
        "merge-destination-late",
        |op, p| {
            if op.name().ends_with('T') {
                moved(op, p, &["ADD", "SUB", "MAX", "MIN", "NEG"], (Vector, USE), (10, 11))
            }
        },
        "a merging ALU op reads its operands at 11",
        "spec 05 T-06: at 10",
    ),
    fault(
        "alu-result-10",
        |op, p| {
            moved(
                op,
                p,
                &["ADDN", "SUBN", "ADD2", "SUB2", "MAX", "MIN", "AND2", "OR2", "XOR2"],
                (Vector, DEF),
                (11, 10),
            )
        },
        "ALU chains run every cycle: results are ready at 10",
        "spec 05 section 14: the bubble table, 11 to 10",
    ),
    fault(
        "compare-result-10",
        |op, p| moved(op, p, &["EQ", "NEQ", "LT", "LE"], (Vbool, DEF), (11, 10)),
        "an integer compare has its flags at 10, like predicate logic",
        "spec 05 section 5: CMP_INT, vbool def 11",
    ),
    fault(
        "tail-mask-count-4",
        |op, p| moved(op, p, &["LTR"], (Ar, USE), (3, 4)),
        "a tail mask reads its count at 4, like the scalar ALU",
        "spec 05 T-15: at 3",
    ),
    fault(
        "predicate-logic-11",
        |op, p| {
            moved(op, p, &["ANDB", "ORB", "XORB", "NOTB", "RANDB", "RORB"], (Vbool, DEF), (10, 11))
        },
        "predicate logic has its result at 11",
        "spec 05 T-14: at 10",
    ),
    fault(
        "extract-11",
        |op, p| moved(op, p, &["EXTR", "MOVAV"], (Ar, DEF), (12, 11)),
        "a lane reaches an address register at 11, like a vector move",
        "spec 05 T-16: at 12",
    ),
    fault(
        "scalar-load-4",
        |op, p| moved(op, p, &["L32I"], (Ar, DEF), (5, 4)),
        "a scalar load is ready at 4",
        "spec 05 T-25: def 5 (one page gives 4)",
    ),
    fault(
        "scalar-multiply-4",
        |op, p| moved(op, p, &["MUL16S", "MULL"], (Ar, DEF), (6, 4)),
        "a scalar product is ready like a sum",
        "spec 05 T-25: multiply def 6",
    ),
    fault(
        "scalar-store-data-4",
        |op, p| moved(op, p, &["S32I"], (Ar, USE), (5, 4)),
        "a scalar store reads its data at 4",
        "spec 05 T-25: data 5",
    ),
    fault(
        "accumulator-use-10",
        |op, p| moved(op, p, &["MULA"], (Wvec, USE), (12, 10)),
        "a multiply-accumulate reads its accumulator at 10",
        "spec 05 section 3.3: one accumulation per cycle, 12 to 12",
    ),
    fault(
        "pack-result-11",
        |op, p| moved(op, p, &["PACK"], (Vector, DEF), (12, 11)),
        "a pack has its result at 11",
        "spec 05 T-18: vec at 12",
    ),
    fault(
        "prime-does-not-read",
        |op, p| {
            if begins(op, &["LALIGN", "LA_PP"]) {
                p.retain(|posting| (posting.class, posting.role) != (Valign, USE))
            }
        },
        "a prime only writes its align register",
        "seed 004 section 2.2: the align register is read and written by the same op",
    ),
    fault(
        "zalign-reads",
        |op, p| {
            if op.name() == "ZALIGN"
                && let Some(&def) = p.first()
            {
                p.insert(0, Posting { role: USE, ..def });
            }
        },
        "ZALIGN reads the register that it clears",
        "spec 05 T-11: it reads nothing",
    ),
    fault(
        "spill-does-not-define",
        |op, p| {
            if begins(op, &["SALIGN"]) {
                p.retain(|posting| (posting.class, posting.role) != (Valign, DEF))
            }
        },
        "SALIGN leaves its register alone, so it posts no definition",
        "spec 05 T-12: SALIGN follows SAPOS_FP",
    ),
    fault(
        "index-not-posted",
        |op, p| {
            if op.name().ends_with("_XP")
                && let Some(at) =
                    p.iter().position(|posting| (posting.class, posting.role) == (Ar, DEF))
                && at == 2
            {
                p.remove(1);
            }
        },
        "the index of an `_XP` access is not posted",
        "spec 05 T-04: base use, index use, base def",
    ),
    fault(
        "posting-order-by-class",
        |_, p| p.sort_by_key(|posting| posting.class),
        "postings are sorted by class",
        "spec 05 section 5.1: the order of the stamps",
    ),
    fault(
        "def-before-use",
        |_, p| {
            let swaps: Vec<usize> = (1..p.len())
                .filter(|&at| {
                    (p[at - 1].class, p[at - 1].index, p[at - 1].role)
                        == (p[at].class, p[at].index, USE)
                        && p[at].role == DEF
                })
                .collect();
            swaps.into_iter().for_each(|at| p.swap(at - 1, at));
        },
        "an operand that is read and written posts its definition first",
        "spec 05 section 1.2: the use directly before the def",
    ),
];

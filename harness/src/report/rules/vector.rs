//! Which section of the specification gives a mnemonic its values. A table, one row per family of
//! mnemonics: the first pattern that fits in the mnemonic's chapter wins. `*` stands for any letters.

use contract::isa::Mnemonic;

/// Pattern and section, per chapter, in the order of search.
const SECTIONS: &[(u8, &[(&str, &str)])] = &[
    (
        4,
        &[
            ("NOP", "10.1"),
            ("MOVI", "10.1"),
            ("ADDI", "10.1"),
            ("ADD", "10.1"),
            ("SUB", "10.1"),
            ("AND", "10.1"),
            ("OR", "10.1"),
            ("XOR", "10.1"),
            ("MUL16S", "10.1"),
            ("MULL", "10.1"),
            ("L32I", "10.1"),
            ("S32I", "10.1"),
            ("LV*", "4.6"),
            ("SV*", "4.6"),
            ("LB*", "4.6"),
            ("SB*", "4.6"),
            ("LA*", "4.5"),
            ("SA*", "4.5"),
            ("ZALIGN", "4.5"),
            ("MALIGN", "4.5"),
            ("SEL2NX8I*", "5.1"),
            ("SHFL2NX8I*", "5.1"),
            ("DSEL2NX8I*", "5.1"),
            ("SEL*", "5"),
            ("SHFL*", "5"),
            ("DSEL*", "5"),
            ("DCMPRS*", "5"),
            ("REP*", "6"),
            ("EXTR*", "6"),
            ("MOV*", "6"),
            ("SL*", "7"),
            ("SR*", "7"),
            ("ROTR*", "7"),
            ("NSA*", "7"),
            ("RADD*T", "8.3"),
            ("RM*T", "8.3"),
            ("RB*T", "8.3"),
            ("RADD*", "8.1"),
            ("RM*", "8.1"),
            ("RB*", "8.2"),
            ("LTR*", "8.5"),
            ("RANDB*", "8.5"),
            ("RORB*", "8.5"),
            ("ANDB", "10"),
            ("ORB", "10"),
            ("XORB", "10"),
            ("ANDNOTB", "10"),
            ("ORNOTB", "10"),
            ("NOTB", "10"),
            ("MULPN16XR16", "10"),
            ("PACKLNX48", "10"),
            ("ADD*", "9"),
            ("SUB*", "9"),
            ("MIN*", "9"),
            ("MAX*", "9"),
            ("ABS*", "9"),
            ("NEG*", "9"),
            ("AND*", "9"),
            ("OR*", "9"),
            ("XOR*", "9"),
            ("NOT*", "9"),
            ("EQ*", "9"),
            ("NEQ*", "9"),
            ("LT*", "9"),
            ("LE*", "9"),
            ("BM*", "9"),
            ("BABS*", "9"),
        ],
    ),
    (
        7,
        &[
            ("MULSGN*", "8"),
            ("MUL*PACKL*", "8"),
            ("MUL*4T*", "7.1"),
            ("DMUL*", "7.2"),
            ("MUL*Q*", "7.2"),
            ("MUL*I2NX8X16", "6"),
            ("MUL*I2NR8X16", "6"),
            ("MUL*N_2X16X32_*", "4.2"),
            ("MUL*NX16C", "4.3"),
            ("MUL*NX16J", "4.3"),
            ("MUL*N_2X32C_*", "4.3"),
            ("MUL*P*XR16", "5.2"),
            ("MUL*XR16", "5.3"),
            ("MUL*P*", "5.1"),
            ("MUL*", "4.1"),
            ("DECNEGW*", "9.3"),
            ("PACKV*", "9.3"),
            ("PACK*", "10"),
            ("CVT24*", "11"),
            ("CVT48*", "11"),
            ("CVT96*", "11"),
            ("CVTG48*", "11"),
            ("CVT*", "12"),
        ],
    ),
    (
        8,
        &[
            ("RUR_*", "2.1"),
            ("WUR_*", "2.1"),
            ("MOV*", "2.1"),
            ("ABS*", "4.1"),
            ("NEG*", "4.1"),
            ("MIN*", "4.2"),
            ("MAX*", "4.2"),
            ("OEQ*", "4.3"),
            ("OL*", "4.3"),
            ("UEQ*", "4.3"),
            ("UL*", "4.3"),
            ("UN*", "4.3"),
            ("CLSFY*", "4.4"),
            ("ADDEXP*", "9.6"),
            ("ADD*", "5"),
            ("SUB*", "5"),
            ("MUL*", "5"),
            ("FLOAT*", "6.1"),
            ("UFLOAT*", "6.1"),
            ("TRUNC*", "6.2"),
            ("UTRUNC*", "6.2"),
            ("CVTF32*", "6.3"),
            ("CVTF16*", "6.4"),
            ("FI*", "7"),
            ("RECIP0*", "9.1"),
            ("RSQRT0*", "9.2"),
            ("SQRT0*", "9.3"),
            ("DIV0*", "9.4"),
            ("NEXP*", "9.5"),
            ("MKSADJ*", "9.7"),
            ("MKDADJ*", "9.7"),
            ("DIVN*", "9.8"),
            ("CONST*", "9.9"),
            ("RECIPQLI*", "9.9"),
        ],
    ),
    (
        9,
        &[
            ("LA*", "4.2"),
            ("SAPOS*", "4.2"),
            ("L2*", "4.2"),
            ("LB*", "4.2"),
            ("SB*", "4.2"),
            ("LS*", "4.1"),
            ("SS*", "4.1"),
            ("GATHER*", "2.3"),
            ("MOVGATHER*", "2.3"),
            ("SCATTER*", "2.3"),
            ("DIV*", "3.3"),
            ("SQZ*", "5.1"),
            ("UNSQZ*", "5.1"),
            ("COUNT*", "5.2"),
            ("POPC*", "5.3"),
            ("ADDMOD16U", "5.3"),
            ("AVG*", "6"),
            ("MINORMAX*", "6"),
            ("BADDNORM*", "6"),
            ("BSUBNORM*", "6"),
            ("BXOR*", "6"),
            ("FS*LTU*", "6"),
            ("JOINB", "7"),
            ("EXTRACTB*", "7"),
            ("MB", "7"),
            ("EXT0IB", "7"),
            ("NOTB1", "7"),
            ("ANDNOTB1", "7"),
            ("ORNOTB1", "7"),
            ("BORFS*", "7"),
            ("BNORFS*", "7"),
            ("MOVFSV", "7"),
            ("MOVVFS", "7"),
            ("EXTBI*", "7"),
            ("INJBI*", "7"),
            ("SELS*", "8"),
            ("EXTRPR*", "8"),
            ("DEXTRPR*", "8"),
            ("MOV*", "8"),
            ("DSEL2NX8I_H", "8"),
        ],
    ),
];

/// Rules that forms of many families share: pattern, chapter of the rule, section. They apply to
/// mnemonics of the same chapter that fit.
const SHARED: &[(u8, &str, &str)] =
    &[(4, "R*NUM*", "8.4"), (4, "R*T", ""), (4, "*T", "3"), (4, "*T_*", "3"), (8, "*T", "10")];

/// Sections with the schedule facts of each chapter's ops: chapter, chapter of the facts, section.
const SCHEDULES: &[(u8, u8, &str)] = &[(4, 5, "5.2"), (7, 7, "13"), (8, 8, "12"), (9, 9, "9")];

/// Chapter and section of the mnemonic's values.
pub fn values(mnemonic: Mnemonic) -> Option<(u8, &'static str)> {
    let chapter = mnemonic.info().chapter;
    let (_, rows) = SECTIONS.iter().find(|(number, _)| *number == chapter)?;
    let (_, section) = rows.iter().find(|(pattern, _)| fits(pattern, mnemonic.name()))?;
    Some((chapter, section))
}

/// Chapter and section of a rule that the mnemonic's form adds to its family's.
pub fn form(mnemonic: Mnemonic) -> Option<(u8, &'static str)> {
    let chapter = mnemonic.info().chapter;
    let (_, _, section) = SHARED
        .iter()
        .find(|(number, pattern, _)| *number == chapter && fits(pattern, mnemonic.name()))?;
    (!section.is_empty()).then_some((chapter, section))
}

/// Chapter and section of the mnemonic's postings.
pub fn postings(mnemonic: Mnemonic) -> Option<(u8, &'static str)> {
    let chapter = mnemonic.info().chapter;
    let row = SCHEDULES.iter().find(|(number, _, _)| *number == chapter);
    row.map(|&(_, facts, section)| (facts, section))
}

/// True if the name fits the pattern.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            (0..=tail.len()).any(|skipped| tail.get(skipped..).is_some_and(|it| fits(rest, it)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::chapter::Chapter;
    use super::*;

    #[test]
    fn every_mnemonic_has_a_section_that_exists() {
        for mnemonic in Mnemonic::all() {
            let (chapter, section) =
                values(mnemonic).unwrap_or_else(|| panic!("{mnemonic} has no section"));
            for (chapter, section) in
                [Some((chapter, section)), form(mnemonic), postings(mnemonic)].into_iter().flatten()
            {
                let found = Chapter::numbered(chapter).and_then(|it| it.section(section));
                assert!(found.is_some(), "{mnemonic}: spec {chapter:02} section {section}");
            }
        }
    }

    #[test]
    fn every_pattern_fits_some_mnemonic_of_its_chapter() {
        for (chapter, rows) in SECTIONS {
            for (pattern, _) in *rows {
                let met = Mnemonic::all().any(|mnemonic| {
                    mnemonic.info().chapter == *chapter && fits(pattern, mnemonic.name())
                });
                assert!(met, "chapter {chapter}: {pattern}");
            }
        }
    }

    #[test]
    fn families_are_told_apart() {
        let place = |name: &str| values(Mnemonic::from_name(name).unwrap()).unwrap();
        for (name, expected) in [
            ("ADD", (4, "10.1")),
            ("ADDNX16T", (4, "9")),
            ("LA2NX8_IP", (4, "4.5")),
            ("SEL2NX8I_S0", (4, "5.1")),
            ("RBMINNUMNXF16T", (4, "8.3")),
            ("LTRN_2", (4, "8.5")),
            ("LTNX16", (4, "9")),
            ("MULUSPA2N8XR16", (7, "5.2")),
            ("MULPDANX16", (7, "5.1")),
            ("MULUSA2N8XR16", (7, "5.3")),
            ("MULUUAHN_2X16X32_1", (7, "4.2")),
            ("MULSUSNX16", (7, "4.1")),
            ("MULSUQN16XR16", (7, "7.2")),
            ("ADDEXPMN_2XF32", (8, "9.6")),
            ("LA2NX8_IPI", (9, "4.2")),
        ] {
            if Mnemonic::from_name(name).is_some() {
                assert_eq!(place(name), expected, "{name}");
            }
        }
        assert_eq!(form(Mnemonic::from_name("ADDNX16T").unwrap()), Some((4, "3")));
        assert_eq!(form(Mnemonic::from_name("RADDNX16T").unwrap()), None);
        assert_eq!(form(Mnemonic::from_name("RMAXNUMNXF16").unwrap()), Some((4, "8.4")));
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, expected) in [
            ("A*C", "ABBC", true),
            ("A*C", "AC", true),
            ("A*C", "ABCB", false),
            ("A*B*C", "AXBYC", true),
            ("A", "AB", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}

//! The text form of bundles: what it accepts, what it refuses and where, and that printing and
//! reading are inverse to each other.

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::text::{Expected, parse_bundle, parse_program};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    parse_bundle(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

#[test]
fn text_is_printed_in_canonical_form() {
    let pair = "F0 { S1 LA_PP u0, a2 ; S3 ADDNX16 v1, v2, v3 }";
    for (text, expected) in [
        ("F0 { }", "F0 { }"),
        ("f0{}", "F0 { }"),
        ("  \tF0\n{ s1 la_pp U0,A2;S3 addnx16 V1 ,v2,  v3 } ", pair),
        ("F0 { S3 ADDNX16 v1, v2, v3 ; S1 LA_PP u0, a2 ; }", pair),
        ("x1 { S0 MOVI a3, 0x10 }", "X1 { S0 MOVI a3, 16 }"),
        ("F0 { S3 ROTRINX16 v01, V0, +004 }", "F0 { S3 ROTRINX16 v1, v0, 4 }"),
        ("F0 { S1 LALIGN_I u0, a2, -0x40 }", "F0 { S1 LALIGN_I u0, a2, -64 }"),
        ("F0 { S00 NOP ; S3 ADDNX16 v1, v2, v3 }", "F0 { S3 ADDNX16 v1, v2, v3 }"),
    ] {
        assert_eq!(canonical(text), expected, "{text:?}");
    }
}

#[test]
fn a_nop_stays_where_it_decides_the_verdict() {
    for text in ["F0 { S4 NOP }", "F0 { S1 NOP ; S1 NOP }", "F0 { S1 NOP v1 }", "N2 { S2 NOP }"] {
        assert_eq!(canonical(text), text);
    }
    assert_eq!(canonical("F3 { S4 NOP }"), "F3 { }");
    assert_eq!(canonical("F0 { S1 NOP ; S1 LA_PP u0, a2 }"), "F0 { S1 NOP ; S1 LA_PP u0, a2 }");
    assert_eq!(canonical("F5 { S99 NOP }"), "F5 { }");
}

#[test]
fn a_printed_bundle_is_canonical_even_if_the_data_is_not() {
    let nop = SlotOp { slot: 0, op: OpWord::Known(Mnemonic::NOP), operands: Default::default() };
    let mut bundle = parse_bundle("F0 { S1 LA_PP u0, a2 ; S3 ADDNX16 v1, v2, v3 }").unwrap();
    let text = bundle.to_string();
    bundle.ops.reverse();
    bundle.ops.push(nop);
    assert!(!bundle.is_canonical());
    assert_eq!(bundle.to_string(), text);
}

#[test]
fn words_that_name_nothing_are_kept() {
    let bundle = parse_bundle("f5 { s3 foo X1, 1.5, v99, b3, v4294967296, v }").unwrap();
    assert_eq!(bundle.format, FormatWord::Unknown("F5".into()));
    assert_eq!(bundle.ops[0].op, OpWord::Unknown("FOO".into()));
    assert_eq!(
        bundle.ops[0].operands[..],
        [
            Operand::Word("x1".into()),
            Operand::Word("1.5".into()),
            Operand::Reg(RegClass::Vec, 99),
            Operand::Reg(RegClass::Br, 3),
            Operand::Word("v4294967296".into()),
            Operand::Word("v".into()),
        ]
    );
}

#[test]
fn numbers_are_read_as_written() {
    for (word, value) in [
        ("0", 0),
        ("-0", 0),
        ("0xff", 255),
        ("0XFF", 255),
        ("0xffffffff", 0xffff_ffff),
        ("-0x1", -1),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
        ("-0x8000000000000000", i64::MIN),
    ] {
        assert_eq!(Operand::from_word(word), Operand::Imm(value), "{word}");
    }
    for word in [
        "9223372036854775808",
        "0x8000000000000000",
        "99999999999999999999",
        "0x",
        "--1",
        "-",
        "+-1",
        "0x-1",
        "0x+1",
        "1_0",
        "1e3",
    ] {
        assert_eq!(Operand::from_word(word), Operand::Word(word.into()), "{word}");
    }
}

#[test]
fn every_prefix_reads_as_its_class() {
    for (word, class) in [
        ("a15", RegClass::Ar),
        ("b15", RegClass::Br),
        ("v15", RegClass::Vec),
        ("vb15", RegClass::Vbool),
        ("u15", RegClass::Valign),
        ("wv15", RegClass::Wvec),
        ("pr15", RegClass::Pr),
        ("gr15", RegClass::Gvr),
    ] {
        assert_eq!(Operand::from_word(word), Operand::Reg(class, 15), "{word}");
    }
}

#[test]
fn text_outside_the_grammar_is_refused_with_its_column() {
    for (text, column, expected) in [
        ("", 1, Expected::Format),
        ("   ", 1, Expected::Format),
        ("{ }", 1, Expected::Format),
        ("F0", 3, Expected::OpenBrace),
        ("F0 S1 LA_PP u0, a2", 4, Expected::OpenBrace),
        ("F0 {", 5, Expected::SlotOrClose),
        ("F0 { ADDNX16 v1, v2, v3 }", 6, Expected::SlotOrClose),
        ("F0 { S ADDNX16 v1, v2, v3 }", 6, Expected::SlotOrClose),
        ("F0 { S+1 NOP }", 6, Expected::SlotOrClose),
        ("F0 { S1_Ld NOP }", 6, Expected::SlotOrClose),
        ("F0 { ; }", 6, Expected::SlotOrClose),
        ("F0 { S1 NOP ; ; S2 NOP }", 15, Expected::SlotOrClose),
        ("F0 { S1 NOP ;; }", 14, Expected::SlotOrClose),
        ("F0 { S1 }", 9, Expected::Op),
        ("F0 { S1 ; }", 9, Expected::Op),
        ("F0 { S1 LA_PP, u0 }", 14, Expected::OperandOrEnd),
        ("F0 { S1 LA_PP u0, }", 19, Expected::Operand),
        ("F0 { S1 LA_PP u0,, a2 }", 18, Expected::Operand),
        ("F0 { S1 LA_PP u0 a2 }", 18, Expected::CommaOrEnd),
        ("F0 { S1 LA_PP u0, a2", 21, Expected::CommaOrEnd),
        ("F0 { S1 LA_PP u0, (a2) }", 19, Expected::Operand),
        ("F0 { } F1 { }", 8, Expected::EndOfText),
        ("F0 { } }", 8, Expected::EndOfText),
        ("F0 { } # empty", 8, Expected::EndOfText),
        ("é0 { }", 1, Expected::Format),
        ("F0 é { }", 4, Expected::OpenBrace),
    ] {
        let error = parse_bundle(text).expect_err(text);
        assert_eq!((error.column, error.expected), (column, expected), "{text:?}: {error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn an_error_reads_as_one_sentence() {
    let error = parse_bundle("F0 { ADDNX16 v1, v2, v3 }").unwrap_err();
    assert_eq!(error.to_string(), "column 6: `ADDNX16`, expected a slot such as `S3`, or `}`");
    assert_eq!(error.hint(), "name the slot before the operation, as in `S3 ADDNX16 v1, v2, v3`");
    let error = parse_bundle("F0 {").unwrap_err();
    assert_eq!(error.to_string(), "column 5: end of text, expected a slot such as `S3`, or `}`");
}

#[test]
fn a_program_file_has_one_bundle_a_line_and_comments() {
    let program = parse_program(
        "# prime\n\nF0 { S1 LA_PP u0, a2 }  # then load\r\n\t\nf0 { s1 la2nx8_ip v3, u0, a2 }\n#F9 {",
    )
    .unwrap();
    let texts: Vec<String> = program.iter().map(Bundle::to_string).collect();
    assert_eq!(texts, ["F0 { S1 LA_PP u0, a2 }", "F0 { S1 LA2NX8_IP v3, u0, a2 }"]);

    let error = parse_program("F0 { }\n\n  F0 { S1 # LA_PP }\n").unwrap_err();
    assert_eq!((error.line, error.error.column, error.error.expected), (3, 10, Expected::Op));
    assert_eq!(error.to_string(), "line 3, column 10: end of text, expected an operation");
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_.+-]{1,12}"
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        4 => (prop::sample::select(RegClass::ALL), any::<u32>().prop_map(|x| x >> (x % 32)))
            .prop_map(|(class, index)| Operand::Reg(class, index)),
        2 => any::<i64>().prop_map(|x| Operand::Imm(x >> (x & 63))),
        1 => word().prop_map(|word| Operand::from_word(&word)),
    ]
}

fn slot_op() -> impl Strategy<Value = SlotOp> {
    let op = prop_oneof![
        4 => (0..Mnemonic::count())
            .prop_map(|index| OpWord::Known(Mnemonic::from_index(index).unwrap())),
        2 => Just(OpWord::Known(Mnemonic::NOP)),
        1 => word().prop_map(|word| OpWord::from_word(&word)),
    ];
    (prop_oneof![9 => 0_u32..6, 1 => any::<u32>()], op, prop::collection::vec(operand(), 0..8))
        .prop_map(|(slot, op, operands)| SlotOp { slot, op, operands: operands.into() })
}

/// Any bundle, canonical or not.
fn bundle() -> impl Strategy<Value = Bundle> {
    let format = prop_oneof![
        4 => prop::sample::select(Format::ALL).prop_map(FormatWord::Known),
        1 => word().prop_map(|word| FormatWord::from_word(&word)),
    ];
    (format, prop::collection::vec(slot_op(), 0..6))
        .prop_map(|(format, ops)| Bundle { format, ops })
}

proptest! {
    #[test]
    fn reading_what_was_printed_gives_the_canonical_bundle(bundle in bundle()) {
        let read = parse_bundle(&bundle.to_string()).unwrap();
        let mut canonical = bundle;
        canonical.canonicalise();
        prop_assert_eq!(&read, &canonical);
        prop_assert!(read.is_canonical());
    }

    #[test]
    fn printing_what_was_read_gives_the_text_again(bundle in bundle()) {
        let text = bundle.to_string();
        prop_assert_eq!(parse_bundle(&text).unwrap().to_string(), text);
    }

    #[test]
    fn case_and_spacing_do_not_matter(bundle in bundle(), upper: bool, space in "[ \t\n]{0,3}") {
        let text = bundle.to_string();
        let mut other = if upper { text.to_uppercase() } else { text.to_lowercase() };
        other = other.replace(" {", "{").replace(", ", ",");
        for mark in ["{", "}", ",", ";"] {
            other = other.replace(mark, &format!("{space}{mark}{space}"));
        }
        prop_assert_eq!(parse_bundle(&other), parse_bundle(&text));
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "[ F0-9Sav{};,#é\n-]{0,40}") {
        if let Err(error) = parse_bundle(&text) {
            prop_assert!(error.column <= text.chars().count() + 1);
        }
    }
}

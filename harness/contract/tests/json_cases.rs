//! The JSON form of cases: the contract's examples, defaults, and every rule of bad input with the
//! sentence that a person reads.

use contract::case::{Case, MemoryWindow, RegisterValue, TensorCase, VectorCase};
use contract::isa::Generation;
use contract::json::{JsonError, read_case, write_case};
use contract::profile::Profile;
use contract::state::{Region, Space};
use serde_json::{Value, json};

fn read(value: &Value) -> Result<Case, JsonError> {
    read_case(&value.to_string())
}

fn tensor(value: &Value) -> TensorCase {
    match read(value) {
        Ok(Case::Tensor(case)) => case,
        other => panic!("{other:?}"),
    }
}

fn vector(value: &Value) -> VectorCase {
    match read(value) {
        Ok(Case::Vector(case)) => case,
        other => panic!("{other:?}"),
    }
}

/// A tensor case with two regions.
fn tensor_json() -> Value {
    json!({"version": 1, "kind": "tensor", "id": "t-1", "generation": "mariana", "profile": {},
        "memory": [
            {"space": "sbuf", "partition": 0, "partitions": 2, "offset": 4096, "stride": 4,
             "data": "0001020304050607"},
            {"space": "psum", "partition": 127, "partitions": 1, "offset": 0, "stride": 2,
             "data": "abcd"}],
        "registers": {"5": "0x00001000"},
        "program": ["9a".repeat(64)]})
}

fn vector_json() -> Value {
    json!({"version": 1, "kind": "vector", "id": "v-1", "profile": {}, "cpenable": 2,
        "state": {"a2": "0x00080043", "vb0": "0x00000000000000ff"},
        "memory": {"base": "0x00080000", "bytes": 4096,
            "init": [{"address": "0x00080040", "data": "0102"}]},
        "program": ["F0 { S1 LA_PP u0, a2 }",
            "F0 { S1 LA2NX8_IP v3, u0, a2 ; S3 ADDNX16 v1, v2, v3 }"]})
}

/// The document with one place set to another value; the place is a JSON pointer, and a last key
/// that does not exist yet is added.
fn with(mut document: Value, place: &str, value: Value) -> Value {
    let (parent, key) = place.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(map) => {
            map.insert(key.to_owned(), value);
        }
        Value::Array(values) => values[key.parse::<usize>().unwrap()] = value,
        other => panic!("{place} is inside {other}"),
    }
    document
}

fn without(mut document: Value, place: &str) -> Value {
    let (parent, key) = place.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    document
}

#[test]
fn a_tensor_case_is_written_as_the_contract_shows_it() {
    let data = "00ff".repeat(64);
    let text = format!(
        r#"{{"version":1,"kind":"tensor","id":"t-1","generation":"mariana","profile":{{"rb_tie":"union","engine":"pool"}},"memory":[{{"space":"sbuf","partition":0,"partitions":2,"offset":4096,"stride":64,"data":"{data}"}}],"registers":{{"5":"0x00001000","40":"0x00000000"}},"program":["{record}"]}}"#,
        record = &data[..128],
    );
    let case = read_case(&text).unwrap();
    assert_eq!(write_case(&case), text);
    let Case::Tensor(case) = case else { panic!() };
    assert_eq!((case.id.as_str(), case.generation), ("t-1", Generation::Mariana));
    assert_eq!(case.registers, [(5, 0x1000), (40, 0)].into());
    let region = Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: 2,
        offset: 4096,
        stride: 64,
        data: [0, 255].repeat(64),
    };
    assert_eq!(case.memory, [region]);
    assert_eq!(case.program[0][..4], [0, 255, 0, 255]);
}

#[test]
fn a_vector_case_is_written_as_the_contract_shows_it() {
    let (line, wide) = ("0102".repeat(32), "a5".repeat(192));
    let text = format!(
        r#"{{"version":1,"kind":"vector","id":"v-1","profile":{{}},"cpenable":2,"state":{{"a2":"0x00080043","v1":"{line}","v10":"{line}","vb0":"0x00000000000000ff","u0":"{line}","wv0":"{wide}","pr0":"0x00000000000000fe","fcr":"0x040","fsr":"0x800","gr7":"{line}","fs0":"0x0000000000000001"}},"memory":{{"base":"0x00080000","bytes":4096,"init":[{{"address":"0x00080040","data":"0102"}}]}},"program":["F0 {{ S1 LA_PP u0, a2 }}","F0 {{ S1 LA2NX8_IP v3, u0, a2 ; S3 ADDNX16 v1, v2, v3 }}"]}}"#,
    );
    let case = read_case(&text).unwrap();
    assert_eq!(write_case(&case), text);
    let Case::Vector(case) = case else { panic!() };
    assert_eq!(case.state[0], RegisterValue::Ar(2, 0x80043));
    assert_eq!(case.state[7], RegisterValue::Fcr(0x40));
    assert_eq!(case.state[8], RegisterValue::Fsr(0x800));
    assert_eq!(case.memory.init[0].address, 0x80040);
}

#[test]
fn registers_are_written_in_canonical_order() {
    let value = with(
        vector_json(),
        "/state",
        json!({"fs1": 1, "v10": "00".repeat(64),
        "v2": "00".repeat(64), "a3": 4, "fsr": "0x80"}),
    );
    let mut case = vector(&value);
    let text = write_case(&Case::Vector(case.clone()));
    case.state.reverse();
    assert_eq!(write_case(&Case::Vector(case)), text);
    let places: Vec<_> = ["\"a3\"", "\"v2\"", "\"v10\"", "\"fsr\"", "\"fs1\""]
        .map(|key| text.find(key).unwrap())
        .into();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn what_is_not_given_takes_its_default() {
    let case = tensor(&json!({"version": 1, "kind": "tensor", "generation": "sunda",
        "program": []}));
    assert_eq!(case.id, "");
    assert_eq!(case.profile, Profile::default());
    assert!(case.memory.is_empty() && case.registers.is_empty() && case.program.is_empty());

    let case = vector(&json!({"version": 1, "kind": "vector", "program": []}));
    assert_eq!((case.id.as_str(), case.cpenable), ("", 2));
    assert_eq!(case.profile, Profile::default());
    assert_eq!(case.memory, MemoryWindow::default());
    assert_eq!((case.memory.base, case.memory.bytes), (0x8_0000, 65536));
    assert!(case.state.is_empty() && case.program.is_empty());

    let case = vector(&json!({"version": 1, "kind": "vector", "program": [],
        "memory": {"bytes": 64}}));
    assert_eq!((case.memory.base, case.memory.bytes), (0x8_0000, 64));
}

#[test]
fn numbers_may_be_integers_or_hex_digits_and_data_may_be_upper_case() {
    let value = with(tensor_json(), "/memory/0/offset", json!("0X1000"));
    let value = with(value, "/memory/1/data", json!("ABcd"));
    let value = with(value, "/registers/5", json!(4096));
    assert_eq!(tensor(&value), tensor(&tensor_json()));

    let value = with(vector_json(), "/state/a2", json!(0x80043));
    let value = with(value, "/state/vb0", json!("0xFF"));
    let value = with(value, "/memory/bytes", json!("0x1000"));
    let value = with(value, "/memory/init/0/address", json!(0x80040));
    let value = with(value, "/cpenable", json!("0x2"));
    let value = with(value, "/program/0", json!("f0{s1 la_pp U0,A2}"));
    assert_eq!(vector(&value), vector(&vector_json()));

    let value = with(vector_json(), "/state/vb0", json!(u64::MAX));
    assert!(vector(&value).state.contains(&RegisterValue::Vbool(0, u64::MAX)));
}

#[test]
fn single_switches_override_the_preset_whatever_their_order() {
    let read = |profile| vector(&with(vector_json(), "/profile", profile)).profile;
    assert_eq!(read(json!({"preset": "val05"})), Profile::preset("val05").unwrap());
    // `engine` sorts before `preset`, `rb_tie` after it.
    let profile = read(json!({"engine": "pool", "preset": "val05", "rb_tie": "lowest"}));
    assert_eq!(profile.non_default(), [("rotr_mode", "bit"), ("engine", "pool")]);
    assert_eq!(read(json!({"fp32r_fraction": 23})), read(json!({"fp32r_fraction": "23"})));
}

#[test]
fn regions_may_fill_their_memory_to_the_last_byte() {
    for (generation, space, active) in [
        ("sunda", "sbuf", 0x3_0000),
        ("cayman", "sbuf", 0x3_8000),
        ("mariana_plus", "sbuf", 0x4_0000),
        ("maverick", "sbuf", 0x8_0000),
        ("sunda", "psum", 0x4000),
        ("mariana", "psum", 0x4000),
    ] {
        let region = |partition, offset| {
            json!([{"space": space, "partition": partition,
            "partitions": 1, "offset": offset, "stride": 4, "data": "00000000"}])
        };
        let case = |memory| {
            read(&with(with(tensor_json(), "/generation", json!(generation)), "/memory", memory))
        };
        assert!(case(region(127, active - 4)).is_ok(), "{generation} {space}");
        let error = case(region(127, active - 3)).unwrap_err().to_string();
        let expected = format!(
            "memory[0]: bytes {} to {active}, expected none past the {active} active bytes of a \
             {generation} {space} partition",
            active - 3
        );
        assert_eq!(error, expected);
        let error = case(region(128, 0)).unwrap_err().to_string();
        assert_eq!(error, "memory[0]: partitions 128 to 128, expected none past partition 127");
    }
}

#[test]
fn regions_overlap_only_if_they_share_a_byte() {
    let second = |space, partition, offset, stride: usize| {
        let region = json!({"space": space, "partition": partition, "partitions": 1,
            "offset": offset, "stride": stride, "data": "00".repeat(stride)});
        read(&with(tensor_json(), "/memory/1", region))
    };
    // The first region: sbuf, partitions 0 and 1, bytes 4096 to 4099.
    for (space, partition, offset, stride) in [
        ("sbuf", 2, 4096, 4),
        ("sbuf", 1, 4100, 4),
        ("sbuf", 1, 4092, 4),
        ("psum", 1, 4096, 4),
        ("sbuf", 1, 4096, 0),
    ] {
        assert!(second(space, partition, offset, stride).is_ok());
    }
    for (partition, offset, stride, shared) in
        [(1, 4096, 4, 4096), (0, 4099, 1, 4099), (1, 4000, 97, 4096), (0, 0, 5000, 4096)]
    {
        let error = second("sbuf", partition, offset, stride).unwrap_err().to_string();
        let expected = format!(
            "memory[1]: overlaps memory[0] in sbuf partition {partition} at offset {shared:#x}"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn bad_tensor_cases_are_refused_with_the_place() {
    let bits32 = "an integer of 32 bits, or its hex digits after `0x`";
    for (place, value, sentence) in [
        ("/version", json!(2), "version: 2, expected 1".to_owned()),
        ("/version", json!("1"), "version: \"1\", expected 1".to_owned()),
        (
            "/kind",
            json!("matrix"),
            "kind: \"matrix\", expected \"tensor\" or \"vector\"".to_owned(),
        ),
        ("/id", json!(7), "id: 7, expected a text".to_owned()),
        (
            "/generation",
            json!("inferentia"),
            "generation: \"inferentia\", expected one of sunda, cayman, mariana, mariana_plus, \
             maverick"
                .to_owned(),
        ),
        ("/memory", json!({}), "memory: an object, expected an array".to_owned()),
        ("/memory/1", json!(null), "memory[1]: null, expected an object".to_owned()),
        (
            "/memory/0/space",
            json!("dram"),
            "memory[0].space: \"dram\", expected \"sbuf\" or \"psum\"".to_owned(),
        ),
        ("/memory/0/offset", json!(-1), format!("memory[0].offset: -1, expected {bits32}")),
        ("/memory/0/offset", json!(1.5), format!("memory[0].offset: 1.5, expected {bits32}")),
        ("/memory/0/offset", json!("12"), format!("memory[0].offset: \"12\", expected {bits32}")),
        ("/memory/0/offset", json!("0x"), format!("memory[0].offset: \"0x\", expected {bits32}")),
        (
            "/memory/0/offset",
            json!("0x+1"),
            format!("memory[0].offset: \"0x+1\", expected {bits32}"),
        ),
        (
            "/memory/0/partition",
            json!(1_u64 << 32),
            format!("memory[0].partition: 4294967296, expected {bits32}"),
        ),
        (
            "/memory/0/data",
            json!("00112233445566"),
            "memory[0].data: 14 hex digits, expected 16 (partitions 2 × stride 4 bytes)".to_owned(),
        ),
        (
            "/memory/0/data",
            json!("001122334455667g"),
            "memory[0].data: 'g' as character 16, expected 16 (partitions 2 × stride 4 bytes)"
                .to_owned(),
        ),
        (
            "/memory/0/data",
            json!([0]),
            "memory[0].data: an array of 1, expected 16 (partitions 2 × stride 4 bytes)".to_owned(),
        ),
        (
            "/memory/0/stride",
            json!(u32::MAX),
            "memory[0].data: 16 hex digits, expected 17179869180 (partitions 2 × stride \
             4294967295 bytes)"
                .to_owned(),
        ),
        (
            "/memory/0/partitions",
            json!(129),
            "memory[0].data: 16 hex digits, expected 1032 (partitions 129 × stride 4 bytes)"
                .to_owned(),
        ),
        (
            "/registers/64",
            json!(0),
            "registers.64: no such register, expected a number from 0 to 63".to_owned(),
        ),
        (
            "/registers/05",
            json!(0),
            "registers.05: no such register, expected a number from 0 to 63".to_owned(),
        ),
        (
            "/registers/+5",
            json!(0),
            "registers.+5: no such register, expected a number from 0 to 63".to_owned(),
        ),
        ("/registers/5", json!("1000"), format!("registers.5: \"1000\", expected {bits32}")),
        (
            "/program/0",
            json!("00"),
            "program[0]: 2 hex digits, expected 128 hex digits (one 64-byte record)".to_owned(),
        ),
        (
            "/program/0",
            json!("x".repeat(128)),
            "program[0]: 'x' as character 1, expected 128 hex digits (one 64-byte record)"
                .to_owned(),
        ),
        ("/program", json!("00"), "program: \"00\", expected an array".to_owned()),
        (
            "/cpenable",
            json!(2),
            "cpenable: unknown key, expected one of version, kind, id, generation, profile, \
             memory, registers, program"
                .to_owned(),
        ),
    ] {
        let error = read(&with(tensor_json(), place, value)).expect_err(&sentence);
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn psum_on_maverick_is_refused() {
    let error = read(&with(tensor_json(), "/generation", json!("maverick"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "memory[1].space: \"psum\", expected \"sbuf\", as maverick has no psum"
    );
}

#[test]
fn bad_vector_cases_are_refused_with_the_place() {
    let window = "bytes of the window 0x00080000 to 0x00080fff";
    for (place, value, sentence) in [
        (
            "/cpenable",
            json!(256),
            "cpenable: 256, expected an integer up to 255, or its hex digits after `0x`".to_owned(),
        ),
        ("/state", json!([]), "state: an array of 0, expected an object".to_owned()),
        ("/state/a16", json!(0), "state.a16: no such register, expected a0 to a15".to_owned()),
        ("/state/v32", json!(0), "state.v32: no such register, expected v0 to v31".to_owned()),
        ("/state/vb16", json!(0), "state.vb16: no such register, expected vb0 to vb15".to_owned()),
        ("/state/u4", json!(0), "state.u4: no such register, expected u0 to u3".to_owned()),
        ("/state/wv4", json!(0), "state.wv4: no such register, expected wv0 to wv3".to_owned()),
        ("/state/pr16", json!(0), "state.pr16: no such register, expected pr0 to pr15".to_owned()),
        ("/state/gr8", json!(0), "state.gr8: no such register, expected gr0 to gr7".to_owned()),
        ("/state/fs8", json!(0), "state.fs8: no such register, expected fs0 to fs7".to_owned()),
        ("/state/a01", json!(0), "state.a01: no such register, expected a0 to a15".to_owned()),
        (
            "/state/a1",
            json!(1_u64 << 32),
            "state.a1: 4294967296, expected an integer of 32 bits, or its hex digits after `0x`"
                .to_owned(),
        ),
        (
            "/state/vb1",
            json!("0x10000000000000000"),
            "state.vb1: \"0x10000000000000000\", expected an integer of 64 bits, or its hex digits \
             after `0x`"
                .to_owned(),
        ),
        (
            "/state/v1",
            json!("0x00"),
            "state.v1: 'x' as character 2, expected 128 hex digits (64 bytes, byte 0 first)"
                .to_owned(),
        ),
        (
            "/state/wv0",
            json!("00".repeat(64)),
            "state.wv0: 128 hex digits, expected 384 hex digits (192 bytes, byte 0 first)"
                .to_owned(),
        ),
        ("/memory/base", json!(32), "memory.base: 32, expected a multiple of 64".to_owned()),
        ("/memory/bytes", json!(100), "memory.bytes: 100, expected a multiple of 64".to_owned()),
        (
            "/memory/base",
            json!("0xffffff00"),
            "memory: base 0xffffff00 + 4096 bytes, expected none past address 0xffffffff".to_owned(),
        ),
        (
            "/memory/init/0/address",
            json!("0x80fff"),
            format!("memory.init[0]: 2 bytes at 0x00080fff, expected {window}"),
        ),
        (
            "/memory/init/0/address",
            json!("0x7ffff"),
            format!("memory.init[0]: 2 bytes at 0x0007ffff, expected {window}"),
        ),
        (
            "/memory/init/0/data",
            json!("012"),
            "memory.init[0].data: 3 hex digits, expected an even number of hex digits".to_owned(),
        ),
        ("/program/1", json!(["NOP"]), "program[1]: an array of 1, expected the text of a bundle".to_owned()),
        (
            "/program/1",
            json!("F0 { ADDNX16 v1, v2, v3 }"),
            "program[1], column 6: `ADDNX16`, expected a slot such as `S3`, or `}`".to_owned(),
        ),
        (
            "/generation",
            json!("sunda"),
            "generation: unknown key, expected one of version, kind, id, profile, cpenable, state, \
             memory, program"
                .to_owned(),
        ),
        (
            "/profile/rb_tie",
            json!("both"),
            "profile.rb_tie: switch `rb_tie` has no value `both` (values: lowest, union)".to_owned(),
        ),
        (
            "/profile/preset",
            json!("default"),
            "profile.preset: unknown preset `default` (presets: seed, val05, vendor)".to_owned(),
        ),
        ("/profile/rb_tie", json!(true), "profile.rb_tie: true, expected a text".to_owned()),
    ] {
        let error = read(&with(vector_json(), place, value)).expect_err(&sentence);
        assert_eq!(error.to_string(), sentence);
    }
    assert!(read(&with(vector_json(), "/profile/rb_tei", json!("union"))).is_err());
    for key in ["b0", "V1", "v", "x1", "v1 ", "v-1", "fs", "cpenable", "", "ar1"] {
        let error = read(&with(vector_json(), &format!("/state/{key}"), json!(0))).unwrap_err();
        assert!(matches!(error, JsonError::UnknownKey { .. } | JsonError::Field { .. }), "{key}");
    }
}

#[test]
fn missing_fields_are_named() {
    for (document, place, sentence) in [
        (tensor_json(), "/version", "version: missing, expected 1"),
        (tensor_json(), "/kind", "kind: missing, expected \"tensor\" or \"vector\""),
        (
            tensor_json(),
            "/generation",
            "generation: missing, expected one of sunda, cayman, mariana, mariana_plus, maverick",
        ),
        (tensor_json(), "/program", "program: missing, expected an array"),
        (tensor_json(), "/memory/0/data", "memory[0].data: missing, expected hex digits"),
        (vector_json(), "/program", "program: missing, expected an array"),
        (
            vector_json(),
            "/memory/init/0/address",
            "memory.init[0].address: missing, expected an integer of 32 bits, or its hex digits after `0x`",
        ),
    ] {
        let error = read(&without(document, place)).expect_err(sentence);
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn a_slip_of_the_pen_gets_a_hint() {
    for (place, value, hint) in [
        ("/cpenabel", json!(2), Some("did you mean `cpenable`?")),
        ("/profile/rb_tei", json!("union"), Some("did you mean `rb_tie`?")),
        ("/profile/rb_tie", json!("unoin"), Some("did you mean `union`?")),
        ("/profile/preset", json!("vendr"), Some("did you mean `vendor`?")),
        ("/memory/init/0/adress", json!(0), Some("did you mean `address`?")),
        ("/state/fsrr", json!(0), Some("did you mean `fsr`?")),
        ("/program/0", json!("F0 {"), Some("close the bundle with `}`")),
        ("/cpenable", json!("two"), None),
    ] {
        let error = read(&with(vector_json(), place, value)).unwrap_err();
        assert_eq!(error.hint().as_deref(), hint, "{place}");
    }
}

#[test]
fn text_that_is_no_json_is_refused_with_line_and_column() {
    let error = read_case("{\"version\":1,\n \"kind\" \"tensor\"}").unwrap_err();
    assert_eq!(error.to_string(), "not JSON: expected `:` at line 2, column 9");
    let error = read_case("").unwrap_err();
    assert!(matches!(error, JsonError::Syntax { line: 1, .. }), "{error}");
    assert_eq!(read_case("[]").unwrap_err().to_string(), "case: an array of 0, expected an object");
}

#[test]
fn of_two_equal_keys_the_last_one_counts() {
    let case =
        read_case(r#"{"version":1,"kind":"vector","id":"a","id":"b","program":[]}"#).unwrap();
    assert_eq!(case.id(), "b");
}

#[test]
fn an_id_of_any_characters_survives() {
    let mut case = vector(&vector_json());
    case.id = "a\"b\\c\n\té\u{1}".to_owned();
    let case = Case::Vector(case);
    assert_eq!(read_case(&write_case(&case)), Ok(case));
}

#[test]
fn bits_that_control_and_status_words_lack_are_ignored() {
    let case = |fcr: &str, fsr: &str| {
        let state = format!(r#""state":{{"fcr":"{fcr}","fsr":"{fsr}"}}"#);
        read_case(&format!(
            r#"{{"version":1,"kind":"vector","id":"w","profile":{{}},{state},"program":[]}}"#
        ))
        .unwrap()
    };
    assert_eq!(case("0xfff", "0xfff"), case("0x7f", "0xf80"));
    assert_eq!(case("0x80", "0x801"), case("0x0", "0x800"));
}

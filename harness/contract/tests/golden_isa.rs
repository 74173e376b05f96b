//! The vocabulary against the golden tables: enums and their holes, geometry, layouts, the mnemonic
//! table, formats, register classes, clause order and presets.

use contract::case::RECORD;
use contract::isa::layout::{STRUCTS, events, header, layout, s3d3_ts, s4d4_tr};
use contract::isa::{
    AccumCmd, AddrMarker, AluOp, ClauseId, ClauseSet, DEFINED_OPCODES, DebugCmd, Dtype, Format,
    Generation, ImmSrc, Mnemonic, OPCODES, OperandKind, ReduceAxis, ReduceOp, RegClass, RevOps,
    Subdim, UpdateMode, WaitMode, opcode, opcode_by_name, opcode_info,
};
use contract::outcome::{LegalityReason, TensorReason};
use contract::profile::Profile;
use contract::state::{ACCUMULATOR_LANES, TensorState, VectorState};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn file(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn golden(name: &str) -> Value {
    serde_json::from_str(&file(&format!("corpus/golden/{name}"))).unwrap()
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn has(row: &Value, generation: Generation) -> bool {
    rows(&row["gens"]).iter().any(|name| text(name) == generation.name())
}

/// One enum of the contract, seen through its functions.
struct WireEnum {
    golden: &'static str,
    members: usize,
    /// Name, ordinal and first generation of the member with a wire byte.
    from_wire: fn(u8) -> Option<(&'static str, u8, Generation)>,
    wire_of_name: fn(&str) -> Option<u8>,
}

macro_rules! wire_enum {
    ($golden:literal, $type:ident) => {
        WireEnum {
            golden: $golden,
            members: $type::ALL.len(),
            from_wire: |byte| {
                $type::from_wire(byte).map(|member| (member.name(), member.wire(), member.since()))
            },
            wire_of_name: |name| $type::from_name(name).map($type::wire),
        }
    };
}

#[test]
fn every_byte_of_every_enum_is_the_golden_member_or_a_hole_on_every_generation() {
    let golden = golden("enums.json");
    for wire_enum in [
        wire_enum!("DTYPE", Dtype),
        wire_enum!("ALU_OP", AluOp),
        wire_enum!("ACCUM_CMD", AccumCmd),
        wire_enum!("IMM_SRC", ImmSrc),
        wire_enum!("TENS_SCALAR_REV_OPS", RevOps),
        wire_enum!("TENSOR_SUBDIM", Subdim),
        wire_enum!("REDUCE_OP", ReduceOp),
        wire_enum!("REDUCE_AXIS", ReduceAxis),
        wire_enum!("ADDR4_MARKER", AddrMarker),
        wire_enum!("WAIT_MODE", WaitMode),
        wire_enum!("UPDATE_MODE", UpdateMode),
        wire_enum!("DEBUG_CMD_LEVELS", DebugCmd),
    ] {
        let name = wire_enum.golden;
        // A row without generations (marker 0x60) is a hole with a name.
        let rows: BTreeMap<u64, &Value> = rows(&golden[name])
            .iter()
            .filter(|row| !rows(&row["gens"]).is_empty())
            .map(|row| (number(&row["value"]), row))
            .collect();
        assert_eq!(wire_enum.members, rows.len(), "{name}");
        for byte in 0..=255_u8 {
            let member = (wire_enum.from_wire)(byte);
            let row = rows.get(&byte.into());
            for &generation in Generation::ALL {
                let mine = member.is_some_and(|(_, _, since)| since <= generation);
                let theirs = row.is_some_and(|row| has(row, generation));
                assert_eq!(mine, theirs, "{name} {byte:#04x} on {generation}");
            }
            if let (Some((member, wire, _)), Some(row)) = (member, row) {
                assert_eq!((member, wire), (text(&row["name"]), byte), "{name}");
                assert_eq!((wire_enum.wire_of_name)(member), Some(byte), "{name}");
                assert_eq!(text(&row["hex"]), format!("0x{byte:02X}"), "{name}");
            }
        }
        assert_eq!((wire_enum.wire_of_name)("no member"), None);
    }
}

#[test]
fn members_per_generation_are_as_many_as_the_difference_table_says() {
    let count = |since: &[Generation], on| since.iter().filter(|&&since| since <= on).count();
    let ops: Vec<_> = AluOp::ALL.iter().map(|op| op.since()).collect();
    let dtypes: Vec<_> = Dtype::ALL.iter().map(|dtype| dtype.since()).collect();
    // Spec 01 section 8.
    let table = [(33, 16), (60, 16), (64, 24), (64, 24), (65, 30)];
    for (&generation, expected) in Generation::ALL.iter().zip(table) {
        assert_eq!((count(&ops, generation), count(&dtypes, generation)), expected, "{generation}");
    }
}

#[test]
fn dtype_sizes_are_golden() {
    for row in rows(&golden("enums.json")["DTYPE"]) {
        let dtype = Dtype::from_name(text(&row["name"])).unwrap();
        assert_eq!(u64::from(dtype.storage_bytes()), number(&row["bytes"]), "{row}");
    }
}

#[test]
fn generations_and_their_geometry_are_golden() {
    let golden = golden("enums.json");
    let listed = rows(&golden["GENERATION"]);
    assert_eq!(listed.len(), Generation::ALL.len());
    for (row, &generation) in listed.iter().zip(Generation::ALL) {
        assert_eq!(text(&row["name"]), generation.name());
        assert_eq!(number(&row["nc_version"]), u64::from(generation.nc_version()));
        assert_eq!(Generation::from_name(generation.name()), Some(generation));
        let geometry = generation.geometry();
        for (key, value) in golden["GEOMETRY"][generation.name()].as_object().unwrap() {
            let mine = match key.as_str() {
                "partitions" => geometry.partitions,
                "sbuf_base" => geometry.sbuf_base,
                "sbuf_region" => geometry.sbuf_region,
                "sbuf_stride" => geometry.sbuf_stride,
                "sbuf_active" => geometry.sbuf_active,
                "psum_base" => geometry.psum_base,
                "psum_region" => geometry.psum_region,
                "psum_stride" => geometry.psum_stride,
                "psum_active" => geometry.psum_active,
                "psum_banks" => geometry.psum_banks,
                "psum_bank_bytes" => geometry.psum_bank_bytes,
                other => panic!("unknown geometry key {other}"),
            };
            assert_eq!(u64::from(mine), number(value), "{generation} {key}");
        }
        assert_eq!(golden["GEOMETRY"][generation.name()].as_object().unwrap().len(), 11);
    }
}

#[test]
fn constants_are_golden() {
    let constants = &golden("enums.json")["CONSTANTS"];
    assert_eq!(number(&constants["instruction_bytes"]), RECORD as u64);
    assert_eq!(number(&constants["dve_num_channels"]), ACCUMULATOR_LANES as u64);
    let registers = TensorState::default().registers.len();
    assert_eq!(number(&constants["num_addr_registers"]), registers as u64);
}

#[test]
fn opcodes_are_golden() {
    let golden = golden("enums.json");
    let listed = rows(&golden["OPCODE"]);
    assert_eq!(listed.len(), OPCODES.len());
    for row in listed {
        let value = number(&row["value"]) as u8;
        let info = opcode_info(value).unwrap_or_else(|| panic!("{row}"));
        assert_eq!((info.value, info.name), (value, text(&row["name"])));
        assert_eq!(info.layout, row["struct"].as_str(), "{row}");
        assert_eq!(info.layout.is_some(), row["in_scope"].as_bool().unwrap(), "{row}");
        assert_eq!(opcode_by_name(&info.name.to_lowercase()), Some(info));
        for &generation in Generation::ALL {
            assert_eq!(info.since <= generation, has(row, generation), "{row} on {generation}");
        }
    }
    let defined: Vec<u64> = rows(&golden["opcode_defined_values"]).iter().map(number).collect();
    assert_eq!(DEFINED_OPCODES.iter().map(|&value| value.into()).collect::<Vec<u64>>(), defined);
    assert!(DEFINED_OPCODES.is_sorted());
}

#[test]
fn named_opcodes_are_the_four_that_execute() {
    for (value, name) in [
        (opcode::TENSOR_SCALAR_CACHE_REDUCE, "TensorScalarCacheReduce"),
        (opcode::TENSOR_SCALAR_CACHE_CUMULATIVE, "TensorScalarCacheCumulative"),
        (opcode::TENSOR_CUMULATIVE_ARITH, "TensorCumulativeArith"),
        (opcode::TENSOR_CUMULATIVE_BITVEC, "TensorCumulativeBitvec"),
    ] {
        assert_eq!(opcode_by_name(name).map(|info| info.value), Some(value));
    }
    assert_eq!(opcode_by_name("TensorCumulative"), None);
}

#[test]
fn layouts_are_golden_and_leave_no_gap() {
    let golden = golden("layouts.json");
    let structs = golden["structs"].as_object().unwrap();
    assert_eq!(structs.len(), STRUCTS.len());
    for (name, row) in structs {
        let mine = layout(name).unwrap_or_else(|| panic!("no struct {name}"));
        assert_eq!(mine.size as u64, number(&row["size"]), "{name}");
        let fields = row["fields"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(mine.fields.len(), fields.len(), "{name}");
        for (field, row) in mine.fields.iter().zip(fields) {
            assert_eq!(field.name, text(&row["name"]), "{name}");
            assert_eq!(field.offset as u64, number(&row["offset"]), "{name}.{}", field.name);
            assert_eq!(field.size as u64, number(&row["size"]), "{name}.{}", field.name);
            assert_eq!(field.kind, text(&row["type"]), "{name}.{}", field.name);
            assert_eq!(mine.field(field.name), Some(field));
        }
        if row.get("union").is_some() || row.get("bitfield").is_some() {
            continue;
        }
        let end = mine.fields.iter().fold(0, |at, field| {
            assert_eq!(field.offset, at, "{name}.{}", field.name);
            at + field.size
        });
        if row.get("opcodes").is_some() {
            assert_eq!(mine.size, RECORD, "{name}");
        }
        assert_eq!(end, mine.size, "{name}");
    }
    for info in OPCODES {
        if let Some(name) = info.layout {
            assert_eq!(layout(name).map(|layout| layout.size), Some(RECORD), "{}", info.name);
        }
    }
}

#[test]
fn offset_constants_are_those_of_the_layouts() {
    let offset = |name, field| layout(name).unwrap().field(field).unwrap().offset;
    let events_start = offset("S3D3_TS", "events");
    for (constant, field) in [
        (header::OPCODE, "opcode"),
        (header::INST_WORD_LEN, "inst_word_len"),
        (header::DEBUG_CMD, "debug_cmd"),
        (header::DEBUG_HINT, "debug_hint"),
    ] {
        assert_eq!(constant, offset("HEADER", field), "{field}");
    }
    for (constant, field) in [
        (events::WAIT_MODE, "wait_mode"),
        (events::WAIT_IDX, "wait_idx"),
        (events::UPDATE_MODE, "update_mode"),
        (events::UPDATE_IDX, "update_idx"),
        (events::SEMAPHORE_VALUE, "semaphore_value"),
    ] {
        // Records hold the events after the header; the constants count from the record's start.
        assert_eq!(constant, events_start + offset("EVENTS", field), "{field}");
    }
    for (constant, field) in [
        (s3d3_ts::ACCUMULATOR_CMD, "accumulator_cmd"),
        (s3d3_ts::RESERVED0, "reserved0"),
        (s3d3_ts::SRC_MEM_PATTERN, "src_mem_pattern"),
        (s3d3_ts::IN_DTYPE, "in_dtype"),
        (s3d3_ts::OUT_DTYPE, "out_dtype"),
        (s3d3_ts::NUM_ACTIVE_CHANNELS, "num_active_channels"),
        (s3d3_ts::IMM0_SRC, "imm0_src"),
        (s3d3_ts::OP0, "op0"),
        (s3d3_ts::OP1, "op1"),
        (s3d3_ts::REVERSE_OPERANDS, "reverse_operands"),
        (s3d3_ts::IMM1_SRC, "imm1_src"),
        (s3d3_ts::IMM0, "imm0"),
        (s3d3_ts::IMM1, "imm1"),
        (s3d3_ts::DST_MEM_PATTERN, "dst_mem_pattern"),
    ] {
        assert_eq!(constant, offset("S3D3_TS", field), "{field}");
    }
    for (constant, field) in [
        (s4d4_tr::SRC_MEM_PATTERN, "src_mem_pattern"),
        (s4d4_tr::IN_DTYPE, "in_dtype"),
        (s4d4_tr::OUT_DTYPE, "out_dtype"),
        (s4d4_tr::NUM_ACTIVE_CHANNELS, "num_active_channels"),
        (s4d4_tr::NEGATED, "negated"),
        (s4d4_tr::OP, "op"),
        (s4d4_tr::OP_DIM, "op_dim"),
        (s4d4_tr::MASK_ENABLE, "mask_enable"),
        (s4d4_tr::RESERVED1, "reserved1"),
        (s4d4_tr::DST_MEM_PATTERN, "dst_mem_pattern"),
    ] {
        assert_eq!(constant, offset("S4D4_TR", field), "{field}");
    }
}

#[test]
fn mnemonics_are_the_rows_of_the_four_table_parts() {
    let mut seen = BTreeSet::new();
    for (name, part) in [
        ("lat_table.json", 4),
        ("lat_table_07.json", 7),
        ("lat_table_08.json", 8),
        ("lat_table_09.json", 9),
    ] {
        let table = golden(name);
        assert_eq!(text(&table["part"]).parse(), Ok(part));
        for row in rows(&table["ops"]) {
            let op = text(&row["op"]);
            let mnemonic = Mnemonic::from_name(op).unwrap_or_else(|| panic!("no row for {op}"));
            assert!(seen.insert(mnemonic), "{op} stands in two parts");
            assert_eq!(mnemonic.name(), op);
            assert_eq!(Mnemonic::from_name(&op.to_lowercase()), Some(mnemonic));
            assert_eq!(Mnemonic::from_index(mnemonic.index()), Some(mnemonic));
            let chapter = row.get("chapter").map_or(part, |chapter| text(chapter).parse().unwrap());
            assert_eq!(mnemonic.info().chapter, chapter, "{op}");
            let operands: Vec<(&str, &str)> = rows(&row["operands"])
                .iter()
                .map(|operand| (text(&operand["name"]), text(&operand["kind"])))
                .collect();
            let mine: Vec<(&str, &str)> = mnemonic
                .info()
                .operands
                .iter()
                .map(|&(name, kind)| match kind {
                    OperandKind::Reg(class) => (name, class.name()),
                    OperandKind::Imm => (name, "imm"),
                })
                .collect();
            assert_eq!(mine, operands, "{op}");
        }
    }
    assert_eq!(seen.len(), Mnemonic::count());
    assert_eq!(Mnemonic::all().len(), Mnemonic::count());
    assert_eq!(Mnemonic::NOP.name(), "NOP");
    assert_eq!(Mnemonic::from_index(Mnemonic::count()), None);
}

#[test]
fn formats_and_slots_are_golden_in_every_part() {
    for name in ["lat_table.json", "lat_table_07.json", "lat_table_08.json", "lat_table_09.json"] {
        let table = golden(name);
        let formats = rows(&table["formats"]);
        assert_eq!(formats.len(), Format::ALL.len());
        for (row, &format) in formats.iter().zip(Format::ALL) {
            assert_eq!(text(&row["format"]), format.name());
            assert_eq!(Format::from_name(&format.name().to_lowercase()), Some(format));
            let slots = rows(&row["slots"]);
            assert_eq!(slots.len(), format.slots().len(), "{format}");
            for (number, slot) in slots.iter().enumerate() {
                assert_eq!(format.slot_name(number).as_deref(), slot.as_str(), "{format}");
            }
            assert_eq!(format.slot_name(slots.len()), None);
        }
    }
}

#[test]
fn register_classes_are_golden() {
    let table = golden("lat_table.json");
    let classes = rows(&table["classes"]);
    assert_eq!(classes.len(), RegClass::ALL.len());
    for (row, &class) in classes.iter().zip(RegClass::ALL) {
        assert_eq!(text(&row["class"]), class.name());
        assert_eq!(text(&row["short"]), class.prefix());
        assert_eq!(number(&row["depth"]), u64::from(class.entries()), "{}", class.name());
        assert_eq!(RegClass::from_name(class.name()), Some(class));
        assert_eq!(RegClass::from_prefix(class.prefix()), Some(class));
    }
    let state = VectorState::default();
    for (class, entries) in [
        (RegClass::Ar, state.ar.len()),
        (RegClass::Vec, state.vec.len()),
        (RegClass::Vbool, state.vbool.len()),
        (RegClass::Valign, state.valign.len()),
        (RegClass::Wvec, state.wvec.len()),
        (RegClass::Pr, state.pr.len()),
        (RegClass::Gvr, state.gvr.len()),
    ] {
        assert_eq!(class.entries() as usize, entries, "{}", class.name());
    }
}

#[test]
fn clauses_stand_in_the_order_of_the_spec() {
    let chapter = file("oracle/spec/02-validators.md");
    let listed: Vec<&str> = chapter
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .filter(|id| ["HDR-", "EVT-", "CR-", "TC-"].iter().any(|group| id.starts_with(group)))
        .collect();
    let mine: Vec<&str> = ClauseId::ALL.iter().map(|clause| clause.id()).collect();
    assert_eq!(mine, listed);
    for &clause in ClauseId::ALL {
        assert_eq!(ClauseId::from_id(clause.id()), Some(clause));
    }
}

/// The cells of a chapter's table rows between two headings.
fn table<'a>(chapter: &'a str, from: &str, to: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = chapter.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    let (section, _) = rest.split_once(to).unwrap_or_else(|| panic!("no {to}"));
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|row| row.split(" | ").collect())
        .collect()
}

#[test]
fn tensor_reasons_stand_in_the_order_of_the_spec() {
    let chapter = file("oracle/spec/01-descriptors.md");
    let listed: Vec<&str> = table(&chapter, "### 7.1 Outcomes", "## 8.")
        .into_iter()
        .filter(|cells| cells[0].parse::<u32>().is_ok())
        .flat_map(|cells| cells[1].split(", "))
        .collect();
    let all = TensorReason::all();
    assert_eq!(all.iter().map(TensorReason::text).collect::<Vec<_>>(), listed);
    for reason in all {
        assert_eq!(TensorReason::from_text(reason.text()), reason);
    }
}

#[test]
fn legality_reasons_stand_in_the_order_of_the_spec() {
    let chapter = file("oracle/spec/05-timing.md");
    let listed: Vec<&str> = table(&chapter, "## 6. Bundle legality", "## 7.")
        .into_iter()
        .filter(|cells| cells[0].parse::<u32>().is_ok())
        .map(|cells| cells[2].trim_matches('`'))
        .collect();
    let all = LegalityReason::all();
    assert_eq!(all.iter().map(LegalityReason::text).collect::<Vec<_>>(), listed);
    for reason in all {
        assert_eq!(LegalityReason::from_text(reason.text()), reason);
    }
}

#[test]
fn a_clause_set_lists_its_clauses_in_order_and_once() {
    let mut set: ClauseSet = ClauseId::ALL.iter().rev().copied().collect();
    assert_eq!((set.len(), set.iter().collect::<Vec<_>>()), (46, ClauseId::ALL.to_vec()));
    set.remove(ClauseId::HdrOpc);
    set.insert_if(ClauseId::HdrOpc, false);
    assert!(!set.contains(ClauseId::HdrOpc) && set.contains(ClauseId::HdrLen));
    let one = ClauseSet::of(ClauseId::TcNeg0);
    assert_eq!(set.difference(one).len(), 44);
    assert_eq!(set.difference(set), ClauseSet::EMPTY);
    assert_eq!(one.union(one), one);
    assert!(ClauseSet::EMPTY.is_empty() && !one.is_empty());
}

#[test]
fn switches_are_the_rows_of_the_contested_table() {
    let chapter = file("oracle/spec/06-contested.md");
    let mut listed: Vec<(&str, Vec<&str>)> = chapter
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|row| {
            let mut cells = row.split(" | ");
            let key = cells.next().unwrap().trim_end_matches('`');
            (key, cells.next().unwrap().split(", ").map(|value| value.trim_matches('`')).collect())
        })
        .collect();
    // The table's text names the one switch that is an option.
    listed.push(("engine", vec!["dve", "pool"]));
    let mine: Vec<_> =
        Profile::SWITCHES.iter().map(|&key| (key, Profile::values_of(key).unwrap())).collect();
    assert_eq!(mine, listed);
}

#[test]
fn presets_are_those_of_the_spec() {
    let preset = |name| Profile::preset(name).unwrap().non_default();
    assert_eq!(preset("seed"), []);
    assert_eq!(preset("val05"), [("rb_tie", "union"), ("rotr_mode", "bit")]);
    assert_eq!(
        preset("vendor"),
        [
            ("rb_tie", "union"),
            ("rotr_mode", "bit"),
            ("lat_crossbar", "formal"),
            ("reduce_emit", "elementwise"),
            ("op1_order", "acc_right"),
            ("f2i_round", "nearest_even"),
        ]
    );
    assert_eq!(Profile::PRESETS, ["seed", "val05", "vendor"]);
    assert!(Profile::preset("default").is_err());
}

#[test]
fn every_value_of_every_switch_can_be_set_and_is_told_apart() {
    for &key in Profile::SWITCHES {
        let values = Profile::values_of(key).unwrap();
        assert_eq!(Profile::default().get(key), Some(values[0]), "{key}");
        for &value in &values {
            let mut profile = Profile::default();
            profile.set(key, value).unwrap();
            assert_eq!(profile.get(key), Some(value));
            let differs = if value == values[0] { vec![] } else { vec![(key, value)] };
            assert_eq!(profile.non_default(), differs);
        }
        assert!(Profile::default().set(key, "no value").is_err());
    }
    assert!(Profile::default().set("no switch", "seed").is_err());
}

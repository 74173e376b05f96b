//! Sets of byte values as 256-bit masks, and one table of every set per generation (spec 02 sections
//! 2.1 to 2.3): a membership test is one load, one shift and one mask.

use contract::isa::{AccumCmd, AluOp, DEFINED_OPCODES, Dtype, Generation, RevOps, Subdim};
use contract::isa::{UpdateMode, WaitMode};

/// A set of byte values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The set of some values.
    const fn of(values: &[u8]) -> Self {
        let mut set = Self([0; 4]);
        let mut index = 0;
        while index < values.len() {
            set.0[values[index] as usize / 64] |= 1 << (values[index] % 64);
            index += 1;
        }
        set
    }

    /// The values from `first` to `last`.
    const fn range(first: u8, last: u8) -> Self {
        let mut set = Self([0; 4]);
        let mut value = first;
        while value <= last {
            set.0[value as usize / 64] |= 1 << (value % 64);
            value += 1;
        }
        set
    }

    const fn and(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }

    const fn without(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    /// True if the set has the value.
    #[inline(always)]
    pub const fn contains(&self, value: u8) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }
}

/// Names of the sets: indices into [`Sets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Set {
    /// The value 0.
    Zero,
    /// Defined opcodes.
    Opcode,
    /// `inst_word_len`: 16.
    WordLength,
    /// WAIT_MODE.
    WaitMode,
    /// UPDATE_MODE.
    UpdateMode,
    /// ALU_OP.
    AluOp,
    /// arith.
    Arith,
    /// general_arith.
    GeneralArith,
    /// bitvec.
    Bitvec,
    /// cache_combine.
    CacheCombine,
    /// Every value but Divide, Pow and Mod.
    Cumulative,
    /// TENS_SCALAR_REV_OPS.
    RevOps,
    /// Axes that a scan or a reduction may name: X, XY, XYZ, XYZW.
    Axes,
    /// Accumulate, ZeroAccumulate, LoadAccumulate.
    CacheCommand,
    /// Channel counts 1 to 128.
    Channels,
    /// `dt(d, no FP32R)`.
    Dtype,
    /// `dt(d, FP32R ok)`.
    DtypeFp32r,
    /// Inputs of the cache instructions: fp_path, and int_path without INT32 and UINT32.
    CacheInput,
    /// Inputs of the bitvec scan.
    BitvecScan,
    /// Dtypes of 4 bytes.
    FourBytes,
    /// Dtypes of alignment 1.
    Align1,
    /// Dtypes of alignment 2.
    Align2,
    /// Dtypes of alignment 4.
    Align4,
    /// Dtypes of alignment 8.
    Align8,
}

const SETS: usize = Set::Align8 as usize + 1;

/// Every set for one generation.
pub struct Sets([ByteSet; SETS]);

impl Sets {
    /// True if a named set has the value.
    #[inline(always)]
    pub const fn has(&self, set: Set, value: u8) -> bool {
        self.0[set as usize].contains(value)
    }

    /// The alignment of a dtype code less 1, or a mask that no address satisfies together with
    /// [`UNALIGNED`] where the code has no alignment (spec 02 section 2.3).
    #[inline(always)]
    pub const fn alignment_mask(&self, dtype: u8) -> u32 {
        let defined = self.has(Set::Align1, dtype) as u32
            | (self.has(Set::Align2, dtype) as u32) << 1
            | (self.has(Set::Align4, dtype) as u32) << 2
            | (self.has(Set::Align8, dtype) as u32) << 3;
        if defined == 0 { UNALIGNED } else { defined - 1 }
    }
}

/// Address bit that stands for "never aligned".
pub const UNALIGNED: u32 = 1 << 31;

/// The sets of a generation.
#[inline]
pub fn of(generation: Generation) -> &'static Sets {
    &TABLE[generation as usize]
}

static TABLE: [Sets; 5] = [
    build(Generation::Sunda),
    build(Generation::Cayman),
    build(Generation::Mariana),
    build(Generation::MarianaPlus),
    build(Generation::Maverick),
];

/// The set of the members of a wire enum that a generation has.
macro_rules! members {
    ($type:ty, $generation:expr) => {{
        let mut set = ByteSet([0; 4]);
        let mut index = 0;
        while index < <$type>::ALL.len() {
            let member = <$type>::ALL[index];
            if member.since() as u8 <= $generation as u8 {
                set.0[member.wire() as usize / 64] |= 1 << (member.wire() % 64);
            }
            index += 1;
        }
        set
    }};
}

/// The set of some members of an enum, by name.
macro_rules! named {
    ($type:ident { $($member:ident)* }) => { ByteSet::of(&[$($type::$member.wire()),*]) };
}

/// arith on the newest generation.
const ARITH: ByteSet = named!(AluOp {
    Bypass Add Subtract Mult Divide Max Min LogicalAnd LogicalOr LogicalXor IsEQ IsGT IsGE IsLE IsLT
    IsNE AbsoluteDiff AbsoluteValue Pow Mod Rsqrt AddInt MultInt SubtractInt DivideInt ModInt AbsMax
    AbsMin ReLU Square
});
const BITVEC: ByteSet = named!(AluOp {
    Bypass BitwiseNot BitwiseAnd BitwiseOr BitwiseXor ArithShiftLeft ArithShiftRight LogicalShiftLeft
    LogicalShiftRight Crc32
});
/// int_aluop on the newest generation.
const INT_ALUOP: ByteSet = named!(AluOp {
    AddInt MultInt SubtractInt DivideInt ModInt IsEqualInt IsNeInt AbsMaxInt AbsMinInt AbsDiffInt
    MaxInt MinInt IsGtInt IsGeInt IsLeInt IsLtInt MaxUint MinUint IsGtUint IsGeUint IsLeUint IsLtUint
    MultUint DivideUint ModUint Mod
});
const CACHE_COMBINE: ByteSet = named!(AluOp { Add Subtract Mult Max Min });
const NOT_CUMULATIVE: ByteSet = named!(AluOp { Divide Pow Mod });
const FP_PATH: ByteSet = named!(Dtype { Fp8Exp3 Fp8Exp4 Fp8Exp5 Fp16 Bfloat16 Fp32 });
const NARROW_INT: ByteSet = named!(Dtype { Int8 Uint8 Int16 Uint16 });
const WIDE_INT: ByteSet = named!(Dtype { Int32 Uint32 });
const FP32R: ByteSet = named!(Dtype { Fp32r });

const fn or(a: ByteSet, b: ByteSet) -> ByteSet {
    ByteSet([a.0[0] | b.0[0], a.0[1] | b.0[1], a.0[2] | b.0[2], a.0[3] | b.0[3]])
}

const fn build(generation: Generation) -> Sets {
    let mut sets = [ByteSet([0; 4]); SETS];
    let alu = members!(AluOp, generation);
    let arith = ARITH.and(alu);
    let general = arith.without(named!(AluOp { Divide Pow Mod Rsqrt })).without(INT_ALUOP);
    let plain = or(or(FP_PATH, NARROW_INT), WIDE_INT);
    sets[Set::Zero as usize] = ByteSet::of(&[0]);
    sets[Set::Opcode as usize] = ByteSet::of(DEFINED_OPCODES);
    sets[Set::WordLength as usize] = ByteSet::of(&[16]);
    sets[Set::WaitMode as usize] = members!(WaitMode, generation);
    sets[Set::UpdateMode as usize] = members!(UpdateMode, generation);
    sets[Set::AluOp as usize] = alu;
    sets[Set::Arith as usize] = arith;
    sets[Set::GeneralArith as usize] = general;
    sets[Set::Bitvec as usize] = BITVEC.and(alu);
    sets[Set::CacheCombine as usize] = CACHE_COMBINE;
    sets[Set::Cumulative as usize] = ByteSet([u64::MAX; 4]).without(NOT_CUMULATIVE);
    sets[Set::RevOps as usize] = members!(RevOps, generation);
    sets[Set::Axes as usize] = named!(Subdim { X XY XYZ XYZW });
    sets[Set::CacheCommand as usize] =
        named!(AccumCmd { Accumulate ZeroAccumulate LoadAccumulate });
    sets[Set::Channels as usize] = ByteSet::range(1, 128);
    sets[Set::Dtype as usize] = plain;
    sets[Set::DtypeFp32r as usize] = or(plain, FP32R);
    sets[Set::CacheInput as usize] = or(FP_PATH, NARROW_INT);
    sets[Set::BitvecScan as usize] = named!(Dtype { Uint8 Uint16 Uint32 Int32 });
    sets[Set::FourBytes as usize] = named!(Dtype { Int32 Uint32 Fp32 Fp32r });
    let align1 = named!(Dtype { Int8 Uint8 Fp8Exp3 Fp8Exp4 Fp8Exp5 });
    sets[Set::Align1 as usize] = if generation as u8 >= Generation::Mariana as u8 {
        or(align1, named!(Dtype { Fp4Exp2 }))
    } else {
        align1
    };
    sets[Set::Align2 as usize] = named!(Dtype { Int16 Uint16 Bfloat16 Fp16 });
    sets[Set::Align4 as usize] = sets[Set::FourBytes as usize];
    sets[Set::Align8 as usize] = named!(Dtype { Uint64 Int64 });
    Sets(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Values of a golden list of numbers or of objects with a `value`.
    fn values(list: &Value) -> Vec<u8> {
        let value = |entry: &Value| entry.as_u64().or_else(|| entry["value"].as_u64());
        list.as_array().unwrap().iter().map(|entry| value(entry).unwrap() as u8).collect()
    }

    #[test]
    fn sets_equal_the_golden_tables_on_every_generation() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/golden/enums.json");
        let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for &generation in Generation::ALL {
            let name = generation.name();
            let sets = of(generation);
            let check = |set: Set, expected: Vec<u8>| {
                for value in 0..=255 {
                    let wanted = expected.contains(&value);
                    assert_eq!(sets.has(set, value), wanted, "{set:?} {value:#04x} {name}");
                }
            };
            let enumeration = |key: &str| {
                let members = golden[key].as_array().unwrap().iter();
                let here = members.filter(|row| {
                    row["gens"].as_array().unwrap().iter().any(|generation| generation == name)
                });
                here.map(|row| row["value"].as_u64().unwrap() as u8).collect::<Vec<_>>()
            };
            check(Set::Opcode, values(&golden["opcode_defined_values"]));
            check(Set::WaitMode, enumeration("WAIT_MODE"));
            check(Set::UpdateMode, enumeration("UPDATE_MODE"));
            check(Set::AluOp, enumeration("ALU_OP"));
            check(Set::RevOps, enumeration("TENS_SCALAR_REV_OPS"));
            let axes = enumeration("TENSOR_SUBDIM").into_iter().filter(|&axis| axis != 0);
            check(Set::Axes, axes.collect());
            let operators = |key: &str| values(&golden["op_sets"][key][name]);
            check(Set::Arith, operators("is_arith_op"));
            check(Set::GeneralArith, operators("is_general_arith_op"));
            check(Set::Bitvec, operators("is_bitvec_op"));
            check(Set::CacheCombine, operators("is_valid_cache_reduce_op"));
            let dtypes = |key: &str| values(&golden["dtype_sets"][key]);
            check(Set::Dtype, dtypes("valid_plain"));
            check(Set::DtypeFp32r, [dtypes("valid_plain"), vec![11]].concat());
            check(Set::CacheInput, dtypes("cache_in"));
            check(Set::BitvecScan, dtypes("cum_bitvec"));
            let newer = if generation < Generation::Mariana {
                Vec::new()
            } else {
                dtypes("align1_mariana_plus")
            };
            check(Set::Align1, [dtypes("align1"), newer].concat());
            check(Set::Align2, dtypes("align2"));
            check(Set::Align4, dtypes("align4"));
            check(Set::FourBytes, dtypes("align4"));
            check(Set::Align8, dtypes("align8"));
            check(Set::Channels, (1..=128).collect());
            check(Set::CacheCommand, vec![2, 3, 4]);
            check(Set::Zero, vec![0]);
            check(Set::WordLength, vec![16]);
            let excluded = [0x07, 0x1A, 0x1B];
            check(Set::Cumulative, (0..=255).filter(|op| !excluded.contains(op)).collect());
        }
    }

    #[test]
    fn alignment_masks_follow_the_dtype_sizes() {
        let masks = |generation| {
            (0..=255u8).map(|code| of(generation).alignment_mask(code)).collect::<Vec<_>>()
        };
        let mariana = masks(Generation::Mariana);
        assert_eq!(
            mariana[..0x12],
            [UNALIGNED, 7, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 7, 0, 0, 0, 0, UNALIGNED]
        );
        assert!(mariana[0x11..].iter().all(|&mask| mask == UNALIGNED));
        assert_eq!(masks(Generation::Cayman)[0x10], UNALIGNED);
    }
}

//! Tensor-side enums (spec 01 sections 2, 3 and 6): wire ordinals, names and the first
//! generation that has each member. Membership tables only; every rule that *uses* a membership
//! (operator sets, dtype classes, sizes that a clause asks for) belongs to the models.

use super::Generation;

/// Declares one wire enum as data: variants, ordinals, printed names, first generation.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $value:literal, $text:literal, $since:ident;)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant = $value,)*
        }
        impl $name {
            /// Every member, ascending by ordinal of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// The member with this wire ordinal on any generation.
            pub const fn from_wire(value: u8) -> Option<Self> {
                match value { $($value => Some(Self::$variant),)* _ => None }
            }
            /// The wire ordinal.
            pub const fn wire(self) -> u8 { self as u8 }
            /// The name used in `enums.json` and in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
            /// The member with this name, case-sensitive.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
            /// The first generation whose interface lists the member.
            pub const fn since(self) -> Generation {
                match self { $(Self::$variant => Generation::$since),* }
            }
        }
    };
}
wire_enum! {
    /// Element type codes (spec 01 section 6.2).
    Dtype {
        Invalid = 0x00, "INVALID", Sunda;
        Uint64 = 0x01, "UINT64", Sunda;
        Int8 = 0x02, "INT8", Sunda;
        Uint8 = 0x03, "UINT8", Sunda;
        Int16 = 0x04, "INT16", Sunda;
        Uint16 = 0x05, "UINT16", Sunda;
        Bfloat16 = 0x06, "BFLOAT16", Sunda;
        Fp16 = 0x07, "FP16", Sunda;
        Int32 = 0x08, "INT32", Sunda;
        Uint32 = 0x09, "UINT32", Sunda;
        Fp32 = 0x0A, "FP32", Sunda;
        Fp32r = 0x0B, "FP32R", Sunda;
        Int64 = 0x0C, "INT64", Sunda;
        Fp8Exp3 = 0x0D, "FP8_EXP3", Sunda;
        Fp8Exp4 = 0x0E, "FP8_EXP4", Sunda;
        Fp8Exp5 = 0x0F, "FP8_EXP5", Sunda;
        Fp4Exp2 = 0x10, "FP4_EXP2", Mariana;
        Fp8Exp2 = 0x11, "FP8_EXP2", Maverick;
        Int4 = 0x12, "INT4", Maverick;
        Sfp8E8 = 0x13, "SFP8_E8", Maverick;
        Sfp8E7 = 0x14, "SFP8_E7", Maverick;
        Sfp8E6 = 0x15, "SFP8_E6", Maverick;
        Sfp8E5 = 0x16, "SFP8_E5", Maverick;
        Cptc1 = 0x19, "CPTC1", Mariana;
        Cptc2 = 0x1A, "CPTC2", Mariana;
        Cptc3 = 0x1B, "CPTC3", Mariana;
        Cptc4 = 0x1C, "CPTC4", Mariana;
        Cptc5 = 0x1D, "CPTC5", Mariana;
        Cptc6 = 0x1E, "CPTC6", Mariana;
        Cptc7 = 0x1F, "CPTC7", Mariana;
    }
}
wire_enum! {
    /// ALU operations (spec 01 section 6.3).
    AluOp {
        Bypass = 0x00, "Bypass", Sunda;
        BitwiseNot = 0x01, "BitwiseNot", Sunda;
        ArithShiftLeft = 0x02, "ArithShiftLeft", Sunda;
        ArithShiftRight = 0x03, "ArithShiftRight", Sunda;
        Add = 0x04, "Add", Sunda;
        Subtract = 0x05, "Subtract", Sunda;
        Mult = 0x06, "Mult", Sunda;
        Divide = 0x07, "Divide", Sunda;
        Max = 0x08, "Max", Sunda;
        Min = 0x09, "Min", Sunda;
        BitwiseAnd = 0x0A, "BitwiseAnd", Sunda;
        BitwiseOr = 0x0B, "BitwiseOr", Sunda;
        BitwiseXor = 0x0C, "BitwiseXor", Sunda;
        LogicalAnd = 0x0D, "LogicalAnd", Sunda;
        LogicalOr = 0x0E, "LogicalOr", Sunda;
        LogicalXor = 0x0F, "LogicalXor", Sunda;
        LogicalShiftLeft = 0x10, "LogicalShiftLeft", Sunda;
        LogicalShiftRight = 0x11, "LogicalShiftRight", Sunda;
        IsEQ = 0x12, "IsEQ", Sunda;
        IsGT = 0x13, "IsGT", Sunda;
        IsGE = 0x14, "IsGE", Sunda;
        IsLE = 0x15, "IsLE", Sunda;
        IsLT = 0x16, "IsLT", Sunda;
        AbsoluteDiff = 0x17, "AbsoluteDiff", Sunda;
        IsNE = 0x18, "IsNE", Sunda;
        AbsoluteValue = 0x19, "AbsoluteValue", Sunda;
        Pow = 0x1A, "Pow", Sunda;
        Mod = 0x1B, "Mod", Sunda;
        Crc32 = 0x1C, "Crc32", Sunda;
        Rsqrt = 0x1D, "Rsqrt", Sunda;
        AbsMax = 0x20, "AbsMax", Mariana;
        AbsMin = 0x21, "AbsMin", Mariana;
        ReLU = 0x22, "ReLU", Mariana;
        Square = 0x23, "Square", Mariana;
        SymmetricClamp = 0x24, "SymmetricClamp", Maverick;
        AddInt = 0xC4, "AddInt", Sunda;
        MultInt = 0xC5, "MultInt", Sunda;
        SubtractInt = 0xC6, "SubtractInt", Sunda;
        DivideInt = 0xC7, "DivideInt", Cayman;
        ModInt = 0xC8, "ModInt", Cayman;
        IsEqualInt = 0xC9, "IsEqualInt", Cayman;
        IsNeInt = 0xCA, "IsNeInt", Cayman;
        AbsMaxInt = 0xCB, "AbsMaxInt", Cayman;
        AbsMinInt = 0xCC, "AbsMinInt", Cayman;
        AbsDiffInt = 0xCD, "AbsDiffInt", Cayman;
        AbsValueInt = 0xCE, "AbsValueInt", Cayman;
        MaxInt = 0xCF, "MaxInt", Cayman;
        MinInt = 0xD0, "MinInt", Cayman;
        IsGtInt = 0xD1, "IsGtInt", Cayman;
        IsGeInt = 0xD2, "IsGeInt", Cayman;
        IsLeInt = 0xD3, "IsLeInt", Cayman;
        IsLtInt = 0xD4, "IsLtInt", Cayman;
        MaxUint = 0xD5, "MaxUint", Cayman;
        MinUint = 0xD6, "MinUint", Cayman;
        IsGtUint = 0xD7, "IsGtUint", Cayman;
        IsGeUint = 0xD8, "IsGeUint", Cayman;
        IsLeUint = 0xD9, "IsLeUint", Cayman;
        IsLtUint = 0xDA, "IsLtUint", Cayman;
        MultUint = 0xDB, "MultUint", Cayman;
        DivideUint = 0xDC, "DivideUint", Cayman;
        ModUint = 0xDD, "ModUint", Cayman;
        AMaxInt = 0xDE, "AMaxInt", Cayman;
        AMinInt = 0xDF, "AMinInt", Cayman;
        AMaxUint = 0xE0, "AMaxUint", Cayman;
        AMinUint = 0xE1, "AMinUint", Cayman;
    }
}
wire_enum! {
    /// Accumulator commands (spec 01 section 6.4).
    AccumCmd {
        Idle = 0x00, "Idle", Sunda;
        Zero = 0x01, "Zero", Sunda;
        Accumulate = 0x02, "Accumulate", Sunda;
        ZeroAccumulate = 0x03, "ZeroAccumulate", Sunda;
        LoadAccumulate = 0x04, "LoadAccumulate", Sunda;
    }
}
wire_enum! {
    /// Immediate source selectors (spec 01 section 6.4).
    ImmSrc {
        InstructionImmediate = 0x00, "InstructionImmediate", Sunda;
        PointerImmediate = 0x01, "PointerImmediate", Sunda;
        RegPtrImmediate = 0x02, "RegPtrImmediate", Sunda;
    }
}
wire_enum! {
    /// Operand reversal selectors (spec 01 section 6.4).
    RevOps {
        None = 0x00, "None", Sunda;
        First = 0x01, "First", Sunda;
        Second = 0x02, "Second", Sunda;
        Both = 0x03, "Both", Sunda;
    }
}
wire_enum! {
    /// Scanned or reduced axes (spec 01 section 6.4); value 1 is a hole.
    Subdim {
        Unused = 0x00, "Unused", Sunda;
        X = 0x02, "X", Sunda;
        XY = 0x03, "XY", Sunda;
        XYZ = 0x04, "XYZ", Sunda;
        XYZW = 0x05, "XYZW", Sunda;
    }
}
wire_enum! {
    /// Cross-lane reduce operators (spec 01 section 6.4).
    ReduceOp {
        Add = 0x00, "Add", Sunda;
        Average = 0x01, "Average", Sunda;
        Max = 0x02, "Max", Sunda;
        BitwiseOr = 0x03, "BitwiseOr", Sunda;
        BitwiseAnd = 0x04, "BitwiseAnd", Sunda;
        BitwiseXor = 0x05, "BitwiseXor", Sunda;
    }
}
wire_enum! {
    /// Cross-lane reduce axes (spec 01 section 6.4).
    ReduceAxis {
        All = 0x00, "All", Sunda;
        Partitions = 0x01, "Partitions", Sunda;
    }
}
wire_enum! {
    /// Event wait modes (spec 01 section 2.2).
    WaitMode {
        None = 0x00, "None", Sunda;
        SemEqImm = 0x01, "SemEqImm", Sunda;
        SemLtImm = 0x02, "SemLtImm", Sunda;
        SemLeImm = 0x03, "SemLeImm", Sunda;
        SemGtImm = 0x04, "SemGtImm", Sunda;
        SemGeImm = 0x05, "SemGeImm", Sunda;
        EvtSet = 0x06, "EvtSet", Sunda;
        EvtSetThenClear = 0x07, "EvtSetThenClear", Sunda;
        EvtClear = 0x0E, "EvtClear", Sunda;
        EvtClearThenSet = 0x0F, "EvtClearThenSet", Sunda;
        SemEqReg = 0x81, "SemEqReg", Sunda;
        SemLtReg = 0x82, "SemLtReg", Sunda;
        SemLeReg = 0x83, "SemLeReg", Sunda;
        SemGtReg = 0x84, "SemGtReg", Sunda;
        SemGeReg = 0x85, "SemGeReg", Sunda;
    }
}
wire_enum! {
    /// Event update modes (spec 01 section 2.2).
    UpdateMode {
        None = 0x00, "None", Sunda;
        EvtSetRead = 0x01, "EvtSetRead", Sunda;
        EvtClrRead = 0x02, "EvtClrRead", Sunda;
        SemIncRead = 0x03, "SemIncRead", Sunda;
        SemDecRead = 0x04, "SemDecRead", Sunda;
        SemAddImmRead = 0x05, "SemAddImmRead", Sunda;
        SemSubImmRead = 0x07, "SemSubImmRead", Sunda;
        SemWrImmRead = 0x09, "SemWrImmRead", Sunda;
        EvtSetComplete = 0x11, "EvtSetComplete", Sunda;
        EvtClrComplete = 0x12, "EvtClrComplete", Sunda;
        SemIncComplete = 0x13, "SemIncComplete", Sunda;
        SemDecComplete = 0x14, "SemDecComplete", Sunda;
        SemAddImmComplete = 0x15, "SemAddImmComplete", Sunda;
        SemSubImmComplete = 0x17, "SemSubImmComplete", Sunda;
        SemWrImmComplete = 0x19, "SemWrImmComplete", Sunda;
        SemAddRegRead = 0x85, "SemAddRegRead", Sunda;
        SemSubRegRead = 0x87, "SemSubRegRead", Sunda;
        SemWrRegRead = 0x89, "SemWrRegRead", Sunda;
        SemAddRegComplete = 0x95, "SemAddRegComplete", Sunda;
        SemSubRegComplete = 0x97, "SemSubRegComplete", Sunda;
        SemWrRegComplete = 0x99, "SemWrRegComplete", Sunda;
    }
}
wire_enum! {
    /// Debug commands (spec 01 section 2.1); no clause reads them.
    DebugCmd {
        None = 0x00, "None", Sunda;
        Notify = 0x01, "Notify", Sunda;
        Start = 0x03, "Start", Sunda;
        End = 0x05, "End", Sunda;
        StartEnd = 0x07, "StartEnd", Sunda;
        InsField = 0x09, "InsField", Sunda;
    }
}
wire_enum! {
    /// Bits 29..31 of an address word, as the masked byte 3 (spec 01 section 3).
    AddrMarker {
        Imm = 0x00, "Imm", Sunda;
        IndirectImm = 0x20, "IndirectImm", Mariana;
        ShapeReg = 0x40, "ShapeReg", Sunda;
        AddrReg = 0x80, "AddrReg", Sunda;
        IndirectAddrReg = 0xA0, "IndirectAddrReg", Mariana;
        AddrShapeReg = 0xC0, "AddrShapeReg", Sunda;
    }
}
/// Storage facts of a dtype: bytes in memory, 0 where the size is not a whole byte (spec 01 section 6.2).
impl Dtype {
    /// Bytes of one element in memory; 0 for INVALID and the sub-byte formats.
    pub const fn storage_bytes(self) -> u8 {
        match self {
            Self::Invalid
            | Self::Fp4Exp2
            | Self::Int4
            | Self::Cptc1
            | Self::Cptc2
            | Self::Cptc3
            | Self::Cptc4
            | Self::Cptc5
            | Self::Cptc6
            | Self::Cptc7 => 0,
            Self::Int8
            | Self::Uint8
            | Self::Fp8Exp3
            | Self::Fp8Exp4
            | Self::Fp8Exp5
            | Self::Fp8Exp2
            | Self::Sfp8E8
            | Self::Sfp8E7
            | Self::Sfp8E6
            | Self::Sfp8E5 => 1,
            Self::Int16 | Self::Uint16 | Self::Bfloat16 | Self::Fp16 => 2,
            Self::Int32 | Self::Uint32 | Self::Fp32 | Self::Fp32r => 4,
            Self::Uint64 | Self::Int64 => 8,
        }
    }
}

/// One row of the opcode table (spec 01 section 6.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpcodeInfo {
    /// Byte 0 of the record.
    pub value: u8,
    /// Name as in `enums.json`.
    pub name: &'static str,
    /// Name of the 64-byte struct, `None` for opcodes outside the product's scope.
    pub layout: Option<&'static str>,
    /// First generation with a validator for it.
    pub since: Generation,
}

/// Opcodes with a name: those in scope and the neighbours that near-valid generation uses.
pub const OPCODES: &[OpcodeInfo] = &[
    OpcodeInfo {
        value: 0x30,
        name: "Exponential",
        layout: Some("S3D3_TS"),
        since: Generation::Mariana,
    },
    OpcodeInfo {
        value: 0x41,
        name: "TensorTensorArithOp",
        layout: Some("S3S3D3_TT"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x42,
        name: "TensorReduceArithOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x43,
        name: "TensorScalarArithOp",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x44,
        name: "TensorScalarPtrArithOp",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo { value: 0x46, name: "Copy", layout: Some("S4D4_TR"), since: Generation::Sunda },
    OpcodeInfo { value: 0x47, name: "Cast", layout: Some("S4D4_TR"), since: Generation::Sunda },
    OpcodeInfo {
        value: 0x48,
        name: "Reciprocal",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x4E,
        name: "TensorCumulativeArithOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x51,
        name: "TensorTensorBitvecOp",
        layout: Some("S3S3D3_TT"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x52,
        name: "TensorReduceBitvecOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x53,
        name: "TensorScalarBitvecOp",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x54,
        name: "TensorScalarPtrBitvecOp",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x5E,
        name: "TensorCumulativeBitvecOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x69,
        name: "LoadMaskSelect",
        layout: Some("CTRL_IM"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x6A,
        name: "StreamShuffle",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x6B,
        name: "StreamTranspose",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x7C,
        name: "CrossLaneReduceArith",
        layout: Some("S4D4_CR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x7D,
        name: "CrossLaneReduceBitvec",
        layout: Some("S4D4_CR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x83,
        name: "TransposeTensorReduceArithOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x84,
        name: "TransposeTensorReduceBitvecOp",
        layout: Some("S4D4_TR"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x93,
        name: "TransposeTensorScalarArithOp",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x9A,
        name: "TensorScalarCacheReduce",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x9B,
        name: "DveReadAccumulator",
        layout: Some("D1_RD"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0xE5,
        name: "TensorTensorScanArith",
        layout: Some("S2S2D2_STT"),
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0xE6,
        name: "TensorScalarCacheCumulative",
        layout: Some("S3D3_TS"),
        since: Generation::Sunda,
    },
    OpcodeInfo { value: 0x45, name: "Pool", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0x4D, name: "Rng", layout: None, since: Generation::Sunda },
    OpcodeInfo {
        value: 0x4F,
        name: "TensorScalarPtrMultiArith",
        layout: None,
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x5F,
        name: "TensorScalarPtrMultiBitvec",
        layout: None,
        since: Generation::Sunda,
    },
    OpcodeInfo { value: 0x65, name: "BatchNormBackProp", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0x72, name: "CopyPredicated", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0x98, name: "TensorScalarSelect", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0x99, name: "CastPredicated", layout: None, since: Generation::Sunda },
    OpcodeInfo {
        value: 0x9D,
        name: "ScalarTensorTensorArith",
        layout: None,
        since: Generation::Sunda,
    },
    OpcodeInfo {
        value: 0x9E,
        name: "ScalarTensorTensorBitvec",
        layout: None,
        since: Generation::Sunda,
    },
    OpcodeInfo { value: 0xE7, name: "IndirectCopy", layout: None, since: Generation::Sunda },
    OpcodeInfo {
        value: 0xE8,
        name: "CopyPredicatedScalar",
        layout: None,
        since: Generation::Sunda,
    },
    OpcodeInfo { value: 0xEA, name: "SelectReduce", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0xF0, name: "ExtendedInst", layout: None, since: Generation::Sunda },
    OpcodeInfo { value: 0xFF, name: "Invalid", layout: None, since: Generation::Sunda },
];

/// Byte values that are a defined opcode (spec 02 VD-OPC-LIST), ascending.
pub const DEFINED_OPCODES: &[u8] = &[
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x21, 0x22, 0x23, 0x24, 0x25, 0x30,
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x51,
    0x52, 0x53, 0x54, 0x58, 0x5E, 0x5F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
    0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0x73, 0x74, 0x76, 0x77, 0x78, 0x79, 0x7A,
    0x7B, 0x7C, 0x7D, 0x7E, 0x7F, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x8E, 0x92, 0x93, 0x94, 0x95,
    0x96, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6,
    0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB7, 0xB8, 0xBB, 0xBC, 0xBD,
    0xBE, 0xBF, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE,
    0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE,
    0xDF, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xEB, 0xF0, 0xF1, 0xF2,
];

/// The row of a named opcode.
pub fn opcode_info(value: u8) -> Option<&'static OpcodeInfo> {
    OPCODES.iter().find(|row| row.value == value)
}

/// The row with this name, case-insensitive; `…Op` suffixes may be left out.
pub fn opcode_by_name(name: &str) -> Option<&'static OpcodeInfo> {
    OPCODES.iter().find(|row| {
        row.name.eq_ignore_ascii_case(name)
            || row.name.strip_suffix("Op").is_some_and(|short| short.eq_ignore_ascii_case(name))
    })
}

/// The four opcodes that the models execute today, by name.
pub mod opcode {
    /// TensorScalarCacheReduce.
    pub const TENSOR_SCALAR_CACHE_REDUCE: u8 = 0x9A;
    /// TensorScalarCacheCumulative.
    pub const TENSOR_SCALAR_CACHE_CUMULATIVE: u8 = 0xE6;
    /// TensorCumulative, arithmetic class.
    pub const TENSOR_CUMULATIVE_ARITH: u8 = 0x4E;
    /// TensorCumulative, bitvec class.
    pub const TENSOR_CUMULATIVE_BITVEC: u8 = 0x5E;
}

//! Byte layouts of the 64-byte records and of everything nested inside them (spec 01 sections 2 to 5),
//! as data. Offsets count from the start of the named struct. `golden_isa` checks every row against
//! `layouts.json`.

/// One field: name, byte offset, byte size, type text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Field name of the interface.
    pub name: &'static str,
    /// Byte offset inside the struct.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
    /// Type text as in `layouts.json`.
    pub kind: &'static str,
}

/// One struct: name, size, fields in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructLayout {
    /// Struct name of the interface.
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Fields in offset order.
    pub fields: &'static [Field],
}

impl StructLayout {
    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The struct with this name.
pub fn layout(name: &str) -> Option<&'static StructLayout> {
    STRUCTS.iter().find(|layout| layout.name == name)
}

const fn field(name: &'static str, offset: usize, size: usize, kind: &'static str) -> Field {
    Field { name, offset, size, kind }
}

/// Every struct of `layouts.json`.
pub const STRUCTS: &[StructLayout] = &[
    StructLayout {
        name: "HEADER",
        size: 4,
        fields: &[
            field("opcode", 0, 1, "OPCODE"),
            field("inst_word_len", 1, 1, "u8 ==16"),
            field("debug_cmd", 2, 1, "u8"),
            field("debug_hint", 3, 1, "u8"),
        ],
    },
    StructLayout {
        name: "EVENTS",
        size: 8,
        fields: &[
            field("wait_mode", 0, 1, "WAIT_MODE"),
            field("wait_idx", 1, 1, "u8"),
            field("update_mode", 2, 1, "UPDATE_MODE"),
            field("update_idx", 3, 1, "u8"),
            field("semaphore_value", 4, 4, "u32"),
        ],
    },
    StructLayout {
        name: "ADDR4_IMM",
        size: 4,
        fields: &[field("addr_immediate", 0, 4, "u32: bits0-28 address, bits29-31 marker")],
    },
    StructLayout {
        name: "ADDR4_REG",
        size: 4,
        fields: &[
            field("regnum", 0, 1, "u8 <64"),
            field("reserved0", 1, 2, "u8[2] ==0"),
            field("marker", 3, 1, "ADDR4_MARKER"),
        ],
    },
    StructLayout {
        name: "IMM_REG",
        size: 4,
        fields: &[field("regnum", 0, 1, "u8"), field("reserved0", 1, 3, "u8[3] ==0")],
    },
    StructLayout {
        name: "DTYPE_PAIR",
        size: 1,
        fields: &[field("dtype_lo", 0, 1, "DTYPE"), field("dtype_hi", 0, 1, "DTYPE")],
    },
    StructLayout {
        name: "INDIRECT16B",
        size: 16,
        fields: &[
            field("index_addr", 0, 4, "ADDR4 marker 0x20"),
            field("data_addr", 4, 4, "ADDR4 marker 0x00"),
            field("num", 8, 2, "u16"),
            field("inert", 10, 6, "not read"),
        ],
    },
    StructLayout {
        name: "INDIRECT20B",
        size: 20,
        fields: &[
            field("index_addr", 0, 4, "ADDR4 marker 0x20"),
            field("data_addr", 4, 4, "ADDR4 marker 0x00"),
            field("num", 8, 2, "u16"),
            field("inert", 10, 10, "not read"),
        ],
    },
    StructLayout { name: "IMM_VAL_INST_FIELD", size: 4, fields: &[] },
    StructLayout {
        name: "TENSOR1D",
        size: 8,
        fields: &[
            field("start_addr", 0, 4, "ADDR4"),
            field("step_elem[0]", 4, 2, "i16"),
            field("num_elem[0]", 6, 2, "u16"),
        ],
    },
    StructLayout {
        name: "TENSOR2D",
        size: 12,
        fields: &[
            field("start_addr", 0, 4, "ADDR4"),
            field("step_elem[0]", 4, 2, "i16"),
            field("step_elem[1]", 6, 2, "i16"),
            field("num_elem[0]", 8, 2, "u16"),
            field("num_elem[1]", 10, 2, "u16"),
        ],
    },
    StructLayout {
        name: "TENSOR3D",
        size: 16,
        fields: &[
            field("start_addr", 0, 4, "ADDR4"),
            field("step_elem[0]", 4, 2, "i16"),
            field("step_elem[1]", 6, 2, "i16"),
            field("step_elem[2]", 8, 2, "i16"),
            field("num_elem[0]", 10, 2, "u16"),
            field("num_elem[1]", 12, 2, "u16"),
            field("num_elem[2]", 14, 2, "u16"),
        ],
    },
    StructLayout {
        name: "TENSOR4D",
        size: 20,
        fields: &[
            field("start_addr", 0, 4, "ADDR4"),
            field("step_elem[0]", 4, 2, "i16"),
            field("step_elem[1]", 6, 2, "i16"),
            field("step_elem[2]", 8, 2, "i16"),
            field("step_elem[3]", 10, 2, "i16"),
            field("num_elem[0]", 12, 2, "u16"),
            field("num_elem[1]", 14, 2, "u16"),
            field("num_elem[2]", 16, 2, "u16"),
            field("num_elem[3]", 18, 2, "u16"),
        ],
    },
    StructLayout { name: "MEM_PATTERN2D", size: 12, fields: &[] },
    StructLayout { name: "MEM_PATTERN3D", size: 16, fields: &[] },
    StructLayout { name: "MEM_PATTERN4D", size: 20, fields: &[] },
    StructLayout {
        name: "S3D3_TS",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("accumulator_cmd", 12, 1, "ACCUM_CMD"),
            field("reserved0", 13, 3, "u8[3]"),
            field("src_mem_pattern", 16, 16, "TENSOR3D|MEM_PATTERN3D"),
            field("in_dtype", 32, 1, "DTYPE"),
            field("out_dtype", 33, 1, "DTYPE"),
            field("num_active_channels", 34, 1, "u8"),
            field("imm0_src", 35, 1, "IMM_SRC"),
            field("op0", 36, 1, "ALU_OP"),
            field("op1", 37, 1, "ALU_OP"),
            field("reverse_operands", 38, 1, "TENS_SCALAR_REV_OPS"),
            field("imm1_src", 39, 1, "IMM_SRC"),
            field("imm0", 40, 4, "IMM_VAL_INST_FIELD"),
            field("imm1", 44, 4, "IMM_VAL_INST_FIELD"),
            field("dst_mem_pattern", 48, 16, "TENSOR3D|MEM_PATTERN3D"),
        ],
    },
    StructLayout {
        name: "S4D4_TR",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("src_mem_pattern", 12, 20, "TENSOR4D|MEM_PATTERN4D"),
            field("in_dtype", 32, 1, "DTYPE"),
            field("out_dtype", 33, 1, "DTYPE"),
            field("num_active_channels", 34, 1, "u8"),
            field("negated", 35, 1, "u8"),
            field("op", 36, 1, "ALU_OP"),
            field("op_dim", 37, 1, "TENSOR_SUBDIM"),
            field("mask_enable", 38, 1, "u8"),
            field("reserved1", 39, 5, "u8[5]"),
            field("dst_mem_pattern", 44, 20, "TENSOR4D|MEM_PATTERN4D"),
        ],
    },
    StructLayout {
        name: "S4D4_CR",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("src_mem_pattern", 12, 20, "TENSOR4D"),
            field("in_dtype", 32, 1, "DTYPE"),
            field("out_dtype", 33, 1, "DTYPE"),
            field("num_active_channels", 34, 1, "u8"),
            field("reduce_op", 35, 1, "REDUCE_OP"),
            field("reduce_axis", 36, 1, "REDUCE_AXIS"),
            field("reserved0", 37, 3, "u8[3]"),
            field("scale", 40, 4, "f32"),
            field("dst_mem_pattern", 44, 20, "TENSOR4D"),
        ],
    },
    StructLayout {
        name: "S2S2D2_STT",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("src0_mem_pattern", 12, 12, "TENSOR2D"),
            field("src1_mem_pattern", 24, 12, "TENSOR2D"),
            field("op0", 36, 1, "ALU_OP"),
            field("op1", 37, 1, "ALU_OP"),
            field("reverse_operands", 38, 1, "TENS_SCALAR_REV_OPS"),
            field("imm0_src", 39, 1, "IMM_SRC"),
            field("in0_in1_dtype", 40, 1, "DTYPE_PAIR"),
            field("out_dtype", 41, 1, "DTYPE"),
            field("num_active_channels", 42, 1, "u8"),
            field("imm0_dtype", 43, 1, "DTYPE"),
            field("accumulator_cmd", 44, 1, "ACCUM_CMD"),
            field("reserved", 45, 3, "u8[3]"),
            field("dst_mem_pattern", 48, 12, "TENSOR2D"),
            field("imm0", 60, 4, "IMM_VAL_INST_FIELD"),
        ],
    },
    StructLayout {
        name: "S3S3D3_TT",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("in0_in1_dtype", 12, 1, "DTYPE_PAIR"),
            field("out_dtype", 13, 1, "DTYPE"),
            field("op", 14, 1, "ALU_OP"),
            field("num_active_channels", 15, 1, "u8"),
            field("src0_mem_pattern", 16, 16, "TENSOR3D"),
            field("src1_mem_pattern", 32, 16, "TENSOR3D"),
            field("dst_mem_pattern", 48, 16, "TENSOR3D"),
        ],
    },
    StructLayout {
        name: "D1_RD",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("reserved0", 12, 16, "u8[16]"),
            field("dst_element_count", 28, 4, "u32"),
            field("dtype", 32, 1, "DTYPE"),
            field("negated", 33, 1, "u8"),
            field("num_active_channels", 34, 1, "u8"),
            field("reserved1", 35, 9, "u8[9]"),
            field("dst_mem_pattern", 44, 8, "TENSOR1D"),
            field("reserved2", 52, 12, "u8[12]"),
        ],
    },
    StructLayout {
        name: "CTRL_IM",
        size: 64,
        fields: &[
            field("header", 0, 4, "HEADER"),
            field("events", 4, 8, "EVENTS"),
            field("param_ram_offset", 12, 2, "u16"),
            field("imm_ptr_select", 14, 1, "u8"),
            field("reserved0", 15, 17, "u8[17]"),
            field("immediate", 32, 32, "u8[32]"),
        ],
    },
];

/// Byte offsets in HEADER.
pub mod header {
    /// `opcode`, 1 byte.
    pub const OPCODE: usize = 0;
    /// `inst_word_len`, 1 byte.
    pub const INST_WORD_LEN: usize = 1;
    /// `debug_cmd`, 1 byte.
    pub const DEBUG_CMD: usize = 2;
    /// `debug_hint`, 1 byte.
    pub const DEBUG_HINT: usize = 3;
}

/// Byte offsets in EVENTS.
pub mod events {
    /// `wait_mode`, 1 byte.
    pub const WAIT_MODE: usize = 4;
    /// `wait_idx`, 1 byte.
    pub const WAIT_IDX: usize = 5;
    /// `update_mode`, 1 byte.
    pub const UPDATE_MODE: usize = 6;
    /// `update_idx`, 1 byte.
    pub const UPDATE_IDX: usize = 7;
    /// `semaphore_value`, 4 bytes.
    pub const SEMAPHORE_VALUE: usize = 8;
}

/// Byte offsets in S3D3_TS.
pub mod s3d3_ts {
    /// `accumulator_cmd`, 1 byte.
    pub const ACCUMULATOR_CMD: usize = 12;
    /// `reserved0`, 3 bytes.
    pub const RESERVED0: usize = 13;
    /// `src_mem_pattern`, 16 bytes.
    pub const SRC_MEM_PATTERN: usize = 16;
    /// `in_dtype`, 1 byte.
    pub const IN_DTYPE: usize = 32;
    /// `out_dtype`, 1 byte.
    pub const OUT_DTYPE: usize = 33;
    /// `num_active_channels`, 1 byte.
    pub const NUM_ACTIVE_CHANNELS: usize = 34;
    /// `imm0_src`, 1 byte.
    pub const IMM0_SRC: usize = 35;
    /// `op0`, 1 byte.
    pub const OP0: usize = 36;
    /// `op1`, 1 byte.
    pub const OP1: usize = 37;
    /// `reverse_operands`, 1 byte.
    pub const REVERSE_OPERANDS: usize = 38;
    /// `imm1_src`, 1 byte.
    pub const IMM1_SRC: usize = 39;
    /// `imm0`, 4 bytes.
    pub const IMM0: usize = 40;
    /// `imm1`, 4 bytes.
    pub const IMM1: usize = 44;
    /// `dst_mem_pattern`, 16 bytes.
    pub const DST_MEM_PATTERN: usize = 48;
}

/// Byte offsets in S4D4_TR.
pub mod s4d4_tr {
    /// `src_mem_pattern`, 20 bytes.
    pub const SRC_MEM_PATTERN: usize = 12;
    /// `in_dtype`, 1 byte.
    pub const IN_DTYPE: usize = 32;
    /// `out_dtype`, 1 byte.
    pub const OUT_DTYPE: usize = 33;
    /// `num_active_channels`, 1 byte.
    pub const NUM_ACTIVE_CHANNELS: usize = 34;
    /// `negated`, 1 byte.
    pub const NEGATED: usize = 35;
    /// `op`, 1 byte.
    pub const OP: usize = 36;
    /// `op_dim`, 1 byte.
    pub const OP_DIM: usize = 37;
    /// `mask_enable`, 1 byte.
    pub const MASK_ENABLE: usize = 38;
    /// `reserved1`, 5 bytes.
    pub const RESERVED1: usize = 39;
    /// `dst_mem_pattern`, 20 bytes.
    pub const DST_MEM_PATTERN: usize = 44;
}

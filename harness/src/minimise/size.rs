//! How big a case is, in the units that a reader counts.

use contract::case::{Case, RegisterValue, TensorCase, VectorCase};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Size of a case.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Records or bundles.
    pub steps: usize,
    /// Named operations; as many as steps on the tensor side.
    pub ops: usize,
    /// Most active channels of a record; 0 for vector cases.
    pub channels: usize,
    /// Most elements of a pattern of a record, per channel; 0 for vector cases.
    pub elements: u64,
    /// Registers given.
    pub registers: usize,
    /// Bytes of initial memory.
    pub bytes: usize,
    /// Bytes of memory and of registers that are not zero.
    pub nonzero_bytes: usize,
}

impl Size {
    /// Measures a case.
    pub fn of(case: &Case) -> Self {
        match case {
            Case::Tensor(case) => Self::of_tensor(case),
            Case::Vector(case) => Self::of_vector(case),
        }
    }

    fn of_tensor(case: &TensorCase) -> Self {
        let (mut channels, mut elements) = (0, 0);
        for record in &case.program {
            if let Some(layout) = super::record::layout_of(record) {
                channels = channels.max(layout.channels(record).unwrap_or(0) as usize);
                let counts = layout.patterns.iter().map(|pattern| pattern.read(record).elements());
                elements = elements.max(counts.max().unwrap_or(0));
            }
        }
        let words = case.registers.values().flat_map(|word| word.to_le_bytes());
        let bytes = case.memory.iter().flat_map(|region| region.data.iter().copied());
        Self {
            steps: case.program.len(),
            ops: case.program.len(),
            channels,
            elements,
            registers: case.registers.len(),
            bytes: case.memory.iter().map(|region| region.data.len()).sum(),
            nonzero_bytes: nonzero(words) + nonzero(bytes),
        }
    }

    fn of_vector(case: &VectorCase) -> Self {
        let chunks = &case.memory.init;
        let mut nonzero_bytes = nonzero(chunks.iter().flat_map(|chunk| chunk.data.iter().copied()));
        for value in &case.state {
            nonzero_bytes += match value {
                RegisterValue::Ar(_, value) => nonzero(value.to_le_bytes()),
                RegisterValue::Vbool(_, value)
                | RegisterValue::Pr(_, value)
                | RegisterValue::Fs(_, value) => nonzero(value.to_le_bytes()),
                RegisterValue::Vec(_, line)
                | RegisterValue::Valign(_, line)
                | RegisterValue::Gvr(_, line) => nonzero(line.0),
                RegisterValue::Wvec(_, bytes) => nonzero(**bytes),
                RegisterValue::Fcr(word) | RegisterValue::Fsr(word) => nonzero(word.to_le_bytes()),
            };
        }
        Self {
            steps: case.program.len(),
            ops: case.program.iter().map(|bundle| bundle.ops.len()).sum(),
            registers: case.state.len(),
            bytes: chunks.iter().map(|chunk| chunk.data.len()).sum(),
            nonzero_bytes,
            ..Self::default()
        }
    }
}

fn nonzero(bytes: impl IntoIterator<Item = u8>) -> usize {
    bytes.into_iter().filter(|&byte| byte != 0).count()
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural =
            |count: u64, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        write!(f, "{}", plural(self.steps as u64, "step"))?;
        if self.ops != self.steps {
            write!(f, ", {}", plural(self.ops as u64, "op"))?;
        }
        if self.channels > 0 {
            write!(f, ", {}", plural(self.channels as u64, "channel"))?;
            write!(f, ", {}", plural(self.elements, "element"))?;
        }
        if self.registers > 0 {
            write!(f, ", {}", plural(self.registers as u64, "register"))?;
        }
        write!(f, ", {} of memory", plural(self.bytes as u64, "byte"))?;
        write!(f, ", {} not zero", plural(self.nonzero_bytes as u64, "byte"))
    }
}

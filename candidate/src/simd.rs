//! Choice of the code path at run time. `Q7DIFF_SIMD=portable|avx2|avx512` forces one; otherwise the
//! best that the machine has is taken. Every path gives the same bits.

use std::sync::OnceLock;

/// A code path, ordered by what it asks of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// Plain Rust.
    Portable,
    /// x86-64 with AVX2.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL, VBMI and VBMI2.
    Avx512,
}

impl Simd {
    /// Value of `Q7DIFF_SIMD` that forces the path.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The path with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Portable, Self::Avx2, Self::Avx512].into_iter().find(|path| path.name() == name)
    }

    /// The best path that this machine has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
            {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }

    /// The path to take: what `Q7DIFF_SIMD` forces, else [`detect`](Self::detect).
    ///
    /// # Errors
    /// A sentence if the variable names no path, or one that this machine lacks.
    pub fn choose() -> Result<Self, String> {
        let best = Self::detect();
        match std::env::var("Q7DIFF_SIMD") {
            Err(_) => Ok(best),
            Ok(name) if name.is_empty() => Ok(best),
            Ok(name) => {
                let forced = Self::from_name(&name).ok_or_else(|| {
                    format!("Q7DIFF_SIMD: no code path `{name}` (paths: portable, avx2, avx512)")
                })?;
                if forced > best {
                    return Err(format!(
                        "Q7DIFF_SIMD: this machine has no {name} (its best path is {})",
                        best.name()
                    ));
                }
                Ok(forced)
            }
        }
    }

    /// [`choose`](Self::choose), decided once per process; falls back to the best path when the
    /// variable is wrong (the command line reports that before any model runs).
    pub fn active() -> Self {
        static ACTIVE: OnceLock<Simd> = OnceLock::new();
        *ACTIVE.get_or_init(|| Self::choose().unwrap_or_else(|_| Self::detect()))
    }
}

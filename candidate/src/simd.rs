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

/// A path that this machine has: the proof that a kernel asks for before it runs one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supported(Simd);

impl Supported {
    /// The proof, if the machine has the path.
    pub fn of(path: Simd) -> Option<Self> {
        (path <= Simd::detect()).then_some(Self(path))
    }

    /// Every path that this machine has, plainest first.
    pub fn all() -> impl Iterator<Item = Self> {
        [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter_map(Self::of)
    }

    /// The path.
    pub const fn path(self) -> Simd {
        self.0
    }
}

impl Default for Supported {
    /// The path of [`Simd::active`].
    fn default() -> Self {
        Self(Simd::active())
    }
}

/// Defines a function that runs one body, compiled once per path. The body must be
/// `#[inline(always)]`, so that each copy is generated under the features of its path.
macro_rules! simd_fn {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:path;) => {
        $(#[$meta])*
        $vis fn $name(path: $crate::simd::Supported, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($arg: $type),*) {
                $body($($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
            fn avx512($($arg: $type),*) {
                $body($($arg),*);
            }
            match path.path() {
                // SAFETY: a `Supported` path exists only where the machine has the features.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Simd::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Simd::Avx512 => unsafe { avx512($($arg),*) },
                _ => $body($($arg),*),
            }
        }
    };
}
pub(crate) use simd_fn;

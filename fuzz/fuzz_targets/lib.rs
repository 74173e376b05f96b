//! The fuzz targets are shells over `harness::fuzz`, where everything that they do can be tested, replayed
//! and measured without the fuzzing engine. This macro is the shell.

#![deny(missing_docs)]

pub use {harness, libfuzzer_sys};

/// Defines the entry points of the engine for a target of [`harness::fuzz::Target`].
#[macro_export]
macro_rules! target {
    ($target:ident) => {
        use $crate::harness::fuzz::{self, Target};
        use $crate::libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};

        fuzz_target!(
            init: fuzz::start(Target::$target),
            |input: &[u8]| -> Corpus {
                match fuzz::fuzz_one(Target::$target, input) {
                    true => Corpus::Keep,
                    false => Corpus::Reject,
                }
            }
        );

        fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            fuzz::mutate::mutate(Target::$target, data, size, max_size, seed, &mut fuzzer_mutate)
        });
    };
}

//! Both models before the recordings that `Q7DIFF_RECORDED` names. Without them these tests say nothing,
//! so they are ignored unless `harness/tools/mutants.sh` asks for them.

use candidate::CandidateVector;
use candidate::simd::Simd;
use candidate::tensor::CandidateTensor;
use contract::model::StepModel;
use std::path::PathBuf;

fn recordings() -> PathBuf {
    std::env::var_os("Q7DIFF_RECORDED")
        .expect("Q7DIFF_RECORDED names the folder of recordings")
        .into()
}

/// The path that every machine has and the best of this one: each is code of its own.
#[test]
#[ignore = "needs recordings: harness/tools/mutants.sh"]
fn the_candidate_answers_as_recorded_on_every_path() {
    let best = Simd::detect();
    for path in [Simd::Portable, Simd::Avx2, Simd::Avx512].into_iter().filter(|path| *path <= best)
    {
        let model = || {
            let tensor = CandidateTensor::with_path(path).expect("the machine has the path");
            StepModel::new("candidate", tensor, CandidateVector::with_simd(path))
        };
        let checked = gate::check(model, &recordings()).unwrap_or_else(|error| panic!("{error}"));
        println!("{}: {checked} cases", path.name());
    }
}

#[test]
#[ignore = "needs recordings: harness/tools/mutants.sh"]
fn the_oracle_answers_as_recorded() {
    let checked =
        gate::check(oracle::model, &recordings()).unwrap_or_else(|error| panic!("{error}"));
    println!("{checked} cases");
}

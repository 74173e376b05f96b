//! Tensor programs: values, verdicts and flags of both models.

#![no_main]

q7diff_fuzz::target!(TensorDiff);

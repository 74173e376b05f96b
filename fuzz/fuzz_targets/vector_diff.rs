//! Vector programs: values, verdicts and schedules of both models.

#![no_main]

q7diff_fuzz::target!(VectorDiff);

//! A 64-byte record and a generation: the verdicts of both models.

#![no_main]

q7diff_fuzz::target!(DescriptorVerdict);

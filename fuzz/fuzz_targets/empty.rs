//! Nothing: the speed of the engine, beside which the other targets are measured.

#![no_main]

q7diff_fuzz::target!(Empty);

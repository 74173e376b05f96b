//! The JSON form of cases: no panic, and print after parse is the identity.

#![no_main]

q7diff_fuzz::target!(CaseJson);

//! The text form of programs: no panic, and print after parse is the identity.

#![no_main]

q7diff_fuzz::target!(BundleText);

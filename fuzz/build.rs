//! Lets the linker drop the coverage counters of code that no target reaches (the command line, HTML reports):
//! the engine clears and scans every counter once per input, so they would cost each target most of its speed.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-Wl,-z,start-stop-gc");
}

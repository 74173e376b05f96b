//! The program `q7diff`; everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::cli::main()
}

//! The `mazurka` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    mazurka_cli::main()
}

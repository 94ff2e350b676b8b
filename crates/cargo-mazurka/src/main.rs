//! `cargo mazurka test`: tests of ordinary threads, run once for every interleaving that can make a difference.
//!
//! The standard library is not changed. `rustc --extern std=FILE` makes the name `std` mean another crate: a façade that re-exports
//! everything of the real one, with threads and what they share from the runtime of Mazurka. This program builds the façades, puts itself between
//! cargo and rustc to pass them on, and runs `cargo test`.

mod arguments;
mod facade;
mod failure;
mod project;
mod run;
mod toolchain;
mod wrapper;

use arguments::Request;
use failure::Failure;
use std::process::ExitCode;

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    if wrapper::is_wanted() {
        return wrapper::run();
    }
    match answer() {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn answer() -> Result<ExitCode, Failure> {
    match arguments::read(std::env::args_os().skip(1))? {
        Request::Help => print!("{HELP}"),
        Request::Version => println!("cargo-mazurka {}", env!("CARGO_PKG_VERSION")),
        Request::Cargo { command, arguments } => return run::cargo_with(&command, &arguments, &[]),
        Request::Replay { file, arguments } => return run::replay(&file, &arguments),
        Request::Report { arguments } => return run::report(&arguments),
        Request::Clean => run::clean()?,
    }
    Ok(ExitCode::SUCCESS)
}

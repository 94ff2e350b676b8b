//! What the user wants.

use crate::failure::Failure;
use std::ffi::OsString;
use std::path::PathBuf;

/// A command line.
#[derive(Debug, PartialEq)]
pub(crate) enum Request {
    Help,
    Version,
    /// A command of cargo, with the façades.
    Cargo {
        command: String,
        arguments: Vec<OsString>,
    },
    /// A schedule, run again.
    Replay {
        file: PathBuf,
        arguments: Vec<OsString>,
    },
    /// `cargo test`, with a page for every test.
    Report {
        arguments: Vec<OsString>,
    },
    Clean,
}

/// The commands of cargo that make sense with the façades.
const CARGO: [&str; 6] = ["test", "build", "check", "run", "bench", "nextest"];

/// Reads the arguments. Cargo puts the name of the command before them.
pub(crate) fn read(arguments: impl Iterator<Item = OsString>) -> Result<Request, Failure> {
    let mut arguments = arguments.peekable();
    if arguments.peek().is_some_and(|first| first == "mazurka") {
        arguments.next();
    }
    let Some(command) = arguments.next() else {
        return Ok(Request::Help);
    };
    let command = command.to_string_lossy().into_owned();
    let mut rest = arguments.peekable();
    let wants_help = rest.peek().is_some_and(|first| first == "--help" || first == "-h");
    match command.as_str() {
        "--help" | "-h" | "help" => Ok(Request::Help),
        "--version" | "-V" => Ok(Request::Version),
        "replay" | "report" | "clean" if wants_help => Ok(Request::Help),
        "replay" => match rest.next() {
            Some(file) => Ok(Request::Replay {
                file: file.into(),
                arguments: rest.collect(),
            }),
            None => Err(Failure::new(
                "`cargo mazurka replay` needs the file of a schedule, as a failed test names it",
            )),
        },
        "report" => Ok(Request::Report { arguments: rest.collect() }),
        "clean" => Ok(Request::Clean),
        name if CARGO.contains(&name) => Ok(Request::Cargo {
            command,
            arguments: rest.collect(),
        }),
        other => Err(Failure::new(format!(
            "unknown command `{other}`; expected `{}`, `replay`, `report` or `clean` (see `cargo mazurka --help`)",
            CARGO.join("`, `")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str) -> Result<Request, String> {
        read(text.split_whitespace().map(OsString::from)).map_err(|e| e.to_string())
    }

    #[test]
    fn cargo_puts_the_name_of_the_command_first() {
        let wanted = Request::Cargo {
            command: "test".to_owned(),
            arguments: ["-p", "x", "--", "--nocapture"].map(OsString::from).to_vec(),
        };
        assert_eq!(reading("mazurka test -p x -- --nocapture"), Ok(wanted));
        assert_eq!(reading("mazurka"), Ok(Request::Help));
        assert_eq!(reading("replay --help"), Ok(Request::Help));
    }

    #[test]
    fn wrong_commands_are_explained() {
        assert!(reading("mazurka tset").unwrap_err().contains("unknown command `tset`"));
        assert!(reading("replay").unwrap_err().contains("needs the file of a schedule"));
    }
}

//! Mistakes on the command line as one clear line with the nearest valid name.

use crate::exit::Exit;
use crate::output::{print_error, written};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use mazurka_report::paint::visible;
use std::io::Write;
use std::process::ExitCode;

/// Prints help where it was asked for, otherwise the one line; the exit code to end with.
pub fn report(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            written(error.print().and_then(|()| std::io::stdout().flush()));
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Exit::Usage.into()
        }
        _ => {
            print_error(&visible(&format!("error: {}\n", line(error))));
            Exit::Usage.into()
        }
    }
}

/// The mistake in one line.
pub fn line(error: &clap::Error) -> String {
    let get = |kind| error.get(kind).map(words);
    let suggestion = |kind| match get(kind) {
        Some(name) if !name.is_empty() => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    };
    let argument = get(ContextKind::InvalidArg).unwrap_or_default();
    let flag = argument.split_whitespace().next().unwrap_or_default().to_owned();
    match error.kind() {
        ErrorKind::UnknownArgument if !argument.starts_with('-') => {
            format!("unexpected argument `{argument}`; see --help")
        }
        ErrorKind::UnknownArgument => {
            format!("unknown option `{argument}`{}; see --help", suggestion(ContextKind::SuggestedArg))
        }
        ErrorKind::InvalidSubcommand => {
            let name = get(ContextKind::InvalidSubcommand).unwrap_or_default();
            format!(
                "unknown command `{name}`{}; expected check, verify, resume, worker, compare, replay, run, explain, explore, tests, serve, lsp, bench, fuzz or list",
                suggestion(ContextKind::SuggestedSubcommand)
            )
        }
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg).unwrap_or_default();
            let other = other.split_whitespace().next().unwrap_or_default();
            if other.is_empty() || flag == other {
                format!("`{flag}` was given more than once")
            } else {
                format!("`{flag}` and `{other}` cannot be combined")
            }
        }
        ErrorKind::InvalidValue => {
            let value = get(ContextKind::InvalidValue).unwrap_or_default();
            let valid = get(ContextKind::ValidValue).unwrap_or_default();
            let near = suggestion(ContextKind::SuggestedValue);
            if value.is_empty() {
                format!("`{flag}` needs a value{}", expected(&valid))
            } else {
                format!("invalid value `{value}` for `{flag}`{near}{}", expected(&valid))
            }
        }
        ErrorKind::ValueValidation => {
            let value = get(ContextKind::InvalidValue).unwrap_or_default();
            let reason = std::error::Error::source(error).map_or(String::new(), |e| format!(": {e}"));
            format!("invalid value `{value}` for `{flag}`{reason}")
        }
        ErrorKind::MissingRequiredArgument => format!("missing {argument}; see --help"),
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or("wrong usage");
            first.trim_start_matches("error: ").to_owned()
        }
    }
}

fn expected(valid: &str) -> String {
    if valid.is_empty() {
        String::new()
    } else {
        format!("; expected one of {valid}")
    }
}

fn words(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(list) => list.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ContextValue::Number(n) => n.to_string(),
        ContextValue::Bool(b) => b.to_string(),
        _ => String::new(),
    }
}

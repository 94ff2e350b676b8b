//! Schedules on disk: JSON that a person can read and a later version of the program can still run.

use crate::plain_json::{self, Object, Value, quoted};
use mazurka_core::FailureKind;
use mazurka_core::schedule::{Planned, Schedule};
use std::fmt;

/// The value of `schema` in every schedule file.
pub const SCHEMA: &str = "mazurka/schedule/1";

/// Why a file is not a schedule.
#[derive(Debug, PartialEq, Eq)]
pub enum ScheduleError {
    /// Not JSON.
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What was expected.
        message: String,
    },
    /// JSON, but something is missing or is not what it should be.
    Shape {
        /// The step, from 1; none if it is about the whole file.
        step: Option<usize>,
        /// What was expected.
        message: String,
    },
    /// JSON of something else, or of another version.
    Schema {
        /// What the file says.
        found: String,
    },
    /// JSON of something else.
    NoSchema,
    /// Nothing at all.
    Empty,
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleError::Syntax { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            ScheduleError::Shape { step: None, message } => f.write_str(message),
            ScheduleError::Shape { step: Some(step), message } => write!(f, "step {step}: {message}"),
            ScheduleError::Schema { found } => write!(f, "its schema is `{found}`; expected `{SCHEMA}`"),
            ScheduleError::NoSchema => write!(
                f,
                "it has no schema; expected `\"schema\": \"{SCHEMA}\"`, as in the files that `mazurka check` writes"
            ),
            ScheduleError::Empty => f.write_str("it is empty"),
        }
    }
}

impl std::error::Error for ScheduleError {}

/// The text of the file. One step per line: such files are compared and edited by people.
pub fn write(schedule: &Schedule) -> String {
    let mut text = String::from("{\n");
    let mut field = |name: &str, value: String| text.push_str(&format!("  \"{name}\": {value},\n"));
    field("schema", quoted(SCHEMA));
    field("version", quoted(env!("CARGO_PKG_VERSION")));
    field("program", quoted(&schedule.program));
    let arguments: Vec<String> = schedule.arguments.iter().map(|a| quoted(a)).collect();
    field("arguments", format!("[{}]", arguments.join(",")));
    let failure = |(kind, message): &(FailureKind, String)| format!("{{\"kind\":{},\"message\":{}}}", quoted(kind.name()), quoted(message));
    field("failure", schedule.failure.as_ref().map_or("null".to_owned(), failure));
    if let Some(steps) = schedule.repeats {
        field("repeats", steps.to_string());
    }
    text.push_str("  \"steps\": [\n");
    let lines: Vec<String> = schedule.steps.iter().map(|step| format!("    {}", line(step))).collect();
    text.push_str(&lines.join(",\n"));
    text.push_str("\n  ]\n}\n");
    text
}

fn line(step: &Planned) -> String {
    let Planned { process, choice, label } = step;
    format!(
        "{{\"process\":{},\"choice\":{choice},\"label\":{}}}",
        quoted(process),
        quoted(label)
    )
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<Schedule, ScheduleError> {
    if text.trim().is_empty() {
        return Err(ScheduleError::Empty);
    }
    let value = plain_json::read(text).map_err(|error| ScheduleError::Syntax {
        line: error.line,
        column: error.column,
        message: error.message.to_owned(),
    })?;
    let Some(file) = value.as_object() else {
        return Err(ScheduleError::NoSchema);
    };
    match file.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => schedule(file),
        Some(other) => Err(ScheduleError::Schema {
            found: other.chars().take(60).collect(),
        }),
        None => Err(ScheduleError::NoSchema),
    }
}

fn schedule(file: &Object) -> Result<Schedule, ScheduleError> {
    let whole = Fields { of: file, step: None };
    let arguments = whole.list("arguments")?.unwrap_or_default();
    let strings = arguments.iter().map(|a| a.as_str().map(str::to_owned));
    let arguments: Option<Vec<String>> = strings.collect();
    let steps = whole.list("steps")?.ok_or_else(|| whole.missing("steps"))?;
    let repeats = match whole.get("repeats") {
        None => None,
        Some(steps) => Some(steps.as_u32().ok_or_else(|| whole.wrong("repeats", "a small whole number"))? as usize),
    };
    Ok(Schedule {
        repeats,
        program: whole.string("program")?.ok_or_else(|| whole.missing("program"))?,
        arguments: arguments.ok_or_else(|| whole.wrong("arguments", "a list of strings"))?,
        failure: failure(&whole)?,
        steps: (1..)
            .zip(steps)
            .map(|(number, step)| planned(number, step))
            .collect::<Result<_, _>>()?,
    })
}

/// A failure of a kind that this version does not know is left out.
fn failure(file: &Fields<'_>) -> Result<Option<(FailureKind, String)>, ScheduleError> {
    let Some(failure) = file.get("failure") else {
        return Ok(None);
    };
    let of = failure.as_object().ok_or_else(|| file.wrong("failure", "an object"))?;
    let failure = Fields { of, step: None };
    let kind = failure.string("kind")?.ok_or_else(|| failure.missing("kind"))?;
    let message = failure.string("message")?.ok_or_else(|| failure.missing("message"))?;
    Ok(FailureKind::ALL.into_iter().find(|k| k.name() == kind).map(|k| (k, message)))
}

fn planned(number: usize, step: &Value) -> Result<Planned, ScheduleError> {
    let step_error = |message: &str| ScheduleError::Shape {
        step: Some(number),
        message: message.to_owned(),
    };
    let of = step.as_object().ok_or_else(|| step_error("expected an object"))?;
    let step = Fields { of, step: Some(number) };
    let choice = match step.get("choice") {
        Some(choice) => choice.as_u32(),
        None => Some(0),
    };
    Ok(Planned {
        process: step.string("process")?.ok_or_else(|| step.missing("process"))?,
        choice: choice.ok_or_else(|| step.wrong("choice", "a small whole number"))?,
        label: step.string("label")?.unwrap_or_default(),
    })
}

/// An object of the file, and where it is.
struct Fields<'v> {
    of: &'v Object,
    step: Option<usize>,
}

impl<'v> Fields<'v> {
    /// The value of a field, unless it is left out or `null`.
    fn get(&self, name: &str) -> Option<&'v Value> {
        self.of.get(name).filter(|value| **value != Value::Null)
    }

    fn string(&self, name: &str) -> Result<Option<String>, ScheduleError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let string = value.as_str().ok_or_else(|| self.wrong(name, "a string"))?;
        Ok(Some(string.to_owned()))
    }

    fn list(&self, name: &str) -> Result<Option<&'v [Value]>, ScheduleError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let list = value.as_list().ok_or_else(|| self.wrong(name, "a list"))?;
        Ok(Some(list))
    }

    fn missing(&self, name: &str) -> ScheduleError {
        self.error(format!("`{name}` is missing"))
    }

    fn wrong(&self, name: &str, expected: &str) -> ScheduleError {
        self.error(format!("`{name}` must be {expected}"))
    }

    fn error(&self, message: String) -> ScheduleError {
        ScheduleError::Shape { step: self.step, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        Schedule {
            repeats: None,
            program: "litmus:sb".to_owned(),
            arguments: vec!["--set".to_owned(), "n=2".to_owned()],
            failure: Some((FailureKind::Assertion, "a = \"0\"".to_owned())),
            steps: vec![
                Planned {
                    process: "0".to_owned(),
                    choice: 0,
                    label: "x = 1".to_owned(),
                },
                Planned {
                    process: "1.0".to_owned(),
                    choice: 2,
                    label: String::new(),
                },
            ],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(read(&write(&schedule())), Ok(schedule()));
    }

    #[test]
    fn a_person_can_read_it() {
        insta::assert_snapshot!(write(&schedule()).replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    }

    #[test]
    fn what_is_not_a_schedule_is_refused_with_the_place() {
        for text in [
            "",
            "{",
            "{\"schema\":\"mazurka/1\"}",
            "[1]",
            " \n",
            "{\"schema\":\"mazurka/schedule/1\",\"program\":\"p\",\"steps\":[{\"choice\":1}]}",
            "{\"schema\":\"mazurka/schedule/1\",\"program\":\"p\",\"steps\":[{\"process\":1}]}",
        ] {
            insta::assert_snapshot!(format!("{text}\n{}", read(text).unwrap_err()));
        }
    }
}

//! Schedules on disk: JSON that a person can read and a later version of the program can still run.

use mazurka_core::FailureKind;
use mazurka_core::schedule::{Planned, Schedule};
use serde::{Deserialize, Serialize};

/// The value of `schema` in every schedule file.
pub const SCHEMA: &str = "mazurka/schedule/1";

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    #[serde(default)]
    version: String,
    program: String,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    failure: Option<FailureText>,
    steps: Vec<StepText>,
}

#[derive(Serialize, Deserialize)]
struct FailureText {
    kind: String,
    message: String,
}

/// One step of a schedule, here and in the output of `check --json`.
#[derive(Serialize, Deserialize)]
pub(crate) struct StepText {
    process: String,
    #[serde(default)]
    choice: u32,
    #[serde(default)]
    label: String,
}

/// Why a file is not a schedule.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Not JSON, or not of the right shape.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What was expected.
        message: String,
    },
    /// JSON of something else, or of another version.
    #[error("its schema is `{found}`; expected `{SCHEMA}`")]
    Schema {
        /// What the file says.
        found: String,
    },
    /// JSON of something else.
    #[error("it has no schema; expected `\"schema\": \"{SCHEMA}\"`, as in the files that `mazurka check` writes")]
    NoSchema,
    /// Nothing at all.
    #[error("it is empty")]
    Empty,
}

/// The text of the file.
pub fn write(schedule: &Schedule) -> String {
    let file = File {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        program: schedule.program.clone(),
        arguments: schedule.arguments.clone(),
        failure: schedule.failure.as_ref().map(|(kind, message)| FailureText {
            kind: kind.name().to_owned(),
            message: message.clone(),
        }),
        steps: steps(&schedule.steps),
    };
    // One step per line: such files are compared and edited by people.
    let mut text = String::from("{\n");
    let mut field = |name: &str, value: String| text.push_str(&format!("  \"{name}\": {value},\n"));
    field("schema", json(&file.schema));
    field("version", json(&file.version));
    field("program", json(&file.program));
    field("arguments", json(&file.arguments));
    field("failure", json(&file.failure));
    text.push_str("  \"steps\": [\n");
    let lines: Vec<String> = file.steps.iter().map(|step| format!("    {}", json(step))).collect();
    text.push_str(&lines.join(",\n"));
    text.push_str("\n  ]\n}\n");
    text
}

/// The steps as they stand in JSON.
pub(crate) fn steps(steps: &[Planned]) -> Vec<StepText> {
    steps
        .iter()
        .map(|step| StepText {
            process: step.process.clone(),
            choice: step.choice,
            label: step.label.clone(),
        })
        .collect()
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<Schedule, ScheduleError> {
    let syntax = |error: serde_json::Error| ScheduleError::Syntax {
        line: error.line(),
        column: error.column(),
        message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    };
    if text.trim().is_empty() {
        return Err(ScheduleError::Empty);
    }
    let value: serde_json::Value = serde_json::from_str(text).map_err(syntax)?;
    match value.get("schema").and_then(|s| s.as_str()) {
        Some(SCHEMA) => {}
        Some(other) => {
            return Err(ScheduleError::Schema {
                found: other.chars().take(60).collect(),
            });
        }
        None => return Err(ScheduleError::NoSchema),
    }
    let file: File = serde_json::from_str(text).map_err(syntax)?;
    Ok(Schedule {
        program: file.program,
        arguments: file.arguments,
        failure: file.failure.and_then(|f| {
            let kind = FailureKind::ALL.into_iter().find(|k| k.name() == f.kind)?;
            Some((kind, f.message))
        }),
        steps: file
            .steps
            .into_iter()
            .map(|step| Planned {
                process: step.process,
                choice: step.choice,
                label: step.label,
            })
            .collect(),
    })
}

fn json(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        Schedule {
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

//! The failures as a SARIF 2.1.0 log, for code hosts and editors: each one with its steps as a code flow.

use crate::summary::{Counterexample, Summary};
use mazurka_core::{FailureKind, Position, Verdict};
use serde_json::{Value, json};

/// The log.
pub fn render(summary: &Summary) -> String {
    let rules: Vec<Value> = FailureKind::ALL.into_iter().map(rule).collect();
    let unchecked: Vec<Value> = (summary.unchecked.iter())
        .map(|property| json!({"level": "warning", "message": {"text": format!("not checked: {property}")}}))
        .collect();
    let results: Vec<Value> = summary.counterexamples.iter().filter_map(|c| result(summary, c)).collect();
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "mazurka",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": summary.outcome.verdict != Verdict::Incomplete,
                "exitCode": match summary.outcome.verdict {
                    Verdict::Complete => 0,
                    Verdict::Violation => 1,
                    Verdict::Incomplete => 3,
                },
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    if !unchecked.is_empty() {
        log["runs"][0]["invocations"][0]["toolExecutionNotifications"] = unchecked.into();
    }
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn rule(kind: FailureKind) -> Value {
    let text = match kind {
        FailureKind::Assertion => "An assertion or property does not hold in some interleaving.",
        FailureKind::Deadlock => "Some process waits for ever while nothing else can move.",
        FailureKind::Exception => "An exception leaves the program uncaught in some interleaving.",
        FailureKind::Panic => "User code panics in some interleaving.",
        FailureKind::Nondeterminism => "The program does something else when the same schedule is run again.",
        FailureKind::Livelock => "No execution of the program ends.",
        FailureKind::DataRace => "Two accesses to plain data, one of which writes, are not ordered.",
        FailureKind::Leak => "Something is not given back in the end.",
        FailureKind::Property => "An execution without end violates a property.",
        FailureKind::Limit => "A step is larger than this tool takes.",
    };
    json!({
        "id": kind.name(),
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "error"},
    })
}

fn result(summary: &Summary, counterexample: &Counterexample) -> Option<Value> {
    let recording = &counterexample.recording;
    let failure = recording.failure.as_ref()?;
    let index = FailureKind::ALL.iter().position(|k| *k == failure.kind)?;
    let steps: Vec<Value> = recording
        .steps
        .iter()
        .map(|step| {
            let text = format!("{}: {}", step.process, step.text.label);
            json!({"location": location(summary, step.text.at.as_ref(), Some(&text))})
        })
        .collect();
    let mut result = json!({
        "ruleId": failure.kind.name(),
        "ruleIndex": index,
        "level": "error",
        "message": {"text": format!("{}: {}", failure.kind.name(), failure.message)},
        "locations": [location(summary, failure.at.as_ref(), None)],
        "partialFingerprints": {"mazurka/1": format!("{}:{}", failure.kind.name(), failure.message)},
    });
    if !steps.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    Some(result)
}

fn location(summary: &Summary, at: Option<&Position>, message: Option<&str>) -> Value {
    let mut location = match at {
        Some(at) => json!({"physicalLocation": {
            "artifactLocation": {"uri": uri(&at.file)},
            "region": {"startLine": at.line.max(1), "startColumn": at.column.max(1)},
        }}),
        None => json!({"logicalLocations": [{"fullyQualifiedName": summary.program, "kind": "module"}]}),
    };
    if let Some(text) = message {
        location["message"] = json!({"text": text});
    }
    location
}

/// A path as a relative or `file:` reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("models/a b.abs"), "models/a%20b.abs");
        assert_eq!(uri("/m/ä.abs"), "file:///m/%C3%A4.abs");
    }
}

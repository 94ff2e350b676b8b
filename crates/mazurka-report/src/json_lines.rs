//! The run as events, one JSON object per line, for other tools: `start`, any number of `progress`, `failure` for each one, `verdict`.

use crate::json;
use crate::summary::Summary;
use mazurka_core::Progress;
use serde_json::{Value, json};
use std::time::Duration;

/// The first event.
pub fn start(program: &str, algorithm: &str, order: &str) -> String {
    line(&json!({"event": "start", "schema": json::SCHEMA, "program": program, "algorithm": algorithm, "order": order}))
}

/// How far the search is.
pub fn progress(progress: &Progress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let c = &progress.counts;
    let rate = if seconds > 0.0 { Some(c.executions as f64 / seconds) } else { None };
    let estimate = progress.estimate.filter(|e| e.total.is_finite() && e.deviation.is_finite());
    line(&json!({
        "event": "progress",
        "executions": c.executions,
        "blocked": c.blocked,
        "cut": c.cut,
        "steps": c.steps,
        "depth": progress.depth,
        "executions_per_second": rate,
        "estimated_executions": estimate.map(|e| e.total),
        "estimate_deviation": estimate.map(|e| e.deviation),
        "elapsed_ms": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
    }))
}

/// The failures and the verdict.
pub fn end(summary: &Summary) -> String {
    let mut value = json::value(summary);
    let mut lines = String::new();
    if let Some(failures) = value.get("failures").and_then(Value::as_array) {
        for failure in failures {
            lines.push_str(&line(&json!({"event": "failure", "failure": failure})));
        }
    }
    if let Some(object) = value.as_object_mut() {
        object.insert("event".to_owned(), "verdict".into());
    }
    lines.push_str(&line(&value));
    lines
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

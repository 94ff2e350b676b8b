//! The result as a JUnit file, for continuous integration.
//!
//! One test case per kind of failure and one for coverage, so that the names of the cases do not depend on what was found: a kind that failed
//! carries its failures, an incomplete search is an error of the case `coverage`. A property that was not checked is a case that was skipped.

use crate::paint::{Paint, visible};
use crate::summary::Summary;
use crate::verdict;
use mazurka_core::{FailureKind, Verdict};
use std::fmt::Write as _;

/// The file.
pub fn render(summary: &Summary) -> String {
    let seconds = format!("{:.3}", summary.elapsed.as_secs_f64());
    let incomplete = summary.outcome.verdict == Verdict::Incomplete || summary.outcome.limit.is_some();
    let of_kind = |kind| {
        summary
            .counterexamples
            .iter()
            .filter(move |c| c.recording.failure.as_ref().is_some_and(|f| f.kind == kind))
    };
    let failing = FailureKind::ALL.into_iter().filter(|k| of_kind(*k).next().is_some()).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{failing}\" errors=\"{}\"",
        FailureKind::ALL.len() + 1 + summary.unchecked.len(),
        u8::from(incomplete)
    );
    let name = escape(&summary.title());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"mazurka\" {totals} time=\"{seconds}\">");
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" {totals} skipped=\"{}\" time=\"{seconds}\">",
        summary.unchecked.len()
    );
    let c = &summary.outcome.counts;
    out.push_str("    <properties>\n");
    let verified = summary.verified.clone().map(|text| ("verified", text));
    let properties = [
        ("algorithm", summary.algorithm.clone()),
        ("order", summary.order.clone()),
        ("verdict", summary.outcome.verdict.name().to_owned()),
        ("executions", c.executions.to_string()),
        ("blocked", c.blocked.to_string()),
        ("cut", c.cut.to_string()),
        ("steps", c.steps.to_string()),
    ];
    for (property, value) in properties.into_iter().chain(verified) {
        let _ = writeln!(out, "      <property name=\"{property}\" value=\"{}\"/>", escape(&value));
    }
    out.push_str("    </properties>\n");
    for kind in FailureKind::ALL {
        case(&mut out, &name, &format!("no {}", kind.name()), "0.000", |out| {
            for counterexample in of_kind(kind) {
                let message = counterexample.recording.failure.as_ref().map_or("", |f| &f.message);
                let _ = write!(out, "      <failure type=\"{}\" message=\"{}\">", kind.name(), escape(message));
                out.push_str(&escape(&verdict::failure(counterexample, Paint::default())));
                out.push_str("</failure>\n");
            }
        });
    }
    case(&mut out, &name, "coverage", &seconds, |out| {
        if incomplete {
            let limit = summary.outcome.limit.map_or("limit", |l| l.name());
            let text = format!("{limit} was reached after {} executions", c.executions);
            let _ = writeln!(out, "      <error type=\"incomplete\" message=\"{}\"/>", escape(&text));
        }
    });
    for property in &summary.unchecked {
        case(&mut out, &name, &escape(property), "0.000", |out| {
            out.push_str("      <skipped message=\"not checked\"/>\n");
        });
    }
    let text = verdict::headline(summary, Paint::default());
    let _ = writeln!(out, "    <system-out>{}</system-out>", escape(&text));
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, suite: &str, name: &str, seconds: &str, body: impl FnOnce(&mut String)) {
    let _ = write!(out, "    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{seconds}\"");
    let mut inner = String::new();
    body(&mut inner);
    if inner.is_empty() {
        out.push_str("/>\n");
    } else {
        let _ = write!(out, ">\n{inner}    </testcase>\n");
    }
}

/// Text as XML allows it; control characters, which XML 1.0 cannot hold, are shown as escapes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

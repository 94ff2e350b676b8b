//! The programs that the page offers: examples, files of the command line, built-in families; and what an editor shows about one.

use super::Question;
use crate::frontends::{self, list};
use crate::refusal::Refusal;
use mazurka_core::Algorithm;
use mazurka_editor::{Finding, Language, Severity, diagnose};
use mazurka_serve::Reply;
use serde_json::{Value, json};

/// The examples: name, what they show, text.
const EXAMPLES: [(&str, &str, &str); 12] = [
    (
        "philosophers.litmus",
        "dining philosophers: a deadlock",
        include_str!("examples/philosophers.litmus"),
    ),
    (
        "bank.litmus",
        "two withdrawals: an assertion fails",
        include_str!("examples/bank.litmus"),
    ),
    (
        "bank-locked.litmus",
        "two withdrawals with a lock: safe",
        include_str!("examples/bank-locked.litmus"),
    ),
    ("counter.litmus", "a counter", include_str!("examples/counter.litmus")),
    (
        "philosophers.abs",
        "dining philosophers as actors",
        include_str!("examples/philosophers.abs"),
    ),
    (
        "producer-consumer.abs",
        "producers and consumers",
        include_str!("examples/producer-consumer.abs"),
    ),
    (
        "replicated-counter.abs",
        "a replicated counter",
        include_str!("examples/replicated-counter.abs"),
    ),
    (
        "two-phase-commit.abs",
        "two-phase commit",
        include_str!("examples/two-phase-commit.abs"),
    ),
    (
        "peterson.pml",
        "Peterson's mutual exclusion: safe",
        include_str!("examples/peterson.pml"),
    ),
    (
        "peterson-broken.pml",
        "Peterson's, in the wrong order",
        include_str!("examples/peterson-broken.pml"),
    ),
    (
        "alternating-bit.pml",
        "the alternating bit protocol",
        include_str!("examples/alternating-bit.pml"),
    ),
    (
        "wolf-goat-cabbage.pml",
        "wolf, goat and cabbage",
        include_str!("examples/wolf-goat-cabbage.pml"),
    ),
];

/// What the page offers.
pub struct Programs {
    files: Vec<(String, String)>,
}

impl Programs {
    /// The files of the command line, and all that is built in.
    pub fn with(files: &[String]) -> Result<Self, Refusal> {
        let read = |name: &String| {
            if Language::of(name).is_none() {
                return Err(Refusal::new(format!("`{name}` is no model: expected *.abs, *.pml or *.litmus")));
            }
            Ok((name.clone(), frontends::read(name)?))
        };
        Ok(Programs {
            files: files.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// The text of a file of the command line.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// All of them, in groups.
    pub fn list(&self) -> Value {
        let texts = |name: &str, about: &str, text: &str| json!({ "name": name, "about": about, "text": text });
        let files: Vec<Value> = self.files.iter().map(|(name, text)| texts(name, "", text)).collect();
        let examples: Vec<Value> = EXAMPLES.iter().map(|(name, about, text)| texts(name, about, text)).collect();
        let built_in: Vec<Value> = list::all()
            .into_iter()
            .map(|b| json!({ "name": b.name, "about": b.summary, "parameters": b.parameters }))
            .collect();
        json!({ "version": env!("CARGO_PKG_VERSION"), "groups": [
            { "title": "files", "programs": files },
            { "title": "examples", "programs": examples },
            { "title": "built in", "programs": built_in },
        ] })
    }

    /// What is wrong with a program, and which algorithms fit it.
    pub fn show(&self, question: &Question<'_>, reply: &Reply) -> Result<(), Refusal> {
        let name = question.name()?;
        let findings = match (question.text()?, Language::of(name)) {
            (Some(text), Some(language)) => diagnose(language, name, text).iter().map(|f| finding(f, text)).collect(),
            _ => Vec::new(),
        };
        let loaded = question.check().and_then(|args| question.session(&args.program));
        let (mut algorithms, mut wrong) = (Vec::new(), None);
        match loaded {
            Ok(session) => {
                let features = session.program.features();
                let default = session.algorithm(None).ok().map(Algorithm::name);
                let fitting = Algorithm::all().chain(Algorithm::stateful());
                let fitting = fitting.filter(|a| a.about().sound && a.fits(features).is_ok());
                algorithms = fitting
                    .map(|a| json!({ "name": a.name(), "about": a.about().summary, "default": Some(a.name()) == default }))
                    .collect();
            }
            Err(refusal) if findings.is_empty() => wrong = Some(refusal.to_string()),
            Err(_) => {}
        }
        reply.say(&json!({ "findings": findings, "algorithms": algorithms, "wrong": wrong }));
        Ok(())
    }
}

fn finding(finding: &Finding, text: &str) -> Value {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let message = std::iter::once(&finding.message)
        .chain(&finding.help)
        .map(String::as_str)
        .collect::<Vec<_>>();
    json!({
        "severity": severity,
        "message": message.join("; "),
        "from": place(text, finding.range.start),
        "to": place(text, finding.range.end),
    })
}

/// Line and column, from 1, in characters.
fn place(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": before.matches('\n').count() + 1, "column": before[line_start..].chars().count() + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_program_without_errors() {
        for (name, about, text) in EXAMPLES {
            let language = Language::of(name).expect("the name of a model");
            let errors: Vec<Finding> = diagnose(language, name, text)
                .into_iter()
                .filter(|f| f.severity == Severity::Error)
                .collect();
            assert_eq!(errors, [], "{name}, {about}");
        }
    }
}

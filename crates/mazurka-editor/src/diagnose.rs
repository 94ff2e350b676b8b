//! What is wrong with a text, as its parser says.

use crate::Language;
use mazurka_abs::model::{Options, open_texts};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Severity, SourceMap};
use mazurka_litmus::herd::is_from_herd;
use mazurka_litmus::weak::Concurrent;
use mazurka_litmus::{Machine, ParseError};
use mazurka_promela::parse_text;
use std::ops::Range;

/// Something that is wrong, or worth knowing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A stable short name of the kind of message.
    pub code: &'static str,
    /// What is the matter.
    pub message: String,
    /// Further facts and advice.
    pub help: Vec<String>,
    /// Where, in bytes of the text; the beginning if it is about no place in it.
    pub range: Range<usize>,
}

/// Everything that is wrong with the text, which is shown under this name.
pub fn diagnose(language: Language, name: &str, text: &str) -> Vec<Finding> {
    match language {
        Language::Litmus => match litmus(name, text) {
            Ok(()) => Vec::new(),
            Err(error) => {
                let diagnostic = error.diagnostic();
                let span = diagnostic.span().unwrap_or_default();
                vec![finding(&diagnostic, span.start as usize..span.end as usize, text)]
            }
        },
        Language::Abs => match open_texts([(name, text)], &Options::default()) {
            Ok(opened) => findings(&opened.diagnostics, &opened.machine.sources, name, text),
            Err((sources, diagnostics)) => findings(&diagnostics, &sources, name, text),
        },
        Language::Promela => {
            let parsed = parse_text(name, text, &[]);
            findings(&parsed.diagnostics, &parsed.sources, name, text)
        }
    }
}

/// Litmus tests of herd are read for memory models only.
fn litmus(name: &str, text: &str) -> Result<(), ParseError> {
    if is_from_herd(text) {
        Concurrent::parse(name, text, &[]).map(drop)
    } else {
        Machine::parse_file(name, text).map(drop)
    }
}

fn findings(diagnostics: &Diagnostics, sources: &SourceMap, name: &str, text: &str) -> Vec<Finding> {
    let place = |diagnostic: &Diagnostic| {
        let span = diagnostic.span()?;
        let file = sources.file(sources.file_of(span)?);
        let start = file.span().start;
        // What is in another file is said at the beginning of this one.
        (**file.name() == *name).then(|| (span.start - start) as usize..span.end.saturating_sub(start) as usize)
    };
    diagnostics.iter().map(|d| finding(d, place(d).unwrap_or(0..0), text)).collect()
}

fn finding(diagnostic: &Diagnostic, range: Range<usize>, text: &str) -> Finding {
    let end = range.end.min(text.len());
    Finding {
        severity: diagnostic.severity,
        code: diagnostic.code,
        message: diagnostic.message.clone(),
        help: diagnostic.notes.iter().chain(&diagnostic.help).cloned().collect(),
        range: range.start.min(end)..end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_says_what_its_parser_says_and_where() {
        for (language, name, good, bad, place) in [
            (Language::Litmus, "a.litmus", "p:[x=1]", "p:[x=speed]", "speed"),
            (
                Language::Litmus,
                "b.litmus",
                "C b\n{}\nP0 (int* x) { *x = 1; }\nexists (x=1)",
                "C b\n{}\nP0 (int* x) { *y = 1; }\nexists (x=1)",
                "y",
            ),
            (
                Language::Abs,
                "a.abs",
                "module M; { Int x = 1; }",
                "module M; { Int x = speed; }",
                "speed",
            ),
            (
                Language::Promela,
                "a.pml",
                "byte x; active proctype p() { x = 1 }",
                "byte x; active proctype p() { x = speed }",
                "speed",
            ),
        ] {
            let errors = |text: &str| {
                let all = diagnose(language, name, text);
                all.into_iter().filter(|f| f.severity == Severity::Error).collect::<Vec<_>>()
            };
            assert_eq!(errors(good), [], "{language:?}");
            let found = errors(bad);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(&bad[found[0].range.clone()], place, "{language:?}: {found:?}");
        }
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in [
            "",
            "\u{feff}",
            "ä:[",
            "#include \"nowhere\"",
            "/*",
            "\"",
            "module",
            "p:[x=",
            "{{{{((((",
            "\0",
        ] {
            for language in [Language::Litmus, Language::Abs, Language::Promela] {
                for finding in diagnose(language, "a", text) {
                    assert!(text.get(finding.range.clone()).is_some(), "{text:?}: {finding:?}");
                }
            }
        }
    }
}

//! A message as text: excerpt, carets, hints.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use std::borrow::Cow;

use crate::{Diagnostic, FileId, Severity, SourceMap, Span};

/// Lines longer than this are cut around the place of interest.
const WIDTH: usize = 140;

/// Words longer than this are cut.
const MAX_WORD: usize = 100;

/// Excerpts larger than this, in bytes, are not shown: nobody could read them, and they take long to lay out.
const MAX_EXCERPT: usize = 100_000;

impl Diagnostic {
    /// The message with excerpts of the source, carets under its labels, notes and help.
    #[must_use]
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(readable(&self.message)).id(self.code));
        for (file, labels) in self.labels_by_file(sources) {
            group = group.element(excerpt(sources, file, &labels, self.span()));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(readable(note)));
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(readable(help)));
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(WIDTH).render(&[group])
    }

    /// The labels grouped by file, the main label's file first.
    fn labels_by_file(&self, sources: &SourceMap) -> Vec<(FileId, Vec<(Span, &str)>)> {
        let mut files: Vec<(FileId, Vec<(Span, &str)>)> = Vec::new();
        for (span, text) in &self.labels {
            let Some(file) = sources.file_of(*span) else { continue };
            match files.iter_mut().find(|(known, _)| *known == file) {
                Some((_, labels)) => labels.push((*span, text)),
                None => files.push((file, vec![(*span, text)])),
            }
        }
        files
    }
}

/// The text with its longest words cut and its control characters as escapes: a message may quote a name or a number that fills a file, or
/// one that clears the screen. Excerpts need no such care: they are laid out with pictures of control characters.
fn readable(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && c != '\n';
    if text.contains(obeyed) {
        let escape = |c: char| if obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
        let escaped: String = text.chars().map(escape).collect();
        return Cow::Owned(readable(&escaped).into_owned());
    }
    if text.len() <= MAX_WORD {
        return Cow::Borrowed(text);
    }
    let cut = |word: &str| match word.char_indices().nth(MAX_WORD) {
        // The quote that closes the word stays.
        Some((end, _)) if word.ends_with('`') => format!("{}…`", &word[..end]),
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    };
    Cow::Owned(text.split(' ').map(cut).collect::<Vec<_>>().join(" "))
}

/// The lines of one file that the labels touch. Only these lines are handed on: scanning a whole large file per message would be slow.
fn excerpt<'a>(sources: &'a SourceMap, id: FileId, labels: &[(Span, &'a str)], main: Option<Span>) -> Element<'a> {
    let file = sources.file(id);
    let ranges: Vec<_> = labels.iter().map(|&(span, _)| sources.local(id, span)).collect();
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let last = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let line = file.line_of(first as u32);
    let start = file.line_start(line);
    let end = file.line_start(file.line_of(last as u32) + 1);
    if end - start > MAX_EXCERPT {
        let position = sources.position(labels.first().map_or_else(Span::default, |&(span, _)| span));
        return Origin::path(readable(file.name()))
            .line(position.line as usize)
            .char_column(position.column as usize)
            .into();
    }
    let mut snippet = Snippet::source(&file.text()[start..end])
        .line_start(line + 1)
        .path(readable(file.name()));
    for (range, &(span, text)) in ranges.iter().zip(labels) {
        let kind = if Some(span) == main {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let annotation = kind.span(range.start - start..range.end - start);
        snippet = snippet.annotation(if text.is_empty() {
            annotation
        } else {
            annotation.label(readable(text))
        });
    }
    snippet.into()
}

#[cfg(test)]
mod tests {
    use crate::{Diagnostic, Diagnostics, SourceMap, Span};

    fn sources() -> SourceMap {
        let mut map = SourceMap::new();
        map.add(
            "bank.abs",
            "module Bank;\nclass Account {\n  Int balance = 0;\n  Unit pay(Int n) {\n    balanec = n;\n  }\n}\n",
        )
        .unwrap();
        map.add("main.abs", "module Main;\n{ skip }").unwrap();
        map
    }

    fn find(map: &SourceMap, text: &str) -> Span {
        let (_, file) = map.files().find(|(_, file)| file.text().contains(text)).unwrap();
        let at = file.span().start + file.text().find(text).unwrap() as u32;
        Span::new(at, at + text.len() as u32)
    }

    #[test]
    fn shows_excerpt_carets_and_help() {
        let map = sources();
        let message = Diagnostic::error("unknown-name", "`balanec` is neither a variable nor a field")
            .label(find(&map, "balanec"), "not found")
            .label(find(&map, "class Account"), "in this class")
            .did_you_mean("balanec", ["balance", "n"]);
        insta::assert_snapshot!(message.render(&map, false));
    }

    #[test]
    fn shows_what_is_missing_at_the_end_of_a_file() {
        let map = sources();
        let missing = Diagnostic::error("syntax", "expected `;`").label(find(&map, "skip").after(), "here");
        let eof = map.files().last().unwrap().1.span().after();
        let end = Diagnostic::error("syntax", "the file ends inside a block")
            .label(eof, "")
            .label(find(&map, "{ skip").to(find(&map, "skip")), "");
        let both: Diagnostics = [end, missing.clone(), missing].into_iter().collect();
        insta::assert_snapshot!(both.sorted().render(&map, false));
    }

    #[test]
    fn labels_in_two_files_give_two_excerpts() {
        let map = sources();
        let twice = Diagnostic::warning("twice", "two files")
            .label(find(&map, "Main"), "here")
            .label(find(&map, "Bank"), "and there")
            .with_note("files are told apart");
        insta::assert_snapshot!(twice.render(&map, false));
    }

    #[test]
    fn an_endless_line_is_not_shown() {
        let mut map = SourceMap::new();
        map.add("long.abs", "x ".repeat(100_000)).unwrap();
        let message = Diagnostic::error("long", "a mistake").label(Span::new(5_000, 5_001), "here");
        assert_eq!(message.render(&map, false), "error[long]: a mistake\n--> long.abs:1:5001");
    }

    #[test]
    fn nothing_of_a_program_is_obeyed_by_the_terminal() {
        let mut map = SourceMap::new();
        map.add("a\u{1b}[2J.abs", "x = \"\u{1b}[2J\";\r\n").unwrap();
        let message = Diagnostic::error("odd", "what is `\u{1b}[2J`?")
            .label(Span::new(4, 10), "this \u{9b}2J")
            .with_help("not \u{1b}c");
        let shown = message.render(&map, false);
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        assert!(shown.contains("what is `\\u{1b}[2J`?"), "{shown}");
    }

    #[test]
    fn an_endless_word_is_cut() {
        let name = "x".repeat(1_000_000);
        let message = Diagnostic::error("unknown-name", format!("`{name}` is not declared")).with_help(format!("declare {name}"));
        let shown = message.render(&SourceMap::new(), false);
        assert!(
            shown.contains("xx…` is not declared") && shown.lines().all(|line| line.len() < 200),
            "{shown:.300}"
        );
    }

    #[test]
    fn a_message_without_a_place_or_with_a_foreign_one_still_shows() {
        let nowhere = Diagnostic::error("empty", "no main block").label(Span::new(7, 9), "lost");
        assert_eq!(
            nowhere.render(&SourceMap::new(), false).lines().next(),
            Some("error[empty]: no main block")
        );
        assert!(nowhere.render(&sources(), true).contains("no main block"));
    }
}

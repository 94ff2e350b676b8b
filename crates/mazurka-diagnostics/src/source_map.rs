//! The source texts of a model, laid end to end so that one number tells file and place.

use std::fmt;
use std::sync::Arc;

use crate::Span;

/// The number of a file in its [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The file's index, in the order of addition.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One source text with its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    start: u32,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// The name under which messages speak of the file.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The global span of the whole text.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len() as u32)
    }

    /// The zero-based number of the line that holds the local offset `local`.
    pub(crate) fn line_of(&self, local: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= local).saturating_sub(1)
    }

    /// The local offset at which the zero-based line `line` starts; the length of the text past the last line.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.line_starts.get(line).map_or(self.text.len(), |&start| start as usize)
    }
}

/// Where a span starts, for people: line and column count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The file's name.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The sources are longer than the 4 GiB that offsets can tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTooLarge {
    /// The file that does not fit any more.
    pub file: String,
}

impl fmt::Display for SourceTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the source files are larger than 4 GiB together", self.file)
    }
}

impl std::error::Error for SourceTooLarge {}

/// All source texts of a model.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name.
    ///
    /// # Errors
    /// When all texts together exceed 4 GiB.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Result<FileId, SourceTooLarge> {
        let (name, text): (Arc<str>, Arc<str>) = (name.into(), text.into());
        // One offset lies between two files, so that "just after the last byte" of one is not the first byte of the next.
        let start = self.files.last().map_or(0, |file| u64::from(file.span().end) + 1);
        if start + text.len() as u64 >= u64::from(u32::MAX) {
            return Err(SourceTooLarge { file: name.to_string() });
        }
        let line_starts = std::iter::once(0)
            .chain(text.bytes().zip(1..).filter(|&(byte, _)| byte == b'\n').map(|(_, next)| next))
            .collect();
        self.files.push(SourceFile {
            name,
            text,
            start: start as u32,
            line_starts,
        });
        Ok(FileId(self.files.len() as u32 - 1))
    }

    /// The file with this number.
    ///
    /// # Panics
    /// When the number comes from another map.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The files in the order of addition.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The file in which `span` starts; `None` only for an empty map.
    #[must_use]
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        let after = self.files.partition_point(|file| file.start <= span.start);
        (!self.files.is_empty()).then(|| FileId(after.saturating_sub(1) as u32))
    }

    /// The text of a span; a span that leaves its file is cut at the end of the file, and at character boundaries.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        let Some(id) = self.file_of(span) else { return "" };
        let file = self.file(id);
        let range = self.local(id, span);
        &file.text[range]
    }

    /// Where a span starts: file name, line and column.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        let Some(id) = self.file_of(span) else {
            return Position {
                file: Arc::from("<unknown>"),
                line: 1,
                column: 1,
            };
        };
        let file = self.file(id);
        let local = self.local(id, span).start;
        let line = file.line_of(local as u32);
        let column = file.text[file.line_start(line)..local].chars().count() + 1;
        Position {
            file: Arc::clone(&file.name),
            line: line as u32 + 1,
            column: column as u32,
        }
    }

    /// The span as a range into the text of `id`, cut to the text and widened to character boundaries.
    pub(crate) fn local(&self, id: FileId, span: Span) -> std::ops::Range<usize> {
        let file = self.file(id);
        let cut = |offset: u32| (offset.saturating_sub(file.start) as usize).min(file.text.len());
        let (mut start, mut end) = (cut(span.start), cut(span.end.max(span.start)));
        while !file.text.is_char_boundary(start) {
            start -= 1;
        }
        while !file.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut map = SourceMap::new();
        map.add("a.abs", "one\ntwo").unwrap();
        let second = map.add("b.abs", "ä x\n\nend").unwrap();
        let base = map.file(second).span().start;
        assert_eq!(map.position(Span::at(0)).to_string(), "a.abs:1:1");
        assert_eq!(map.position(Span::at(5)).to_string(), "a.abs:2:2");
        assert_eq!(
            map.position(Span::at(7)).to_string(),
            "a.abs:2:4",
            "the end of a file belongs to it"
        );
        assert_eq!(map.position(Span::at(base + 3)).to_string(), "b.abs:1:3", "ä is one column");
        assert_eq!(map.position(Span::at(base + 5)).to_string(), "b.abs:2:1");
        assert_eq!(map.text(Span::new(base, base + 1)), "ä", "a cut character is shown whole");
        assert_eq!(map.text(Span::new(base + 6, base + 900)), "end");
    }

    #[test]
    fn an_empty_map_knows_no_place() {
        assert_eq!(SourceMap::new().position(Span::at(3)).to_string(), "<unknown>:1:1");
        assert_eq!(SourceMap::new().text(Span::new(0, 3)), "");
    }
}

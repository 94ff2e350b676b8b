//! Places as the protocol counts them: lines from 0, columns in units of UTF-16.

use lsp_types::{Position, Range};

/// The place of a byte.
pub(crate) fn position(text: &str, at: usize) -> Position {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Position {
        line: number(before.matches('\n').count()),
        character: number(before[line_start..].encode_utf16().count()),
    }
}

/// The range of some bytes.
pub(crate) fn range(text: &str, bytes: std::ops::Range<usize>) -> Range {
    Range {
        start: position(text, bytes.start),
        end: position(text, bytes.end),
    }
}

/// The byte at a place; the end of the line or of the text where the place is behind it.
pub(crate) fn offset(text: &str, place: Position) -> usize {
    let mut start = 0;
    for _ in 0..place.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= place.character {
            return start + at;
        }
        units += c.len_utf16() as u32;
    }
    start + line.len()
}

/// The byte at a line and column that count from 1, in characters.
pub(crate) fn offset_of_character(text: &str, line: u32, column: u32) -> usize {
    let start = offset(
        text,
        Position {
            line: line.saturating_sub(1),
            character: 0,
        },
    );
    let rest = text[start..].split('\n').next().unwrap_or_default();
    let ahead = rest.char_indices().nth(column.saturating_sub(1) as usize);
    start + ahead.map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_bytes_are_the_same_in_both_directions() {
        let text = "a𝄞b\nä\n\nend";
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(offset(text, position(text, at)), at);
        }
        assert_eq!(position(text, text.find('b').unwrap()), Position { line: 0, character: 3 });
        assert_eq!(offset(text, Position { line: 9, character: 0 }), text.len());
        assert_eq!(offset(text, Position { line: 1, character: 9 }), text.find("\n\n").unwrap());
        assert_eq!(offset_of_character(text, 1, 3), text.find('b').unwrap());
        assert_eq!(offset_of_character(text, 2, 99), text.find("\n\n").unwrap());
    }
}

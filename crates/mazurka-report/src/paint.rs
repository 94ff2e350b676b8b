//! How text is shown: with colour or without, in Unicode or ASCII, how wide.

use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The means that the terminal offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Whether escape sequences for colour may be used.
    pub color: bool,
    /// Whether only ASCII may be used.
    pub ascii: bool,
    /// How many characters fit on a line.
    pub width: usize,
}

impl Default for Paint {
    /// Plain text for a pipe or a file.
    fn default() -> Self {
        Paint {
            color: false,
            ascii: false,
            width: 120,
        }
    }
}

impl Paint {
    /// What the environment offers for text written to a stream: colour on a terminal unless `NO_COLOR` is set to something, the width of
    /// the terminal or of `COLUMNS`.
    #[cfg(feature = "terminal")]
    pub fn detect(terminal: bool, ascii: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let measured = if terminal {
            terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
        } else {
            None
        };
        let width: usize = columns.or(measured).unwrap_or(120);
        Paint {
            color: terminal && !set("NO_COLOR") && std::env::var("TERM").as_deref() != Ok("dumb"),
            ascii,
            width: width.clamp(20, 400),
        }
    }

    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.styled(AnsiColor::Green.on_default().bold(), text)
    }

    /// Bad news.
    pub fn bad(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// Neither good nor bad, but worth a look.
    pub fn warn(self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Headings.
    pub fn strong(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// What matters less.
    pub fn faint(self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    /// An arrow to the right.
    pub fn arrow(self) -> &'static str {
        if self.ascii { "->" } else { "→" }
    }

    /// A long arrow from who waits to whom it waits for.
    pub fn long_arrow(self) -> &'static str {
        if self.ascii { "-->" } else { "──▶" }
    }

    /// The mark of a racing step.
    pub fn race(self) -> &'static str {
        if self.ascii { "*" } else { "●" }
    }

    /// What separates the parts of a line.
    pub fn dot(self) -> &'static str {
        if self.ascii { "," } else { " ·" }
    }

    /// Stands where steps begin that repeat for ever.
    pub fn again(self) -> &'static str {
        if self.ascii { "<-" } else { "↻" }
    }

    /// Stands for what was left out.
    pub fn ellipsis(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// The text as it may be shown: [`visible`], and without characters outside ASCII if these were ruled out.
    pub fn text(self, text: &str) -> String {
        let text = visible(text);
        if !self.ascii || text.is_ascii() {
            return text.into_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '→' | '▶' => plain.push_str("->"),
                '≠' => plain.push_str("!="),
                '≤' => plain.push_str("<="),
                '≥' => plain.push_str(">="),
                '…' => plain.push_str("..."),
                '·' | '•' => plain.push('.'),
                '–' | '—' | '─' => plain.push('-'),
                '±' => plain.push_str("+-"),
                '×' => plain.push('x'),
                c if c.is_ascii() => plain.push(c),
                _ => plain.push('?'),
            }
        }
        plain
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.color {
            format!("{}{text}{}", style.render(), style.render_reset())
        } else {
            text.to_owned()
        }
    }
}

/// The text with escapes for the characters that a terminal would obey instead of showing them: programs choose their own names and strings.
/// Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| {
        let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        reorders || (c.is_control() && c != '\n' && c != '\t')
    };
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if obeyed(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// How many columns a text takes on a terminal: some characters take two, and some none.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// As much of the beginning of a text as fits into so many columns.
pub fn beginning(text: &str, columns: usize) -> &str {
    &text[..fitting(text.char_indices().map(|(at, c)| (at + c.len_utf8(), c)), columns).unwrap_or(0)]
}

/// As much of the end of a text as fits into so many columns.
pub fn end(text: &str, columns: usize) -> &str {
    &text[fitting(text.char_indices().rev(), columns).unwrap_or(text.len())..]
}

/// The last of the places that is within so many columns.
fn fitting(chars: impl Iterator<Item = (usize, char)>, columns: usize) -> Option<usize> {
    let mut used = 0;
    let fits = chars.take_while(|(_, c)| {
        used += c.width().unwrap_or(1);
        used <= columns
    });
    fits.last().map(|(at, _)| at)
}

/// The beginning of a text that is too long, and a sign that it is one.
pub fn cut(text: &str, to: usize, paint: Paint) -> String {
    if width(text) <= to {
        return text.to_owned();
    }
    let keep = to.saturating_sub(width(paint.ellipsis()));
    format!("{}{}", beginning(text, keep), paint.ellipsis())
}

/// Longer words are cut: nobody reads them, and they would bury the rest.
const LONGEST_WORD: usize = 400;

/// The text in lines of at most `width` columns, broken at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let cut = word.char_indices().nth(LONGEST_WORD).map(|_| {
            let kept: String = word.chars().take(LONGEST_WORD - 3).collect();
            format!("{kept}...")
        });
        let mut word = cut.as_deref().unwrap_or(word);
        loop {
            let room = match lines.last() {
                None => 0,
                Some(line) => width.saturating_sub(self::width(line) + 1),
            };
            if let Some(line) = lines.last_mut()
                && self::width(word) <= room
            {
                line.push(' ');
                line.push_str(word);
                break;
            }
            let part = beginning(word, width);
            lines.push(part.to_owned());
            word = &word[part.len()..];
            if word.is_empty() {
                break;
            }
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// A line that begins with a word like `violation` and is the first to be read: `styled` is that word with its colour. Broken if it does not
/// fit.
pub fn headline(word: &str, styled: &str, rest: &str, paint: Paint) -> String {
    let text = format!("{word}: {rest}");
    let lines = if width(&text) <= paint.width {
        vec![text]
    } else {
        wrap(&text, paint.width.saturating_sub(3))
    };
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        match line.strip_prefix(word) {
            Some(after) if at == 0 => out.push_str(&format!("{styled}{after}\n")),
            _ => out.push_str(&format!("   {line}\n")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_at_spaces_and_long_words_break() {
        assert_eq!(wrap("take fork 0", 6), ["take", "fork 0"]);
        assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("", 4), [""]);
        let endless = wrap(&"x".repeat(1_000_000), 100);
        assert!(endless.len() == 4 && endless[3].ends_with("xx..."), "{endless:?}");
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_as_an_escape() {
        assert_eq!(visible("clear \u{1b}[2J\r\n"), "clear \\u{1b}[2J\\r\n");
        assert_eq!(visible("\u{9b}2J \u{7f} \u{202e}abc"), "\\u{9b}2J \\u{7f} \\u{202e}abc");
        assert_eq!(Paint::default().text("\u{7}"), "\\u{7}");
        assert!(matches!(visible("größer → 漢字"), Cow::Borrowed(_)));
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("漢字"), 4);
        assert_eq!(wrap("漢字漢字", 5), ["漢字", "漢字"]);
        assert_eq!(beginning("a漢字", 4), "a漢");
        assert_eq!(end("漢字b", 4), "字b");
        assert_eq!((beginning("abc", 9), end("abc", 9)), ("abc", "abc"));
    }

    #[test]
    fn a_headline_that_does_not_fit_is_broken() {
        let narrow = Paint {
            width: 30,
            ..Paint::default()
        };
        let text = headline("violation", "violation", "assertion after 5 steps with 3 switches", narrow);
        assert_eq!(text, "violation: assertion after\n   5 steps with 3 switches\n");
        assert_eq!(headline("complete", "complete", "nothing", narrow), "complete: nothing\n");
    }

    #[test]
    fn ascii_leaves_nothing_else() {
        let paint = Paint {
            ascii: true,
            ..Paint::default()
        };
        assert_eq!(paint.text("x ≥ 2 → größer"), "x >= 2 -> gr??er");
    }

    #[test]
    fn without_colour_there_are_no_escapes() {
        assert_eq!(Paint::default().bad("no"), "no");
        let colour = Paint {
            color: true,
            ..Paint::default()
        };
        assert!(colour.bad("no").contains("\u{1b}["));
    }
}

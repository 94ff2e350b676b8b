//! How text is shown: with colour or without, in Unicode or ASCII, how wide.

use anstyle::{AnsiColor, Style};

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

    /// Stands for what was left out.
    pub fn ellipsis(self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// The text as it may be shown: without characters outside ASCII if these were ruled out.
    pub fn text(self, text: &str) -> String {
        if !self.ascii || text.is_ascii() {
            return text.to_owned();
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

/// How many columns a text takes. Every character counts for one.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

/// Longer words are cut: nobody reads them, and they would bury the rest.
const LONGEST_WORD: usize = 400;

/// The text in lines of at most `width` characters, broken at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().take(LONGEST_WORD + 1).collect();
        if word.len() > LONGEST_WORD {
            word.truncate(LONGEST_WORD - 3);
            word.extend("...".chars());
        }
        loop {
            let room = match lines.last() {
                None => 0,
                Some(line) => width.saturating_sub(self::width(line) + 1),
            };
            if let Some(line) = lines.last_mut()
                && word.len() <= room
            {
                line.push(' ');
                line.extend(&word);
                break;
            }
            if word.len() <= width {
                lines.push(word.into_iter().collect());
                break;
            }
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
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

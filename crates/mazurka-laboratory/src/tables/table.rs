//! A published table beside what we measure: columns, rows, a mark per cell and a line of explanation for each that is not equal.

use std::fmt::Write as _;
use std::time::Duration;

/// How a measured cell compares with the published one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// The same number.
    Equal,
    /// Another number, and the note says why.
    Explained,
    /// The published number cannot be had from what the paper says; the note says what is missing.
    NotReproducible,
    /// Nothing is published for this cell (or it is illegible in our copy).
    Unpublished,
    /// Not run: larger than the size that was asked for.
    Skipped,
    /// A time, which nobody expects to be equal.
    Time,
}

impl Mark {
    /// The sign that stands in the table.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Equal => "=",
            Mark::Explained => "≠",
            Mark::NotReproducible => "?",
            Mark::Unpublished => "·",
            Mark::Skipped => "-",
            Mark::Time => "|",
        }
    }

    /// The word used in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Equal => "equal",
            Mark::Explained => "explained",
            Mark::NotReproducible => "not-reproducible",
            Mark::Unpublished => "unpublished",
            Mark::Skipped => "skipped",
            Mark::Time => "time",
        }
    }
}

/// One number of the paper and ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// As printed in the paper.
    pub published: Option<String>,
    /// As measured now.
    pub measured: Option<String>,
    /// How they compare.
    pub mark: Mark,
    /// The index of the explanation in [`Table::notes`], for a cell that is not equal.
    pub note: Option<usize>,
}

impl Cell {
    /// Compares two numbers; `explain` gives mark and note index for a difference.
    pub fn compare(published: Option<u64>, measured: Option<u64>, explain: impl FnOnce() -> (Mark, Option<usize>)) -> Self {
        let (mark, note) = match (published, measured) {
            (_, None) => (Mark::Skipped, None),
            (None, Some(_)) => (Mark::Unpublished, None),
            (Some(p), Some(m)) if p == m => (Mark::Equal, None),
            _ => explain(),
        };
        Cell {
            published: published.map(|n| n.to_string()),
            measured: measured.map(|n| n.to_string()),
            mark,
            note,
        }
    }

    /// A cell that was not run, with the index of the reason.
    pub fn skipped(published: Option<u64>, note: usize) -> Self {
        Cell {
            published: published.map(|n| n.to_string()),
            measured: None,
            mark: Mark::Skipped,
            note: Some(note),
        }
    }

    /// A published time beside the one that was taken; none if it was not run.
    pub fn time(published: Option<String>, measured: Option<Duration>) -> Self {
        Cell {
            published,
            measured: measured.map(written),
            mark: Mark::Time,
            note: None,
        }
    }

    /// The text of the cell: `24`, `24 ≠ 27 [1]`, `· 6`.
    pub fn text(&self) -> String {
        let mut text = match (&self.published, &self.measured, self.mark) {
            (Some(p), Some(_), Mark::Equal) => format!("{p} ="),
            (Some(p), Some(m), mark) => format!("{p} {} {m}", mark.sign()),
            (None, Some(m), Mark::Time) => m.clone(),
            (None, None, Mark::Time) => String::new(),
            (None, Some(m), mark) => format!("{} {m}", mark.sign()),
            (Some(p), None, mark) => format!("{p} {}", mark.sign()),
            (None, None, mark) => mark.sign().to_owned(),
        };
        if let Some(note) = self.note {
            let _ = write!(text, " [{}]", note + 1);
        }
        text
    }
}

/// One line of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What identifies it: program, order.
    pub labels: Vec<String>,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// A whole table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// As the CLI names it: `forte12`.
    pub name: String,
    /// What it shows and where it is published.
    pub title: String,
    /// The headings of the labels.
    pub label_names: Vec<String>,
    /// The headings of the cells.
    pub columns: Vec<String>,
    /// The lines.
    pub rows: Vec<Row>,
    /// The explanations.
    pub notes: Vec<String>,
}

impl Table {
    /// The index of a note, added if it is new.
    pub fn note(&mut self, text: &str) -> usize {
        match self.notes.iter().position(|n| n == text) {
            Some(at) => at,
            None => {
                self.notes.push(text.to_owned());
                self.notes.len() - 1
            }
        }
    }

    /// Leaves out the columns of times: what remains is the same in every run.
    pub fn without_times(&mut self) {
        let is_time = |column: usize| self.rows.iter().any(|r| r.cells[column].mark == Mark::Time);
        let keep: Vec<bool> = (0..self.columns.len()).map(|c| !is_time(c)).collect();
        let mut at = keep.iter();
        self.columns.retain(|_| *at.next().unwrap_or(&true));
        for row in &mut self.rows {
            let mut at = keep.iter();
            row.cells.retain(|_| *at.next().unwrap_or(&true));
        }
    }

    /// How many cells carry the mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.rows.iter().flat_map(|r| &r.cells).filter(|c| c.mark == mark).count()
    }

    /// The table as plain text, columns aligned, notes below.
    pub fn render(&self) -> String {
        let head: Vec<String> = self.label_names.iter().chain(&self.columns).cloned().collect();
        let body: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|r| r.labels.iter().cloned().chain(r.cells.iter().map(Cell::text)).collect())
            .collect();
        let mut widths: Vec<usize> = head.iter().map(|h| h.chars().count()).collect();
        for row in &body {
            for (width, text) in widths.iter_mut().zip(row) {
                *width = (*width).max(text.chars().count());
            }
        }
        let mut out = format!("{}\n\n", self.title);
        for row in std::iter::once(&head).chain(&body) {
            let mut line = String::new();
            for (at, (text, width)) in row.iter().zip(&widths).enumerate() {
                let fill = " ".repeat(width - text.chars().count());
                if at < self.label_names.len() {
                    let _ = write!(line, "{text}{fill}  ");
                } else {
                    let _ = write!(line, "{fill}{text}  ");
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "\n{} equal (=), {} explained (≠), {} not reproducible (?), {} unpublished (·), {} skipped (-)",
            self.count(Mark::Equal),
            self.count(Mark::Explained),
            self.count(Mark::NotReproducible),
            self.count(Mark::Unpublished),
            self.count(Mark::Skipped)
        );
        for (at, note) in self.notes.iter().enumerate() {
            let _ = writeln!(out, "[{}] {note}", at + 1);
        }
        out
    }
}

/// A time with three digits.
fn written(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms if ms < 100.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1e3),
    }
}

//! The published numbers, as they stand in the folder `tables` of this crate.

/// One line of a published table.
pub(super) struct Published<'a> {
    header: Vec<&'a str>,
    cells: Vec<&'a str>,
}

/// The lines of a tab-separated table with a header.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Published<'_>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    lines.map(move |line| Published {
        header: header.clone(),
        cells: line.split('\t').collect(),
    })
}

impl<'a> Published<'a> {
    /// The text under a heading; empty where the paper has none.
    pub fn text(&self, heading: &str) -> &'a str {
        let at = self.header.iter().position(|h| *h == heading);
        at.and_then(|at| self.cells.get(at)).copied().unwrap_or_default()
    }

    /// The number under a heading, if there is one.
    pub fn number(&self, heading: &str) -> Option<u64> {
        self.text(heading).parse().ok()
    }
}

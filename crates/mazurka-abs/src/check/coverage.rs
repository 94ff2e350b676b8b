//! Warnings about `case` and `switch`: values that no branch matches, branches that nothing reaches (Maranget, JFP 2007, sections 2 and 5).

use mazurka_diagnostics::{Diagnostic, Span};

use crate::checked::{CheckedModel, ConstructorId, Literal, Pattern, PatternKind};

/// A pattern seen from outside: `None` matches everything.
type Cell<'p> = Option<&'p Pattern>;

/// How many rows may be looked at for one `case`; beyond that nothing is said. The problem is exponential in the worst case.
const BUDGET: u32 = 100_000;

struct Coverage<'m> {
    model: &'m CheckedModel,
    budget: u32,
}

/// Adds warnings about the branches of one `case` or `switch` over the value at `span`.
pub(super) fn warn(model: &CheckedModel, branches: &[&Pattern], span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let mut coverage = Coverage { model, budget: BUDGET };
    let mut rows: Vec<Vec<Cell<'_>>> = Vec::with_capacity(branches.len());
    for pattern in branches {
        let row = vec![simple(pattern)];
        if !coverage.useful(&rows, &row) && coverage.budget > 0 {
            let diagnostic = Diagnostic::warning("unreachable-case", "this case is never reached")
                .label(pattern.span, "everything it matches is matched above");
            diagnostics.push(diagnostic);
        }
        rows.push(row);
    }
    if let Some(missing) = coverage.missing(&rows, 1)
        && coverage.budget > 0
    {
        let missing = missing.first().map_or("_", String::as_str);
        let diagnostic = Diagnostic::warning("missing-case", format!("`{missing}` is not matched"))
            .label(span, "")
            .with_note("a value that no case matches throws PatternMatchFailException");
        diagnostics.push(diagnostic);
    }
}

/// A pattern that matches everything is no pattern.
fn simple(pattern: &Pattern) -> Cell<'_> {
    (!matches!(pattern.kind, PatternKind::Wildcard | PatternKind::Bind(_))).then_some(pattern)
}

impl<'m> Coverage<'m> {
    fn spend(&mut self, rows: usize) -> bool {
        self.budget = self.budget.saturating_sub(1 + rows as u32);
        self.budget > 0
    }

    /// The constructors of the data type that the first column is about, if it has any pattern with a constructor.
    fn siblings(&self, rows: &[Vec<Cell<'_>>]) -> Option<&'m [ConstructorId]> {
        let id = rows.iter().find_map(|row| match row[0]?.kind {
            PatternKind::Construct(id, _) => Some(id),
            _ => None,
        })?;
        let data = self.model.constructors[id.index()].data;
        Some(&self.model.data_types[data.index()].constructors)
    }

    /// Whether the first column names all constructors; exceptions are never complete.
    fn complete(&self, rows: &[Vec<Cell<'_>>], siblings: &[ConstructorId]) -> bool {
        let exceptions = &self.model.data_types[self.model.well_known.exception_type.index()].constructors;
        !std::ptr::eq(siblings, &exceptions[..])
            && siblings.iter().all(|id| {
                rows.iter()
                    .any(|row| matches!(row[0], Some(Pattern { kind: PatternKind::Construct(found, _), .. }) if found == id))
            })
    }

    /// The rows that may match a value made by this constructor, its arguments in place of the first column.
    fn specialise<'p>(&self, rows: &[Vec<Cell<'p>>], id: ConstructorId) -> Vec<Vec<Cell<'p>>> {
        let arity = self.model.constructors[id.index()].args.len();
        rows.iter()
            .filter_map(|row| {
                let args: Vec<Cell<'p>> = match row[0] {
                    None => vec![None; arity],
                    Some(Pattern {
                        kind: PatternKind::Construct(found, args),
                        ..
                    }) if *found == id => args.iter().map(simple).chain(std::iter::repeat(None)).take(arity).collect(),
                    Some(_) => return None,
                };
                Some(args.into_iter().chain(row[1..].iter().copied()).collect())
            })
            .collect()
    }

    /// The rows whose first column matches everything, or this literal, without it.
    fn default<'p>(rows: &[Vec<Cell<'p>>], literal: Option<&Literal>) -> Vec<Vec<Cell<'p>>> {
        let keep = |cell: Cell<'p>| match cell {
            None => true,
            Some(Pattern {
                kind: PatternKind::Literal(found),
                ..
            }) => Some(found) == literal,
            Some(_) => false,
        };
        rows.iter().filter(|row| keep(row[0])).map(|row| row[1..].to_vec()).collect()
    }

    /// Whether the new row matches something that no row before matches.
    fn useful(&mut self, rows: &[Vec<Cell<'_>>], row: &[Cell<'_>]) -> bool {
        if !self.spend(rows.len()) {
            return true;
        }
        let Some((&first, rest)) = row.split_first() else {
            return rows.is_empty();
        };
        match first.map(|pattern| &pattern.kind) {
            Some(PatternKind::Construct(id, args)) => {
                let arity = self.model.constructors[id.index()].args.len();
                let args = args.iter().map(simple).chain(std::iter::repeat(None)).take(arity);
                let row: Vec<Cell<'_>> = args.chain(rest.iter().copied()).collect();
                self.useful(&self.specialise(rows, *id), &row)
            }
            Some(PatternKind::Literal(literal)) => self.useful(&Self::default(rows, Some(literal)), rest),
            // What a variable is equal to is not known: only a row that matches everything covers it.
            Some(_) => self.useful(&Self::default(rows, None), rest),
            None => match self.siblings(rows) {
                Some(siblings) if self.complete(rows, siblings) => siblings.iter().any(|&id| {
                    let arity = self.model.constructors[id.index()].args.len();
                    let row: Vec<Cell<'_>> = std::iter::repeat_n(None, arity).chain(rest.iter().copied()).collect();
                    self.useful(&self.specialise(rows, id), &row)
                }),
                _ => self.useful(&Self::default(rows, None), rest),
            },
        }
    }

    /// A value, written as a pattern per column, that no row matches.
    fn missing(&mut self, rows: &[Vec<Cell<'_>>], width: usize) -> Option<Vec<String>> {
        if !self.spend(rows.len()) {
            return None;
        }
        if width == 0 {
            return rows.is_empty().then(Vec::new);
        }
        let siblings = self.siblings(rows);
        if let Some(siblings) = siblings
            && self.complete(rows, siblings)
        {
            return siblings.iter().find_map(|&id| {
                let arity = self.model.constructors[id.index()].args.len();
                let mut found = self.missing(&self.specialise(rows, id), arity + width - 1)?;
                let rest = found.split_off(arity);
                let name = &self.model.constructors[id.index()].name;
                let head = if arity == 0 {
                    name.to_string()
                } else {
                    format!("{name}({})", found.join(", "))
                };
                Some(std::iter::once(head).chain(rest).collect())
            });
        }
        let rest = self.missing(&Self::default(rows, None), width - 1)?;
        let exceptions = &self.model.data_types[self.model.well_known.exception_type.index()].constructors;
        let head = siblings
            .filter(|siblings| !std::ptr::eq(*siblings, &exceptions[..]))
            .and_then(|siblings| {
                let used = |id: &ConstructorId| {
                    rows.iter()
                        .any(|row| matches!(row[0], Some(Pattern { kind: PatternKind::Construct(found, _), .. }) if found == id))
                };
                let constructor = &self.model.constructors[siblings.iter().find(|id| !used(id))?.index()];
                let blanks = vec!["_"; constructor.args.len()].join(", ");
                Some(if blanks.is_empty() {
                    constructor.name.to_string()
                } else {
                    format!("{}({blanks})", constructor.name)
                })
            });
        Some(std::iter::once(head.unwrap_or_else(|| "_".to_owned())).chain(rest).collect())
    }
}

//! One row of the tables of CAV'17 and ISSTA'19: a shared-variable or task program under several algorithms.

use super::{Cell, Mark, TOO_LARGE, Table};
use mazurka_core::{Algorithm, Counts, Observe, Options, Status, Unobserved, search};
use mazurka_litmus::families::{Family, family};

/// Programs with more traces than this are left out where every trace, or nearly every one, is explored.
const MOST_TRACES: u128 = 60_000;

/// The program of a row.
#[derive(Clone)]
pub(super) struct Program {
    family: &'static Family,
    values: Vec<i64>,
}

impl Program {
    /// The built-in program of that name with these values.
    pub fn new(name: &str, values: &[i64]) -> Option<Program> {
        let family = family(name).ok()?;
        Some(Program {
            family,
            values: values.to_vec(),
        })
    }

    /// The counts of an algorithm; `None` if there is too much to explore.
    pub fn counts(&self, algorithm: &str, observe: Observe, max_size: Option<u64>) -> Option<Counts> {
        let size = match algorithm {
            "source+merge" => None,
            "optimal+observers" => self.family.observed,
            _ => self.family.traces,
        };
        let executions = size.and_then(|count| count(&self.values)).unwrap_or(0);
        if executions > max_size.map_or(MOST_TRACES, u128::from) {
            return None;
        }
        let settings: Vec<(String, i64)> = self
            .family
            .parameters
            .iter()
            .zip(&self.values)
            .map(|(p, v)| (p.name.to_owned(), *v))
            .collect();
        let machine = self.family.machine(&settings).ok()?;
        let options = Options {
            keep_going: true,
            observe,
            ..Options::new(Algorithm::parse(algorithm).ok()?)
        };
        let mut search = search(&machine, &options, Unobserved).ok()?;
        while search.advance(1 << 20) == Status::Running {}
        Some(search.outcome().counts)
    }
}

/// A published number beside a measured one. ISSTA'19 writes `21k` for 21,000 or a little less, and `>51k` where it gave up.
pub(super) fn cell(table: &mut Table, published: &str, measured: Option<u64>, explain: (Mark, &str)) -> Cell {
    let text = (!published.is_empty()).then(|| published.to_owned());
    let Some(measured) = measured else {
        return Cell {
            published: text,
            measured: None,
            mark: Mark::Skipped,
            note: Some(table.note(TOO_LARGE)),
        };
    };
    let equal = match published.strip_suffix('k').and_then(|k| k.parse::<u64>().ok()) {
        Some(thousands) => measured.div_ceil(1000) == thousands,
        None => published.parse() == Ok(measured),
    };
    let (mark, note) = if equal {
        (Mark::Equal, None)
    } else if published.is_empty() {
        (Mark::Unpublished, None)
    } else if at_least(published).is_some_and(|least| measured >= least) {
        (Mark::Explained, Some(table.note("the paper's run was stopped at its limit")))
    } else {
        (explain.0, Some(table.note(explain.1)))
    };
    Cell {
        published: text,
        measured: Some(measured.to_string()),
        mark,
        note,
    }
}

/// The number after `>`.
fn at_least(published: &str) -> Option<u64> {
    let number = published.strip_prefix('>')?;
    match number.strip_suffix('k') {
        Some(thousands) => thousands.parse::<u64>().ok().map(|k| k * 1000),
        None => number.parse().ok(),
    }
}

/// A published number of a program that cannot be had.
pub(super) fn missing(table: &mut Table, published: &str, why: &str) -> Cell {
    Cell {
        published: (!published.is_empty()).then(|| published.to_owned()),
        measured: None,
        mark: Mark::Skipped,
        note: Some(table.note(why)),
    }
}

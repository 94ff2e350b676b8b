//! The tables of CAV'17 and ISSTA'19: shared-variable and task programs under several algorithms, each with executions, states and time.

use super::published::Published;
use super::{Cell, Mark, Row, TOO_LARGE, Table};
use mazurka_core::{Algorithm, Counts, Covers, Observe, Options, Status, Unobserved, search};
use mazurka_litmus::families::{Family, family};
use std::time::{Duration, Instant};

/// Programs with more traces than this are left out where every trace, or nearly every one, is explored.
const MOST_TRACES: u128 = 60_000;
/// The same where the number of traces is not known in advance and the search has to find out.
const MOST_UNKNOWN: u64 = 10_000;

/// The program of a row.
#[derive(Clone)]
pub(super) struct Program {
    family: &'static Family,
    values: Vec<i64>,
    /// Why its figures may differ from the published ones, if it is not the program of the paper.
    pub natural: Option<&'static str>,
}

impl Program {
    /// The built-in program of that name with these values.
    pub fn new(name: &str, values: &[i64]) -> Option<Program> {
        let family = family(name).ok()?;
        Some(Program {
            family,
            values: values.to_vec(),
            natural: None,
        })
    }

    /// The same program, which is not that of the paper.
    pub fn natural(mut self, why: &'static str) -> Program {
        self.natural = Some(why);
        self
    }

    /// The counts of an algorithm and the time it took; `None` if there is too much to explore.
    fn run(&self, algorithm: &str, observe: Observe, max_size: Option<u64>) -> Option<(Counts, Duration)> {
        let algorithm = Algorithm::parse(algorithm).ok()?;
        let merges = algorithm.merges();
        let promise = algorithm.about().promise;
        // One execution for each outcome, not fewer.
        let formula = match promise.covers {
            Covers::Outcomes if promise.unblocked => self.family.observed,
            _ => self.family.traces,
        };
        let executions = formula.and_then(|count| count(&self.values));
        let most = max_size.map_or(MOST_TRACES, u128::from);
        if !merges && executions.is_some_and(|n| n > most) {
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
        let mut options = Options::new(algorithm).keep_going(true).observe(observe);
        if executions.is_none() && !merges {
            options.limits.executions = Some(max_size.unwrap_or(MOST_UNKNOWN));
        }
        let begun = Instant::now();
        let mut search = search(&machine, &options, Unobserved).ok()?;
        while search.advance(1 << 20) == Status::Running {}
        let outcome = search.outcome();
        outcome.limit.is_none().then(|| (outcome.counts, begun.elapsed()))
    }
}

/// Why a number differs from the published one.
pub(super) type Why = (Mark, &'static str);

/// One algorithm of a table: three columns.
pub(super) struct Column {
    pub heading: &'static str,
    pub algorithm: &'static str,
    pub observe: Observe,
    /// Where executions, states and time are in the published table, if they are.
    pub published: [&'static str; 3],
    /// What the published times are in.
    pub unit: &'static str,
    /// What the paper calls states.
    pub states: fn(&Counts) -> u64,
    pub executions_differ: Why,
    pub states_differ: Why,
}

impl Column {
    /// The three headings.
    fn headings(&self) -> [String; 3] {
        ["execs", "states", "time"].map(|part| format!("{} {part}", self.heading))
    }

    fn cells(&self, table: &mut Table, line: &Published<'_>, program: &Program, max_size: Option<u64>) -> [Cell; 3] {
        let measured = program.run(self.algorithm, self.observe, max_size);
        // A difference of the program comes before one of the algorithm.
        let why = |why: Why| match program.natural {
            Some(natural) => (Mark::NotReproducible, natural),
            None => why,
        };
        let [executions, states, time] = self.published.map(|heading| line.text(heading));
        let counts = measured.map(|(counts, _)| counts);
        [
            cell(table, executions, counts.map(|c| c.executions), why(self.executions_differ)),
            cell(table, states, counts.map(|c| (self.states)(&c)), why(self.states_differ)),
            Cell::time(published_time(time, self.unit), measured.map(|(_, time)| time)),
        ]
    }
}

/// Fills a table: one row for each published line whose program is known.
pub(super) fn fill<'a>(
    table: &mut Table,
    (columns, label): (&[Column], &str),
    lines: impl Iterator<Item = Published<'a>>,
    program: impl Fn(&str) -> Option<Program>,
    max_size: Option<u64>,
) {
    table.columns = columns.iter().flat_map(Column::headings).collect();
    for line in lines {
        let name = line.text(label);
        let Some(program) = program(name) else { continue };
        let cells = columns.iter().flat_map(|c| c.cells(table, &line, &program, max_size)).collect();
        table.rows.push(Row {
            labels: vec![name.to_owned()],
            cells,
        });
    }
}

/// `93` in milliseconds as `93 ms`; `>120s` as it is.
fn published_time(text: &str, unit: &str) -> Option<String> {
    (!text.is_empty()).then(|| match text.parse::<f64>() {
        Ok(_) => format!("{text} {unit}"),
        Err(_) => text.to_owned(),
    })
}

/// A published number beside a measured one. ISSTA'19 writes `21k` for 21,000 or a little less, and `>51k` where it gave up.
fn cell(table: &mut Table, published: &str, measured: Option<u64>, explain: Why) -> Cell {
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

//! FORTE'12, Tables 1 and 2: DPOR and TransDPOR under three orders, without and with sleep sets.

use super::measure::counts;
use super::published::{Published, lines};
use super::{Cell, Mark, Row, TOO_LARGE, Table};
use mazurka_actors::System;
use mazurka_actors::programs::find;
use mazurka_core::Order;

const TABLE_1: &str = include_str!("../../tables/forte12-table1.tsv");
const TABLE_2: &str = include_str!("../../tables/forte12-table2-sleep-sets.tsv");

const STOPPED: &str = "the paper's run was stopped after 4 hours; this is the true total";
const OTHER_SLEEP: &str = "the sleep sets of the paper's tool are not public; paths agree, some redundant steps are pruned elsewhere";
const FIGURE_2: &str = "the paper has what its Fig. 2 gives (`trans+sleep`), not what its tool gives elsewhere (`trans+sleep:basset`)";
const NATURAL: &str = "the paper's program is not public; this is the natural one, sizes and message counts differ";
const FIRST_BUG: &str = "the row is about the first bug, not about all paths";
const LOST: &str =
    "the paper's TransDPOR lost two executions here (31 with DPOR, and with sleep sets no two are equivalent); ours is repaired";

/// A row's program: as the paper names it, ours, and whether the search ends at the first bug.
fn program(name: &str) -> Option<(System, bool)> {
    let (ours, set, first_bug): (&str, &[(&str, i64)], bool) = match name {
        "registry" => ("registry", &[], false),
        "fib5" => ("fib", &[], false),
        "quicksort6" => ("quicksort", &[], false),
        "pi5" => ("pi", &[], false),
        "pipesort4" => ("pipesort", &[], false),
        "chameneos2" => ("chameneos", &[], false),
        "leader4" => ("leader", &[], false),
        "shortpath4" => ("shortpath4", &[], false),
        "shortpath5" => ("shortpath5", &[], false),
        "regsim" => ("regsim", &[], false),
        "regsim-2-level" => ("regsim-2-level", &[], false),
        "diningphil" => ("diningphil", &[], false),
        "minesweeper (to first deadlock)" => ("minesweeper", &[], true),
        "le-erlang3-failure (to first bug)" => ("le-erlang", &[("n", 3), ("crash", 1)], true),
        "le-erlang4 (to no-leader bug)" => ("le-erlang", &[("n", 4)], true),
        _ => return None,
    };
    let system = find(ours).and_then(|p| p.system(set)).ok()?;
    Some((system, first_bug))
}

fn order(name: &str) -> Order {
    match name {
        "ECA" => Order::Eca,
        "LCA" => Order::Lca,
        _ => Order::Fifo,
    }
}

/// Paths and transitions of one algorithm in one row.
struct Pair {
    published: [Option<u64>; 2],
    measured: Option<[u64; 2]>,
}

impl Pair {
    fn run(line: &Published<'_>, headings: [&str; 2], max_size: Option<u64>, measure: impl FnOnce() -> [u64; 2]) -> Self {
        let published = headings.map(|h| line.number(h));
        let small = max_size.is_none_or(|most| published[0].is_none_or(|paths| paths <= most));
        Pair {
            published,
            measured: small.then(measure),
        }
    }

    fn cells(&self, table: &mut Table, mut explain: impl FnMut(&mut Table, usize, u64) -> (Mark, usize)) -> Vec<Cell> {
        let cell = |at| match self.measured {
            None => Cell::skipped(self.published[at], table.note(TOO_LARGE)),
            Some(measured) => Cell::compare(self.published[at], Some(measured[at]), || {
                let (mark, note) = explain(table, at, measured[at]);
                (mark, Some(note))
            }),
        };
        (0..2).map(cell).collect()
    }
}

fn measured(system: &System, algorithm: &str, order: Order, first_bug: bool) -> [u64; 2] {
    let counts = counts(system, algorithm, order, first_bug);
    [counts.executions, counts.steps]
}

fn empty(name: &str, title: &str, columns: [&str; 4]) -> Table {
    Table {
        name: name.into(),
        title: title.into(),
        label_names: vec!["program".into(), "order".into()],
        columns: columns.into_iter().chain(["optimal paths"]).map(String::from).collect(),
        ..Table::default()
    }
}

/// Table 1. Rows with more published paths than `max_size` are skipped.
pub fn forte12(max_size: Option<u64>) -> Table {
    let title = "FORTE'12, Fig. 1 and Table 1: paths and transitions of DPOR (`dpor`) and TransDPOR (`trans:basset`)";
    let columns = ["dpor paths", "dpor trans.", "TransDPOR paths", "TransDPOR trans."];
    let mut table = empty("forte12", title, columns);
    // The text gives the paths of the registry under FIFO only.
    let registry = "program\theuristic\tdpor_paths\tdpor_transitions\ttransdpor_paths\ttransdpor_transitions\nregistry\tFIFO\t24\t\t10\t\nregistry\tECA\t\t\t\t\nregistry\tLCA\t\t\t\t";
    for line in lines(registry).chain(lines(TABLE_1)) {
        let (name, heuristic) = (line.text("program"), line.text("heuristic"));
        let Some((system, _)) = program(name) else { continue };
        let order = order(heuristic);
        let dpor = Pair::run(&line, ["dpor_paths", "dpor_transitions"], max_size, || {
            measured(&system, "dpor", order, false)
        });
        let trans = Pair::run(&line, ["transdpor_paths", "transdpor_transitions"], max_size, || {
            measured(&system, "trans:basset", order, false)
        });
        let mut cells = dpor.cells(&mut table, |table, _, _| (Mark::Explained, table.note(STOPPED)));
        cells.extend(trans.cells(&mut table, |table, _, _| (Mark::NotReproducible, table.note(OTHER_SLEEP))));
        cells.push(optimal(&system, order));
        table.rows.push(Row {
            labels: vec![name.into(), heuristic.into()],
            cells,
        });
    }
    table
}

/// Table 2. Rows with more published paths than `max_size` are skipped.
pub fn forte12_sleep(max_size: Option<u64>) -> Table {
    let title = "FORTE'12, Table 2: the same with sleep sets (`dpor+sleep`, `trans+sleep:basset`)";
    let columns = [
        "dpor+sleep paths",
        "dpor+sleep trans.",
        "TransDPOR+sleep paths",
        "TransDPOR+sleep trans.",
    ];
    let mut table = empty("forte12-sleep", title, columns);
    for line in lines(TABLE_2) {
        let (name, heuristic) = (line.text("program"), line.text("heuristic"));
        let Some((system, first_bug)) = program(name) else { continue };
        let natural = !is_public(name);
        let order = order(heuristic);
        let dpor = Pair::run(&line, ["dpor_sleep_paths", "dpor_sleep_transitions"], max_size, || {
            measured(&system, "dpor+sleep", order, first_bug)
        });
        let trans = Pair::run(&line, ["transdpor_sleep_paths", "transdpor_sleep_transitions"], max_size, || {
            measured(&system, "trans+sleep:basset", order, first_bug)
        });
        let mut cells = dpor.cells(&mut table, |table, _, _| (Mark::NotReproducible, table.note(NATURAL)));
        let published = trans.published;
        cells.extend(trans.cells(&mut table, |table, at, ours| {
            if name == "diningphil" && at == 0 && Some(ours) > published[0] {
                return (Mark::Explained, table.note(LOST));
            }
            if natural {
                return (Mark::NotReproducible, table.note(NATURAL));
            }
            let figure_2 = measured(&system, "trans+sleep", order, false)[at];
            let why = if Some(figure_2) == published[at] { FIGURE_2 } else { OTHER_SLEEP };
            (Mark::Explained, table.note(why))
        }));
        cells.push(match (first_bug, trans.measured) {
            (false, Some(_)) => optimal(&system, order),
            (true, _) => Cell::skipped(None, table.note(FIRST_BUG)),
            (false, None) => Cell::skipped(None, table.note(TOO_LARGE)),
        });
        table.rows.push(Row {
            labels: vec![name.into(), heuristic.into()],
            cells,
        });
    }
    table
}

/// Whether the paper's program can be had.
fn is_public(name: &str) -> bool {
    !matches!(
        name.split(' ').next(),
        Some("regsim-2-level" | "diningphil" | "minesweeper" | "le-erlang3-failure" | "le-erlang4")
    )
}

/// The number of traces, which is what `optimal` explores.
fn optimal(system: &System, order: Order) -> Cell {
    let paths = counts(system, "optimal", order, false).executions;
    Cell::compare(None, Some(paths), || (Mark::Unpublished, None))
}

//! FORTE'14, Table 1: actor selection by stability, without and with task selection.
//!
//! Executions are measured with `optimal`, which is sound: at actor granularity beside the left half of the table, at field
//! granularity beside the right. States and heuristic decisions belong to the paper's algorithm, so they are measured with its literal
//! reading, under the tie-breaking that the row needs (the paper leaves it open).

use super::measure::{counts, stable_counts};
use super::published::lines;
use super::{Cell, Mark, Row, TOO_LARGE, Table};
use mazurka_actors::programs::find;
use mazurka_actors::{Dependency, Selection, System, Tie};
use mazurka_core::Order;
use mazurka_core::stability::{Condition, Sum};

const TABLE_1: &str = include_str!("../../tables/forte14-table1.tsv");

const FUTURES: &str = "the paper's selection does not see that a resolved future goes on with a waiting task, and loses executions; \
                       ours are all traces";
const DUPLICATES: &str = "marks leave equivalent executions; ours are the traces, each once";
const NOT_EMULATED: &str = "the paper does not say how its selection treats a resumed task";
const STOPPED: &str = "the paper's run was stopped after 200 s";
const NINE_STATES: &str = "executions agree; 9 states of 3 million differ, the paper does not say enough to tell why";

/// A row of the table.
struct Test {
    program: &'static str,
    set: &'static [(&'static str, i64)],
    selection: Selection,
    futures: bool,
    /// Not run to the end even by the paper.
    endless: bool,
}

fn test(name: &str) -> Option<Test> {
    let as_published = Selection {
        condition: Condition::AsPublished,
        ..Selection::default()
    };
    let stay = Selection {
        tie: Tie::StayOrNewest,
        ..as_published
    };
    let per_method = Selection {
        sum: Sum::PerMethod,
        ..as_published
    };
    let (program, set, selection): (_, &'static [(&'static str, i64)], _) = match name {
        "QSort(5)" => ("qsort", &[("n", 5)], stay),
        "QSort(6)" => ("qsort", &[("n", 6)], stay),
        "Fib(5)" => ("fibonacci", &[("n", 5)], as_published),
        "Fib(7)" => ("fibonacci", &[("n", 7)], as_published),
        "Pi(3)" => ("pi", &[("n", 3)], per_method),
        "Pi(5)" => ("pi", &[("n", 5)], per_method),
        "PSort(4,1)" => ("psort", &[("feeds", 1)], as_published),
        "PSort(4,2)" => ("psort", &[("feeds", 2)], as_published),
        "RegSim(6,1)" => ("secretary", &[("workers", 6), ("times", 1)], stay),
        "RegSim(4,2)" => ("secretary", &[("workers", 4), ("times", 2)], stay),
        "DHT(a)" => ("dht-a", &[], stay),
        "DHT(b)" => ("dht-b", &[], stay),
        "Mail(2,2)" => ("mail", &[("mails", 2)], stay),
        "Mail(2,3)" => ("mail", &[("mails", 3)], stay),
        "BB(3,1)" => ("bb", &[("producers", 1)], stay),
        "BB(4,2)" => ("bb", &[("producers", 2)], stay),
        _ => return None,
    };
    Some(Test {
        program,
        set,
        selection,
        futures: matches!(program, "dht-a" | "dht-b" | "mail"),
        endless: name == "Mail(2,3)",
    })
}

impl Test {
    fn system(&self, dependency: Dependency) -> Option<System> {
        let system = find(self.program).and_then(|p| p.system(self.set)).ok()?;
        Some(system.dependency(dependency).selection(self.selection))
    }
}

/// Table 1. Halves of rows with more published executions than `max_size` are skipped.
pub fn forte14(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "forte14".into(),
        title: "FORTE'14, Table 1: executions (`optimal` at actor and at field granularity); states and states without a stable actor \
                (the paper's algorithm, `dpor:stable-as-published` and `dpor+tasks:stable-as-published`)"
            .into(),
        label_names: vec!["test".into()],
        columns: ["actor execs", "states", "H", "task-sel. execs", "states", "H"]
            .map(String::from)
            .to_vec(),
        ..Table::default()
    };
    for line in lines(TABLE_1) {
        let name = line.text("program");
        let Some(test) = test(name) else { continue };
        let mut cells = Vec::new();
        let halves = [
            ("plain", Dependency::Actor, "dpor:stable-as-published"),
            ("tasksel", Dependency::Field, "dpor+tasks:stable-as-published"),
        ];
        for (half, dependency, literal) in halves {
            let published = ["execs", "states", "heuristic_states"].map(|c| line.number(&format!("{half}_{c}")));
            let endless = test.endless && dependency == Dependency::Actor;
            let small = max_size.is_none_or(|most| published[0].is_none_or(|execs| execs <= most));
            let measured = (small && !endless).then(|| measure(&test, dependency, literal)).flatten();
            for at in 0..3 {
                let cell = match measured.as_ref().map(|m| m[at]) {
                    None if endless => Cell::skipped(published[at], table.note(STOPPED)),
                    None => Cell::skipped(published[at], table.note(TOO_LARGE)),
                    Some(None) => Cell::skipped(published[at], table.note(NOT_EMULATED)),
                    Some(Some(ours)) => Cell::compare(published[at], Some(ours), || {
                        let why = match (test.futures, published[at] > Some(ours)) {
                            (true, false) => FUTURES,
                            (true, true) => DUPLICATES,
                            (false, _) => NINE_STATES,
                        };
                        (Mark::Explained, Some(table.note(why)))
                    }),
                };
                cells.push(cell);
            }
        }
        table.rows.push(Row {
            labels: vec![name.into()],
            cells,
        });
    }
    table
}

/// Executions by `optimal`; states and heuristic states by the literal algorithm. That one is not run on programs with futures, for
/// which the paper's reading of a resumed task is its own.
fn measure(test: &Test, dependency: Dependency, literal: &str) -> Option<[Option<u64>; 3]> {
    let executions = counts(&test.system(dependency)?, "optimal", Order::Fifo, false).executions;
    if test.futures {
        return Some([Some(executions), None, None]);
    }
    let (counts, unstable) = stable_counts(&test.system(Dependency::Field)?, literal);
    Some([Some(executions), Some(counts.states), Some(unstable)])
}

//! CAV'17, Tables 1 and 2: context-sensitive DPOR, as published, repaired, and merged.

use super::published::lines;
use super::variables::{Program, cell, missing};
use super::{Mark, Row, Table};
use mazurka_core::Observe;

const TABLE_1: &str = include_str!("../../tables/cav17-table1-producer-consumer.tsv");
const TABLE_2: &str = include_str!("../../tables/cav17-table2.tsv");

const CORRECTED: (Mark, &str) = (
    Mark::Explained,
    "the published algorithm misses behaviours on other programs; this is the repaired one, which explores more where a cut would hide races",
);
const MERGED: (Mark, &str) = (
    Mark::Explained,
    "merging with causal cones: one execution per distinct final state, each state once; what is published is another algorithm",
);
const FIB: &str =
    "the program is not public; the natural one, of FORTE'14 Fig. 5 with base 2, has 16, 128 and 4096 traces, as in FORTE'12 and FORTE'14";
const MSORT: &str = "the program is not public; the natural one has 2^(n-1) traces, which agrees for 9 only";
const PSORT: &str = "the paper's run was stopped after two minutes; the true total is the product of k! for k up to n";
const OTHER_VARIANT: &str =
    "the columns depend on details of the program and of its states that are not public; the repaired algorithm on the natural program";

/// Table 1: a producer and a consumer.
pub fn cav17_1(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "cav17-1".into(),
        title: "CAV'17 Table 1, producer-consumer(n): Source-DPOR (`source`), context-sensitive DPOR as published \
                (`source+context:states-as-published`), repaired (`source+context`), merged (`source+merge`)"
            .into(),
        label_names: vec!["n".into()],
        columns: [
            "source execs",
            "source states",
            "CDPOR execs",
            "CDPOR states",
            "repaired execs",
            "merged execs",
            "merged states",
        ]
        .map(String::from)
        .to_vec(),
        ..Table::default()
    };
    for line in lines(TABLE_1) {
        let n = line.number("n").unwrap_or(0) as i64;
        let Some(program) = Program::new("prodcons", &[n, 20]) else {
            continue;
        };
        let source = program.counts("source", Observe::States, max_size);
        let published = program.counts("source+context:states-as-published", Observe::States, max_size);
        let corrected = program.counts("source+context", Observe::States, max_size);
        let merged = program.counts("source+merge", Observe::States, max_size);
        let never = (Mark::NotReproducible, "not expected to differ");
        let cells = vec![
            cell(&mut table, line.text("source_execs"), source.map(|c| c.executions), never),
            cell(&mut table, line.text("source_states"), source.map(|c| c.states), never),
            cell(&mut table, line.text("cdpor_execs"), published.map(|c| c.executions), never),
            cell(
                &mut table,
                line.text("cdpor_states"),
                published.map(|c| c.states + c.cut),
                (
                    Mark::Explained,
                    "the paper counts a step that is run and then found to lead to a known state as a state; ours are nodes plus cuts, and steps that \
                     sleep are not run at all",
                ),
            ),
            cell(&mut table, "", corrected.map(|c| c.executions), CORRECTED),
            cell(&mut table, line.text("cdpor_execs"), merged.map(|c| c.executions), MERGED),
            // Counted as the paper counts: every node, and every step that leads to a known state.
            cell(&mut table, line.text("cdpor_states"), merged.map(|c| c.states + c.cut), MERGED),
        ];
        table.rows.push(Row {
            labels: vec![n.to_string()],
            cells,
        });
    }
    table
}

/// The built-in program of a row of Table 2, and why its published Source-DPOR figure may differ.
fn program(name: &str) -> Option<(Program, &'static str)> {
    let (kind, n) = name.strip_suffix(')')?.split_once('(')?;
    let (ours, why) = match kind {
        "Fib" => ("tasks-fib", FIB),
        "MSort" => ("tasks-msort", MSORT),
        "Pi" => ("tasks-pi", FIB),
        "PSort" => ("tasks-psort", PSORT),
        "Reg" => ("tasks-reg2", FIB),
        _ => return None,
    };
    Some((Program::new(ours, &[n.parse().ok()?])?, why))
}

/// Table 2: programs of tasks.
pub fn cav17_2(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "cav17-2".into(),
        title: "CAV'17 Table 2: Source-DPOR (`source`), context-sensitive DPOR (published CDPOR1 beside the repaired `source+context`, \
                CDPOR2 beside `source+context:guided`), and the strongest published variant CDPOR3 beside `source+merge`"
            .into(),
        label_names: vec!["program".into()],
        columns: ["source execs", "CDPOR1 execs", "CDPOR2 execs", "CDPOR3 execs", "merged states"]
            .map(String::from)
            .to_vec(),
        ..Table::default()
    };
    for line in lines(TABLE_2) {
        let name = line.text("program");
        let headings = ["source_execs", "cdpor1_execs", "cdpor2_execs", "cdpor3_execs", ""];
        let cells = match program(name) {
            None => headings
                .iter()
                .map(|h| {
                    missing(
                        &mut table,
                        line.text(h),
                        "the list to be sorted is not published, and the number of executions depends on it",
                    )
                })
                .collect(),
            Some((program, why)) => {
                let execs = |algorithm| program.counts(algorithm, Observe::States, max_size).map(|c| c.executions);
                let merged = program.counts("source+merge", Observe::States, max_size);
                vec![
                    cell(&mut table, line.text(headings[0]), execs("source"), (Mark::NotReproducible, why)),
                    cell(
                        &mut table,
                        line.text(headings[1]),
                        execs("source+context"),
                        (Mark::NotReproducible, OTHER_VARIANT),
                    ),
                    cell(
                        &mut table,
                        line.text(headings[2]),
                        execs("source+context:guided"),
                        (Mark::NotReproducible, OTHER_VARIANT),
                    ),
                    cell(&mut table, line.text(headings[3]), merged.map(|c| c.executions), MERGED),
                    cell(&mut table, "", merged.map(|c| c.states), MERGED),
                ]
            }
        };
        table.rows.push(Row {
            labels: vec![name.to_owned()],
            cells,
        });
    }
    table
}

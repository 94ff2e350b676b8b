//! CAV'17, Tables 1 and 2: context-sensitive DPOR, as published, repaired, and merged.

use super::published::lines;
use super::variables::{Column, Program, Why, fill};
use super::{Mark, Table};
use mazurka_core::Observe;

const TABLE_1: &str = include_str!("../../tables/cav17-table1-producer-consumer.tsv");
const TABLE_2: &str = include_str!("../../tables/cav17-table2.tsv");

const NEVER: Why = (Mark::NotReproducible, "not expected to differ");
const MERGED: Why = (
    Mark::Explained,
    "merging with causal cones: one execution per distinct final state, each state once; what is published is another algorithm",
);
const CORRECTED: Why = (
    Mark::Explained,
    "the published algorithm misses behaviours on other programs; this is the repaired one, which explores more where a cut would hide races",
);
const STORED: Why = (
    Mark::Explained,
    "the paper counts the states that its tool stores for comparison; ours are all nodes of the search",
);
const FIB: &str =
    "the program is not public; the natural one, of FORTE'14 Fig. 5 with base 2, has 16, 128 and 4096 traces, as in FORTE'12 and FORTE'14";
const MSORT: &str = "the program is not public; the natural one has 2^(n-1) traces, which agrees for 9 only";
const QSORT: &str = "natural program, inputs unknown: the list to be sorted is not published, and the number of executions depends on it";
const STOPPED: Why = (
    Mark::NotReproducible,
    "the paper's run was stopped after two minutes; the true total is the product of k! for k up to n",
);
const OTHER_VARIANT: Why = (
    Mark::NotReproducible,
    "the columns depend on details of the program and of its states that are not public; the repaired algorithm on the natural program",
);

/// Table 1: a producer and a consumer.
pub fn cav17_1(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "cav17-1".into(),
        title: "CAV'17 Table 1, producer-consumer(n): Source-DPOR (`source`), context-sensitive DPOR as published \
                (`source+context:states-as-published`), repaired (`source+context:states`), merged (`source+merge`)"
            .into(),
        label_names: vec!["n".into()],
        ..Table::default()
    };
    let column = |heading, algorithm, published| Column {
        heading,
        algorithm,
        observe: Observe::default(),
        published,
        unit: "ms",
        // Counted as the paper counts: every node, and every step that leads to a known state.
        states: |c| c.states + c.cut,
        executions_differ: NEVER,
        states_differ: NEVER,
    };
    let published = ["cdpor_execs", "cdpor_states", "cdpor_ms"];
    let columns = [
        column("source", "source", ["source_execs", "source_states", "source_ms"]),
        Column {
            states: |c| c.states + c.skipped,
            ..column("CDPOR", "source+context:states-as-published", published)
        },
        Column {
            executions_differ: CORRECTED,
            states: |c| c.states + c.skipped,
            ..column("repaired", "source+context:states", published)
        },
        Column {
            executions_differ: MERGED,
            states_differ: MERGED,
            ..column("merged", "source+merge", published)
        },
    ];
    let program = |n: &str| Program::new("prodcons", &[n.parse().ok()?, 20]);
    fill(&mut table, (&columns, "n"), lines(TABLE_1), program, max_size);
    table
}

/// The built-in program of a row of Table 2.
fn program(name: &str) -> Option<Program> {
    let (kind, n) = name.strip_suffix(')')?.split_once('(')?;
    let values = [n.parse().ok()?];
    match kind {
        "Fib" => Program::new("tasks-fib", &values).map(|p| p.natural(FIB)),
        "QSort" => Program::new("tasks-qsort", &values).map(|p| p.natural(QSORT)),
        "MSort" => Program::new("tasks-msort", &values).map(|p| p.natural(MSORT)),
        "Pi" => Program::new("tasks-pi", &values),
        "PSort" => Program::new("tasks-psort", &values),
        "Reg" => Program::new("tasks-reg2", &values),
        _ => None,
    }
}

/// Table 2: programs of tasks.
pub fn cav17_2(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "cav17-2".into(),
        title: "CAV'17 Table 2: Source-DPOR (`source`), context-sensitive DPOR (published CDPOR1 beside the repaired `source+context`, \
                CDPOR2 beside `source+context:anticipating`), and the strongest published variant CDPOR3 beside `source+merge`"
            .into(),
        label_names: vec!["program".into()],
        ..Table::default()
    };
    let column = |heading, algorithm, published| Column {
        heading,
        algorithm,
        observe: Observe::default(),
        published,
        unit: "ms",
        states: |c| c.states,
        executions_differ: OTHER_VARIANT,
        states_differ: STORED,
    };
    let columns = [
        Column {
            executions_differ: STOPPED,
            ..column("source", "source", ["source_execs", "", "source_ms"])
        },
        column("CDPOR1", "source+context", ["cdpor1_execs", "", "cdpor1_ms"]),
        column("CDPOR2", "source+context:anticipating", ["cdpor2_execs", "", "cdpor2_ms"]),
        Column {
            executions_differ: MERGED,
            ..column(
                "CDPOR3/merged",
                "source+merge",
                ["cdpor3_execs", "cdpor3_stored_states", "cdpor3_ms"],
            )
        },
    ];
    fill(&mut table, (&columns, "program"), lines(TABLE_2), program, max_size);
    table
}

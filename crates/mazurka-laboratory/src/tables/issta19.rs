//! ISSTA'19, Table 1: context sensitivity, observers, and both; as printed, repaired, and merged.

use super::published::lines;
use super::variables::{Column, Program, Why, fill};
use super::{Mark, Table};
use mazurka_core::Observe;

const TABLE_1: &str = include_str!("../../tables/issta19-table1.tsv");

const CONTEXT: Why = (
    Mark::NotReproducible,
    "DPORcs with the tool's guiding and program variants is not public; this is `source+context`, repaired",
);
const PRINTED: Why = (
    Mark::NotReproducible,
    "Algorithm 2 as printed, on the natural program: what the tool takes for the effect of an observation is not published",
);
const BOTH: Why = (
    Mark::Explained,
    "the published Algorithm 2 misses behaviours (program C11); its sound form compares states except for dead variables and explores more",
);
const MERGED: Why = (
    Mark::Explained,
    "`source+merge --observe outcomes`: one execution per distinct outcome of the processes, and nothing is missed",
);
const STATES: Why = (
    Mark::Explained,
    "states are nodes, all ends of executions counted as one, which agrees with the paper on FR; elsewhere the paper's count is not explained",
);
const OTHER_PROGRAM: &str = "the program is not public; this is the natural one, which has other traces and other states";
const UNKNOWN: &str = "natural program, inputs unknown: its size and data are not published";
const TASKS: &str = "the program is not public; the natural one has 2^k traces, k tasks that wait for two results each";

/// The built-in program of a row.
fn program(name: &str) -> Option<Program> {
    let (kind, n) = match name.strip_suffix(')').and_then(|n| n.split_once('(')) {
        Some((kind, n)) => (kind, n.parse().ok()?),
        None => (name, 0),
    };
    let (ours, values, natural) = match kind {
        "FR" => ("FR", vec![n], None),
        "FR-a" => ("FR-a", vec![n], None),
        // The published counts are those of a reader that asserts.
        "LW" => ("LW-a", vec![n], None),
        "BB" => ("prodcons", vec![n, 20], None),
        "abs" => ("abs", vec![n], Some(OTHER_PROGRAM)),
        "Lam" => ("lamport", vec![n], Some(OTHER_PROGRAM)),
        "Fib" => ("tasks-fib", vec![n], Some(TASKS)),
        "MS" => ("tasks-msort", vec![n], Some(TASKS)),
        "QS" => ("tasks-qsort", vec![n], Some(UNKNOWN)),
        "DBP" => ("dbp", vec![n], Some(OTHER_PROGRAM)),
        "MapRed" => ("mapreduce", vec![3, 2], Some(UNKNOWN)),
        "SDN" => ("sdn", vec![2], Some(UNKNOWN)),
        _ => return None,
    };
    let program = Program::new(ours, &values)?;
    Some(match natural {
        Some(why) => program.natural(why),
        None => program,
    })
}

/// Table 1.
pub fn issta19(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "issta19".into(),
        title: "ISSTA'19 Table 1: DPORcs beside `source+context`, ODPORob beside `optimal+observers`, ODPORcs-ob beside \
                `optimal+context+observers:as-published`, its repair `optimal+context+observers`, and `source+merge --observe outcomes`"
            .into(),
        label_names: vec!["program".into()],
        ..Table::default()
    };
    let column = |heading, algorithm, published, executions_differ| Column {
        heading,
        algorithm,
        observe: Observe::default(),
        published,
        unit: "s",
        states: |c| (c.states + 1).saturating_sub(c.executions),
        executions_differ,
        states_differ: STATES,
    };
    let both = ["odpor_cs_ob_execs", "odpor_cs_ob_states", "odpor_cs_ob_s"];
    let columns = [
        column(
            "DPORcs",
            "source+context",
            ["dpor_cs_execs", "dpor_cs_states", "dpor_cs_s"],
            CONTEXT,
        ),
        column(
            "ODPORob",
            "optimal+observers",
            ["odpor_ob_execs", "odpor_ob_states", "odpor_ob_s"],
            (Mark::NotReproducible, OTHER_PROGRAM),
        ),
        column("ODPORcs-ob", "optimal+context+observers:as-published", both, PRINTED),
        column("repaired", "optimal+context+observers", both, BOTH),
        Column {
            observe: Observe::Outcomes,
            states: |c| c.states,
            states_differ: MERGED,
            ..column("merged", "source+merge", both, MERGED)
        },
    ];
    fill(&mut table, (&columns, "program"), lines(TABLE_1), program, max_size);
    table
}

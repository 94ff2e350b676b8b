//! ISSTA'19, Table 1: context sensitivity, observers, and both; repaired, and merged.

use super::published::lines;
use super::variables::{Program, cell, missing};
use super::{Mark, Row, Table};
use mazurka_core::Observe;

const TABLE_1: &str = include_str!("../../tables/issta19-table1.tsv");

const CONTEXT: (Mark, &str) = (
    Mark::NotReproducible,
    "DPORcs with the tool's guiding and program variants is not public; this is `source+context`, repaired",
);
const OBSERVERS: (Mark, &str) = (
    Mark::NotReproducible,
    "the program is not public; the natural one has another number of observation classes",
);
const BOTH: (Mark, &str) = (
    Mark::Explained,
    "the published Algorithm 2 misses behaviours (program C11); its sound form compares states except for dead variables and explores more",
);
const MERGED: (Mark, &str) = (
    Mark::Explained,
    "`source+merge --observe outcomes`: one execution per distinct outcome of the processes, and nothing is missed",
);

/// The built-in program of a row.
fn program(name: &str) -> Result<Program, &'static str> {
    let none = "no description of the program is published";
    let (kind, n) = name.strip_suffix(')').and_then(|n| n.split_once('(')).ok_or(none)?;
    let n: i64 = n.parse().map_err(|_| none)?;
    let (ours, values) = match kind {
        "FR" => ("FR", vec![n]),
        "FR-a" => ("FR-a", vec![n]),
        // The published counts are those of a reader that asserts.
        "LW" => ("LW-a", vec![n]),
        "abs" => ("abs", vec![n]),
        "Lam" => ("lamport", vec![n]),
        "Fib" => ("tasks-fib", vec![n]),
        "MS" => ("tasks-msort", vec![n]),
        "BB" => ("prodcons", vec![n, 20]),
        "QS" => return Err("the list to be sorted is not published, and the number of executions depends on it"),
        _ => return Err(none),
    };
    Program::new(ours, &values).ok_or(none)
}

/// Table 1.
pub fn issta19(max_size: Option<u64>) -> Table {
    let mut table = Table {
        name: "issta19".into(),
        title: "ISSTA'19 Table 1: DPORcs beside `source+context`, ODPORob beside `optimal+observers`, ODPORcs-ob beside \
                `optimal+context+observers` and beside `source+merge --observe outcomes`"
            .into(),
        label_names: vec!["program".into()],
        columns: ["DPORcs execs", "ODPORob execs", "ODPORcs-ob execs", "merged execs", "merged states"]
            .map(String::from)
            .to_vec(),
        ..Table::default()
    };
    for line in lines(TABLE_1) {
        let name = line.text("program");
        let headings = ["dpor_cs_execs", "odpor_ob_execs", "odpor_cs_ob_execs", "odpor_cs_ob_execs", ""];
        let cells = match program(name) {
            Err(why) => headings.iter().map(|h| missing(&mut table, line.text(h), why)).collect(),
            Ok(program) => {
                let execs = |algorithm| program.counts(algorithm, Observe::States, max_size).map(|c| c.executions);
                let merged = program.counts("source+merge", Observe::Outcomes, max_size);
                vec![
                    cell(&mut table, line.text(headings[0]), execs("source+context"), CONTEXT),
                    cell(&mut table, line.text(headings[1]), execs("optimal+observers"), OBSERVERS),
                    cell(&mut table, line.text(headings[2]), execs("optimal+context+observers"), BOTH),
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

//! `mazurka bench`: the tables of the papers, published beside measured.

use crate::cli::BenchArgs;
use crate::exit::Exit;
use crate::output::print;
use crate::refusal::{Refusal, did_you_mean};
use mazurka_laboratory::tables::{Cell, TABLES, Table};
use serde_json::{Value, json};

/// Measures a table, or lists them.
pub fn run(args: &BenchArgs) -> Result<Exit, Refusal> {
    let Some(name) = &args.table else {
        let width = TABLES.iter().map(|t| t.name.len()).max().unwrap_or(0);
        for table in TABLES {
            print(&format!("{:width$}  {}\n", table.name, table.about));
        }
        return Ok(Exit::Complete);
    };
    let names = || TABLES.iter().map(|t| t.name);
    let Some(entry) = TABLES.iter().find(|t| t.name == name) else {
        return Err(Refusal::new(format!(
            "unknown table `{name}`{}; expected one of {}",
            did_you_mean(name, names()),
            names().collect::<Vec<_>>().join(", ")
        )));
    };
    let mut table = (entry.run)(args.max_size);
    if args.no_times {
        table.without_times();
    }
    if args.json {
        print(&format!("{}\n", json(&table)));
    } else {
        print(&table.render());
    }
    Ok(Exit::Complete)
}

fn json(table: &Table) -> Value {
    let cell = |c: &Cell| json!({"published": c.published, "measured": c.measured, "mark": c.mark.name(), "note": c.note});
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|r| json!({"labels": r.labels, "cells": r.cells.iter().map(cell).collect::<Vec<_>>()}))
        .collect();
    json!({
        "schema": "mazurka/bench/1", "name": table.name, "title": table.title, "labels": table.label_names,
        "columns": table.columns, "rows": rows, "notes": table.notes,
    })
}

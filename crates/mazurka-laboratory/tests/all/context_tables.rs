//! The tables of CAV'17 and ISSTA'19: what reproduces, and that every difference is explained.

use mazurka_laboratory::tables::{Mark, Table, cav17_1, cav17_2, issta19};

fn measured(table: &Table, column: &str) -> Vec<String> {
    let at = table.columns.iter().position(|c| c == column).expect("the column exists");
    table
        .rows
        .iter()
        .map(|r| r.cells[at].measured.clone().unwrap_or_default())
        .collect()
}

fn every_difference_is_explained(table: &Table) {
    for row in &table.rows {
        for cell in &row.cells {
            // Executions, states and time of a search come together.
            assert_eq!(row.cells.len() % 3, 0);
            let needs_note = matches!(cell.mark, Mark::Explained | Mark::NotReproducible | Mark::Skipped);
            assert_eq!(needs_note, cell.note.is_some(), "{:?}", row.labels);
        }
    }
}

#[test]
fn producer_and_consumer_reproduce_exactly() {
    let table = cav17_1(None);
    every_difference_is_explained(&table);
    assert_eq!(measured(&table, "source execs"), ["20", "252", "3432", "48620"]);
    assert_eq!(measured(&table, "source states"), ["69", "923", "12869", "184755"]);
    for column in ["CDPOR", "repaired", "merged"] {
        let (execs, states) = (format!("{column} execs"), format!("{column} states"));
        assert_eq!(
            measured(&table, &execs),
            ["8", "32", "128", "512"],
            "{column}, as published for CDPOR"
        );
        assert_eq!(
            measured(&table, &states),
            ["52", "324", "1712", "8428"],
            "{column}, as published for CDPOR"
        );
    }
    assert_eq!(table.count(Mark::NotReproducible), 0, "{}", table.render());
}

#[test]
fn merging_explores_one_execution_of_every_program_of_tasks() {
    let table = cav17_2(Some(1_000));
    every_difference_is_explained(&table);
    let merged = measured(&table, "CDPOR3/merged execs");
    assert_eq!(merged, ["1"; 18], "{}", table.render());
}

#[test]
fn merging_never_explores_more_than_what_is_published() {
    let table = issta19(Some(1_000));
    every_difference_is_explained(&table);
    assert_eq!(table.rows.len(), 39, "every program of the paper has a row");
    assert!(
        measured(&table, "merged execs").iter().all(|m| !m.is_empty()),
        "merging reaches the end of every one:\n{}",
        table.render()
    );
    for (row, printed) in table.rows.iter().zip(measured(&table, "ODPORcs-ob execs")) {
        if ["FR-a(4)", "LW(3)", "LW(5)"].contains(&row.labels[0].as_str()) {
            assert_eq!(printed, "1", "{:?}: Algorithm 2 as printed", row.labels);
        }
        let at = table.columns.iter().position(|c| c == "merged execs").expect("the column exists");
        let merged = &row.cells[at];
        if let (Some(published), Some(measured)) = (&merged.published, &merged.measured)
            && let (Ok(published), Ok(measured)) = (published.parse::<u64>(), measured.parse::<u64>())
            && ["FR", "LW", "Lam", "Fib", "QS", "MS"].iter().any(|p| row.labels[0].starts_with(p))
        {
            assert!(measured <= published, "{:?}: {measured} > {published}", row.labels);
        }
    }
}

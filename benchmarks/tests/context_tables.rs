//! The tables of CAV'17 and ISSTA'19: what reproduces, and that every difference is explained.

use mazurka_benchmarks::tables::{Mark, Table, cav17_1, cav17_2, issta19};

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
    assert_eq!(measured(&table, "merged execs"), ["8", "32", "128", "512"]);
    assert_eq!(
        measured(&table, "merged states"),
        ["52", "324", "1712", "8428"],
        "as published for CDPOR"
    );
    assert_eq!(table.count(Mark::NotReproducible), 0, "{}", table.render());
}

#[test]
fn merging_explores_one_execution_of_every_program_of_tasks() {
    let table = cav17_2(Some(1_000));
    every_difference_is_explained(&table);
    let merged = measured(&table, "CDPOR3 execs");
    assert!(merged.iter().all(|m| m == "1" || m.is_empty()), "{}", table.render());
    assert_eq!(merged.iter().filter(|m| *m == "1").count(), 15, "all but the three rows of QSort");
}

#[test]
fn merging_never_explores_more_than_what_is_published() {
    let table = issta19(Some(1_000));
    every_difference_is_explained(&table);
    for row in &table.rows {
        let merged = &row.cells[3];
        if let (Some(published), Some(measured)) = (&merged.published, &merged.measured)
            && let (Ok(published), Ok(measured)) = (published.parse::<u64>(), measured.parse::<u64>())
            && row.labels[0].starts_with(['F', 'L', 'M'])
            && !row.labels[0].starts_with("Lam")
        {
            assert!(measured <= published, "{:?}: {measured} > {published}", row.labels);
        }
    }
}

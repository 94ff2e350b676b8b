//! How tables are printed.

use mazurka_laboratory::tables::{Cell, Mark, Row, Table};
use std::time::Duration;

#[test]
fn times_can_be_left_out() {
    let mut table = Table {
        columns: vec!["execs".into(), "time".into()],
        ..Table::default()
    };
    table.rows.push(Row {
        labels: Vec::new(),
        cells: vec![
            Cell::compare(Some(1), Some(1), || unreachable!("they are equal")),
            Cell::time(Some("93 ms".into()), Some(Duration::from_micros(1500))),
        ],
    });
    assert_eq!(table.rows[0].cells[1].text(), "93 ms | 1.50 ms");
    table.without_times();
    assert_eq!((table.columns.len(), table.rows[0].cells.len()), (1, 1));
}

#[test]
fn a_table_aligns_and_explains() {
    let mut table = Table {
        name: "t".into(),
        title: "A table".into(),
        label_names: vec!["program".into()],
        columns: vec!["paths".into()],
        ..Table::default()
    };
    let why = table.note("the paper stopped after four hours");
    for (program, published, measured) in [
        ("fib5", Some(40), Some(40)),
        ("regsim", Some(211_750), Some(602_280)),
        ("new", None, Some(3)),
    ] {
        table.rows.push(Row {
            labels: vec![program.into()],
            cells: vec![Cell::compare(published, measured, || (Mark::Explained, Some(why)))],
        });
    }
    assert_eq!(
        table.render(),
        "A table\n\nprogram                paths\nfib5                    40 =\nregsim   211750 ≠ 602280 [1]\nnew                      · 3\n\n\
         1 equal (=), 1 explained (≠), 0 not reproducible (?), 1 unpublished (·), 0 skipped (-)\n[1] the paper stopped after four hours\n"
    );
}

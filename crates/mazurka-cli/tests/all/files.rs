//! The graph of an execution for Graphviz.

use crate::support::Desk;

#[test]
fn the_graph_has_every_step_and_the_race() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --set n=2 --quiet --dot g.dot");
    insta::assert_snapshot!(desk.read("g.dot"));
    desk.run("check litmus:sb --set n=2 --quiet --dot g.dot");
    assert!(
        desk.read("g.dot").contains("s1 -> s2;"),
        "without a failure it is the first execution: {}",
        desk.read("g.dot")
    );
}

//! A failing schedule of sixty steps becomes about as short as the shortest that exhaustive search finds.

mod support;

use support::Desk;

/// Two processes that take two locks in opposite orders in the middle of their work, and two workers that have nothing to do with it but have
/// to end before it is a deadlock.
const WORKERS: &str = "\
a:[x0+=1][x0+=1][x0+=1][x0+=1][lock m][x0+=1][lock n][unlock n][unlock m][x0+=1]
b:[x1+=1][x1+=1][x1+=1][x1+=1][lock n][x1+=1][lock m][unlock m][unlock n][x1+=1]
c:[x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1]
d:[x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1]
";

/// A reader that fails when it sees two of many writes in the wrong order: only a part of the sixty steps matters.
const WATCHER: &str = "\
a:[x=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][x=2][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1]
b:[p1+=1][p1+=1][p1+=1][y=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1]
c:[p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1]
w:[p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][la=x][lb=y][assert !(la==2 && lb==1) \"saw both\"]
";

/// Steps of the failing schedule: as found, minimised, and the shortest that breadth-first search over all states finds.
fn lengths(name: &str, program: &str, order: &str) -> (u64, u64, u64) {
    let desk = Desk::new();
    desk.write(name, program);
    let found = desk.run(&format!("check {name} --algorithm source --order {order} --json")).json();
    let failure = &found["failures"][0];
    let shortest = desk
        .run(&format!("check {name} --algorithm stateful --shortest --no-minimise --json"))
        .json();
    let steps = |failure: &serde_json::Value| failure["schedule"].as_array().map_or(0, |s| s.len() as u64);
    assert_eq!(failure["kind"], shortest["failures"][0]["kind"]);
    (
        failure["minimised_from"].as_u64().unwrap(),
        steps(failure),
        steps(&shortest["failures"][0]),
    )
}

#[test]
fn a_deadlock_after_sixty_steps() {
    let (from, small, shortest) = lengths("workers.litmus", WORKERS, "random:5");
    assert!(from >= 55, "the schedule that was found has {from} steps");
    assert!(small * 5 <= shortest * 6, "{small} steps, the shortest has {shortest}");
}

#[test]
fn an_assertion_that_fails_after_a_long_way() {
    let (from, small, shortest) = lengths("watcher.litmus", WATCHER, "random:3");
    assert!(from >= 45, "the schedule that was found has {from} steps");
    assert!(small * 5 <= shortest * 6, "{small} steps, the shortest has {shortest}");
}

//! How often programs are executed in which steps wait, or nobody looks at what is written; also after more steps than a word has bits.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::Machine;

fn executions(text: &str, algorithm: &str) -> u64 {
    let machine = Machine::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options::new(Algorithm::parse(algorithm).unwrap())
        .keep_going(true)
        .deadlock_is_error(false);
    let mut search = search(&machine, &options, Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts.executions
}

const OPTIMAL: [&str; 2] = ["optimal", "optimal+observers"];

/// Steps that nobody else looks at.
fn many(steps: usize) -> String {
    "[z=1]".repeat(steps)
}

#[test]
fn a_step_may_wait_for_any_one_of_several_others() {
    let three = "p0:[x @+ 1] p1:[x @+ 1] p2:[x @+ 1] p3:[await x==1; y=1]";
    let two = "q0:[u @+ 1] q1:[v=1][v=2][u @+ 1] q2:[await u==1]";
    for algorithm in OPTIMAL {
        // After one of the additions, whichever, or never.
        assert_eq!(executions(three, algorithm), 4, "{algorithm}");
        assert_eq!(executions(two, algorithm), 3, "{algorithm}");
        assert_eq!(executions(&format!("{two} {three}"), algorithm), 12, "{algorithm}");
        assert_eq!(executions(&format!("{three} {two}"), algorithm), 12, "{algorithm}");
    }
}

#[test]
fn a_step_may_wait_for_any_number_of_others() {
    // After one addition, whichever, after two of them, or after all three.
    let text = "p0:[x @+ 1] p1:[x @+ 1] p2:[x @+ 1] p3:[await x>=1; y=1]";
    for algorithm in OPTIMAL {
        assert_eq!(executions(text, algorithm), 3 + 3 + 1, "{algorithm}");
    }
}

#[test]
fn a_step_may_wait_for_others_beside_many_steps() {
    for steps in (61..=66).chain(125..=130) {
        let text = format!("p0:[x @+ 1] p1:{} p2:[x @+ 1] p3:[x @+ 1] p4:[await x==1; y=1]", many(steps));
        for algorithm in OPTIMAL {
            assert_eq!(executions(&text, algorithm), 4, "{algorithm}, {steps} steps");
        }
    }
}

#[test]
fn writes_are_observed_after_many_steps() {
    for steps in (60..=66).chain(124..=130) {
        let text = format!("p0:{} p1:[x=1] p2:[x=2] p3:[l=x]", many(steps));
        assert_eq!(executions(&text, "optimal"), 6, "{steps} steps");
        // The read comes first, and nobody looks at the writes; or it sees one of them, and the other came before or comes later.
        assert_eq!(executions(&text, "optimal+observers"), 1 + 2 + 2, "{steps} steps");
    }
}

#[test]
fn choices_are_made_in_both_orders_of_a_race() {
    for algorithm in OPTIMAL {
        assert_eq!(executions("p0:[x=1] p1:[l=x] p2:[choose l 3; y=l]", algorithm), 6, "{algorithm}");
    }
}

/// All orders of these processes.
fn orders(processes: &[&str]) -> Vec<String> {
    if processes.is_empty() {
        return vec![String::new()];
    }
    let mut all = Vec::new();
    for first in 0..processes.len() {
        let mut rest = processes.to_vec();
        let first = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|rest| format!("{first} {rest}")));
    }
    all
}

/// There is one execution for each trace, and which traces there are does not depend on who is tried first.
#[test]
fn the_order_of_the_processes_changes_nothing() {
    let programs: [(&[&str], [u64; 2]); 4] = [
        // Two of three processes meet at `x`, two at `y`, and each of two has its choices.
        (&["p:[choose l 2; x+=l]", "q:[choose l 3; x+=l; l1=y]", "r:[y=1]"], [24, 24]),
        (&["p:[choose l 2; x+=l]", "q:[choose l 2; x+=l; l1=y]", "r:[y=1][l=x]"], [36, 36]),
        (
            &[
                "p:[x @+ 1]",
                "q:[x @+ 1]",
                "r:[x @+ 1]",
                "s:[await x==1; y=1]",
                "t:[await x==2; l=y]",
            ],
            [13, 13],
        ),
        (
            &[
                "p:[x @+ 1]",
                "q:[x @+ 1][y=1]",
                "s:[await x==1; z=1]",
                "t:[await x==2 && y==0; l=z]",
            ],
            [6, 6],
        ),
    ];
    for (processes, expected) in programs {
        for text in orders(processes) {
            assert_eq!(OPTIMAL.map(|algorithm| executions(&text, algorithm)), expected, "{text}");
        }
    }
}

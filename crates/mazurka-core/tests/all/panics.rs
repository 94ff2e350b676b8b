//! A step that panics ends its execution: nothing is known of the state after it.

use crate::support::{PANIC, Script, Step, explore};
use mazurka_core::{FailureKind, Order, Process, Transition};

#[test]
fn after_a_panic_nothing_follows_whatever_followed_in_the_execution_before() {
    let writes = Step {
        writes: vec![(0, 1)],
        ..Step::default()
    };
    let reads = Step {
        panics: Some((0, 0)),
        ..Step::default()
    };
    // Where the first process comes first, the second one takes both its steps.
    let script = Script {
        processes: vec![vec![writes], vec![reads, Step::default()]],
    };
    for replay in [false, true] {
        for algorithm in ["naive", "dpor", "source", "optimal"] {
            let (seen, outcome) = explore(&script, algorithm, Order::Fifo, replay);
            let [found] = &outcome.failures[..] else {
                panic!("{algorithm}: {:?}", outcome.failures)
            };
            assert_eq!(
                (found.failure.kind, &*found.failure.message),
                (FailureKind::Panic, PANIC),
                "{algorithm}"
            );
            assert_eq!(found.schedule, [Transition::of(Process(1))], "{algorithm}");
            let counts = (outcome.counts.executions, outcome.counts.steps);
            assert_eq!((counts, seen.executions), ((2, 4), 1), "{algorithm}");
        }
    }
}

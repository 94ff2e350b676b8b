//! Protocols that people know: the correct ones are proven, the broken ones are found, with these counts.

#[path = "../../examples/abd.rs"]
mod abd;
#[path = "../../examples/commit_recovery.rs"]
mod commit_recovery;
#[path = "../../examples/lease_lock.rs"]
mod lease_lock;
#[path = "../../examples/paxos.rs"]
mod paxos;
#[path = "../../examples/raft_election.rs"]
mod raft_election;

use mazurka_actors::{Checked, System};
use mazurka_core::{FailureKind, Verdict};

/// How many states a proof looked at.
fn proven(system: System) -> u64 {
    let checked = system.check().algorithm("stateful").run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete, "{}", checked.report());
    checked.outcome().counts.states
}

fn broken(system: System) -> Checked {
    let checked = system.check().run();
    assert_eq!(checked.outcome().verdict, Verdict::Violation, "{}", checked.report());
    checked
}

#[test]
fn paxos_chooses_one_value() {
    assert_eq!(proven(paxos::system(true)), 9_927);
    let checked = broken(paxos::system(false));
    assert!(
        checked.report().contains("`what was chosen is proposed later` does not hold"),
        "{}",
        checked.report()
    );
}

#[test]
fn a_coordinator_that_remembers_commits_once() {
    assert_eq!(proven(commit_recovery::system(2, true)), 462);
    let checked = broken(commit_recovery::system(2, false));
    insta::assert_snapshot!(checked.report());
}

#[test]
fn equal_timeouts_elect_nobody_for_ever() {
    let checked = broken(raft_election::system([5, 5, 5]));
    assert_eq!(checked.failures().next().unwrap().kind, FailureKind::Livelock);
    insta::assert_snapshot!(checked.report());
}

#[test]
fn different_timeouts_elect_somebody() {
    insta::assert_debug_snapshot!([
        proven(raft_election::system([5, 7, 9])),
        proven(raft_election::with_crashes([5, 7, 9], 1))
    ]);
}

#[test]
fn a_lease_is_exclusive_while_clocks_agree() {
    insta::assert_debug_snapshot!([proven(lease_lock::exclusive(true)), proven(lease_lock::ordered(true))]);
    broken(lease_lock::exclusive(false));
    broken(lease_lock::ordered(false));
}

#[test]
fn abd_without_writing_back_is_not_linearizable() {
    let checked = broken(abd::system(false));
    insta::assert_snapshot!(checked.failures().next().unwrap().message);
}

#[test]
fn the_examples_show_what_is_broken() {
    for main in [abd::main, commit_recovery::main, lease_lock::main, paxos::main, raft_election::main] {
        main();
    }
}

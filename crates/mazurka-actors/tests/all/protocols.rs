//! Protocols that people know: the correct ones are proven, the broken ones are found, with these counts.

#[path = "../../examples/abd.rs"]
mod abd;
#[path = "../../examples/cache.rs"]
mod cache;
#[path = "../../examples/chain_replication.rs"]
mod chain_replication;
#[path = "../../examples/commit_recovery.rs"]
mod commit_recovery;
#[path = "../../examples/lease_lock.rs"]
mod lease_lock;
#[path = "../../examples/paxos.rs"]
mod paxos;
#[path = "../../examples/raft_election.rs"]
mod raft_election;
#[path = "../../examples/snapshot.rs"]
mod snapshot;

use mazurka_actors::{Checked, Delivery, System};
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
    assert_eq!(proven(paxos::system(true)), 2_269);
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

/// How many executions a proof ran: one of each trace.
fn traces(system: System) -> u64 {
    let checked = system.check().algorithm("optimal").run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete, "{}", checked.report());
    checked.executions()
}

#[test]
fn histories_of_caches_and_chains_are_linearizable() {
    assert_eq!([traces(cache::system(true)), traces(chain_replication::system(true))], [178, 888]);
    for checked in [broken(cache::system(false)), broken(chain_replication::system(false))] {
        let message = &checked.failures().next().unwrap().message;
        assert!(
            message.starts_with("the history is not linearizable: nothing explains Read"),
            "{message}"
        );
    }
}

#[test]
fn a_snapshot_needs_channels_in_order() {
    assert_eq!(traces(snapshot::system(Delivery::PairFifo)), 242);
    let checked = broken(snapshot::system(Delivery::Unordered));
    let message = &checked.failures().next().unwrap().message;
    assert!(message.contains("the snapshot shows all the money"), "{message}");
}

#[test]
fn the_examples_show_what_is_broken() {
    for main in [
        abd::main,
        cache::main,
        chain_replication::main,
        commit_recovery::main,
        lease_lock::main,
        paxos::main,
        raft_election::main,
        snapshot::main,
    ] {
        main();
    }
}

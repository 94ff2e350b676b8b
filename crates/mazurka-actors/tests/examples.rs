//! The examples do what they say.

#[path = "../examples/leader_election.rs"]
mod leader_election;
#[path = "../examples/registry.rs"]
mod registry;
#[path = "../examples/two_phase_commit.rs"]
mod two_phase_commit;

use mazurka_actors::Dependency;
use mazurka_core::Verdict;

#[test]
fn every_worker_gets_a_number() {
    registry::system(2).check().assert_ok();
}

#[test]
fn two_phase_commit_is_atomic_and_fields_save_work() {
    let run = |dependency| two_phase_commit::system(2).dependency(dependency).check().run();
    let (actor, field) = (run(Dependency::Actor), run(Dependency::Field));
    assert_eq!(
        (actor.outcome().verdict, field.outcome().verdict),
        (Verdict::Complete, Verdict::Complete)
    );
    assert!(field.executions() < actor.executions());
}

#[test]
fn the_planted_bug_is_found() {
    let checked = leader_election::system(2).check().run();
    assert_eq!(checked.outcome().verdict, Verdict::Violation);
    insta::assert_snapshot!(checked.report());
    for main in [leader_election::main, registry::main, two_phase_commit::main] {
        main();
    }
}

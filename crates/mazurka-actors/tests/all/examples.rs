//! The examples do what they say.

#[path = "../../examples/leader_election.rs"]
mod leader_election;
#[path = "../../examples/registry.rs"]
mod registry;
#[path = "../../examples/two_phase_commit.rs"]
mod two_phase_commit;

use mazurka_actors::{Delivery, Dependency};
use mazurka_core::{Verdict, laws};

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
fn the_examples_keep_the_laws_and_declare_what_is_true() {
    for dependency in [Dependency::Actor, Dependency::Field] {
        for delivery in [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo] {
            for system in [leader_election::system(3), registry::system(3), two_phase_commit::system(3)] {
                let system = system.dependency(dependency).deliver(delivery).paranoid();
                if let Err(broken) = laws::check(&system, &laws::Effort::default()) {
                    panic!("{dependency}, {delivery}: {}", broken.explain(&system));
                }
                assert_eq!(system.wrong_declaration(), None, "{dependency}, {delivery}");
            }
        }
    }
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

/// What the printed line of code does: the same steps, the same failure, shown in the same columns.
#[test]
fn the_printed_line_and_the_saved_schedule_replay_the_failure() {
    let checked = leader_election::system(2).check().run();
    let report = checked.report();
    let keys = report
        .split_once("system.check().replay(\"")
        .and_then(|(_, rest)| rest.split_once("\")"));
    let (keys, _) = keys.expect("the line that replays");
    let table = |text: &str| {
        text.lines()
            .skip_while(|l| !l.trim_start().starts_with("step"))
            .take_while(|l| !l.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let replayed = leader_election::system(2).check().replay(keys);
    assert_eq!(table(&report), table(&replayed));
    assert!(table(&report).len() > 5 && replayed.contains("race on node 0"), "{replayed}");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("leader.schedule.json");
    assert!(checked.save_schedule(&file).unwrap());
    assert_eq!(leader_election::system(2).check().replay_file(&file), replayed);
    assert!(
        !registry::system(2).check().run().save_schedule(&file).unwrap(),
        "there is nothing to save"
    );
}

#[test]
fn a_run_has_everything_that_reports_are_made_of() {
    let summary = leader_election::system(2).check().run().summary();
    let page = mazurka_report::html::render(&summary);
    assert!(page.contains("Anybody(node 0)") && page.contains("one node leads"));
    assert!(mazurka_report::junit::render(&summary).contains("failures=\"1\""));
}

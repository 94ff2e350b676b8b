//! What a system must not do gets one explanation, and never a verdict that is wrong.

use mazurka_actors::{Actor, Address, Context, System};
use mazurka_core::{FailureKind, Verdict};
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Its clones share the sum.
#[derive(Clone, Debug, Default)]
struct Shared(Rc<Cell<u32>>);

impl Hash for Shared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.get().hash(state);
    }
}

impl Actor for Shared {
    type Message = u32;

    fn handle(&mut self, n: u32, _: &mut Context<Self>) {
        self.0.set(self.0.get() + n);
    }
}

#[test]
fn states_that_share_something_with_their_clones_are_found() {
    for algorithm in ["optimal", "source+merge", "stateful"] {
        let mut system = System::new();
        let shared = system.create(Shared::default());
        system.send(shared, 3);
        system.send(shared, 4);
        let checked = system.check().algorithm(algorithm).run();
        let failure = checked.failures().next().expect("a failure");
        assert_eq!(failure.kind, FailureKind::Nondeterminism, "{algorithm}");
        assert!(failure.message.contains("also changes the state"), "{}", failure.message);
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Counter(u64);

impl Actor for Counter {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        self.0 += 1;
        context.send(context.me(), ());
    }
}

fn counter() -> (System, Address<Counter>) {
    let mut system = System::new();
    let counter = system.create(Counter::default());
    (system, counter)
}

#[test]
#[should_panic(expected = "() is sent to an actor that this system never created: its address comes from another system")]
fn an_address_of_another_system_is_found_though_there_is_such_an_actor_here() {
    let ((mut system, _), (_, stranger)) = (counter(), counter());
    system.send(stranger, ());
}

#[test]
fn an_invariant_does_not_look_at_actors_of_another_system() {
    let ((mut system, own), (_, stranger)) = (counter(), counter());
    system.send(own, ());
    let checked = system.invariant("few", move |world| world.state(stranger).0 < 2).check().run();
    let report = checked.report().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("its address comes from another system"), "{report}");
}

#[test]
fn what_grows_without_bound_is_named() {
    let (mut system, own) = counter();
    system.send(own, ());
    let checked = system.check().algorithm("stateful").max_depth(100).run();
    assert_eq!(checked.outcome().verdict, Verdict::Incomplete);
    insta::assert_snapshot!(checked.report());
}

/// Sends twice whatever it gets.
#[derive(Clone, Hash, Debug, Default)]
struct Doubling;

impl Actor for Doubling {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        context.send(context.me(), ());
        context.send(context.me(), ());
    }
}

#[test]
fn more_and_more_messages_are_named() {
    let mut system = System::new();
    let doubling = system.create(Doubling);
    system.send(doubling, ());
    let checked = system.check().algorithm("stateful").max_depth(20).run();
    insta::assert_snapshot!(checked.report());
}

#[derive(Clone, Hash, Debug, Default)]
struct Undecided;

impl Actor for Undecided {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        context.choose(0);
    }

    fn chooses(_: &()) -> bool {
        true
    }
}

#[test]
fn a_choice_from_nothing_is_shown_where_it_is_made() {
    let mut system = System::new();
    let undecided = system.create(Undecided);
    system.send(undecided, ());
    let checked = system.check().run();
    let at = checked.failures().next().and_then(|f| f.at.clone()).expect("a position");
    assert!(at.file.ends_with("bad_input.rs"), "{}", at.file);
}

//! Every order, loss and repetition of messages.

use mazurka::actors::{Duplicates, Losses, System};
use ractor_deposits::deposits::{Bank, Teller, ToTeller};

fn system(looks: bool) -> System {
    let mut system = System::new();
    let bank = system.create_named(
        "bank",
        Bank {
            balance: 0,
            known: Default::default(),
            looks,
        },
    );
    let teller = system.create_named(
        "teller",
        Teller {
            bank,
            to_do: vec![(2, 30), (1, 12)],
            tries: 0,
            most_tries: 3,
        },
    );
    system.send(teller, ToTeller::GoOn);
    system
        .may_lose(Losses::at_most(2))
        .may_duplicate(Duplicates::at_most(1))
        .invariant("nothing is added twice", move |world| world.state(bank).balance <= 42)
        .eventually("everything is added", move |world| world.state(bank).balance == 42)
        .eventually("the teller is done", move |world| world.state(teller).to_do.is_empty())
}

#[test]
fn nothing_is_lost_and_nothing_is_added_twice() {
    system(true).check().assert_ok();
}

#[test]
fn a_bank_that_forgets_adds_twice() {
    let report = system(false).check().run().report();
    assert!(report.contains("`nothing is added twice` does not hold"), "{report}");
}

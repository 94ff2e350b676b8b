//! What a message may lead to, as far as the declarations tell.

use mazurka_actors::{Actor, Address, Context, Sends, System};
use mazurka_core::laws::{self, Effort};
use mazurka_core::{Effects, Footprint, Pending, Program};

#[derive(Clone, Hash, Debug)]
struct Shelf {
    friend: Option<Address<Shelf>>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    /// Leads to a `Keep` at the friend.
    Pass,
    Keep,
    /// Does not say what it sends.
    Anything,
}

impl Actor for Shelf {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        if let (Message::Pass, Some(friend)) = (message, self.friend) {
            context.send(friend, Message::Keep);
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Pass").send::<Shelf>("Keep");
        sends.on("Keep");
    }
}

/// For each of the messages to the first of two shelves, how many locations its future has; `None` if it is not known.
fn futures(messages: &[Message]) -> Vec<Option<usize>> {
    let mut system = System::new();
    let second = system.create(Shelf { friend: None });
    let first = system.create(Shelf { friend: Some(second) });
    system.send(second, Message::Keep);
    messages.iter().for_each(|m| system.send(first, m.clone()));
    laws::check(&system, &Effort::default()).unwrap_or_else(|broken| panic!("{broken}"));
    let run = system.start();
    let mut pending: Vec<Pending> = Vec::new();
    system.pending(&run, &mut pending);
    let told = system.insights().futures.expect("actors tell");
    let of_first = pending.iter().skip(1).map(|p| {
        let mut future = Footprint::new();
        told.future(&run, p.transition.process, &mut future)
            .then(|| future.accesses().len())
    });
    of_first.collect()
}

#[test]
fn a_message_that_leads_to_nothing_touches_its_own_actor_only() {
    assert_eq!(futures(&[Message::Keep]), [Some(1)]);
}

#[test]
fn a_message_that_leads_to_others_may_touch_all_actors_of_their_type() {
    assert_eq!(futures(&[Message::Pass]), [Some(2)]);
}

#[test]
fn of_a_handler_that_does_not_declare_what_it_sends_nothing_is_known() {
    assert_eq!(futures(&[Message::Anything]), [None]);
}

#[test]
fn the_future_of_a_message_ends_with_it() {
    let mut system = System::new();
    let it = system.create(Shelf { friend: None });
    system.send(it, Message::Keep);
    let mut run = system.start();
    let mut pending: Vec<Pending> = Vec::new();
    system.pending(&run, &mut pending);
    let transition = pending[0].transition;
    system.step(&mut run, transition, &mut Effects::default());
    let told = system.insights().futures.expect("actors tell");
    assert!(!told.future(&run, transition.process, &mut Footprint::new()));
}

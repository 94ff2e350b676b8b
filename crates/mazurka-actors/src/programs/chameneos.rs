//! Chameneos (FORTE'12 `chameneos2`): a broker pairs creatures that mix their colours.

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Colour {
    Blue,
    Red,
    Yellow,
}

impl Colour {
    /// Equal colours stay, different ones give the third.
    fn mix(self, other: Colour) -> Colour {
        let all = [Colour::Blue, Colour::Red, Colour::Yellow];
        if self == other {
            return self;
        }
        all.into_iter().find(|&c| c != self && c != other).unwrap_or(self)
    }
}

#[derive(Clone, Hash, Debug)]
struct Broker {
    meetings: u32,
    waiting: Option<(Address<Creature>, Colour)>,
}

#[derive(Clone, Hash, Debug)]
enum ToBroker {
    Boot(u32),
    Hook(Address<Creature>, Colour),
}

impl Actor for Broker {
    type Message = ToBroker;

    fn handle(&mut self, message: ToBroker, context: &mut Context<Self>) {
        match message {
            ToBroker::Boot(meetings) => {
                self.meetings = meetings;
                let broker = context.me();
                for colour in [Colour::Blue, Colour::Red, Colour::Yellow] {
                    let creature = context.create(Creature { broker, colour, met: 0 });
                    context.send(creature, ToCreature::Start);
                }
            }
            ToBroker::Hook(creature, _) if self.meetings == 0 => context.send(creature, ToCreature::Stop),
            ToBroker::Hook(creature, colour) => match self.waiting.take() {
                None => self.waiting = Some((creature, colour)),
                Some((first, first_colour)) => {
                    context.send(creature, ToCreature::Hook(first, first_colour));
                    context.send(first, ToCreature::Hook(creature, colour));
                    self.meetings -= 1;
                }
            },
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Boot").send::<Creature>("Start");
        sends.on("Hook").send::<Creature>("Hook").send::<Creature>("Stop");
    }
}

#[derive(Clone, Hash, Debug)]
struct Creature {
    broker: Address<Broker>,
    colour: Colour,
    met: u32,
}

#[derive(Clone, Hash, Debug)]
enum ToCreature {
    Start,
    Hook(Address<Creature>, Colour),
    Stop,
}

impl Actor for Creature {
    type Message = ToCreature;

    fn handle(&mut self, message: ToCreature, context: &mut Context<Self>) {
        match message {
            ToCreature::Start => {}
            ToCreature::Hook(_, colour) => {
                self.colour = self.colour.mix(colour);
                self.met += 1;
            }
            ToCreature::Stop => return,
        }
        context.send(self.broker, ToBroker::Hook(context.me(), self.colour));
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Broker>("Hook");
        sends.on("Hook").send::<Broker>("Hook");
        sends.on("Stop");
    }
}

pub(super) fn system(meetings: u32) -> System {
    let mut system = System::new();
    let broker = system.create_named(
        "broker",
        Broker {
            meetings: 0,
            waiting: None,
        },
    );
    system.send(broker, ToBroker::Boot(meetings));
    system
}

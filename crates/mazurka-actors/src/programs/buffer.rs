//! A bounded buffer (FORTE'14 BB): producers and a consumer, `append` awaits room and `remove` awaits an item.
//!
//! As in ABS a task starts, tests its await, and if that fails suspends; going on later is a step of its own, enabled by the buffer.

use crate::{Accepts, Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Buffer {
    items: Vec<i32>,
    capacity: usize,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Append(i32),
    Remove,
    AppendResumed(i32),
    RemoveResumed,
}

impl Actor for Buffer {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Append(item) if self.items.len() == self.capacity => context.send(context.me(), Message::AppendResumed(item)),
            Message::Append(item) | Message::AppendResumed(item) => self.items.push(item),
            Message::Remove if self.items.is_empty() => context.send(context.me(), Message::RemoveResumed),
            Message::Remove | Message::RemoveResumed => {
                self.items.remove(0);
            }
        }
    }

    fn accepts(&self, message: &Message) -> Accepts {
        match message {
            Message::Append(_) | Message::Remove => Accepts::Always,
            Message::AppendResumed(_) => Accepts::When(self.items.len() < self.capacity),
            Message::RemoveResumed => Accepts::When(!self.items.is_empty()),
        }
    }

    fn touches(message: &Message, fields: &mut Fields) {
        fields.write("items");
        if let Message::AppendResumed(_) | Message::RemoveResumed = message {
            fields.guard("items");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Append").send::<Buffer>("AppendResumed");
        sends.on("Remove").send::<Buffer>("RemoveResumed");
        sends.on("AppendResumed");
        sends.on("RemoveResumed");
    }
}

#[derive(Clone, Hash, Debug)]
struct Producer {
    buffer: Address<Buffer>,
}

#[derive(Clone, Hash, Debug)]
enum Produce {
    ProduceList(Vec<i32>),
    Produce(i32),
}

impl Actor for Producer {
    type Message = Produce;

    fn handle(&mut self, message: Produce, context: &mut Context<Self>) {
        match message {
            Produce::ProduceList(items) => {
                for item in items {
                    context.send(context.me(), Produce::Produce(item));
                }
            }
            Produce::Produce(item) => context.send(self.buffer, Message::Append(item)),
        }
    }

    fn touches(message: &Produce, fields: &mut Fields) {
        if let Produce::Produce(_) = message {
            fields.read("buffer");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("ProduceList").send::<Producer>("Produce");
        sends.on("Produce").send::<Buffer>("Append");
    }
}

#[derive(Clone, Hash, Debug)]
struct Consumer {
    buffer: Address<Buffer>,
}

#[derive(Clone, Hash, Debug)]
enum Consume {
    ConsumeN(u32),
    Consume,
}

impl Actor for Consumer {
    type Message = Consume;

    fn handle(&mut self, message: Consume, context: &mut Context<Self>) {
        match message {
            Consume::ConsumeN(n) => {
                for _ in 0..n {
                    context.send(context.me(), Consume::Consume);
                }
            }
            Consume::Consume => context.send(self.buffer, Message::Remove),
        }
    }

    fn touches(message: &Consume, fields: &mut Fields) {
        if let Consume::Consume = message {
            fields.read("buffer");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("ConsumeN").send::<Consumer>("Consume");
        sends.on("Consume").send::<Buffer>("Remove");
    }
}

/// BB(3,1): capacity 10, one producer of 2, 5, 7. BB(4,2): capacity 5, two producers of two items each. Both consume three.
pub(super) fn system(producers: u32) -> System {
    let mut system = System::new();
    let (capacity, lists): (usize, &[&[i32]]) = match producers {
        1 => (10, &[&[2, 5, 7]]),
        _ => (5, &[&[2, 5], &[7, 9]]),
    };
    let items = Vec::new();
    let buffer = system.create_named("buffer", Buffer { items, capacity });
    for (nth, list) in lists.iter().enumerate() {
        let producer = system.create_named(&format!("producer {nth}"), Producer { buffer });
        system.send(producer, Produce::ProduceList(list.to_vec()));
    }
    let consumer = system.create_named("consumer", Consumer { buffer });
    system.send(consumer, Consume::ConsumeN(3));
    system
}

//! What a message, and all that are sent because of it, may touch from a state on.
//!
//! What the message itself touches is declared. What it leads to is known if [`Actor::sends`](crate::Actor::sends) is declared for it and
//! for all that follow: then only actors of certain types can be involved, and of these anything may be touched that anybody has touched
//! so far. A handler that does not declare what it sends may do anything.

use crate::run::Run;
use crate::system::System;
use crate::tables::Owner;
use mazurka_core::{Class, Footprint, Futures, Process, Program, Transition};

impl Futures<Run> for System {
    fn future(&self, run: &Run, process: Process, out: &mut Footprint) -> bool {
        let Some(envelope) = run.envelope(process.0) else {
            return false;
        };
        let method = self.method(run, envelope);
        let Some(classes) = self.tables.classes.borrow().graph.classes_after(method) else {
            return false;
        };
        self.footprint(run, Transition::of(process), out);
        if classes.is_empty() {
            return true;
        }
        let involved = |actor: u32| run.place(actor).is_some_and(|place| classes.contains(&run.actors[place].class));
        for (location, owner) in self.tables.known_locations() {
            let touched = match owner {
                Owner::Actor(actor) | Owner::Outbox(actor) | Owner::Channel(_, actor) => involved(actor),
                Owner::Arrivals(u32::MAX) => true,
                Owner::Arrivals(class) => classes.contains(&Class(class)),
                Owner::Timers(_)
                | Owner::Clock
                | Owner::History
                | Owner::Message(_)
                | Owner::Budget(_)
                | Owner::Partition(_)
                | Owner::Invariant(_) => true,
            };
            if touched {
                out.update(location);
                out.guard(location);
            }
        }
        true
    }
}

//! A system of actors as a person sees it.

use crate::address::{Name, with_names};
use crate::run::{Envelope, Run, Slot};
use crate::system::System;
use crate::tables::Owner;
use mazurka_core::{Describe, Location, Process, StepText, Transition, Wait};

impl System {
    /// What a person calls an actor, the same in every execution: its given name, or its type and how-manieth of that type it is at the
    /// start, or its type and place of birth.
    pub(crate) fn actor_name(&self, run: &Run, actor: u32) -> String {
        let Some(place) = run.place(actor) else {
            return format!("actor {}", self.tables.actor_path(actor));
        };
        let slot = &run.actors[place];
        if let Some(name) = &slot.name {
            return name.to_string();
        }
        let classes = self.tables.classes.borrow();
        let class = classes.graph.class_name(slot.class);
        if place >= self.start.actors.len() {
            return format!("{class} {}", self.tables.actor_path(actor));
        }
        let of_its_kind = |s: &&Slot| s.class == slot.class && s.name.is_none();
        format!("{class} {}", run.actors[..place].iter().filter(of_its_kind).count())
    }

    pub(crate) fn show<R>(&self, run: &Run, f: impl FnOnce() -> R) -> R {
        let names = (0..self.tables.actors.len() as u32).map(|id| match run.place(id) {
            Some(_) => Name::Given(self.actor_name(run, id)),
            // Being created by the step that is shown.
            None => Name::Birth(self.tables.actor_path(id)),
        });
        with_names(names.collect(), f)
    }

    fn text(&self, run: &Run, envelope: &Envelope) -> String {
        self.show(run, || format!("{:?}", envelope.content.as_debug()))
    }
}

impl Describe for System {
    fn objection(&self) -> Option<String> {
        self.wrong_declaration()
    }

    fn process_key(&self, process: Process) -> String {
        self.tables.messages.path(process.0)
    }

    fn process_name(&self, run: &Run, process: Process) -> String {
        match run.envelope(process.0) {
            Some(envelope) => format!("{} to {}", self.text(run, envelope), self.actor_name(run, envelope.receiver)),
            None => format!("message {}", self.process_key(process)),
        }
    }

    fn column(&self, run: &Run, process: Process) -> String {
        match run.envelope(process.0) {
            Some(envelope) => self.actor_name(run, envelope.receiver),
            None => format!("message {}", self.process_key(process)),
        }
    }

    fn describe(&self, run: &Run, transition: Transition) -> StepText {
        let Some(envelope) = run.envelope(transition.process.0) else {
            return StepText::default();
        };
        let place = run.place(envelope.receiver).expect("a message's receiver exists");
        let sends = self.handle(run, place, envelope).map_or(Vec::new(), |(_, sent)| {
            let mut after = run.clone();
            after.actors.extend(sent.actors);
            sent.messages
                .iter()
                .map(|e| (self.actor_name(&after, e.receiver), self.text(&after, e)))
                .collect()
        });
        StepText {
            label: self.text(run, envelope),
            at: None,
            sends,
        }
    }

    fn location_name(&self, location: Location) -> String {
        let (owner, field) = self.tables.meaning(location);
        let name = |actor: u32| match actor {
            u32::MAX => "start".to_owned(),
            actor => self.actor_name(&self.start, actor),
        };
        match (owner, field) {
            (Owner::Actor(actor), None) => name(actor),
            (Owner::Actor(actor), Some(field)) => format!("{}.{field}", name(actor)),
            (Owner::Outbox(actor), _) => format!("what {} sends", name(actor)),
            (Owner::Channel(from, to), _) => format!("channel from {} to {}", name(from), name(to)),
            (Owner::Arrivals(u32::MAX), _) => "arrivals".to_owned(),
            (Owner::Arrivals(class), _) => {
                let classes = self.tables.classes.borrow();
                format!("arrivals at {}", classes.graph.class_name(mazurka_core::Class(class)))
            }
        }
    }

    fn waits(&self, run: &Run) -> Vec<Wait> {
        (0..run.pending.len())
            .filter(|&at| !self.is_enabled(run, at))
            .map(|at| {
                let envelope = &run.pending[at];
                let receiver = self.actor_name(run, envelope.receiver);
                let ahead = run.pending[..at].iter().find(|e| e.receiver == envelope.receiver);
                let accepted = self.is_accepted(run, envelope);
                let (what, on) = match ahead {
                    Some(ahead) if accepted => (format!("{} ahead of it", self.text(run, ahead)), Some(Process(ahead.id))),
                    _ => (format!("{receiver} to accept it"), None),
                };
                Wait {
                    process: Process(envelope.id),
                    agent: None,
                    what,
                    on,
                    at: None,
                }
            })
            .collect()
    }

    fn values(&self, run: &Run) -> Vec<(String, String)> {
        self.show(run, || {
            run.actors
                .iter()
                .map(|s| (self.actor_name(run, s.id), format!("{:?}", s.state.actor.as_debug())))
                .collect()
        })
    }
}

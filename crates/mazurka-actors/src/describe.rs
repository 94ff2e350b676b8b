//! A system of actors as a person sees it.

use crate::address::{Name, with_names};
use crate::run::{Envelope, Run, Slot};
use crate::subject::Subject;
use crate::system::System;
use crate::tables::Owner;
use mazurka_core::{Describe, Location, Position, Process, StepText, Transition, Wait};

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

    /// The step in which an actor is told something.
    fn told(&self, run: &Run, envelope: &Envelope, label: String, choice: u32) -> StepText {
        let Some(place) = run.place(envelope.receiver) else {
            return StepText::default();
        };
        let at = self.shows_positions.then(|| position(envelope.sent_at));
        if !run.actors[place].is_up() {
            let label = format!("{label}, but is down");
            return StepText {
                label,
                at,
                ..StepText::default()
            };
        }
        let mut label = label;
        if envelope.content.chooses()
            && let Some(script) = self.alternatives(run, place, envelope).get(choice as usize)
            && !script.is_empty()
        {
            let chosen: Vec<String> = script.iter().map(u32::to_string).collect();
            label = format!("{label}, choosing {}", chosen.join(", "));
        }
        let sends = self.handle(run, place, envelope, choice).map_or(Vec::new(), |(_, sent)| {
            let mut after = run.clone();
            after.actors.extend(sent.actors);
            sent.messages
                .iter()
                .map(|e| (self.actor_name(&after, e.receiver), self.text(&after, e)))
                .collect()
        });
        StepText { label, at, sends }
    }

    fn timer_name(&self, run: &Run, place: usize, nth: usize) -> String {
        let life = run.actors[place].life.as_ref();
        let set = life.and_then(|life| life.timers.get(nth)?.set.as_ref());
        set.map_or_else(|| nth.to_string(), |envelope| envelope.content.timer(nth).to_owned())
    }

    /// Who is cut off by a partition.
    fn side(&self, run: &Run, nth: usize) -> String {
        let side = self.faults.partitions.as_ref().and_then(|p| p.sides.get(nth));
        let names: Vec<String> = side.into_iter().flatten().map(|&actor| self.actor_name(run, actor)).collect();
        names.join(", ")
    }
}

fn position(at: &std::panic::Location<'_>) -> Position {
    Position {
        file: at.file().to_owned(),
        line: at.line(),
        column: at.column(),
    }
}

impl Describe for System {
    fn objection(&self) -> Option<String> {
        self.wrong_declaration()
    }

    fn process_key(&self, process: Process) -> String {
        self.tables.message_path(process.0)
    }

    fn process_name(&self, run: &Run, process: Process) -> String {
        let message = |envelope: &Envelope| format!("{} to {}", self.text(run, envelope), self.actor_name(run, envelope.receiver));
        match self.subject(run, process.0) {
            Some(Subject::Message(envelope)) => message(envelope),
            Some(Subject::Timer(place, nth)) => {
                format!(
                    "timer {} of {}",
                    self.timer_name(run, place, nth),
                    self.actor_name(run, run.actors[place].id)
                )
            }
            Some(Subject::Crashes(place)) => format!("crashes of {}", self.actor_name(run, run.actors[place].id)),
            Some(Subject::Partition(nth)) => format!("partition around {}", self.side(run, nth)),
            Some(Subject::Calm) => "end of all faults".to_owned(),
            Some(Subject::Loss(envelope)) => format!("loss of {}", message(envelope)),
            Some(Subject::Doubling(envelope)) => format!("doubling of {}", message(envelope)),
            None => format!("message {}", self.process_key(process)),
        }
    }

    fn agent(&self, run: &Run, transition: Transition) -> Option<String> {
        match self.subject(run, transition.process.0)? {
            Subject::Message(_) => None,
            _ => Some(self.column(run, transition.process)),
        }
    }

    fn column(&self, run: &Run, process: Process) -> String {
        match self.subject(run, process.0) {
            Some(Subject::Message(envelope)) => self.actor_name(run, envelope.receiver),
            Some(Subject::Timer(place, _) | Subject::Crashes(place)) => self.actor_name(run, run.actors[place].id),
            Some(Subject::Partition(_) | Subject::Calm | Subject::Loss(_) | Subject::Doubling(_)) => "network".to_owned(),
            None => format!("message {}", self.process_key(process)),
        }
    }

    fn describe(&self, run: &Run, transition: Transition) -> StepText {
        let Some(subject) = self.subject(run, transition.process.0) else {
            return StepText::default();
        };
        let to = |envelope: &Envelope| format!("{} to {}", self.text(run, envelope), self.actor_name(run, envelope.receiver));
        let said = |label: String| StepText {
            label,
            ..StepText::default()
        };
        match subject {
            Subject::Message(envelope) => self.told(run, envelope, self.text(run, envelope), transition.choice),
            Subject::Timer(place, nth) => {
                let name = self.timer_name(run, place, nth);
                let set = run.actors[place].life.as_ref().and_then(|life| life.timers[nth].set.as_ref());
                match set {
                    Some(envelope) => {
                        let label = format!("timer {name}: {}", self.text(run, envelope));
                        self.told(run, envelope, label, transition.choice)
                    }
                    None => said(format!("timer {name}")),
                }
            }
            Subject::Crashes(place) if run.actors[place].is_up() => said("crashes".to_owned()),
            Subject::Crashes(_) => said("restarts".to_owned()),
            Subject::Partition(nth) if run.network.is_cut(nth) => said(format!("{} is no longer cut off", self.side(run, nth))),
            Subject::Partition(nth) => said(format!("{} is cut off", self.side(run, nth))),
            Subject::Calm => said("no more faults".to_owned()),
            Subject::Loss(envelope) => said(format!("loses {}", to(envelope))),
            Subject::Doubling(envelope) => StepText {
                sends: vec![(self.actor_name(run, envelope.receiver), self.text(run, envelope))],
                ..said(format!("doubles {}", to(envelope)))
            },
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
            (Owner::Timers(actor), _) => format!("timers of {}", name(actor)),
            (Owner::Clock, _) => "clock".to_owned(),
            (Owner::History, _) => "history".to_owned(),
            (Owner::Message(message), _) => format!("message {}", self.tables.message_path(message)),
            (Owner::Budget(fault), _) => format!("number of {}", fault.plural()),
            (Owner::Partition(nth), _) => format!("partition around {}", self.side(&self.start, nth as usize)),
            (Owner::Invariant(nth), _) => {
                let invariant = self.invariants.get(nth as usize);
                invariant.map_or("invariant".to_owned(), |invariant| format!("what `{}` reads", invariant.name))
            }
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
                .map(|s| {
                    let down = if s.is_up() { "" } else { "down, was " };
                    (self.actor_name(run, s.id), format!("{down}{:?}", s.state.actor.as_debug()))
                })
                .collect()
        })
    }
}

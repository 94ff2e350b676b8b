//! Two-phase commit whose coordinator crashes and recovers.
//!
//! The coordinator writes its decision to disk before it tells anybody, and after a crash tells it again; if it had not decided, it decides to abort. The
//! broken one forgets what it decided, and aborts what others have committed.

use mazurka_actors::{Actor, Address, Context, Crashes, System};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Decision {
    Commit,
    Abort,
}

#[derive(Clone, Hash, Debug)]
struct Coordinator {
    participants: Vec<Address<Participant>>,
    /// Whether the decision is on disk.
    durable: bool,
    yes: usize,
    decision: Option<Decision>,
}

#[derive(Clone, Hash, Debug)]
enum ToCoordinator {
    Begin,
    Vote(bool),
}

impl Coordinator {
    fn decide(&mut self, decision: Decision, context: &mut Context<Self>) {
        self.decision = Some(decision);
        for &participant in &self.participants {
            context.send(participant, ToParticipant::Decide(decision));
        }
    }
}

impl Actor for Coordinator {
    type Message = ToCoordinator;

    fn handle(&mut self, message: ToCoordinator, context: &mut Context<Self>) {
        match message {
            ToCoordinator::Begin => {
                for &participant in &self.participants {
                    context.send(participant, ToParticipant::Prepare(context.me()));
                }
            }
            ToCoordinator::Vote(_) if self.decision.is_some() => {}
            ToCoordinator::Vote(false) => self.decide(Decision::Abort, context),
            ToCoordinator::Vote(true) => {
                self.yes += 1;
                if self.yes == self.participants.len() {
                    self.decide(Decision::Commit, context);
                }
            }
        }
    }

    fn restart(&mut self, before: &Self, context: &mut Context<Self>) {
        let known = before.decision.filter(|_| self.durable);
        self.decide(known.unwrap_or(Decision::Abort), context);
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Participant {
    decision: Option<Decision>,
}

#[derive(Clone, Hash, Debug)]
enum ToParticipant {
    Prepare(Address<Coordinator>),
    Decide(Decision),
}

impl Actor for Participant {
    type Message = ToParticipant;

    fn handle(&mut self, message: ToParticipant, context: &mut Context<Self>) {
        match message {
            ToParticipant::Prepare(coordinator) => {
                // Something local may have failed.
                let yes = context.choose(2) == 0;
                context.send(coordinator, ToCoordinator::Vote(yes));
            }
            ToParticipant::Decide(decision) => {
                assert!(
                    self.decision.is_none_or(|known| known == decision),
                    "a participant is told two decisions"
                );
                self.decision = Some(decision);
            }
        }
    }

    fn chooses(message: &ToParticipant) -> bool {
        matches!(message, ToParticipant::Prepare(_))
    }
}

/// So many participants, and a coordinator that may crash once.
pub fn system(participants: usize, durable: bool) -> System {
    let mut system = System::new();
    let all = system.create_many("participant", participants, |_, _| Participant::default());
    let coordinator = system.create_named(
        "coordinator",
        Coordinator {
            participants: all,
            durable,
            yes: 0,
            decision: None,
        },
    );
    system.send(coordinator, ToCoordinator::Begin);
    system
        .may_crash(Crashes::at_most(1).of(&[coordinator]))
        .invariant("participants agree", |world| {
            let mut decisions = world.states::<Participant>().filter_map(|p| p.decision);
            let first = decisions.next();
            decisions.all(|d| Some(d) == first)
        })
        .sometimes("everybody commits", |world| {
            world.states::<Participant>().all(|p| p.decision == Some(Decision::Commit))
        })
        .eventually("everybody knows, or nobody was asked", |world| {
            world.states::<Participant>().all(|p| p.decision.is_some())
        })
}

/// Shows what a coordinator does that forgets.
pub fn main() {
    println!("{}", system(2, false).check().run().report());
}

//! Two-phase commit with a participant that may vote no: everybody decides the same, and nobody commits against a no.
//!
//! `cargo run -p mazurka-actors --example two_phase_commit`

use mazurka_actors::{Actor, Address, Context, Fields, System};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Decision {
    Commit,
    Abort,
}

#[derive(Clone, Hash, Debug, Default)]
struct Coordinator {
    participants: Vec<Address<Participant>>,
    yes: usize,
    decided: Option<Decision>,
}

#[derive(Clone, Hash, Debug)]
enum ToCoordinator {
    Begin(Vec<Address<Participant>>),
    Vote(bool),
}

impl Coordinator {
    fn decide(&mut self, decision: Decision, context: &mut Context<Self>) {
        self.decided = Some(decision);
        for &participant in &self.participants {
            context.send(participant, ToParticipant::Decide(decision));
        }
    }
}

impl Actor for Coordinator {
    type Message = ToCoordinator;

    fn handle(&mut self, message: ToCoordinator, context: &mut Context<Self>) {
        match message {
            ToCoordinator::Begin(participants) => {
                self.participants = participants;
                for &participant in &self.participants {
                    context.send(participant, ToParticipant::Prepare(context.me()));
                }
            }
            // The first no decides; later votes change nothing.
            ToCoordinator::Vote(_) if self.decided.is_some() => {}
            ToCoordinator::Vote(false) => self.decide(Decision::Abort, context),
            ToCoordinator::Vote(true) => {
                self.yes += 1;
                if self.yes == self.participants.len() {
                    self.decide(Decision::Commit, context);
                }
            }
        }
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Participant {
    doubts: bool,
    voted: Option<bool>,
    decision: Option<Decision>,
}

#[derive(Clone, Hash, Debug)]
enum ToParticipant {
    /// Something local fails. If it does so before the vote, the vote is no.
    Doubt,
    Prepare(Address<Coordinator>),
    Decide(Decision),
}

impl Actor for Participant {
    type Message = ToParticipant;

    fn handle(&mut self, message: ToParticipant, context: &mut Context<Self>) {
        match message {
            ToParticipant::Doubt => self.doubts = true,
            ToParticipant::Prepare(coordinator) => {
                self.voted = Some(!self.doubts);
                context.send(coordinator, ToCoordinator::Vote(!self.doubts));
            }
            ToParticipant::Decide(decision) => {
                assert!(
                    !(decision == Decision::Commit && self.voted == Some(false)),
                    "committed against a participant's vote"
                );
                self.decision = Some(decision);
            }
        }
    }

    // A doubt and a decision touch different fields, so that their order need not be tried at field granularity.
    fn touches(message: &ToParticipant, fields: &mut Fields) {
        match message {
            ToParticipant::Doubt => fields.write("doubts"),
            ToParticipant::Prepare(_) => fields.read("doubts").write("voted"),
            ToParticipant::Decide(_) => fields.read("voted").write("decision"),
        };
    }
}

/// Participants, the last of which may vote no.
pub fn system(participants: usize) -> System {
    let mut system = System::new();
    let coordinator = system.create_named("coordinator", Coordinator::default());
    let all = system.create_many("participant", participants, |_, _| Participant::default());
    system.send(coordinator, ToCoordinator::Begin(all.clone()));
    system.send(all[participants - 1], ToParticipant::Doubt);
    system.at_end(move |end| {
        let mut decisions = end.states::<Participant>().map(|p| p.decision);
        let first = decisions.next().flatten();
        assert!(first.is_some(), "nothing was decided");
        assert!(decisions.all(|d| d == first), "participants decided differently");
    })
}

/// Checks three participants.
pub fn main() {
    println!("{}", system(3).check().run().report());
}

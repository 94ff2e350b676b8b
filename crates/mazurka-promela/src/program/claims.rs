//! The claims of a model as properties of executions without end.

use super::{Promela, PromelaStates, Run};
use crate::machine::{FaultKind, Read, State};
use crate::model::{Claim, Never};
use crate::statics::Watched;
use mazurka_core::{Alternatives, Failure, FailureKind, Properties, Property, Reading};

impl Promela {
    /// The claims as properties.
    pub(super) fn claimed(&self) -> Vec<Property> {
        self.machine.model().claims.iter().map(|claim| self.property(claim)).collect()
    }

    fn property(&self, claim: &Claim) -> Property {
        let violated = match claim.never {
            Never::AcceptLabels => "a cycle goes through an `accept` label".to_owned(),
            Never::NonProgress => "a cycle goes through no `progress` label".to_owned(),
            Never::Process { .. } => format!("{} comes true", claim.what),
            Never::Formula { .. } => format!("{} does not hold", claim.what),
        };
        Property {
            name: claim.what.clone(),
            violated,
            at: self.position(claim.span),
            start: self.machine.claim_start(claim),
            stutters: claim.never != Never::NonProgress,
            unreduced: Watched::unreduced(claim),
        }
    }

    /// What a claim comes to when it reads a state.
    pub(super) fn readings(&self, number: usize, state: &State, at: u32, out: &mut Vec<Reading>) {
        let claim = &self.machine.model().claims[number];
        let mut read = Vec::new();
        self.machine.read_claim(claim, state, at, &mut read);
        for read in read {
            let (target, failure) = match read {
                Read::At(target) => (target, None),
                Read::End(span) => (at, Some((span, format!("{} comes to its end", claim.what)))),
                Read::Wrong(fault) => {
                    let what = match fault.kind {
                        FaultKind::Assertion => format!("an assertion of {} fails", claim.what),
                        kind => format!("{} in {}", kind.message(), claim.what),
                    };
                    (at, Some((fault.span, what)))
                }
            };
            let failure = failure.map(|(span, message)| Failure {
                kind: FailureKind::Property,
                message: match self.text(span) {
                    text if text.is_empty() || span == claim.span => message,
                    text => format!("{message}: {text}"),
                },
                at: self.position(span),
            });
            out.push(Reading { target, failure });
        }
    }
}

impl PromelaStates<'_> {
    /// Marks the alternatives that a claim may notice.
    pub(super) fn mark_visible(&self, number: usize, state: &State, out: &mut Alternatives) {
        let machine = &self.promela.machine;
        let watched = self.watched[number].get_or_init(|| {
            let (first, _) = machine.initial();
            Watched::new(&self.contexts, machine, &first, &machine.model().claims[number])
        });
        out.see(|a| {
            let slot = a.transition.process.index();
            watched.moves(state.proctype(slot), state.location(slot), a.transition.choice) || a.init.conflicts(&watched.accesses)
        });
    }
}

impl Properties<Run> for Promela {
    fn properties(&self) -> Vec<Property> {
        self.claimed()
    }

    fn read(&self, property: usize, run: &Run, at: u32, out: &mut Vec<Reading>) {
        self.readings(property, &run.state, at, out);
    }

    fn accepts(&self, property: usize, run: &Run, at: u32) -> bool {
        self.machine.claim_accepts(&self.machine.model().claims[property], &run.state, at)
    }

    fn is_same(&self, one: &Run, other: &Run) -> bool {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        self.machine.key(&one.state, &mut a) == self.machine.key(&other.state, &mut b)
    }
}

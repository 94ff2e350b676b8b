//! What a state offers: its pending transitions with their footprints.

use super::law::{Broken, Law};
use crate::footprint::Footprint;
use crate::program::{Process, Program, Transition};

/// One pending transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offered {
    pub transition: Transition,
    pub enabled: bool,
    pub footprint: Footprint,
}

/// Everything that is pending at a state, in the order in which the program lists it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Offer {
    pub list: Vec<Offered>,
}

impl Offer {
    /// What `program` offers at `state`.
    pub fn of<P: Program + ?Sized>(program: &P, state: &P::State) -> Self {
        let mut pending = Vec::new();
        program.pending(state, &mut pending);
        let list = pending.into_iter().map(|p| {
            let mut footprint = Footprint::new();
            program.footprint(state, p.transition, &mut footprint);
            Offered {
                transition: p.transition,
                enabled: p.enabled,
                footprint,
            }
        });
        Offer { list: list.collect() }
    }

    /// The transition, if it is pending.
    pub fn find(&self, transition: Transition) -> Option<&Offered> {
        self.list.iter().find(|o| o.transition == transition)
    }

    /// Whether the transition can be taken.
    pub fn enables(&self, transition: Transition) -> bool {
        self.find(transition).is_some_and(|o| o.enabled)
    }

    /// The transitions that can be taken.
    pub fn enabled(&self) -> impl Iterator<Item = &Offered> {
        self.list.iter().filter(|o| o.enabled)
    }

    /// The transitions of one process.
    pub fn of_process(&self, process: Process) -> impl Iterator<Item = &Offered> {
        self.list.iter().filter(move |o| o.transition.process == process)
    }

    /// Where the two differ, regardless of order: the searches do not depend on the order for what they cover.
    pub fn difference(&self, other: &Offer) -> Option<String> {
        for (here, there) in [(self, other), (other, self)] {
            for offered in &here.list {
                let t = offered.transition;
                let name = format!("transition {}:{}", t.process.0, t.choice);
                match there.find(t) {
                    None => return Some(format!("{name} is pending at one of them only")),
                    Some(o) if o.enabled != offered.enabled => return Some(format!("{name} is enabled at one of them only")),
                    Some(o) if !same_accesses(&o.footprint, &offered.footprint) => {
                        return Some(format!("{name} has different footprints"));
                    }
                    Some(_) => {}
                }
            }
        }
        None
    }

    /// The laws that a list must obey by itself.
    pub fn check(&self, law: impl Fn(Law, Transition, String) -> Broken) -> Result<(), Broken> {
        for (at, offered) in self.list.iter().enumerate() {
            if self.list[..at].iter().any(|o| o.transition == offered.transition) {
                return Err(law(Law::Pending, offered.transition, "a transition is listed twice".to_owned()));
            }
        }
        Ok(())
    }
}

/// Whether two footprints are the same, in whatever order their accesses were added.
pub(super) fn same_accesses(a: &Footprint, b: &Footprint) -> bool {
    let within = |a: &Footprint, b: &Footprint| a.accesses().iter().all(|x| b.accesses().contains(x));
    a.monotone_guard == b.monotone_guard && within(a, b) && within(b, a)
}

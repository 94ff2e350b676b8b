//! `--order stable`: an actor that no other can still post to goes first (FORTE'14, Sec. 4).

use crate::run::Run;
use crate::system::System;
use mazurka_core::Transition;
use mazurka_core::stability::{ActorView, Condition, Configuration, Sum, TaskView};

/// What `--order stable` leaves open. The default is the corrected condition; the paper's tables need other settings for other rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// When an actor counts as stable.
    pub condition: Condition,
    /// How the tasks that make an actor unstable are summed up.
    pub sum: Sum,
    /// Which of equally stable actors goes first.
    pub tie: Tie,
}

/// Which of equally stable actors goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tie {
    /// The earliest created.
    #[default]
    Oldest,
    /// The one that moved last, otherwise the latest created.
    StayOrNewest,
}

impl System {
    /// The configuration as the definition of stability sees it.
    pub(crate) fn configuration(&self, run: &Run) -> Configuration {
        let places = |ids: &[u32]| ids.iter().filter_map(|&id| run.place(id).map(|p| p as u32)).collect();
        Configuration {
            actors: run
                .actors
                .iter()
                .map(|slot| ActorView {
                    class: slot.class,
                    holds: places(slot.state.holds()),
                    awaits: false,
                    in_flight: false,
                })
                .collect(),
            tasks: run
                .pending
                .iter()
                .map(|envelope| TaskView {
                    actor: run.place(envelope.receiver).expect("a message's receiver exists") as u32,
                    method: self.method(run, envelope),
                    holds: places(envelope.holds()),
                })
                .collect(),
        }
    }

    /// How unstable the actor at `place` is; zero if it is stable.
    fn instability(&self, run: &Run, place: u32) -> u64 {
        let configuration = self.configuration(run);
        let Selection { condition, sum, .. } = self.selection;
        configuration.instability_by(&self.tables.classes.borrow().graph, place, sum, condition)
    }

    /// Whether the receiver of a pending message is stable: no other actor can send to it before it moves itself.
    pub fn is_stable(&self, run: &Run, transition: Transition) -> bool {
        let receiver = run.envelope(transition.process.0).and_then(|e| run.place(e.receiver));
        receiver.is_some_and(|place| self.instability(run, place as u32) == 0)
    }

    pub(crate) fn stable_precedence(&self, run: &Run, place: u32) -> u64 {
        let level = self.instability(run, place).min(u64::from(u32::MAX)) << 32;
        let tie = match self.selection.tie {
            Tie::Oldest => place,
            Tie::StayOrNewest if place == run.last => 0,
            Tie::StayOrNewest => u32::MAX - place,
        };
        level | u64::from(tie)
    }
}

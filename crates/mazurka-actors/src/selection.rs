//! `--order stable`: an actor that no other can still post to goes first (FORTE'14, Sec. 4).

use crate::run::Run;
use crate::system::System;
use mazurka_core::stability::{ActorView, Configuration, Sum, TaskView};

/// How ties between equally stable actors are broken. The paper leaves it open; its tables need all three.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Selection {
    /// The earliest created actor; every pending task counts.
    #[default]
    Oldest,
    /// Stay on the actor that moved last if it is stable, otherwise the latest created; every pending task counts.
    StayOrNewest,
    /// The earliest created actor; equal messages to one actor count once.
    OldestPerMethod,
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

    /// How unstable the actor at `place` is; zero if it is provably stable.
    pub fn instability(&self, run: &Run, place: u32) -> u64 {
        let sum = match self.selection {
            Selection::OldestPerMethod => Sum::PerMethod,
            Selection::Oldest | Selection::StayOrNewest => Sum::PerTask,
        };
        let configuration = self.configuration(run);
        configuration.instability(&self.tables.classes.borrow().graph, place, sum)
    }

    pub(crate) fn stable_precedence(&self, run: &Run, place: u32) -> u64 {
        let level = self.instability(run, place).min(u64::from(u32::MAX)) << 32;
        let tie = match self.selection {
            Selection::Oldest | Selection::OldestPerMethod => place,
            Selection::StayOrNewest if level == 0 && place == run.last => 0,
            Selection::StayOrNewest => u32::MAX - place,
        };
        level | u64::from(tie)
    }
}

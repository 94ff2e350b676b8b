//! Why a search did not come to an end: what grows without bound.

use crate::run::Run;
use crate::system::System;
use mazurka_core::{Describe, Effects, Pending, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many steps of one execution are looked at.
const STEPS: usize = 2_000;
/// So many messages under way are many.
const MANY: usize = 200;

impl System {
    /// What is more and more, or ever different, in an execution that goes on and on; `None` if that can be said of nothing.
    pub(crate) fn what_grows(&self) -> Option<String> {
        let (mut run, mut pending, mut effects) = (self.start(), Vec::new(), Effects::default());
        let mut states: FxHashMap<u32, FxHashSet<u128>> = FxHashMap::default();
        for step in 0..STEPS {
            pending.clear();
            self.pending(&run, &mut pending);
            pending.retain(|p: &Pending| p.enabled);
            // Everybody has a turn now and then.
            let next = pending.get(step % pending.len().max(1))?;
            effects.clear();
            self.step(&mut run, next.transition, &mut effects);
            for slot in &run.actors {
                states.entry(slot.id).or_default().insert(slot.state.hash());
            }
        }
        if run.pending.len() >= MANY {
            let message = run.pending.last()?;
            return Some(format!(
                "after {STEPS} steps {} messages are under way, such as {}: more and more are sent",
                run.pending.len(),
                self.process_name(&run, mazurka_core::Process(message.id))
            ));
        }
        // All take part in the steps; one that still changes has a good part of them as states.
        let (actor, states) = states
            .into_iter()
            .map(|(actor, states)| (actor, states.len()))
            .max_by_key(|(actor, states)| (*states, !actor))?;
        (states * run.actors.len() * 4 >= STEPS).then(|| self.ever_different(&run, actor, states))
    }

    fn ever_different(&self, run: &Run, actor: u32, states: usize) -> String {
        let name = self.actor_name(run, actor);
        let values = self.values(run);
        let state = values.iter().find(|(known, _)| *known == name).map_or("", |(_, state)| state);
        format!("{name} was in {states} different states in {STEPS} steps, the last of them {state}: bound what it counts or collects")
    }
}

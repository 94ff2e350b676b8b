//! Catching handlers that are not functions of their state and message.
//!
//! A search with snapshots runs a handler once per node, so a clock or a random number would go unnoticed until a failure does not
//! replay. Therefore some steps are run twice and compared: all of the first ones, later one in [`EVERY`].

use crate::context::{Sent, Timed};
use crate::erased::{ErasedActor, State};
use std::cell::Cell;

const ALL_OF_THE_FIRST: u32 = 256;
const EVERY: u32 = 32;

/// Decides which steps are run twice.
#[derive(Debug, Default)]
pub(crate) struct Sampling {
    steps: Cell<u32>,
    always: bool,
}

impl Sampling {
    /// Whether to run the coming step twice.
    pub fn now(&self) -> bool {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        self.always || steps <= ALL_OF_THE_FIRST || steps.is_multiple_of(EVERY)
    }

    /// Whether every step is.
    pub fn is_always(&self) -> bool {
        self.always
    }

    /// Every step from now on.
    pub fn always(&mut self) {
        self.always = true;
    }
}

/// What differs between two runs of one handler on the same state and message, if anything does.
pub(crate) fn difference(first: (&State<dyn ErasedActor>, &Sent), second: (&State<dyn ErasedActor>, &Sent)) -> Option<String> {
    let ((state, sent), (state_again, sent_again)) = (first, second);
    if state.hash() != state_again.hash() {
        return Some(format!(
            "the actor became {:?} and then {:?}",
            state.actor.as_debug(),
            state_again.actor.as_debug()
        ));
    }
    sent_differently(sent, sent_again)
}

/// What differs between what two runs of one handler sent and created, if anything does.
pub(crate) fn sent_differently(sent: &Sent, sent_again: &Sent) -> Option<String> {
    if sent.actors.len() != sent_again.actors.len() {
        return Some(format!(
            "it created {} actors and then {}",
            sent.actors.len(),
            sent_again.actors.len()
        ));
    }
    if let Some((a, b)) = sent
        .actors
        .iter()
        .zip(&sent_again.actors)
        .find(|(a, b)| a.state.hash() != b.state.hash())
    {
        return Some(format!(
            "it created {:?} and then {:?}",
            a.state.actor.as_debug(),
            b.state.actor.as_debug()
        ));
    }
    if sent.messages.len() != sent_again.messages.len() {
        return Some(format!(
            "it sent {} messages and then {}",
            sent.messages.len(),
            sent_again.messages.len()
        ));
    }
    if !sent.recorded.iter().map(|r| r.hash).eq(sent_again.recorded.iter().map(|r| r.hash)) {
        return Some("it recorded something and then something else".to_owned());
    }
    if !sent.timers.iter().map(Timed::hash).eq(sent_again.timers.iter().map(Timed::hash)) {
        return Some("it set or cancelled timers and then others".to_owned());
    }
    let (a, b) = sent.messages.iter().zip(&sent_again.messages).find(|(a, b)| a.hash() != b.hash())?;
    Some(format!("it sent {:?} and then {:?}", a.content.as_debug(), b.content.as_debug()))
}

#[cfg(test)]
mod tests {
    use super::Sampling;

    #[test]
    fn the_first_steps_are_run_twice_and_later_ones_now_and_then() {
        let sampling = Sampling::default();
        let twice = |steps: u32| (0..steps).filter(|_| sampling.now()).count();
        assert_eq!(twice(256), 256);
        assert_eq!(twice(320), 10);
        let mut sampling = sampling;
        sampling.always();
        assert_eq!((0..320).filter(|_| sampling.now()).count(), 320);
    }
}

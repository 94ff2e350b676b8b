//! What the theorem assumes of a program, checked on the very executions of the certificate: each step once, and each pair of
//! independent neighbours. In the proofs: the record `Laws` (`proofs/Programs.v`).

use crate::Rejection;
use crate::actions::Actions;
use crate::execution::{Execution, Offer, step};
use mazurka_core::{Access, Effects, Footprint, Mode, Program};

/// Looks at every step that is taken.
pub(crate) struct Laws<S> {
    state: Option<S>,
    effects: Effects,
    footprint: Footprint,
    /// How many pairs of neighbours were swapped.
    pub swapped: u64,
}

impl<S: Clone> Laws<S> {
    pub fn new() -> Self {
        Laws {
            state: None,
            effects: Effects::default(),
            footprint: Footprint::default(),
            swapped: 0,
        }
    }

    /// Looks at the last step of an execution, and at whether it can be swapped with the one before.
    pub fn check<P: Program<State = S> + ?Sized>(&mut self, execution: &Execution<'_, P>, actions: &Actions) -> Result<(), Rejection> {
        self.footprint(execution, actions)?;
        others(execution, actions)?;
        self.neighbours(execution, actions)
    }

    /// `stands_at_source`: the footprint is still what it was when the process came here, and what the step touched is within it.
    fn footprint<P: Program<State = S> + ?Sized>(&mut self, execution: &Execution<'_, P>, actions: &Actions) -> Result<(), Rejection> {
        let last = execution.depth() - 1;
        let action = execution.events()[last].action;
        self.footprint.clear();
        let state = &execution.frame(last).state;
        execution.program.footprint(state, actions.transition(action), &mut self.footprint);
        let declared = actions.accesses(action);
        if self.footprint.accesses() != declared {
            return Err(broken("the footprint of a step was changed by another process"));
        }
        let allowed = |touched: &Access| {
            let within = |d: &Access| d.location == touched.location && (d.mode == touched.mode || d.mode == Mode::Write);
            declared.iter().any(within)
        };
        if !execution.touched().accesses().iter().all(allowed) {
            return Err(broken("a step touches what is not in its footprint"));
        }
        Ok(())
    }

    /// `independent_commute`: the last two steps, if they are independent, do the same the other way round.
    fn neighbours<P: Program<State = S> + ?Sized>(&mut self, execution: &Execution<'_, P>, actions: &Actions) -> Result<(), Rejection> {
        let [.., one, two] = execution.events() else { return Ok(()) };
        let process = actions.process(two.action);
        if actions.dependent(one.action, two.action) || one.births.contains(&process) {
            return Ok(());
        }
        let here = execution.frame(execution.depth() - 2);
        if !here.offers.iter().any(|o| o.action == two.action && o.enabled) {
            return Err(broken("a step enables another without writing its guard"));
        }
        let state = match &mut self.state {
            Some(state) => {
                state.clone_from(&here.state);
                state
            }
            none => none.insert(here.state.clone()),
        };
        self.swapped += 1;
        for event in [two, one] {
            step(execution.program, state, actions.transition(event.action), &mut self.effects)?;
            if self.effects.births[..] != event.births[..] || self.effects.failure != event.failure {
                return Err(broken("a step does something else after one that it is independent of"));
            }
        }
        if execution.program.fingerprint(state) != execution.program.fingerprint(&execution.top().state) {
            return Err(broken("two independent steps lead to another state the other way round"));
        }
        Ok(())
    }
}

/// `guards_decide`, `locals_are_private`, `born_once`: what the last step did to what other processes have before them.
fn others<P: Program + ?Sized>(execution: &Execution<'_, P>, actions: &Actions) -> Result<(), Rejection>
where
    P::State: Clone,
{
    let last = execution.depth() - 1;
    let event = &execution.events()[last];
    let (before, after) = (&execution.frame(last).offers, &execution.top().offers);
    let mover = actions.process(event.action);
    let of_others = |offer: &&Offer| actions.process(offer.action) != mover;
    let writes_guard_of = |offer: &Offer| {
        let process = actions.process(offer.action);
        let alternatives = before.iter().filter(|o| actions.process(o.action) == process);
        alternatives.map(|o| o.action).any(|a| actions.writes_guard(event.action, a))
    };
    // Usually the lists are the same, in the same order.
    let (mut old, mut new) = (before.iter().filter(of_others), after.iter().filter(of_others));
    let same = |(a, b): (&Offer, &Offer)| a.action == b.action && (a.enabled == b.enabled || actions.writes_guard(event.action, a.action));
    let mut pairs = old.by_ref().zip(new.by_ref());
    if pairs.all(same) && before.iter().filter(of_others).count() == after.iter().filter(of_others).count() {
        return Ok(());
    }
    for offer in before.iter().filter(of_others) {
        match after.iter().find(|o| o.action == offer.action) {
            Some(now) if now.enabled == offer.enabled || actions.writes_guard(event.action, offer.action) => {}
            Some(_) => return Err(broken("a step enables or disables another without writing its guard")),
            None if writes_guard_of(offer) && after.iter().any(|o| actions.process(o.action) == actions.process(offer.action)) => {}
            None => return Err(broken("a step makes what another process could do vanish")),
        }
    }
    for offer in after.iter().filter(of_others) {
        let process = actions.process(offer.action);
        let known = before.iter().any(|o| actions.process(o.action) == process);
        let listed = before.iter().any(|o| o.action == offer.action);
        if !listed && (known && !writes_guard_of(offer) || !known && !event.births.contains(&process)) {
            return Err(broken("a step makes something appear that another process could not do"));
        }
    }
    Ok(())
}

fn broken(what: &str) -> Rejection {
    Rejection::refused(format!("the program breaks a promise: {what}"))
}

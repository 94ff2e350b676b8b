//! The laws of programs whose states cannot be copied: every question is asked by running a schedule again.
//!
//! Fewer laws than elsewhere, since states can be compared by what they offer and by what can be seen of them only, and nothing can be changed in them.

use super::here::Here;
use super::law::{Broken, Law};
use super::offer::Offer;
use super::{Effort, Walked};
use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::outcome::Failure;
use crate::program::{Process, Program, Transition};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pairs of steps are tried in both orders up to this many per state.
const PAIRS: usize = 4;
/// How long a continuation is followed.
const STEPS: usize = 60;

/// What can be seen of a state, whatever the order of independent steps on the way to it.
pub type Seen<'s, S> = &'s dyn Fn(&S) -> u64;

/// Checks along random walks what can be checked by running schedules again. `seen` is what two orders of independent steps must agree on.
///
/// # Errors
/// The first law that is broken.
pub fn check_replayed<P: Program + ?Sized>(program: &P, effort: &Effort, seen: Seen<'_, P::State>) -> Result<Walked, Broken> {
    let mut walker = Walker {
        program,
        seen,
        random: effort.seed,
    };
    let mut states = 0;
    for _ in 0..effort.walks {
        let mut schedule = Vec::new();
        while schedule.len() < effort.steps as usize {
            let Some(next) = walker.at(&schedule)? else { break };
            schedule.push(next);
            states += 1;
        }
        walker.earlier(&schedule)?;
    }
    Ok(Walked { states })
}

/// A state that was run to.
#[derive(PartialEq)]
struct Reached {
    offer: Offer,
    /// Of the last step.
    births: Vec<Process>,
    failure: Option<Failure>,
    /// The steps that it had to wait for.
    after: Vec<u32>,
    /// What is wrong with an execution that ends here.
    at_end: Vec<Failure>,
    seen: u64,
}

struct Walker<'w, P: Program + ?Sized> {
    program: &'w P,
    seen: Seen<'w, P::State>,
    random: u64,
}

impl<P: Program + ?Sized> Walker<'_, P> {
    fn below(&mut self, n: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % n
    }

    fn look(&self, state: &P::State, effects: &Effects) -> Reached {
        let mut at_end = Vec::new();
        self.program.failures_at_end(state, &mut at_end);
        at_end.sort_by(|a, b| (a.kind, &a.message).cmp(&(b.kind, &b.message)));
        Reached {
            offer: Offer::of(self.program, state),
            births: effects.births.to_vec(),
            failure: effects.failure.clone(),
            after: effects.after.to_vec(),
            at_end,
            seen: (self.seen)(state),
        }
    }

    /// Takes a step; false if it panics.
    fn step(&self, state: &mut P::State, next: Transition, effects: &mut Effects) -> bool {
        effects.clear();
        catch_unwind(AssertUnwindSafe(|| self.program.step(state, next, effects))).is_ok()
    }

    /// The state that a schedule leads to; `None` if a step of it panics.
    fn reach(&self, schedule: &[Transition]) -> Option<Reached> {
        let (mut state, mut effects) = (self.program.start(), Effects::default());
        let all = schedule.iter().all(|next| self.step(&mut state, *next, &mut effects));
        all.then(|| self.look(&state, &effects))
    }

    /// Checks everything at the state that `schedule` leads to; returns where the walk goes on.
    fn at(&mut self, schedule: &[Transition]) -> Result<Option<Transition>, Broken> {
        let (Some(reached), Some(again)) = (self.reach(schedule), self.reach(schedule)) else {
            return Ok(None);
        };
        let here = Here {
            program: self.program,
            features: self.program.features(),
            insights: self.program.insights(),
            schedule,
            offer: reached.offer.clone(),
        };
        if let Some(step) = schedule.last()
            && reached != again
        {
            return Err(here.broken(Law::Determinism, *step, "running the schedule again leads elsewhere"));
        }
        here.listed()?;
        let enabled: Vec<_> = here.offer.enabled().collect();
        let mut after = Vec::new();
        for offered in &enabled {
            if let Some(taken) = self.reach(&with(schedule, &[offered.transition])) {
                let waits_for = |u: Transition| {
                    let next = self.reach(&with(schedule, &[offered.transition, u]));
                    next.is_some_and(|next| next.after.contains(&(schedule.len() as u32)))
                };
                here.others(offered, (&taken.births, &taken.offer), &waits_for)?;
                after.push((*offered, taken));
            }
        }
        let mut pairs = Vec::new();
        for (at, (first, one)) in after.iter().enumerate() {
            for (second, two) in &after[at + 1..] {
                if first.transition.process != second.transition.process && !first.footprint.conflicts(&second.footprint) {
                    pairs.push(((first.transition, one), (second.transition, two)));
                }
            }
        }
        for _ in 0..PAIRS.min(pairs.len()) {
            let pair = pairs.swap_remove(self.below(pairs.len()));
            if let Err(detail) = self.commute(schedule, pair.0, pair.1) {
                let steady = [pair.0.0, pair.1.0].iter().all(|t| {
                    let longer = with(schedule, &[*t]);
                    self.reach(&longer) == self.reach(&longer)
                });
                let law = if steady { Law::Independence } else { Law::Determinism };
                return Err(Broken {
                    other: Some(pair.1.0),
                    ..here.broken(law, pair.0.0, detail)
                });
            }
        }
        Ok(match enabled.len() {
            0 => None,
            n => Some(enabled[self.below(n)].transition),
        })
    }

    /// Two enabled steps that are said to be independent, in both orders, and what follows them.
    fn commute(
        &mut self,
        schedule: &[Transition],
        (t, one): (Transition, &Reached),
        (u, two): (Transition, &Reached),
    ) -> Result<(), String> {
        if !one.offer.enables(u) || !two.offer.enables(t) {
            return Err("one disables the other".to_owned());
        }
        let (tu, ut) = (with(schedule, &[t, u]), with(schedule, &[u, t]));
        let (Some(first), Some(second)) = (self.reach(&tu), self.reach(&ut)) else {
            return Err("one panics after the other, but not before it".to_owned());
        };
        if first.failure != two.failure || second.failure != one.failure {
            return Err("one fails in another way after the other".to_owned());
        }
        if first.births != two.births || second.births != one.births {
            return Err("one brings other processes to life after the other".to_owned());
        }
        let seed = self.random;
        let ways = [self.follow(&tu, seed), self.follow(&ut, seed)];
        let both = ways[0].iter().zip(&ways[1]);
        for (steps, ((t, a), (u, b))) in both.enumerate() {
            if let Some(difference) = a.offer.difference(&b.offer) {
                return Err(format!("{steps} steps after the two orders, {difference}"));
            }
            if t != u || a.failure != b.failure || a.births != b.births || a.at_end != b.at_end || a.seen != b.seen {
                return Err(format!("{steps} steps after the two orders, something else can be seen"));
            }
        }
        Ok(())
    }

    /// One continuation, which depends on the seed and on what is offered only: every state on it, with the step that led there.
    fn follow(&mut self, schedule: &[Transition], seed: u64) -> Vec<(Option<Transition>, Reached)> {
        self.random = seed;
        let (mut state, mut effects) = (self.program.start(), Effects::default());
        for next in schedule {
            self.step(&mut state, *next, &mut effects);
        }
        // The last steps are different ones: what they did was compared.
        effects.clear();
        let mut way = vec![(None, self.look(&state, &effects))];
        while way.len() < STEPS {
            let mut enabled: Vec<Transition> = way[way.len() - 1].1.offer.enabled().map(|o| o.transition).collect();
            enabled.sort_unstable_by_key(|t| (t.process, t.choice));
            if enabled.is_empty() {
                break;
            }
            let next = enabled[self.below(enabled.len())];
            if !self.step(&mut state, next, &mut effects) {
                break;
            }
            way.push((Some(next), self.look(&state, &effects)));
        }
        way
    }

    /// Leaves out an event of an execution with all that depends on it: what the program says about who could move then must be so.
    fn earlier(&mut self, schedule: &[Transition]) -> Result<(), Broken> {
        let Some(enabling) = self.program.insights().enabling else {
            return Ok(());
        };
        if schedule.is_empty() {
            return Ok(());
        }
        let Some(run) = self.run(schedule) else { return Ok(()) };
        let out = self.below(schedule.len());
        let kept: Vec<u32> = (0..schedule.len()).filter(|at| !run.past[*at][out]).map(|at| at as u32).collect();
        // The next step of each process after the part: one that was taken, or that is pending in the end. Others than those with a guard are never
        // asked about.
        let mut next: Vec<(Transition, &Footprint)> = Vec::new();
        for at in (0..schedule.len()).filter(|at| run.past[*at][out]) {
            if next.iter().all(|(t, _)| t.process != schedule[at].process) {
                next.push((schedule[at], &run.footprints[at]));
            }
        }
        let taken: Vec<Process> = next.iter().map(|(t, _)| t.process).collect();
        let pending = Offer::of(self.program, &run.state).list;
        let waiting = pending.iter().map(|o| (o.transition, &o.footprint));
        next.extend(waiting.filter(|(t, _)| !taken.contains(&t.process)));
        let guarded = next.into_iter().filter(|(_, f)| f.accesses().iter().any(|a| a.guard));
        let questions: Vec<Transition> = guarded.map(|(t, _)| t).collect();
        let answers: Vec<bool> = questions.iter().map(|q| enabling.enabled_after(&run.state, &kept, *q)).collect();
        drop(run);
        let part: Vec<Transition> = kept.iter().map(|at| schedule[*at as usize]).collect();
        let Some(there) = self.reach(&part) else { return Ok(()) };
        for (next, said) in questions.into_iter().zip(answers) {
            // Who is not born yet is not asked about.
            let is_there = there.offer.of_process(next.process).next().is_some();
            if is_there && said != there.offer.enables(next) {
                return Err(Broken {
                    law: Law::Enabling,
                    schedule: schedule.to_vec(),
                    step: None,
                    other: None,
                    location: None,
                    detail: format!(
                        "transition {}:{} is said to be {} after the steps at {kept:?} alone, but it is not",
                        next.process.0,
                        next.choice,
                        if said { "enabled" } else { "disabled" },
                    ),
                });
            }
        }
        Ok(())
    }

    /// Runs a schedule and computes what happens before what; `None` if a step panics.
    fn run(&self, schedule: &[Transition]) -> Option<Run<P::State>> {
        let (mut state, mut effects) = (self.program.start(), Effects::default());
        let mut past: Vec<Vec<bool>> = Vec::new();
        let (mut footprints, mut births) = (Vec::new(), Vec::new());
        for (at, next) in schedule.iter().enumerate() {
            let footprint = Offer::of(self.program, &state).find(*next)?.footprint.clone();
            if !self.step(&mut state, *next, &mut effects) {
                return None;
            }
            let mut own = vec![false; schedule.len()];
            own[at] = true;
            for before in 0..at {
                let first: Transition = schedule[before];
                let brought: &Vec<Process> = &births[before];
                let depends = first.process == next.process
                    || brought.contains(&next.process)
                    || effects.after.contains(&(before as u32))
                    || footprint.conflicts(&footprints[before]);
                if depends {
                    own.iter_mut().zip(&past[before]).for_each(|(mine, theirs)| *mine |= *theirs);
                }
            }
            past.push(own);
            footprints.push(footprint);
            births.push(effects.births.to_vec());
        }
        Some(Run { state, past, footprints })
    }
}

/// An execution, with for each event which events happen before it or are it.
struct Run<S> {
    state: S,
    past: Vec<Vec<bool>>,
    footprints: Vec<Footprint>,
}

fn with(schedule: &[Transition], more: &[Transition]) -> Vec<Transition> {
    [schedule, more].concat()
}

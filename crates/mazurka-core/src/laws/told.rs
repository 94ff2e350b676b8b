//! What processes were said to touch in all their future, held against what they do later on the same way.

use super::checker::{beyond, take};
use super::law::{Broken, Law};
use super::offer::Offer;
use crate::footprint::Footprint;
use crate::insights::Futures;
use crate::program::{Location, Process, Program, Transition};
use rustc_hash::FxHashMap;

/// A state on the way.
struct Earlier<S> {
    state: S,
    /// What was said there of each unfinished process of which something is known.
    futures: Vec<(Process, Footprint)>,
    /// Who was born in the step that led there.
    births: Vec<Process>,
}

/// What was said on the way to the present state.
pub(super) struct Told<'p, P: Program + ?Sized> {
    program: &'p P,
    futures: Option<&'p dyn Futures<P::State>>,
    schedule: Vec<Transition>,
    /// One more than the schedule has steps.
    way: Vec<Earlier<P::State>>,
    /// After how many steps somebody could touch a location for the first time.
    first: FxHashMap<Location, usize>,
}

impl<'p, P: Program + ?Sized> Told<'p, P>
where
    P::State: Clone,
{
    /// Nothing was said yet.
    pub fn new(program: &'p P) -> Self {
        Told {
            program,
            futures: program.insights().futures,
            schedule: Vec::new(),
            way: Vec::new(),
            first: FxHashMap::default(),
        }
    }

    /// Goes on to the state that `schedule` leads to, and compares what can happen there with what was said before.
    pub fn meet(&mut self, state: &P::State, schedule: &[Transition]) -> Result<(), Broken> {
        let Some(futures) = self.futures else {
            return Ok(());
        };
        let common = self.schedule.iter().zip(schedule).take_while(|(a, b)| a == b).count();
        let kept = (common + 1).min(schedule.len());
        self.way.truncate(kept);
        self.first.retain(|_, first| *first < kept);
        if self.way.is_empty() {
            let start = self.program.start();
            self.push(futures, start, Vec::new());
        }
        self.schedule.clear();
        self.schedule.extend_from_slice(schedule);
        while let Some(next) = schedule.get(self.way.len() - 1) {
            let last = &self.way[self.way.len() - 1];
            let Some(taken) = take(self.program, &last.state, *next, false) else {
                // The way ends here, and the caller came on by other means.
                self.schedule.truncate(self.way.len() - 1);
                return Ok(());
            };
            let state = if self.way.len() == schedule.len() {
                state.clone()
            } else {
                taken.state
            };
            self.push(futures, state, taken.births);
        }
        self.compare()
    }

    fn push(&mut self, futures: &dyn Futures<P::State>, state: P::State, births: Vec<Process>) {
        let mut told: Vec<(Process, Footprint)> = Vec::new();
        let offer = Offer::of(self.program, &state);
        for offered in &offer.list {
            let process = offered.transition.process;
            if told.last().is_none_or(|(last, _)| *last != process) {
                let mut future = Footprint::new();
                if futures.future(&state, process, &mut future) {
                    told.push((process, future));
                }
            }
            for access in offered.footprint.accesses() {
                self.first.entry(access.location).or_insert(self.way.len());
            }
        }
        self.way.push(Earlier {
            state,
            futures: told,
            births,
        });
    }

    /// Compares what the process that took the last step, and its children, may do now with what was said of it and of its ancestors.
    fn compare(&self) -> Result<(), Broken> {
        let (Some(here), Some(last)) = (self.way.last(), self.schedule.last()) else {
            return Ok(());
        };
        let offer = Offer::of(self.program, &here.state);
        for process in here.births.iter().copied().chain([last.process]) {
            let mut ancestor = process;
            for at in (0..self.schedule.len()).rev() {
                if self.way[at + 1].births.contains(&ancestor) {
                    ancestor = self.schedule[at].process;
                }
                let Some((_, future)) = self.way[at].futures.iter().find(|(p, _)| *p == ancestor) else {
                    continue;
                };
                for offered in offer.of_process(process) {
                    let known = |location: &Location| self.first.get(location).is_some_and(|first| *first <= at);
                    let accesses: Vec<_> = (offered.footprint.accesses().iter().copied())
                        .filter(|a| known(&a.location))
                        .collect();
                    if let Some(location) = beyond(&accesses, future) {
                        return Err(Broken {
                            law: Law::Future,
                            schedule: self.schedule.clone(),
                            step: Some(offered.transition),
                            other: None,
                            location: Some(location),
                            detail: format!("after {at} steps it was not within the future of process {}", ancestor.0),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

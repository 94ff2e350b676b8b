//! What is pending at a state, and the laws about that and about what a step changes in it. They need no copy of the state.

use super::law::{Broken, Law};
use super::offer::{Offer, Offered, same_accesses};
use crate::footprint::{Footprint, Mode, writes_guard};
use crate::insights::Insights;
use crate::program::{Features, Location, Process, Program, Transition};

/// What is offered at one state.
pub(super) struct Here<'a, P: Program + ?Sized> {
    pub program: &'a P,
    pub features: Features,
    pub insights: Insights<'a, P::State>,
    pub schedule: &'a [Transition],
    pub offer: Offer,
}

impl<P: Program + ?Sized> Here<'_, P> {
    pub fn broken(&self, law: Law, step: Transition, detail: impl Into<String>) -> Broken {
        Broken {
            law,
            schedule: self.schedule.to_vec(),
            step: Some(step),
            other: None,
            location: None,
            detail: detail.into(),
        }
    }

    /// What can be seen in the list of what is pending.
    pub fn listed(&self) -> Result<(), Broken> {
        self.offer.check(|law, step, detail| self.broken(law, step, detail))?;
        for offered in &self.offer.list {
            self.declared(offered)?;
            for other in &self.offer.list {
                self.pair(offered, other)?;
            }
        }
        Ok(())
    }

    /// What a footprint promises by itself.
    fn declared(&self, offered: &Offered) -> Result<(), Broken> {
        let (t, accesses) = (offered.transition, offered.footprint.accesses());
        for access in accesses.iter().filter(|a| a.guard) {
            if self.insights.guard_locations.is_some_and(|g| !g.may_guard(access.location)) {
                let broken = self.broken(Law::MayGuard, t, "a guard reads what guards are said never to read");
                return Err(at(broken, access.location));
            }
        }
        if self.features.one_location_per_step && (accesses.len() != 1 || accesses[0].mode != Mode::Write) {
            return Err(self.broken(Law::OneLocation, t, format!("the step has {} accesses", accesses.len())));
        }
        Ok(())
    }

    fn pair(&self, one: &Offered, two: &Offered) -> Result<(), Broken> {
        let (t, u) = (one.transition, two.transition);
        if t.process == u.process {
            return Ok(());
        }
        if writes_guard(one.footprint.accesses(), two.footprint.accesses()) {
            let spared = self
                .offer
                .of_process(u.process)
                .find(|alternative| !one.footprint.conflicts(&alternative.footprint));
            if let Some(spared) = spared {
                let detail = format!(
                    "it writes a guard of alternative {}, but not of {}",
                    u.choice, spared.transition.choice
                );
                return Err(and(self.broken(Law::Alternatives, t, detail), spared.transition));
            }
        }
        Ok(())
    }

    /// What the step did to what other processes offer.
    ///
    /// A step without a guard may name the steps that it waits for instead (`Effects::after`): `waits_for` says whether one names this step.
    pub fn others(
        &self,
        offered: &Offered,
        (births, after): (&[Process], &Offer),
        waits_for: &dyn Fn(Transition) -> bool,
    ) -> Result<(), Broken> {
        let (t, own) = (offered.transition, offered.footprint.accesses());
        let writes_guard_of = |process: Process| {
            self.offer
                .of_process(process)
                .any(|alternative| writes_guard(own, alternative.footprint.accesses()))
        };
        for before in self.offer.list.iter().filter(|o| o.transition.process != t.process) {
            let u = before.transition;
            let Some(now) = after.find(u) else {
                if after.of_process(u.process).next().is_none() {
                    return Err(and(self.broken(Law::Waiting, t, "the step makes another process vanish"), u));
                }
                if writes_guard_of(u.process) {
                    continue;
                }
                return Err(and(self.broken(Law::Listing, t, "the step makes another transition vanish"), u));
            };
            if now.enabled != before.enabled {
                let named = || now.enabled && waits_for(u);
                if !writes_guard(own, before.footprint.accesses()) && !named() {
                    let detail = if now.enabled {
                        "the step enables another"
                    } else {
                        "the step disables another"
                    };
                    return Err(and(
                        self.broken(Law::Enabledness, t, format!("{detail} without writing its guard")),
                        u,
                    ));
                }
                if before.enabled && before.footprint.monotone_guard {
                    return Err(and(
                        self.broken(Law::MonotoneGuard, t, "the step disables another whose guard is monotone"),
                        u,
                    ));
                }
            }
            if self.features.static_footprints && !same_accesses(&now.footprint, &before.footprint) {
                return Err(and(
                    self.broken(Law::StaticFootprints, t, "the step changes the footprint of another"),
                    u,
                ));
            }
        }
        let steady = self.features.static_footprints && self.features.static_alternatives;
        for now in after.list.iter().filter(|o| o.transition.process != t.process) {
            let u = now.transition;
            let together = |offer: &Offer| union(offer.of_process(u.process).map(|o| &o.footprint));
            let listed_before = self.offer.of_process(u.process).next().is_some();
            if !listed_before && !births.contains(&u.process) {
                return Err(and(
                    self.broken(Law::Births, t, "a process appears that was not reported as born"),
                    u,
                ));
            }
            if steady && listed_before && !same_accesses(&together(&self.offer), &together(after)) {
                return Err(and(
                    self.broken(
                        Law::StaticAlternatives,
                        t,
                        "the step changes what the alternatives of another may touch",
                    ),
                    u,
                ));
            }
            if listed_before && self.offer.find(u).is_none() && !writes_guard_of(u.process) {
                return Err(and(self.broken(Law::Listing, t, "the step makes another transition appear"), u));
            }
        }
        Ok(())
    }
}

pub(super) fn at(broken: Broken, location: Location) -> Broken {
    Broken {
        location: Some(location),
        ..broken
    }
}

pub(super) fn and(broken: Broken, other: Transition) -> Broken {
    Broken {
        other: Some(other),
        ..broken
    }
}

/// What steps touch taken together.
fn union<'f>(footprints: impl Iterator<Item = &'f Footprint>) -> Footprint {
    let mut union = Footprint::new();
    for footprint in footprints {
        footprint.accesses().iter().for_each(|access| union.add(*access));
    }
    union
}

//! Steps taken again after changing a value that they are said not to depend on.

use super::checker::{Standing, Taken, take};
use super::here::at;
use super::law::{Broken, Law};
use super::offer::{Offer, Offered};
use crate::footprint::Mode;
use crate::program::{Location, Program, Transition};

impl<P: Program + ?Sized> Standing<'_, P>
where
    P::State: Clone,
{
    /// Changes what the step is said not to touch, or to overwrite without a look at it: it must do the same.
    pub fn perturb(&self, offered: &Offered, taken: &Taken<P::State>) -> Result<(), Broken> {
        let Some(instruments) = self.insights.instruments else {
            return Ok(());
        };
        let mut locations: Vec<Location> = (self.offer.list.iter())
            .flat_map(|o| o.footprint.accesses())
            .map(|a| a.location)
            .collect();
        locations.sort_unstable();
        locations.dedup();
        for location in locations {
            let access = offered.footprint.accesses().iter().find(|a| a.location == location);
            let law = match access {
                None => Law::Perturbation,
                Some(access) if access.mode == Mode::Write && !access.maybe => Law::Overwriting,
                Some(_) => continue,
            };
            let seed = u64::from(location.0) + self.schedule.len() as u64;
            let (mut other, mut expected) = (self.state.clone(), taken.state.clone());
            if !instruments.perturb(&mut other, location, seed) {
                continue;
            }
            // What is overwritten is the same afterwards, whatever it was.
            if law == Law::Perturbation && !instruments.perturb(&mut expected, location, seed) {
                continue;
            }
            self.still_the_same(offered.transition, taken, (&other, &expected))
                .map_err(|detail| at(self.broken(law, offered.transition, detail), location))?;
        }
        Ok(())
    }

    /// Whether a step does from `other`, where one value is different, what it did here, and leads to `expected`; if not, what differs.
    fn still_the_same(
        &self,
        t: Transition,
        taken: &Taken<P::State>,
        (other, expected): (&P::State, &P::State),
    ) -> Result<(), &'static str> {
        if !Offer::of(self.program, other).enables(t) {
            return Err("with another value there, the step is not enabled");
        }
        let Some(taken_other) = take(self.program, other, t, false) else {
            return Err("with another value there, the step panics");
        };
        if taken_other.failure != taken.failure || taken_other.births != taken.births {
            return Err("with another value there, the step has other effects");
        }
        if self.program.fingerprint(&taken_other.state) != self.program.fingerprint(expected) {
            return Err("with another value there, the step leads elsewhere, or it writes there");
        }
        Ok(())
    }
}

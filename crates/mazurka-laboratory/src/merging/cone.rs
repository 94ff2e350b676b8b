//! Cones: what a pair `u.f` pending at a state says to the steps before it.

use super::guard::{Guard, Values};
use super::step::{Places, Processes, Step};
use mazurka_core::{Access, Location, Mode, Process, conflict};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The cone of a pair `u.f` pending at a state: `u` is exactly the causal past of the step `f`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cone {
    /// The process of `f`; `None` if it is *unborn*: some step of `u` gives birth to it.
    pub process: Option<Process>,
    /// What `f` may touch, as the program lists it.
    pub footprint: Vec<Access>,
    /// Whether and how `f` waits.
    pub guard: Guard,
    /// What `u` touches, per mode.
    pub trail: BTreeSet<(Location, Mode)>,
    /// The processes of `u` that exist at the state.
    pub past: Processes,
    /// The processes that can start `u.f`.
    pub initials: Processes,
}

impl Cone {
    /// The cone of `[f]`: nothing happens before it.
    pub fn of_next_step(process: Process, footprint: Vec<Access>, guard: Guard) -> Cone {
        Cone {
            process: Some(process),
            footprint,
            guard,
            trail: BTreeSet::new(),
            past: Processes::new(),
            initials: Processes::from([process]),
        }
    }

    /// Whether the other cone is superfluous: wherever it demands something, this one demands no less.
    fn dominates(&self, other: &Cone) -> bool {
        (&self.process, &self.footprint, &self.guard) == (&other.process, &other.footprint, &other.guard)
            && self.trail.is_subset(&other.trail)
            && self.past.is_subset(&other.past)
            && self.initials.is_subset(&other.initials)
    }

    /// `p ⊥ u`: the step can be moved over all of `u`.
    pub fn lets_pass(&self, p: &Step) -> bool {
        let touched = |a: &Access| self.trail.iter().any(|(l, mode)| *l == a.location && mode.conflicts(a.mode));
        !self.past.contains(&p.process) && self.past.is_disjoint(&p.births) && !p.footprint.iter().any(touched)
    }

    /// Whether `f` is a step of `p`, or of a process that `p` gives birth to.
    pub fn belongs_to(&self, p: &Step) -> bool {
        self.process.is_some_and(|f| f == p.process || p.births.contains(&f))
    }

    /// Whether `p` and `f` may not be swapped.
    pub fn conflicts_with(&self, p: &Step) -> bool {
        conflict(&self.footprint, &p.footprint)
    }

    /// Whether `f` can be taken after `s.u`, as far as that is known; `enabled` are the processes enabled at `s`.
    pub fn can_be_taken(&self, values: &dyn Values, enabled: &Processes) -> bool {
        let now = self.process.is_some_and(|f| enabled.contains(&f));
        let moves = self.process.is_none_or(|f| self.past.contains(&f));
        match &self.guard {
            _ if self.past.is_empty() => now,
            Guard::None => moves || now,
            Guard::Untouched => now,
            Guard::Touched => true,
            Guard::Condition(condition) => condition.evaluate(values) != 0,
        }
    }

    /// `p·c`: the cone with a step put before everything else. Locations from which a guard's value was computed are added to `computed`.
    pub fn after(&self, p: &Step, computed: &mut Places) -> Cone {
        let mut longer = self.clone();
        longer.process = self.process.filter(|f| !p.births.contains(f));
        longer.guard = self.guard.after(self, p, computed);
        longer.trail.extend(p.footprint.iter().map(|a| (a.location, a.mode)));
        longer.past = &longer.past - &p.births;
        longer.past.insert(p.process);
        longer.initials = &longer.initials & &p.independent;
        longer.initials.insert(p.process);
        longer
    }

    /// The cone with every process renamed.
    pub fn renamed(&self, new_name: &impl Fn(Process) -> Process) -> Cone {
        let all = |processes: &Processes| processes.iter().map(|p| new_name(*p)).collect();
        Cone {
            process: self.process.map(new_name),
            past: all(&self.past),
            initials: all(&self.initials),
            ..self.clone()
        }
    }
}

/// Numbers cones in the order in which a search meets them first.
///
/// The rule does not need numbers. But it leaves open which of several demands is met first, and both searches take the cones of a set in
/// this order: only then can their counts be compared.
#[derive(Default)]
pub struct Numbers(FxHashMap<Rc<Cone>, usize>);

impl Numbers {
    fn of(&mut self, cone: &Rc<Cone>) -> usize {
        let next = self.0.len();
        *self.0.entry(cone.clone()).or_insert(next)
    }
}

/// A set of cones, none of which dominates another.
#[derive(Clone, Default)]
pub struct Cones(BTreeMap<usize, Rc<Cone>>);

impl Cones {
    /// `C += c`: adds a cone unless a member dominates it; members that it dominates go.
    pub fn add(&mut self, cone: Rc<Cone>, numbers: &mut Numbers) {
        let number = numbers.of(&cone);
        if !self.0.values().any(|member| member.dominates(&cone)) {
            self.0.retain(|_, member| !cone.dominates(member));
            self.0.insert(number, cone);
        }
    }

    /// The members, those that were met first before the others.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Cone>> {
        self.0.values()
    }
}

//! Cones: what the future of a state can do, as far as it matters to a step that is put before it. The rules are those of the chapter on
//! merging in the book; the names are the same.

use crate::actions::{Action, Actions};
use crate::set::Set;
use mazurka_core::{Access, Mode, Process};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// The number of a footprint: an action of no process.
pub(crate) type Touches = Action;

/// Whether and how the last step of a cone waits, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Guard {
    None,
    /// It waits for what its process waits for now, and nothing in `u` touches what its guard reads.
    Untouched,
    /// Something in `u` writes what its guard reads, or its process moves in `u`.
    Touched,
}

/// The cone of a pair `u.f` pending at a state: `u` is exactly the causal past of the step `f`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Cone {
    /// The process of `f`; `None` if a step of `u` gives birth to it.
    process: Option<Process>,
    footprint: Touches,
    guard: Guard,
    /// What `u` touches: a number for each location and mode.
    trail: Set,
    /// The processes of `u` that exist at the state.
    past: Set,
    /// The processes that can start `u.f`.
    initials: Set,
}

impl Cone {
    /// Whether the other one is superfluous: whatever it demands, this one demands no less.
    fn dominates(&self, other: &Cone) -> bool {
        (self.process, self.footprint, self.guard) == (other.process, other.footprint, other.guard)
            && self.initials.is_subset(&other.initials)
            && self.past.is_subset(&other.past)
            && self.trail.is_subset(&other.trail)
    }
}

/// The number of a cone, and that of a set of cones.
type ConeId = u32;
pub(crate) type Cones = u32;

/// A step that is put before cones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub process: Process,
    pub footprint: Touches,
    /// The processes that it gives birth to.
    pub births: Set,
    /// The processes whose next steps are independent of it.
    pub independent: Set,
}

/// A race: one of these processes must be explored beside the step, or asleep.
pub(crate) struct Demand {
    pub initials: Set,
    /// Only if this process is enabled before the step: nothing in `u` decides whether `f` can be taken.
    pub if_enabled: Option<Process>,
}

/// What one cone after a step says before it.
#[derive(Clone, Copy)]
struct Before {
    /// It is a cone of the state before the step.
    stays: bool,
    /// So is this one, which begins with the step. If both are, the step and the last one of the cone race.
    longer: Option<ConeId>,
}

/// What a set of cones becomes, and what is demanded.
type Becomes = (Cones, Rc<[Demand]>);

/// Things with numbers.
struct Interned<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    list: Vec<Rc<T>>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned {
            numbers: FxHashMap::default(),
            list: Vec::new(),
        }
    }
}

impl<T: Hash + Eq> Interned<T> {
    fn number(&mut self, thing: T) -> u32 {
        if let Some(known) = self.numbers.get(&thing) {
            return *known;
        }
        let (thing, number) = (Rc::new(thing), self.list.len() as u32);
        self.numbers.insert(Rc::clone(&thing), number);
        self.list.push(thing);
        number
    }
}

/// All cones, sets of them and steps that were met, and what became of the ones under the others.
#[derive(Default)]
pub(crate) struct Futures {
    cones: Interned<Cone>,
    sets: Interned<Vec<ConeId>>,
    steps: Interned<Step>,
    sleeps: Interned<Set>,
    of_cones: FxHashMap<(u32, ConeId), Before>,
    of_sets: FxHashMap<(u32, Cones, Cones), Becomes>,
}

impl Futures {
    /// The number of a set of processes.
    pub fn sleep(&mut self, set: &Set) -> u32 {
        self.sleeps.number(set.clone())
    }

    pub fn slept(&self, number: u32) -> &Set {
        &self.sleeps.list[number as usize]
    }

    /// The cones `[f]` of the next steps of all processes: a process with what it may touch.
    pub fn next_steps(&mut self, next: impl Iterator<Item = (Process, Touches)>, actions: &Actions) -> Cones {
        let cones = next.map(|(process, footprint)| {
            let guard = if actions.is_guarded(footprint) {
                Guard::Untouched
            } else {
                Guard::None
            };
            self.cones.number(Cone {
                process: Some(process),
                footprint,
                guard,
                trail: Set::default(),
                past: Set::default(),
                initials: Set::of(process.index()),
            })
        });
        let mut cones: Vec<ConeId> = cones.collect();
        cones.sort_unstable();
        self.sets.number(cones)
    }

    /// What the cones `after` a step become before it, together with those that are known there, and what the step demands.
    pub fn before(&mut self, step: Step, known: Cones, after: Cones, actions: &Actions) -> Becomes {
        let number = self.steps.number(step);
        if let Some((cones, demands)) = self.of_sets.get(&(number, known, after)) {
            return (*cones, Rc::clone(demands));
        }
        let step = Rc::clone(&self.steps.list[number as usize]);
        let mut cones = self.sets.list[known as usize].to_vec();
        let mut demands = Vec::new();
        for &cone in &*Rc::clone(&self.sets.list[after as usize]) {
            let before = match self.of_cones.get(&(number, cone)) {
                Some(before) => *before,
                None => {
                    let before = self.cone_before(&step, cone, actions);
                    self.of_cones.insert((number, cone), before);
                    before
                }
            };
            if before.stays {
                self.add(&mut cones, cone);
            }
            if let Some(longer) = before.longer {
                self.add(&mut cones, longer);
                if before.stays {
                    demands.push(self.race(cone));
                }
            }
        }
        cones.sort_unstable();
        let (cones, demands): Becomes = (self.sets.number(cones), demands.into());
        self.of_sets.insert((number, known, after), (cones, Rc::clone(&demands)));
        (cones, demands)
    }

    /// `C += c`: what is dominated goes.
    fn add(&self, cones: &mut Vec<ConeId>, new: ConeId) {
        let list = &self.cones.list;
        let cone = &list[new as usize];
        if !cones.iter().any(|c| *c == new || list[*c as usize].dominates(cone)) {
            cones.retain(|c| !cone.dominates(&list[*c as usize]));
            cones.push(new);
        }
    }

    fn cone_before(&mut self, p: &Step, id: ConeId, actions: &Actions) -> Before {
        let c = Rc::clone(&self.cones.list[id as usize]);
        let own = c.process.is_some_and(|f| f == p.process || p.births.contains(f.index()));
        // p ⊥ u
        let over = !c.past.contains(p.process.index())
            && !c.past.intersects(&p.births)
            && !c.trail.intersects(&obstacles(actions.accesses(p.footprint)));
        let stays = over && !own;
        let longer = !stays || actions.conflict(p.footprint, c.footprint);
        Before {
            stays,
            longer: longer.then(|| self.cones.number(c.after(p, own, actions))),
        }
    }

    /// What a race of a step with the last one of a cone that stays demands: `f` could be taken after `u` without the step.
    fn race(&self, cone: ConeId) -> Demand {
        let c = &self.cones.list[cone as usize];
        let moves = c.process.is_none_or(|f| c.past.contains(f.index()));
        let decided = match c.guard {
            Guard::None => moves && !c.past.is_empty(),
            Guard::Untouched => false,
            Guard::Touched => true,
        };
        Demand {
            initials: c.initials.clone(),
            if_enabled: if decided { None } else { c.process },
        }
    }
}

impl Cone {
    /// `p·c`: the cone with a step put before everything else.
    fn after(&self, p: &Step, own: bool, actions: &Actions) -> Cone {
        let mut longer = self.clone();
        if self.guard == Guard::Untouched && (own || actions.writes_guard(p.footprint, self.footprint)) {
            longer.guard = Guard::Touched;
        }
        longer.process = self.process.filter(|f| !p.births.contains(f.index()));
        longer.trail.unite(&trail(actions.accesses(p.footprint)));
        longer.past.subtract(&p.births);
        longer.past.insert(p.process.index());
        longer.initials.intersect(&p.independent);
        longer.initials.insert(p.process.index());
        longer
    }
}

fn place(access: &Access, mode: Mode) -> usize {
    access.location.index() * 3 + mode as usize
}

/// What a step leaves in a trail.
fn trail(accesses: &[Access]) -> Set {
    accesses.iter().map(|a| place(a, a.mode)).collect()
}

/// What a step cannot be moved over.
fn obstacles(accesses: &[Access]) -> Set {
    let modes = [Mode::Read, Mode::Write, Mode::Accumulate];
    let against = |a| {
        modes
            .into_iter()
            .filter(move |mode| mode.conflicts(Access::clone(a).mode))
            .map(move |mode| place(a, mode))
    };
    accesses.iter().flat_map(against).collect()
}

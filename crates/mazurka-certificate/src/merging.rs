//! Certificates of searches that merge: `Explore(s, Z)` of the chapter on merging in the book, with the members of `B` read instead of chosen.
//!
//! The proof there does not use how `B` was chosen, only what is true of it in the end: some member has all that its races demand (rule ONE),
//! or everything awake is in it. So the checker follows the steps of the certificate, works out itself which states were explored before,
//! what sleeps, and the cones, and looks at `B` when a state is left. An entry is used only after it was left, so no argument goes round in
//! a circle.

use crate::Rejection;
use crate::actions::{Action, Actions};
use crate::cones::{Cones, Demand, Futures, Step, Touches};
use crate::execution::{Event, Execution, Frame, Numbers};
use crate::findings::Findings;
use crate::format::In;
use crate::laws::Laws;
use crate::set::Set;
use crate::symbols::Steps;
use crate::verified::{Claimed, Evidence, Verified};
use mazurka_core::{Describe, Fingerprint, Footprint, Process, Program, Transition};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::io::Read;

/// A process at a state: all its alternatives count as one step.
struct Unit {
    process: Process,
    footprint: Touches,
    /// The alternatives that are enabled.
    enabled: SmallVec<[Action; 2]>,
}

/// How a state was met.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Met {
    /// It is not known: it is explored as far as its races demand.
    New,
    /// It was explored with more asleep: these are missing.
    Woken(Set),
    /// Nothing is missing.
    Cut,
}

/// One call of `Explore`.
struct Node {
    state: Fingerprint,
    met: Met,
    units: Vec<Unit>,
    /// `Z`.
    sleep: Set,
    /// `B`, in order.
    branches: Vec<Process>,
    /// How many alternatives of the last branch were taken.
    taken: usize,
    /// `C`.
    cones: Cones,
    /// `Req`: what is not met yet, with the place of its branch.
    demands: Vec<(usize, Set)>,
    /// The step that is being explored.
    step: Option<Step>,
}

struct Merging {
    futures: Futures,
    /// The states that were explored: what slept, and the cones.
    stored: FxHashMap<Fingerprint, (u32, Cones)>,
    /// What several alternatives touch together.
    unions: FxHashMap<SmallVec<[Action; 4]>, Touches>,
    nodes: Vec<Node>,
    states: u64,
    demands: u64,
}

/// Checks that everything is explored that can make a difference.
pub(crate) fn merged<P, R: Read>(program: &P, deadlock_is_error: bool, input: &mut In<R>, claimed: Claimed) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let features = program.features();
    if !features.static_footprints || !features.static_alternatives || !features.terminating {
        return Err(Rejection::refused(
            "this program does not promise to end and to tell beforehand what its steps touch, and the theorem needs both",
        ));
    }
    let mut actions = Actions::default();
    let mut laws = Laws::new();
    let mut symbols = Steps::default();
    let mut found = Findings::new(deadlock_is_error);
    let mut execution = Execution::new(program, &mut Numbers::Growing(&mut actions))?;
    let mut merging = Merging {
        futures: Futures::default(),
        stored: FxHashMap::default(),
        unions: FxHashMap::default(),
        nodes: Vec::new(),
        states: 0,
        demands: 0,
    };
    let (mut leaves, mut steps, mut at_end) = (0, 0, Vec::new());
    merging.arrive(program, execution.top(), &mut actions, Set::default());
    while let Some(back) = input.number()?.checked_sub(1) {
        if back > execution.depth() as u64 || (back == 0 && leaves > 0) {
            return Err(Rejection::unreadable("its executions are not in the order of a tree"));
        }
        for _ in 0..back {
            merging.leave(&actions).map_err(|r| r.in_execution(leaves - 1))?;
            execution.leave(None, &actions);
            execution.wake();
        }
        for _ in 0..input.number()? {
            let pending = execution.top().offers.iter().map(|o| actions.process(o.action));
            let transition = symbols.read(input, program, pending)?;
            let sleep = merging.take(transition, &actions).map_err(|r| r.in_execution(leaves))?;
            let action = execution.offered(transition, &actions);
            let action = action.ok_or_else(|| Rejection::refused("a step in it cannot be taken").in_execution(leaves))?;
            execution
                .arrive(action, 0, &mut Numbers::Growing(&mut actions), true)
                .and_then(|()| laws.check(&execution, &actions))
                .and_then(|()| found.step(last(&execution).failure.as_ref()))
                .map_err(|r| r.in_execution(leaves))?;
            steps += 1;
            merging.note_births(last(&execution));
            merging.arrive(program, execution.top(), &mut actions, sleep);
        }
        leaves += 1;
        if merging.is_end() {
            let state = &execution.top().state;
            at_end.clear();
            program.failures_at_end(state, &mut at_end);
            found.end(program.fingerprint(state), &at_end)?;
        }
    }
    if leaves == 0 {
        return Err(Rejection::refused("it has no execution"));
    }
    while !merging.nodes.is_empty() {
        merging.leave(&actions).map_err(|r| r.in_execution(leaves - 1))?;
    }
    let evidence = Evidence::Merged {
        states: merging.states,
        demands: merging.demands,
    };
    Ok(Verified {
        swapped: laws.swapped,
        ..Verified::new(claimed.compare(input, found.claims()?)?, steps, evidence)
    })
}

fn last<'e, P: Program + ?Sized>(execution: &'e Execution<'_, P>) -> &'e Event
where
    P::State: Clone,
{
    &execution.events()[execution.depth() - 1]
}

impl Merging {
    /// The start of `Explore(s, Z)`.
    fn arrive<P: Program + ?Sized>(&mut self, program: &P, frame: &Frame<P::State>, actions: &mut Actions, mut sleep: Set) {
        let state = program.fingerprint(&frame.state);
        let units = self.units(program, frame, actions);
        let (met, cones) = match self.stored.get(&state) {
            Some((slept, cones)) => {
                let slept = self.futures.slept(*slept);
                if slept.is_subset(&sleep) {
                    (Met::Cut, *cones)
                } else {
                    let mut missing = slept.clone();
                    missing.subtract(&sleep);
                    sleep.intersect(slept);
                    (Met::Woken(missing), *cones)
                }
            }
            None => {
                let next = units.iter().map(|u| (u.process, u.footprint));
                (Met::New, self.futures.next_steps(next, actions))
            }
        };
        self.states += u64::from(met == Met::New);
        self.nodes.push(Node {
            state,
            met,
            units,
            sleep,
            branches: Vec::new(),
            taken: 0,
            cones,
            demands: Vec::new(),
            step: None,
        });
    }

    /// The unfinished processes, and what the next step of each may touch.
    fn units<P: Program + ?Sized>(&mut self, program: &P, frame: &Frame<P::State>, actions: &mut Actions) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut footprint = Footprint::new();
        let mut left = &frame.offers[..];
        while let Some(first) = left.first() {
            let process = actions.process(first.action);
            let count = left.iter().take_while(|o| actions.process(o.action) == process).count();
            let (own, others) = left.split_at(count);
            left = others;
            let alternatives: SmallVec<[Action; 4]> = own.iter().map(|o| o.action).collect();
            let union = match self.unions.get(&alternatives) {
                Some(known) => *known,
                None => {
                    footprint.clear();
                    for alternative in &alternatives {
                        program.footprint(&frame.state, actions.transition(*alternative), &mut footprint);
                    }
                    let union = actions.number(Transition::of(Process(u32::MAX)), footprint.accesses());
                    self.unions.insert(alternatives, union);
                    union
                }
            };
            units.push(Unit {
                process,
                footprint: union,
                enabled: own.iter().filter(|o| o.enabled).map(|o| o.action).collect(),
            });
        }
        units
    }

    fn is_end(&self) -> bool {
        let ends = |node: &Node| node.met == Met::New && node.units.iter().all(|u| u.enabled.is_empty());
        self.nodes.last().is_some_and(ends)
    }

    /// The next step of the loop over `B`; what sleeps after it.
    fn take(&mut self, transition: Transition, actions: &Actions) -> Result<Set, Rejection> {
        let Some(node) = self.nodes.last_mut() else {
            unreachable!("the first node is left at the end")
        };
        if node.met == Met::Cut {
            return Err(Rejection::refused("it goes on from a state from which nothing is missing"));
        }
        let process = transition.process;
        if node.branches.last() == Some(&process) {
            node.taken += 1;
        } else {
            node.has_taken_all()?;
            if node.branches.contains(&process) || node.sleep.contains(process.index()) {
                return Err(Rejection::refused("it explores a process twice from one state, or one that sleeps"));
            }
            node.branches.push(process);
            node.taken = 1;
        }
        let cannot = || Rejection::refused("a step in it cannot be taken");
        let unit = node.unit(process).ok_or_else(cannot)?;
        let alternative = unit.enabled.get(node.taken - 1).ok_or_else(cannot)?;
        if actions.transition(*alternative) != transition {
            return Err(Rejection::refused(
                "the alternatives of a process are not there one after the other",
            ));
        }
        let others = node.units.iter().filter(|u| u.process != process);
        let independent: Set = others
            .filter(|u| !actions.conflict(u.footprint, unit.footprint))
            .map(|u| u.process.index())
            .collect();
        let mut sleep = node.sleep.clone();
        node.branches.iter().for_each(|p| sleep.insert(p.index()));
        sleep.intersect(&independent);
        node.step = Some(Step {
            process,
            footprint: unit.footprint,
            births: Set::default(),
            independent,
        });
        Ok(sleep)
    }

    fn note_births(&mut self, event: &Event) {
        if let Some(step) = self.nodes.last_mut().and_then(|node| node.step.as_mut()) {
            step.births = event.births.iter().map(|p| p.index()).collect();
        }
    }

    /// The end of `Explore`: whether `B` is enough, and what the step before learns of it.
    fn leave(&mut self, actions: &Actions) -> Result<(), Rejection> {
        let Some(node) = self.nodes.pop() else { return Ok(()) };
        node.has_taken_all()?;
        if !node.is_covered() {
            return Err(Rejection::refused("a state is not explored as far as its races demand"));
        }
        if node.met != Met::Cut {
            let slept = self.futures.sleep(&node.sleep);
            self.stored.insert(node.state, (slept, node.cones));
        }
        let Some(parent) = self.nodes.last_mut() else { return Ok(()) };
        let Some(step) = parent.step.take() else { return Ok(()) };
        let (cones, demands) = self.futures.before(step, parent.cones, node.cones, actions);
        parent.cones = cones;
        for demand in &*demands {
            self.demands += u64::from(parent.demand(demand));
        }
        Ok(())
    }
}

impl Node {
    fn unit(&self, process: Process) -> Option<&Unit> {
        self.units.iter().find(|u| u.process == process)
    }

    /// Whether the last branch has all its alternatives.
    fn has_taken_all(&self) -> Result<(), Rejection> {
        let last = self.branches.last().and_then(|p| self.unit(*p));
        if last.is_some_and(|unit| unit.enabled.len() != self.taken) {
            return Err(Rejection::refused("an alternative of a step is not there"));
        }
        Ok(())
    }

    /// `Req[p] += I(c)` for the branch that is being explored, if the race can happen.
    fn demand(&mut self, demand: &Demand) -> bool {
        let enabled = |p: Process| self.unit(p).is_some_and(|u| !u.enabled.is_empty());
        if !demand.if_enabled.is_none_or(enabled) {
            return false;
        }
        let branch = self.branches.len() - 1;
        if !self.is_met(&demand.initials) && !self.demands.iter().any(|(b, set)| *b == branch && *set == demand.initials) {
            self.demands.push((branch, demand.initials.clone()));
        }
        true
    }

    /// Whether `B ∪ Z` meets the set.
    fn is_met(&self, set: &Set) -> bool {
        set.intersects(&self.sleep) || self.branches.iter().any(|p| set.contains(p.index()))
    }

    /// Whether what is explored covers all that begins with nothing that sleeps.
    fn is_covered(&self) -> bool {
        match &self.met {
            Met::Cut => true,
            Met::Woken(missing) => missing.iter().all(|p| self.branches.contains(&Process(p as u32))),
            Met::New if self.branches.is_empty() => {
                let asleep = |u: &Unit| u.enabled.is_empty() || self.sleep.contains(u.process.index());
                self.units.iter().all(asleep)
            }
            // Rule ONE.
            Met::New => (0..self.branches.len()).any(|b| self.demands.iter().all(|(of, set)| *of != b || self.is_met(set))),
        }
    }
}

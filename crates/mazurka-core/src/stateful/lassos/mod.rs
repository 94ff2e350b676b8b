//! The search for executions without end that violate a property: a beginning and a loop that goes through what the property's automaton
//! accepts.
//!
//! The pairs of a state and a state of the automaton are explored depth first, and their strongly connected components found on the fly
//! (Couvreur's algorithm). Weak fairness needs no copies of the state space here: that a process moves or is not enabled is one more thing
//! that a component must have (a generalised Büchi condition), which is what the copies of Choueka's construction count off.
//!
//! Reduction is that of [`Reducer`](super::reduction::Reducer), with what the property looks at as visible. It chooses by the state alone, so
//! what is explored is the product of the automaton and a reduced state space in which each execution has one that differs only in how often
//! states are repeated: a set is used in place of all transitions only if it is persistent or a source set, all in it are invisible, and all
//! go upwards in an order that no cycle does, so that on each cycle some state is expanded in full (conditions C1, C2 and C3 of E. Clarke,
//! O. Grumberg and D. Peled, Model Checking, Section 10.3; D. Peled, Combining Partial Order Reductions with On-the-fly Model-Checking,
//! 1996). Fairness is not kept by this, so it is searched for without reduction.

mod components;
mod extract;
mod product;

use super::StatefulOptions;
use super::graph::Graph;
use super::numbered::Numbered;
use super::property::{Property, PropertyReport};
use super::reduction::Reduction;
use super::report::{Chosen, Reports, StateReport};
use crate::driver::Walk;
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Outcome};
use crate::program::Transition;
use crate::search::{Limits, Options, Status};
use components::{Components, Marks};
use extract::{Lasso, extract};
use product::{Expansion, Point, Product};

/// The walk.
pub(super) struct Lassos<'p> {
    product: Product<'p>,
    counts: Counts,
    limits: Limits,
    numbers: Numbered,
    components: Components,
    path: Vec<Frame>,
    /// Memory for frames.
    spare: Vec<Expansion>,
    encodable: bool,
    exact: bool,
    /// Whether failures of the program's own steps are told.
    tells_failures: bool,
    started: bool,
}

/// A pair of the current path.
struct Frame {
    number: u32,
    point: Point,
    /// The step that led here, if the program took one.
    by: Option<Transition>,
    expansion: Expansion,
    /// How many of its transitions were taken.
    taken: usize,
}

impl<'p> Lassos<'p> {
    /// A search for what violates this property of the graph.
    pub fn new(
        graph: Box<dyn Graph + 'p>,
        number: usize,
        property: Property,
        options: &Options,
        stateful: StatefulOptions,
        encodable: bool,
    ) -> Self {
        let reduction = options.algorithm.reduction().unwrap_or(Reduction::None);
        Lassos {
            product: Product::new(graph, number, property, stateful.fair, reduction),
            counts: Counts::default(),
            limits: options.limits,
            numbers: Numbered::new(stateful.exact),
            components: Components::default(),
            path: Vec::new(),
            spare: Vec::new(),
            encodable,
            exact: stateful.exact,
            tells_failures: stateful.checks == super::Checks::Properties,
            started: false,
        }
    }

    fn start(&mut self, findings: &mut Findings) -> Status {
        let (state, failure) = self.product.graph.start();
        if let Some(failure) = failure {
            // There is no first step, and so no execution to speak of.
            if self.tells_failures {
                findings.fail(failure, 0, Vec::new);
            }
            return Status::Done;
        }
        let at = self.product.property.start;
        let (number, _) = self.numbers.number(&*self.product.graph, state, at);
        self.counts.states += 1;
        self.arrive(findings, number, Point { state, at }, None)
    }

    /// The steps that the program took on the current path.
    fn schedule(&self) -> Vec<Transition> {
        self.path.iter().filter_map(|frame| frame.by).collect()
    }

    /// Comes to a new pair.
    fn arrive(&mut self, findings: &mut Findings, number: u32, point: Point, by: Option<Transition>) -> Status {
        let mut expansion = self.spare.pop().unwrap_or_default();
        self.product.expand(point, false, &mut expansion);
        if expansion.steps.is_empty() && !expansion.readings.is_empty() {
            self.counts.executions += 1;
        }
        self.components.open(number, expansion.marks, self.product.marks_of(by));
        let failures: Vec<Failure> = expansion.readings.iter().filter_map(|r| r.failure.clone()).collect();
        expansion.readings.retain(|r| r.failure.is_none());
        let mut taken = 0;
        if self.limits.depth.is_some_and(|limit| self.path.len() as u64 >= limit) && expansion.len() > 0 {
            findings.limit = Some(Limit::Depth);
            taken = expansion.len();
        }
        self.path.push(Frame {
            number,
            point,
            by,
            expansion,
            taken,
        });
        self.counts.max_depth = self.counts.max_depth.max(self.depth());
        for failure in failures {
            let schedule = self.schedule();
            if findings.fail(failure, self.counts.executions, || self.product.graph.schedule(schedule)) {
                return Status::Done;
            }
        }
        Status::Running
    }

    /// Takes the next transition of the path's last pair, or leaves that.
    fn next(&mut self, findings: &mut Findings) -> Status {
        let Some(frame) = self.path.last_mut() else { return Status::Done };
        if frame.taken >= frame.expansion.len() {
            self.leave();
            return Status::Running;
        }
        let (step, at) = frame.expansion.get(frame.taken);
        frame.taken += 1;
        let (by, failure) = (step.map(|s| s.transition), step.and_then(|s| s.failure.clone()));
        let point = Point {
            state: step.map_or(frame.point.state, |s| s.state),
            at,
        };
        self.counts.steps += 1;
        if let Some(failure) = failure.filter(|f| self.tells_failures || f.kind == FailureKind::Limit) {
            let mut schedule = self.schedule();
            schedule.extend(by);
            if findings.fail(failure, self.counts.executions, || self.product.graph.schedule(schedule)) {
                return Status::Done;
            }
        }
        let (number, is_new) = self.numbers.number(&*self.product.graph, point.state, point.at);
        if is_new {
            self.counts.states += 1;
            return self.arrive(findings, number, point, by);
        }
        self.counts.cut += 1;
        if self.components.is_left(number) {
            return Status::Running;
        }
        match self.components.join(number, self.product.marks_of(by)) {
            Some((marks, root)) if marks == Marks::ALL => self.found(findings, root),
            _ => Status::Running,
        }
    }

    fn leave(&mut self) {
        if let Some(mut frame) = self.path.pop() {
            self.components.close(frame.number);
            for step in frame.expansion.steps.drain(..) {
                self.product.graph.give_back(step.state);
            }
            self.spare.push(frame.expansion);
        }
    }

    /// The component that begins with this pair is accepted: shows an execution that stays in it, and ends the search. What else violates the
    /// property would be more of the same.
    fn found(&mut self, findings: &mut Findings, root: u32) -> Status {
        let begin = self.path.iter().position(|frame| frame.number == root).unwrap_or(0);
        let stem: Vec<Option<Transition>> = self.path[1..=begin].iter().map(|frame| frame.by).collect();
        let (numbers, components) = (&self.numbers, &self.components);
        let member = |graph: &dyn Graph, point: Point| {
            let number = numbers.get(graph, point.state, point.at);
            number.filter(|&n| n >= root && !components.is_left(n))
        };
        let Lasso { stem, cycle } = extract(&mut self.product, self.exact, stem, self.path[begin].point, &member);
        let repeats = stem.len();
        let schedule = self.product.graph.schedule([stem, cycle].concat());
        let failure = failure(&self.product.property, repeats, schedule.len());
        findings.fail_for_ever(failure, self.counts.executions, schedule, repeats);
        Status::Done
    }
}

/// The failure of an execution of so many steps, of which those after the first `repeats` repeat.
pub(crate) fn failure(property: &Property, repeats: usize, steps: usize) -> Failure {
    let how = match (repeats + 1, steps) {
        (first, last) if first > last => "the last state stays for ever".to_owned(),
        (first, last) if first == last => format!("step {first} repeats for ever"),
        (first, last) => format!("steps {first} to {last} repeat for ever"),
    };
    Failure {
        kind: FailureKind::Property,
        message: format!("{}: {how}", property.violated),
        at: property.at.clone(),
    }
}

impl Walk for Lassos<'_> {
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        if !self.started {
            self.started = true;
            return self.start(findings);
        }
        let status = self.next(findings);
        if status == Status::Running && self.limits.executions.is_some_and(|limit| self.counts.states >= limit) {
            findings.limit = Some(Limit::Executions);
            return Status::Done;
        }
        status
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn depth(&self) -> u64 {
        self.path.len().saturating_sub(1) as u64
    }

    fn complete(&self, outcome: &mut Outcome) {
        outcome.distinct_final_states = None;
    }
}

impl Reports for Lassos<'_> {
    fn report(&self) -> StateReport {
        let Counts { states, cut, .. } = self.counts;
        StateReport {
            stored: states,
            matched: cut,
            transitions: states + cut,
            collision_probability: self.numbers.collision_probability(),
            encodable: self.encodable,
            remembers_failures: self.product.graph.remembers_failures(),
            unreached: Vec::new(),
            properties: vec![PropertyReport {
                stored: states,
                transitions: states + cut,
                unreduced: self.product.property.unreduced.clone(),
                ..PropertyReport::new(&self.product.property.name)
            }],
        }
    }

    fn ends(&self) -> &[Vec<Transition>] {
        &[]
    }

    fn tell(&mut self, _: Chosen) -> bool {
        false
    }
}

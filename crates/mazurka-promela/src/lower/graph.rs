//! From linked sequences to the control-flow graph: locations with their edges, as SPIN numbers and connects them.

use super::flow::{ATOM, Content, DETERMINISTIC, ElementId, Flow, LabelRef, MAX_HOPS, SequenceId};
use super::listed::listed;
use super::loops::mark_loops;
use crate::model::{Deterministic, DeterministicNode, Edge, Ex, Listed, Location, Op};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Locations are kept in 16 bits.
const MAX_LOCATIONS: usize = 60_000;

/// The graph of one process type.
pub(super) struct Graph {
    pub locations: Vec<Location>,
    pub start: u32,
    pub crashed: u32,
    /// The location of every element that is one.
    pub numbers: FxHashMap<ElementId, u32>,
    /// What is listed if it is never reached.
    pub listed: Vec<Listed>,
}

/// An edge between elements.
struct RawEdge {
    /// The statement it stands for.
    element: ElementId,
    op: Op,
    target: Option<ElementId>,
    atomic: bool,
    /// Its target may be rested at: SPIN hands the `end` label of an option's first statement on to where that statement leads.
    ends: bool,
}

pub(super) struct Builder<'a> {
    flow: &'a Flow,
    targets: FxHashMap<ElementId, ElementId>,
    listed_as: FxHashMap<ElementId, u32>,
    diagnostics: &'a mut Diagnostics,
}

/// Builds the graph of a body; `extra` are elements that must be locations because other processes ask about them.
pub(super) fn build(flow: &mut Flow, body: SequenceId, extra: &[ElementId], diagnostics: &mut Diagnostics) -> Graph {
    let targets = resolve_jumps(flow, diagnostics);
    let (listed, listed_as) = listed(flow, body);
    flow.tie_ends(body);
    patch_atomic_jumps(flow, &targets);
    let mut builder = Builder {
        flow,
        targets,
        listed_as,
        diagnostics,
    };
    Graph {
        listed,
        ..builder.graph(body, extra)
    }
}

/// Finds where each jump leads: the label in the same block first, then in an enclosing one, then anywhere in the body.
fn resolve_jumps(flow: &Flow, diagnostics: &mut Diagnostics) -> FxHashMap<ElementId, ElementId> {
    let mut targets = FxHashMap::default();
    for (id, element) in flow.elements.iter().enumerate() {
        let Content::Goto(label) = &element.content else { continue };
        let target = match label {
            LabelRef::Break(number) => flow.breaks[*number],
            LabelRef::Named(name, scope, span) => {
                let found = find_label(flow, name, scope);
                if found.is_none() {
                    let known = flow.labels.iter().map(|l| &*l.name);
                    diagnostics.push(
                        Diagnostic::error("unknown-label", format!("there is no label `{name}` in this process type"))
                            .label(*span, "jumps nowhere")
                            .did_you_mean(name, known),
                    );
                }
                found
            }
        };
        if let Some(target) = target {
            targets.insert(id, target);
        }
    }
    targets
}

/// The element of the label that a jump written in `scope` means.
pub(super) fn find_label(flow: &Flow, name: &str, scope: &[u32]) -> Option<ElementId> {
    let candidates = flow.labels.iter().filter(|l| &*l.name == name);
    let rank = |l: &&super::flow::Label| match (l.scope == scope, scope.starts_with(&l.scope)) {
        (true, _) => usize::MAX,
        (_, true) => 1 + l.scope.len(),
        _ => 0,
    };
    candidates.max_by_key(rank).map(|l| l.element)
}

/// A jump out of an atomic sequence ends it; a jump from the end of one into another keeps control.
fn patch_atomic_jumps(flow: &mut Flow, targets: &FxHashMap<ElementId, ElementId>) {
    use super::flow::LAST;
    for jump in 0..flow.elements.len() {
        let Some(&target) = targets.get(&jump) else { continue };
        let inside = |status: u8| status & (ATOM | LAST) != 0;
        let status = flow.elements[jump].status;
        if inside(status) && !inside(flow.elements[target].status) {
            flow.elements[jump].status = status & !ATOM | LAST;
        } else if status & LAST != 0 && inside(flow.elements[target].status) {
            flow.elements[jump].status = status & !LAST | ATOM;
        }
    }
}

impl Builder<'_> {
    /// Follows jumps and common points from `from` to where the next statement is. A jump that leaves an atomic sequence is a statement.
    fn hunt(&mut self, from: ElementId, status: u8) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let next = match self.flow.elements[at].content {
                Content::Goto(_) => self.targets.get(&at).copied(),
                Content::Join | Content::AfterLoop => self.flow.elements[at].next,
                Content::Unless => {
                    let main = self.flow.elements[at].parts[0];
                    self.flow.sequences[main].first
                }
                _ => None,
            };
            let Some(next) = next else { return at };
            if status & ATOM != 0
                && self.flow.elements[next].status & ATOM == 0
                && !matches!(self.flow.elements[at].content, Content::Unless)
            {
                return at;
            }
            at = next;
        }
        let span = self.flow.elements[from].span;
        self.diagnostics
            .push(Diagnostic::error("goto-cycle", "these jumps lead in a circle without a statement").label(span, "never arrives"));
        from
    }

    fn is_labeled_end(&self, element: ElementId) -> bool {
        self.flow.labels.iter().any(|l| l.element == element && l.name.starts_with("end"))
    }

    /// The edges out of an element, escapes left aside.
    fn edges(&mut self, id: ElementId, out: &mut Vec<RawEdge>) {
        let element = &self.flow.elements[id];
        let (status, next) = (element.status, element.next);
        let atomic = status & ATOM != 0;
        match &element.content {
            Content::Op(op) => {
                let op = op.clone();
                let target = if op == Op::End { None } else { next.map(|n| self.hunt(n, status)) };
                out.push(RawEdge {
                    element: id,
                    op,
                    target,
                    atomic,
                    ends: false,
                });
            }
            Content::Goto(_) | Content::Join | Content::AfterLoop => {
                let next = match element.content {
                    Content::Goto(_) => self.targets.get(&id).copied(),
                    _ => next,
                };
                let target = next.map(|n| self.hunt(n, status));
                out.push(RawEdge {
                    element: id,
                    op: Op::Skip,
                    target,
                    atomic,
                    ends: false,
                });
            }
            Content::DStep => {
                let part = element.parts[0];
                let target = next.map(|n| self.hunt(n, status));
                let inside = self.deterministic(part, target);
                out.push(RawEdge {
                    element: id,
                    op: Op::Deterministic(Box::new(inside)),
                    target,
                    atomic,
                    ends: false,
                });
            }
            Content::Choice | Content::Block | Content::Atomic | Content::Unless => {
                let choice = matches!(element.content, Content::Choice);
                let parts = match element.content {
                    Content::Unless => vec![element.parts[0]],
                    _ => element.parts.clone(),
                };
                for part in parts {
                    let Some(first) = self.flow.start_of(part) else { continue };
                    let dead = matches!(&self.flow.elements[first].content, Content::Op(Op::Condition(Ex::Const(0))));
                    if choice && dead && self.flow.elements[first].escapes.is_empty() {
                        continue;
                    }
                    let from = out.len();
                    self.edges(first, out);
                    if self.is_labeled_end(first) {
                        out[from..].iter_mut().for_each(|e| e.ends = true);
                    }
                }
            }
        }
    }

    /// The inside of a `d_step` as a graph of its own; leaving it is only possible towards `exit`.
    fn deterministic(&mut self, part: SequenceId, exit: Option<ElementId>) -> Deterministic {
        // The way out of an atomic sequence around it stops at the end of that, whereas its own last statement looks further.
        let beyond = exit.map(|e| self.hunt(e, 0));
        let mut nodes: Vec<DeterministicNode> = Vec::new();
        let mut numbers: FxHashMap<ElementId, usize> = FxHashMap::default();
        let mut work: Vec<ElementId> = Vec::new();
        if let Some(first) = self.flow.start_of(part) {
            numbers.insert(first, 0);
            work.push(first);
        }
        let mut done = 0;
        while done < work.len() {
            let element = work[done];
            done += 1;
            let mut raw = Vec::new();
            self.edges(element, &mut raw);
            let mut edges = Vec::new();
            for edge in raw {
                let inside = edge.target.filter(|&t| self.flow.elements[t].status & DETERMINISTIC != 0);
                let leaves = inside.is_none() && edge.target.is_some_and(|t| Some(t) != exit && Some(self.hunt(t, 0)) != beyond);
                if leaves || matches!(edge.op, Op::End | Op::Run { .. }) {
                    let span = self.flow.elements[edge.element].span;
                    let what = if leaves { "a jump out of it" } else { "`run`" };
                    self.diagnostics.push(
                        Diagnostic::error("d_step", format!("`d_step` cannot contain {what}"))
                            .label(span, "")
                            .with_help("use `atomic` instead"),
                    );
                }
                let target = inside.map(|t| {
                    *numbers.entry(t).or_insert_with(|| {
                        work.push(t);
                        work.len() - 1
                    })
                });
                edges.push((edge.op, target));
            }
            nodes.push(DeterministicNode {
                edges,
                span: self.flow.elements[element].span,
            });
        }
        Deterministic { nodes }
    }

    fn graph(&mut self, body: SequenceId, extra: &[ElementId]) -> Graph {
        let mut numbers: FxHashMap<ElementId, u32> = FxHashMap::default();
        let mut work: Vec<ElementId> = Vec::new();
        let mut number = |element: ElementId, work: &mut Vec<ElementId>| -> u32 {
            *numbers.entry(element).or_insert_with(|| {
                work.push(element);
                work.len() as u32 - 1
            })
        };
        let first = self.flow.sequences[body].first.unwrap_or(0);
        let start_element = self.hunt(first, self.flow.elements[first].status);
        let start = number(start_element, &mut work);
        for &element in extra {
            number(element, &mut work);
        }
        let mut locations: Vec<Location> = Vec::new();
        let mut ends: Vec<u32> = Vec::new();
        let mut done = 0;
        while done < work.len() && work.len() < MAX_LOCATIONS {
            let element = work[done];
            done += 1;
            let raw = self.with_escapes(element);
            let mut edges = Vec::with_capacity(raw.len());
            let mut listed: Vec<u32> = raw.iter().filter_map(|(e, _)| self.listed_as.get(&e.element).copied()).collect();
            listed.dedup();
            for (edge, escape) in raw {
                let target = edge.target.map_or(0, |t| number(t, &mut work));
                if edge.ends {
                    ends.push(target);
                }
                edges.push(Edge {
                    op: edge.op,
                    target,
                    atomic: edge.atomic,
                    escape,
                    span: self.flow.elements[edge.element].span,
                });
            }
            let labels: Vec<Arc<str>> = self
                .flow
                .labels
                .iter()
                .filter(|l| l.element == element)
                .map(|l| l.name.clone())
                .collect();
            let has = |start: &str| labels.iter().any(|l| l.starts_with(start));
            let (is_accept, is_progress) = (has("accept"), has("progress"));
            let is_end = labels.iter().any(|l| l.starts_with("end")) || edges.iter().any(|e| e.op == Op::End);
            locations.push(Location {
                edges,
                is_end,
                is_accept,
                is_progress,
                begins_loop: false,
                labels,
                listed,
                span: self.flow.elements[element].span,
            });
        }
        for end in ends {
            if let Some(location) = locations.get_mut(end as usize) {
                location.is_end = true;
            }
        }
        if work.len() >= MAX_LOCATIONS {
            let span = self.flow.elements[first].span;
            self.diagnostics.push(
                Diagnostic::error("too-large", format!("a process type has more than {MAX_LOCATIONS} control points")).label(span, ""),
            );
        }
        let crashed = locations.len() as u32;
        locations.push(Location {
            edges: Vec::new(),
            is_end: true,
            is_accept: false,
            is_progress: false,
            begins_loop: false,
            labels: Vec::new(),
            listed: Vec::new(),
            span: Span::default(),
        });
        mark_loops(&mut locations, start);
        Graph {
            locations,
            start,
            crashed,
            numbers,
            listed: Vec::new(),
        }
    }

    /// The edges out of an element with the number of the escape each belongs to, escapes first, the outermost before all others.
    fn with_escapes(&mut self, element: ElementId) -> Vec<(RawEdge, u32)> {
        let mut main = Vec::new();
        self.edges(element, &mut main);
        let mut before: Vec<(RawEdge, u32)> = Vec::new();
        for edge in &main {
            let statement = &self.flow.elements[edge.element];
            if matches!(statement.content, Content::Join) {
                continue;
            }
            let (escapes, status) = (statement.escapes.clone(), statement.status);
            for escape in escapes.into_iter().rev() {
                let Some(first) = self.flow.sequences[escape].first else { continue };
                let entry = self.hunt(first, status);
                let mut alternatives = Vec::new();
                self.edges(entry, &mut alternatives);
                for alternative in alternatives {
                    let known = |e: &RawEdge| e.element == alternative.element;
                    if !main.iter().any(known) && !before.iter().any(|(e, _)| known(e)) {
                        before.push((alternative, 1 + entry as u32));
                    }
                }
            }
        }
        before.reverse();
        before.extend(main.into_iter().map(|edge| (edge, 0)));
        before
    }
}

//! What a claim can see of a state, and which statements may change that: a search that leaves steps out must not reorder these.
//!
//! Globals and channels are locations, as they are for processes. Where processes stand is none: a statement is seen if it moves a process
//! to or from a label that the claim asks about. What cannot be told from the text counts as seen.

use super::context::Contexts;
use crate::machine::{Machine, State};
use crate::model::{Claim, Edge, Ex, Location, Model, Never, Op, Pattern};
use mazurka_core::AccessSet;

/// What a claim can see.
#[derive(Debug, Default)]
pub struct Watched {
    /// The globals and channels that it reads.
    pub accesses: AccessSet,
    /// By process type, location and edge: whether taking it may change what the claim asks about where processes stand.
    moves: Vec<Vec<Vec<bool>>>,
}

/// What is asked about where processes stand.
struct Places {
    /// Per process type and location: the questions whose answer depends on a process standing there.
    asked: Vec<Vec<u64>>,
    /// Process types whose variables are read: every step of them is seen.
    read: Vec<bool>,
    questions: u32,
}

impl Watched {
    /// What this claim sees; `state` tells which channels the constants of the model name.
    pub fn new(contexts: &Contexts, machine: &Machine, state: &State, claim: &Claim) -> Self {
        let model = machine.model();
        let mut watched = Watched::default();
        let mut places = Places {
            asked: model.proctypes.iter().map(|p| vec![0; p.locations.len()]).collect(),
            read: vec![false; model.proctypes.len()],
            questions: 0,
        };
        let mut expressions: Vec<&Ex> = Vec::new();
        match &claim.never {
            Never::Formula { atoms, .. } => expressions.extend(atoms),
            Never::Process { locations, accepts, .. } => {
                let edges = locations.iter().flat_map(|l| &l.edges);
                edges.for_each(|edge| conditions(&edge.op, &mut expressions));
                if !accepts {
                    places.ask_label(model, |l| l.is_accept);
                }
            }
            Never::AcceptLabels => places.ask_label(model, |l| l.is_accept),
            Never::NonProgress => places.ask_label(model, |l| l.is_progress),
        }
        for ex in expressions {
            watched.look(contexts, machine, state, ex, &mut places);
        }
        watched.moves = (model.proctypes.iter().enumerate())
            .map(|(p, proctype)| {
                let of_location = |(l, location): (usize, &Location)| {
                    let seen = |edge: &Edge| places.sees(machine, p, l, edge);
                    location.edges.iter().map(seen).collect()
                };
                proctype.locations.iter().enumerate().map(of_location).collect()
            })
            .collect();
        watched
    }

    /// Whether the edge of a process may move it, or another one, to or from where the claim looks.
    pub fn moves(&self, proctype: usize, location: u32, edge: u32) -> bool {
        let edges = &self.moves[proctype][location as usize];
        edges.get(edge as usize).copied().unwrap_or(true)
    }

    /// Why no step may be left out beside this claim; `None` if steps may.
    pub fn unreduced(claim: &Claim) -> Option<String> {
        let mut why = None;
        match &claim.never {
            Never::Formula {
                atoms, stutter_invariant, ..
            } => {
                if !stutter_invariant {
                    why = Some("`X` tells apart how often a state is repeated".to_owned());
                }
                atoms.iter().for_each(|atom| out_of_sight(atom, &mut why));
            }
            Never::Process { .. } => why = Some("a `never` claim may tell apart how often a state is repeated".to_owned()),
            Never::AcceptLabels | Never::NonProgress => {}
        }
        why
    }

    /// Adds what an expression reads.
    fn look(&mut self, contexts: &Contexts, machine: &Machine, state: &State, ex: &Ex, places: &mut Places) {
        let mut look = |ex: &Ex| self.look(contexts, machine, state, ex, places);
        match ex {
            Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => look(e),
            Ex::Binary(_, parts) => {
                look(&parts.0);
                look(&parts.1);
            }
            Ex::Conditional(parts) => {
                look(&parts.0);
                look(&parts.1);
                look(&parts.2);
            }
            Ex::RemoteLabel { proctype, pid, location } => {
                pid.iter().for_each(|pid| look(pid));
                places.ask(|p, l| p == *proctype && l == *location as usize);
            }
            Ex::RemoteVariable { proctype, pid, place } => {
                pid.iter().for_each(|pid| look(pid));
                place.indices.iter().for_each(|i| look(&i.value));
                places.read[*proctype] = true;
            }
            Ex::NonProgress => places.ask_label(machine.model(), |l| l.is_progress),
            other => contexts.read(machine.model(), state, other, &mut self.accesses),
        }
    }
}

/// Conditions that are answered by looking at what every process could do, which no set of locations tells.
fn out_of_sight(ex: &Ex, why: &mut Option<String>) {
    let word = match ex {
        Ex::Timeout => "timeout",
        Ex::Enabled(_) => "enabled",
        Ex::Priority(_) => "get_priority",
        _ => "",
    };
    if !word.is_empty() {
        *why = Some(format!("`{word}` depends on every process"));
    }
    match ex {
        Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => out_of_sight(e, why),
        Ex::Binary(_, parts) => {
            out_of_sight(&parts.0, why);
            out_of_sight(&parts.1, why);
        }
        Ex::Conditional(parts) => {
            out_of_sight(&parts.0, why);
            out_of_sight(&parts.1, why);
            out_of_sight(&parts.2, why);
        }
        Ex::Load(place) => place.indices.iter().for_each(|i| out_of_sight(&i.value, why)),
        Ex::Poll { pattern, .. } => {
            for p in pattern {
                if let Pattern::Match(e) = p {
                    out_of_sight(e, why);
                }
            }
        }
        _ => {}
    }
}

/// The expressions that a statement of a claim evaluates.
fn conditions<'a>(op: &'a Op, out: &mut Vec<&'a Ex>) {
    match op {
        Op::Condition(e) | Op::Assert(e) => out.push(e),
        Op::Deterministic(inside) => (inside.nodes.iter().flat_map(|n| &n.edges)).for_each(|(op, _)| conditions(op, out)),
        _ => {}
    }
}

impl Places {
    /// One more question, about these locations.
    fn ask(&mut self, about: impl Fn(usize, usize) -> bool) {
        // More questions than bits share the last one: two answers that both change may then seem to stay the same, so their processes are
        // watched at every step.
        let shared = self.questions >= 63;
        for (p, locations) in self.asked.iter_mut().enumerate() {
            for (l, asked) in locations.iter_mut().enumerate() {
                if about(p, l) {
                    *asked |= 1 << self.questions.min(63);
                    self.read[p] |= shared;
                }
            }
        }
        self.questions += 1;
    }

    fn ask_label(&mut self, model: &Model, label: fn(&Location) -> bool) {
        self.ask(|p, l| label(&model.proctypes[p].locations[l]));
    }

    fn is_asked(&self, proctype: usize) -> bool {
        self.read[proctype] || self.asked[proctype].iter().any(|asked| *asked != 0)
    }

    /// Whether an edge may change an answer.
    fn sees(&self, machine: &Machine, p: usize, l: usize, edge: &Edge) -> bool {
        let model = machine.model();
        if !(0..model.proctypes.len()).any(|p| self.is_asked(p)) {
            return false;
        }
        // What happens on the way through a sequence, and to whom it is met there, is not followed.
        if edge.atomic && (self.is_asked(p) || machine.has_rendezvous() || starts_somebody(model, p)) {
            return true;
        }
        let own = match edge.op {
            Op::End => self.is_asked(p),
            _ => self.read[p] || self.asked[p][l] != self.asked[p].get(edge.target as usize).copied().unwrap_or(u64::MAX),
        };
        let others = match &edge.op {
            Op::Run { proctype, .. } => self.is_asked(*proctype),
            // Both partners of a rendezvous move.
            Op::Send { .. } => machine.has_rendezvous(),
            Op::Deterministic(_) => machine.has_rendezvous(),
            _ => false,
        };
        // An error leads to where a process stays for ever, which is no label.
        own || others || (self.asked[p][l] != 0 && may_fail(&edge.op))
    }
}

fn starts_somebody(model: &Model, proctype: usize) -> bool {
    let mut edges = model.proctypes[proctype].locations.iter().flat_map(|l| &l.edges);
    edges.any(|e| matches!(e.op, Op::Run { .. }))
}

/// Whether an operation may stop its process: anything that evaluates something may.
fn may_fail(op: &Op) -> bool {
    !matches!(op, Op::Skip | Op::Else | Op::End)
}

//! Claims read states: how their automata go on, and where they accept.

use super::state::State;
use super::{Eval, Fault, FaultKind, Machine, Scratch};
use crate::model::{Claim, Deterministic, Ex, Location, Never, Op};
use crate::visit::visit_claims;
use mazurka_diagnostics::Span;
use mazurka_ltl::{Cube, State as Standing};

/// What a claim comes to when it reads a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Read {
    /// This state of its automaton.
    At(u32),
    /// Its end: what it describes has happened, and must not.
    End(Span),
    /// An error: a failed assertion of the claim, or a condition that cannot be evaluated.
    Wrong(Fault),
}

/// A process that is none: claims have no variables of their own.
const NOBODY: usize = usize::MAX;

impl Machine {
    /// Whether some process stands at an `accept` label.
    pub fn stands_accepting(&self, state: &State) -> bool {
        self.stands(state, |location| location.is_accept)
    }

    /// Whether some process stands at a `progress` label.
    pub fn progresses(&self, state: &State) -> bool {
        self.stands(state, |location| location.is_progress)
    }

    fn stands(&self, state: &State, label: fn(&Location) -> bool) -> bool {
        let here = |slot: usize| &self.model().proctypes[state.proctype(slot)].locations[state.location(slot) as usize];
        (0..state.processes()).any(|slot| label(here(slot)))
    }

    /// The state in which a claim's automaton begins.
    pub fn claim_start(&self, claim: &Claim) -> u32 {
        match &claim.never {
            Never::Process { start, .. } => *start,
            _ => 0,
        }
    }

    /// Whether an execution that comes here again and again, with the claim's automaton at `at`, is one that must not be.
    pub fn claim_accepts(&self, claim: &Claim, state: &State, at: u32) -> bool {
        match &claim.never {
            Never::Formula { automaton, .. } => automaton.states()[at as usize].accepting,
            Never::Process {
                locations, accepts: true, ..
            } => locations[at as usize].is_accept,
            Never::Process { .. } | Never::AcceptLabels => self.stands_accepting(state),
            Never::NonProgress => at == 1,
        }
    }

    /// Appends what the claim can come to from `at` when it reads the state.
    pub fn read_claim(&self, claim: &Claim, state: &State, at: u32, out: &mut Vec<Read>) {
        match &claim.never {
            Never::Formula { atoms, automaton, .. } => self.read_formula(claim, atoms, &automaton.states()[at as usize], state, out),
            Never::Process { locations, .. } => self.read_never(locations, state, at, out),
            Never::AcceptLabels => out.push(Read::At(0)),
            // From some time on, without progress: `<> [] np_`.
            Never::NonProgress => {
                let progresses = self.progresses(state);
                out.extend((at == 0).then_some(Read::At(0)));
                out.extend((!progresses).then_some(Read::At(1)));
            }
        }
    }

    /// The automaton of a formula takes a step. A condition that has no value in this state (an index is outside of its array) is an error only
    /// where it decides: in `i < 3 -> a[i] == 0` it does not if `i` is 3.
    fn read_formula(&self, claim: &Claim, atoms: &[Ex], at: &Standing, state: &State, out: &mut Vec<Read>) {
        let timeout = self.times_out(state);
        let (mut letter, mut unknown, mut fault) = (0, 0, None);
        for (number, atom) in atoms.iter().enumerate() {
            match self.evaluate(state, NOBODY, atom, timeout) {
                Ok(value) => letter |= u64::from(value != 0) << number,
                Err(kind) => {
                    unknown |= 1 << number;
                    fault.get_or_insert(kind);
                }
            }
        }
        for edge in &at.edges {
            let Cube { yes, no } = edge.guard;
            let known = Cube {
                yes: yes & !unknown,
                no: no & !unknown,
            };
            match &fault {
                _ if !known.holds(letter) => {}
                Some(kind) if known != edge.guard => out.push(Read::Wrong(Fault {
                    kind: kind.clone(),
                    slot: NOBODY,
                    span: claim.span,
                })),
                _ => out.push(Read::At(edge.target)),
            }
        }
    }

    /// A `never` claim takes a step: one statement, or one indivisible sequence.
    fn read_never(&self, locations: &[Location], state: &State, at: u32, out: &mut Vec<Read>) {
        let timeout = self.times_out(state);
        let mut seen = vec![at];
        let mut todo = vec![(at, true)];
        while let Some((at, first)) = todo.pop() {
            let mut moved = false;
            for edge in &locations[at as usize].edges {
                let wrong = match self.look(state, &edge.op, timeout, moved) {
                    Look::No => continue,
                    Look::Yes => None,
                    Look::Wrong(kind) => Some(kind),
                };
                moved = true;
                if let Some(kind) = wrong {
                    out.push(Read::Wrong(Fault {
                        kind,
                        slot: NOBODY,
                        span: edge.span,
                    }));
                } else if edge.op == Op::End || locations[edge.target as usize].is_end {
                    out.push(Read::End(edge.span));
                } else if !edge.atomic {
                    out.push(Read::At(edge.target));
                } else if !seen.contains(&edge.target) {
                    seen.push(edge.target);
                    todo.push((edge.target, false));
                }
            }
            if !moved && !first {
                // A sequence that has to wait is interrupted.
                out.push(Read::At(at));
            }
        }
    }

    fn look(&self, state: &State, op: &Op, timeout: bool, moved: bool) -> Look {
        let value = |ex: &Ex| {
            let mut eval = Eval::new(self, state, NOBODY, timeout);
            let value = eval.value(ex);
            eval.finish(value)
        };
        match op {
            Op::Condition(condition) => match value(condition) {
                Ok(0) => Look::No,
                Ok(_) => Look::Yes,
                Err(kind) => Look::Wrong(kind),
            },
            Op::Assert(condition) => match value(condition) {
                Ok(0) => Look::Wrong(FaultKind::Assertion),
                Ok(_) => Look::Yes,
                Err(kind) => Look::Wrong(kind),
            },
            Op::Else if moved => Look::No,
            Op::Deterministic(inside) => self.look_through(state, inside, timeout),
            _ => Look::Yes,
        }
    }

    /// A `d_step` of a claim: whether its first statement can be taken, and what goes wrong on the way through.
    fn look_through(&self, state: &State, inside: &Deterministic, timeout: bool) -> Look {
        let (mut at, mut seen) = (0, vec![false; inside.nodes.len()]);
        while !std::mem::replace(&mut seen[at], true) {
            let taken = inside.nodes[at]
                .edges
                .iter()
                .find_map(|(op, next)| match self.look(state, op, timeout, false) {
                    Look::No => None,
                    Look::Yes => Some(Ok(*next)),
                    Look::Wrong(kind) => Some(Err(kind)),
                });
            match taken {
                None if at == 0 => return Look::No,
                None => return Look::Wrong(FaultKind::BlockedDeterministic),
                Some(Err(kind)) => return Look::Wrong(kind),
                Some(Ok(None)) => return Look::Yes,
                Some(Ok(Some(next))) => at = next,
            }
        }
        Look::Wrong(FaultKind::Endless)
    }

    /// The value of `timeout` for a claim: whether no process can move. Found out only where a claim asks.
    fn times_out(&self, state: &State) -> bool {
        self.claims_time_out && {
            let mut scratch = Scratch::default();
            !(0..state.processes()).any(|slot| self.process_steps(state, slot, false, &mut scratch, &mut |_, _, _| {}))
        }
    }

    /// Whether some claim asks for `timeout`.
    pub(super) fn claims_ask_for_timeout(claims: &[Claim]) -> bool {
        let mut asks = false;
        visit_claims(&mut claims.to_vec(), &mut |ex| asks |= *ex == Ex::Timeout);
        asks
    }
}

/// What a claim sees of a statement.
enum Look {
    /// It cannot be taken.
    No,
    /// It can.
    Yes,
    /// It goes wrong.
    Wrong(FaultKind),
}

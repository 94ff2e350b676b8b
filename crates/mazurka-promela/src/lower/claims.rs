//! Claims: formulas become automata over expressions, `never` claims graphs as processes do.

use super::{Body, Lowerer, graph};
use crate::ast::{self, ClaimBody, Join, Name, Prefix};
use crate::model::{Claim, Ex, Location, Model, Never, Op};
use crate::source::{Asked, Claims};
use mazurka_diagnostics::Span;
use mazurka_ltl::{Automaton, Formula, MOST_ATOMS, is_stutter_invariant};

/// A claim whose expressions are read, and whose body is not a graph yet.
pub(super) struct Read {
    what: String,
    span: Span,
    kind: Kind,
}

enum Kind {
    Formula(Never),
    Process(Box<Body>),
}

impl Lowerer<'_> {
    /// Reads a claim. It sees what is global.
    pub(super) fn claim(&mut self, claim: &ast::Claim) {
        let kind = match &claim.body {
            ClaimBody::Formula(formula) => self.formula_claim(claim, formula).map(Kind::Formula),
            ClaimBody::Process(body, end) => {
                let process = ast::Proctype {
                    name: Name {
                        text: claim.said.clone(),
                        span: claim.span,
                    },
                    parameters: Vec::new(),
                    active: None,
                    provided: None,
                    priority: None,
                    body: body.clone(),
                    end: *end,
                };
                let body = self.body(&process);
                if !body.area.cells.iter().all(|c| &*c.name == "_priority") {
                    self.error("never", claim.span, "not supported: a claim with variables of its own", "");
                }
                Some(Kind::Process(Box::new(body)))
            }
        };
        self.claims.extend(kind.map(|kind| Read {
            what: claim.what.clone(),
            span: claim.span,
            kind,
        }));
    }

    fn formula_claim(&mut self, claim: &ast::Claim, formula: &ast::Formula) -> Option<Never> {
        let mut atoms: Vec<Ex> = Vec::new();
        let formula = self.formula(formula, &mut atoms);
        if atoms.len() > MOST_ATOMS as usize {
            let message = format!(
                "a formula with {} different conditions: there can be at most {MOST_ATOMS}",
                atoms.len()
            );
            self.error("formula", claim.span, message, "");
            return None;
        }
        match Automaton::of(&formula.clone().not()) {
            Ok(automaton) => Some(Never::Formula {
                atoms,
                automaton,
                stutter_invariant: is_stutter_invariant(&formula),
            }),
            Err(too_large) => {
                self.error("formula", claim.span, too_large.to_string(), "split it into several claims");
                None
            }
        }
    }

    fn formula(&mut self, formula: &ast::Formula, atoms: &mut Vec<Ex>) -> Formula {
        match formula {
            ast::Formula::Atom(condition) => atom(self.expression(condition), atoms),
            ast::Formula::Prefix(prefix, inside) => {
                let inside = self.formula(inside, atoms);
                match prefix {
                    Prefix::Not => inside.not(),
                    Prefix::Always => inside.always(),
                    Prefix::Eventually => inside.eventually(),
                    Prefix::Next => inside.next(),
                }
            }
            ast::Formula::Join(join, sides) => {
                let (a, b) = (self.formula(&sides.0, atoms), self.formula(&sides.1, atoms));
                match join {
                    Join::Implies => a.implies(b),
                    Join::Equivalent => a.iff(b),
                    Join::Or => a.or(b),
                    Join::And => a.and(b),
                    Join::Until => a.until(b),
                    Join::WeakUntil => a.weak_until(b),
                    Join::Release => a.release(b),
                }
            }
        }
    }

    /// The claims, when everything else is known.
    pub(super) fn finish_claims(&mut self) -> Vec<Claim> {
        let mut claims = Vec::new();
        for Read { what, span, kind } in std::mem::take(&mut self.claims) {
            let never = match kind {
                Kind::Formula(never) => never,
                Kind::Process(mut body) => {
                    let graph = graph::build(&mut body.flow, body.sequence, &[], self.diagnostics);
                    self.check_claim(&graph.locations);
                    Never::Process {
                        accepts: graph.locations.iter().any(|l| l.is_accept),
                        start: graph.start,
                        locations: graph.locations,
                    }
                }
            };
            claims.push(Claim { what, span, never });
        }
        claims
    }

    /// A claim looks on and changes nothing.
    fn check_claim(&mut self, locations: &[Location]) {
        fn changes(op: &Op) -> bool {
            match op {
                Op::Skip | Op::Else | Op::Condition(_) | Op::Assert(_) | Op::Print(_) | Op::End => false,
                Op::Deterministic(inside) => inside.nodes.iter().flat_map(|n| &n.edges).any(|(op, _)| changes(op)),
                _ => true,
            }
        }
        for edge in locations.iter().flat_map(|l| &l.edges).filter(|e| changes(&e.op)) {
            self.error(
                "never",
                edge.span,
                "a claim only looks on: it cannot change anything",
                "not a condition",
            );
        }
    }
}

/// A condition as an atom, or as the negation of one.
fn atom(condition: Ex, atoms: &mut Vec<Ex>) -> Formula {
    match condition {
        Ex::Const(value) => Formula::Constant(value != 0),
        Ex::Not(inside) => atom(*inside, atoms).not(),
        condition => {
            let number = atoms.iter().position(|a| *a == condition).unwrap_or_else(|| {
                atoms.push(condition);
                atoms.len() - 1
            });
            // Too many of them are an error, which is told when all are known.
            Formula::atom((number as u32).min(MOST_ATOMS - 1))
        }
    }
}

/// Adds what the labels of the processes ask for; returns what of it is not asked, as parts of a sentence.
pub(crate) fn leave_labels_out(model: &mut Model, asked: &Asked) -> Vec<String> {
    let has = |label: fn(&Location) -> bool| model.proctypes.iter().flat_map(|p| &p.locations).any(label);
    let (accept, progress) = (has(|l| l.is_accept), has(|l| l.is_progress));
    let mut left_out = Vec::new();
    if accept && asked.claims == Claims::Check {
        model.claims.push(Claim {
            what: "accept labels".to_owned(),
            span: Span::default(),
            never: Never::AcceptLabels,
        });
    } else if accept {
        left_out.push("accept labels".to_owned());
    }
    if asked.non_progress {
        model.claims.push(Claim {
            what: "progress labels".to_owned(),
            span: Span::default(),
            never: Never::NonProgress,
        });
    } else if progress {
        left_out.push("progress labels".to_owned());
    }
    left_out
}

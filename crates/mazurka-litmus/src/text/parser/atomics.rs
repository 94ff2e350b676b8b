//! Accesses with orderings: `x.store(1, rel)`, `l = x.load(acq)`, `fence(sc)`; and what may not be in the end: `never (p0.l==0)`.

use super::{Parsed, Parser};
use crate::model::{Body, Declared, Expr, Local, Never, Operation, Place, Statement};
use crate::text::lexer::Token;
use mazurka_weak::Order;

/// The orderings and their names.
const ORDERS: [(&str, Order); 11] = [
    ("na", Order::Plain),
    ("rlx", Order::Relaxed),
    ("acq", Order::Acquire),
    ("rel", Order::Release),
    ("acqrel", Order::AcqRel),
    ("sc", Order::SeqCst),
    ("Relaxed", Order::Relaxed),
    ("Acquire", Order::Acquire),
    ("Release", Order::Release),
    ("AcqRel", Order::AcqRel),
    ("SeqCst", Order::SeqCst),
];

const OPERATIONS: [&str; 6] = ["load", "store", "swap", "fetch_add", "fetch_sub", "cas"];

impl Parser<'_> {
    /// Whether what comes is `fence(`.
    pub(super) fn at_fence(&self) -> bool {
        matches!(self.peek(), Token::Name(name) if name == "fence") && self.tokens[self.at + 1].token == Token::Sign("(")
    }

    pub(super) fn fence(&mut self, body: &Body, out: &mut Vec<Statement>) -> Parsed<()> {
        let from = self.at;
        self.next();
        self.want("(", "after `fence`")?;
        use Order::{AcqRel, Acquire, Release, SeqCst};
        let order = self.order("a fence", &[Acquire, Release, AcqRel, SeqCst])?;
        self.want(")", "after the ordering")?;
        self.declare(body, Operation::Fence(order), from, out)
    }

    /// `.load(acq)` and the like, after the variable; `to` is what gets the result.
    pub(super) fn access(&mut self, body: &mut Body, place: Place, to: Option<Place>, from: usize, out: &mut Vec<Statement>) -> Parsed<()> {
        use Order::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};
        if let Place::Local(_) = place {
            return Err(self.error(self.span_since(from), "not-allowed-here", "only shared variables have orderings"));
        }
        let result = match to {
            None => None,
            Some(Place::Local(local)) => Some(local),
            Some(Place::Shared(..)) => {
                return Err(self.error(
                    self.span_since(from),
                    "not-allowed-here",
                    "what an access returns goes into a local, such as `l`",
                ));
            }
        };
        let at = self.at;
        let name = self.name("`load`, `store`, `swap`, `fetch_add`, `fetch_sub` or `cas`")?;
        if !OPERATIONS.contains(&name.as_str()) {
            let error = self.error(self.span(at), "unknown-name", format!("there is no access `{name}`"));
            return Err(error
                .did_you_mean(&name, OPERATIONS.iter().copied())
                .with_help(format!("expected one of {}", OPERATIONS.join(", "))));
        }
        self.want("(", "after the name of the access")?;
        let any = [Relaxed, Acquire, Release, AcqRel, SeqCst];
        let operation = match name.as_str() {
            "load" => {
                let Some(to) = result else {
                    return Err(self.error(
                        self.span_since(from),
                        "not-allowed-here",
                        "a load needs a local for its value: `l = x.load(acq)`",
                    ));
                };
                let order = self.order("a load", &[Plain, Relaxed, Acquire, SeqCst])?;
                Operation::Load { to, from: place, order }
            }
            "store" => {
                if result.is_some() {
                    return Err(self.error(self.span_since(from), "not-allowed-here", "a store returns nothing"));
                }
                let value = self.argument(body)?;
                let order = self.order("a store", &[Plain, Relaxed, Release, SeqCst])?;
                Operation::Store { to: place, value, order }
            }
            "swap" => {
                let value = self.argument(body)?;
                let order = self.order("a swap", &any)?;
                Operation::Swap {
                    result,
                    place,
                    value,
                    order,
                }
            }
            "cas" => {
                let (expected, new) = (self.argument(body)?, self.argument(body)?);
                let success = self.order("a compare-exchange", &any)?;
                self.want(",", "before the ordering of a failure")?;
                let failure = self.order("a compare-exchange that fails", &[Relaxed, Acquire, SeqCst])?;
                Operation::CompareExchange {
                    result,
                    place,
                    expected,
                    new,
                    success,
                    failure,
                }
            }
            _ => {
                let value = self.argument(body)?;
                let by = match value {
                    value if name == "fetch_add" => value,
                    Expr::Int(by) => Expr::Int(by.wrapping_neg()),
                    value => Expr::Negate(Box::new(value)),
                };
                let order = self.order("a read-modify-write", &any)?;
                Operation::FetchAdd { result, place, by, order }
            }
        };
        self.want(")", "after the ordering")?;
        if let Some(result) = operation.result()
            && operation.values().iter().any(|value| value.mentions(result))
        {
            return Err(self.error(
                self.span_since(from),
                "not-allowed-here",
                "the values of an access cannot mention the local that gets its result",
            ));
        }
        self.declare(body, operation, from, out)
    }

    fn argument(&mut self, body: &mut Body) -> Parsed<Expr> {
        let from = self.at;
        let value = self.expression(body)?;
        if value.shared_reads() > 0 {
            let error = self.error(
                self.span_since(from),
                "not-allowed-here",
                "the values of an access are computed from locals",
            );
            return Err(error.with_help("read the variable into a local in a step before"));
        }
        self.want(",", "before the ordering")?;
        Ok(value)
    }

    fn order(&mut self, what: &str, allowed: &[Order]) -> Parsed<Order> {
        let at = self.at;
        let names: Vec<&str> = ORDERS[..6]
            .iter()
            .filter(|(_, o)| allowed.contains(o))
            .map(|(name, _)| *name)
            .collect();
        let expected = names.join(", ");
        let Token::Name(name) = self.peek().clone() else {
            return self.unexpected(&format!("an ordering ({expected})"));
        };
        self.next();
        match ORDERS.iter().find(|(known, _)| *known == name) {
            Some((_, order)) if allowed.contains(order) => Ok(*order),
            Some(_) => {
                let message = format!("{what} cannot be `{name}`; expected one of {expected}");
                self.error_at(at, "not-allowed-here", message)
            }
            None => {
                let error = self.error(self.span(at), "unknown-name", format!("there is no ordering `{name}`"));
                Err(error
                    .did_you_mean(&name, names.iter().copied())
                    .with_help(format!("expected one of {expected}")))
            }
        }
    }

    fn declare(&mut self, body: &Body, operation: Operation, from: usize, out: &mut Vec<Statement>) -> Parsed<()> {
        let message = if self.nesting > 0 {
            "an access with an ordering cannot stand inside `if`; begin a new step and `goto` it"
        } else if self.declared.last().is_some_and(|d| d.step == body.steps.len()) {
            "a step has one access with an ordering; begin a new step"
        } else {
            let (at, statements) = (out.len(), operation.statements());
            self.declared.push(Declared {
                step: body.steps.len(),
                at,
                count: statements.len(),
                operation,
            });
            out.extend(statements);
            return Ok(());
        };
        Err(self.error(self.span_since(from), "not-allowed-here", message))
    }

    /// Whether what comes is `never (`, which is no process.
    pub(super) fn at_never(&self, at: usize) -> bool {
        matches!(&self.tokens[at].token, Token::Name(name) if name == "never")
            && self.tokens.get(at + 1).is_some_and(|t| t.token == Token::Sign("("))
    }

    /// `never (p0.l==0 && x==1) "message"`, after all processes.
    pub(super) fn never(&mut self) -> Parsed<()> {
        self.next();
        self.want("(", "after `never`")?;
        self.locals.clear();
        let mut body = Body {
            name: "never".to_owned(),
            ..Body::default()
        };
        self.in_never = true;
        let condition = self.expression(&mut body);
        self.in_never = false;
        let condition = condition?;
        self.want(")", "after the condition")?;
        let message = match self.peek() {
            Token::Text(text) => Some(text.clone()),
            _ => None,
        };
        if message.is_some() {
            self.next();
        }
        self.accept(";");
        let locals = body.locals.iter().filter_map(|local| {
            let (process, name) = local.name.rsplit_once('.')?;
            let process = self.model.bodies.iter().position(|b| b.name == process)?;
            Some((process, self.model.bodies[process].locals.iter().position(|l| l.name == name)?))
        });
        let locals = locals.collect();
        self.model.nevers.push(Never {
            condition,
            locals,
            message,
        });
        Ok(())
    }

    /// `p0.l` in a condition about the end; the name of the process was read at `at`.
    pub(super) fn local_of_process(&mut self, body: &mut Body, process: &str, at: usize) -> Parsed<Place> {
        self.next();
        let local = self.name("the name of a local")?;
        let Some(known) = self.model.bodies.iter().find(|b| b.name == process) else {
            let names = self.model.bodies.iter().map(|b| b.name.as_str());
            let error = self.error(self.span(at), "unknown-name", format!("there is no process {process}"));
            return Err(error.did_you_mean(process, names));
        };
        if !known.locals.iter().any(|l| l.name == local) {
            let names = known.locals.iter().map(|l| l.name.as_str());
            let error = self.error(self.span_since(at), "unknown-name", format!("{process} has no local {local}"));
            return Err(error.did_you_mean(&local, names));
        }
        let name = format!("{process}.{local}");
        let index = match body.locals.iter().position(|l| l.name == name) {
            Some(index) => index,
            None => {
                body.locals.push(crate::model::LocalVariable { name, initial: 0 });
                body.locals.len() - 1
            }
        };
        Ok(Place::Local(Local(index)))
    }
}

//! The functions of `<stdatomic.h>`, and `*x`.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use crate::model::{Binary, Declared, Expr, Local, Operation, Place, Statement};
use mazurka_weak::Order::{self, AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};

/// What is read, without `_explicit`.
const FUNCTIONS: [&str; 7] = [
    "atomic_load",
    "atomic_store",
    "atomic_exchange",
    "atomic_fetch_add",
    "atomic_fetch_sub",
    "atomic_compare_exchange_strong",
    "atomic_thread_fence",
];

const ANY: [Order; 5] = [Relaxed, Acquire, Release, AcqRel, SeqCst];

/// An ordering as C calls it.
fn name(order: Order) -> &'static str {
    match order {
        Plain => "none",
        Relaxed => "memory_order_relaxed",
        Acquire => "memory_order_acquire",
        Release => "memory_order_release",
        AcqRel => "memory_order_acq_rel",
        SeqCst => "memory_order_seq_cst",
    }
}

impl Parser<'_> {
    /// Adds an access as a step, with what comes right after it.
    fn declare(&mut self, at: usize, operation: Operation, after: Vec<Statement>) {
        let mut statements = operation.statements();
        self.body.declared.push(Declared {
            step: self.body.steps.len(),
            at: 0,
            count: statements.len(),
            operation,
        });
        statements.extend(after);
        self.step(at, statements);
    }

    /// `*x` as a value.
    pub(super) fn load_at(&mut self, at: usize, variable: usize, atomic: bool) -> Parsed<Expr> {
        let order = if atomic { SeqCst } else { Plain };
        self.load(at, variable, order)
    }

    fn load(&mut self, at: usize, variable: usize, order: Order) -> Parsed<Expr> {
        self.sure(at)?;
        let (to, from) = (self.fresh(), Place::Shared(variable, None));
        self.declare(at, Operation::Load { to, from, order }, Vec::new());
        Ok(to.into())
    }

    /// `*x = e`
    pub(super) fn store_at(&mut self, at: usize, variable: usize, atomic: bool, value: Expr) {
        let order = if atomic { SeqCst } else { Plain };
        let to = Place::Shared(variable, None);
        self.declare(at, Operation::Store { to, value, order }, Vec::new());
    }

    /// A call of this function, whose name was read at `at`. What returns nothing is 0.
    pub(super) fn call(&mut self, function: &str, at: usize) -> Parsed<Expr> {
        let explicit = function.strip_suffix("_explicit");
        let short = explicit.unwrap_or(function);
        if !FUNCTIONS.contains(&short) {
            return self.unknown(function, at);
        }
        self.sure(at)?;
        self.want("(")?;
        let explicit = explicit.is_some();
        let value = if short == "atomic_thread_fence" {
            let order = self.order("a fence", &ANY)?;
            // In C, a relaxed fence is allowed and does nothing.
            if order != Relaxed {
                self.declare(at, Operation::Fence(order), Vec::new());
            }
            Expr::Int(0)
        } else {
            self.accept("&");
            let (variable, _) = self.pointer()?;
            self.access(short, explicit, variable, at)?
        };
        self.want(")")?;
        Ok(value)
    }

    fn access(&mut self, short: &str, explicit: bool, variable: usize, at: usize) -> Parsed<Expr> {
        let place = Place::Shared(variable, None);
        match short {
            "atomic_load" => {
                let order = self.last_order(explicit, "a load", &[Relaxed, Acquire, SeqCst])?;
                self.load(at, variable, order)
            }
            "atomic_store" => {
                let value = self.argument()?;
                let order = self.last_order(explicit, "a store", &[Relaxed, Release, SeqCst])?;
                self.declare(at, Operation::Store { to: place, value, order }, Vec::new());
                Ok(Expr::Int(0))
            }
            "atomic_compare_exchange_strong" => self.exchange_if(explicit, place, at),
            _ => {
                let value = self.argument()?;
                let order = self.last_order(explicit, "a read-modify-write", &ANY)?;
                let to = self.fresh();
                let result = Some(to);
                let by = |value: Expr| match short {
                    "atomic_fetch_sub" => Expr::Negate(Box::new(value)),
                    _ => value,
                };
                let operation = match short {
                    "atomic_exchange" => Operation::Swap {
                        result,
                        place,
                        value,
                        order,
                    },
                    _ => Operation::FetchAdd {
                        result,
                        place,
                        by: by(value),
                        order,
                    },
                };
                self.declare(at, operation, Vec::new());
                Ok(to.into())
            }
        }
    }

    /// `atomic_compare_exchange_strong_explicit(x, &r1, 2, success, failure)`: whether it did; `r1` is what was there.
    fn exchange_if(&mut self, explicit: bool, place: Place, at: usize) -> Parsed<Expr> {
        self.want(",")?;
        if !self.accept("&") {
            let message = "what is expected must be in a register: `&r1`".to_owned();
            return self.error_at(self.at, "not-supported", message);
        }
        let named = self.at;
        let register = self.name("a register")?;
        let expected = self.register(&register, named)?;
        let new = self.argument()?;
        let (mut success, mut failure) = (SeqCst, SeqCst);
        if explicit {
            self.want(",")?;
            success = self.order("a compare-exchange", &ANY)?;
            self.want(",")?;
            failure = self.order("a compare-exchange that fails", &[Relaxed, Acquire, SeqCst])?;
        }
        let (there, did) = (self.fresh(), self.fresh());
        let operation = Operation::CompareExchange {
            result: Some(there),
            place,
            expected: expected.into(),
            new,
            success,
            failure,
        };
        let same = Expr::Binary(Binary::Equal, Box::new(there.into()), Box::new(expected.into()));
        let after = vec![
            Statement::Assign(did.into(), same),
            Statement::Assign(expected.into(), there.into()),
        ];
        self.declare(at, operation, after);
        Ok(did.into())
    }

    /// A value after a comma.
    fn argument(&mut self) -> Parsed<Expr> {
        self.want(",")?;
        self.expression()
    }

    fn last_order(&mut self, explicit: bool, what: &str, allowed: &[Order]) -> Parsed<Order> {
        if !explicit {
            return Ok(SeqCst);
        }
        self.want(",")?;
        self.order(what, allowed)
    }

    fn order(&mut self, what: &str, allowed: &[Order]) -> Parsed<Order> {
        let at = self.at;
        let expected = allowed.iter().map(|order| name(*order)).collect::<Vec<_>>().join(", ");
        let found = match self.next() {
            Token::Name(found) => found,
            _ => {
                self.at = at;
                return self.unexpected(&format!("an ordering ({expected})"));
            }
        };
        match ANY.iter().find(|order| name(**order) == found) {
            Some(order) if allowed.contains(order) => Ok(*order),
            Some(_) => self.error_at(
                at,
                "not-allowed-here",
                format!("{what} cannot be `{found}`; expected one of {expected}"),
            ),
            None => {
                let error = self.error(at, "unknown-name", format!("`{found}` is no ordering that is read"));
                Err(error.did_you_mean(&found, allowed.iter().map(|order| name(*order))))
            }
        }
    }

    fn unknown(&self, function: &str, at: usize) -> Parsed<Expr> {
        const KERNEL: [&str; 8] = [
            "READ_ONCE",
            "WRITE_ONCE",
            "smp_",
            "rcu_",
            "synchronize_",
            "spin_",
            "xchg",
            "cmpxchg",
        ];
        if KERNEL.iter().any(|known| function.starts_with(known)) {
            let message = format!("`{function}` belongs to the memory model of the Linux kernel, which is another one than that of C");
            return self.error_at(at, "not-supported", message);
        }
        if function.contains("weak") {
            let message = format!("`{function}` may fail for no reason, which is not explored; `strong` is read");
            return self.error_at(at, "not-supported", message);
        }
        let error = self.error(at, "not-supported", format!("`{function}` is not read"));
        let error = error.did_you_mean(function, FUNCTIONS);
        Err(error.with_help(format!("there are {}, each also with _explicit", FUNCTIONS.join(", "))))
    }

    /// The last access of the thread gives its result to this local instead of `from`, if it can.
    pub(super) fn retarget(&mut self, from: Local, to: Local) -> bool {
        let (last, locals) = (self.body.steps.len().wrapping_sub(1), self.body.locals.len());
        let Some(declared) = self.body.declared.last_mut().filter(|d| d.step == last) else {
            return false;
        };
        let is_own = from.0 + 1 == locals && declared.operation.result() == Some(from);
        if !is_own || declared.operation.values().iter().any(|value| value.mentions(to)) {
            return false;
        }
        match &mut declared.operation {
            Operation::Load { to: result, .. } => *result = to,
            Operation::Swap { result, .. } | Operation::FetchAdd { result, .. } => *result = Some(to),
            _ => return false,
        }
        let statements = declared.operation.statements();
        self.body.steps[last].statements = statements;
        self.body.locals.pop();
        true
    }
}

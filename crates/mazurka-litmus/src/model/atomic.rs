//! Accesses with orderings, for programs that are checked under a memory model.
//!
//! In the steps of a program they stand as what they do under sequential consistency; here is what they promise.

use super::{Binary, Expr, Local, Place, Statement};
use mazurka_weak::Order;

/// An access with an ordering, or a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The step.
    pub step: usize,
    /// Its first statement that stands for the access.
    pub at: usize,
    /// How many do.
    pub count: usize,
    /// What it is.
    pub operation: Operation,
}

/// What an access does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `l = x.load(acq)`.
    Load {
        /// Where the value goes.
        to: Local,
        /// Where it comes from.
        from: Place,
        /// What it promises.
        order: Order,
    },
    /// `x.store(1, rel)`.
    Store {
        /// Where.
        to: Place,
        /// What.
        value: Expr,
        /// What it promises.
        order: Order,
    },
    /// `l = x.swap(1, acqrel)`.
    Swap {
        /// Where the old value goes.
        result: Option<Local>,
        /// Where.
        place: Place,
        /// The new value.
        value: Expr,
        /// What it promises.
        order: Order,
    },
    /// `l = x.fetch_add(1, rlx)`.
    FetchAdd {
        /// Where the old value goes.
        result: Option<Local>,
        /// Where.
        place: Place,
        /// How much more.
        by: Expr,
        /// What it promises.
        order: Order,
    },
    /// `l = x.cas(0, 1, acq, rlx)`.
    CompareExchange {
        /// Where the old value goes.
        result: Option<Local>,
        /// Where.
        place: Place,
        /// If it is this,
        expected: Expr,
        /// it becomes this.
        new: Expr,
        /// What it promises then.
        success: Order,
        /// What it promises otherwise.
        failure: Order,
    },
    /// `fence(sc)`.
    Fence(Order),
}

/// What may not be in the end: `never (p0.l==0 && p1.l==0) "both"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    /// What, over shared variables and the locals below.
    pub condition: Expr,
    /// The process and the local that each local of the condition is.
    pub locals: Vec<(usize, usize)>,
    /// What it means.
    pub message: Option<String>,
}

impl Operation {
    /// What it does under sequential consistency.
    pub(crate) fn statements(&self) -> Vec<Statement> {
        let keep = |result: &Option<Local>, place: &Place| result.map(|l| Statement::Assign(l.into(), place.clone().into()));
        match self {
            Operation::Load { to, from, .. } => vec![Statement::Assign((*to).into(), from.clone().into())],
            Operation::Store { to, value, .. } => vec![Statement::Assign(to.clone(), value.clone())],
            Operation::Swap { result, place, value, .. } => {
                let set = Statement::Assign(place.clone(), value.clone());
                keep(result, place).into_iter().chain([set]).collect()
            }
            Operation::FetchAdd { result, place, by, .. } => {
                let add = Statement::Add(place.clone(), by.clone());
                keep(result, place).into_iter().chain([add]).collect()
            }
            Operation::CompareExchange {
                result,
                place,
                expected,
                new,
                ..
            } => {
                let is_it = Expr::Binary(Binary::Equal, Box::new(place.clone().into()), Box::new(expected.clone()));
                let set = Statement::If(is_it, vec![Statement::Assign(place.clone(), new.clone())], Vec::new());
                keep(result, place).into_iter().chain([set]).collect()
            }
            Operation::Fence(_) => Vec::new(),
        }
    }

    /// The local that gets what is read.
    pub fn result(&self) -> Option<Local> {
        match self {
            Operation::Load { to, .. } => Some(*to),
            Operation::Swap { result, .. } | Operation::FetchAdd { result, .. } | Operation::CompareExchange { result, .. } => *result,
            Operation::Store { .. } | Operation::Fence(_) => None,
        }
    }

    /// The values that it computes before the access.
    pub(crate) fn values(&self) -> Vec<&Expr> {
        match self {
            Operation::Load { .. } | Operation::Fence(_) => Vec::new(),
            Operation::Store { value, .. } | Operation::Swap { value, .. } => vec![value],
            Operation::FetchAdd { by, .. } => vec![by],
            Operation::CompareExchange { expected, new, .. } => vec![expected, new],
        }
    }
}

/// An ordering as it is written.
pub fn order_name(order: Order) -> &'static str {
    match order {
        Order::Plain => "na",
        Order::Relaxed => "rlx",
        Order::Acquire => "acq",
        Order::Release => "rel",
        Order::AcqRel => "acqrel",
        Order::SeqCst => "sc",
    }
}

impl Expr {
    /// Whether it mentions a local.
    pub(crate) fn mentions(&self, local: Local) -> bool {
        match self {
            Expr::Int(_) => false,
            Expr::Local(l) => *l == local,
            Expr::Shared(_, index) => index.as_ref().is_some_and(|i| i.mentions(local)),
            Expr::Not(a) | Expr::Negate(a) => a.mentions(local),
            Expr::Binary(_, a, b) => a.mentions(local) || b.mentions(local),
        }
    }

    /// How many shared variables it reads.
    pub(crate) fn shared_reads(&self) -> usize {
        match self {
            Expr::Int(_) | Expr::Local(_) => 0,
            Expr::Shared(_, index) => 1 + index.as_ref().map_or(0, |i| i.shared_reads()),
            Expr::Not(a) | Expr::Negate(a) => a.shared_reads(),
            Expr::Binary(_, a, b) => a.shared_reads() + b.shared_reads(),
        }
    }
}

//! From steps to accesses: what each step does before its access, the access, and what it does after.

use super::truth;
use crate::model::{Body, Expr, Local, Model, ModelError, Operation, Place, Statement, Step};
use mazurka_weak::Order;

/// What a thread does.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub steps: Vec<Compiled>,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub before: Vec<Statement>,
    pub access: Option<Access>,
    /// Shared variables in here stand for the value that was read.
    pub after: Vec<Statement>,
}

/// An access.
#[derive(Clone, Debug)]
pub(super) enum Access {
    Read {
        from: Place,
        to: Option<Local>,
        order: Order,
    },
    Await {
        from: Place,
        condition: Expr,
        order: Order,
    },
    Write {
        to: Place,
        value: Expr,
        order: Order,
    },
    Swap {
        result: Option<Local>,
        place: Place,
        value: Expr,
        order: Order,
    },
    Add {
        result: Option<Local>,
        place: Place,
        by: Expr,
        order: Order,
    },
    CompareExchange {
        result: Option<Local>,
        place: Place,
        values: [Expr; 2],
        success: Order,
        failure: Order,
    },
    Lock(Place),
    Unlock(Place),
    Fence(Order),
    /// Waits for a condition over locals.
    Never(Expr),
}

impl Access {
    pub fn place(&self) -> Option<&Place> {
        match self {
            Access::Read { from, .. } | Access::Await { from, .. } => Some(from),
            Access::Write { to: place, .. }
            | Access::Swap { place, .. }
            | Access::Add { place, .. }
            | Access::CompareExchange { place, .. }
            | Access::Lock(place)
            | Access::Unlock(place) => Some(place),
            Access::Fence(_) | Access::Never(_) => None,
        }
    }

    /// What it computes from locals.
    pub fn values(&self) -> &[Expr] {
        match self {
            Access::Write { value, .. } | Access::Swap { value, .. } | Access::Add { by: value, .. } => std::slice::from_ref(value),
            Access::CompareExchange { values, .. } => values,
            _ => &[],
        }
    }

    pub fn result(&self) -> Option<Local> {
        match self {
            Access::Read { to, .. } => *to,
            Access::Swap { result, .. } | Access::Add { result, .. } | Access::CompareExchange { result, .. } => *result,
            _ => None,
        }
    }
}

impl Code {
    /// The access of a step gets another ordering.
    pub fn reorder(&mut self, step: usize, new: Order) {
        match &mut self.steps[step].access {
            Some(
                Access::Read { order, .. }
                | Access::Write { order, .. }
                | Access::Swap { order, .. }
                | Access::Add { order, .. }
                | Access::Fence(order),
            ) => *order = new,
            Some(Access::CompareExchange { success, failure, .. }) => {
                *failure = mazurka_weak::failure_with(*success, *failure, new);
                *success = new;
            }
            _ => {}
        }
    }
}

/// The ordering of an access; of a compare-exchange, if it succeeds.
pub(super) fn order_of(operation: &Operation) -> Order {
    match operation {
        Operation::Load { order, .. }
        | Operation::Store { order, .. }
        | Operation::Swap { order, .. }
        | Operation::FetchAdd { order, .. }
        | Operation::CompareExchange { success: order, .. }
        | Operation::Fence(order) => *order,
    }
}

/// What a process does.
pub(super) fn body(model: &Model, body: &Body) -> Result<Code, ModelError> {
    let wrong = |step: usize, statement: Option<usize>, what: &str| ModelError {
        body: Some(body.name.clone()),
        step: Some(step),
        statement,
        what: what.to_owned(),
    };
    let mut steps = Vec::new();
    for (number, step) in body.steps.iter().enumerate() {
        for (at, statement) in step.statements.iter().enumerate() {
            let what = match statement {
                Statement::Choose(..) => "choose cannot be checked under a memory model",
                Statement::Spawn(..) => "spawn cannot be checked under a memory model; processes start by themselves",
                _ => continue,
            };
            return Err(wrong(number, Some(at), what));
        }
        steps.push(compiled(model, body, number, step).map_err(|(at, what)| wrong(number, at, what))?);
    }
    Ok(Code { steps })
}

/// What is too much for one step.
const ONE: &str = "under a memory model a step has one access to a shared variable: begin a new step for each";

fn compiled(model: &Model, body: &Body, number: usize, step: &Step) -> Result<Compiled, (Option<usize>, &'static str)> {
    let all = &step.statements;
    if let Some(declared) = body.declared.iter().find(|d| d.step == number) {
        let (before, after) = (all[..declared.at].to_vec(), all[declared.at + declared.count..].to_vec());
        if let Some(at) = before.iter().position(|s| accesses(s) > 0) {
            return Err((Some(at), ONE));
        }
        if let Some(at) = after.iter().position(|s| accesses(s) > 0) {
            return Err((Some(declared.at + declared.count + at), ONE));
        }
        return Ok(Compiled {
            before,
            access: Some(operation(&declared.operation)),
            after,
        });
    }
    let mut accessing = all.iter().enumerate().filter(|(_, s)| accesses(s) > 0);
    let first = accessing.next();
    if let Some((second, _)) = accessing.next() {
        return Err((Some(second), ONE));
    }
    let local_await = all.iter().position(|s| matches!(s, Statement::Await(_)) && accesses(s) == 0);
    let Some((at, statement)) = first else {
        return Ok(match local_await {
            None => Compiled {
                before: Vec::new(),
                access: None,
                after: all.clone(),
            },
            Some(_) => {
                let both = |all: Expr, e: &Expr| Expr::Binary(crate::model::Binary::And, Box::new(all), Box::new(e.clone()));
                let conditions = all.iter().filter_map(|s| if let Statement::Await(e) = s { Some(e) } else { None });
                Compiled {
                    before: Vec::new(),
                    access: Some(Access::Never(conditions.fold(truth(), both))),
                    after: all.clone(),
                }
            }
        });
    };
    if accesses(statement) > 1 {
        return Err((Some(at), ONE));
    }
    if local_await.is_some() {
        return Err((
            local_await,
            "an await without shared variables stands in a step of its own under a memory model",
        ));
    }
    let order = Order::SeqCst;
    let (before, mut after) = (all[..at].to_vec(), all[at + 1..].to_vec());
    let access = match statement {
        Statement::Lock(place) => Access::Lock(place.clone()),
        Statement::Unlock(place) => Access::Unlock(place.clone()),
        Statement::Await(condition) => Access::Await {
            from: read_of(condition).ok_or((Some(at), ONE))?,
            condition: condition.clone(),
            order,
        },
        Statement::Assign(to @ Place::Shared(..), value) => Access::Write {
            to: to.clone(),
            value: value.clone(),
            order,
        },
        Statement::Add(place @ Place::Shared(..), by) | Statement::Accumulate(place @ Place::Shared(..), by) => Access::Add {
            result: None,
            place: place.clone(),
            by: by.clone(),
            order,
        },
        Statement::Assign(_, e) | Statement::Add(_, e) | Statement::Accumulate(_, e) | Statement::Assert(e, _) | Statement::If(e, ..) => {
            let from = read_of(e).ok_or((Some(at), ONE))?;
            after.insert(0, statement.clone());
            Access::Read { from, to: None, order }
        }
        _ => return Err((Some(at), ONE)),
    };
    let _ = model;
    Ok(Compiled {
        before,
        access: Some(access),
        after,
    })
}

fn operation(operation: &Operation) -> Access {
    match operation.clone() {
        Operation::Load { to, from, order } => Access::Read { from, to: Some(to), order },
        Operation::Store { to, value, order } => Access::Write { to, value, order },
        Operation::Swap {
            result,
            place,
            value,
            order,
        } => Access::Swap {
            result,
            place,
            value,
            order,
        },
        Operation::FetchAdd { result, place, by, order } => Access::Add { result, place, by, order },
        Operation::CompareExchange {
            result,
            place,
            expected,
            new,
            success,
            failure,
        } => Access::CompareExchange {
            result,
            place,
            values: [expected, new],
            success,
            failure,
        },
        Operation::Fence(order) => Access::Fence(order),
    }
}

/// How many accesses a statement has; one within `if` counts as many, because it may not be there.
fn accesses(statement: &Statement) -> usize {
    let of_place = |place: &Place| match place {
        Place::Local(_) => 0,
        Place::Shared(_, index) => 1 + index.as_ref().map_or(0, |i| i.shared_reads()),
    };
    match statement {
        Statement::Await(e) | Statement::Assert(e, _) => e.shared_reads(),
        Statement::Lock(place) | Statement::Unlock(place) => of_place(place),
        Statement::Assign(place, e) | Statement::Add(place, e) | Statement::Accumulate(place, e) => of_place(place) + e.shared_reads(),
        Statement::If(e, then, other) => e.shared_reads() + 2 * then.iter().chain(other).map(accesses).sum::<usize>(),
        Statement::Spawn(_, values) => values.iter().map(Expr::shared_reads).sum(),
        Statement::Choose(..) | Statement::Goto(_) | Statement::End => 0,
    }
}

/// The variable that an expression reads.
fn read_of(e: &Expr) -> Option<Place> {
    match e {
        Expr::Int(_) | Expr::Local(_) => None,
        Expr::Shared(variable, index) => Some(Place::Shared(*variable, index.clone())),
        Expr::Not(a) | Expr::Negate(a) => read_of(a),
        Expr::Binary(_, a, b) => read_of(a).or_else(|| read_of(b)),
    }
}

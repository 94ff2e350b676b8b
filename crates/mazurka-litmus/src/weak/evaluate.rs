//! Expressions and statements over locals, and at most one value that was read.

use crate::model::{Binary, Expr, Label, Place, Statement};

/// What goes wrong.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fault {
    Assertion(Expr, Option<String>),
    Other(String),
}

impl Fault {
    pub fn outside(name: &str, index: i32) -> Self {
        Fault::Other(format!("{name}[{index}] is outside the array"))
    }
}

/// How it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    On,
    Goto(usize),
    End,
}

/// The value of an expression; what it reads is `read`.
pub(super) fn eval(e: &Expr, locals: &[i32], read: Option<i32>) -> Result<i32, Fault> {
    eval_with(e, locals, &|_, _| read.unwrap_or(0), &|_| usize::MAX)
}

/// The same where shared variables have values.
pub(super) fn eval_with(
    e: &Expr,
    locals: &[i32],
    shared: &dyn Fn(usize, usize) -> i32,
    length: &dyn Fn(usize) -> usize,
) -> Result<i32, Fault> {
    let again = |e: &Expr| eval_with(e, locals, shared, length);
    Ok(match e {
        Expr::Int(value) => *value,
        Expr::Local(local) => locals[local.0],
        Expr::Shared(variable, None) => shared(*variable, 0),
        Expr::Shared(variable, Some(index)) => {
            let index = again(index)?;
            match usize::try_from(index).ok().filter(|i| *i < length(*variable)) {
                Some(index) => shared(*variable, index),
                None => return Err(Fault::outside("an element", index)),
            }
        }
        Expr::Not(a) => i32::from(again(a)? == 0),
        Expr::Negate(a) => again(a)?.wrapping_neg(),
        Expr::Binary(Binary::Or, a, b) => i32::from(again(a)? != 0 || again(b)? != 0),
        Expr::Binary(Binary::And, a, b) => i32::from(again(a)? != 0 && again(b)? != 0),
        Expr::Binary(op, a, b) => {
            let (a, b) = (again(a)?, again(b)?);
            if op.divides() && b == 0 {
                return Err(Fault::Other("a division by zero".to_owned()));
            }
            match op {
                Binary::Equal => i32::from(a == b),
                Binary::NotEqual => i32::from(a != b),
                Binary::Less => i32::from(a < b),
                Binary::AtMost => i32::from(a <= b),
                Binary::More => i32::from(a > b),
                Binary::AtLeast => i32::from(a >= b),
                Binary::Add => a.wrapping_add(b),
                Binary::Subtract => a.wrapping_sub(b),
                Binary::Multiply => a.wrapping_mul(b),
                Binary::Divide => a.wrapping_div(b),
                Binary::Remainder => a.wrapping_rem(b),
                Binary::Or | Binary::And => unreachable!("above"),
            }
        }
    })
}

/// Does statements over locals.
pub(super) fn run(statements: &[Statement], locals: &mut [i32], read: Option<i32>) -> Result<Then, Fault> {
    for statement in statements {
        match statement {
            Statement::Assign(Place::Local(local), e) => locals[local.0] = eval(e, locals, read)?,
            Statement::Add(Place::Local(local), e) | Statement::Accumulate(Place::Local(local), e) => {
                let by = eval(e, locals, read)?;
                locals[local.0] = locals[local.0].wrapping_add(by);
            }
            Statement::Assert(e, message) if eval(e, locals, read)? == 0 => return Err(Fault::Assertion(e.clone(), message.clone())),
            Statement::Assert(..) => {}
            Statement::If(e, then, other) => {
                let branch = if eval(e, locals, read)? != 0 { then } else { other };
                let then = run(branch, locals, read)?;
                if then != Then::On {
                    return Ok(then);
                }
            }
            Statement::Goto(Label(label)) => return Ok(Then::Goto(*label)),
            Statement::End => return Ok(Then::End),
            // All others are accesses.
            _ => {}
        }
    }
    Ok(Then::On)
}

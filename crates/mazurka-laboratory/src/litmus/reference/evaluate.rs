//! The value of an expression.

use super::state::{Process, State, Value};
use mazurka_litmus::Model;
use mazurka_litmus::model::{Binary, Expr};

/// Why there is no value, or why a process cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Division by zero.
    Division,
    /// An index outside an array, by the array's number.
    Outside(usize, i32),
    /// An assertion that does not hold.
    Assertion(Expr, Option<String>),
}

/// Where an expression is evaluated: a state, and one of its processes.
#[derive(Clone, Copy)]
pub struct Scene<'s> {
    /// The program.
    pub model: &'s Model,
    /// The shared variables are here.
    pub state: &'s State,
    /// The locals are here.
    pub process: &'s Process,
}

impl Scene<'_> {
    /// The value.
    ///
    /// # Errors
    /// The first thing that goes wrong, from left to right.
    pub fn value(&self, e: &Expr) -> Result<i32, Fault> {
        Ok(match e {
            Expr::Int(v) => *v,
            Expr::Local(l) => self.process.locals[l.0],
            Expr::Shared(v, index) => {
                let at = self.index(index.as_deref())?;
                let element = self.element(*v, at)?;
                match &self.state.shared[*v][element] {
                    Value::Number(n) => *n,
                    // Only guards of `lock` look at a lock, and to them it is just taken.
                    Value::Token(_) => 1,
                }
            }
            Expr::Not(a) => i32::from(self.value(a)? == 0),
            Expr::Negate(a) => self.value(a)?.wrapping_neg(),
            Expr::Binary(Binary::And, a, b) => i32::from(self.value(a)? != 0 && self.value(b)? != 0),
            Expr::Binary(Binary::Or, a, b) => i32::from(self.value(a)? != 0 || self.value(b)? != 0),
            Expr::Binary(op, a, b) => {
                let left = self.value(a)?;
                operate(*op, left, self.value(b)?)?
            }
        })
    }

    /// The value of an index; 0 stands for the only element of a variable that is no array.
    pub fn index(&self, index: Option<&Expr>) -> Result<i32, Fault> {
        index.map_or(Ok(0), |i| self.value(i))
    }

    /// The element at an index.
    pub fn element(&self, variable: usize, index: i32) -> Result<usize, Fault> {
        let inside = usize::try_from(index).ok().filter(|i| *i < self.state.shared[variable].len());
        inside.ok_or(Fault::Outside(variable, index))
    }
}

fn operate(op: Binary, a: i32, b: i32) -> Result<i32, Fault> {
    let truth = |holds: bool| Ok(i32::from(holds));
    match op {
        Binary::Or => truth(a != 0 || b != 0),
        Binary::And => truth(a != 0 && b != 0),
        Binary::Equal => truth(a == b),
        Binary::NotEqual => truth(a != b),
        Binary::Less => truth(a < b),
        Binary::AtMost => truth(a <= b),
        Binary::More => truth(a > b),
        Binary::AtLeast => truth(a >= b),
        Binary::Add => Ok(a.wrapping_add(b)),
        Binary::Subtract => Ok(a.wrapping_sub(b)),
        Binary::Multiply => Ok(a.wrapping_mul(b)),
        Binary::Divide | Binary::Remainder if b == 0 => Err(Fault::Division),
        Binary::Divide => Ok(a.wrapping_div(b)),
        Binary::Remainder => Ok(a.wrapping_rem(b)),
    }
}

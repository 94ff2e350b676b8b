//! Pure expressions, evaluated from left to right by recursion.

use super::value::{Callee, ObjectName, TaskName, Value};
use super::{Raised, Stop};
use mazurka_abs::checked::{
    AccessorId, BinaryOp, Branch, CheckedModel, Expr, ExprKind, FunctionCode, FunctionId, Literal, Pattern, PatternKind, UnaryOp,
};
use mazurka_diagnostics::Span;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::rc::Rc;

/// What an expression can see besides its variables.
pub struct Scope<'a> {
    /// The model.
    pub model: &'a CheckedModel,
    /// The object whose fields are visible, with its fields.
    pub this: Option<(&'a ObjectName, &'a [Value])>,
    /// The running task.
    pub task: &'a TaskName,
    /// The name of the code, for messages.
    pub name: &'a str,
    /// What `random` gives, one after the other.
    pub choices: &'a mut Choices,
    /// What time it is.
    pub clock: &'a BigRational,
    /// By when the running task should have ended.
    pub deadline: Option<&'a BigRational>,
}

/// The numbers that `random` gives in one step. One that is missing stops the evaluation; it is then repeated with each possible number.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Given so far.
    pub given: Vec<u32>,
    /// How many of them are used up.
    pub used: usize,
    /// Calls of functions so far.
    pub calls: u32,
}

type Result<T> = std::result::Result<T, Stop>;

/// Evaluations that call more functions than this are given up.
const MOST_CALLS: u32 = 500;

impl Scope<'_> {
    fn raise<T>(&self, exception: Value, at: Span) -> Result<T> {
        Err(Stop::Raised(Raised::new(exception, self.name, at)))
    }

    fn no_match<T>(&self, at: Span) -> Result<T> {
        self.raise(Value::atom(self.model.well_known.pattern_match_fail), at)
    }

    /// The value of an expression.
    pub fn eval(&mut self, e: &Expr, locals: &mut Vec<Value>) -> Result<Value> {
        self.value(e, locals, false)
    }

    /// The values of expressions, from left to right.
    pub fn all(&mut self, exprs: &[Expr], locals: &mut Vec<Value>) -> Result<Vec<Value>> {
        exprs.iter().map(|e| self.eval(e, locals)).collect()
    }

    /// `tail`: the expression is the last thing that a function does, and a function called there takes its place in messages.
    fn value(&mut self, e: &Expr, locals: &mut Vec<Value>, tail: bool) -> Result<Value> {
        Ok(match &e.kind {
            ExprKind::Literal(literal) => constant(literal)?,
            ExprKind::Local(local) | ExprKind::ClosureLocal(local) => locals[local.index()].clone(),
            ExprKind::Field(field) => self.this.map_or(Value::Null, |(_, fields)| fields[field.index()].clone()),
            ExprKind::This => self.this.map_or(Value::Null, |(name, _)| Value::Object(name.clone())),
            ExprKind::Destiny => Value::Future(self.task.clone()),
            ExprKind::Null => Value::Null,
            ExprKind::Construct(constructor, args) => Value::Data(*constructor, self.all(args, locals)?.into()),
            ExprKind::List(elements) => {
                let known = self.model.well_known;
                let elements = self.all(elements, locals)?;
                let link = |rest, first| Value::Data(known.cons, Rc::new([first, rest]));
                elements.into_iter().rev().fold(Value::atom(known.nil), link)
            }
            ExprKind::Access(accessor, of) => {
                let of = self.eval(of, locals)?;
                self.access(*accessor, &of, e.span)?
            }
            ExprKind::Call(function, args) => {
                let args = self.all(args, locals)?;
                self.call(*function, args, e.span, tail)?
            }
            ExprKind::CallClosure(local, args) => {
                let args = self.all(args, locals)?;
                match locals[local.index()].clone() {
                    Value::Closure(Callee::Accessor(accessor), _) => self.access(accessor, &args[0], e.span)?,
                    Value::Closure(Callee::Constructor(constructor), _) => Value::Data(constructor, args.into()),
                    Value::Closure(Callee::Function(function), captured) => {
                        let args = captured.iter().cloned().chain(args).collect();
                        self.call(function, args, e.span, false)?
                    }
                    _ => return self.no_match(e.span),
                }
            }
            ExprKind::Closure(function, captured) => Value::Closure(Callee::Function(*function), self.all(captured, locals)?.into()),
            ExprKind::ClosureAccess(accessor) => Value::Closure(Callee::Accessor(*accessor), Rc::new([])),
            ExprKind::ClosureConstruct(constructor) => Value::Closure(Callee::Constructor(*constructor), Rc::new([])),
            ExprKind::Unary(operator, of) => match (operator, self.eval(of, locals)?) {
                (UnaryOp::Not, v) => Value::bool(self.model, !v.holds(self.model)),
                (UnaryOp::Negate, Value::Number(n)) => Value::Number(-n),
                _ => return self.no_match(e.span),
            },
            ExprKind::Binary(operator, left, right) => {
                let left = self.eval(left, locals)?;
                match operator {
                    BinaryOp::And if !left.holds(self.model) => left,
                    BinaryOp::Or if left.holds(self.model) => left,
                    BinaryOp::And | BinaryOp::Or => self.eval(right, locals)?,
                    _ => {
                        let right = self.eval(right, locals)?;
                        self.binary(*operator, left, right, e.span)?
                    }
                }
            }
            ExprKind::Concat(parts) => {
                let parts = self.all(parts, locals)?;
                let text: String = parts.iter().map(|v| v.show(self.model)).collect();
                Value::Text(text.into())
            }
            ExprKind::If(condition, then, otherwise) => {
                let holds = self.eval(condition, locals)?.holds(self.model);
                self.value(if holds { then } else { otherwise }, locals, tail)?
            }
            ExprKind::Case(of, branches) => {
                let of = self.eval(of, locals)?;
                match self.first_match(&of, branches, locals) {
                    Some(body) => self.value(body, locals, tail)?,
                    None => return self.no_match(e.span),
                }
            }
            ExprKind::Let(local, value, body) => {
                locals[local.index()] = self.eval(value, locals)?;
                self.value(body, locals, tail)?
            }
            ExprKind::Implements(of, interface) => {
                let of = self.eval(of, locals)?;
                Value::bool(self.model, self.has(&of, interface.0))
            }
            ExprKind::As(of, interface) => {
                let of = self.eval(of, locals)?;
                if self.has(&of, interface.0) { of } else { Value::Null }
            }
        })
    }

    /// The body of the first branch whose pattern matches; its variables get their values.
    pub fn first_match<'b, B>(&self, value: &Value, branches: &'b [Branch<B>], locals: &mut Vec<Value>) -> Option<&'b B> {
        branches.iter().find(|b| self.matches(&b.pattern, value, locals)).map(|b| &b.body)
    }

    fn matches(&self, pattern: &Pattern, value: &Value, locals: &mut Vec<Value>) -> bool {
        match &pattern.kind {
            PatternKind::Wildcard => true,
            PatternKind::Literal(literal) => constant(literal).is_ok_and(|l| l == *value),
            PatternKind::Bind(local) => {
                locals[local.index()] = value.clone();
                true
            }
            PatternKind::Equal(e) => match &e.kind {
                ExprKind::Local(local) => locals[local.index()] == *value,
                ExprKind::Field(field) => self.this.is_some_and(|(_, fields)| fields[field.index()] == *value),
                _ => false,
            },
            PatternKind::Construct(constructor, patterns) => match value {
                Value::Data(c, args) if c == constructor => patterns.iter().zip(&**args).all(|(p, v)| self.matches(p, v, locals)),
                _ => false,
            },
        }
    }

    fn has(&self, value: &Value, interface: u32) -> bool {
        let class = |name: &ObjectName| &self.model.classes[name.class as usize];
        matches!(value, Value::Object(name) if class(name).interfaces.iter().any(|i| i.0 == interface))
    }

    fn access(&self, accessor: AccessorId, value: &Value, at: Span) -> Result<Value> {
        let positions = &self.model.accessors[accessor.index()].positions;
        match value {
            Value::Data(constructor, args) => match positions.iter().find(|(c, _)| c == constructor) {
                Some((_, position)) => Ok(args[*position as usize].clone()),
                None => self.no_match(at),
            },
            _ => self.no_match(at),
        }
    }

    fn call(&mut self, function: FunctionId, args: Vec<Value>, at: Span, tail: bool) -> Result<Value> {
        let it = &self.model.functions[function.index()];
        let body = match &it.code {
            FunctionCode::Builtin => return self.builtin(&it.name, &args, at),
            FunctionCode::Expr(body) => body,
        };
        self.choices.calls += 1;
        if self.choices.calls > MOST_CALLS {
            return Err(Stop::GiveUp("too many calls"));
        }
        let mut locals = args;
        locals.resize(it.body.locals.len(), Value::Null);
        let name = format!("{}.{}", it.module, it.name);
        let mut inner = Scope {
            name: &name,
            choices: self.choices,
            ..*self
        };
        let result = inner.value(body, &mut locals, true);
        match result {
            Err(Stop::Raised(raised)) if !tail => Err(Stop::Raised(raised.through(self.name, at))),
            other => other,
        }
    }

    fn builtin(&mut self, name: &str, args: &[Value], at: Span) -> Result<Value> {
        let model = self.model;
        let whole = |n: &BigRational| Value::Number(BigRational::from_integer(n.clone().to_integer()));
        Ok(match (name, args) {
            ("max", [a, b]) => if a.compare(b, model).is_lt() { b } else { a }.clone(),
            ("min", [a, b]) => if b.compare(a, model).is_lt() { b } else { a }.clone(),
            ("abs", [Value::Number(n)]) => Value::Number(n.abs()),
            ("truncate", [Value::Number(n)]) => whole(n),
            ("numerator", [Value::Number(n)]) => Value::Number(BigRational::from_integer(n.numer().clone())),
            ("denominator", [Value::Number(n)]) => Value::Number(BigRational::from_integer(n.denom().clone())),
            ("toString", [v]) => Value::Text(v.show(model).into()),
            ("strlen", [Value::Text(text)]) => Value::int(text.chars().count() as i64),
            ("print" | "println", _) => Value::atom(model.well_known.unit),
            ("random", [Value::Number(n)]) => match n.to_u32() {
                None | Some(0 | 1) => Value::int(0),
                Some(n) => {
                    let Some(choice) = self.choices.given.get(self.choices.used) else {
                        return Err(Stop::Choose(n));
                    };
                    self.choices.used += 1;
                    Value::int(i64::from(*choice))
                }
            },
            ("substr", [Value::Text(text), Value::Number(start), Value::Number(length)]) => {
                let (start, length) = (start.to_usize().unwrap_or(0), length.to_usize().unwrap_or(0));
                Value::Text(text.chars().skip(start).take(length).collect::<String>().into())
            }
            ("currentms", []) => Value::Number(self.clock.clone()),
            ("lowlevelDeadline", []) => match self.deadline {
                Some(deadline) if deadline > self.clock => Value::Number(deadline - self.clock),
                Some(_) => Value::int(0),
                None => Value::int(-1),
            },
            ("random", _) => return self.no_match(at),
            _ => return Err(Stop::GiveUp("a library function that the reference does not know")),
        })
    }

    fn binary(&self, operator: BinaryOp, left: Value, right: Value, at: Span) -> Result<Value> {
        use BinaryOp as Op;
        let model = self.model;
        let order = || left.compare(&right, model);
        let holds = match operator {
            Op::Equal => left == right,
            Op::NotEqual => left != right,
            Op::Less => order().is_lt(),
            Op::Greater => order().is_gt(),
            Op::LessEqual => order().is_le(),
            Op::GreaterEqual => order().is_ge(),
            _ => {
                return match (&left, &right) {
                    (Value::Number(a), Value::Number(b)) => self.arithmetic(operator, a, b, at),
                    _ if operator == Op::Add => Ok(Value::Text((left.show(model) + &right.show(model)).into())),
                    _ => self.no_match(at),
                };
            }
        };
        Ok(Value::bool(model, holds))
    }

    fn arithmetic(&self, operator: BinaryOp, a: &BigRational, b: &BigRational, at: Span) -> Result<Value> {
        let divides = matches!(operator, BinaryOp::Divide | BinaryOp::DivideTruncating | BinaryOp::Remainder);
        if divides && b.is_zero() {
            return self.raise(Value::atom(self.model.well_known.division_by_zero), at);
        }
        Ok(Value::Number(match operator {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            BinaryOp::Divide => a / b,
            BinaryOp::DivideTruncating => (a / b).trunc(),
            _ => a - b * (a / b).trunc(),
        }))
    }
}

fn constant(literal: &Literal) -> Result<Value> {
    Ok(match literal {
        Literal::Int(n) => Value::Number(BigRational::from_integer(n.clone())),
        Literal::Str(text) => Value::Text((**text).into()),
        Literal::Float(_) => return Err(Stop::GiveUp("floating-point numbers")),
    })
}

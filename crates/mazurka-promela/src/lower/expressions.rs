//! Expressions and references: names resolved, constants folded.

use super::Lowerer;
use super::layout::{Type, Variable};
use super::remote::Remote;
use crate::ast::{Expr, ExprKind, Name, ReceiveArg, VarRef};
use crate::machine::arithmetic;
use crate::model::{Ex, Index, Kind, Meaning, Operator, PRIORITY, Pattern, Place, Space};
use mazurka_diagnostics::{Diagnostic, Span};

/// A reference whose names are resolved.
pub(super) struct Resolved {
    pub place: Place,
    pub ty: Type,
    /// Set when the reference stops at an array without saying which element.
    pub whole_array: Option<u32>,
    /// The type of channel it names, where the declaration says so.
    pub channel: Option<usize>,
}

impl Lowerer<'_> {
    pub(super) fn lookup(&self, name: &str) -> Option<&Variable> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .or_else(|| self.globals.get(name))
    }

    fn unknown_variable(&mut self, name: &Name) {
        let locals = self.scopes.iter().flat_map(|s| s.keys());
        let names = locals.chain(self.globals.keys()).chain(self.mtype_values.keys()).map(|n| &**n);
        let mut message = Diagnostic::error("unknown-name", format!("`{}` is not declared", name.text))
            .label(name.span, "not found")
            .did_you_mean(&name.text, names);
        if self.signatures.contains_key(&name.text) {
            message = message.with_note("it is the name of a process type; start a process with `run`");
        }
        self.diagnostics.push(message);
    }

    /// Finds the variable that a reference means; `None` if there is none, which has been reported.
    pub(super) fn resolve(&mut self, reference: &VarRef) -> Option<Resolved> {
        let (first, _) = &reference.parts[0];
        if &*first.text == "_" {
            let place = Place {
                space: Space::Nowhere,
                offset: 0,
                kind: Kind::Int,
                indices: Box::new([]),
            };
            return Some(Resolved {
                place,
                ty: Type::Scalar(Kind::Int, Meaning::Number),
                whole_array: None,
                channel: None,
            });
        }
        let Some(variable) = self.lookup(&first.text).cloned() else {
            self.unknown_variable(first);
            return None;
        };
        let mut offset = variable.offset;
        let mut ty = variable.ty;
        let mut length = variable.length;
        let mut channel = variable.channel;
        let mut indices = Vec::new();
        let mut whole_array = None;
        for (i, (name, index)) in reference.parts.iter().enumerate() {
            if i > 0 {
                let Type::Record(record) = ty else {
                    let before = &reference.parts[i - 1].0;
                    self.error("type", name.span, format!("`{}` is not a record", before.text), "has no fields");
                    return None;
                };
                let record = &self.types.records[record];
                let Some(field) = record.fields.iter().find(|f| f.name == name.text) else {
                    let message = Diagnostic::error(
                        "unknown-field",
                        format!("the record `{}` has no field `{}`", record.name, name.text),
                    )
                    .label(name.span, "not found")
                    .did_you_mean(&name.text, record.fields.iter().map(|f| &*f.name));
                    self.diagnostics.push(message);
                    return None;
                };
                offset += field.offset;
                (ty, length, channel) = (field.ty, field.length, field.channel);
            }
            let stride = self.types.size(ty, length.is_some());
            match (index, length) {
                (None, None) => {}
                (Some(index), Some(length)) => offset += self.index(index, length, stride, &mut indices)?,
                (None, Some(length)) if i + 1 == reference.parts.len() => whole_array = Some(length),
                (None, Some(_)) => {
                    self.error("array", name.span, format!("`{}` is an array", name.text), "which element?");
                    return None;
                }
                (Some(index), None) => {
                    if self.constant(index) != Some(0) {
                        self.error("array", name.span, format!("`{}` is not an array", name.text), "has no elements");
                        return None;
                    }
                }
            }
        }
        let kind = match ty {
            Type::Scalar(kind, _) => super::layout::element_kind(kind, length.is_some()),
            Type::Record(_) => Kind::Byte,
        };
        let place = Place {
            space: if variable.global { Space::Global } else { Space::Local },
            offset,
            kind,
            indices: indices.into(),
        };
        Some(Resolved {
            place,
            ty,
            whole_array,
            channel,
        })
    }

    /// Handles an index: a constant moves the offset, which is returned; another one is kept.
    fn index(&mut self, index: &Expr, length: u32, stride: u32, indices: &mut Vec<Index>) -> Option<u32> {
        match self.expression(index) {
            Ex::Const(value) if value >= 0 && (value as u32) < length => Some(value as u32 * stride),
            Ex::Const(value) => {
                let message = format!("the index {value} is outside of an array of {length} elements");
                self.error("array-index", index.span, message, "");
                None
            }
            value => {
                indices.push(Index { value, length, stride });
                Some(0)
            }
        }
    }

    /// A reference to one scalar.
    pub(super) fn scalar(&mut self, reference: &VarRef) -> Option<Resolved> {
        let resolved = self.resolve(reference)?;
        if let Some(length) = resolved.whole_array {
            let name = &reference.parts[reference.parts.len() - 1].0;
            self.diagnostics.push(
                Diagnostic::error("array", format!("`{}` is an array of {length} elements", name.text))
                    .label(reference.span, "which element?")
                    .with_help(format!("write `{}[i]`", name.text)),
            );
            return None;
        }
        if matches!(resolved.ty, Type::Record(_)) {
            self.error("type", reference.span, "a record is not a value", "expected one of its fields");
            return None;
        }
        Some(resolved)
    }

    /// The scalars that a reference stands for in a message or an argument list: a record is passed field by field.
    pub(super) fn expand(&mut self, reference: &VarRef) -> Option<Vec<(Place, Meaning)>> {
        let resolved = self.resolve(reference)?;
        if let (Type::Scalar(_, meaning), None) = (resolved.ty, resolved.whole_array) {
            return Some(vec![(resolved.place, meaning)]);
        }
        if resolved.whole_array.is_some() {
            self.scalar(reference);
            return None;
        }
        let mut leaves = Vec::new();
        self.types.leaves(resolved.ty, None, resolved.place.offset, &[], None, &mut leaves);
        let place = |leaf: &super::layout::Leaf| Place {
            offset: leaf.offset,
            kind: leaf.kind,
            ..resolved.place.clone()
        };
        Some(leaves.iter().map(|leaf| (place(leaf), leaf.meaning)).collect())
    }

    /// A value; `run` is not one.
    pub(super) fn value(&mut self, expr: &Expr) -> Ex {
        self.expression(expr)
    }

    /// Values for a message or a `run`, records spread out.
    pub(super) fn arguments(&mut self, args: &[Expr]) -> Vec<Ex> {
        let mut out = Vec::new();
        for arg in args {
            match &*arg.kind {
                ExprKind::Variable(reference) if self.lookup(&reference.parts[0].0.text).is_some() => {
                    if let Some(places) = self.expand(reference) {
                        out.extend(places.into_iter().map(|(place, _)| Ex::Load(place)));
                    }
                }
                _ => out.push(self.expression(arg)),
            }
        }
        out
    }

    /// What a receive wants, records spread out.
    pub(super) fn patterns(&mut self, args: &[ReceiveArg]) -> Vec<Pattern> {
        let mut out = Vec::new();
        for arg in args {
            match arg {
                ReceiveArg::Match(value) => out.push(Pattern::Match(self.expression(value))),
                ReceiveArg::Store(reference) => match self.mtype_constant(reference) {
                    Some(value) => out.push(Pattern::Match(Ex::Const(value))),
                    None => {
                        if let Some(places) = self.expand(reference) {
                            out.extend(places.into_iter().map(|(place, _)| Pattern::Store(place)));
                        }
                    }
                },
            }
        }
        out
    }

    /// The value of a reference that is the name of an `mtype` constant.
    fn mtype_constant(&self, reference: &VarRef) -> Option<i32> {
        let [(name, None)] = &reference.parts[..] else { return None };
        if self.lookup(&name.text).is_some() {
            return None;
        }
        self.mtype_values.get(&name.text).map(|&(value, _)| value)
    }

    /// A channel-valued reference, with the type of channel where it is known.
    pub(super) fn channel_ref(&mut self, reference: &VarRef) -> Option<(Ex, Option<usize>)> {
        let resolved = self.scalar(reference)?;
        if !matches!(resolved.ty, Type::Scalar(_, Meaning::Channel)) {
            // Numbers of channels may travel in bytes; SPIN lets them be used.
            if !matches!(resolved.place.kind, Kind::Byte | Kind::Int | Kind::Short) || resolved.place.space == Space::Nowhere {
                self.error("type", reference.span, "this is not a channel", "expected a `chan`");
                return None;
            }
        }
        Some((Ex::Load(resolved.place), resolved.channel))
    }

    pub(super) fn expression(&mut self, expr: &Expr) -> Ex {
        let failed = Ex::Const(0);
        match &*expr.kind {
            ExprKind::Number(value) => Ex::Const(*value),
            ExprKind::Timeout => Ex::Timeout,
            ExprKind::NonProgress => {
                if !self.in_claim {
                    self.error("np_", expr.span, "`np_` can only be asked in a claim", "");
                }
                Ex::NonProgress
            }
            ExprKind::Variable(reference) => self.variable_value(reference).unwrap_or(failed),
            ExprKind::Unary(op, operand) => {
                let operand = self.expression(operand);
                match (*op, operand) {
                    ("!", Ex::Const(v)) => Ex::Const(i32::from(v == 0)),
                    ("-", Ex::Const(v)) => Ex::Const(v.wrapping_neg()),
                    (_, Ex::Const(v)) => Ex::Const(!v),
                    ("!", e) => Ex::Not(Box::new(e)),
                    ("-", e) => Ex::Negate(Box::new(e)),
                    (_, e) => Ex::Invert(Box::new(e)),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                let op = operator(op);
                if let (Ex::Const(a), Ex::Const(b)) = (&left, &right) {
                    match arithmetic(op, *a, *b) {
                        Some(value) => return Ex::Const(value),
                        None => self.error("division", expr.span, "division by zero", ""),
                    }
                }
                Ex::Binary(op, Box::new((left, right)))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let parts = (self.expression(condition), self.expression(yes), self.expression(no));
                match parts.0 {
                    Ex::Const(0) => parts.2,
                    Ex::Const(_) => parts.1,
                    _ => Ex::Conditional(Box::new(parts)),
                }
            }
            ExprKind::Run(..) => {
                self.diagnostics.push(
                    Diagnostic::error("run", "`run` cannot be a part of another expression")
                        .label(expr.span, "")
                        .with_help("use it as a statement of its own, or as in `x = run P()`"),
                );
                failed
            }
            ExprKind::Priority(pid) => Ex::Priority(Box::new(self.expression(pid))),
            ExprKind::Enabled(pid) => {
                self.enabled_at.get_or_insert(expr.span);
                Ex::Enabled(Box::new(self.expression(pid)))
            }
            ExprKind::Probe(probe, channel) => match self.channel_ref(channel) {
                Some((channel, _)) => Ex::Probe(*probe, Box::new(channel)),
                None => failed,
            },
            ExprKind::Poll { channel, args, random } => {
                let pattern: Vec<Pattern> = self.patterns(args);
                match self.channel_ref(channel) {
                    Some((ex, known)) => {
                        // A poll may look at the first fields only.
                        let fields = known.map_or(0, |c| self.types.channels[c].fields.len());
                        if pattern.len() > fields {
                            self.check_fields(known, pattern.len(), expr.span, "polled");
                        }
                        Ex::Poll {
                            channel: Box::new(ex),
                            pattern: pattern.into(),
                            random: *random,
                        }
                    }
                    None => failed,
                }
            }
            ExprKind::RemoteLabel(proctype, pid, label) => self.remote_label(proctype, pid.as_ref(), label, expr.span),
            ExprKind::RemoteVariable(proctype, pid, name, index) => {
                self.remote_variable(proctype, pid.as_ref(), name, index.as_ref(), expr.span)
            }
        }
    }

    fn variable_value(&mut self, reference: &VarRef) -> Option<Ex> {
        if let [(name, None)] = &reference.parts[..] {
            match &*name.text {
                "_pid" => return Some(Ex::Pid),
                "_nr_pr" => return Some(Ex::ProcessCount),
                "_" => {
                    self.error("write-only", name.span, "`_` has no value", "it can only be written to");
                    return None;
                }
                "_priority" => return Some(Ex::Load(own_priority())),
                _ => {}
            }
            if let Some(value) = self.mtype_constant(reference) {
                return Some(Ex::Const(value));
            }
        }
        Some(Ex::Load(self.scalar(reference)?.place))
    }

    fn remote_label(&mut self, proctype: &Name, pid: Option<&Expr>, label: &Name, span: Span) -> Ex {
        let pid = pid.map(|e| Box::new(self.expression(e)));
        let Some(index) = self.signatures.get(&proctype.text).map(|s| s.index) else {
            return Ex::Const(0);
        };
        self.remotes.push(Remote::Label {
            proctype: index,
            name: label.clone(),
            span,
        });
        Ex::RemoteLabel {
            proctype: index,
            pid,
            location: self.remotes.len() as u32 - 1,
        }
    }

    fn remote_variable(&mut self, proctype: &Name, pid: Option<&Expr>, name: &Name, index: Option<&Expr>, span: Span) -> Ex {
        let pid = pid.map(|e| Box::new(self.expression(e)));
        let index = index.map(|e| self.expression(e));
        let Some(proctype) = self.signatures.get(&proctype.text).map(|s| s.index) else {
            return Ex::Const(0);
        };
        self.remotes.push(Remote::Variable {
            proctype,
            name: name.clone(),
            span,
        });
        // The place is filled in when all process types are known; until then it carries the number of the request.
        let indices: Vec<Index> = index
            .map(|value| Index {
                value,
                length: 0,
                stride: 0,
            })
            .into_iter()
            .collect();
        let place = Place {
            space: Space::Nowhere,
            offset: self.remotes.len() as u32 - 1,
            kind: Kind::Int,
            indices: indices.into(),
        };
        Ex::RemoteVariable {
            proctype,
            pid,
            place: Box::new(place),
        }
    }
}

/// `_priority`.
pub(super) fn own_priority() -> Place {
    Place {
        space: Space::Local,
        offset: PRIORITY,
        kind: Kind::Byte,
        indices: Box::new([]),
    }
}

fn operator(op: &str) -> Operator {
    match op {
        "||" => Operator::Or,
        "&&" => Operator::And,
        "|" => Operator::BitOr,
        "^" => Operator::BitXor,
        "&" => Operator::BitAnd,
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Less,
        ">" => Operator::Greater,
        "<=" => Operator::LessEqual,
        ">=" => Operator::GreaterEqual,
        "<<" => Operator::ShiftLeft,
        ">>" => Operator::ShiftRight,
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        _ => Operator::Remainder,
    }
}

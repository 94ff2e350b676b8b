//! Statements: each becomes elements of the flow.

use super::Lowerer;
use super::expressions::own_priority;
use super::flow::{Content, DETERMINISTIC, ElementId, Label, LabelRef, SequenceId};
use super::layout::{Type, Variable};
use crate::ast::{Expr, ExprKind, Name, Stmt, StmtKind, VarRef};
use crate::model::{Cell, Ex, Kind, Meaning, Op, Operator, Pattern, Place, Space};
use crate::words::counted;
use mazurka_diagnostics::{Diagnostic, Span};

impl Lowerer<'_> {
    /// Adds a statement to `into`; returns the element that a label in front of it labels.
    pub(super) fn statement(&mut self, statement: &Stmt, into: SequenceId) -> Option<ElementId> {
        let element = self.labeled(statement, into, &[]);
        if !matches!(statement.kind, StmtKind::Declaration(_) | StmtKind::Nothing) {
            self.at_birth = false;
        }
        element
    }

    fn labeled(&mut self, statement: &Stmt, into: SequenceId, labels: &[&Name]) -> Option<ElementId> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Labeled(name, inner) => {
                if let StmtKind::Declaration(_) | StmtKind::Nothing = inner.kind {
                    self.error(
                        "label",
                        name.span,
                        format!("the label `{}` stands before a declaration", name.text),
                        "label a statement",
                    );
                    return None;
                }
                let mut all = labels.to_vec();
                all.push(name);
                self.labeled(inner, into, &all)
            }
            StmtKind::Declaration(declaration) => {
                self.declaration(declaration, Some(into));
                None
            }
            StmtKind::Nothing => None,
            StmtKind::Block(body) => self.block(Content::Block, body, span, into, labels),
            StmtKind::Atomic(body) => self.block(Content::Atomic, body, span, into, labels),
            StmtKind::DStep(body) => self.block(Content::DStep, body, span, into, labels),
            StmtKind::If(options) => {
                let options = self.options(options);
                let element = self.flow.add_if(options, span, into);
                self.set_labels(labels, element);
                Some(element)
            }
            StmtKind::Do(options) => {
                let number = self.open_loop();
                let options = self.options(options);
                self.loops.pop();
                let element = self.flow.add_do(options, number, span, into);
                self.set_labels(labels, element);
                Some(element)
            }
            StmtKind::For { variable, from, to, body } => self.for_loop(variable, from, to, body, span, into, labels),
            StmtKind::ForIn { variable, over, body } => self.for_in(variable, over, body, span, into, labels),
            StmtKind::Select { variable, from, to } => self.select(variable, from, to, span, into, labels),
            StmtKind::Unless(main, escape) => {
                let main = self.part(main);
                let escape = self.part(escape);
                let element = self.flow.add_unless(main, escape, span, into);
                // A process that stands at the `unless` stands at the first statement of its main part.
                self.set_labels(labels, self.flow.start_of(main).unwrap_or(element));
                Some(element)
            }
            StmtKind::Goto(label) => {
                let target = LabelRef::Named(label.text.clone(), self.path.clone(), label.span);
                Some(self.basic(Content::Goto(target), span, into, labels))
            }
            StmtKind::Break => {
                let Some(&number) = self.loops.last() else {
                    self.error("break", span, "`break` outside of a loop", "nothing to leave");
                    return None;
                };
                Some(self.basic(Content::Goto(LabelRef::Break(number)), span, into, labels))
            }
            _ => {
                let op = self.operation(statement)?;
                Some(self.basic(Content::Op(op), span, into, labels))
            }
        }
    }

    fn basic(&mut self, content: Content, span: Span, into: SequenceId, labels: &[&Name]) -> ElementId {
        let element = self.flow.element(content, span);
        self.set_labels(labels, element);
        self.flow.append(element, into);
        element
    }

    fn set_labels(&mut self, labels: &[&Name], element: ElementId) {
        for name in labels {
            let twice = self
                .flow
                .labels
                .iter()
                .find(|l| l.name == name.text && l.scope == self.path)
                .map(|l| l.span);
            if let Some(before) = twice {
                self.duplicate(name, "the label", before);
            }
            self.flow.labels.push(Label {
                name: name.text.clone(),
                scope: self.path.clone(),
                element,
                span: name.span,
            });
        }
    }

    /// A sequence of its own; one without a statement does nothing.
    fn sequence(&mut self, statements: &[Stmt], span: Span) -> SequenceId {
        let sequence = self.flow.sequence();
        self.at_birth = false;
        for statement in statements {
            self.statement(statement, sequence);
        }
        if self.flow.sequences[sequence].first.is_none() {
            self.basic(Content::Op(Op::Skip), span, sequence, &[]);
        }
        self.flow.close(sequence);
        sequence
    }

    fn block(&mut self, content: Content, body: &[Stmt], span: Span, into: SequenceId, labels: &[&Name]) -> Option<ElementId> {
        self.open_block();
        let part = self.sequence(body, span);
        self.close_block();
        match content {
            Content::Atomic => self.flow.make_atomic(part, 0),
            Content::DStep => self.flow.make_atomic(part, DETERMINISTIC),
            _ => {}
        }
        let element = self.flow.element(content, span);
        self.flow.elements[element].parts = vec![part];
        self.set_labels(labels, element);
        self.flow.append(element, into);
        Some(element)
    }

    /// One side of an `unless`.
    fn part(&mut self, statement: &Stmt) -> SequenceId {
        match &statement.kind {
            StmtKind::Block(body) => {
                self.open_block();
                let part = self.sequence(body, statement.span);
                self.close_block();
                part
            }
            _ => self.sequence(std::slice::from_ref(statement), statement.span),
        }
    }

    /// The options of a choice, `else` last.
    fn options(&mut self, options: &[Vec<Stmt>]) -> Vec<SequenceId> {
        let mut sequences = Vec::new();
        let mut otherwise: Option<(SequenceId, Span)> = None;
        for option in options {
            let span = option.first().map_or(Span::default(), |s| s.span);
            let sequence = self.sequence(option, span);
            self.drop_needless_skips(sequence);
            let first = self.flow.sequences[sequence].first;
            let is_else = first.is_some_and(|f| matches!(self.flow.elements[f].content, Content::Op(Op::Else)));
            match (is_else, otherwise) {
                (false, _) => sequences.push(sequence),
                (true, None) => otherwise = Some((sequence, span)),
                (true, Some((_, before))) => {
                    self.diagnostics.push(
                        Diagnostic::error("else", "a choice has at most one `else`")
                            .label(span, "a second one")
                            .label(before, "the first one"),
                    );
                }
            }
        }
        sequences.extend(otherwise.map(|(sequence, _)| sequence));
        sequences
    }

    /// SPIN drops a `skip` between others in an option if it directly follows another statement without effect.
    fn drop_needless_skips(&mut self, sequence: SequenceId) {
        let ends = self.flow.sequences[sequence];
        let (mut before, mut at, mut run) = (None, ends.first, 0);
        while let Some(element) = at {
            let next = self.flow.elements[element].next;
            let labeled = self.flow.labels.iter().any(|l| l.element == element);
            let (idle, skip) = match &self.flow.elements[element].content {
                Content::Op(Op::Skip) => (true, true),
                Content::Op(Op::Print(_)) => (true, false),
                _ => (false, false),
            };
            run = if idle && !labeled { run + 1 } else { 0 };
            match before {
                Some(previous) if run > 1 && skip && Some(element) != ends.last => {
                    let previous: ElementId = previous;
                    self.flow.elements[previous].next = next;
                }
                _ => before = Some(element),
            }
            at = next;
        }
    }

    fn open_loop(&mut self) -> usize {
        self.flow.breaks.push(None);
        let number = self.flow.breaks.len() - 1;
        self.loops.push(number);
        number
    }

    /// A statement that is one operation.
    fn operation(&mut self, statement: &Stmt) -> Option<Op> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assign(variable, value) => self.assignment(variable, value),
            StmtKind::Condition(condition) => {
                if let ExprKind::Run(name, args, priority) = &*condition.kind {
                    return self.run(name, args, priority.as_ref(), None, condition.span);
                }
                // A 1 that is written down is a `skip`; one that is computed is a condition that holds.
                Some(match (&*condition.kind, self.expression(condition)) {
                    (ExprKind::Number(1), _) => Op::Skip,
                    (_, other) => Op::Condition(other),
                })
            }
            StmtKind::Send { channel, args, sorted } => {
                let args = self.arguments(args);
                let (channel, known) = self.channel_ref(channel)?;
                self.check_fields(known, args.len(), span, "sent");
                Some(Op::Send {
                    channel,
                    args: args.into(),
                    sorted: *sorted,
                })
            }
            StmtKind::Receive {
                channel,
                args,
                random,
                peek,
            } => {
                let pattern = self.patterns(args);
                let (channel, known) = self.channel_ref(channel)?;
                self.check_fields(known, pattern.len(), span, "received");
                self.check_distinct(&pattern, span);
                Some(Op::Receive {
                    channel,
                    pattern: pattern.into(),
                    random: *random,
                    peek: *peek,
                })
            }
            StmtKind::Else => Some(Op::Else),
            StmtKind::Assert(condition) => Some(Op::Assert(self.expression(condition))),
            StmtKind::SetPriority(pid, priority) => Some(Op::SetPriority(Box::new((self.expression(pid), self.expression(priority))))),
            StmtKind::Print { args, .. } => Some(Op::Print(args.iter().map(|a| self.expression(a)).collect())),
            _ => None,
        }
    }

    fn assignment(&mut self, variable: &VarRef, value: &Expr) -> Option<Op> {
        let name = &variable.parts[0].0;
        if matches!(&*name.text, "_pid" | "_nr_pr" | "_last") {
            self.error("read-only", name.span, format!("`{}` cannot be assigned to", name.text), "");
            return None;
        }
        let target = match &*name.text {
            "_priority" => own_priority(),
            _ => self.scalar(variable)?.place,
        };
        if let ExprKind::Run(name, args, priority) = &*value.kind {
            return self.run(name, args, priority.as_ref(), Some(target), value.span);
        }
        Some(Op::Assign(target, self.expression(value)))
    }

    fn run(&mut self, name: &Name, args: &[Expr], priority: Option<&Expr>, result: Option<Place>, span: Span) -> Option<Op> {
        let priority = self.priority(priority);
        let args = self.arguments(args);
        let Some(signature) = self.signatures.get(&name.text) else {
            let known = self.signatures.keys().map(|k| &**k);
            let message = Diagnostic::error("unknown-name", format!("there is no process type `{}`", name.text))
                .label(name.span, "not found")
                .did_you_mean(&name.text, known);
            self.diagnostics.push(message);
            return None;
        };
        let (proctype, expected, defined) = (signature.index, signature.parameters, signature.span);
        if let Some(expected) = expected.filter(|&n| n != args.len()) {
            self.diagnostics.push(
                Diagnostic::error(
                    "arguments",
                    format!("`{}` takes {}, not {}", name.text, counted(expected, "argument"), args.len()),
                )
                .label(span, "started here")
                .label(defined, "defined here"),
            );
        }
        Some(Op::Run {
            proctype,
            args: args.into(),
            result,
            priority,
        })
    }

    /// `x = from; do :: x <= to -> body; x++ :: else -> break od`.
    #[allow(clippy::too_many_arguments)]
    fn for_loop(
        &mut self,
        variable: &VarRef,
        from: &Expr,
        to: &Expr,
        body: &[Stmt],
        span: Span,
        into: SequenceId,
        labels: &[&Name],
    ) -> Option<ElementId> {
        let counter = self.scalar(variable)?.place;
        let from = self.expression(from);
        let to = self.expression(to);
        self.basic(Content::Op(Op::Assign(counter.clone(), from)), span, into, &[]);
        let number = self.open_loop();
        let option = self.flow.sequence();
        let condition = Ex::Binary(Operator::LessEqual, Box::new((Ex::Load(counter.clone()), to)));
        self.basic(Content::Op(Op::Condition(condition)), span, option, &[]);
        self.loop_body(body, option, counter, span);
        self.end_loop(option, number, true, span, into, labels)
    }

    fn loop_body(&mut self, body: &[Stmt], option: SequenceId, counter: Place, span: Span) {
        self.at_birth = false;
        self.open_block();
        for statement in body {
            self.statement(statement, option);
        }
        self.close_block();
        let next = Ex::Binary(Operator::Add, Box::new((Ex::Load(counter.clone()), Ex::Const(1))));
        self.basic(Content::Op(Op::Assign(counter, next)), span, option, &[]);
        self.flow.close(option);
    }

    /// Closes a counting loop with its way out, `else -> break` or just `break`.
    fn end_loop(
        &mut self,
        option: SequenceId,
        number: usize,
        with_else: bool,
        span: Span,
        into: SequenceId,
        labels: &[&Name],
    ) -> Option<ElementId> {
        let out = self.flow.sequence();
        if with_else {
            self.basic(Content::Op(Op::Else), span, out, &[]);
        }
        self.basic(Content::Goto(LabelRef::Break(number)), span, out, &[]);
        self.flow.close(out);
        self.loops.pop();
        let options = if with_else { vec![option, out] } else { vec![out, option] };
        let element = self.flow.add_do(options, number, span, into);
        self.set_labels(labels, element);
        Some(element)
    }

    /// `for (i in array)` counts through the indices; `for (m in channel)` takes every message out and puts it back.
    fn for_in(
        &mut self,
        variable: &VarRef,
        over: &VarRef,
        body: &[Stmt],
        span: Span,
        into: SequenceId,
        labels: &[&Name],
    ) -> Option<ElementId> {
        let target = self.resolve(over)?;
        if let Some(length) = target.whole_array {
            let zero = Expr::number(0, span);
            let last = Expr::number(length as i32 - 1, span);
            return self.for_loop(variable, &zero, &last, body, span, into, labels);
        }
        let Some(channel) = target.channel else {
            self.error(
                "for",
                over.span,
                "`for (… in …)` needs an array or a declared channel",
                "neither of them",
            );
            return None;
        };
        let places = self.expand(variable)?;
        if places.len() != self.types.channels[channel].fields.len() {
            self.error("for", variable.span, "this does not have the type of the channel's messages", "");
            return None;
        }
        let counter = self.temporary(span);
        self.basic(Content::Op(Op::Assign(counter.clone(), Ex::Const(0))), span, into, &[]);
        let number = self.open_loop();
        let option = self.flow.sequence();
        let queue = Ex::Load(target.place);
        let length = Ex::Probe(crate::ast::Probe::Len, Box::new(queue.clone()));
        let condition = Ex::Binary(Operator::Less, Box::new((Ex::Load(counter.clone()), length)));
        self.basic(Content::Op(Op::Condition(condition)), span, option, &[]);
        let take = Op::Receive {
            channel: queue.clone(),
            pattern: places.iter().map(|(p, _)| Pattern::Store(p.clone())).collect(),
            random: false,
            peek: false,
        };
        self.basic(Content::Op(take), span, option, &[]);
        let put_back = Op::Send {
            channel: queue,
            args: places.iter().map(|(p, _)| Ex::Load(p.clone())).collect(),
            sorted: false,
        };
        self.basic(Content::Op(put_back), span, option, &[]);
        self.loop_body(body, option, counter, span);
        self.end_loop(option, number, true, span, into, labels)
    }

    /// A hidden local counter.
    fn temporary(&mut self, span: Span) -> Place {
        let offset = self.area.size;
        self.area.size += 1;
        self.temporaries += 1;
        let name = format!("(counter {})", self.temporaries);
        self.area.cells.push(Cell {
            name: name.clone(),
            offset,
            kind: Kind::Byte,
            meaning: Meaning::Number,
            variable: self.area.variables,
            hidden: false,
        });
        self.area.variables += 1;
        let variable = Variable {
            ty: Type::Scalar(Kind::Byte, Meaning::Number),
            length: None,
            global: false,
            offset,
            channel: None,
            constant: None,
            span,
        };
        self.locals.push((name.into(), variable));
        Place {
            space: Space::Local,
            offset,
            kind: Kind::Byte,
            indices: Box::new([]),
        }
    }

    /// One choice of all values where SPIN 6.5 makes one: for a variable whose name has letters and digits only, and bounds written as numbers
    /// that are at most 32 apart. Otherwise `x = from; do :: break :: x < to -> x++ od`, which has more states.
    fn select(&mut self, variable: &VarRef, from: &Expr, to: &Expr, span: Span, into: SequenceId, labels: &[&Name]) -> Option<ElementId> {
        let literal = |e: &Expr| match *e.kind {
            ExprKind::Number(n) => Some(n),
            _ => None,
        };
        let bounds = (literal(from), literal(to));
        let target = self.scalar(variable)?.place;
        let (from, to) = (self.expression(from), self.expression(to));
        if let (Some(a), Some(b)) = bounds
            && a > b
        {
            self.error("select", span, format!("`select` from {a} to {b}"), "no such range of values");
            return None;
        }
        let plain = |name: &Name| name.text.chars().all(|c| c.is_ascii_alphanumeric());
        let is_plain = matches!(&variable.parts[..], [(name, None)] if plain(name));
        if let (Some(a), Some(b), true) = (bounds.0, bounds.1, is_plain)
            && i64::from(b) - i64::from(a) <= 32
        {
            let mut options = Vec::new();
            for value in a..=b {
                let option = self.flow.sequence();
                self.basic(Content::Op(Op::Assign(target.clone(), Ex::Const(value))), span, option, &[]);
                self.flow.close(option);
                options.push(option);
            }
            let element = self.flow.add_if(options, span, into);
            self.set_labels(labels, element);
            return Some(element);
        }
        self.basic(Content::Op(Op::Assign(target.clone(), from)), span, into, &[]);
        let number = self.open_loop();
        let option = self.flow.sequence();
        let condition = Ex::Binary(Operator::Less, Box::new((Ex::Load(target.clone()), to)));
        self.basic(Content::Op(Op::Condition(condition)), span, option, &[]);
        self.loop_body(&[], option, target, span);
        self.end_loop(option, number, false, span, into, labels)
    }
}

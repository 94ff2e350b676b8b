//! Declarations: `mtype`, `typedef`, variables and channels.

use super::Lowerer;
use super::flow::{Content, SequenceId};
use super::layout::{self, Field, MAX_SIZE, Record, Type, Variable};
use crate::ast::{BaseType, ChannelType, Declaration, Expr, Init, Name};
use crate::model::{Channel, ChannelSlot, Ex, FirstValue, Kind, Meaning, Op, Place, Space};
use mazurka_diagnostics::{Diagnostic, Span};

impl Lowerer<'_> {
    /// Numbers the names from the last to the first, as SPIN does; a later list continues where the earlier one ended.
    pub(super) fn mtype(&mut self, family: Option<&Name>, names: &[Name]) {
        let family = self.mtype_family(family);
        let base = self.mtype_families[family].1.len();
        if base + names.len() > 255 {
            let span = names.first().map_or(Span::default(), |n| n.span);
            self.error("too-many-names", span, "an mtype family has at most 255 names", "");
            return;
        }
        for (i, name) in names.iter().rev().enumerate() {
            let value = (base + i + 1) as i32;
            if self.mtype_values.insert(name.text.clone(), (value, family)).is_some() {
                self.error(
                    "duplicate",
                    name.span,
                    format!("the mtype name `{}` is defined twice", name.text),
                    "",
                );
            }
            self.mtype_families[family].1.push(name.text.clone());
        }
    }

    fn mtype_family(&mut self, family: Option<&Name>) -> usize {
        let Some(family) = family else { return 0 };
        let known = self.mtype_families.iter().position(|(name, _)| name.as_ref() == Some(&family.text));
        known.unwrap_or_else(|| {
            self.mtype_families.push((Some(family.text.clone()), Vec::new()));
            self.mtype_families.len() - 1
        })
    }

    pub(super) fn typedef(&mut self, name: &Name, declarations: &[Declaration]) {
        let mut fields: Vec<Field> = Vec::new();
        let mut size = 0u64;
        for declaration in declarations {
            for variable in &declaration.variables {
                let Some((ty, length)) = self.shape(&declaration.base, variable) else {
                    continue;
                };
                if fields.iter().any(|f| f.name == variable.name.text) {
                    let message = format!("the field `{}` is declared twice", variable.name.text);
                    self.error("duplicate", variable.name.span, message, "");
                }
                let (mut initial, mut channel) = (Vec::new(), None);
                match &variable.init {
                    None => {}
                    Some(Init::Value(value)) => initial.extend(self.constant(value)),
                    Some(Init::List(values)) => initial = values.iter().filter_map(|v| self.constant(v)).collect(),
                    Some(Init::Channel(ty)) => channel = self.channel(&variable.name.text, ty),
                }
                fields.push(Field {
                    name: variable.name.text.clone(),
                    ty,
                    length,
                    offset: size as u32,
                    initial,
                    channel,
                });
                size += u64::from(self.types.size(ty, length.is_some())) * u64::from(length.unwrap_or(1));
                if size > MAX_SIZE {
                    return self.error("too-large", variable.name.span, "this record is too large", "");
                }
            }
        }
        let record = Record {
            name: name.text.clone(),
            fields,
            size: size as u32,
        };
        self.types.records.push(record);
        let index = self.types.records.len() - 1;
        if self.record_names.insert(name.text.clone(), index).is_some() {
            self.error("duplicate", name.span, format!("the record `{}` is defined twice", name.text), "");
        }
    }

    fn base_type(&mut self, base: &BaseType, bits: Option<(i32, Span)>, span: Span) -> Option<Type> {
        let number = |kind| Some(Type::Scalar(kind, Meaning::Number));
        match base {
            BaseType::Bit => number(Kind::Bit),
            BaseType::Byte | BaseType::Pid => number(Kind::Byte),
            BaseType::Short => number(Kind::Short),
            BaseType::Int => number(Kind::Int),
            BaseType::Unsigned => match bits {
                Some((n, _)) if (1..=32).contains(&n) => number(Kind::Unsigned(n as u8)),
                Some((n, at)) => {
                    self.error("width", at, format!("a width of {n} bits: expected 1 to 32"), "");
                    None
                }
                // SPIN takes a missing width as one bit less than nothing useful; ask for it.
                None => {
                    self.error("width", span, "`unsigned` needs a width, as in `unsigned x : 5`", "");
                    None
                }
            },
            BaseType::Mtype(family) => Some(Type::Scalar(Kind::Byte, Meaning::Mtype(self.mtype_family(family.as_ref())))),
            BaseType::Chan => Some(Type::Scalar(Kind::Byte, Meaning::Channel)),
            BaseType::Named(name) => match self.record_names.get(&name.text) {
                Some(&record) => Some(Type::Record(record)),
                None => {
                    self.error("unknown-type", name.span, format!("`{}` is not defined yet", name.text), "");
                    None
                }
            },
        }
    }

    /// The type and length of a declared name.
    fn shape(&mut self, base: &BaseType, variable: &crate::ast::Variable) -> Option<(Type, Option<u32>)> {
        let ty = self.base_type(base, variable.bits, variable.name.span)?;
        let Some(length) = &variable.length else { return Some((ty, None)) };
        let value = self.constant(length)?;
        if value < 1 || i64::from(value) > MAX_SIZE as i64 {
            let message = format!("an array of {value} elements");
            self.error("array-length", length.span, message, &format!("expected 1 to {MAX_SIZE}"));
            return None;
        }
        Some((ty, Some(value as u32)))
    }

    /// The value of an expression that must be known before the model runs.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        // SPIN takes the first value of a variable here, with a warning.
        if let crate::ast::ExprKind::Variable(reference) = &*expr.kind
            && let [(name, None)] = &reference.parts[..]
            && let Some(Some(value)) = self.lookup(&name.text).map(|v| v.constant)
        {
            let message = format!("`{}` is a variable; its first value {value} is used", name.text);
            self.diagnostics
                .push(Diagnostic::warning("variable-as-constant", message).label(name.span, "expected a constant"));
            return Some(value);
        }
        let errors = self.diagnostics.count(mazurka_diagnostics::Severity::Error);
        match self.expression(expr) {
            Ex::Const(value) => Some(value),
            _ => {
                if self.diagnostics.count(mazurka_diagnostics::Severity::Error) == errors {
                    self.error(
                        "constant",
                        expr.span,
                        "this must be a constant",
                        "its value is only known when the model runs",
                    );
                }
                None
            }
        }
    }

    /// Declares variables; inside a body, statements that set them go to `into`.
    pub(super) fn declaration(&mut self, declaration: &Declaration, into: Option<SequenceId>) {
        for variable in &declaration.variables {
            self.variable(declaration, variable, into);
        }
    }

    fn variable(&mut self, declaration: &Declaration, variable: &crate::ast::Variable, into: Option<SequenceId>) {
        let Some((ty, length)) = self.shape(&declaration.base, variable) else {
            return;
        };
        let name = &variable.name;
        let size = u64::from(self.types.size(ty, length.is_some())) * u64::from(length.unwrap_or(1));
        if u64::from(self.area.size) + size > MAX_SIZE {
            return self.error(
                "too-large",
                name.span,
                format!("`{}` makes the state larger than {MAX_SIZE} bytes", name.text),
                "",
            );
        }
        let global = self.scopes.is_empty();
        let offset = self.area.size;
        self.area.size += size as u32;
        let channel = match &variable.init {
            Some(Init::Channel(channel)) => {
                if !matches!(ty, Type::Scalar(_, Meaning::Channel)) {
                    self.error(
                        "type",
                        channel.span,
                        format!("`{}` is not a `chan`", name.text),
                        "a channel cannot be stored here",
                    );
                }
                self.channel(&name.text, channel)
            }
            _ => None,
        };
        let at_birth = global || self.at_birth;
        let values = self.first_values(variable, length);
        let constant = match &values[..] {
            [Ex::Const(value)] => Some(*value),
            _ => None,
        };
        let declared = Variable {
            ty,
            length,
            global,
            offset,
            channel,
            constant,
            span: name.span,
        };
        self.declare(name, declared.clone());
        self.lay_out(variable, &declared, &values, at_birth, declaration.hidden);
        if let (false, Some(into)) = (at_birth, into) {
            self.set_when_reached(&declared, values, variable, into);
        }
    }

    /// The given first values, one per element; none if nothing was given.
    fn first_values(&mut self, variable: &crate::ast::Variable, length: Option<u32>) -> Vec<Ex> {
        match &variable.init {
            None | Some(Init::Channel(_)) => Vec::new(),
            Some(Init::Value(value)) => vec![self.value(value)],
            Some(Init::List(values)) => {
                if length.is_none() {
                    self.error(
                        "type",
                        variable.name.span,
                        format!("`{}` is not an array", variable.name.text),
                        "has a list of values",
                    );
                } else if values.len() > length.unwrap_or(1) as usize {
                    let message = format!("{} values for {} elements", values.len(), length.unwrap_or(1));
                    self.error("array-length", variable.name.span, message, "");
                }
                values.iter().map(|v| self.value(v)).collect()
            }
        }
    }

    fn declare(&mut self, name: &Name, variable: Variable) {
        let before = match self.scopes.last() {
            Some(scope) => scope.get(&name.text),
            None => self.globals.get(&name.text),
        };
        if let Some(before) = before.map(|v| v.span) {
            self.duplicate(name, "the variable", before);
        }
        if self.signatures.contains_key(&name.text) && self.scopes.is_empty() {
            self.error(
                "duplicate",
                name.span,
                format!("`{}` is also the name of a process type", name.text),
                "",
            );
        }
        match self.scopes.last_mut() {
            Some(scope) => {
                scope.insert(name.text.clone(), variable.clone());
                self.locals.push((name.text.clone(), variable));
            }
            None => {
                self.globals.insert(name.text.clone(), variable);
            }
        }
    }

    /// Gives every scalar of the variable a cell, its channel and its first value.
    fn lay_out(&mut self, source: &crate::ast::Variable, variable: &Variable, values: &[Ex], at_birth: bool, hidden: bool) {
        let mut leaves = Vec::new();
        self.types
            .leaves(variable.ty, variable.length, variable.offset, &[], variable.channel, &mut leaves);
        let number = self.area.variables;
        self.area.variables += 1;
        self.area.cells.extend(layout::cells(&source.name.text, &leaves, number, hidden));
        let space = if variable.global { Space::Global } else { Space::Local };
        let given = match &source.init {
            Some(Init::Value(value)) => value.span,
            Some(Init::List(values)) => values.iter().fold(source.name.span, |all, value| all.to(value.span)),
            Some(Init::Channel(_)) | None => source.name.span,
        };
        let span = source.name.span.to(given);
        for (i, leaf) in leaves.iter().enumerate() {
            if let Some(channel) = leaf.channel {
                self.area.channels.push(ChannelSlot {
                    channel,
                    storage: 0,
                    variable: leaf.offset,
                });
            }
            let given = if at_birth { values.get(i).or(values.last()).cloned() } else { None };
            let value = given.or((leaf.initial != 0).then_some(Ex::Const(leaf.initial)));
            if let Some(value) = value {
                let place = Place {
                    space,
                    offset: leaf.offset,
                    kind: leaf.kind,
                    indices: Box::new([]),
                };
                self.area.initial.push(FirstValue { place, value, span });
            }
        }
    }

    /// After the first statement of a body, SPIN turns a declaration into a statement that sets the variable (of an array, the
    /// first element).
    fn set_when_reached(&mut self, variable: &Variable, values: Vec<Ex>, source: &crate::ast::Variable, into: SequenceId) {
        if matches!(source.init, Some(Init::Channel(_))) {
            return;
        }
        let op = match variable.ty {
            Type::Record(_) => Op::Skip,
            Type::Scalar(kind, _) => {
                let place = Place {
                    space: Space::Local,
                    offset: variable.offset,
                    kind: layout::element_kind(kind, variable.length.is_some()),
                    indices: Box::new([]),
                };
                Op::Assign(place, values.into_iter().next().unwrap_or(Ex::Const(0)))
            }
        };
        let element = self.flow.element(Content::Op(op), source.name.span);
        self.flow.append(element, into);
    }

    fn channel(&mut self, name: &str, source: &ChannelType) -> Option<usize> {
        let capacity = self.constant(&source.capacity)?;
        if !(0..=255).contains(&capacity) {
            self.error(
                "capacity",
                source.capacity.span,
                format!("a channel for {capacity} messages"),
                "expected 0 to 255",
            );
            return None;
        }
        let mut fields = Vec::new();
        for field in &source.fields {
            if matches!(field, BaseType::Unsigned) {
                self.error("type", source.span, "`unsigned` cannot be the type of a message field", "");
                continue;
            }
            let ty = self.base_type(field, None, source.span)?;
            fields.extend(self.types.fields(ty));
        }
        let message_size: u32 = fields.iter().map(|(kind, _)| kind.size()).sum();
        let channel = Channel {
            name: name.to_string(),
            capacity: capacity as u32,
            meanings: fields.iter().map(|f| f.1).collect(),
            fields: fields.iter().map(|f| f.0).collect(),
            message_size,
        };
        if u64::from(channel.size()) > MAX_SIZE {
            self.error("too-large", source.span, "this channel is too large", "");
            return None;
        }
        self.types.channels.push(channel);
        Some(self.types.channels.len() - 1)
    }

    pub(super) fn check_parameters(&mut self, declaration: &Declaration) {
        for variable in &declaration.variables {
            if variable.init.is_some() {
                self.error(
                    "parameter",
                    variable.name.span,
                    "a parameter has no first value: it gets one from `run`",
                    "",
                );
            }
            if let Some(length) = &variable.length {
                self.error("parameter", length.span, "an array cannot be a parameter", "");
            }
        }
    }
}

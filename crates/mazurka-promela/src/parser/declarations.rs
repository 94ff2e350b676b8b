//! The outermost level of a model, and declarations anywhere.

use super::{Failed, Parsed, Parser};
use crate::ast::{BaseType, ChannelType, Declaration, Expr, Init, Name, Proctype, Unit, Variable};
use crate::token::{Token, TokenKind};
use mazurka_diagnostics::Diagnostic;

/// The words that start a unit: where the parser goes on after an error.
const UNIT_STARTS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "typedef",
    "mtype",
    "inline",
    "never",
    "ltl",
    "trace",
    "notrace",
    "hidden",
    "show",
    "local",
    "bit",
    "bool",
    "byte",
    "pid",
    "short",
    "int",
    "unsigned",
    "chan",
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
];

impl Parser<'_> {
    pub(super) fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        while !self.at_end() {
            let before = self.at;
            match self.unit() {
                Ok(Some(unit)) => units.push(unit),
                Ok(None) => {}
                Err(Failed) => {
                    if self.at == before {
                        self.next();
                    }
                    while !(self.at_end() || self.peek().kind == TokenKind::Name && UNIT_STARTS.contains(&&*self.peek().text)) {
                        self.next();
                    }
                }
            }
            self.panicking = false;
        }
        units
    }

    fn unit(&mut self) -> Parsed<Option<Unit>> {
        let token = self.peek().clone();
        if self.eat(";") || self.eat("->") {
            return Ok(None);
        }
        if token.kind != TokenKind::Name {
            return self.unexpected("a declaration, `proctype` or `init`");
        }
        match &*token.text {
            "active" | "proctype" | "D_proctype" => self.proctype().map(|p| Some(Unit::Proctype(Box::new(p)))),
            "init" => self.init().map(|p| Some(Unit::Proctype(Box::new(p)))),
            "typedef" => self.typedef().map(Some),
            "inline" => self.inline_definition().map(|()| None),
            "mtype" if self.is_mtype_definition() => self.mtype().map(Some),
            "never" | "ltl" | "trace" | "notrace" => self.property(&token),
            "c_code" | "c_decl" | "c_state" | "c_track" | "c_expr" => self.embedded_c(&token),
            _ if self.starts_declaration() => Ok(Some(Unit::Declaration(self.declaration()?))),
            _ => self.unknown_unit(&token),
        }
    }

    fn unknown_unit<T>(&mut self, token: &Token) -> Parsed<T> {
        let types = self.typedefs.iter().map(|t| &**t).chain(UNIT_STARTS.iter().copied());
        let message = Diagnostic::error(
            "syntax",
            format!("expected a declaration, `proctype` or `init`, found `{}`", token.text),
        )
        .label(token.span, "neither a type nor a keyword")
        .did_you_mean(&token.text, types);
        self.fail(message)
    }

    pub(super) fn embedded_c<T>(&mut self, token: &Token) -> Parsed<T> {
        self.next();
        while matches!(self.peek().kind, TokenKind::Text) {
            self.next();
        }
        if self.peek().is("[") {
            while !self.at_end() && !self.peek().is("{") {
                self.next();
            }
        }
        if self.peek().is("{") {
            self.skip_braces();
        }
        self.refuse(token.span, &format!("`{}`", token.text), "C code inside a model cannot be explored")
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let mut active = None;
        if self.peek().is_name("active") {
            let span = self.next().span;
            active = Some(if self.eat("[") {
                let count = self.expression()?;
                self.want("]")?;
                count
            } else {
                Expr::number(1, span)
            });
        }
        if !self.eat_word("proctype") && !self.eat_word("D_proctype") {
            return self.unexpected("`proctype`");
        }
        let name = self.name("the name of the process type")?;
        self.want("(")?;
        let mut parameters = Vec::new();
        while !self.peek().is(")") {
            if self.eat(";") || self.eat(",") {
                continue;
            }
            parameters.push(self.declaration()?);
        }
        self.want(")")?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let (body, end) = self.body()?;
        Ok(Proctype {
            name,
            parameters,
            active,
            provided,
            priority,
            body,
            end,
        })
    }

    fn init(&mut self) -> Parsed<Proctype> {
        let span = self.next().span;
        let priority = self.priority()?;
        let (body, end) = self.body()?;
        let text = "init".into();
        Ok(Proctype {
            name: Name { text, span },
            parameters: Vec::new(),
            active: Some(Expr::number(1, span)),
            provided: None,
            priority,
            body,
            end,
        })
    }

    /// `priority 3`, where it is said.
    pub(super) fn priority(&mut self) -> Parsed<Option<Expr>> {
        match self.eat_word("priority") {
            true => Ok(Some(self.expression()?)),
            false => Ok(None),
        }
    }

    /// `provided (condition)`, where it is said.
    fn provided(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat_word("provided") {
            return Ok(None);
        }
        self.want("(")?;
        let condition = self.expression()?;
        self.want(")")?;
        Ok(Some(condition))
    }

    fn typedef(&mut self) -> Parsed<Unit> {
        self.next();
        let name = self.name("the name of the record")?;
        self.want("{")?;
        let mut fields = Vec::new();
        while !self.peek().is("}") {
            if self.eat(";") || self.eat("->") {
                continue;
            }
            fields.push(self.declaration()?);
        }
        self.want("}")?;
        self.typedefs.insert(name.text.clone());
        Ok(Unit::Typedef { name, fields })
    }

    /// Whether `mtype` introduces names (`mtype = {…}`, `mtype {…}`, `mtype:f = {…}`) and not a variable.
    fn is_mtype_definition(&self) -> bool {
        let mut i = 1;
        if self.peek_at(i).is(":") {
            i += 2;
        }
        self.peek_at(i).is("{") || (self.peek_at(i).is("=") && self.peek_at(i + 1).is("{"))
    }

    fn mtype(&mut self) -> Parsed<Unit> {
        self.next();
        let family = if self.eat(":") {
            Some(self.name("the name of the mtype family")?)
        } else {
            None
        };
        self.eat("=");
        self.want("{")?;
        let mut names = Vec::new();
        while !self.peek().is("}") {
            names.push(self.name("a name or `}`")?);
            while self.eat(",") {}
        }
        self.want("}")?;
        Ok(Unit::Mtype { family, names })
    }

    /// Whether the next tokens start a declaration of variables.
    pub(super) fn starts_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != TokenKind::Name {
            return false;
        }
        match &*token.text {
            "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "chan" | "mtype" | "hidden" | "show" | "local" => true,
            name => self.typedefs.contains(name) && self.peek_at(1).kind == TokenKind::Name,
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let hidden = self.peek().is_name("hidden");
        if hidden || self.peek().is_name("show") || self.peek().is_name("local") {
            self.next();
        }
        let base = self.base_type()?;
        let mut variables = vec![self.variable()?];
        // In a parameter list `,` also separates declarations: what follows then starts with a type.
        while self.peek().is(",") && {
            self.at += 1;
            let another = self.starts_declaration();
            self.at -= 1;
            !another
        } {
            self.next();
            variables.push(self.variable()?);
        }
        Ok(Declaration { base, variables, hidden })
    }

    fn base_type(&mut self) -> Parsed<BaseType> {
        let token = self.peek().clone();
        let base = match (token.kind, &*token.text) {
            (TokenKind::Name, "bit" | "bool") => BaseType::Bit,
            (TokenKind::Name, "byte") => BaseType::Byte,
            (TokenKind::Name, "pid") => BaseType::Pid,
            (TokenKind::Name, "short") => BaseType::Short,
            (TokenKind::Name, "int") => BaseType::Int,
            (TokenKind::Name, "unsigned") => BaseType::Unsigned,
            (TokenKind::Name, "chan") => BaseType::Chan,
            (TokenKind::Name, "mtype") => {
                self.next();
                let family = if self.eat(":") {
                    Some(self.name("the name of the mtype family")?)
                } else {
                    None
                };
                return Ok(BaseType::Mtype(family));
            }
            (TokenKind::Name, name) if self.typedefs.contains(name) => BaseType::Named(Name {
                text: token.text.clone(),
                span: token.span,
            }),
            (TokenKind::Name, name) => {
                let known = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];
                let candidates = self.typedefs.iter().map(|t| &**t).chain(known);
                let message = Diagnostic::error("unknown-type", format!("`{name}` is not a type"))
                    .label(token.span, "expected a type")
                    .did_you_mean(name, candidates);
                return self.fail(message);
            }
            _ => return self.unexpected("a type"),
        };
        self.next();
        Ok(base)
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name("the name of a variable")?;
        let (mut length, mut bits, mut init) = (None, None, None);
        if self.eat("[") {
            length = Some(self.expression()?);
            self.want("]")?;
        } else if self.peek().is(":") && matches!(self.peek_at(1).kind, TokenKind::Number(_)) {
            self.next();
            let token = self.next();
            if let TokenKind::Number(value) = token.kind {
                bits = Some((value, token.span));
            }
        }
        if self.eat("=") {
            init = Some(self.initial_value()?);
        }
        Ok(Variable { name, length, bits, init })
    }

    fn initial_value(&mut self) -> Parsed<Init> {
        if self.peek().is("[") {
            let start = self.next().span;
            let capacity = self.expression()?;
            self.want("]")?;
            if !self.eat_word("of") {
                return self.unexpected("`of`");
            }
            self.want("{")?;
            let mut fields = vec![self.base_type()?];
            while self.eat(",") {
                fields.push(self.base_type()?);
            }
            let end = self.want("}")?;
            let span = start.to(end);
            return Ok(Init::Channel(ChannelType { capacity, fields, span }));
        }
        if self.eat("{") {
            let mut values = vec![self.expression()?];
            while self.eat(",") {
                values.push(self.expression()?);
            }
            self.want("}")?;
            return Ok(Init::List(values));
        }
        Ok(Init::Value(self.expression()?))
    }
}

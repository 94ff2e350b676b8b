//! Statements of C.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use crate::model::{Expr, Label, LabelPosition, Local, LocalVariable, Statement};

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn block(&mut self) -> Parsed<()> {
        self.want("{")?;
        while !self.accept("}") {
            self.nested(Self::statement)?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Parsed<()> {
        let at = self.at;
        if self.is("{") {
            return self.block();
        }
        if self.accept(";") {
            return Ok(());
        }
        if self.accept("*") {
            let (variable, atomic) = self.pointer()?;
            self.want("=")?;
            let value = self.expression()?;
            self.store_at(at, variable, atomic, value);
            return self.want(";");
        }
        if self.at_type() {
            return self.declaration();
        }
        let Token::Name(word) = self.peek().clone() else {
            return self.unexpected("a statement");
        };
        match word.as_str() {
            "if" => self.if_(),
            "while" => self.while_(),
            "do" => self.do_(),
            "asm" | "__asm__" | "__asm" => self.error_at(at, "not-supported", "inline assembly is not read".to_owned()),
            "for" | "goto" | "return" | "switch" | "break" | "continue" => self.error_at(
                at,
                "not-supported",
                format!("`{word}` is not read; there are `if`, `while` and `do`"),
            ),
            _ => self.simple(&word),
        }
    }

    /// `r1 = e;`, or a call.
    fn simple(&mut self, word: &str) -> Parsed<()> {
        let at = self.at;
        self.next();
        if self.is("(") {
            self.call(word, at)?;
            return self.want(";");
        }
        let register = self.register(word, at)?;
        self.want("=")?;
        self.assign(at, register)?;
        self.want(";")
    }

    /// `int r1 = e, r2;`
    fn declaration(&mut self) -> Parsed<()> {
        self.type_()?;
        loop {
            if self.is("*") {
                return self.error_at(self.at, "not-supported", "pointers in registers are not read".to_owned());
            }
            let at = self.at;
            let name = self.name("the name of a register")?;
            let is_variable = self.pointers.iter().any(|p| p.name == name) || self.model.variables.iter().any(|v| v.name == name);
            if is_variable || self.body.locals.iter().any(|l| l.name == name) {
                return self.error_at(at, "duplicate", format!("`{name}` is already declared"));
            }
            self.body.locals.push(LocalVariable { name, initial: 0 });
            let register = Local(self.body.locals.len() - 1);
            if self.accept("=") {
                self.assign(at, register)?;
            }
            if !self.accept(",") {
                return self.want(";");
            }
        }
    }

    fn assign(&mut self, at: usize, register: Local) -> Parsed<()> {
        let value = self.expression()?;
        if let Expr::Local(from) = value
            && self.retarget(from, register)
        {
            return Ok(());
        }
        self.step(at, vec![Statement::Assign(register.into(), value)]);
        Ok(())
    }

    fn label(&mut self) -> Label {
        let name = format!("s{}", self.body.labels.len());
        self.body.labels.push(LabelPosition { name, step: None });
        Label(self.body.labels.len() - 1)
    }

    fn place(&mut self, label: Label) {
        self.body.labels[label.0].step = Some(self.body.steps.len());
    }

    fn leave_unless(&mut self, at: usize, condition: Expr, label: Label) {
        let not = Expr::Not(Box::new(condition));
        self.step(at, vec![Statement::If(not, vec![Statement::Goto(label)], Vec::new())]);
    }

    fn if_(&mut self) -> Parsed<()> {
        let at = self.at;
        self.next();
        let condition = self.in_parentheses()?;
        let (other, end) = (self.label(), self.label());
        self.leave_unless(at, condition, other);
        self.nested(Self::statement)?;
        if self.is_word("else") {
            let at = self.at;
            self.next();
            self.step(at, vec![Statement::Goto(end)]);
            self.place(other);
            self.nested(Self::statement)?;
        } else {
            self.place(other);
        }
        self.place(end);
        Ok(())
    }

    fn while_(&mut self) -> Parsed<()> {
        let at = self.at;
        self.next();
        let (again, end) = (self.label(), self.label());
        self.place(again);
        let condition = self.in_parentheses()?;
        self.leave_unless(at, condition, end);
        self.nested(Self::statement)?;
        self.step(at, vec![Statement::Goto(again)]);
        self.place(end);
        Ok(())
    }

    fn do_(&mut self) -> Parsed<()> {
        let at = self.at;
        self.next();
        let (again, end) = (self.label(), self.label());
        self.place(again);
        self.block()?;
        if !self.is_word("while") {
            return self.unexpected("`while`");
        }
        self.next();
        let condition = self.in_parentheses()?;
        self.want(";")?;
        self.leave_unless(at, condition, end);
        self.step(at, vec![Statement::Goto(again)]);
        self.place(end);
        Ok(())
    }
}

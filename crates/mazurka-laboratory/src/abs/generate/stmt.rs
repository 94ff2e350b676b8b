//! Statements, drawn with weights.

use super::{Gen, Ty, Var, block};

impl Gen<'_> {
    /// Adds a statement, now and then two that belong together. `depth` counts the branches and loops around it.
    pub(super) fn statement(&mut self, depth: usize, lines: &mut Vec<String>) {
        if self.timed && self.may_wait && self.r.chance(1, 4) {
            return self.time(lines);
        }
        match self.r.below(48) {
            0..=7 => self.assignment(lines),
            8..=18 => {
                let kind = self.r.below(8);
                self.start(kind, lines);
            }
            19..=22 => {
                let condition = self.condition(1);
                lines.push(format!("await {condition};"));
            }
            23..=26 => self.await_future(lines),
            27..=29 => self.get(lines),
            30..=33 => {
                let condition = self.condition(1);
                lines.push(format!("assert {condition};"));
            }
            34 | 35 => lines.push("suspend;".to_owned()),
            36 => self.choose(lines),
            37 => self.make(lines),
            38..=40 if depth < 2 => self.branch(depth, lines),
            41 | 42 if depth == 0 => self.round(depth, lines),
            43 | 44 if depth < 2 => self.attempt(depth, lines),
            45 if depth < 2 => {
                let of = self.expr(Ty::Int, 0);
                let (one, other) = (self.inner(depth), self.inner(depth));
                lines.push(format!("switch ({of}) {{\n  0 => {}  1 => {}}}", nested(&one), nested(&other)));
            }
            46 if depth > 0 => {
                let exception = self.exception();
                lines.push(format!("throw {exception};"));
            }
            47 if depth > 0 && self.has_this && !self.in_loop => {
                let value = self.expr(self.result, 0);
                lines.push(format!("return {value};"));
            }
            _ => self.assignment(lines),
        }
    }

    /// Waits for time, asks for it, or starts a task that has a deadline. All times are small, so that moments meet.
    fn time(&mut self, lines: &mut Vec<String>) {
        let least = self.r.pick(&["0", "1", "1", "2", "1/2", "-1"]);
        let most = self.r.pick(&["0", "1", "1", "2", "3", "5/2"]);
        let interval = format!("duration({least}, {most})");
        match self.r.below(10) {
            0 | 1 => lines.push(format!("{interval};")),
            2..=4 => lines.push(format!("await {interval};")),
            5 => {
                let condition = self.condition(0);
                lines.push(format!("await {condition} & {interval};"));
            }
            6 => match self.pick_var(Ty::Fut) {
                Some(future) => lines.push(format!("await {interval} & {future}?;")),
                None => lines.push(format!("await {interval} & duration(1, 1);")),
            },
            7 => {
                let before = lines.len();
                self.start(0, lines);
                if let Some(call) = lines[before..]
                    .first_mut()
                    .filter(|line| line.contains('!') && line.ends_with(");"))
                {
                    let amount = self.r.pick(&["Duration(1)", "Duration(2)", "Duration(5/2)", "InfDuration"]);
                    *call = format!("[Deadline: {amount}] {call}");
                }
            }
            kind => {
                let name = self.name();
                let asked = if kind == 8 {
                    "2 * timeValue(now())"
                } else {
                    "2 * lowlevelDeadline()"
                };
                lines.push(format!("Int {name} = truncate({asked});"));
                self.declare(name, Ty::Int);
            }
        }
    }

    /// A choice: by itself, within a function, or by an anonymous function for each element of a list.
    fn choose(&mut self, lines: &mut Vec<String>) {
        let name = self.name();
        let most = 2 + self.r.below(2);
        let value = match self.r.below(6) {
            0 => format!("lucky({})", self.expr(Ty::Int, 0)),
            1 => format!("sum(map((Int k) => k * random(2))({}))", self.expr(Ty::List, 0)),
            2 => format!(
                "foldl((Int k, Int n) => n + random({most}) * {})(list[1], 0)",
                self.expr(Ty::Int, 0)
            ),
            _ => format!("random({most})"),
        };
        lines.push(format!("Int {name} = {value};"));
        self.declare(name, Ty::Int);
    }

    fn declare(&mut self, name: String, ty: Ty) {
        self.vars.push(Var { name, ty, field: false });
    }

    fn exception(&mut self) -> String {
        match self.r.below(4) {
            0 => "DivisionByZeroException".to_owned(),
            1 => "AssertionFailException".to_owned(),
            _ => format!("E({})", self.expr(Ty::Int, 0)),
        }
    }

    /// An assignment to a field, or to a variable where there is no field.
    pub(super) fn assignment(&mut self, lines: &mut Vec<String>) {
        let fields: Vec<Var> = self.vars.iter().filter(|v| v.field).cloned().collect();
        if fields.is_empty() {
            let name = self.name();
            let value = self.expr(Ty::Int, 1);
            lines.push(format!("Int {name} = {value};"));
            self.declare(name, Ty::Int);
            return;
        }
        let field = &fields[self.r.below(fields.len())];
        let value = self.expr(field.ty, 2);
        let this = if self.r.chance(1, 8) { "this." } else { "" };
        lines.push(format!("{this}{} = {value};", field.name));
    }

    /// A call, of the kind: 0–2 asynchronous, 3 and 4 with its future in a variable or field, 5 awaited, 6 and 7 synchronous.
    pub(super) fn start(&mut self, kind: usize, lines: &mut Vec<String>) {
        if self.level >= self.sigs.len() || self.calls == 0 {
            return self.assignment(lines);
        }
        let method = self.level + self.r.below(self.sigs.len() - self.level);
        let sig = self.sigs[method].clone();
        let receiver = self.receiver();
        let args: Vec<String> = sig.params.iter().map(|ty| self.expr(*ty, 1)).collect();
        let call = |how: &str| format!("{receiver}{how}m{method}({})", args.join(", "));
        self.calls -= 1;
        match kind {
            0..=2 => lines.push(format!("{};", call("!"))),
            3 | 4 if sig.result == Ty::Int => {
                let field = self.vars.iter().find(|v| v.field && v.ty == Ty::Fut).map(|v| v.name.clone());
                match field {
                    Some(field) if self.r.chance(1, 2) => lines.push(format!("{field} = {};", call("!"))),
                    _ => {
                        let name = self.name();
                        lines.push(format!("Fut<Int> {name} = {};", call("!")));
                        self.declare(name, Ty::Fut);
                    }
                }
            }
            5 if self.may_wait => self.take(&sig.result, "await ", &call("!"), lines),
            6 | 7 if self.may_wait => self.take(&sig.result, "", &call("."), lines),
            _ => lines.push(format!("{};", call("!"))),
        }
    }

    /// Uses the value of a call, or not.
    fn take(&mut self, result: &Ty, before: &str, call: &str, lines: &mut Vec<String>) {
        let field = self.vars.iter().find(|v| v.field && v.ty == *result).map(|v| v.name.clone());
        match (field, self.r.below(3)) {
            (Some(field), 0) => lines.push(format!("{field} = {before}{call};")),
            (_, 1) if *result == Ty::Int => {
                let name = self.name();
                lines.push(format!("Int {name} = {before}{call};"));
                self.declare(name, Ty::Int);
            }
            _ => lines.push(format!("{before}{call};")),
        }
    }

    fn await_future(&mut self, lines: &mut Vec<String>) {
        let ty = if self.r.chance(1, 4) { Ty::Destiny } else { Ty::Fut };
        let Some(future) = self
            .pick_var(ty)
            .or_else(|| self.pick_var(Ty::Fut))
            .or_else(|| self.pick_var(Ty::Destiny))
        else {
            return self.start(5, lines);
        };
        match self.r.below(6) {
            0 => {
                let condition = self.condition(0);
                lines.push(format!("await {future}? & {condition};"));
            }
            1 => {
                let condition = self.condition(0);
                lines.push(format!("await {condition} & {future}?;"));
            }
            2 => {
                let other = self.pick_var(Ty::Fut).unwrap_or_else(|| future.clone());
                lines.push(format!("await {future}? & {other}?;"));
            }
            _ => lines.push(format!("await {future}?;")),
        }
    }

    fn get(&mut self, lines: &mut Vec<String>) {
        if let Some(future) = self.pick_var(Ty::Fut) {
            let field = self.vars.iter().find(|v| v.field && v.ty == Ty::Int).map(|v| v.name.clone());
            match field {
                Some(field) if self.r.chance(1, 2) => lines.push(format!("{field} = {future}.get;")),
                _ => {
                    let name = self.name();
                    lines.push(format!("Int {name} = {future}.get;"));
                    self.declare(name, Ty::Int);
                }
            }
        } else if let Some(future) = self.pick_var(Ty::Destiny) {
            lines.push(format!("{future}.get;"));
        } else {
            self.start(6, lines);
        }
    }

    /// A new object, by classes that start nothing on their own.
    fn make(&mut self, lines: &mut Vec<String>) {
        let quiet: Vec<usize> = (0..self.classes.len()).filter(|at| !self.classes[*at].active).collect();
        if quiet.is_empty() {
            return self.assignment(lines);
        }
        let at = quiet[self.r.below(quiet.len())];
        let local = self.r.pick(&["", "", "local "]);
        let new = self.new_object(at, local);
        let name = self.name();
        lines.push(format!("I {name} = {new};"));
        self.declare(name, Ty::Obj);
        let kind = self.r.below(8);
        self.start(kind, lines);
    }

    /// One or two statements in a scope of their own.
    fn inner(&mut self, depth: usize) -> Vec<String> {
        let known = self.vars.len();
        let mut lines = Vec::new();
        let count = 1 + self.r.below(2);
        for _ in 0..count {
            self.statement(depth + 1, &mut lines);
            if lines.last().is_some_and(|l| l.starts_with("throw") || l.starts_with("return")) {
                break;
            }
        }
        self.vars.truncate(known);
        lines
    }

    fn branch(&mut self, depth: usize, lines: &mut Vec<String>) {
        let condition = self.condition(1);
        let then = self.inner(depth);
        let mut text = format!("if ({condition}) {}", braces(&then).trim_end());
        if self.r.chance(1, 3) {
            let other = self.inner(depth);
            text.push_str(" else ");
            text.push_str(braces(&other).trim_end());
        }
        lines.push(text);
    }

    /// A loop of two rounds, or over a list.
    fn round(&mut self, depth: usize, lines: &mut Vec<String>) {
        let around = std::mem::replace(&mut self.in_loop, true);
        if self.r.chance(1, 3) {
            let name = self.name();
            let list = self.expr(Ty::List, 0);
            self.declare(name.clone(), Ty::Int);
            let body = self.inner(depth);
            self.vars.pop();
            lines.push(format!("foreach ({name} in {list}) {}", braces(&body)));
        } else {
            let name = self.name();
            let mut body = self.inner(depth);
            body.retain(|l| !l.starts_with("throw"));
            body.push(format!("{name} = {name} + 1;"));
            lines.push(format!("Int {name} = 0;"));
            lines.push(format!("while ({name} < 2) {}", braces(&body)));
            self.declare(name, Ty::Int);
        }
        self.in_loop = around;
    }

    fn attempt(&mut self, depth: usize, lines: &mut Vec<String>) {
        let body = self.inner(depth);
        let pattern = self.r.pick(&[
            "_",
            "_",
            "E(e)",
            "E(0)",
            "DivisionByZeroException",
            "PatternMatchFailException",
            "AssertionFailException",
            "NullPointerException",
        ]);
        let mut handler = Vec::new();
        self.assignment(&mut handler);
        if handler.iter().any(|l| l.starts_with("Int ")) {
            self.vars.pop();
        }
        let mut text = format!("try {} catch {{\n  {pattern} => {}}}", braces(&body).trim_end(), nested(&handler));
        if self.r.chance(1, 3) {
            let mut last = Vec::new();
            self.assignment(&mut last);
            if last.iter().any(|l| l.starts_with("Int ")) {
                self.vars.pop();
            }
            text.push_str(" finally ");
            text.push_str(braces(&last).trim_end());
        }
        lines.push(text);
    }
}

fn braces(lines: &[String]) -> String {
    block("", lines)
}

/// As [`braces`], one level further in.
fn nested(lines: &[String]) -> String {
    block("  ", lines).trim_start().to_owned()
}

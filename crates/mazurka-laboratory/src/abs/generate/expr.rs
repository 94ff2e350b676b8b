//! Expressions of every type, over the names in scope.

use super::{Gen, Ty};

impl Gen<'_> {
    /// An expression of that type; `depth` is how far it may nest.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> String {
        match ty {
            Ty::Int => self.int(depth),
            Ty::Bool => self.condition(depth),
            Ty::Str => self.string(depth),
            Ty::List => self.list(depth),
            Ty::Data => match self.r.below(3) {
                0 => "A".to_owned(),
                1 => format!("B({})", self.int(0)),
                _ => self.variable(Ty::Data, "A"),
            },
            Ty::Obj => self.object(),
            Ty::Fut => self.variable(Ty::Fut, "null"),
            Ty::Destiny => match self.r.below(3) {
                0 => self.variable(Ty::Destiny, "destiny"),
                _ => "destiny".to_owned(),
            },
            Ty::Unit => "Unit".to_owned(),
        }
    }

    fn variable(&mut self, ty: Ty, otherwise: &str) -> String {
        self.pick_var(ty).unwrap_or_else(|| otherwise.to_owned())
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.r.chance(2, 5) {
            return match self.r.below(5) {
                0 | 1 => self.r.below(3).to_string(),
                _ => self.variable(Ty::Int, "1"),
            };
        }
        let a = self.int(depth - 1);
        match self.r.below(18) {
            0..=3 => format!("{a} + 1"),
            4 => format!("{a} + {}", self.int(0)),
            5 => format!("{a} * 2"),
            6 => format!("1 - {}", self.int(0)),
            7 => format!("part({a}, {})", self.int(0)),
            8 => format!("{} % {}", self.r.below(4), self.variable(Ty::Int, "2")),
            9 => format!("sum({})", self.list(0)),
            10 => format!("head({})", self.list(0)),
            11 => format!("length({})", self.list(0)),
            12 => format!("strlen({})", self.string(0)),
            13 if !self.of_type(Ty::Data).is_empty() => format!("case {} {{ A => 0; B(n) => n; }}", self.expr(Ty::Data, 0)),
            14 => format!("when {} then {a} else {}", self.condition(0), self.int(0)),
            15 => format!("foldl((Int k, Int n) => n + k * {})({}, {a})", self.int(0), self.list(0)),
            16 => format!("length(filter((Int k) => k == {})({}))", self.int(0), self.list(0)),
            _ => format!("max({a}, {})", self.int(0)),
        }
    }

    /// A condition, mostly on numbers.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.r.chance(1, 4) {
            let operator = self.r.pick(&["&&", "||"]);
            return format!("{} {operator} {}", self.condition(0), self.condition(0));
        }
        match self.r.below(15) {
            8 if !self.of_type(Ty::List).is_empty() => {
                format!(
                    "length(filter((Int k) => k == {})({})) == {}",
                    self.int(0),
                    self.list(0),
                    self.r.below(3)
                )
            }
            0 if !self.of_type(Ty::Bool).is_empty() => self.variable(Ty::Bool, "True"),
            1 if !self.of_type(Ty::Bool).is_empty() => format!("!{}", self.variable(Ty::Bool, "True")),
            2 if !self.of_type(Ty::Str).is_empty() => format!("{} == {}", self.variable(Ty::Str, "\"\""), self.string(0)),
            3 if !self.of_type(Ty::List).is_empty() => format!("isEmpty({})", self.list(0)),
            4 if !self.of_type(Ty::Obj).is_empty() => format!("{} == {}", self.variable(Ty::Obj, "null"), self.object()),
            5 if !self.of_type(Ty::Data).is_empty() => format!("{} == A", self.variable(Ty::Data, "A")),
            6 if !self.of_type(Ty::List).is_empty() => format!("head({}) == {}", self.list(0), self.r.below(2)),
            7 => format!("{} / {} < 2", 1 + self.r.below(2), self.variable(Ty::Int, "1")),
            _ => {
                let operator = self.r.pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
                let left = self.variable(Ty::Int, "1");
                let right = if self.r.chance(1, 4) {
                    self.int(0)
                } else {
                    self.r.below(3).to_string()
                };
                format!("{left} {operator} {right}")
            }
        }
    }

    fn string(&mut self, depth: usize) -> String {
        let a = self.variable(Ty::Str, "\"a\"");
        if depth == 0 {
            return if self.r.chance(1, 2) {
                a
            } else {
                self.r.pick(&["\"\"", "\"a\""]).to_owned()
            };
        }
        match self.r.below(4) {
            0 => format!("{a} + \"a\""),
            1 => format!("{a} + toString({})", self.int(0)),
            2 => format!("toString({})", self.object()),
            _ => "\"a\"".to_owned(),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let a = self.variable(Ty::List, "list[1, 0]");
        if depth == 0 {
            return a;
        }
        match self.r.below(6) {
            0 => format!("list[{}, {}]", self.int(0), self.int(0)),
            5 => format!("map((Int k) => k + {})({a})", self.int(0)),
            1 => format!("Cons({}, {a})", self.int(0)),
            2 => format!("appendright({a}, {})", self.int(0)),
            3 => format!("tail({a})"),
            _ => "Nil".to_owned(),
        }
    }

    /// An object: a name in scope, or `this`; rarely nobody.
    pub(super) fn object(&mut self) -> String {
        if self.r.chance(1, 25) {
            return "null".to_owned();
        }
        self.receiver()
    }

    /// An object that a method can be called on: which it is, and whether it is there, is known only when the call is made.
    pub(super) fn receiver(&mut self) -> String {
        if self.has_this && self.r.chance(1, 3) {
            return "this".to_owned();
        }
        let otherwise = if self.has_this { "this" } else { "null" };
        self.variable(Ty::Obj, otherwise)
    }

    /// A new object of a class, with arguments.
    pub(super) fn new_object(&mut self, at: usize, local: &str) -> String {
        let class = self.classes[at].clone();
        let args: Vec<String> = class.params.iter().map(|(_, ty)| self.expr(*ty, 1)).collect();
        format!("new {local}{}({})", class.name, args.join(", "))
    }
}

//! Random ABS models as users write them, small enough for brute force.
//!
//! # What they look like
//! One interface `I` with two or three methods; one class in half of the models, else two, each with its own bodies; a main block that makes
//! one to three objects (a fifth of them `new local`) and starts two or three calls. A method has up to two parameters (numbers, objects,
//! futures, the destiny of a caller, strings) and gives back a number in two of three cases, else nothing. A class has one or two numbers
//! and, each with its own probability, an object, a future, a string, a list, a data value, a truth value as fields, a class parameter, an
//! init block, a `run` method.
//!
//! Statements are drawn with weights ([`stmt`]): assignments to fields first, then calls of all three kinds and through variables,
//! parameters, fields and `this`, `await` of conditions, futures and both, `get`, assertions, branches, loops of two rounds, `try`, `throw`,
//! `suspend`, choices (a third of them inside functions, mostly anonymous ones). One expression in eight or so may fault (division, `head`, `fromJust`, a `null` receiver), in guards and arguments
//! too. All numbers are small, so that values meet.
//!
//! # Why they end
//! A method calls only methods with higher numbers, loops count to two or run over short lists, and objects whose class starts tasks by
//! itself are made by the main block only. Tasks may wait for ever: those models end in a deadlock, about a fifth of all.
//!
//! # How large they are
//! Models have at most [`CALLS`] places where tasks are started, so most executions have two to four tasks besides the main block.

mod expr;
mod stmt;

use crate::random::Numbers;
use std::fmt::Write;

/// Places in a model where tasks are started, at most.
pub const CALLS: usize = 4;

/// Declarations that a model has if it uses them: a word that shows it, and the text.
const LIBRARY: &[(&str, &str)] = &[
    ("T t", "data T = A | B(Int n);\n"),
    ("E(", "exception E(Int v);\n"),
    (
        "sum(",
        "def Int sum(List<Int> xs) = case xs { Nil => 0; Cons(x, rest) => x + sum(rest); };\n",
    ),
    ("lucky(", "def Int lucky(Int n) = n + random(2);\n"),
    ("part(", "def Int part(Int x, Int y) = truncate(x / y);\n"),
];

/// The types that occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Int,
    Bool,
    Str,
    List,
    Data,
    Obj,
    Fut,
    Destiny,
    Unit,
}

impl Ty {
    fn text(self) -> &'static str {
        match self {
            Ty::Int => "Int",
            Ty::Bool => "Bool",
            Ty::Str => "String",
            Ty::List => "List<Int>",
            Ty::Data => "T",
            Ty::Obj => "I",
            Ty::Fut => "Fut<Int>",
            Ty::Destiny => "Destiny",
            Ty::Unit => "Unit",
        }
    }
}

/// A method of the interface.
#[derive(Clone, Debug)]
pub(super) struct Sig {
    params: Vec<Ty>,
    result: Ty,
}

/// A class, as far as others need to know it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    name: &'static str,
    params: Vec<(String, Ty)>,
    /// Whether making an object starts tasks.
    active: bool,
}

/// A name that can be used, and how.
#[derive(Clone, Debug)]
pub(super) struct Var {
    name: String,
    ty: Ty,
    field: bool,
}

/// The generator.
pub(super) struct Gen<'n> {
    r: &'n mut Numbers,
    sigs: Vec<Sig>,
    classes: Vec<Class>,
    /// Names in scope.
    vars: Vec<Var>,
    /// Methods from this number on may be called.
    level: usize,
    has_this: bool,
    result: Ty,
    calls: usize,
    fresh: usize,
    in_loop: bool,
    may_wait: bool,
    /// Whether time passes.
    timed: bool,
}

/// A random model in which no time passes.
pub fn generate(r: &mut Numbers) -> String {
    model(r, false)
}

/// A random model in which time passes: about one statement in four waits for it, asks for it or gives a task a deadline.
pub fn generate_timed(r: &mut Numbers) -> String {
    model(r, true)
}

fn model(r: &mut Numbers, timed: bool) -> String {
    let methods = 2 + r.below(2);
    let sigs = (0..methods).map(|_| sig(r)).collect();
    let mut g = Gen {
        r,
        sigs,
        classes: Vec::new(),
        vars: Vec::new(),
        level: 0,
        has_this: false,
        result: Ty::Unit,
        calls: CALLS,
        fresh: 0,
        in_loop: false,
        may_wait: true,
        timed,
    };
    g.model()
}

fn sig(r: &mut Numbers) -> Sig {
    let count = r.pick(&[0, 0, 1, 1, 1, 2]);
    let ty = |r: &mut Numbers| r.pick(&[Ty::Obj, Ty::Obj, Ty::Obj, Ty::Int, Ty::Int, Ty::Fut, Ty::Fut, Ty::Destiny, Ty::Str]);
    Sig {
        params: (0..count).map(|_| ty(r)).collect(),
        result: r.pick(&[Ty::Int, Ty::Int, Ty::Unit]),
    }
}

impl Gen<'_> {
    fn model(&mut self) -> String {
        let heads: Vec<String> = (0..self.sigs.len()).map(|m| self.head(m) + ";").collect();
        let mut out = format!("interface I {{ {} }}\n", heads.join(" "));
        let names: &[&'static str] = if self.r.chance(1, 2) { &["C"] } else { &["C", "D"] };
        let mut bodies = Vec::new();
        for &name in names {
            let class = self.class_head(name);
            self.classes.push(class);
        }
        // The calls of the main block come first: nothing happens without them.
        let main = self.main();
        for at in 0..names.len() {
            bodies.push(self.class(at));
        }
        bodies.into_iter().for_each(|body| out.push_str(&body));
        out.push_str(&main);
        let used: Vec<&str> = LIBRARY
            .iter()
            .filter(|(word, _)| out.contains(word))
            .map(|(_, decl)| *decl)
            .collect();
        format!("module R;\n{}{out}", used.concat())
    }

    fn head(&self, method: usize) -> String {
        let sig = &self.sigs[method];
        let params: Vec<String> = sig.params.iter().enumerate().map(|(i, ty)| format!("{} p{i}", ty.text())).collect();
        format!("{} m{method}({})", sig.result.text(), params.join(", "))
    }

    fn class_head(&mut self, name: &'static str) -> Class {
        let params = match self.r.below(5) {
            0 => vec![("a".to_owned(), Ty::Obj)],
            1 => vec![("z".to_owned(), Ty::Int)],
            _ => Vec::new(),
        };
        Class {
            name,
            params,
            active: self.r.chance(1, 6),
        }
    }

    fn main(&mut self) -> String {
        self.has_this = false;
        self.vars.clear();
        (self.level, self.result, self.may_wait) = (0, Ty::Unit, true);
        let mut lines = Vec::new();
        let objects = self.r.pick(&[1, 1, 2, 2, 3]);
        for n in 0..objects {
            let at = self.r.below(self.classes.len());
            let local = if n > 0 && self.r.chance(1, 4) || n == 0 && self.r.chance(1, 12) {
                "local "
            } else {
                ""
            };
            let new = self.new_object(at, local);
            let name = format!("o{n}");
            lines.push(format!("I {name} = {new};"));
            self.vars.push(Var {
                name,
                ty: Ty::Obj,
                field: false,
            });
        }
        let starts = 2 + self.r.below(2);
        for n in 0..starts {
            let kind = if n + 1 < starts { self.r.below(3) } else { self.r.below(8) };
            self.start(kind, &mut lines);
        }
        let more = self.r.below(3);
        for _ in 0..more {
            self.statement(0, &mut lines);
        }
        block("", &lines)
    }

    /// The class with its fields and methods.
    fn class(&mut self, at: usize) -> String {
        let class = self.classes[at].clone();
        let mut fields: Vec<Var> = Vec::new();
        let mut out = String::new();
        let params: Vec<String> = class.params.iter().map(|(n, ty)| format!("{} {n}", ty.text())).collect();
        let params = if params.is_empty() {
            String::new()
        } else {
            format!("({})", params.join(", "))
        };
        let _ = writeln!(out, "class {}{params} implements I {{", class.name);
        fields.extend(class.params.iter().map(|(name, ty)| Var {
            name: name.clone(),
            ty: *ty,
            field: true,
        }));
        let mut declare = |name: &str, ty: Ty, init: &str| {
            let init = if init.is_empty() { String::new() } else { format!(" = {init}") };
            let _ = writeln!(out, "  {} {name}{init};", ty.text());
            fields.push(Var {
                name: name.to_owned(),
                ty,
                field: true,
            });
        };
        declare("x", Ty::Int, self.r.pick(&["0", "0", "1"]));
        let optional = [
            (2, "y", Ty::Int, "1"),
            (2, "o", Ty::Obj, ""),
            (2, "f", Ty::Fut, ""),
            (5, "s", Ty::Str, "\"\""),
            (5, "l", Ty::List, "Nil"),
            (6, "t", Ty::Data, "A"),
            (5, "b", Ty::Bool, "False"),
            (6, "d", Ty::Destiny, ""),
        ];
        for (one_in, name, ty, init) in optional {
            if self.r.chance(1, one_in) {
                declare(name, ty, init);
            }
        }
        self.has_this = true;
        if self.r.chance(1, 8) {
            self.may_wait = false;
            (self.vars, self.level, self.result) = (fields.clone(), self.sigs.len(), Ty::Unit);
            let mut lines = Vec::new();
            self.assignment(&mut lines);
            if class.active && self.calls > 0 {
                self.level = 0;
                self.start(0, &mut lines);
            }
            self.may_wait = true;
            out.push_str(&block("  ", &lines));
        }
        if class.active {
            out.push_str(&self.method("Unit run()", &fields, &[], 0, Ty::Unit));
        }
        for m in 0..self.sigs.len() {
            let sig = self.sigs[m].clone();
            let head = self.head(m);
            out.push_str(&self.method(&head, &fields, &sig.params, m + 1, sig.result));
        }
        out + "}\n"
    }

    fn method(&mut self, head: &str, fields: &[Var], params: &[Ty], level: usize, result: Ty) -> String {
        self.vars = fields.to_vec();
        self.vars.extend(params.iter().enumerate().map(|(i, ty)| Var {
            name: format!("p{i}"),
            ty: *ty,
            field: false,
        }));
        (self.level, self.result, self.fresh) = (level, result, 0);
        let mut lines = Vec::new();
        let statements = self.r.pick(&[1, 1, 2, 2, 3]);
        for _ in 0..statements {
            self.statement(0, &mut lines);
        }
        if result != Ty::Unit {
            let value = self.expr(result, 1);
            lines.push(format!("return {value};"));
        }
        format!("  {head} {}", block("  ", &lines).trim_start())
    }

    /// A variable that no other has the name of.
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    fn of_type(&self, ty: Ty) -> Vec<&Var> {
        self.vars.iter().filter(|v| v.ty == ty).collect()
    }

    fn pick_var(&mut self, ty: Ty) -> Option<String> {
        let names: Vec<String> = self.of_type(ty).iter().map(|v| v.name.clone()).collect();
        if names.is_empty() {
            return None;
        }
        Some(names[self.r.below(names.len())].clone())
    }
}

/// Lines in braces.
pub(super) fn block(indent: &str, lines: &[String]) -> String {
    let mut out = format!("{indent}{{\n");
    for line in lines.iter().flat_map(|l| l.lines()) {
        let _ = writeln!(out, "{indent}  {line}");
    }
    out + indent + "}\n"
}

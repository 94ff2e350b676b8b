//! What a model looks like, detected on its syntax tree.

use super::visit::{Item, Place, parts, walk};
use mazurka_abs::syntax::ast::{BinaryOp, DeclKind, Expr, ExprKind, File, FunctionArg, GuardKind, NewKind, Stmt, StmtKind};
use std::collections::BTreeSet;

/// Every shape that random models can have.
pub const ALL: &[&str] = &[
    "anonymous function",
    "anonymous function in a guard",
    "anonymous function that chooses",
    "argument that may fault",
    "assertions in several methods",
    "await in a loop",
    "await duration",
    "await of a call",
    "call in a branch",
    "call in a loop",
    "choice",
    "choice within a function",
    "class parameter",
    "conjunction of guards",
    "data type",
    "deadline",
    "destiny",
    "duration",
    "exception across objects",
    "exception thrown",
    "finally",
    "function that calls itself",
    "future as a parameter",
    "future in a field",
    "get in a loop",
    "guard that may fault",
    "guard over several fields",
    "init block",
    "list",
    "new in a method",
    "new local",
    "racing receiver",
    "re-entrance",
    "reference in a field",
    "return from a branch",
    "run method",
    "several assertions",
    "several classes",
    "several cogs",
    "string",
    "suspend",
    "switch",
    "synchronous call",
    "synchronous call through a field",
    "time asked for",
];

/// The shapes of a model.
pub fn shapes(file: &File) -> BTreeSet<&'static str> {
    let mut shapes = Shapes {
        assigned: assigned_fields(file),
        ..Shapes::default()
    };
    for decl in file.modules.iter().flat_map(|m| &m.decls) {
        shapes.declaration(&decl.kind);
    }
    walk(file, &mut |item, place| match item {
        Item::Stmt(s) => shapes.stmt(s, place),
        Item::Expr(e) => shapes.expr(e, place),
        Item::Guard(g) => {
            if matches!(g.kind, GuardKind::And(..)) {
                shapes.has("conjunction of guards");
            }
        }
    });
    shapes.finish()
}

#[derive(Default)]
struct Shapes {
    found: BTreeSet<&'static str>,
    /// Fields that some method assigns: class and name.
    assigned: BTreeSet<(String, String)>,
    assertions: usize,
    asserting: BTreeSet<(String, String)>,
    classes: usize,
    cogs: usize,
}

fn assigned_fields(file: &File) -> BTreeSet<(String, String)> {
    let mut assigned = BTreeSet::new();
    walk(file, &mut |item, place| {
        if let (Item::Stmt(s), Some(class), Some(_)) = (item, place.class, place.method)
            && let StmtKind::Assign(target, _) = &s.kind
        {
            assigned.insert((class.name.text.to_string(), target.name.text.to_string()));
        }
    });
    assigned
}

/// The field of the class that an expression names.
fn field<'e>(e: &'e Expr, place: Place<'_>) -> Option<&'e str> {
    let name = match &e.kind {
        ExprKind::Var(name) => &*name.name,
        ExprKind::Field(name) => &*name.text,
        _ => return None,
    };
    let class = place.class?;
    let known = class.fields.iter().map(|f| &f.name).chain(class.params.iter().map(|p| &p.name));
    known.map(|n| &*n.text).any(|n| n == name).then_some(name)
}

fn fields_in<'e>(e: &'e Expr, place: Place<'_>, out: &mut BTreeSet<&'e str>) {
    out.extend(field(e, place));
    parts(e).into_iter().for_each(|p| fields_in(p, place, out));
}

fn chooses(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call(f, _) if &*f.name == "random") || parts(e).into_iter().any(chooses)
}

impl Shapes {
    fn has(&mut self, shape: &'static str) {
        self.found.insert(shape);
    }

    fn declaration(&mut self, decl: &DeclKind) {
        match decl {
            DeclKind::Data(_) => self.has("data type"),
            DeclKind::Class(class) => {
                self.classes += 1;
                if class.init.is_some() {
                    self.has("init block");
                }
                if !class.params.is_empty() {
                    self.has("class parameter");
                }
                if class.methods.iter().any(|m| &*m.sig.name.text == "run") {
                    self.has("run method");
                }
                let typed = class.fields.iter().map(|f| &f.ty).chain(class.params.iter().map(|p| &p.ty));
                for ty in typed {
                    match &*ty.name.name {
                        "Fut" => self.has("future in a field"),
                        "I" => self.has("reference in a field"),
                        _ => {}
                    }
                }
                let futures = class.methods.iter().flat_map(|m| &m.sig.params);
                if futures.into_iter().any(|p| &*p.ty.name.name == "Fut") {
                    self.has("future as a parameter");
                }
            }
            _ => {}
        }
    }

    fn stmt(&mut self, s: &Stmt, place: Place<'_>) {
        if s.annotations.iter().any(|annotation| annotation.word() == Some("Deadline")) {
            self.has("deadline");
        }
        match &s.kind {
            StmtKind::Assert(_) => {
                self.assertions += 1;
                let class = place.class.map_or("", |c| &c.name.text);
                self.asserting
                    .insert((class.to_owned(), place.method.unwrap_or_default().to_owned()));
            }
            StmtKind::Suspend => self.has("suspend"),
            StmtKind::Duration(..) => self.has("duration"),
            StmtKind::Switch(..) => self.has("switch"),
            StmtKind::Throw(_) => self.has("exception thrown"),
            StmtKind::Try(_, _, Some(_)) => self.has("finally"),
            StmtKind::Return(_) if place.in_branch => self.has("return from a branch"),
            StmtKind::Await(guard) => {
                if place.in_loop {
                    self.has("await in a loop");
                }
                let mut fields = BTreeSet::new();
                let mut todo = vec![guard];
                while let Some(g) = todo.pop() {
                    match &g.kind {
                        GuardKind::And(a, b) => todo.extend([&**a, &**b]),
                        GuardKind::Future(e) | GuardKind::Condition(e) => fields_in(e, place, &mut fields),
                        GuardKind::Duration(..) => self.has("await duration"),
                        GuardKind::Error => {}
                    }
                }
                if fields.len() > 1 {
                    self.has("guard over several fields");
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr, place: Place<'_>) {
        let faults = matches!(&e.kind, ExprKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..))
            || matches!(&e.kind, ExprKind::Call(f, _) if ["head", "tail", "nth", "fromJust"].contains(&&*f.name));
        if faults && place.in_guard {
            self.has("guard that may fault");
        }
        if faults && place.in_arguments {
            self.has("argument that may fault");
        }
        match &e.kind {
            ExprKind::Str(_) => self.has("string"),
            ExprKind::VariadicCall(..) => self.has("list"),
            ExprKind::Destiny => self.has("destiny"),
            ExprKind::Call(f, _) if &*f.name == "random" => {
                self.has("choice");
                if place.function.is_some() {
                    self.has("choice within a function");
                }
            }
            ExprKind::PartialCall(_, functions, _) => {
                self.has("anonymous function");
                if place.in_guard {
                    self.has("anonymous function in a guard");
                }
                let lambda = |f: &FunctionArg| matches!(f, FunctionArg::Lambda(_, body, _) if chooses(body));
                if functions.iter().any(lambda) {
                    self.has("anonymous function that chooses");
                }
            }
            ExprKind::Call(f, _) if matches!(&*f.name, "now" | "lowlevelDeadline") => self.has("time asked for"),
            ExprKind::Call(f, _) if place.function == Some(&*f.name) => self.has("function that calls itself"),
            ExprKind::Get(_) => {
                if place.in_loop {
                    self.has("get in a loop");
                }
                if place.in_try {
                    self.has("exception across objects");
                }
            }
            ExprKind::New(kind, ..) => {
                if *kind == NewKind::Local {
                    self.has("new local");
                } else {
                    self.cogs += 1;
                }
                if place.method.is_some() {
                    self.has("new in a method");
                }
            }
            ExprKind::AsyncCall(receiver, ..) => self.call(receiver, place),
            ExprKind::AwaitCall(receiver, ..) => {
                self.has("await of a call");
                if place.in_loop {
                    self.has("await in a loop");
                }
                if place.in_try {
                    self.has("exception across objects");
                }
                self.call(receiver, place);
            }
            ExprKind::SyncCall(receiver, ..) => {
                self.has("synchronous call");
                if matches!(receiver.kind, ExprKind::This) {
                    self.has("re-entrance");
                }
                if field(receiver, place).is_some() {
                    self.has("synchronous call through a field");
                }
                if place.in_try {
                    self.has("exception across objects");
                }
                self.call(receiver, place);
            }
            _ => {}
        }
    }

    fn call(&mut self, receiver: &Expr, place: Place<'_>) {
        if place.in_loop {
            self.has("call in a loop");
        }
        if place.in_branch {
            self.has("call in a branch");
        }
        if let (Some(class), Some(name)) = (place.class, field(receiver, place))
            && self.assigned.contains(&(class.name.text.to_string(), name.to_owned()))
        {
            self.has("racing receiver");
        }
    }

    fn finish(mut self) -> BTreeSet<&'static str> {
        let several = [
            (self.assertions > 1, "several assertions"),
            (self.asserting.len() > 1, "assertions in several methods"),
            (self.classes > 1, "several classes"),
            (self.cogs > 1, "several cogs"),
        ];
        for (there, shape) in several {
            if there {
                self.has(shape);
            }
        }
        self.found
    }
}

//! A walk over the syntax tree that knows where it is.

use mazurka_abs::syntax::ast::{
    Block, ClassDecl, DeclKind, Expr, ExprKind, File, FunctionArg, FunctionBody, Guard, GuardKind, Stmt, StmtKind, TemplatePart,
};

/// What is met on the way.
#[derive(Clone, Copy, Debug)]
pub enum Item<'t> {
    /// A statement.
    Stmt(&'t Stmt),
    /// An expression.
    Expr(&'t Expr),
    /// A whole guard.
    Guard(&'t Guard),
}

/// Where it is met.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'t> {
    /// Inside this class.
    pub class: Option<&'t ClassDecl>,
    /// Inside this method.
    pub method: Option<&'t str>,
    /// Inside this function.
    pub function: Option<&'t str>,
    /// Inside a loop.
    pub in_loop: bool,
    /// Inside a branch of `if`, `switch` or `catch`.
    pub in_branch: bool,
    /// Inside a `try` that catches something.
    pub in_try: bool,
    /// Inside a guard.
    pub in_guard: bool,
    /// Inside the arguments of a call of a method or of `new`.
    pub in_arguments: bool,
}

/// Tells `visit` of every statement, guard and expression of a file, outer ones first.
pub fn walk<'t>(file: &'t File, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    for module in &file.modules {
        for decl in &module.decls {
            match &decl.kind {
                DeclKind::Function(function) => {
                    if let FunctionBody::Expr(e) = &function.body {
                        let place = Place {
                            function: Some(&function.name.text),
                            ..Place::default()
                        };
                        expr(e, place, visit);
                    }
                }
                DeclKind::Class(class) => walk_class(class, visit),
                _ => {}
            }
        }
        if let Some(main) = &module.main {
            block(main, Place::default(), visit);
        }
    }
}

fn walk_class<'t>(class: &'t ClassDecl, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    let place = Place {
        class: Some(class),
        ..Place::default()
    };
    for field in &class.fields {
        field.init.iter().for_each(|e| expr(e, place, visit));
    }
    if let Some(code) = &class.init {
        block(code, place, visit);
    }
    for method in &class.methods {
        let place = Place {
            method: Some(&method.sig.name.text),
            ..place
        };
        block(&method.body, place, visit);
    }
}

fn block<'t>(b: &'t Block, place: Place<'t>, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    b.stmts.iter().for_each(|s| stmt(s, place, visit));
}

fn stmt<'t>(s: &'t Stmt, place: Place<'t>, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    visit(Item::Stmt(s), place);
    let branch = Place { in_branch: true, ..place };
    let round = Place { in_loop: true, ..place };
    match &s.kind {
        StmtKind::Declare(_, _, Some(e)) | StmtKind::Assign(_, e) | StmtKind::Return(e) | StmtKind::Assert(e) => expr(e, place, visit),
        StmtKind::Throw(e) | StmtKind::Die(e) | StmtKind::Expr(e) => expr(e, place, visit),
        StmtKind::Duration(least, most) => std::iter::once(least).chain(most).for_each(|e| expr(e, place, visit)),
        StmtKind::Block(b) => block(b, place, visit),
        StmtKind::If(condition, then, otherwise) => {
            expr(condition, place, visit);
            stmt(then, branch, visit);
            otherwise.iter().for_each(|s| stmt(s, branch, visit));
        }
        StmtKind::While(condition, body) => {
            expr(condition, round, visit);
            stmt(body, round, visit);
        }
        StmtKind::Foreach(_, _, list, body) => {
            expr(list, place, visit);
            stmt(body, round, visit);
        }
        StmtKind::Switch(of, branches) => {
            expr(of, place, visit);
            branches.iter().for_each(|b| stmt(&b.body, branch, visit));
        }
        StmtKind::Try(body, branches, finally) => {
            let inside = Place {
                in_try: !branches.is_empty() || place.in_try,
                ..place
            };
            stmt(body, inside, visit);
            branches.iter().for_each(|b| stmt(&b.body, branch, visit));
            finally.iter().for_each(|s| stmt(s, place, visit));
        }
        StmtKind::Await(g) => {
            visit(Item::Guard(g), place);
            guard(g, Place { in_guard: true, ..place }, visit);
        }
        StmtKind::Declare(_, _, None) | StmtKind::Skip | StmtKind::Suspend | StmtKind::Error => {}
    }
}

fn guard<'t>(g: &'t Guard, place: Place<'t>, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    match &g.kind {
        GuardKind::Future(e) | GuardKind::Condition(e) => expr(e, place, visit),
        GuardKind::Duration(least, most) => std::iter::once(least).chain(most).for_each(|e| expr(e, place, visit)),
        GuardKind::And(left, right) => {
            guard(left, place, visit);
            guard(right, place, visit);
        }
        GuardKind::Error => {}
    }
}

fn expr<'t>(e: &'t Expr, place: Place<'t>, visit: &mut dyn FnMut(Item<'t>, Place<'t>)) {
    visit(Item::Expr(e), place);
    for part in parts(e) {
        let call = matches!(
            e.kind,
            ExprKind::AsyncCall(..) | ExprKind::AwaitCall(..) | ExprKind::SyncCall(..) | ExprKind::New(..)
        );
        let receiver = matches!(&e.kind, ExprKind::AsyncCall(r, ..) | ExprKind::AwaitCall(r, ..) | ExprKind::SyncCall(r, ..) if std::ptr::eq(&**r, part));
        let inside = Place {
            in_arguments: place.in_arguments || (call && !receiver),
            ..place
        };
        expr(part, inside, visit);
    }
}

/// The expressions directly inside an expression.
pub fn parts<'e>(e: &'e Expr) -> Vec<&'e Expr> {
    match &e.kind {
        ExprKind::Call(_, args) | ExprKind::VariadicCall(_, args) | ExprKind::Construct(_, args) => args.iter().collect(),
        ExprKind::New(_, _, args) | ExprKind::Original(args) => args.iter().collect(),
        ExprKind::AsyncCall(receiver, _, args) | ExprKind::AwaitCall(receiver, _, args) | ExprKind::SyncCall(receiver, _, args) => {
            std::iter::once(&**receiver).chain(args).collect()
        }
        ExprKind::PartialCall(_, functions, args) => {
            let bodies = functions.iter().filter_map(|f| match f {
                FunctionArg::Lambda(_, body, _) => Some(body),
                FunctionArg::Named(_) => None,
            });
            bodies.chain(args).collect()
        }
        ExprKind::Template(pieces) => {
            let inner = |p: &'e TemplatePart| match p {
                TemplatePart::Expr(e) => Some(e),
                TemplatePart::Text(_) => None,
            };
            pieces.iter().filter_map(inner).collect()
        }
        ExprKind::Unary(_, of) | ExprKind::Implements(of, _) | ExprKind::As(of, _) | ExprKind::Get(of) => vec![of],
        ExprKind::Binary(_, a, b) | ExprKind::Let(_, _, a, b) => vec![a, b],
        ExprKind::If(a, b, c) => vec![a, b, c],
        ExprKind::Case(of, branches) => std::iter::once(&**of).chain(branches.iter().map(|b| &b.body)).collect(),
        _ => Vec::new(),
    }
}

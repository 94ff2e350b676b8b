//! Which shapes a program has, seen on its syntax tree.

use mazurka_litmus::Model;
use mazurka_litmus::model::{Binary, Body, Expr, Label, Place, Statement};
use std::collections::BTreeSet;

/// Every shape that is looked for.
pub const SHAPES: &[&str] = &[
    "choice of 3 to 8",
    "several choices of one process",
    "choice within a loop",
    "choice in a branch",
    "alternatives that touch different things",
    "computed index",
    "index read from a shared variable",
    "index within an index",
    "division in a statement",
    "division in a guard",
    "division in an argument",
    "index in a guard",
    "index in an argument",
    "overflow",
    "order of evaluation",
    "connective that decides about a fault",
    "assertions in several processes",
    "several assertions of one process",
    "branch within a branch",
    "spawn in a branch",
    "spawn in a loop",
    "spawn with values",
    "spawn by a task",
    "join",
    "guard on several variables",
    "lock not given back",
    "lock held at a fault",
    "array of locks",
    "loop that ends by data",
    "value copied to where a guard reads",
    "commuting addition",
    "unary minus",
    "step of four or more statements",
    "element that picks the next one within a step",
];

/// The shapes of a program.
pub fn shapes(model: &Model) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    let awaited = awaited(model);
    let tasks = model.spawned_bodies();
    let mut asserting = 0;
    for (body, is_task) in model.bodies().iter().zip(&tasks) {
        let asserts = count(body, |s| matches!(s, Statement::Assert(..)));
        asserting += usize::from(asserts > 0);
        let choices = count(body, |s| matches!(s, Statement::Choose(..)));
        let spawns = count(body, |s| matches!(s, Statement::Spawn(..)));
        let mut add = |holds: bool, shape| {
            if holds {
                out.insert(shape);
            }
        };
        add(asserts > 1, "several assertions of one process");
        add(choices > 1, "several choices of one process");
        add(*is_task && spawns > 0, "spawn by a task");
        locks(body, &mut add);
        loops(body, &mut add);
        for step in &body.steps {
            chosen(&step.statements, &mut add);
            chained(&step.statements, &mut add);
            visit(&step.statements, false, &mut |s, inside| statement(s, inside, &mut add));
        }
        let joined = |s: &Statement| target(s).is_some_and(|v| awaited.contains(&v));
        let copied = |s: &Statement| target(s).is_some_and(|v| awaited.contains(&v) && values(s).iter().any(|e| reads_other(e, v)));
        add(*is_task && count(body, joined) > 0, "join");
        add(count(body, copied) > 0, "value copied to where a guard reads");
    }
    if asserting > 1 {
        out.insert("assertions in several processes");
    }
    out
}

type Add<'a> = dyn FnMut(bool, &'static str) + 'a;

/// What a single statement shows.
fn statement(s: &Statement, inside: bool, add: &mut Add<'_>) {
    let expressions = values(s);
    let indexes: Vec<&Expr> = expressions.iter().flat_map(|e| indexes(e)).chain(target_index(s)).collect();
    let divides = expressions.iter().any(|e| any(e, &divides)) || target_index(s).is_some_and(|i| any(i, &divides));
    let computed = indexes.iter().any(|i| !matches!(i, Expr::Int(_)));
    add(computed, "computed index");
    add(
        indexes.iter().any(|i| any(i, &|e| matches!(e, Expr::Shared(..)))),
        "index read from a shared variable",
    );
    add(
        indexes.iter().any(|i| any(i, &|e| matches!(e, Expr::Shared(_, Some(_))))),
        "index within an index",
    );
    add(
        expressions
            .iter()
            .any(|e| any(e, &|e| matches!(e, Expr::Int(v) if v.unsigned_abs() > 1 << 30))),
        "overflow",
    );
    add(expressions.iter().any(|e| any(e, &|e| matches!(e, Expr::Negate(_)))), "unary minus");
    let saved = |e: &Expr| matches!(e, Expr::Binary(Binary::And | Binary::Or, _, b) if any(b, &faults));
    add(expressions.iter().any(|e| any(e, &saved)), "connective that decides about a fault");
    match s {
        Statement::Choose(_, n) => add((3..=8).contains(n), "choice of 3 to 8"),
        Statement::Await(e) => {
            add(divides, "division in a guard");
            add(computed, "index in a guard");
            let mut read = BTreeSet::new();
            variables(e, &mut read);
            add(read.len() > 1, "guard on several variables");
        }
        Statement::Spawn(_, values) => {
            add(divides, "division in an argument");
            add(computed, "index in an argument");
            add(inside, "spawn in a branch");
            add(!values.is_empty(), "spawn with values");
        }
        Statement::If(..) => add(inside, "branch within a branch"),
        Statement::Lock(Place::Shared(_, Some(_))) => add(true, "array of locks"),
        Statement::Accumulate(..) => add(true, "commuting addition"),
        _ => {}
    }
    if let Statement::Assign(Place::Shared(_, Some(index)), e) = s {
        add(
            (any(index, &faults) || unsafe_index(index)) && any(e, &faults),
            "order of evaluation",
        );
    }
    add(
        divides && !matches!(s, Statement::Await(_) | Statement::Spawn(..)),
        "division in a statement",
    );
}

/// A step that begins with a choice and then does different things.
fn chosen(statements: &[Statement], add: &mut Add<'_>) {
    let Some(Statement::Choose(local, _)) = statements.first() else {
        return;
    };
    let by_choice = |e: &Expr| any(e, &|e| *e == Expr::Local(*local));
    let mut differ = false;
    visit(statements, false, &mut |s, _| match s {
        Statement::If(condition, then, other) if by_choice(condition) => {
            let touched = |branch: &[Statement]| {
                let mut all = BTreeSet::new();
                visit(branch, true, &mut |s, _| touched(s, &mut all));
                all
            };
            differ |= touched(then) != touched(other);
        }
        s => differ |= target_index(s).is_some_and(by_choice) || values(s).iter().any(|e| indexes(e).into_iter().any(by_choice)),
    });
    add(differ, "alternatives that touch different things");
}

/// A step that writes an element, reads one of the same array into a local, and uses that local as an index.
fn chained(statements: &[Statement], add: &mut Add<'_>) {
    let (mut written, mut read, mut statement_count) = (BTreeSet::new(), Vec::new(), 0);
    visit(statements, false, &mut |s, _| {
        statement_count += 1;
        let by_read = |e: &Expr| any(e, &|e| matches!(e, Expr::Local(local) if read.contains(local)));
        let picked = target_index(s).is_some_and(by_read) || values(s).iter().any(|e| indexes(e).into_iter().any(by_read));
        add(picked, "element that picks the next one within a step");
        match s {
            Statement::Assign(Place::Local(local), e) if any(e, &|e| matches!(e, Expr::Shared(v, Some(_)) if written.contains(v))) => {
                read.push(*local);
            }
            s if target_index(s).is_some() => written.extend(target(s)),
            _ => {}
        }
    });
    add(statement_count > 3, "step of four or more statements");
}

fn loops(body: &Body, add: &mut Add<'_>) {
    for (from, step) in body.steps.iter().enumerate() {
        let mut jumps = Vec::new();
        visit(&step.statements, false, &mut |s, inside| {
            if let Statement::Goto(Label(l)) = s
                && let Some(to) = body.labels[*l].step
            {
                jumps.push((to, inside));
            }
        });
        for (to, inside) in jumps {
            let is_choice = |s: &Statement| matches!(s, Statement::Choose(..));
            let within = |test: &dyn Fn(&Statement) -> bool| {
                let mut found = false;
                for step in body.steps.get(to..=from).unwrap_or_default() {
                    visit(&step.statements, false, &mut |s, _| found |= test(s));
                }
                found
            };
            add(to <= from && inside, "loop that ends by data");
            add(to <= from && within(&is_choice), "choice within a loop");
            add(to <= from && within(&|s| matches!(s, Statement::Spawn(..))), "spawn in a loop");
            let skipped = body.steps.get(from + 1..to).unwrap_or_default();
            add(
                inside && skipped.iter().any(|s| s.statements.first().is_some_and(is_choice)),
                "choice in a branch",
            );
        }
    }
}

fn locks(body: &Body, add: &mut Add<'_>) {
    let (mut held, mut taken) = (0usize, false);
    for step in &body.steps {
        visit(&step.statements, false, &mut |s, _| match s {
            Statement::Lock(_) => (held, taken) = (held + 1, true),
            Statement::Unlock(_) => held = held.saturating_sub(1),
            s => {
                let fails = matches!(s, Statement::Assert(..)) || values(s).iter().any(|e| any(e, &faults));
                add(held > 0 && fails, "lock held at a fault");
            }
        });
    }
    add(taken && held > 0, "lock not given back");
}

/// The variables that some guard reads.
fn awaited(model: &Model) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for step in model.bodies().iter().flat_map(|b| &b.steps) {
        for s in &step.statements {
            if let Statement::Await(e) = s {
                variables(e, &mut out);
            }
        }
    }
    out
}

/// Every statement, and whether it is inside a branch.
fn visit(statements: &[Statement], inside: bool, f: &mut impl FnMut(&Statement, bool)) {
    for s in statements {
        f(s, inside);
        if let Statement::If(_, then, other) = s {
            visit(then, true, f);
            visit(other, true, f);
        }
    }
}

fn count(body: &Body, test: impl Fn(&Statement) -> bool) -> usize {
    let mut n = 0;
    for step in &body.steps {
        visit(&step.statements, false, &mut |s, _| n += usize::from(test(s)));
    }
    n
}

/// The shared variable that a statement writes.
fn target(s: &Statement) -> Option<usize> {
    match s {
        Statement::Assign(Place::Shared(v, _), _)
        | Statement::Add(Place::Shared(v, _), _)
        | Statement::Accumulate(Place::Shared(v, _), _) => Some(*v),
        _ => None,
    }
}

fn target_index(s: &Statement) -> Option<&Expr> {
    match s {
        Statement::Assign(Place::Shared(_, i), _)
        | Statement::Add(Place::Shared(_, i), _)
        | Statement::Accumulate(Place::Shared(_, i), _)
        | Statement::Lock(Place::Shared(_, i))
        | Statement::Unlock(Place::Shared(_, i)) => i.as_deref(),
        _ => None,
    }
}

/// The expressions that a statement evaluates, but for the index of what it writes.
fn values(s: &Statement) -> Vec<&Expr> {
    match s {
        Statement::Await(e) | Statement::Assert(e, _) | Statement::If(e, ..) => vec![e],
        Statement::Assign(_, e) | Statement::Add(_, e) | Statement::Accumulate(_, e) => vec![e],
        Statement::Spawn(_, values) => values.iter().collect(),
        _ => Vec::new(),
    }
}

fn touched(s: &Statement, out: &mut BTreeSet<usize>) {
    out.extend(target(s));
    values(s).into_iter().chain(target_index(s)).for_each(|e| variables(e, out));
}

fn variables(e: &Expr, out: &mut BTreeSet<usize>) {
    each(e, &mut |e| {
        if let Expr::Shared(v, _) = e {
            out.insert(*v);
        }
    });
}

fn reads_other(e: &Expr, variable: usize) -> bool {
    any(e, &|e| matches!(e, Expr::Shared(v, _) if *v != variable))
}

/// Whether some part of an expression passes the test.
fn any(e: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    each(e, &mut |e| found |= test(e));
    found
}

fn each<'e>(e: &'e Expr, f: &mut impl FnMut(&'e Expr)) {
    f(e);
    match e {
        Expr::Shared(_, Some(a)) | Expr::Not(a) | Expr::Negate(a) => each(a, f),
        Expr::Binary(_, a, b) => {
            each(a, f);
            each(b, f);
        }
        _ => {}
    }
}

fn indexes(e: &Expr) -> Vec<&Expr> {
    let mut out = Vec::new();
    each(e, &mut |e| {
        if let Expr::Shared(_, Some(index)) = e {
            out.push(&**index);
        }
    });
    out
}

fn divides(e: &Expr) -> bool {
    matches!(e, Expr::Binary(Binary::Divide | Binary::Remainder, _, b) if !matches!(**b, Expr::Int(d) if d != 0))
}

/// Whether an index may be outside: neither a constant nor a remainder.
fn unsafe_index(index: &Expr) -> bool {
    !matches!(index, Expr::Int(_) | Expr::Binary(Binary::Remainder, _, _))
}

/// Whether evaluating this may fail, its parts aside.
fn faults(e: &Expr) -> bool {
    divides(e) || matches!(e, Expr::Shared(_, Some(index)) if unsafe_index(index))
}

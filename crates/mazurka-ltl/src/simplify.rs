//! Smaller formulas with the same meaning: the rewriting rules of K. Etessami and G. Holzmann (Optimizing Büchi Automata, CONCUR 2000) and of
//! F. Somenzi and R. Bloem (Efficient Büchi Automata from LTL Formulae, CAV 2000), on formulas in negation normal form.

use crate::formula::Formula;
use std::rc::Rc;

use Formula::{And, Atom, Constant, Next, Not, Or, Release, Until};

const TRUE: Formula = Constant(true);
const FALSE: Formula = Constant(false);

/// Rewrites a formula in negation normal form until no rule applies.
pub(crate) fn simplify(formula: &Formula) -> Formula {
    let mut now = once(formula);
    loop {
        let next = once(&now);
        if next == now {
            return now;
        }
        now = next;
    }
}

fn once(formula: &Formula) -> Formula {
    match formula {
        Constant(_) | Atom(_) | Not(_) => formula.clone(),
        Next(a) => next(once(a)),
        And(a, b) => and(once(a), once(b)),
        Or(a, b) => or(once(a), once(b)),
        Until(a, b) => until(once(a), once(b)),
        Release(a, b) => release(once(a), once(b)),
    }
}

/// Whether each execution with `a` is one with `b`, as far as the form of the formulas shows.
pub(crate) fn implies(a: &Formula, b: &Formula) -> bool {
    if a == b || *a == FALSE || *b == TRUE {
        return true;
    }
    if let Or(x, y) = a {
        return implies(x, b) && implies(y, b);
    }
    if let And(x, y) = b {
        return implies(a, x) && implies(a, y);
    }
    let left = match a {
        And(x, y) => implies(x, b) || implies(y, b),
        // What is released holds now, and what is until something is one of both.
        Release(_, y) => implies(y, b),
        Until(x, y) => implies(x, b) && implies(y, b),
        _ => false,
    };
    let right = match b {
        Or(x, y) => implies(a, x) || implies(a, y),
        Until(_, y) => implies(a, y),
        Release(x, y) => implies(a, x) && implies(a, y),
        _ => false,
    };
    let both = match (a, b) {
        (Until(x, y), Until(v, w)) | (Release(x, y), Release(v, w)) => implies(x, v) && implies(y, w),
        (Next(x), Next(y)) => implies(x, y),
        _ => false,
    };
    left || right || both
}

/// Whether both cannot hold together, as far as the form of the formulas shows.
fn excludes(a: &Formula, b: &Formula) -> bool {
    implies(a, &b.normal(true))
}

/// Whether it depends on what happens infinitely often only, so that it holds always or never: `[] <> a`, `<> [] a` and what is made of
/// them.
fn is_suspendable(formula: &Formula) -> bool {
    match formula {
        Constant(_) => true,
        Release(x, y) => **x == FALSE && (matches!(&**y, Until(t, _) if **t == TRUE) || is_suspendable(y)),
        Until(x, y) => **x == TRUE && (matches!(&**y, Release(f, _) if **f == FALSE) || is_suspendable(y)),
        And(a, b) | Or(a, b) => is_suspendable(a) && is_suspendable(b),
        Next(a) => is_suspendable(a),
        Atom(_) | Not(_) => false,
    }
}

fn next(a: Formula) -> Formula {
    if is_suspendable(&a) { a } else { a.next() }
}

fn and(a: Formula, b: Formula) -> Formula {
    if implies(&a, &b) {
        return a;
    }
    if implies(&b, &a) {
        return b;
    }
    if excludes(&a, &b) || excludes(&b, &a) {
        return FALSE;
    }
    match (a, b) {
        (Next(a), Next(b)) => next(and((*a).clone(), (*b).clone())),
        // (a U c) && (b U c) = (a && b) U c
        (Until(a, c), Until(b, d)) if c == d => until(and((*a).clone(), (*b).clone()), (*c).clone()),
        // (a V b) && (a V c) = a V (b && c)
        (Release(a, b), Release(c, d)) if a == c => release((*a).clone(), and((*b).clone(), (*d).clone())),
        (a, b) => a.and(b),
    }
}

fn or(a: Formula, b: Formula) -> Formula {
    if implies(&a, &b) {
        return b;
    }
    if implies(&b, &a) {
        return a;
    }
    if implies(&a.normal(true), &b) || implies(&b.normal(true), &a) {
        return TRUE;
    }
    match (a, b) {
        (Next(a), Next(b)) => next(or((*a).clone(), (*b).clone())),
        // (a U b) || (a U c) = a U (b || c)
        (Until(a, b), Until(c, d)) if a == c => until((*a).clone(), or((*b).clone(), (*d).clone())),
        // (a V c) || (b V c) = (a || b) V c
        (Release(a, c), Release(b, d)) if c == d => release(or((*a).clone(), (*b).clone()), (*c).clone()),
        (a, b) => a.or(b),
    }
}

fn until(a: Formula, b: Formula) -> Formula {
    if implies(&a, &b) || is_suspendable(&b) {
        return b;
    }
    // What must hold until it holds anyway need not be said.
    if a != TRUE && implies(&a.normal(true), &b) {
        return TRUE.until(b);
    }
    match (a, b) {
        (Next(a), Next(b)) => next(until((*a).clone(), (*b).clone())),
        // a U (b U c) = b U c where a implies b
        (a, Until(b, c)) if implies(&a, &b) => until((*b).clone(), (*c).clone()),
        // <> (a U b) = <> b
        (TRUE, Until(_, c)) => until(TRUE, (*c).clone()),
        // <> (a && s) = <> a && s, where s is the same at all times.
        (TRUE, And(x, y)) if is_suspendable(&y) => and(until(TRUE, (*x).clone()), (*y).clone()),
        (TRUE, And(x, y)) if is_suspendable(&x) => and(until(TRUE, (*y).clone()), (*x).clone()),
        (TRUE, Or(x, y)) if is_suspendable(&x) || is_suspendable(&y) => or(until(TRUE, (*x).clone()), until(TRUE, (*y).clone())),
        (TRUE, Next(a)) => next(until(TRUE, (*a).clone())),
        (a, b) => a.until(b),
    }
}

fn release(a: Formula, b: Formula) -> Formula {
    if implies(&b, &a) || is_suspendable(&b) {
        return b;
    }
    if a != FALSE && implies(&b, &a.normal(true)) {
        return FALSE.release(b);
    }
    match (a, b) {
        (Next(a), Next(b)) => next(release((*a).clone(), (*b).clone())),
        (a, Release(b, c)) if implies(&b, &a) => release((*b).clone(), (*c).clone()),
        // [] (a V b) = [] b
        (FALSE, Release(_, c)) => release(FALSE, (*c).clone()),
        (FALSE, Or(x, y)) if is_suspendable(&y) => or(release(FALSE, (*x).clone()), (*y).clone()),
        (FALSE, Or(x, y)) if is_suspendable(&x) => or(release(FALSE, (*y).clone()), (*x).clone()),
        (FALSE, Next(a)) => next(release(FALSE, (*a).clone())),
        (a, b) => Release(Rc::new(a), Rc::new(b)),
    }
}

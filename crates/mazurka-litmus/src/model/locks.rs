//! Locks hold the token of their holder, which is no number that a program may compute with.

use super::{Expr, Model, Place, Statement};

impl Model {
    /// For each shared variable, whether some step takes it or gives it back as a lock.
    pub fn locks(&self) -> Vec<bool> {
        fn mark(statements: &[Statement], locks: &mut [bool]) {
            for s in statements {
                match s {
                    Statement::Lock(Place::Shared(v, _)) | Statement::Unlock(Place::Shared(v, _)) if *v < locks.len() => locks[*v] = true,
                    Statement::If(_, then, other) => {
                        mark(then, locks);
                        mark(other, locks);
                    }
                    _ => {}
                }
            }
        }
        let mut locks = vec![false; self.variables.len()];
        for step in self.bodies.iter().flat_map(|b| &b.steps) {
            mark(&step.statements, &mut locks);
        }
        locks
    }

    /// Whether some statement sets the variable to a number, as if it were no lock: then its value need not be that of a holder.
    pub fn is_assigned(&self, variable: usize) -> bool {
        fn assigns(statements: &[Statement], variable: usize) -> bool {
            statements.iter().any(|s| match s {
                Statement::Assign(Place::Shared(v, _), _) => *v == variable,
                Statement::If(_, then, other) => assigns(then, variable) || assigns(other, variable),
                _ => false,
            })
        }
        let mut steps = self.bodies.iter().flat_map(|b| &b.steps);
        steps.any(|step| assigns(&step.statements, variable))
    }

    /// The first lock whose value some statement reads.
    pub(super) fn lock_read_in(&self, statements: &[Statement], locks: &[bool]) -> Option<usize> {
        statements.iter().find_map(|s| match s {
            Statement::Choose(..) | Statement::Goto(_) | Statement::End => None,
            Statement::Await(e) | Statement::Assert(e, _) => read(e, locks),
            Statement::Lock(p) | Statement::Unlock(p) => read_in_index(p, locks),
            Statement::Assign(p, e) => read_in_index(p, locks).or_else(|| read(e, locks)),
            Statement::Add(p, e) | Statement::Accumulate(p, e) => read(&p.clone().into(), locks).or_else(|| read(e, locks)),
            Statement::If(e, then, other) => read(e, locks)
                .or_else(|| self.lock_read_in(then, locks))
                .or_else(|| self.lock_read_in(other, locks)),
            Statement::Spawn(_, values) => values.iter().find_map(|e| read(e, locks)),
        })
    }
}

fn read(e: &Expr, locks: &[bool]) -> Option<usize> {
    match e {
        Expr::Int(_) | Expr::Local(_) => None,
        Expr::Shared(v, _) if locks.get(*v) == Some(&true) => Some(*v),
        Expr::Shared(_, index) => index.as_ref().and_then(|i| read(i, locks)),
        Expr::Not(a) | Expr::Negate(a) => read(a, locks),
        Expr::Binary(_, a, b) => read(a, locks).or_else(|| read(b, locks)),
    }
}

fn read_in_index(p: &Place, locks: &[bool]) -> Option<usize> {
    match p {
        Place::Shared(_, Some(index)) => read(index, locks),
        Place::Shared(_, None) | Place::Local(_) => None,
    }
}

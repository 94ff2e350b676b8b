//! Leaving out what nothing mentions.

use super::{Body, Expr, Local, Model, Place, Statement};

impl Model {
    /// The same program without shared variables and locals that no statement mentions.
    #[must_use]
    pub fn without_unused(&self) -> Model {
        let mut shared = vec![false; self.variables.len()];
        let mut copy = self.clone();
        let mut values = vec![0; self.bodies.len()];
        for step in self.bodies.iter().flat_map(|b| &b.steps) {
            visit(&step.statements, &mut |s| {
                if let Statement::Spawn(k, v) = s
                    && let Some(most) = values.get_mut(*k)
                {
                    *most = v.len().max(*most);
                }
            });
        }
        for (body, given) in copy.bodies.iter_mut().zip(values) {
            let mut locals: Vec<bool> = (0..body.locals.len()).map(|l| l < given).collect();
            mentioned(body, &mut shared, &mut locals);
            let to = numbering(&locals);
            let mut keep = locals.iter();
            body.locals.retain(|_| *keep.next().unwrap_or(&true));
            rename(body, &mut |place| {
                if let Place::Local(l) = place {
                    *l = Local(to[l.0]);
                }
            });
        }
        let to = numbering(&shared);
        let mut keep = shared.iter();
        copy.variables.retain(|_| *keep.next().unwrap_or(&true));
        for body in &mut copy.bodies {
            rename(body, &mut |place| {
                if let Place::Shared(v, _) = place {
                    *v = to[*v];
                }
            });
        }
        copy
    }
}

/// The new index of each thing that is kept.
fn numbering(keep: &[bool]) -> Vec<usize> {
    keep.iter()
        .scan(0, |next, kept| {
            let index = *next;
            *next += usize::from(*kept);
            Some(index)
        })
        .collect()
}

fn visit(statements: &[Statement], f: &mut impl FnMut(&Statement)) {
    for s in statements {
        f(s);
        if let Statement::If(_, then, other) = s {
            visit(then, f);
            visit(other, f);
        }
    }
}

fn mentioned(body: &Body, shared: &mut [bool], locals: &mut [bool]) {
    let mut copy = body.clone();
    rename(&mut copy, &mut |place| match place {
        Place::Local(l) => locals[l.0] = true,
        Place::Shared(v, _) => shared[*v] = true,
    });
}

/// Applies `f` to every mention of a variable, in expressions too.
fn rename(body: &mut Body, f: &mut impl FnMut(&mut Place)) {
    fn in_expression(e: &mut Expr, f: &mut impl FnMut(&mut Place)) {
        match e {
            Expr::Int(_) => {}
            Expr::Local(l) => {
                let mut place = Place::Local(*l);
                f(&mut place);
                *e = place.into();
            }
            Expr::Shared(v, index) => {
                index.iter_mut().for_each(|i| in_expression(i, f));
                let mut place = Place::Shared(*v, index.take());
                f(&mut place);
                *e = place.into();
            }
            Expr::Not(a) | Expr::Negate(a) => in_expression(a, f),
            Expr::Binary(_, a, b) => {
                in_expression(a, f);
                in_expression(b, f);
            }
        }
    }
    fn in_place(p: &mut Place, f: &mut impl FnMut(&mut Place)) {
        if let Place::Shared(_, Some(index)) = p {
            in_expression(index, f);
        }
        f(p);
    }
    fn in_statements(statements: &mut [Statement], f: &mut impl FnMut(&mut Place)) {
        for s in statements {
            match s {
                Statement::Choose(l, _) => {
                    let mut place = Place::Local(*l);
                    f(&mut place);
                    if let Place::Local(new) = place {
                        *l = new;
                    }
                }
                Statement::Await(e) | Statement::Assert(e, _) => in_expression(e, f),
                Statement::Lock(p) | Statement::Unlock(p) => in_place(p, f),
                Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                    in_place(p, f);
                    in_expression(e, f);
                }
                Statement::If(e, then, other) => {
                    in_expression(e, f);
                    in_statements(then, f);
                    in_statements(other, f);
                }
                Statement::Spawn(_, values) => values.iter_mut().for_each(|e| in_expression(e, f)),
                Statement::Goto(_) | Statement::End => {}
            }
        }
    }
    for step in &mut body.steps {
        in_statements(&mut step.statements, f);
    }
}

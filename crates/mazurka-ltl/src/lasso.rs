//! Executions without end as a beginning and a loop, and what formulas say of them: by definition, with nothing clever.

use crate::formula::Formula;

/// The atoms that hold in a state, as a set of bits.
pub type Letter = u64;

/// An execution: a beginning, then a loop that is repeated for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The states before the loop.
    pub stem: Vec<Letter>,
    /// The states of the loop; at least one.
    pub cycle: Vec<Letter>,
}

impl Lasso {
    /// How many different places it has.
    pub(crate) fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The letter at a place.
    pub(crate) fn at(&self, place: usize) -> Letter {
        match place.checked_sub(self.stem.len()) {
            None => self.stem[place],
            Some(place) => self.cycle[place],
        }
    }

    /// The place after a place.
    pub(crate) fn after(&self, place: usize) -> usize {
        if place + 1 < self.len() { place + 1 } else { self.stem.len() }
    }

    /// Whether the formula holds of the execution.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.values(formula)[0]
    }

    /// Whether the formula holds, at each place.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let places = 0..self.len();
        let both = |a: &Formula, b: &Formula| (self.values(a), self.values(b));
        match formula {
            Formula::Constant(value) => vec![*value; self.len()],
            Formula::Atom(number) => places.map(|i| self.at(i) >> number & 1 == 1).collect(),
            Formula::Not(a) => self.values(a).into_iter().map(|a| !a).collect(),
            Formula::And(a, b) => both(a, b).0.iter().zip(both(a, b).1).map(|(a, b)| *a && b).collect(),
            Formula::Or(a, b) => both(a, b).0.iter().zip(both(a, b).1).map(|(a, b)| *a || b).collect(),
            Formula::Next(a) => {
                let a = self.values(a);
                places.map(|i| a[self.after(i)]).collect()
            }
            // The least solution of `u = b || a && X u`, and the greatest of `r = b && (a || X r)`.
            Formula::Until(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(false, |i, next| b[i] || a[i] && next)
            }
            Formula::Release(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(true, |i, next| b[i] && (a[i] || next))
            }
        }
    }

    fn fixed_point(&self, from: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![from; self.len()];
        // Twice around the loop, backwards, is enough.
        for _ in 0..2 {
            for i in (0..self.len()).rev() {
                values[i] = step(i, values[self.after(i)]);
            }
        }
        values
    }
}

//! A step of three to six statements that hand values on through elements of arrays.
//!
//! What such a step reads and writes depends on what it has written itself: an element is set or added to, perhaps at an index that is
//! computed, an element is read into a local, and that local picks the element that is touched next.

use super::{A, B, I, L, Writer};
use mazurka_litmus::model::{Expr, Local, Place, Statement, when};

impl Writer<'_> {
    pub(super) fn chain(&mut self) -> Vec<Statement> {
        let mut statements = vec![self.link_from(), self.link_to()];
        for _ in 0..1 + self.numbers.below(4) {
            let next = match self.numbers.below(8) {
                0..3 => self.link_from(),
                3..6 => self.link_to(),
                6 => when(self.comparison(1), [self.link_from(), self.link_to()]),
                _ => self.statement(1),
            };
            let at = self.numbers.below(statements.len() + 1);
            statements.insert(at, next);
        }
        statements
    }

    /// An element is written: the places that `link_to` reads.
    fn link_from(&mut self) -> Statement {
        let place = self.linked();
        let value = self.numbers.pick(&[0, 1, 1, 2]);
        match self.numbers.below(6) {
            0 | 1 => place.set(value),
            2 | 3 => place.accumulate(value),
            4 => place.increase(value),
            _ => place.set(self.value(1)),
        }
    }

    /// A local takes the value of an element.
    fn link_to(&mut self) -> Statement {
        let place: Expr = self.linked().into();
        let local = self.linking_local();
        match self.numbers.below(4) {
            0 => local.set(place + 1),
            _ => local.set(place),
        }
    }

    fn linked(&mut self) -> Place {
        let (array, length) = self.numbers.pick(&[(A, 3), (B, 2)]);
        let index = match self.numbers.below(6) {
            0 | 1 => (self.numbers.below(length) as i32).into(),
            2 | 3 => self.linking_local().into(),
            4 => self.variable().into(),
            _ => self.linking_local() % length as i32,
        };
        array.at(index)
    }

    fn linking_local(&mut self) -> Local {
        self.numbers.pick(&[L, L, I])
    }
}

//! Formulas.

use std::fmt;
use std::rc::Rc;

/// Atoms are numbered from 0 and there are fewer than this.
pub const MOST_ATOMS: u32 = 64;

/// A formula of linear temporal logic over numbered atoms. Parts are shared: copies are cheap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// `true` or `false`.
    Constant(bool),
    /// The atom with this number.
    Atom(u32),
    /// `!`
    Not(Rc<Formula>),
    /// `&&`
    And(Rc<Formula>, Rc<Formula>),
    /// `||`
    Or(Rc<Formula>, Rc<Formula>),
    /// `X`: in the next state.
    Next(Rc<Formula>),
    /// `a U b`: `b` holds at some time, and `a` until then.
    Until(Rc<Formula>, Rc<Formula>),
    /// `a V b`, the dual of until: `b` holds up to and including the first time that `a` does, for ever if `a` never does.
    Release(Rc<Formula>, Rc<Formula>),
}

impl Formula {
    /// The atom with this number, below [`MOST_ATOMS`].
    pub fn atom(number: u32) -> Self {
        assert!(number < MOST_ATOMS, "there are at most {MOST_ATOMS} atoms");
        Formula::Atom(number)
    }

    /// `! self`
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "a chain of names reads as the formula does")]
    pub fn not(self) -> Self {
        Formula::Not(Rc::new(self))
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: Formula) -> Self {
        Formula::And(Rc::new(self), Rc::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: Formula) -> Self {
        Formula::Or(Rc::new(self), Rc::new(other))
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Formula) -> Self {
        self.not().or(other)
    }

    /// `self <-> other`
    #[must_use]
    pub fn iff(self, other: Formula) -> Self {
        let both = self.clone().and(other.clone());
        both.or(self.not().and(other.not()))
    }

    /// `X self`
    #[must_use]
    pub fn next(self) -> Self {
        Formula::Next(Rc::new(self))
    }

    /// `self U other`
    #[must_use]
    pub fn until(self, other: Formula) -> Self {
        Formula::Until(Rc::new(self), Rc::new(other))
    }

    /// `self V other`
    #[must_use]
    pub fn release(self, other: Formula) -> Self {
        Formula::Release(Rc::new(self), Rc::new(other))
    }

    /// `self W other`: until, but `other` need not ever hold.
    #[must_use]
    pub fn weak_until(self, other: Formula) -> Self {
        other.clone().release(self.or(other))
    }

    /// `<> self`
    #[must_use]
    pub fn eventually(self) -> Self {
        Formula::Constant(true).until(self)
    }

    /// `[] self`
    #[must_use]
    pub fn always(self) -> Self {
        Formula::Constant(false).release(self)
    }

    /// Whether some part speaks of the next state.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => false,
            Formula::Next(_) => true,
            Formula::Not(a) => a.has_next(),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Until(a, b) | Formula::Release(a, b) => a.has_next() || b.has_next(),
        }
    }

    /// The set of its atoms.
    pub fn atoms(&self) -> u64 {
        match self {
            Formula::Constant(_) => 0,
            Formula::Atom(number) => 1 << number,
            Formula::Not(a) | Formula::Next(a) => a.atoms(),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Until(a, b) | Formula::Release(a, b) => a.atoms() | b.atoms(),
        }
    }

    /// How many operators and atoms it has.
    pub fn size(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => 1,
            Formula::Not(a) | Formula::Next(a) => 1 + a.size(),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Until(a, b) | Formula::Release(a, b) => 1 + a.size() + b.size(),
        }
    }

    /// The same formula, or its negation, with negations before atoms only.
    #[must_use]
    pub fn normal(&self, negated: bool) -> Self {
        match self {
            Formula::Constant(value) => Formula::Constant(*value != negated),
            Formula::Atom(_) if negated => self.clone().not(),
            Formula::Atom(_) => self.clone(),
            Formula::Not(a) => a.normal(!negated),
            Formula::Next(a) => a.normal(negated).next(),
            Formula::And(a, b) | Formula::Or(a, b) => {
                let (a, b) = (a.normal(negated), b.normal(negated));
                let is_and = matches!(self, Formula::And(..));
                if is_and != negated { a.and(b) } else { a.or(b) }
            }
            Formula::Until(a, b) | Formula::Release(a, b) => {
                let (a, b) = (a.normal(negated), b.normal(negated));
                let is_until = matches!(self, Formula::Until(..));
                if is_until != negated { a.until(b) } else { a.release(b) }
            }
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Atom(number) => write!(f, "p{number}"),
            Formula::Not(a) => write!(f, "! {a}"),
            Formula::Next(a) => write!(f, "X {a}"),
            Formula::And(a, b) => write!(f, "({a} && {b})"),
            Formula::Or(a, b) => write!(f, "({a} || {b})"),
            Formula::Until(a, b) if **a == Formula::Constant(true) => write!(f, "<> {b}"),
            Formula::Until(a, b) => write!(f, "({a} U {b})"),
            Formula::Release(a, b) if **a == Formula::Constant(false) => write!(f, "[] {b}"),
            Formula::Release(a, b) => write!(f, "({a} V {b})"),
        }
    }
}

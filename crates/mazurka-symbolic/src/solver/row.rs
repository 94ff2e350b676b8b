//! Sums of unknowns, and what is said of them.

use mazurka_abs::value::Value;
use mazurka_abs::value::term::{Kind as Term, Operation, Sort, sort};
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, One, Zero};
use rustc_hash::FxHashMap;

/// A sum of unknowns, each so many times, and a number, all over a common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    terms: Vec<(u32, i128)>,
    constant: i128,
    below: i128,
}

impl Form {
    fn number(above: i128, below: i128) -> Form {
        Form {
            terms: Vec::new(),
            constant: above,
            below,
        }
    }

    fn unknown(unknown: u32) -> Form {
        Form {
            terms: vec![(unknown, 1)],
            constant: 0,
            below: 1,
        }
    }

    /// The unknowns and how often each is there.
    pub fn terms(&self) -> impl Iterator<Item = (u32, i128)> + '_ {
        self.terms.iter().copied()
    }

    /// Whether there are no unknowns in it.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// How often an unknown is there.
    pub fn of(&self, unknown: u32) -> i128 {
        self.terms
            .iter()
            .find(|(other, _)| *other == unknown)
            .map_or(0, |(_, times)| *times)
    }

    /// So many times as much, if that can be computed.
    pub fn times(&self, n: i128) -> Option<Form> {
        let terms = self.terms.iter().filter(|_| n != 0);
        Some(Form {
            terms: terms
                .map(|(unknown, times)| Some((*unknown, times.checked_mul(&n)?)))
                .collect::<Option<_>>()?,
            constant: self.constant.checked_mul(n)?,
            below: self.below,
        })
    }

    /// With so many times another one.
    pub fn plus(&self, other: &Form, n: i128) -> Option<Form> {
        let below = self.below.lcm(&other.below);
        let (mine, theirs) = (self.times(below / self.below)?, other.times(n.checked_mul(below / other.below)?)?);
        let mut terms = mine.terms;
        for (unknown, times) in theirs.terms {
            match terms.iter_mut().find(|(other, _)| *other == unknown) {
                Some((_, sum)) => *sum = sum.checked_add(times)?,
                None => terms.push((unknown, times)),
            }
        }
        terms.retain(|(_, times)| *times != 0);
        terms.sort_unstable();
        Some(Form {
            terms,
            constant: mine.constant.checked_add(theirs.constant)?,
            below,
        })
    }

    fn over(mut self, n: i128) -> Option<Form> {
        self.below = self.below.checked_mul(n.abs())?;
        if n < 0 { self.times(-1) } else { Some(self) }
    }

    /// Its value, if that can be computed; unknowns without a value are nothing.
    pub fn at(&self, values: &FxHashMap<u32, Ratio<i128>>) -> Option<Ratio<i128>> {
        let mut sum = Ratio::from_integer(self.constant);
        for (unknown, times) in &self.terms {
            if let Some(value) = values.get(unknown) {
                sum = sum.checked_add(&value.checked_mul(&Ratio::from_integer(*times))?)?;
            }
        }
        sum.checked_mul(&Ratio::new(1, self.below))
    }
}

/// How a sum is compared with nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Less,
    AtMost,
    Equal,
}

/// What is said of a sum, and which answers say so.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The sum.
    pub form: Form,
    /// What is said of it.
    pub kind: Kind,
    /// The places of the answers it was made of.
    pub from: u128,
}

/// Larger numbers are the solver's business; products of these can be computed.
const LARGEST: i128 = 1 << 60;

/// What is left of a row.
pub(super) enum Tight {
    Row(Row),
    True,
    False,
    TooLarge,
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.kind == other.kind && self.form == other.form
    }
}

impl Row {
    /// That a sum compares so with nothing.
    pub fn new(form: Form, kind: Kind, from: u128) -> Row {
        Row { form, kind, from }
    }

    /// The same with the smallest numbers, and as strict as whole numbers allow.
    pub fn tight(mut self, whole: &dyn Fn(u32) -> bool) -> Tight {
        let form = &mut self.form;
        form.below = 1;
        if form.is_constant() {
            let holds = match self.kind {
                Kind::Less => form.constant < 0,
                Kind::AtMost => form.constant <= 0,
                Kind::Equal => form.constant == 0,
            };
            return if holds { Tight::True } else { Tight::False };
        }
        if form.terms.iter().any(|(_, times)| times.abs() > LARGEST) || form.constant.abs() > LARGEST {
            return Tight::TooLarge;
        }
        let common = form.terms.iter().fold(0i128, |common, (_, times)| common.gcd(times));
        if form.terms.iter().all(|(unknown, _)| whole(*unknown)) {
            if self.kind == Kind::Equal && form.constant % common != 0 {
                return Tight::False;
            }
            if self.kind == Kind::Less {
                form.constant += 1;
                self.kind = Kind::AtMost;
            }
            form.terms.iter_mut().for_each(|(_, times)| *times /= common);
            form.constant = Integer::div_ceil(&form.constant, &common);
        } else {
            let common = common.gcd(&form.constant);
            form.terms.iter_mut().for_each(|(_, times)| *times /= common);
            form.constant /= common;
        }
        Tight::Row(self)
    }

    /// Whether it is true for these values.
    pub fn holds(&self, values: &FxHashMap<u32, Ratio<i128>>) -> bool {
        self.form.at(values).is_some_and(|value| match self.kind {
            Kind::Less => value < Ratio::zero(),
            Kind::AtMost => value <= Ratio::zero(),
            Kind::Equal => value.is_zero(),
        })
    }

    /// An equation as two rows, and any other row as it is.
    pub fn sides(&self) -> Option<Vec<Row>> {
        if self.kind != Kind::Equal {
            return Some(vec![self.clone()]);
        }
        let opposite = self.form.times(-1)?;
        Some(vec![
            Row::new(self.form.clone(), Kind::AtMost, self.from),
            Row::new(opposite, Kind::AtMost, self.from),
        ])
    }

    /// What follows from this row and another, in which an unknown has the opposite sign or which is an equation, without that unknown.
    pub fn without(&self, unknown: u32, other: &Row) -> Option<Row> {
        let (mine, theirs) = (self.form.of(unknown), other.form.of(unknown));
        let form = self.form.times(theirs.abs())?.plus(&other.form, -mine * theirs.signum())?;
        let kind = match (self.kind, other.kind) {
            (kind, Kind::Equal) => kind,
            (Kind::Less, _) | (_, Kind::Less) => Kind::Less,
            _ => Kind::AtMost,
        };
        Some(Row::new(form, kind, self.from | other.from))
    }
}

/// The value nearest to nothing that an unknown can have, if the others have these.
pub(super) fn between(unknown: u32, rows: &[Row], values: &FxHashMap<u32, Ratio<i128>>, whole: bool) -> Option<Ratio<i128>> {
    // Bounds, and whether they are values.
    let mut least: Option<(Ratio<i128>, bool)> = None;
    let mut most: Option<(Ratio<i128>, bool)> = None;
    for row in rows {
        let times = row.form.of(unknown);
        let rest = row.form.at(values)?;
        let bound = rest.checked_mul(&Ratio::new(-1, times))?;
        let own = row.kind != Kind::Less;
        if (times > 0 || row.kind == Kind::Equal) && most.is_none_or(|(most, is)| bound < most || bound == most && is && !own) {
            most = Some((bound, own));
        }
        if (times < 0 || row.kind == Kind::Equal) && least.is_none_or(|(least, is)| bound > least || bound == least && is && !own) {
            least = Some((bound, own));
        }
    }
    let fits = |value: &Ratio<i128>| {
        least.is_none_or(|(least, own)| *value > least || own && *value == least)
            && most.is_none_or(|(most, own)| *value < most || own && *value == most)
    };
    let mut tried = vec![Ratio::zero()];
    for (bound, step) in [(least, Ratio::one()), (most, -Ratio::one())] {
        let Some((bound, _)) = bound else { continue };
        let near = if step > Ratio::zero() { bound.ceil() } else { bound.floor() };
        tried.extend([near, near.checked_add(&step)?]);
        if !whole {
            tried.push(bound);
        }
    }
    if let (Some((least, _)), Some((most, _)), false) = (least, most, whole) {
        tried.push(least.checked_add(&most)?.checked_mul(&Ratio::new(1, 2))?);
    }
    tried.sort_by_key(|value| if *value < Ratio::zero() { -*value } else { *value });
    tried.into_iter().find(|value| fits(value))
}

/// A division by a known whole number, which leaves a rest with the sign of what is divided.
#[derive(Debug)]
pub(super) struct Division {
    /// What is divided.
    pub of: Form,
    /// By what.
    pub by: i128,
    /// The unknown that is the quotient; the next one is the rest.
    pub quotient: u32,
}

impl Division {
    /// That quotient and rest make up what is divided.
    pub fn whole(&self) -> Option<Form> {
        let parts = Form::unknown(self.quotient)
            .times(self.by)?
            .plus(&Form::unknown(self.quotient + 1), 1)?;
        self.of.plus(&parts, -1)
    }

    /// What is known if something positive is divided, or nothing; and if it is negative.
    pub fn signs(&self) -> Option<[Vec<Form>; 2]> {
        let rest = Form::unknown(self.quotient + 1);
        let most = Form::number(self.by.abs() - 1, 1);
        let side = |of: Form, rest: Form, from: i128| -> Option<Vec<Form>> {
            Some(vec![Form::number(from, 1).plus(&of, -1)?, rest.times(-1)?, rest.plus(&most, -1)?])
        };
        Some([
            side(self.of.clone(), rest.clone(), 0)?,
            side(self.of.times(-1)?, rest.times(-1)?, 1)?,
        ])
    }
}

/// What the unknowns are: inputs, quotients and rests, and terms that are not linear.
#[derive(Debug, Default)]
pub(super) struct Unknowns {
    known: FxHashMap<u128, u32>,
    all: Vec<(Option<u32>, bool)>,
    divided: FxHashMap<(u128, i128), usize>,
    divisions: Vec<Division>,
}

impl Unknowns {
    /// The input that an unknown is, if it is one.
    pub fn input(&self, unknown: u32) -> Option<u32> {
        self.all[unknown as usize].0
    }

    /// Whether an unknown is a whole number.
    pub fn is_whole(&self, unknown: u32) -> bool {
        self.all[unknown as usize].1
    }

    /// The divisions that unknowns of these sums come from, and those that what they divide comes from.
    pub fn divisions<'s>(&self, forms: impl Iterator<Item = &'s Form>) -> Vec<&Division> {
        let mut found: Vec<&Division> = Vec::new();
        let mut todo: Vec<u32> = forms.flat_map(|form| form.terms().map(|(unknown, _)| unknown)).collect();
        while let Some(unknown) = todo.pop() {
            let is = |division: &&Division| (division.quotient..=division.quotient + 1).contains(&unknown);
            let Some(division) = self.divisions.iter().find(is) else { continue };
            if !found.iter().any(|known| known.quotient == division.quotient) {
                todo.extend(division.of.terms().map(|(unknown, _)| unknown));
                found.push(division);
            }
        }
        found
    }

    fn division(&mut self, of: &Value, by: i128) -> Option<usize> {
        let Value::Term(term) = of else { return None };
        if let Some(known) = self.divided.get(&(term.hash(), by)) {
            return Some(*known);
        }
        let of = self.form(of)?;
        let quotient = self.all.len() as u32;
        self.all.extend([(None, true); 2]);
        self.divisions.push(Division { of, by, quotient });
        self.divided.insert((term.hash(), by), self.divisions.len() - 1);
        Some(self.divisions.len() - 1)
    }

    /// A number as a sum; nothing if it is none, or too large.
    pub fn form(&mut self, value: &Value) -> Option<Form> {
        let term = match value {
            Value::Int(n) => return Some(Form::number(i128::from(*n), 1)),
            Value::Rat(r) => {
                let (above, below) = (i128::try_from(r.numer()).ok()?, i128::try_from(r.denom()).ok()?);
                return Some(Form::number(above, below));
            }
            Value::Term(term) if matches!(term.sort(), Sort::Int | Sort::Rat) => term,
            _ => return None,
        };
        if let Term::Apply(operation, args) = term.kind() {
            match (operation, args.as_slice()) {
                (Operation::Add, [a, b]) => return self.form(a)?.plus(&self.form(b)?, 1),
                (Operation::Sub, [a, b]) => return self.form(a)?.plus(&self.form(b)?, -1),
                (Operation::Neg, [a]) => return self.form(a)?.times(-1),
                (Operation::Mul, [a, b]) => {
                    let (a, b) = (self.form(a)?, self.form(b)?);
                    let (number, sum) = if a.is_constant() { (a, b) } else { (b, a) };
                    if number.is_constant() {
                        return sum.times(number.constant)?.over(number.below);
                    }
                }
                (Operation::Div, [a, b]) => {
                    let number = self.form(b)?;
                    if number.is_constant() && number.constant != 0 {
                        return self.form(a)?.times(number.below)?.over(number.constant);
                    }
                }
                (Operation::Rem | Operation::DivTruncated, [a, Value::Int(by)]) if *by != 0 && sort(a) == Some(Sort::Int) => {
                    if let Some(division) = self.division(a, i128::from(*by)) {
                        let rest = u32::from(*operation == Operation::Rem);
                        return Some(Form::unknown(self.divisions[division].quotient + rest));
                    }
                }
                _ => {}
            }
        }
        let next = self.all.len() as u32;
        let unknown = *self.known.entry(term.hash()).or_insert(next);
        if unknown == next {
            let input = match term.kind() {
                Term::Input(number, _) => Some(*number),
                Term::Apply(..) => None,
            };
            self.all.push((input, term.sort() == Sort::Int));
        }
        Some(Form::unknown(unknown))
    }
}

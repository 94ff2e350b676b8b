//! Linear conditions on numbers are answered here, in microseconds; the solver has what is left.
//!
//! Fourier and Motzkin: an unknown goes by adding each row that bounds it from below to each that bounds it from above. If what is left is false, the
//! conditions that it was made of contradict each other. Otherwise values are put back in, the last unknown first, whole ones where they have to be. Quotients
//! and rests of divisions by known numbers are unknowns too. What is not linear counts as an unknown of its own, so a contradiction is one, and values are
//! right only if the conditions say so in the end.

use super::row::{Form, Kind, Row, Tight, Unknowns, between};
use super::{Answer, Model};
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Test;
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use rustc_hash::FxHashMap;

/// What is known of some answers.
#[derive(Debug)]
pub(super) enum Verdict {
    /// These values may give them.
    Values(Model),
    /// These of them, by their places, contradict each other.
    Contradiction(Vec<usize>),
    /// Not enough.
    Open,
}

/// More rows than this are the solver's business.
const ROWS: usize = 200;

/// So many times one side of a choice is tried, and then the other: less or greater than what it must not equal, positive or negative where a division
/// rounds towards nothing.
const SPLITS: u32 = 64;

/// Where a row comes from is a set of answers, of which there are at most this many, and of choices.
const ANSWERS: usize = 96;

/// Conditions on numbers as sums.
#[derive(Default)]
pub(super) struct Sums {
    unknowns: Unknowns,
    /// What a condition says is compared with nothing, by its hash; nothing for what is too large or no number.
    differences: FxHashMap<u128, Option<Form>>,
}

impl Sums {
    fn row(&mut self, answer: &Answer, from: u128) -> Option<Said> {
        let Answer { condition, holds, key } = answer;
        let difference = match self.differences.get(&key.0) {
            Some(known) => known.clone(),
            None => {
                let sides = self.unknowns.form(&condition.left).zip(self.unknowns.form(&condition.right));
                let difference = sides.and_then(|(left, right)| left.plus(&right, -1));
                self.differences.insert(key.0, difference.clone());
                difference
            }
        }?;
        Some(match (condition.test, holds) {
            (Test::Less, true) => Said::Row(Row::new(difference, Kind::Less, from)),
            (Test::Less, false) => Said::Row(Row::new(difference.times(-1)?, Kind::AtMost, from)),
            (Test::Equal, true) => Said::Row(Row::new(difference, Kind::Equal, from)),
            (Test::Equal, false) => Said::Different(difference, from),
        })
    }

    /// What is known of these answers, without asking anybody. Values are those of what is linear among them.
    pub fn solve(&mut self, answers: &[Answer]) -> Verdict {
        if answers.len() > ANSWERS {
            return Verdict::Open;
        }
        let mut rows = Vec::new();
        let mut choices: Vec<[Vec<Row>; 2]> = Vec::new();
        let mut different = Vec::new();
        for (place, answer) in answers.iter().enumerate() {
            match self.row(answer, 1 << place) {
                Some(Said::Row(row)) => rows.push(row),
                Some(Said::Different(form, from)) => different.push((form, from)),
                None => {}
            }
        }
        let forms = rows.iter().map(|row| &row.form).chain(different.iter().map(|(form, _)| form));
        for division in self.unknowns.divisions(forms) {
            let (Some(whole), Some(signs)) = (division.whole(), division.signs()) else {
                return Verdict::Open;
            };
            rows.push(Row::new(whole, Kind::Equal, 0));
            choices.push(signs.map(|forms| forms.into_iter().map(|form| Row::new(form, Kind::AtMost, 0)).collect()));
        }
        for (form, from) in different {
            let Some(opposite) = form.times(-1) else { return Verdict::Open };
            choices.push([form, opposite].map(|form| vec![Row::new(form, Kind::Less, from)]));
        }
        if choices.len() > 128 - ANSWERS {
            return Verdict::Open;
        }
        for (nth, rows) in choices.iter_mut().enumerate() {
            rows.iter_mut().flatten().for_each(|row| row.from |= 1 << (ANSWERS + nth));
        }
        let system = System {
            unknowns: &self.unknowns,
            choices,
        };
        let mut splits = SPLITS;
        match system.search(rows, &mut splits) {
            Found::Contradiction(from) => Verdict::Contradiction((0..answers.len()).filter(|place| from >> place & 1 == 1).collect()),
            Found::Open => Verdict::Open,
            Found::Values(values) => {
                let mut model = Model::default();
                for (unknown, value) in &values {
                    let value = BigRational::new(BigInt::from(*value.numer()), BigInt::from(*value.denom()));
                    if let Some(input) = self.unknowns.input(*unknown) {
                        model.set(input, Value::from(value));
                    }
                }
                Verdict::Values(model)
            }
        }
    }
}

/// What an answer says.
enum Said {
    Row(Row),
    Different(Form, u128),
}

type Values = FxHashMap<u32, Ratio<i128>>;

enum Found {
    Values(Values),
    Contradiction(u128),
    Open,
}

struct System<'a> {
    unknowns: &'a Unknowns,
    /// Either all rows of the one side hold, or all of the other; each has a bit of its own.
    choices: Vec<[Vec<Row>; 2]>,
}

impl System<'_> {
    /// Solves rows; where the values are on neither side of a choice, they must be on one or else the other.
    fn search(&self, rows: Vec<Row>, splits: &mut u32) -> Found {
        let values = match self.eliminate(rows.clone()) {
            Found::Values(values) => values,
            other => return other,
        };
        let neither = |sides: &[Vec<Row>; 2]| !sides.iter().any(|side| side.iter().all(|row| row.holds(&values)));
        let Some(choice) = self.choices.iter().position(neither) else {
            return Found::Values(values);
        };
        if *splits == 0 {
            return Found::Open;
        }
        *splits -= 1;
        let bit = 1 << (ANSWERS + choice);
        let mut why = 0;
        let mut open = false;
        for side in &self.choices[choice] {
            let more = rows.iter().chain(side).cloned().collect();
            match self.search(more, splits) {
                Found::Values(values) => return Found::Values(values),
                // It has nothing to do with the two sides.
                Found::Contradiction(core) if core & bit == 0 => return Found::Contradiction(core),
                Found::Contradiction(core) => why |= core & !bit,
                Found::Open => open = true,
            }
        }
        if open { Found::Open } else { Found::Contradiction(why) }
    }

    fn eliminate(&self, rows: Vec<Row>) -> Found {
        let whole = |unknown: u32| self.unknowns.is_whole(unknown);
        let mut left: Vec<Row> = Vec::new();
        let mut gone: Vec<(u32, Vec<Row>)> = Vec::new();
        // Rows that are true go, and one that is false ends everything.
        let add = |left: &mut Vec<Row>, row: Row| -> Result<(), Found> {
            let from = row.from;
            match row.tight(&whole) {
                Tight::Row(row) if left.contains(&row) => {}
                Tight::Row(row) => left.push(row),
                Tight::True => {}
                Tight::False => return Err(Found::Contradiction(from)),
                Tight::TooLarge => return Err(Found::Open),
            }
            Ok(())
        };
        for row in rows {
            if let Err(found) = add(&mut left, row) {
                return found;
            }
        }
        while let Some(unknown) = next(&left, &whole) {
            let (with, without): (Vec<Row>, Vec<Row>) = left.into_iter().partition(|row| row.form.of(unknown) != 0);
            left = without;
            let exact = |row: &&Row| row.kind == Kind::Equal && (!whole(unknown) || row.form.of(unknown).abs() == 1);
            let combined: Option<Vec<Row>> = match with.iter().find(exact) {
                Some(equation) => with
                    .iter()
                    .filter(|row| *row != equation)
                    .map(|row| row.without(unknown, equation))
                    .collect(),
                None => {
                    let sides: Option<Vec<Vec<Row>>> = with.iter().map(Row::sides).collect();
                    let Some(sides) = sides else { return Found::Open };
                    let (above, below): (Vec<Row>, Vec<Row>) = sides.into_iter().flatten().partition(|row| row.form.of(unknown) > 0);
                    let pairs = above.iter().flat_map(|above| below.iter().map(move |below| (above, below)));
                    pairs.map(|(above, below)| above.without(unknown, below)).collect()
                }
            };
            let Some(combined) = combined else { return Found::Open };
            for row in combined {
                if let Err(found) = add(&mut left, row) {
                    return found;
                }
            }
            if left.len() > ROWS {
                return Found::Open;
            }
            gone.push((unknown, with));
        }
        let mut values = Values::default();
        for (unknown, rows) in gone.iter().rev() {
            let Some(value) = between(*unknown, rows, &values, whole(*unknown)) else {
                return Found::Open;
            };
            values.insert(*unknown, value);
        }
        Found::Values(values)
    }
}

/// The unknown that goes next: one of an equation that says what it is, or the one that leaves the fewest rows.
fn next(rows: &[Row], whole: &dyn Fn(u32) -> bool) -> Option<u32> {
    let mut sides: Vec<(u32, u64, u64)> = Vec::new();
    for row in rows {
        for (unknown, times) in row.form.terms() {
            if row.kind == Kind::Equal && (!whole(unknown) || times.abs() == 1) {
                return Some(unknown);
            }
            let at = sides.iter().position(|(other, ..)| *other == unknown).unwrap_or_else(|| {
                sides.push((unknown, 0, 0));
                sides.len() - 1
            });
            let both = row.kind == Kind::Equal;
            sides[at].1 += u64::from(times > 0 || both);
            sides[at].2 += u64::from(times < 0 || both);
        }
    }
    let fewest = sides.iter().min_by_key(|(unknown, above, below)| (above * below, *unknown));
    fewest.map(|(unknown, ..)| *unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_abs::value::term::{Condition, Operation, Sort, Term};

    /// A random number over three inputs, not always a sum.
    fn number(random: &mut u64, depth: u32) -> Value {
        let mut below = |n: u64| {
            *random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*random >> 33) % n
        };
        let input = |n: u32| Term::input(n, format!("x{n}").into(), Sort::Int);
        match below(if depth == 0 { 4 } else { 9 }) {
            0 => Value::Int(below(9) as i64 - 4),
            n @ 1..=3 => input(n as u32 - 1),
            4 | 5 => Term::apply(Operation::Add, [number(random, depth - 1), number(random, depth - 1)]),
            6 => Term::apply(Operation::Sub, [number(random, depth - 1), number(random, depth - 1)]),
            7 => {
                let times = Value::Int(below(5) as i64 - 2);
                Term::apply(Operation::Mul, [times, number(random, depth - 1)])
            }
            _ => {
                let divisor = Value::Int(2 + below(2) as i64);
                let operation = [Operation::Rem, Operation::DivTruncated][below(2) as usize];
                Term::apply(operation, [number(random, depth - 1), divisor])
            }
        }
    }

    #[test]
    fn contradictions_are_contradictions_and_values_are_right() {
        let mut random = 2026;
        let (mut contradictions, mut found) = (0, 0);
        for _ in 0..3000 {
            let mut answers = Vec::new();
            for _ in 0..1 + random % 6 {
                let (left, right) = (number(&mut random, 2), number(&mut random, 1));
                let test = if random % 3 == 0 { Test::Equal } else { Test::Less };
                answers.push(Answer::new(Condition::new(test, &left, &right), random & 8 == 0));
            }
            let hold = |answers: &[&Answer], values: [i64; 3]| {
                let of = |n: u32| Value::Int(values[n as usize]);
                answers.iter().all(|answer| answer.condition.evaluate(&of) == Ok(answer.holds))
            };
            match Sums::default().solve(&answers) {
                Verdict::Contradiction(core) => {
                    let core: Vec<&Answer> = core.iter().map(|place| &answers[*place]).collect();
                    for n in 0..13i64.pow(3) {
                        let values = [n % 13 - 6, n / 13 % 13 - 6, n / 169 - 6];
                        assert!(!hold(&core, values), "{core:?} with {values:?}");
                    }
                    contradictions += 1;
                }
                Verdict::Values(model) => {
                    let all: Vec<&Answer> = answers.iter().collect();
                    let of = |n: u32| model.get(n).cloned().unwrap_or(Value::Int(0));
                    found += u64::from(all.iter().all(|answer| answer.condition.evaluate(&of) == Ok(answer.holds)));
                }
                Verdict::Open => {}
            }
        }
        assert!(contradictions > 800 && found > 1800, "{contradictions} {found}");
    }
}

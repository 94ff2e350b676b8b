//! What predicates said: the same few questions are asked all the time.

use crate::insights::Predicate;
use crate::world::Situation;

/// How many answers are kept.
const PLACES: usize = 1 << 10;

/// What a predicate says when it is given one value or two.
#[derive(Clone, Copy, Default)]
struct Answer {
    predicate: Option<Predicate>,
    given: [i64; 2],
    says: u64,
}

/// A cache: each question has one place, where the last answer is kept.
pub(crate) struct Answers(Box<[Answer; PLACES]>);

impl Default for Answers {
    fn default() -> Self {
        Answers(Box::new([Answer::default(); PLACES]))
    }
}

impl Answers {
    /// What a predicate says.
    #[inline]
    pub fn of(&mut self, state: &dyn Situation, predicate: Predicate, given: &[i64]) -> u64 {
        let pair = match *given {
            [one] => [one, 0],
            [one, two] => [one, two],
            _ => return state.evaluate(predicate, given),
        };
        let mixed = (pair[0] as u64 ^ (pair[1] as u64).rotate_left(24) ^ u64::from(predicate.0) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let answer = &mut self.0[(mixed >> 32) as usize % PLACES];
        if (answer.predicate, answer.given) != (Some(predicate), pair) {
            *answer = Answer {
                predicate: Some(predicate),
                given: pair,
                says: state.evaluate(predicate, given),
            };
        }
        answer.says
    }
}

//! The very weak alternating automaton of a formula: Section 3 of P. Gastin and D. Oddoux, Fast LTL to Büchi Automata Translation
//! (CAV 2001). Its states are the temporal parts of the formula; a way from a state leads to all states of a set at once.

use crate::automaton::Cube;
use crate::formula::Formula;
use crate::translate::{MOST_WAYS, TooLarge};
use rustc_hash::FxHashMap;

/// A set of states of the alternating automaton, sorted.
pub(crate) type Set = Vec<u32>;

/// One way from a state or a set of states: what it reads, where it leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Way {
    pub guard: Cube,
    pub to: Set,
}

/// The automaton, made as far as it is asked for.
#[derive(Default)]
pub(crate) struct Alternating {
    parts: Vec<Formula>,
    numbers: FxHashMap<Formula, u32>,
    ways: Vec<Option<Vec<Way>>>,
}

const EMPTY: Cube = Cube { yes: 0, no: 0 };

impl Alternating {
    /// The state for a part of the formula.
    fn number(&mut self, part: &Formula) -> u32 {
        if let Some(&known) = self.numbers.get(part) {
            return known;
        }
        let number = self.parts.len() as u32;
        self.parts.push(part.clone());
        self.ways.push(None);
        self.numbers.insert(part.clone(), number);
        number
    }

    /// Whether the state may not be stayed in for ever.
    pub fn is_until(&self, state: u32) -> bool {
        matches!(self.parts[state as usize], Formula::Until(..))
    }

    /// The sets of states that stand for a formula: its disjunctive normal form over temporal parts.
    pub fn sets(&mut self, formula: &Formula) -> Result<Vec<Set>, TooLarge> {
        Ok(match formula {
            Formula::Constant(true) => vec![Vec::new()],
            Formula::Constant(false) => Vec::new(),
            Formula::And(a, b) => {
                let (a, b) = (self.sets(a)?, self.sets(b)?);
                let mut all = Vec::new();
                for x in &a {
                    for y in &b {
                        all.push(union(x, y));
                        too_many(all.len())?;
                    }
                }
                all
            }
            Formula::Or(a, b) => {
                let mut all = self.sets(a)?;
                all.extend(self.sets(b)?);
                all
            }
            temporal => vec![vec![self.number(temporal)]],
        })
    }

    /// The ways from a state.
    pub fn ways(&mut self, state: u32) -> Result<Vec<Way>, TooLarge> {
        if let Some(known) = &self.ways[state as usize] {
            return Ok(known.clone());
        }
        let part = self.parts[state as usize].clone();
        let ways = self.ways_of(&part)?;
        self.ways[state as usize] = Some(ways.clone());
        Ok(ways)
    }

    /// The ways from a formula: `Δ` of the paper, and `δ` for temporal parts.
    fn ways_of(&mut self, formula: &Formula) -> Result<Vec<Way>, TooLarge> {
        let stay = |state| {
            vec![Way {
                guard: EMPTY,
                to: vec![state],
            }]
        };
        let ways = match formula {
            Formula::Constant(false) => Vec::new(),
            Formula::Constant(true) => vec![Way {
                guard: EMPTY,
                to: Vec::new(),
            }],
            Formula::Atom(p) => vec![Way {
                guard: Cube { yes: 1 << p, no: 0 },
                to: Vec::new(),
            }],
            Formula::Not(a) => match **a {
                Formula::Atom(p) => vec![Way {
                    guard: Cube { yes: 0, no: 1 << p },
                    to: Vec::new(),
                }],
                ref other => return self.ways_of(&other.normal(true)),
            },
            Formula::Next(a) => {
                let sets = self.sets(a)?;
                sets.into_iter().map(|to| Way { guard: EMPTY, to }).collect()
            }
            Formula::And(a, b) => product(&self.ways_of(a)?, &self.ways_of(b)?)?,
            Formula::Or(a, b) => {
                let mut all = self.ways_of(a)?;
                all.extend(self.ways_of(b)?);
                all
            }
            Formula::Until(a, b) => {
                let state = self.number(formula);
                let mut all = self.ways_of(b)?;
                all.extend(product(&self.ways_of(a)?, &stay(state))?);
                all
            }
            Formula::Release(a, b) => {
                let state = self.number(formula);
                let mut last = self.ways_of(a)?;
                last.extend(stay(state));
                product(&self.ways_of(b)?, &last)?
            }
        };
        Ok(least(ways))
    }
}

fn too_many(ways: usize) -> Result<(), TooLarge> {
    if ways > MOST_WAYS { Err(TooLarge) } else { Ok(()) }
}

fn union(a: &[u32], b: &[u32]) -> Set {
    let mut both = [a, b].concat();
    both.sort_unstable();
    both.dedup();
    both
}

/// The ways that are one of each: `⊗` of the paper.
pub(crate) fn product(a: &[Way], b: &[Way]) -> Result<Vec<Way>, TooLarge> {
    let mut all = Vec::new();
    for x in a {
        for y in b {
            if let Some(guard) = x.guard.and(y.guard) {
                all.push(Way {
                    guard,
                    to: union(&x.to, &y.to),
                });
                too_many(all.len())?;
            }
        }
    }
    Ok(all)
}

/// Leaves out ways beside which another one reads more and demands less.
fn least(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort_unstable();
    ways.dedup();
    let covered = |way: &Way| {
        ways.iter()
            .any(|other| other != way && way.guard.implies(other.guard) && is_subset(&other.to, &way.to))
    };
    ways.iter().filter(|way| !covered(way)).cloned().collect()
}

/// Whether a sorted set is part of another.
pub(crate) fn is_subset(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|p| whole.binary_search(p).is_ok())
}

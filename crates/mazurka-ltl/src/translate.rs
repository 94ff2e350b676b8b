//! From a formula to a Büchi automaton: Sections 4 and 5 of P. Gastin and D. Oddoux, Fast LTL to Büchi Automata Translation (CAV 2001), and
//! reduction by simulation.

use crate::alternating::{Alternating, Set, Way, is_subset, product};
use crate::automaton::{Automaton, Cube};
use crate::degeneralise::degeneralise;
use crate::formula::Formula;
use crate::simplify::simplify;
use crate::simulation;
use rustc_hash::FxHashMap;
use std::fmt;

/// A state with more ways than this makes the automaton too large.
pub(crate) const MOST_WAYS: usize = 20_000;
/// As do more states than this.
const MOST_STATES: usize = 5_000;

/// The automaton of a formula would be too large to be useful.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the automaton of this formula has more than {MOST_STATES} states")
    }
}

impl std::error::Error for TooLarge {}

/// A generalised Büchi automaton with acceptance on its edges.
#[derive(Debug, Default)]
pub(crate) struct Generalised {
    pub states: Vec<Vec<GeneralisedEdge>>,
    pub starts: Vec<u32>,
    /// How many sets an execution must meet again and again.
    pub sets: usize,
}

/// An edge, and the sets it is in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GeneralisedEdge {
    pub guard: Cube,
    pub target: u32,
    pub accepting: Vec<bool>,
}

pub(crate) fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    let formula = simplify(&formula.normal(false));
    let generalised = generalise(&formula)?;
    let automaton = degeneralise(&generalised);
    if automaton.states.len() > MOST_STATES {
        return Err(TooLarge);
    }
    Ok(simulation::reduce(automaton))
}

/// Section 4: a state is a set of states of the alternating automaton, all of which must accept.
fn generalise(formula: &Formula) -> Result<Generalised, TooLarge> {
    let mut alternating = Alternating::default();
    let mut numbers: FxHashMap<Set, u32> = FxHashMap::default();
    let mut work: Vec<Set> = Vec::new();
    let mut number = |set: &Set, work: &mut Vec<Set>| {
        *numbers.entry(set.clone()).or_insert_with(|| {
            work.push(set.clone());
            work.len() as u32 - 1
        })
    };
    let starts: Vec<u32> = (alternating.sets(formula)?.iter()).map(|set| number(set, &mut work)).collect();
    let mut drawn: Vec<Vec<(Way, u32)>> = Vec::new();
    while drawn.len() < work.len() {
        if work.len() > MOST_STATES {
            return Err(TooLarge);
        }
        let set = work[drawn.len()].clone();
        let mut ways = vec![Way {
            guard: Cube::default(),
            to: Vec::new(),
        }];
        for &state in &set {
            ways = product(&ways, &alternating.ways(state)?)?;
        }
        ways.sort_unstable();
        ways.dedup();
        let edges = ways.into_iter().map(|way| {
            let target = number(&way.to, &mut work);
            (way, target)
        });
        drawn.push(edges.collect());
    }
    let untils: Vec<u32> = (work.iter().flatten().copied())
        .filter(|&state| alternating.is_until(state))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut states = Vec::new();
    for edges in drawn {
        let mut all = Vec::new();
        for (way, target) in edges {
            let mut accepting = Vec::new();
            for &until in &untils {
                accepting.push(keeps_promise(&mut alternating, until, &way)?);
            }
            let guard = way.guard;
            all.push((GeneralisedEdge { guard, target, accepting }, way.to));
        }
        states.push(least(all));
    }
    let sets = untils.len();
    Ok(Generalised { states, starts, sets })
}

/// Whether a way is in the acceptance set of an until: it does not wait, or it could have ended the waiting.
fn keeps_promise(alternating: &mut Alternating, until: u32, way: &Way) -> Result<bool, TooLarge> {
    if !way.to.contains(&until) {
        return Ok(true);
    }
    let ends = |own: &Way| way.guard.implies(own.guard) && !own.to.contains(&until) && is_subset(&own.to, &way.to);
    Ok(alternating.ways(until)?.iter().any(ends))
}

/// Leaves out edges beside which another one reads more, demands less and is in as many sets.
fn least(edges: Vec<(GeneralisedEdge, Set)>) -> Vec<GeneralisedEdge> {
    let better = |(a, to): &(GeneralisedEdge, Set), (b, other): &(GeneralisedEdge, Set)| {
        let as_many = a.accepting.iter().zip(&b.accepting).all(|(a, b)| *a || !*b);
        b.guard.implies(a.guard) && is_subset(to, other) && as_many
    };
    let kept = |(n, edge): &(usize, &(GeneralisedEdge, Set))| {
        let covered = |(m, other): (usize, &(GeneralisedEdge, Set))| m != *n && better(other, edge) && (m < *n || !better(edge, other));
        !edges.iter().enumerate().any(covered)
    };
    edges.iter().enumerate().filter(kept).map(|(_, (edge, _))| edge.clone()).collect()
}

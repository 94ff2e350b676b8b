//! Whether a formula can tell apart executions that differ only in how often a state is repeated.
//!
//! Partial-order reduction keeps executions up to such repetitions, so it may be used with formulas that cannot. A formula without `X` cannot;
//! one with `X` is examined: it can if and only if some execution that satisfies it and some that does not become the same by repeating
//! states (T. Michaud and A. Duret-Lutz, Practical Stutter-Invariance Checks for ω-Regular Languages, SPIN 2015, `sl(A) ⊗ sl(Ā)`).

use crate::automaton::Automaton;
use crate::formula::Formula;
use crate::lasso::Letter;
use rustc_hash::FxHashMap;

/// Letters are enumerated: a formula with `X` and more atoms than this is taken to tell repetitions apart.
const MOST_ATOMS: u32 = 6;
/// As is one whose product has more states than this.
const MOST_STATES: usize = 200_000;

/// Where one of the automata is: at a state, or repeating the letter with which it came there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    state: u32,
    repeats: Option<Letter>,
}

/// Whether the formula holds of an execution exactly if it holds of all that repeat states of it, or do so less often. False if that is not
/// known.
pub fn is_stutter_invariant(formula: &Formula) -> bool {
    if !formula.has_next() {
        return true;
    }
    let atoms = formula.atoms();
    if atoms.count_ones() > MOST_ATOMS {
        return false;
    }
    let (Ok(yes), Ok(no)) = (Automaton::of(formula), Automaton::of(&formula.normal(true))) else {
        return false;
    };
    let numbers: Vec<u32> = (0..64).filter(|p| atoms >> p & 1 == 1).collect();
    let letters: Vec<Letter> = (0..1u64 << numbers.len())
        .map(|set| numbers.iter().enumerate().map(|(i, p)| (set >> i & 1) << p).sum())
        .collect();
    !meet(&yes, &no, &letters)
}

fn ways(automaton: &Automaton, from: Place, letter: Letter, out: &mut Vec<Place>) {
    out.clear();
    match from.repeats {
        Some(repeated) if repeated != letter => {}
        Some(_) => out.extend([from, Place { repeats: None, ..from }]),
        None => {
            for edge in automaton.states()[from.state as usize]
                .edges
                .iter()
                .filter(|e| e.guard.holds(letter))
            {
                let state = edge.target;
                out.push(Place { state, repeats: None });
                out.push(Place {
                    state,
                    repeats: Some(letter),
                });
            }
        }
    }
}

/// Whether some execution is accepted by both automata, each of which may repeat letters. If that is too much to find out, it is taken to
/// be so.
fn meet(yes: &Automaton, no: &Automaton, letters: &[Letter]) -> bool {
    let start = Place { state: 0, repeats: None };
    let mut numbers: FxHashMap<(Place, Place), usize> = FxHashMap::default();
    let mut pairs = vec![(start, start)];
    numbers.insert((start, start), 0);
    let mut next: Vec<Vec<usize>> = Vec::new();
    let (mut of_yes, mut of_no) = (Vec::new(), Vec::new());
    while next.len() < pairs.len() {
        let (a, b) = pairs[next.len()];
        let mut targets = Vec::new();
        for &letter in letters {
            ways(yes, a, letter, &mut of_yes);
            ways(no, b, letter, &mut of_no);
            for &x in &of_yes {
                for &y in &of_no {
                    let new = pairs.len();
                    let number = *numbers.entry((x, y)).or_insert(new);
                    if number == new {
                        pairs.push((x, y));
                    }
                    targets.push(number);
                }
            }
        }
        if pairs.len() > MOST_STATES {
            return true;
        }
        next.push(targets);
    }
    // Where one of them repeats a letter it does not accept: to repeat it for ever is not to go on.
    let accepts = |automaton: &Automaton, place: Place| place.repeats.is_none() && automaton.states()[place.state as usize].accepting;
    let marks: Vec<u8> = (pairs.iter())
        .map(|&(a, b)| u8::from(accepts(yes, a)) | u8::from(accepts(no, b)) << 1)
        .collect();
    components(&next).into_iter().any(|component| {
        let inside = |s: usize| next[s].iter().any(|t| component.binary_search(t).is_ok());
        component.iter().any(|&s| inside(s)) && component.iter().fold(0, |all, &s| all | marks[s]) == 3
    })
}

/// The strongly connected components, each sorted: Tarjan's algorithm on an explicit stack.
fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let (mut index, mut low) = (vec![usize::MAX; next.len()], vec![0; next.len()]);
    let (mut on_stack, mut stack, mut found, mut count) = (vec![false; next.len()], Vec::new(), Vec::new(), 0);
    for root in 0..next.len() {
        if index[root] != usize::MAX {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((at, way)) = calls.pop() {
            if way == 0 {
                (index[at], low[at]) = (count, count);
                count += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            if let Some(&to) = next[at].get(way) {
                calls.push((at, way + 1));
                if index[to] == usize::MAX {
                    calls.push((to, 0));
                } else if on_stack[to] {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            if low[at] == index[at] {
                let begin = stack.iter().rposition(|&s| s == at).unwrap_or(0);
                let mut component = stack.split_off(begin);
                component.iter().for_each(|&s| on_stack[s] = false);
                component.sort_unstable();
                found.push(component);
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[at]);
            }
        }
    }
    found
}

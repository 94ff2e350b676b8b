//! Random formulas on random executions: the automaton accepts what the definition says, and the formula and its negation never agree.

use mazurka_ltl::{Automaton, Formula, Lasso, is_stutter_invariant};
use proptest::prelude::*;

fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![8 => (0u32..3).prop_map(Formula::atom), 1 => any::<bool>().prop_map(Formula::Constant)];
    leaf.prop_recursive(5, 14, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            2 => inner.clone().prop_map(Formula::not),
            1 => inner.clone().prop_map(Formula::next),
            2 => inner.clone().prop_map(Formula::eventually),
            2 => inner.prop_map(Formula::always),
            2 => two.clone().prop_map(|(a, b)| a.and(b)),
            2 => two.clone().prop_map(|(a, b)| a.or(b)),
            2 => two.clone().prop_map(|(a, b)| a.until(b)),
            1 => two.clone().prop_map(|(a, b)| a.release(b)),
            1 => two.clone().prop_map(|(a, b)| a.weak_until(b)),
            1 => two.clone().prop_map(|(a, b)| a.implies(b)),
            1 => two.prop_map(|(a, b)| a.iff(b)),
        ]
    })
}

fn lassos() -> impl Strategy<Value = Lasso> {
    let letters = |least| proptest::collection::vec(0u64..8, least..5);
    (letters(0), letters(1)).prop_map(|(stem, cycle)| Lasso { stem, cycle })
}

/// The same execution with a state repeated.
fn stuttered(lasso: &Lasso, at: usize) -> Lasso {
    let mut longer = lasso.clone();
    let at = at % (lasso.stem.len() + lasso.cycle.len());
    match at.checked_sub(lasso.stem.len()) {
        None => longer.stem.insert(at, lasso.stem[at]),
        Some(place) => longer.cycle.insert(place, lasso.cycle[place]),
    }
    longer
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn automata_accept_what_satisfies_their_formulas(formula in formulas(), lassos in proptest::collection::vec(lassos(), 8)) {
        for negated in [false, true] {
            let formula = formula.normal(negated);
            let automaton = Automaton::of(&formula).expect("small formulas have small automata");
            for lasso in &lassos {
                prop_assert_eq!(automaton.accepts(lasso), lasso.satisfies(&formula), "{} on {:?}\n{}", formula, lasso, automaton);
            }
        }
    }

    #[test]
    fn formulas_that_are_said_to_overlook_repetitions_do(formula in formulas(), lasso in lassos(), at in 0usize..10) {
        let same = lasso.satisfies(&formula) == stuttered(&lasso, at).satisfies(&formula);
        prop_assert!(same || !is_stutter_invariant(&formula), "{}", formula);
    }
}

#[test]
fn a_next_that_does_not_matter_is_seen_through() {
    let [p, q] = [0, 1].map(Formula::atom);
    assert!(!is_stutter_invariant(&p.clone().next()));
    assert!(is_stutter_invariant(&p.clone().next().eventually().or(p.clone())));
    // `p` now and not `p` in the next state, at some time: that it ends.
    assert!(is_stutter_invariant(&p.clone().and(p.clone().not().next()).eventually()));
    assert!(!is_stutter_invariant(&p.clone().implies(q.clone().next()).always()));
    assert!(is_stutter_invariant(&p.until(q.eventually())));
}

//! The automata of well-known formulas stay small.

use mazurka_ltl::{Automaton, Formula};

fn size(formula: &Formula) -> (usize, usize) {
    let automaton = Automaton::of(formula).expect("small");
    (automaton.states().len(), automaton.edges())
}

#[test]
fn usual_properties_have_small_automata() {
    let [p, q, r] = [0, 1, 2].map(Formula::atom);
    for (formula, expected) in [
        (p.clone().always(), (1, 1)),
        (p.clone().eventually(), (2, 3)),
        (p.clone().eventually().always(), (2, 4)),
        (p.clone().always().eventually(), (2, 3)),
        (p.clone().implies(q.clone().eventually()).always(), (2, 5)),
        (p.clone().until(q.clone()), (2, 3)),
        (p.clone().until(q.clone().until(r.clone())), (3, 6)),
        // Never q between r and p.
        (r.implies(q.not().weak_until(p)).always(), (2, 5)),
    ] {
        assert_eq!(size(&formula), expected, "{formula}\n{}", Automaton::of(&formula).expect("small"));
    }
}

/// The family of Gastin and Oddoux: fairness of n requests implies an answer.
#[test]
fn fairness_formulas_grow_slowly() {
    let states = |n: u32| {
        let fair = (0..n)
            .map(|i| Formula::atom(i).eventually().always())
            .reduce(Formula::and)
            .expect("some");
        let answered = Formula::atom(20).implies(Formula::atom(21).eventually()).always();
        size(&fair.implies(answered).not()).0
    };
    let sizes: Vec<usize> = (1..=5).map(states).collect();
    assert_eq!(sizes, [3, 4, 5, 6, 7]);
}

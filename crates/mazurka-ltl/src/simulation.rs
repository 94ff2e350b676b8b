//! Smaller automata with the same language: states from which nothing is accepted go, states that simulate each other become one, and
//! edges beside which a better one stands go (K. Etessami and G. Holzmann, Optimizing Büchi Automata, CONCUR 2000: direct simulation).

use crate::automaton::{Automaton, Edge, State};

/// Beyond this many states the relation is not computed: it has as many entries as pairs.
const MOST_RELATED: usize = 400;

/// Reduces until nothing changes.
pub(crate) fn reduce(automaton: Automaton) -> Automaton {
    let mut now = prune(automaton);
    loop {
        let size = (now.states.len(), now.edges());
        if now.states.len() <= MOST_RELATED {
            now = merge(&now);
        }
        now = prune(now);
        if (now.states.len(), now.edges()) == size {
            return now;
        }
    }
}

/// Leaves out states that cannot be reached or from which nothing is accepted. Whether a state accepts that no cycle goes through does not
/// matter, because nobody comes to it twice: it does if that makes it like another one.
fn prune(automaton: Automaton) -> Automaton {
    let reach = Reach::of(&automaton);
    let states = &automaton.states;
    let on_cycle = |s: usize| reach.get(s, s);
    let useful = |s: usize| {
        let accepts = |t: usize| states[t].accepting && on_cycle(t);
        accepts(s) || (0..states.len()).any(|t| reach.get(s, t) && accepts(t))
    };
    let kept: Vec<usize> = (0..states.len()).filter(|&s| s == 0 || (reach.get(0, s) && useful(s))).collect();
    let place = |s: u32| kept.iter().position(|&k| k == s as usize);
    let state = |&s: &usize| {
        let edges = states[s].edges.iter().filter_map(|e| {
            let target = place(e.target)? as u32;
            // Back to the start leads nowhere if nothing is accepted from there.
            (target != 0 || useful(0)).then_some(Edge { target, ..*e })
        });
        State {
            edges: edges.collect(),
            accepting: states[s].accepting && on_cycle(s),
        }
    };
    let mut pruned: Vec<State> = kept.iter().map(state).collect();
    for at in (0..pruned.len()).filter(|&at| !on_cycle(kept[at])) {
        let alike = pruned.iter().position(|other| other.accepting && other.edges == pruned[at].edges);
        pruned[at].accepting |= alike.is_some();
    }
    Automaton { states: pruned }
}

/// Which states can be reached from which, in at least one step.
struct Reach {
    states: usize,
    reached: Vec<bool>,
}

impl Reach {
    fn of(automaton: &Automaton) -> Self {
        let states = automaton.states.len();
        let mut reached = vec![false; states * states];
        for from in 0..states {
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                for edge in &automaton.states[at].edges {
                    let place = from * states + edge.target as usize;
                    if !std::mem::replace(&mut reached[place], true) {
                        todo.push(edge.target as usize);
                    }
                }
            }
        }
        Reach { states, reached }
    }

    fn get(&self, from: usize, to: usize) -> bool {
        self.reached[from * self.states + to]
    }
}

/// `simulates[a][b]`: whatever `a` does, `b` can do too, and accepts whenever `a` does.
fn simulation(automaton: &Automaton) -> Vec<Vec<bool>> {
    let states = &automaton.states;
    let mut relation: Vec<Vec<bool>> = (states.iter())
        .map(|a| states.iter().map(|b| !a.accepting || b.accepting).collect())
        .collect();
    loop {
        let mut changed = false;
        for a in 0..states.len() {
            for b in 0..states.len() {
                let answered = |e: &Edge| {
                    let answer = |f: &Edge| e.guard.implies(f.guard) && relation[e.target as usize][f.target as usize];
                    states[b].edges.iter().any(answer)
                };
                if a != b && relation[a][b] && !states[a].edges.iter().all(answered) {
                    relation[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

/// One state for those that simulate each other, without edges that a better one stands beside.
fn merge(automaton: &Automaton) -> Automaton {
    let relation = simulation(automaton);
    let states = &automaton.states;
    let alike = |a: usize, b: usize| relation[a][b] && relation[b][a];
    // The first of each class stands for it.
    let first = |s: usize| (0..=s).find(|&f| alike(f, s)).unwrap_or(s);
    let classes: Vec<usize> = (0..states.len()).filter(|&s| first(s) == s).collect();
    let place = |s: u32| {
        let class = first(s as usize);
        classes.iter().position(|&c| c == class).unwrap_or(0) as u32
    };
    let state = |&class: &usize| {
        let mut edges: Vec<Edge> = (states[class].edges.iter())
            .map(|e| Edge {
                target: place(e.target),
                ..*e
            })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let related = |a: u32, b: u32| relation[classes[a as usize]][classes[b as usize]];
        // Of two edges that are better than each other both lead to the same class and read the same: they are one.
        let better = |e: &Edge, f: &Edge| e != f && e.guard.implies(f.guard) && related(e.target, f.target);
        let kept: Vec<Edge> = edges.iter().filter(|e| !edges.iter().any(|f| better(e, f))).copied().collect();
        State {
            edges: kept,
            accepting: states[class].accepting,
        }
    };
    Automaton {
        states: classes.iter().map(state).collect(),
    }
}

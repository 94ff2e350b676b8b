//! Causal consistency.

use crate::history::{History, Operation, OperationId, Violation};
use crate::picture::{picture, shown};
use crate::specifications::Specification;
use rustc_hash::FxHashSet;
use std::fmt::Debug;

impl<O: Clone + Debug, A: Clone + Debug> History<O, A> {
    /// Whether each client can explain what it was answered by an order of its own operations and all updates, of whomever, that respects causality
    /// (M. Ahamad and others, Causal Memory, 1995): the operations of a client come one after the other, and what a read returned comes before the
    /// read and all that its client did later.
    ///
    /// Where a read could have been answered by several updates, because they write the same, some choice must explain everything: all are
    /// tried, so let clients write different values.
    ///
    /// # Errors
    /// If there is no explanation.
    pub fn causally_consistent<S: Specification<Operation = O, Answer = A>>(&self, start: &S) -> Result<(), Violation> {
        let answered: Vec<usize> = (0..self.operations().len())
            .filter(|&id| self.operations()[id].answer.is_some() || !S::reads(&self.operations()[id].asked))
            .collect();
        let mut causes = Causes::program_order(self, &answered);
        let reads: Vec<usize> = (0..answered.len()).filter(|&at| S::reads(self.asked(answered[at]))).collect();
        if self.choose_sources(start, &answered, &mut causes, &reads) {
            return Ok(());
        }
        let culprit = reads.last().map(|&at| OperationId(answered[at]));
        Err(Violation {
            what: match culprit {
                Some(OperationId(at)) => format!(
                    "the history is not causally consistent: there is no order of causes for what reads return up to {}",
                    shown(&self.operations()[at])
                ),
                None => "the history is not causally consistent".to_owned(),
            },
            picture: picture(self, culprit, &[]),
            explained: Vec::new(),
            unexplained: culprit,
        })
    }

    fn asked(&self, id: usize) -> &O {
        &self.operations()[id].asked
    }

    /// Gives each of the reads an update that it returns, or the start, in every way, until each client can explain everything.
    fn choose_sources<S: Specification<Operation = O, Answer = A>>(
        &self,
        start: &S,
        ids: &[usize],
        causes: &mut Causes,
        reads: &[usize],
    ) -> bool {
        let Some((&read, rest)) = reads.split_first() else {
            return !causes.is_cyclic() && self.clients(ids).iter().all(|client| self.explains(start, ids, causes, client));
        };
        let operation = &self.operations()[ids[read]];
        let fits = |source: Option<usize>| {
            let mut state = start.clone();
            if let Some(source) = source {
                state.apply(self.asked(ids[source]));
            }
            operation
                .answer
                .as_ref()
                .is_some_and(|answer| state.allows(&operation.asked, answer))
        };
        let updates = (0..ids.len()).filter(|&at| !S::reads(self.asked(ids[at])));
        for source in updates.map(Some).chain([None]).filter(|source| fits(*source)) {
            let mut with = causes.clone();
            if let Some(source) = source {
                with.add(source, read);
            }
            if !with.is_cyclic() && self.choose_sources(start, ids, &mut with, rest) {
                return true;
            }
        }
        false
    }

    fn clients(&self, ids: &[usize]) -> Vec<String> {
        let mut clients: Vec<String> = ids.iter().map(|&id| self.operations()[id].client.clone()).collect();
        clients.sort_unstable();
        clients.dedup();
        clients
    }

    /// Whether there is an order of the updates and the client's reads, within causality, that explains the reads.
    fn explains<S: Specification<Operation = O, Answer = A>>(&self, start: &S, ids: &[usize], causes: &Causes, client: &str) -> bool {
        let operation = |at: usize| -> &Operation<O, A> { &self.operations()[ids[at]] };
        let mine: Vec<usize> = (0..ids.len())
            .filter(|&at| operation(at).client == client || !S::reads(&operation(at).asked))
            .collect();
        let mut seen: FxHashSet<(Vec<bool>, S)> = FxHashSet::default();
        let mut open = vec![(vec![false; ids.len()], start.clone())];
        while let Some((done, state)) = open.pop() {
            if mine.iter().all(|&at| done[at]) {
                return true;
            }
            for &at in mine.iter().filter(|&&at| !done[at]) {
                if mine.iter().any(|&b| !done[b] && causes.before(b, at)) {
                    continue;
                }
                let mut after = state.clone();
                let fits = match &operation(at).answer {
                    Some(answer) if operation(at).client == client => after.allows(&operation(at).asked, answer),
                    _ => {
                        after.apply(&operation(at).asked);
                        true
                    }
                };
                let mut with = done.clone();
                with[at] = true;
                if fits && seen.insert((with.clone(), after.clone())) {
                    open.push((with, after));
                }
            }
        }
        false
    }
}

/// What is a cause of what, closed under going on.
#[derive(Clone)]
struct Causes {
    n: usize,
    before: Vec<bool>,
}

impl Causes {
    fn program_order<O: Clone + Debug, A: Clone + Debug>(history: &History<O, A>, ids: &[usize]) -> Self {
        let n = ids.len();
        let mut causes = Causes {
            n,
            before: vec![false; n * n],
        };
        for b in 0..n {
            for a in 0..b {
                if history.operations()[ids[a]].client == history.operations()[ids[b]].client {
                    causes.add(a, b);
                }
            }
        }
        causes
    }

    fn before(&self, a: usize, b: usize) -> bool {
        self.before[a * self.n + b]
    }

    fn add(&mut self, a: usize, b: usize) {
        let n = self.n;
        let from: Vec<usize> = (0..n).filter(|&x| x == a || self.before(x, a)).collect();
        let to: Vec<usize> = (0..n).filter(|&y| y == b || self.before(b, y)).collect();
        for &x in &from {
            for &y in &to {
                self.before[x * n + y] = true;
            }
        }
    }

    fn is_cyclic(&self) -> bool {
        (0..self.n).any(|x| self.before(x, x))
    }
}

//! Wing and Gong's search with Lowe's memoisation, one key at a time.

use crate::history::{History, OperationId};
use crate::specifications::Specification;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What an explanation must keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// What was answered before something was invoked comes before it.
    RealTime,
    /// The operations of each client come one after the other.
    Program,
}

/// How far explanations came.
pub(crate) struct Unexplained {
    pub explained: Vec<OperationId>,
    pub unexplained: Option<OperationId>,
}

/// An order that explains all operations that were answered.
pub(crate) fn explain<O, A, S>(history: &History<O, A>, start: &S, order: Order) -> Result<Vec<OperationId>, Unexplained>
where
    O: Clone + Debug,
    A: Clone + Debug,
    S: Specification<Operation = O, Answer = A>,
{
    let all: Vec<usize> = (0..history.operations().len()).collect();
    // Real time is local to objects; the order of programs is not, so sequential consistency is not checked key by key.
    let keys: Option<BTreeMap<u64, Vec<usize>>> = (order == Order::RealTime)
        .then(|| {
            let mut keys: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for &id in &all {
                keys.entry(S::key(&history.operations()[id].asked)?).or_default().push(id);
            }
            Some(keys)
        })
        .flatten();
    let Some(keys) = keys.filter(|keys| keys.len() > 1) else {
        return explain_some(history, start, order, &all);
    };
    let mut orders = Vec::new();
    for ids in keys.values() {
        orders.push(explain_some(history, start, order, ids)?);
    }
    Ok(together(history, orders))
}

/// One order of all operations from one of each key: again and again the first of some key that no other has to come before.
fn together<O: Clone + Debug, A: Clone + Debug>(history: &History<O, A>, orders: Vec<Vec<OperationId>>) -> Vec<OperationId> {
    let mut rest: Vec<std::collections::VecDeque<OperationId>> = orders.into_iter().map(Into::into).collect();
    let mut all = Vec::new();
    // The earliest response among what is left decides: what was invoked before it may come now.
    while let Some(end) = rest.iter().flatten().map(|id| history.interval(id.0).1.unwrap_or(usize::MAX)).min() {
        let next = rest
            .iter_mut()
            .find(|order| order.front().is_some_and(|id| history.interval(id.0).0 <= end));
        match next.and_then(|order| order.pop_front()) {
            Some(id) => all.push(id),
            None => break,
        }
    }
    all
}

/// The operations to explain, with what must come before each.
struct Search<'h, O, A> {
    history: &'h History<O, A>,
    ids: &'h [usize],
    /// For each, those that must come before it, by their places in `ids`.
    before: Vec<Vec<usize>>,
    best: Vec<usize>,
}

fn explain_some<O, A, S>(history: &History<O, A>, start: &S, order: Order, ids: &[usize]) -> Result<Vec<OperationId>, Unexplained>
where
    O: Clone + Debug,
    A: Clone + Debug,
    S: Specification<Operation = O, Answer = A>,
{
    let intervals: Vec<(usize, Option<usize>)> = ids.iter().map(|&id| history.interval(id)).collect();
    let client = |at: usize| &history.operations()[ids[at]].client;
    let precedes = |a: usize, b: usize| match order {
        Order::RealTime => intervals[a].1.is_some_and(|end| end < intervals[b].0),
        Order::Program => client(a) == client(b) && intervals[a].0 < intervals[b].0,
    };
    let before = (0..ids.len())
        .map(|b| (0..ids.len()).filter(|&a| precedes(a, b)).collect())
        .collect();
    let mut search = Search {
        history,
        ids,
        before,
        best: Vec::new(),
    };
    let id = |at: usize| OperationId(ids[at]);
    let answered = |at: usize| history.operations()[ids[at]].answer.is_some();
    match search.run(start, &answered) {
        Some(found) => Ok(found.into_iter().map(id).collect()),
        None => {
            let best: Vec<OperationId> = search.best.iter().map(|at| id(*at)).collect();
            // The shortest beginning of the history without an explanation ends with a response.
            let mut ends: Vec<usize> = (0..ids.len()).filter(|&at| answered(at)).collect();
            ends.sort_by_key(|&at| intervals[at].1);
            let culprit = ends.into_iter().find(|&last| {
                let in_time = |at: usize| intervals[at].1.is_some_and(|end| Some(end) <= intervals[last].1);
                search.run(start, &in_time).is_none()
            });
            Err(Unexplained {
                explained: best,
                unexplained: culprit.map(id),
            })
        }
    }
}

impl<O: Clone + Debug, A: Clone + Debug> Search<'_, O, A> {
    /// An order that contains all operations that `must` be explained. The answers of others mean nothing: they may have happened or not.
    fn run<S: Specification<Operation = O, Answer = A>>(&mut self, start: &S, must: &dyn Fn(usize) -> bool) -> Option<Vec<usize>> {
        let n = self.ids.len();
        let all_left = (0..n).filter(|&at| must(at)).count();
        let mut seen: FxHashSet<(Vec<u64>, S)> = FxHashSet::default();
        let mut done = vec![0u64; n.div_ceil(64)];
        // What was taken, and the state before; and where to go on with trying.
        let mut taken: Vec<(usize, S)> = Vec::new();
        let (mut state, mut next, mut left) = (start.clone(), 0, all_left);
        loop {
            if left == 0 {
                return Some(taken.into_iter().map(|(at, _)| at).collect());
            }
            let has = |done: &[u64], at: usize| done[at / 64] >> (at % 64) & 1 == 1;
            let found = (next..n).find_map(|at| {
                let free = !has(&done, at) && self.before[at].iter().all(|&b| has(&done, b) || !must(b));
                if !free {
                    return None;
                }
                let operation = &self.history.operations()[self.ids[at]];
                let mut after = state.clone();
                let fits = match operation.answer.as_ref().filter(|_| must(at)) {
                    Some(answer) => after.allows(&operation.asked, answer),
                    None => {
                        after.apply(&operation.asked);
                        true
                    }
                };
                if !fits {
                    return None;
                }
                let mut with = done.clone();
                with[at / 64] |= 1 << (at % 64);
                seen.insert((with.clone(), after.clone())).then_some((at, with, after))
            });
            match found {
                Some((at, with, after)) => {
                    taken.push((at, std::mem::replace(&mut state, after)));
                    done = with;
                    left -= usize::from(must(at));
                    next = 0;
                    if taken.len() > self.best.len() {
                        self.best = taken.iter().map(|(at, _)| *at).collect();
                    }
                }
                None => {
                    let (at, before) = taken.pop()?;
                    state = before;
                    done[at / 64] &= !(1 << (at % 64));
                    left += usize::from(must(at));
                    next = at + 1;
                }
            }
        }
    }
}

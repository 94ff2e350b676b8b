//! Random histories: every verdict against the definition, by trying all orders.

use mazurka_history::{Event, History, OperationId, Queue, QueueOperation, ReadWrite, Register, Set, SetOperation, Specification, Stack};
use proptest::prelude::*;
use std::fmt::Debug;

/// Which client moves, and what it asks or is answered.
type Moves<O, A> = Vec<(usize, O, A)>;

fn history<O: Clone + Debug, A: Clone + Debug>(moves: &Moves<O, A>) -> History<O, A> {
    let mut history = History::new();
    let mut open = [None; 3];
    for (client, asked, answer) in moves {
        open[*client] = match open[*client] {
            Some(id) => {
                history.respond(id, answer.clone());
                None
            }
            None => Some(history.invoke(&format!("c{client}"), asked.clone())),
        };
    }
    history
}

/// Whether some order of some operations, with all that were answered, explains the answers and keeps `before`.
fn by_trying<S: Specification>(history: &History<S::Operation, S::Answer>, start: &S, before: &dyn Fn(usize, usize) -> bool) -> bool {
    fn go<S: Specification>(
        history: &History<S::Operation, S::Answer>,
        state: &S,
        before: &dyn Fn(usize, usize) -> bool,
        left: &mut Vec<usize>,
    ) -> bool {
        let operations = history.operations();
        if left.iter().all(|&id| operations[id].answer.is_none()) {
            return true;
        }
        for at in 0..left.len() {
            let id = left[at];
            if left.iter().any(|&other| before(other, id)) {
                continue;
            }
            let mut after = state.clone();
            let answer = after.apply(&operations[id].asked);
            if operations[id].answer.as_ref().is_some_and(|a| *a != answer) {
                continue;
            }
            left.remove(at);
            let found = go(history, &after, before, left);
            left.insert(at, id);
            if found {
                return true;
            }
        }
        false
    }
    go(history, start, before, &mut (0..history.operations().len()).collect())
}

fn check<S: Specification>(moves: &Moves<S::Operation, S::Answer>, start: &S) -> Result<(), TestCaseError> {
    let history = history(moves);
    let when = |event: Event| history.events().iter().position(|e| *e == event);
    let real_time = |a: usize, b: usize| match (when(Event::Answered(OperationId(a))), when(Event::Invoked(OperationId(b)))) {
        (Some(end), Some(begin)) => end < begin,
        _ => false,
    };
    let program = |a: usize, b: usize| a < b && history.operations()[a].client == history.operations()[b].client;
    let linearizable = history.linearizable(start);
    prop_assert_eq!(linearizable.is_ok(), by_trying(&history, start, &real_time));
    let sequential = history.sequentially_consistent(start);
    prop_assert_eq!(sequential.is_ok(), by_trying(&history, start, &program));
    let causal = history.causally_consistent(start);
    // Each is weaker than the one before, where reads are all that is answered.
    prop_assert!(linearizable.is_err() || sequential.is_ok());
    if let Ok(order) = &linearizable {
        replay(&history, start, order, &real_time)?;
    }
    if let Ok(order) = &sequential {
        replay(&history, start, order, &program)?;
    }
    if let Err(why) = linearizable {
        let culprit = why.unexplained.map(|id| history.operations()[id.0].answer.is_some());
        prop_assert_eq!(culprit, Some(true), "somebody's answer is wrong");
        prop_assert!(why.picture().contains('^'));
    }
    drop(causal);
    Ok(())
}

/// An order that is given is one that explains everything.
fn replay<S: Specification>(
    history: &History<S::Operation, S::Answer>,
    start: &S,
    order: &[OperationId],
    before: &dyn Fn(usize, usize) -> bool,
) -> Result<(), TestCaseError> {
    let mut state = start.clone();
    for (at, id) in order.iter().enumerate() {
        let operation = &history.operations()[id.0];
        let answer = state.apply(&operation.asked);
        prop_assert!(operation.answer.as_ref().is_none_or(|a| *a == answer));
        prop_assert!(order[at + 1..].iter().all(|later| !before(later.0, id.0)));
    }
    let answered = (0..history.operations().len()).filter(|id| history.operations()[*id].answer.is_some());
    prop_assert!(answered.into_iter().all(|id| order.contains(&OperationId(id))));
    Ok(())
}

/// Causal consistency of a register by the definition, for histories whose writes all differ: who reads a value reads from its write.
fn causal_by_definition(history: &History<ReadWrite<u8>, Option<u8>>) -> bool {
    let operations = history.operations();
    let n = operations.len();
    let is_read = |id: usize| operations[id].asked == ReadWrite::Read;
    let counts = |id: usize| !is_read(id) || operations[id].answer.is_some();
    let mut causes = vec![vec![false; n]; n];
    for b in (0..n).filter(|b| counts(*b)) {
        for a in (0..n).filter(|a| counts(*a)) {
            let program = a < b && operations[a].client == operations[b].client;
            let read = operations[b].answer.as_ref().and_then(|answer| answer.as_ref());
            let source = is_read(b) && read.is_some_and(|value| operations[a].asked == ReadWrite::Write(*value));
            causes[a][b] = program || source;
        }
    }
    for (k, a, b) in (0..n).flat_map(|k| (0..n).flat_map(move |a| (0..n).map(move |b| (k, a, b)))) {
        causes[a][b] |= causes[a][k] && causes[k][b];
    }
    let from_nowhere = (0..n).any(|id| match (&operations[id].asked, &operations[id].answer) {
        (ReadWrite::Read, Some(Some(value))) => !operations.iter().any(|o| o.asked == ReadWrite::Write(*value)),
        _ => false,
    });
    if from_nowhere || (0..n).any(|id| causes[id][id]) {
        return false;
    }
    let clients: Vec<&String> = operations.iter().map(|o| &o.client).collect();
    clients.iter().all(|client| {
        let mine: Vec<usize> = (0..n)
            .filter(|&id| counts(id) && (!is_read(id) || operations[id].client == **client))
            .collect();
        let mut order = Vec::new();
        permute(&mine, &mut order, &causes, &|order| {
            let mut value = None;
            order.iter().all(|&id| match (&operations[id].asked, &operations[id].answer) {
                (ReadWrite::Write(written), _) => {
                    value = Some(*written);
                    true
                }
                (ReadWrite::Read, answer) => *answer == Some(value),
            })
        })
    })
}

fn permute(ids: &[usize], order: &mut Vec<usize>, before: &[Vec<bool>], good: &dyn Fn(&[usize]) -> bool) -> bool {
    if order.len() == ids.len() {
        return good(order);
    }
    for &id in ids.iter().filter(|id| !order.contains(id)).collect::<Vec<_>>() {
        if ids.iter().any(|&other| !order.contains(&other) && before[other][id]) {
            continue;
        }
        order.push(id);
        let found = permute(ids, order, before, good);
        order.pop();
        if found {
            return true;
        }
    }
    false
}

fn register() -> impl Strategy<Value = Moves<ReadWrite<u8>, Option<u8>>> {
    let asked = prop_oneof![Just(ReadWrite::Read), (1u8..3).prop_map(ReadWrite::Write)];
    proptest::collection::vec((0usize..3, asked, proptest::option::of(1u8..3)), 0..11)
        .prop_map(|moves| moves_with(moves, |asked, answer| if *asked == ReadWrite::Read { answer } else { None }))
}

fn queue() -> impl Strategy<Value = Moves<QueueOperation<u8>, Option<u8>>> {
    let asked = prop_oneof![Just(QueueOperation::Take), (1u8..4).prop_map(QueueOperation::Put)];
    proptest::collection::vec((0usize..3, asked, proptest::option::of(1u8..4)), 0..11)
        .prop_map(|moves| moves_with(moves, |asked, answer| if *asked == QueueOperation::Take { answer } else { None }))
}

fn set() -> impl Strategy<Value = Moves<SetOperation<u8>, bool>> {
    let element = 0u8..2;
    let asked = prop_oneof![
        element.clone().prop_map(SetOperation::Insert),
        element.clone().prop_map(SetOperation::Remove),
        element.prop_map(SetOperation::Contains)
    ];
    proptest::collection::vec((0usize..3, asked, any::<bool>()), 0..11)
}

/// Gives each response an answer that fits what was asked.
fn moves_with<O: Clone, A: Clone>(moves: Moves<O, A>, fitting: impl Fn(&O, A) -> A) -> Moves<O, A> {
    let mut open: [Option<O>; 3] = [None, None, None];
    let mut result = Vec::new();
    for (client, asked, answer) in moves {
        match open[client].take() {
            Some(was) => result.push((client, was.clone(), fitting(&was, answer))),
            None => {
                open[client] = Some(asked.clone());
                result.push((client, asked, answer));
            }
        }
    }
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn registers(moves in register()) {
        check(&moves, &Register::default())?;
    }

    #[test]
    fn causal_registers(moves in register()) {
        // Every write writes something else.
        let mut next = 0;
        let moves: Moves<_, _> = moves.into_iter().map(|(client, asked, answer)| match asked {
            ReadWrite::Write(_) => { next += 1; (client, ReadWrite::Write(next), answer) }
            read => (client, read, answer),
        }).collect();
        let history = history(&moves);
        prop_assert_eq!(history.causally_consistent(&Register::default()).is_ok(), causal_by_definition(&history));
        if history.sequentially_consistent(&Register::default()).is_ok() {
            prop_assert!(history.causally_consistent(&Register::default()).is_ok());
        }
    }

    #[test]
    fn queues(moves in queue()) {
        check(&moves, &Queue::default())?;
    }

    #[test]
    fn stacks(moves in queue()) {
        check(&moves, &Stack::default())?;
    }

    #[test]
    fn sets(moves in set()) {
        check(&moves, &Set::default())?;
    }
}

//! What clients asked and what they were answered, in the order in which that happened.

use crate::picture::picture;
use crate::search::{Order, explain};
use crate::specifications::Specification;
use std::fmt::Debug;

/// An operation of a history, by the order of invocations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperationId(pub usize);

/// Something that happened at an end of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// It was asked.
    Invoked(OperationId),
    /// It was answered.
    Answered(OperationId),
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation<O, A> {
    /// Who asked.
    pub client: String,
    /// What.
    pub asked: O,
    /// What was answered, if that was before the history ends.
    pub answer: Option<A>,
}

/// What clients asked and what they were answered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct History<O, A> {
    operations: Vec<Operation<O, A>>,
    events: Vec<Event>,
}

impl<O, A> Default for History<O, A> {
    fn default() -> Self {
        History {
            operations: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// A history that cannot be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub(crate) what: String,
    pub(crate) picture: String,
    /// The most operations that could be explained, in an order that explains them.
    pub explained: Vec<OperationId>,
    /// The first operation, by its response, such that the history up to there cannot be explained.
    pub unexplained: Option<OperationId>,
}

impl Violation {
    /// One sentence.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The history, one line per client, with the operation that cannot be explained.
    pub fn picture(&self) -> &str {
        &self.picture
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}", self.what, self.picture)
    }
}

impl<O: Clone + Debug, A: Clone + Debug> History<O, A> {
    /// Nothing happened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A client asks something.
    ///
    /// # Panics
    /// If it still waits for an answer: a client does one thing after the other.
    #[track_caller]
    pub fn invoke(&mut self, client: &str, asked: O) -> OperationId {
        let waits = self.operations.iter().any(|o| o.client == client && o.answer.is_none());
        assert!(!waits, "`{client}` asks {asked:?} before it has the answer to what it asked before");
        let id = OperationId(self.operations.len());
        self.operations.push(Operation {
            client: client.to_owned(),
            asked,
            answer: None,
        });
        self.events.push(Event::Invoked(id));
        id
    }

    /// A client is answered.
    ///
    /// # Panics
    /// If there is no such operation, or it was answered before.
    #[track_caller]
    pub fn respond(&mut self, to: OperationId, answer: A) {
        let operation = self.operations.get_mut(to.0);
        let operation = operation.unwrap_or_else(|| panic!("operation {} was never invoked", to.0));
        assert!(
            operation.answer.is_none(),
            "{:?} of `{}` is answered twice",
            operation.asked,
            operation.client
        );
        operation.answer = Some(answer);
        self.events.push(Event::Answered(to));
    }

    /// The operations, in the order of their invocations.
    pub fn operations(&self) -> &[Operation<O, A>] {
        &self.operations
    }

    /// Everything that happened, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// When an operation was invoked, and when it was answered, by their places among the events.
    pub(crate) fn interval(&self, id: usize) -> (usize, Option<usize>) {
        let at = |event: Event| self.events.iter().position(|e| *e == event);
        let id = OperationId(id);
        (at(Event::Invoked(id)).unwrap_or_default(), at(Event::Answered(id)))
    }

    /// An order in which each operation happens between its invocation and its response, with the answers of the sequential object. Operations without
    /// a response may be missing in it.
    ///
    /// # Errors
    /// If there is none.
    pub fn linearizable<S: Specification<Operation = O, Answer = A>>(&self, start: &S) -> Result<Vec<OperationId>, Violation> {
        self.explained(start, Order::RealTime, "linearizable")
    }

    /// An order in which the operations of each client happen one after the other, with the answers of the sequential object.
    ///
    /// # Errors
    /// If there is none.
    pub fn sequentially_consistent<S: Specification<Operation = O, Answer = A>>(&self, start: &S) -> Result<Vec<OperationId>, Violation> {
        self.explained(start, Order::Program, "sequentially consistent")
    }

    fn explained<S: Specification<Operation = O, Answer = A>>(
        &self,
        start: &S,
        order: Order,
        word: &str,
    ) -> Result<Vec<OperationId>, Violation> {
        explain(self, start, order).map_err(|found| {
            let what = match found.unexplained {
                Some(OperationId(at)) => {
                    let operation = &self.operations[at];
                    format!("the history is not {word}: nothing explains {}", crate::picture::shown(operation))
                }
                None => format!("the history is not {word}"),
            };
            Violation {
                what,
                picture: picture(self, found.unexplained, &found.explained),
                explained: found.explained,
                unexplained: found.unexplained,
            }
        })
    }
}

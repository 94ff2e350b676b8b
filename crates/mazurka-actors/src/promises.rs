//! What happens some day: reachability, and what weakly fair executions come to.
//!
//! These are questions about the graph of all states, which is built without reduction. A scheduler is weakly fair to each message (by sender,
//! receiver and contents), timer, restart and end of a partition: what can happen from some time on without end happens. Faults need not
//! happen.

use crate::delivery::Delivery;
use crate::hash::Hash128;
use crate::knowledge::Knowledge;
use crate::panics::catch;
use crate::run::Run;
use crate::states::SystemStates;
use crate::subject::Subject;
use crate::system::System;
use crate::world::World;
use mazurka_core::schedule::{Recording, record};
use mazurka_core::{Failure, FailureKind, FairGraph, FairPromise, FoundFailure, Lasso, Limit, Transition};
use std::rc::Rc;

/// Something that happens some day.
#[derive(Clone)]
pub(crate) struct Promise {
    pub name: Rc<str>,
    pub what: What,
    pub knows: Knowledge,
}

type Holds = Rc<dyn Fn(&World<'_>) -> bool>;

/// What is promised.
#[derive(Clone)]
pub(crate) enum What {
    /// Some execution comes to such a state.
    Sometimes(Holds),
    /// Every fair execution does.
    Eventually(Holds),
    /// Every fair execution comes from every state of the first kind to one of the second.
    LeadsTo(Holds, Holds),
}

/// What was found out about promises.
#[derive(Default)]
pub(crate) struct Answers {
    /// How many states there are.
    pub states: u64,
    pub broken: Vec<FoundFailure>,
    /// The executions that show what sometimes happens, by name.
    pub witnesses: Vec<(String, Recording)>,
}

impl System {
    /// Asks that some execution comes to such a configuration: otherwise a check fails. [`Checked::witness`](crate::Checked::witness) shows the shortest
    /// one that does. A property that is never put to the test, because what it is about never happens, is found in this way.
    #[must_use]
    pub fn sometimes(self, name: &str, holds: impl Fn(&World<'_>) -> bool + 'static) -> Self {
        let knows = Knowledge::of(&holds);
        self.promise(name, What::Sometimes(Rc::new(holds)), knows)
    }

    /// Asks that every execution comes to such a configuration, if its scheduler is weakly fair: a message that can be delivered from some time on
    /// without end is delivered, a timer that is set fires, an actor that crashed restarts and a partition heals. Faults need not happen.
    ///
    /// A counterexample is a beginning and a loop that is repeated for ever, or a beginning after which nothing more happens.
    ///
    /// ```should_panic
    /// # use mazurka_actors::{Actor, Context, System};
    /// # #[derive(Clone, Hash, Debug, Default)] struct Polite { done: bool }
    /// impl Actor for Polite {
    ///     type Message = ();
    ///     const TIMERS: &'static [&'static str] = &["later"];
    ///     fn handle(&mut self, (): (), context: &mut Context<Self>) { context.set_timer("later", 1, ()); }
    /// }
    ///
    /// let mut system = System::new();
    /// let polite = system.create(Polite::default());
    /// system.send(polite, ());
    /// system.eventually("it is done", move |world| world.state(polite).done).check().assert_ok();
    /// ```
    #[must_use]
    pub fn eventually(self, name: &str, holds: impl Fn(&World<'_>) -> bool + 'static) -> Self {
        let knows = Knowledge::of(&holds);
        self.promise(name, What::Eventually(Rc::new(holds)), knows)
    }

    /// Asks that every weakly fair execution comes from each configuration of the first kind to one of the second; see [`System::eventually`].
    #[must_use]
    pub fn leads_to(self, name: &str, from: impl Fn(&World<'_>) -> bool + 'static, to: impl Fn(&World<'_>) -> bool + 'static) -> Self {
        // These are looked at without symmetry.
        let knows = Knowledge::default();
        self.promise(name, What::LeadsTo(Rc::new(from), Rc::new(to)), knows)
    }

    fn promise(mut self, name: &str, what: What, knows: Knowledge) -> Self {
        assert!(self.promises.len() < 32, "there can be 32 promises; check some of them apart");
        let name = name.into();
        self.promises.push(Promise { name, what, knows });
        self
    }

    /// Finds out about all promises.
    pub(crate) fn keep_promises(&self, stop: &mut dyn FnMut(usize) -> Option<Limit>) -> Result<Answers, Limit> {
        // Fairness is to each actor, so it is not looked at up to symmetry.
        let symmetric = self.symmetry.any() && self.asks_for_reachability_only();
        let states = match symmetric {
            true => SystemStates::up_to_symmetry(self),
            false => SystemStates::each(self),
        };
        let actions = |run: &Run, transition: Transition| self.action(run, transition).filter(|_| !symmetric);
        let panicked = std::cell::RefCell::new(None);
        let labels = |run: &Run| self.labels(run, &panicked);
        let graph = FairGraph::new(&states, &actions, &labels, stop)?;
        let mut answers = Answers {
            states: graph.states() as u64,
            ..Answers::default()
        };
        let found = |failure, schedule| FoundFailure {
            failure,
            schedule,
            repeats: None,
            after_executions: 0,
        };
        if let Some(failure) = panicked.into_inner() {
            answers.broken.push(found(failure, Vec::new()));
            return Ok(answers);
        }
        for (nth, promise) in self.promises.iter().enumerate() {
            let (first, second) = (2 * nth as u32, 2 * nth as u32 + 1);
            let broken = match promise.what {
                What::Sometimes(_) => match graph.way_to(second) {
                    Some(way) => {
                        let schedule = way.schedule(&graph, &states, &actions);
                        answers.witnesses.push((promise.name.to_string(), record(self, &schedule, None)));
                        continue;
                    }
                    None => {
                        let message = format!("`{}` never happens", promise.name);
                        answers.broken.push(found(failure(FailureKind::Assertion, message), Vec::new()));
                        continue;
                    }
                },
                What::Eventually(_) => graph.broken(FairPromise { made: None, kept: second }),
                What::LeadsTo(..) => graph.broken(FairPromise {
                    made: Some(first),
                    kept: second,
                }),
            };
            if let Some(lasso) = broken {
                let message = format!("`{}` is never true: {}", promise.name, for_ever(&lasso));
                let schedule = lasso.schedule(&graph, &states, &actions);
                answers.broken.push(found(failure(FailureKind::Livelock, message), schedule));
            }
        }
        Ok(answers)
    }

    /// Two bits for each promise: where it is made, and where it is kept.
    fn labels(&self, run: &Run, panicked: &std::cell::RefCell<Option<Failure>>) -> u64 {
        let world = World::of(run, &self.tables);
        let ask = |name: &str, holds: &Holds| match catch(|| holds(&world)) {
            Ok(holds) => holds,
            Err(panic) => {
                let message = format!("the promise `{name}` panics: {}", panic.message);
                panicked.borrow_mut().get_or_insert(Failure { message, ..panic });
                true
            }
        };
        let mut labels = 0;
        for (nth, Promise { name, what, .. }) in self.promises.iter().enumerate() {
            let (made, kept) = match what {
                What::Sometimes(kept) | What::Eventually(kept) => (false, ask(name, kept)),
                What::LeadsTo(made, kept) => (ask(name, made), ask(name, kept)),
            };
            labels |= (u64::from(made) | u64::from(kept) << 1) << (2 * nth);
        }
        labels
    }

    /// Which action of a fair scheduler a transition is.
    fn action(&self, run: &Run, transition: Transition) -> Option<u64> {
        let hash = match self.subject(run, transition.process.0)? {
            Subject::Message(envelope) => {
                let place = run.pending.iter().position(|e| e.id == envelope.id)?;
                // In a queue only the first can be delivered, and it is followed by others.
                let queue = (self.delivery != Delivery::Unordered).then(|| self.delivery.rank(run, place));
                Hash128::of((0u8, envelope.sender, envelope.route_hash(), queue))
            }
            Subject::Timer(..) => Hash128::of((1u8, transition.process.0)),
            Subject::Crashes(place) if run.actors[place].is_up() => return None,
            Subject::Crashes(_) => Hash128::of((2u8, transition.process.0)),
            Subject::Partition(nth) if run.network.is_cut(nth) => Hash128::of((3u8, nth)),
            Subject::Partition(_) | Subject::Calm | Subject::Loss(_) | Subject::Doubling(_) => return None,
        };
        Some(hash as u64)
    }
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure { kind, message, at: None }
}

fn for_ever(lasso: &Lasso) -> String {
    match (lasso.stem() + 1, lasso.len()) {
        (1, 0) => "nothing ever happens".to_owned(),
        (_, last) if lasso.stem() == last => format!("after step {last} nothing more happens"),
        (first, last) if first == last => format!("step {first} repeats for ever"),
        (first, last) => format!("steps {first} to {last} repeat for ever"),
    }
}

/// Whether a failure is one of promises: its schedule says all, and nothing shorter fails in the same way by itself.
pub(crate) fn is_of_promise(found: &FoundFailure) -> bool {
    found.failure.kind == FailureKind::Livelock || found.schedule.is_empty()
}

impl crate::Checked {
    /// The shortest execution in which something happens that [`System::sometimes`] asks for, in columns; `None` if there is none of that name.
    pub fn witness(&self, name: &str) -> Option<String> {
        let (_, recording) = self.witnesses.iter().find(|(known, _)| known == name)?;
        Some(mazurka_report::columns::render(recording, mazurka_report::Paint::default()))
    }
}

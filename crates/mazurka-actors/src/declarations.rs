//! What handlers declare is checked, not believed.
//!
//! A handler that touches a field it did not declare makes a search leave out executions that differ. So wherever a handler is looked
//! at more closely, and always under [`System::paranoid`], it is also run from other states that its actor was seen in: where these agree
//! on the declared fields it must do the same, and it must leave alone what it does not declare as written. A constraint may change its
//! mind only with the fields that it declares. What is found is the error of whoever wrote the declaration and no verdict about the
//! system: [`Check`](crate::Check) panics with a message that says what to declare.

use crate::actor::Accepts;
use crate::determinism;
use crate::erased::{ErasedActor, State};
use crate::program::Handled;
use crate::projection::Projection;
use crate::run::{Envelope, Run};
use crate::system::System;
use mazurka_core::{Dependency, Location, Mode};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// So many states of each actor are remembered, the latest.
const STATES: usize = 6;

type Shared = Rc<State<dyn ErasedActor>>;

/// States in which actors were seen, and what that showed.
#[derive(Default)]
pub(crate) struct Memory {
    states: RefCell<FxHashMap<u32, Vec<Shared>>>,
    /// The first declaration that was found to be wrong.
    wrong: RefCell<Option<String>>,
}

impl Memory {
    fn add(&self, actor: u32, state: &Shared) {
        let mut states = self.states.borrow_mut();
        let own = states.entry(actor).or_default();
        if own.iter().any(|s| s.hash() == state.hash()) {
            return;
        }
        if own.len() == STATES {
            own.remove(0);
        }
        own.push(Rc::clone(state));
    }

    fn of(&self, actor: u32) -> Vec<Shared> {
        self.states.borrow().get(&actor).cloned().unwrap_or_default()
    }
}

/// What a handler declares, by the names of fields.
struct Declared {
    read: Vec<String>,
    written: Vec<String>,
    accumulated: Vec<String>,
    guard: Vec<String>,
}

impl Declared {
    /// Whether a different value of the field may make the handler do something else.
    fn depends_on(&self, field: &str) -> bool {
        [&self.read, &self.written].iter().any(|f| f.iter().any(|f| f == field))
    }

    /// Whether the handler may leave another value in the field.
    fn changes(&self, field: &str) -> bool {
        [&self.written, &self.accumulated].iter().any(|f| f.iter().any(|f| f == field))
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        [&self.read, &self.written, &self.accumulated, &self.guard].into_iter().flatten()
    }
}

impl System {
    /// Checks at every step what handlers declare about themselves, instead of now and then; see [`crate::Actor::touches`]. It also runs
    /// every handler twice.
    ///
    /// A check then panics if a handler touches, or a constraint reads, what it does not declare.
    pub fn paranoid(mut self) -> Self {
        self.sampling.always();
        self
    }

    /// What the handler of a message declares; `None` if it may touch everything.
    fn declared(&self, run: &Run, envelope: &Envelope) -> Option<Declared> {
        let whole = self.tables.whole(envelope.receiver);
        let constrained = self.is_guarded(run, envelope);
        let mut declared = Declared {
            read: Vec::new(),
            written: Vec::new(),
            accumulated: Vec::new(),
            guard: Vec::new(),
        };
        for access in self.fields(envelope, constrained).accesses() {
            if access.location == whole && access.mode == Mode::Write {
                return None;
            }
            let Some(name) = self.tables.field_name(access.location) else {
                continue;
            };
            if access.guard {
                declared.guard.push(name.clone());
            }
            match access.mode {
                Mode::Read => declared.read.push(name),
                Mode::Write => declared.written.push(name),
                Mode::Accumulate => declared.accumulated.push(name),
            }
        }
        Some(declared)
    }

    /// Looks closely at a handler that has just run on its actor at `place`, with the result given.
    pub(crate) fn check_declaration(&self, run: &Run, place: usize, (envelope, choice): (&Envelope, u32), result: &Handled) {
        if self.dependency != Dependency::Field {
            return;
        }
        let before = &run.actors[place].state;
        self.memory.add(envelope.receiver, before);
        if let Ok((after, _)) = result {
            self.memory.add(envelope.receiver, after);
            self.check_constraints(run, envelope, before, after);
        }
        let Some(declared) = self.declared(run, envelope) else { return };
        let accuse = |what: String| self.accuse(run, envelope, "handler", &what);
        if let Ok((after, _)) = result
            && declared.written.is_empty()
            && declared.accumulated.is_empty()
            && after.hash() != before.hash()
        {
            accuse("changes the actor, but `touches` declares no field as written".to_owned());
        }
        let Some(fields) = before.projection() else { return };
        if !declared.names().all(|name| fields.has(name)) {
            return;
        }
        if let Ok((after, _)) = result
            && let Some(changed) = after.projection().and_then(|a| fields.differences(a))
            && let Some(field) = changed.iter().find(|f| !declared.changes(f))
        {
            accuse(format!("writes `{field}`, which `touches` does not declare as written"));
        }
        for other in self.memory.of(envelope.receiver) {
            self.compare_with(run, (place, envelope, choice), &declared, (fields, result), &other);
        }
    }

    /// Runs the handler from another state that agrees on what it declares.
    fn compare_with(
        &self,
        run: &Run,
        (place, envelope, choice): (usize, &Envelope, u32),
        declared: &Declared,
        (fields, result): (&Projection, &Handled),
        other: &Shared,
    ) {
        let differences = other.projection().and_then(|o| fields.differences(o));
        let Some(differences) = differences.filter(|d| !d.is_empty() && !d.iter().any(|f| declared.depends_on(f))) else {
            return;
        };
        let mut elsewhere = run.clone();
        elsewhere.actors[place].state = Rc::clone(other);
        let again = self.handle(&elsewhere, place, envelope, choice);
        let what = match (result, &again) {
            (Err(one), Err(two)) if one == two => None,
            (Err(one), Err(two)) => Some(format!("fails in different ways: {}, {}", one.message, two.message)),
            (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => Some(format!("fails in one and not in the other: {}", failure.message)),
            (Ok((after, sent)), Ok((after_again, sent_again))) => {
                let written = after.projection().zip(after_again.projection());
                let written = written.and_then(|(a, b)| {
                    let changed = a.differences(b)?;
                    let field = changed.into_iter().find(|f| declared.written.iter().any(|w| w == f));
                    field.map(|field| format!("leaves different values in `{field}`"))
                });
                written.or_else(|| determinism::sent_differently(sent, sent_again).map(|what| what.trim_start_matches("it ").to_owned()))
            }
        };
        let Some(what) = what else { return };
        let is_accumulated = |field: &&str| declared.accumulated.iter().any(|a| a == field);
        let (accumulated, undeclared): (Vec<&str>, Vec<&str>) = differences.into_iter().partition(is_accumulated);
        let which = match &undeclared[..] {
            [] => format!("`{}`, which it declares as accumulated", accumulated.join("`, `")),
            [field] => format!("`{field}`, which `touches` does not declare"),
            fields => format!("one of `{}`, which `touches` does not declare", fields.join("`, `")),
        };
        let (one, two) = (run.actors[place].state.actor.as_debug(), other.actor.as_debug());
        self.accuse(
            run,
            envelope,
            "handler",
            &format!("depends on {which}: in {one:?} and in {two:?} it {what}"),
        );
    }

    /// A step may change the mind of a constraint only by changing what the constraint declares to read.
    fn check_constraints(&self, run: &Run, taken: &Envelope, before: &State<dyn ErasedActor>, after: &State<dyn ErasedActor>) {
        for envelope in run.pending.iter().filter(|e| e.receiver == taken.receiver && e.id != taken.id) {
            let (was, is) = (accepts(before, envelope), accepts(after, envelope));
            if was == is {
                continue;
            }
            let Some(declared) = self.declared(run, envelope).filter(|d| !d.guard.is_empty()) else {
                continue;
            };
            let changed = before.projection().zip(after.projection()).and_then(|(b, a)| {
                let known = declared.guard.iter().all(|g| b.has(g));
                known.then(|| b.differences(a).map(|d| d.into_iter().map(str::to_owned).collect::<Vec<_>>()))?
            });
            if let Some(changed) = changed
                && !changed.iter().any(|f| declared.guard.contains(f))
            {
                let fields = changed.join("`, `");
                let what = format!("reads `{fields}`, which `touches` does not declare with `guard`");
                self.accuse(run, envelope, "constraint", &what);
            }
        }
    }

    /// Whether the message can be refused.
    pub(crate) fn is_constrained(&self, run: &Run, envelope: &Envelope) -> bool {
        *envelope
            .constrained
            .get_or_init(|| accepts(&run.slot(envelope.receiver).state, envelope) != Some(Accepts::Always))
    }

    /// Whether the constraint allows the message now. That there is one is the same in every state, as the type promises. A constraint that
    /// panics does so again when the message is delivered, and fails there.
    pub(crate) fn is_accepted(&self, run: &Run, envelope: &Envelope) -> bool {
        // Nobody is there to refuse it.
        if !run.slot(envelope.receiver).is_up() {
            return true;
        }
        let Some(now) = accepts(&run.slot(envelope.receiver).state, envelope) else {
            return true;
        };
        if *envelope.constrained.get_or_init(|| now != Accepts::Always) != (now != Accepts::Always) {
            self.accuse(run, envelope, "constraint", "is `Always` in one state, and not in another");
        }
        now.now()
    }

    /// The first declaration that was found to be wrong. What a search says then means nothing.
    pub fn wrong_declaration(&self) -> Option<String> {
        self.memory.wrong.borrow().clone()
    }

    /// What the code of an actor does when nobody sends it anything is wrong.
    pub(crate) fn accuse_actor(&self, run: &Run, place: usize, who: &str, what: &str) {
        let actor = self.actor_name(run, run.actors[place].id);
        let text = format!("wrong declaration: the {who} of {actor} {what}");
        self.memory.wrong.borrow_mut().get_or_insert(text);
    }

    /// Actors that are said to be interchangeable are not.
    pub(crate) fn accuse_symmetry(&self, what: &str) {
        let text = format!("wrong declaration: {what}");
        self.memory.wrong.borrow_mut().get_or_insert(text);
    }

    /// Says what tells interchangeable actors apart, if something does.
    pub(crate) fn object_to_symmetry(&self) {
        if let Some(objection) = self.symmetry_objection() {
            self.accuse_symmetry(&objection);
        }
    }

    /// What a handler or constraint says about itself is wrong.
    pub(crate) fn accuse(&self, run: &Run, envelope: &Envelope, who: &str, what: &str) {
        let actor = self.actor_name(run, envelope.receiver);
        let message = self.show(run, || format!("{:?}", envelope.content.as_debug()));
        let text = format!("wrong declaration: the {who} of {actor} on {message} {what}");
        self.memory.wrong.borrow_mut().get_or_insert(text);
    }

    /// Gives a field another value, if the actor's type knows how and every message under way to it names the fields that it touches.
    pub(crate) fn perturb_field(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        let Some((actor, Some(field))) = self.tables.actor_and_field(location) else {
            return false;
        };
        let Some(place) = run.place(actor) else { return false };
        // Timers, crashes and restarts may touch everything, and do not name what.
        if run.actors[place].life.is_some() {
            return false;
        }
        // Who may touch everything does not name the field.
        let (whole, any) = (self.tables.whole(actor), self.tables.any_field(actor));
        let touches_all = |envelope: &Rc<Envelope>| {
            let fields = self.fields(envelope, self.is_guarded(run, envelope)).accesses();
            fields
                .iter()
                .any(|a| (a.location == whole && a.mode == Mode::Write) || (a.location == any && a.guard))
        };
        if run.pending.iter().filter(|e| e.receiver == actor).any(touches_all) {
            return false;
        }
        let mut state = run.actors[place].state.actor.duplicate();
        let perturbed = Rc::get_mut(&mut state).is_some_and(|state| state.actor.perturb(&field, seed));
        if perturbed {
            run.actors[place].state = state;
        }
        perturbed
    }
}

/// What the constraint says; `None` if it panics.
fn accepts(state: &State<dyn ErasedActor>, envelope: &Envelope) -> Option<Accepts> {
    crate::panics::catch(|| state.actor.accepts(&*envelope.content)).ok()
}

#[cfg(test)]
mod tests {
    use super::{Memory, STATES};
    use crate::actor::Actor;
    use crate::context::Context;
    use crate::erased::State;

    #[derive(Clone, Hash, Debug)]
    struct Counter(usize);

    impl Actor for Counter {
        type Message = ();

        fn handle(&mut self, (): (), _: &mut Context<Self>) {}
    }

    #[test]
    fn the_latest_states_are_remembered_each_once() {
        let memory = Memory::default();
        let see = |n| memory.add(0, &State::new(Counter(n)));
        let seen = || {
            memory
                .of(0)
                .iter()
                .map(|s| format!("{:?}", s.actor.as_debug()))
                .collect::<Vec<_>>()
                .join(" ")
        };
        see(1);
        (0..2 * STATES).for_each(|_| see(2));
        assert_eq!(seen(), "Counter(1) Counter(2)");
        (3..=STATES + 1).for_each(see);
        assert_eq!(
            seen(),
            (2..=STATES + 1).map(|n| format!("Counter({n})")).collect::<Vec<_>>().join(" ")
        );
        assert!(memory.of(1).is_empty());
    }
}

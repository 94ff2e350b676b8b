//! Programs whose type is forgotten.
//!
//! Searches run on the program itself. What is not hot (reports, making schedules shorter, laws) asks an [`AnyProgram`] and is compiled
//! once, instead of once for each kind of program.

use crate::describe::{Describe, StepText, Wait};
use crate::effects::Effects;
use crate::explore::search;
use crate::footprint::Footprint;
use crate::insights::{Actors, Futures, Insights, Instruments, Liveness, Properties};
use crate::order::Order;
use crate::outcome::Failure;
use crate::program::{Features, Fingerprint, Location, Pending, Process, Program, Transition};
use crate::search::{Ending, Observer, Options, Search, SearchError, Unobserved};
use crate::stateful::{Graph, Property, Reading, StateSpace, StatefulOptions, StatefulSearch};
use crate::units::{Hub, Runner};
use std::any::Any;

/// A program of any kind, with searches that know which.
///
/// ```
/// # use mazurka_core::*;
/// # fn example<P: Describe + StateSpace<State: 'static> + 'static>(philosophers: P, counter: P) {
/// let programs: Vec<Box<dyn AnyProgram>> = vec![any(philosophers), any(counter)];
/// for program in &programs {
///     println!("{:?}", program.values(&program.start()));
/// }
/// # }
/// ```
pub trait AnyProgram: Describe<State = AnyState> {
    /// As [`crate::search()`]; an observer costs a copy of the state at the end of each execution.
    ///
    /// # Errors
    /// If the algorithm does not fit the program.
    fn search<'s>(
        &'s self,
        options: &Options,
        observer: Option<Box<dyn Observer<AnyState> + 's>>,
    ) -> Result<Box<dyn Search + 's>, SearchError>;

    /// As [`crate::stateful_search`].
    ///
    /// # Errors
    /// If the algorithm does not fit the program.
    fn stateful_search<'s>(&'s self, options: &Options, stateful: StatefulOptions) -> Result<Box<dyn StatefulSearch + 's>, SearchError>;

    /// As [`Hub::of`](crate::units::Hub).
    ///
    /// # Errors
    /// If the algorithm does not fit the program, or cannot be run in units.
    fn hub<'s>(&'s self, options: &Options) -> Result<Hub<'s>, SearchError>;

    /// As [`Runner::of`](crate::units::Runner).
    ///
    /// # Errors
    /// If the algorithm does not fit the program, or cannot be run in units.
    fn runner<'s>(&'s self, options: &Options) -> Result<Runner<'s>, SearchError>;

    /// The states that a stateful search goes through.
    fn graph<'s>(&'s self) -> Box<dyn Graph + 's>;
}

/// Forgets what kind of program this is.
pub fn any<'p, P>(program: P) -> Box<dyn AnyProgram + 'p>
where
    P: Describe + StateSpace + 'p,
    P::State: 'static,
{
    Box::new(Typed(program))
}

/// A state of an [`AnyProgram`]. It means something to the program that made it only.
pub struct AnyState(Box<dyn State>);

trait State: Any {
    fn copy(&self) -> Box<dyn State>;

    /// Becomes equal to the other state, reusing memory; false if that is of another type.
    fn copy_from(&mut self, other: &dyn State) -> bool;
}

impl<S: Clone + 'static> State for S {
    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn State) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<S>().is_some_and(|other| {
            self.clone_from(other);
            true
        })
    }
}

impl AnyState {
    fn new(state: impl Clone + 'static) -> Self {
        AnyState(Box::new(state))
    }

    fn get<S: 'static>(&self) -> &S {
        let state: &dyn Any = &*self.0;
        state.downcast_ref().unwrap_or_else(|| panic!("{FOREIGN}"))
    }

    fn get_mut<S: 'static>(&mut self) -> &mut S {
        let state: &mut dyn Any = &mut *self.0;
        state.downcast_mut().unwrap_or_else(|| panic!("{FOREIGN}"))
    }
}

const FOREIGN: &str = "this is a state of another program";

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState(self.0.copy())
    }

    fn clone_from(&mut self, other: &Self) {
        if !self.0.copy_from(&*other.0) {
            *self = other.clone();
        }
    }
}

/// A program of a known type behind an interface that does not tell it.
struct Typed<P>(P);

impl<P> AnyProgram for Typed<P>
where
    P: Describe + StateSpace,
    P::State: 'static,
{
    fn search<'s>(
        &'s self,
        options: &Options,
        observer: Option<Box<dyn Observer<AnyState> + 's>>,
    ) -> Result<Box<dyn Search + 's>, SearchError> {
        match observer {
            Some(observer) => search(&self.0, options, Told(observer)),
            None => search(&self.0, options, Unobserved),
        }
    }

    fn stateful_search<'s>(&'s self, options: &Options, stateful: StatefulOptions) -> Result<Box<dyn StatefulSearch + 's>, SearchError> {
        self.0.stateful_search(options, stateful)
    }

    fn hub<'s>(&'s self, options: &Options) -> Result<Hub<'s>, SearchError> {
        Hub::of(&self.0, options)
    }

    fn runner<'s>(&'s self, options: &Options) -> Result<Runner<'s>, SearchError> {
        Runner::of(&self.0, options)
    }

    fn graph<'s>(&'s self) -> Box<dyn Graph + 's> {
        self.0.graph()
    }
}

/// Tells an observer that does not know the type of states.
struct Told<'s>(Box<dyn Observer<AnyState> + 's>);

impl<S: Clone + 'static> Observer<S> for Told<'_> {
    fn execution(&mut self, schedule: &[Transition], state: &S, ending: Ending) {
        self.0.execution(schedule, &AnyState::new(state.clone()), ending);
    }

    fn step(&mut self, depth: usize, transition: Transition) {
        self.0.step(depth, transition);
    }
}

impl<P> Program for Typed<P>
where
    P: Program,
    P::State: Clone + 'static,
{
    type State = AnyState;

    fn start(&self) -> AnyState {
        AnyState::new(self.0.start())
    }

    fn pending(&self, state: &AnyState, out: &mut Vec<Pending>) {
        self.0.pending(state.get(), out);
    }

    fn some_enabled(&self, state: &AnyState, draw: &mut dyn FnMut() -> u64) -> Option<Transition> {
        self.0.some_enabled(state.get(), draw)
    }

    fn footprint(&self, state: &AnyState, transition: Transition, out: &mut Footprint) {
        self.0.footprint(state.get(), transition, out);
    }

    fn step(&self, state: &mut AnyState, transition: Transition, effects: &mut Effects) {
        self.0.step(state.get_mut(), transition, effects);
    }

    fn fingerprint(&self, state: &AnyState) -> Fingerprint {
        self.0.fingerprint(state.get())
    }

    fn failures_at_end(&self, state: &AnyState, out: &mut Vec<Failure>) {
        self.0.failures_at_end(state.get(), out);
    }

    fn features(&self) -> Features {
        self.0.features()
    }

    fn insights(&self) -> Insights<'_, AnyState> {
        let insights = self.0.insights();
        Insights {
            futures: insights.futures.map(|_| self as _),
            guard_locations: insights.guard_locations,
            liveness: insights.liveness.map(|_| self as _),
            // These are asked for by searches only, which run on the program itself.
            comparable: None,
            enabling: None,
            actors: insights.actors.map(|_| self as _),
            names: insights.names,
            objects: insights.objects,
            properties: insights.properties.map(|_| self as _),
            instruments: insights.instruments.map(|_| self as _),
        }
    }
}

impl<P> Describe for Typed<P>
where
    P: Describe,
    P::State: Clone + 'static,
{
    fn process_key(&self, process: Process) -> String {
        self.0.process_key(process)
    }

    fn describe(&self, state: &AnyState, transition: Transition) -> StepText {
        self.0.describe(state.get(), transition)
    }

    fn location_name(&self, location: Location) -> String {
        self.0.location_name(location)
    }

    fn values(&self, state: &AnyState) -> Vec<(String, String)> {
        self.0.values(state.get())
    }

    fn process_name(&self, state: &AnyState, process: Process) -> String {
        self.0.process_name(state.get(), process)
    }

    fn column(&self, state: &AnyState, process: Process) -> String {
        self.0.column(state.get(), process)
    }

    fn agent(&self, state: &AnyState, transition: Transition) -> Option<String> {
        self.0.agent(state.get(), transition)
    }

    fn label(&self, state: &AnyState, transition: Transition) -> String {
        self.0.label(state.get(), transition)
    }

    fn waits(&self, state: &AnyState) -> Vec<Wait> {
        self.0.waits(state.get())
    }

    fn results(&self, state: &AnyState) -> Vec<(String, String)> {
        self.0.results(state.get())
    }

    fn objection(&self) -> Option<String> {
        self.0.objection()
    }

    fn output(&self, state: &AnyState) -> String {
        self.0.output(state.get())
    }
}

impl<P: Program<State: Clone + 'static>> Futures<AnyState> for Typed<P> {
    fn future(&self, state: &AnyState, process: Process, out: &mut Footprint) -> bool {
        self.0.insights().futures.is_some_and(|it| it.future(state.get(), process, out))
    }
}

impl<P: Program<State: Clone + 'static>> Liveness<AnyState> for Typed<P> {
    fn live_fingerprint(&self, state: &AnyState) -> Fingerprint {
        match self.0.insights().liveness {
            Some(it) => it.live_fingerprint(state.get()),
            None => self.0.fingerprint(state.get()),
        }
    }
}

impl<P: Program<State: Clone + 'static>> Actors<AnyState> for Typed<P> {
    fn actor(&self, state: &AnyState, transition: Transition) -> Option<u32> {
        self.0.insights().actors?.actor(state.get(), transition)
    }

    fn precedence(&self, state: &AnyState, order: Order, transition: Transition) -> Option<u64> {
        self.0.insights().actors?.precedence(state.get(), order, transition)
    }
}

impl<P: Program<State: Clone + 'static>> Instruments<AnyState> for Typed<P> {
    fn guard_reads(&self, state: &AnyState, transition: Transition, out: &mut Footprint) -> bool {
        let instruments = self.0.insights().instruments;
        instruments.is_some_and(|it| it.guard_reads(state.get(), transition, out))
    }

    fn perturb(&self, state: &mut AnyState, location: Location, seed: u64) -> bool {
        let instruments = self.0.insights().instruments;
        instruments.is_some_and(|it| it.perturb(state.get_mut(), location, seed))
    }
}

impl<P: Program<State: Clone + 'static>> Properties<AnyState> for Typed<P> {
    fn properties(&self) -> Vec<Property> {
        self.0.insights().properties.map_or_else(Vec::new, |it| it.properties())
    }

    fn read(&self, property: usize, state: &AnyState, at: u32, out: &mut Vec<Reading>) {
        if let Some(it) = self.0.insights().properties {
            it.read(property, state.get(), at, out);
        }
    }

    fn accepts(&self, property: usize, state: &AnyState, at: u32) -> bool {
        let properties = self.0.insights().properties;
        properties.is_some_and(|it| it.accepts(property, state.get(), at))
    }

    fn is_same(&self, one: &AnyState, other: &AnyState) -> bool {
        self.0.insights().properties.is_some_and(|it| it.is_same(one.get(), other.get()))
    }
}

//! What can happen: the one trait through which the engine sees a program.
//!
//! A front end turns text or code into a [`Program`]. The engine never learns which language it came from.

use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::insights::Insights;
use crate::outcome::{Failure, FailureKind};

/// A sequential agent: a thread, an ABS task, a message being handled.
///
/// A process is named by its place of birth, so the same task has the same id in every execution of one search
/// (see [`crate::names::Names`]). Ids are dense: the engine indexes tables with them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Process(pub u32);

/// A shared thing that steps touch: a variable, an actor's field, a lock, a channel, a future.
///
/// Like processes, locations are dense and independent of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location(pub u32);

impl Process {
    /// The id as a table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Location {
    /// The id as a table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step that a process can take, with the choice it makes where it is nondeterministic
/// (`choose`, Promela `if`/`do`, `random(n)`). A deterministic process always has choice 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// Who moves.
    pub process: Process,
    /// Which of its alternatives it takes.
    pub choice: u32,
}

impl Transition {
    /// The only transition of a deterministic process.
    pub fn of(process: Process) -> Self {
        Transition { process, choice: 0 }
    }
}

/// A transition of an unfinished process, and whether it can be taken now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// The transition.
    pub transition: Transition,
    /// False while its guard does not hold (a lock is taken, an `await` is not satisfied, a channel is full).
    pub enabled: bool,
}

/// 128 bits that stand for a whole state.
pub type Fingerprint = u128;

/// What the algorithms may assume about a program. An algorithm that needs more is refused.
///
/// By default nothing may be assumed. A program that promises something says so explicitly, and [`crate::laws`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// [`Program::footprint`] depends on the process's own local state only, never on shared values read inside the step.
    pub static_footprints: bool,
    /// What a process may touch next, over all the alternatives it lists, is changed by its own steps only. Not so if another process
    /// decides which alternatives are listed, and these touch different things.
    pub static_alternatives: bool,
    /// Every step writes exactly one location and touches no other, so dependence is transitive
    /// (actors, when a whole actor is one location). Persistent sets with sleep sets and TransDPOR need this.
    pub one_location_per_step: bool,
    /// No state can be reached again from itself: every execution is finite.
    pub terminating: bool,
    /// A name may stand for several processes, one after the other. No event can be told by its process and its number then, so only searches
    /// that store states or leave nothing out take such a program.
    pub names_given_again: bool,
    /// Every step runs on one actor ([`Actors::actor`](crate::Actors::actor)), and steps on different actors do not conflict.
    pub actors: bool,
}

impl Features {
    /// The promise of most languages, and no other: what a process may touch next depends on its own local state only.
    pub const STATIC: Features = Features {
        static_footprints: true,
        static_alternatives: true,
        one_location_per_step: false,
        terminating: false,
        names_given_again: false,
        actors: false,
    };
}

/// A concurrent program.
///
/// # Contract
/// The searches rely on all of this; [`crate::laws`] checks it, on random walks and at every step of a run with `--paranoid`.
/// * *Determinism*: `step` from equal states with the same transition gives equal states and equal effects.
/// * *Identity*: ids of processes and locations do not depend on the schedule, and each is that of one process or location only, unless
///   [`Features::names_given_again`] says so.
/// * *Footprints*: `footprint` contains everything that the step may touch in any context, the reads of its own guard **and of the guards
///   of all alternative transitions of the same process** (marked as guard reads). Where [`Features::static_footprints`] is promised, it
///   is a function of the process's local state before the step.
/// * *Each alternative has its own footprint*: `footprint(t)` is that of `t`, with `t`'s choice.
/// * *Enabledness*: whether a transition is enabled, and whether it is listed at all, depends only on the process's local state and on the
///   locations it reads as guards. A step that can change it *writes or accumulates* one of them; a conflict is not enough.
///   A process that no step of another process can disable reads no guard.
/// * *Waiting*: a process that waits is listed. Only its own steps finish it.
/// * *Equality*: states with equal fingerprints have equal futures, and their ends have equal failures.
/// * *Births*: a step reports the processes that exist because of it.
/// * *Finished processes* are not listed by `pending`.
///
/// # Example
/// Two processes that each write their name into one variable.
/// ```
/// use mazurka_core::{Effects, Features, Footprint, Location, Pending, Process, Program, Transition};
///
/// struct TwoWriters;
///
/// #[derive(Clone)]
/// struct State { x: u32, done: [bool; 2] }
///
/// impl Program for TwoWriters {
///     type State = State;
///     fn start(&self) -> State { State { x: 9, done: [false; 2] } }
///     fn pending(&self, state: &State, out: &mut Vec<Pending>) {
///         for p in 0..2 {
///             if !state.done[p] {
///                 out.push(Pending { transition: Transition::of(Process(p as u32)), enabled: true });
///             }
///         }
///     }
///     fn footprint(&self, _: &State, _: Transition, out: &mut Footprint) { out.overwrite(Location(0)); }
///     fn step(&self, state: &mut State, t: Transition, _: &mut Effects) {
///         state.x = t.process.0;
///         state.done[t.process.index()] = true;
///     }
///     fn fingerprint(&self, state: &State) -> u128 {
///         u128::from(state.x) << 2 | u128::from(state.done[0]) << 1 | u128::from(state.done[1])
///     }
///     fn features(&self) -> Features {
///         Features { terminating: true, ..Features::STATIC }
///     }
/// }
/// ```
pub trait Program {
    /// Everything the future depends on. If it is `Clone`, the search keeps snapshots, and `clone_from` into an old state should reuse its
    /// memory. If not, the search re-executes from the start ([`crate::replaying_search`]).
    type State;

    /// The initial state.
    fn start(&self) -> Self::State;

    /// Appends every transition of every unfinished process, enabled or not, oldest process first. The order must be a function of
    /// the state.
    fn pending(&self, state: &Self::State, out: &mut Vec<Pending>);

    /// Some transition that can be taken, by chance: each has one, and `draw` gives as many random numbers as are wanted. A program with many
    /// processes may find one without listing all. For single runs; searches that promise something about chances list what is pending.
    fn some_enabled(&self, state: &Self::State, draw: &mut dyn FnMut() -> u64) -> Option<Transition> {
        let mut pending = Vec::new();
        self.pending(state, &mut pending);
        pending.retain(|next| next.enabled);
        let count = pending.len() as u64;
        (count > 0).then(|| pending[(draw() % count) as usize].transition)
    }

    /// Adds what `transition`, pending at `state`, may touch in any context.
    fn footprint(&self, state: &Self::State, transition: Transition, out: &mut Footprint);

    /// Takes an enabled transition and reports its effects. A step that panics fails, and its execution ends there: what other processes
    /// could do afterwards is not looked at, so a front end should catch what its programs may do wrong and say it by [`Effects::failure`].
    /// Otherwise the verdict is right, but `Options::keep_going` does not promise all failures: an algorithm that
    /// leaves out orders may not come to those of processes that a panic is independent of.
    fn step(&self, state: &mut Self::State, transition: Transition, effects: &mut Effects);

    /// Equal states have equal fingerprints; different ones have different fingerprints, except with a probability of about 2⁻¹²⁸.
    /// It must cover everything that the future or a final verdict depends on: shared values, live processes with their local states,
    /// and locals of finished processes if an observer could see them.
    fn fingerprint(&self, state: &Self::State) -> Fingerprint;

    /// Adds everything that is wrong with an execution that ends here, where nothing is enabled. By default that is a deadlock if
    /// some process is unfinished; override it if processes may wait forever, or to check a property of final states.
    fn failures_at_end(&self, state: &Self::State, out: &mut Vec<Failure>) {
        let message = match unfinished(self, state) {
            0 => return,
            1 => "a process waits for ever".to_owned(),
            n => format!("{n} processes wait for ever"),
        };
        out.push(Failure {
            kind: FailureKind::Deadlock,
            message,
            at: None,
        });
    }

    /// What the algorithms may assume; by default nothing.
    fn features(&self) -> Features {
        Features::default()
    }

    /// What the program knows about itself beyond what a search needs; by default nothing. Asked once per search.
    fn insights(&self) -> Insights<'_, Self::State> {
        Insights::default()
    }
}

/// How many processes are unfinished at `state`.
pub fn unfinished<P: Program + ?Sized>(program: &P, state: &P::State) -> usize {
    let mut pending = Vec::new();
    program.pending(state, &mut pending);
    let mut processes: Vec<Process> = pending.iter().map(|p| p.transition.process).collect();
    processes.sort_unstable();
    processes.dedup();
    processes.len()
}

//! What can happen: the one trait through which the engine sees a program.
//!
//! A front end turns text or code into a [`Program`]. The engine never learns which language it came from.

use crate::comparable::Comparable;
use crate::effects::Effects;
use crate::footprint::Footprint;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// Every step runs on one actor ([`Program::actor`]) and touches no other.
    pub actors: bool,
}

impl Default for Features {
    fn default() -> Self {
        Features {
            static_footprints: true,
            static_alternatives: true,
            one_location_per_step: false,
            terminating: true,
            actors: false,
        }
    }
}

/// How the first process to try at a new state is picked. It changes how much work some algorithms do, never what they cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Oldest pending first: the order in which [`Program::pending`] lists transitions.
    #[default]
    Fifo,
    /// Earliest created actor first.
    Eca,
    /// Latest created actor first.
    Lca,
    /// An actor that no other can still send to first (FORTE'14).
    Stable,
    /// Any, decided by a seeded hash of the transition and the depth.
    Random(u64),
}

/// A concurrent program.
///
/// # Contract
/// The searches rely on all of this; [`crate::laws`] checks it, on random walks and at every step of a run with `--paranoid`.
/// * *Determinism*: `step` from equal runs with the same transition gives equal runs and equal effects.
/// * *Identity*: ids of processes and locations do not depend on the schedule.
/// * *Footprints are static*: `footprint` is a function of the process's local state before the step. It contains everything that the
///   step may touch in any context, the reads of its own guard **and of the guards of all alternative transitions of the same process**
///   (marked as guard reads). If the program cannot promise this it says so in [`Features::static_footprints`].
/// * *Each alternative has its own footprint*: `footprint(t)` is that of `t`, with `t`'s choice.
/// * *Enabledness*: whether a transition is enabled, and whether it is listed at all, depends only on the process's local state and on the
///   locations it reads as guards. A step that can change it *writes or accumulates* one of them; a conflict is not enough.
///   A process that no step of another process can disable reads no guard.
/// * *Equality*: runs with equal fingerprints have equal futures, and their ends have equal failures.
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
/// struct Run { x: u32, done: [bool; 2] }
///
/// impl Program for TwoWriters {
///     type Run = Run;
///     fn start(&self) -> Run { Run { x: 9, done: [false; 2] } }
///     fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
///         for p in 0..2 {
///             if !run.done[p] {
///                 out.push(Pending { transition: Transition::of(Process(p as u32)), enabled: true });
///             }
///         }
///     }
///     fn footprint(&self, _: &Run, _: Transition, out: &mut Footprint) { out.write(Location(0)); }
///     fn step(&self, run: &mut Run, t: Transition, effects: &mut Effects) {
///         run.x = t.process.0;
///         run.done[t.process.index()] = true;
///         effects.touched.write(Location(0));
///     }
///     fn fingerprint(&self, run: &Run) -> u128 { u128::from(run.x) << 2 | u128::from(run.done[0]) << 1 | u128::from(run.done[1]) }
/// }
/// ```
pub trait Program {
    /// A state: everything the future depends on. If it is `Clone`, the search keeps snapshots, and `clone_from` into an old run should
    /// reuse its memory. If not, the search re-executes from the start ([`crate::replaying_search`]).
    type Run;

    /// The initial state.
    fn start(&self) -> Self::Run;

    /// Appends every transition of every unfinished process, enabled or not, oldest process first. The order must be a function of
    /// the run.
    fn pending(&self, run: &Self::Run, out: &mut Vec<Pending>);

    /// Adds what `transition`, pending at `run`, may touch in any context.
    fn footprint(&self, run: &Self::Run, transition: Transition, out: &mut Footprint);

    /// Takes an enabled transition and reports its effects.
    fn step(&self, run: &mut Self::Run, transition: Transition, effects: &mut Effects);

    /// Equal runs have equal fingerprints; different ones have different fingerprints, except with a probability of about 2⁻¹²⁸.
    /// It must cover everything that the future or a final verdict depends on: shared values, live processes with their local states,
    /// and locals of finished processes if an observer could see them.
    fn fingerprint(&self, run: &Self::Run) -> Fingerprint;

    /// As [`Program::fingerprint`], but also equal for states that differ only in shared values that no process can still read.
    fn live_fingerprint(&self, run: &Self::Run) -> Fingerprint {
        self.fingerprint(run)
    }

    /// Adds everything that is wrong with an execution that ends here, where nothing is enabled. By default that is a deadlock if
    /// some process is unfinished; override it if processes may wait forever, or to check a property of final states.
    fn failures_at_end(&self, run: &Self::Run, out: &mut Vec<Failure>) {
        let message = match unfinished(self, run) {
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

    /// What evaluating the guard of a pending transition *really* reads at `run`, recorded at each read, not derived from the text. The
    /// laws compare it with what [`Program::footprint`] declares as guards. Returns false if the program cannot observe its own reads.
    fn guard_reads(&self, run: &Self::Run, transition: Transition, out: &mut Footprint) -> bool {
        let _ = (run, transition, out);
        false
    }

    /// Gives the location another value of its type, for the laws: a step whose footprint does not contain the location must still do
    /// the same. Returns false if that cannot be done.
    fn perturb(&self, run: &mut Self::Run, location: Location, seed: u64) -> bool {
        let _ = (run, location, seed);
        false
    }

    /// Adds everything that an unfinished process may touch from here on, in any context: by its steps, the pending ones included, with
    /// what their guards read, and by the steps of all processes that it or its descendants start. Like a footprint, it depends only on the
    /// process's own local state. Returns false if that is not known; the search then assumes that it may touch anything, which is safe
    /// but costs explorations where it must know what it leaves out (`source+context`, `optimal+context`).
    fn future(&self, run: &Self::Run, process: Process, out: &mut Footprint) -> bool {
        let _ = (run, process, out);
        false
    }

    /// Whether any guard of the program may ever read the location. Writes that are never observed need not be ordered, but one
    /// execution does not show whether a guard observes them. `true` is always safe.
    fn may_guard(&self, location: Location) -> bool {
        let _ = location;
        true
    }

    /// What the algorithms may assume.
    fn features(&self) -> Features {
        Features::default()
    }

    /// When `transition` is tried under `order`, smallest first; ties go to the earlier one in [`Program::pending`].
    /// `None` if the program does not know this order. The engine itself handles `Fifo` and `Random`.
    fn precedence(&self, run: &Self::Run, order: Order, transition: Transition) -> Option<u64> {
        let _ = (run, order, transition);
        None
    }

    /// The actor or object on which the pending `transition` will run, for the algorithms that select an actor first and then its tasks.
    /// `Some` for every transition if [`Features::actors`] is set. Steps on different actors must not conflict.
    fn actor(&self, run: &Self::Run, transition: Transition) -> Option<u32> {
        let _ = (run, transition);
        None
    }

    /// The program as one whose values can be compared, if they can be: merging then explores less, and offers more of [`crate::Observe`].
    fn comparable(&self) -> Option<&dyn Comparable<Run = Self::Run>> {
        None
    }
}

/// How many processes are unfinished at `run`.
pub fn unfinished<P: Program + ?Sized>(program: &P, run: &P::Run) -> usize {
    let mut pending = Vec::new();
    program.pending(run, &mut pending);
    let mut processes: Vec<Process> = pending.iter().map(|p| p.transition.process).collect();
    processes.sort_unstable();
    processes.dedup();
    processes.len()
}

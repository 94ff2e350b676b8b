//! A tiny program model for the engine's own tests: processes are lists of steps, steps are lists of reads and writes behind a guard.

use mazurka_core::*;
use std::collections::BTreeSet;

/// One atomic step.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// `(variable, value)`: enabled only while the variable has the value.
    pub guard: Option<(usize, i64)>,
    /// While its guard does not hold, only the first of its alternatives is listed.
    pub unlisted: bool,
    /// `(variable, value)`: panics if it reads this value there.
    pub panics: Option<(usize, i64)>,
    pub reads: Vec<usize>,
    pub writes: Vec<(usize, i64)>,
    /// The process chooses one of this many values to add to what it writes.
    pub choices: u32,
    /// Another process to start.
    pub spawns: Option<usize>,
    /// Waits for the end of another process, and names its last step instead of conflicting with it.
    pub joins: Option<usize>,
}

/// Processes with their steps; those that some step spawns start then, the others at once.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub processes: Vec<Vec<Step>>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub values: Vec<i64>,
    pub pcs: Vec<usize>,
    pub alive: Vec<bool>,
    pub seen: Vec<Vec<i64>>,
    /// How many steps were taken, and after how many each process took its last one.
    pub taken: u32,
    pub last: Vec<Option<u32>>,
}

pub const VARIABLES: usize = 4;

/// What a step says when it panics.
pub const PANIC: &str = "out of cheese";

impl Program for Script {
    type State = State;

    fn start(&self) -> State {
        let n = self.processes.len();
        let mut alive = vec![true; n];
        for step in self.processes.iter().flatten() {
            if let Some(child) = step.spawns {
                alive[child] = false;
            }
        }
        State {
            values: vec![0; VARIABLES],
            pcs: vec![0; n],
            alive,
            seen: vec![Vec::new(); n],
            taken: 0,
            last: vec![None; n],
        }
    }

    fn pending(&self, state: &State, out: &mut Vec<Pending>) {
        for (p, steps) in self.processes.iter().enumerate() {
            if let (true, Some(step)) = (state.alive[p], steps.get(state.pcs[p])) {
                let ended = |q: usize| state.alive[q] && state.pcs[q] == self.processes[q].len();
                let enabled = step.guard.is_none_or(|(x, v)| state.values[x] == v) && step.joins.is_none_or(ended);
                let listed = if enabled || !step.unlisted { step.choices.max(1) } else { 1 };
                for choice in 0..listed {
                    out.push(Pending {
                        transition: Transition {
                            process: Process(p as u32),
                            choice,
                        },
                        enabled,
                    });
                }
            }
        }
    }

    fn footprint(&self, state: &State, t: Transition, out: &mut Footprint) {
        let step = &self.processes[t.process.index()][state.pcs[t.process.index()]];
        if let Some((x, _)) = step.guard {
            out.guard(Location(x as u32));
        }
        let reads = step.reads.iter().chain(step.panics.iter().map(|(x, _)| x));
        reads.for_each(|x| out.read(Location(*x as u32)));
        step.writes.iter().for_each(|(x, _)| out.overwrite(Location(*x as u32)));
    }

    fn step(&self, state: &mut State, t: Transition, effects: &mut Effects) {
        let p = t.process.index();
        let step = &self.processes[p][state.pcs[p]];
        assert!(step.panics.is_none_or(|(x, v)| state.values[x] != v), "{PANIC}");
        for x in &step.reads {
            state.seen[p].push(state.values[*x]);
        }
        for (x, v) in &step.writes {
            state.values[*x] = v + i64::from(t.choice);
        }
        if let Some(child) = step.spawns {
            state.alive[child] = true;
            effects.births.push(Process(child as u32));
        }
        effects.after.extend(step.joins.and_then(|q| state.last[q]));
        state.last[p] = Some(state.taken);
        state.taken += 1;
        state.pcs[p] += 1;
    }

    fn fingerprint(&self, state: &State) -> u128 {
        let text = format!("{:?} {:?} {:?} {:?}", state.values, state.pcs, state.alive, state.seen);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u128, b| {
            (h ^ u128::from(b)).wrapping_mul(0x0000_0100_0000_01b3_0000_0001)
        })
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }

    fn insights(&self) -> Insights<'_, State> {
        Insights {
            guard_locations: Some(self),
            ..Insights::default()
        }
    }
}

impl GuardLocations for Script {
    fn may_guard(&self, location: Location) -> bool {
        self.processes
            .iter()
            .flatten()
            .any(|s| s.guard.is_some_and(|(x, _)| x == location.index()))
    }
}

/// Collects complete executions as traces in a canonical form, and final states.
#[derive(Default, Debug, PartialEq, Eq, Clone)]
pub struct Seen {
    pub traces: BTreeSet<String>,
    pub finals: BTreeSet<u128>,
    pub executions: usize,
    pub deadlocks: BTreeSet<u128>,
    /// What the processes saw and how far they came.
    pub outcomes: BTreeSet<String>,
}

pub struct Collect<'a>(pub &'a Script, pub &'a mut Seen);

impl Observer<<Script as Program>::State> for Collect<'_> {
    fn execution(&mut self, schedule: &[Transition], state: &State, ending: Ending) {
        match ending {
            Ending::Finished | Ending::Deadlock => {
                self.1.executions += 1;
                self.1.outcomes.insert(format!("{:?} {:?}", state.seen, state.pcs));
                self.1.traces.insert(canonical(self.0, schedule));
                self.1.finals.insert(self.0.fingerprint(state));
                if ending == Ending::Deadlock {
                    self.1.deadlocks.insert(self.0.fingerprint(state));
                }
            }
            _ => {}
        }
    }
}

/// The dependent pairs of an execution, in a form that equivalent executions share.
pub fn canonical(script: &Script, schedule: &[Transition]) -> String {
    let mut state = script.start();
    let mut events: Vec<(Transition, usize, Footprint)> = Vec::new();
    let mut pairs = BTreeSet::new();
    let mut effects = Effects::default();
    for t in schedule {
        let nth = events.iter().filter(|e| e.0.process == t.process).count();
        let mut f = Footprint::new();
        script.footprint(&state, *t, &mut f);
        pairs.insert(format!("{}.{nth}:{}", t.process.0, t.choice));
        for (u, n, g) in &events {
            if u.process != t.process && f.conflicts(g) {
                pairs.insert(format!("{}.{n}<{}.{nth}", u.process.0, t.process.0));
            }
        }
        events.push((*t, nth, f));
        effects.clear();
        script.step(&mut state, *t, &mut effects);
    }
    format!("{pairs:?}")
}

/// Runs an algorithm of the table to the end.
pub fn explore(script: &Script, algorithm: &str, order: Order, replay: bool) -> (Seen, Outcome) {
    explore_with(script, Algorithm::parse(algorithm).unwrap(), order, replay)
}

/// Runs any algorithm to the end.
pub fn explore_with(script: &Script, algorithm: Algorithm, order: Order, replay: bool) -> (Seen, Outcome) {
    let mut seen = Seen::default();
    let options = Options::new(algorithm)
        .order(order)
        .replay(replay)
        .keep_going(true)
        .deadlock_is_error(false);
    let outcome = {
        let mut search = search(script, &options, Collect(script, &mut seen)).unwrap();
        while search.advance(1 << 20) == Status::Running {}
        search.outcome()
    };
    (seen, outcome)
}

/// A small deterministic random number generator (SplitMix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A random script of at most ten steps.
pub fn random_script(rng: &mut Rng, guards: bool, choices: bool) -> Script {
    let n = 2 + rng.below(3);
    let mut budget = 8;
    let mut processes = Vec::new();
    for _ in 0..n {
        let steps = (1 + rng.below(3)).min(budget);
        budget -= steps;
        let mut process = Vec::new();
        for _ in 0..steps {
            let mut step = Step::default();
            for _ in 0..rng.below(3) {
                step.reads.push(rng.below(VARIABLES - 1));
            }
            for _ in 0..rng.below(3) {
                step.writes.push((rng.below(VARIABLES - 1), rng.below(3) as i64));
            }
            if guards && rng.below(3) == 0 {
                step.guard = Some((rng.below(VARIABLES - 1), rng.below(2) as i64));
            }
            if choices && rng.below(5) == 0 {
                step.choices = 2 + rng.below(2) as u32;
            }
            process.push(step);
        }
        processes.push(process);
    }
    if rng.below(3) == 0 && n > 2 {
        let child = n - 1;
        let parent = rng.below(child);
        let at = rng.below(processes[parent].len());
        processes[parent][at].spawns = Some(child);
    }
    Script { processes }
}

impl StateSpace for Script {}

impl Describe for Script {
    fn process_key(&self, process: Process) -> String {
        process.0.to_string()
    }

    fn describe(&self, _: &State, t: Transition) -> StepText {
        StepText {
            label: format!("step of {}", t.process.0),
            ..StepText::default()
        }
    }

    fn location_name(&self, location: Location) -> String {
        format!("x{}", location.0)
    }

    fn values(&self, state: &State) -> Vec<(String, String)> {
        state
            .values
            .iter()
            .enumerate()
            .map(|(x, v)| (format!("x{x}"), v.to_string()))
            .collect()
    }
}

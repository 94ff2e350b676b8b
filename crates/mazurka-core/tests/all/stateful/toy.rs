//! A toy of the paper's computation model: processes are control flow graphs whose edges are guarded commands over shared variables.

use mazurka_core::{AccessSet, Alternatives, Failure, FailureKind, Location, Mode, Process, Statement, States, Successor, Transition};

/// One guarded command.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Enabled while all these variables have these values.
    pub guard: Vec<(usize, u8)>,
    /// Variables read besides.
    pub reads: Vec<usize>,
    /// The assignment.
    pub write: Option<(usize, u8)>,
    /// Where it leads.
    pub to: Jump,
    /// An assertion that does not hold.
    pub fails: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug)]
pub enum Jump {
    To(usize),
    /// To the first node if the variable, which the edge reads, has the value before the step, else to the second.
    If(usize, u8, usize, usize),
}

impl Default for Jump {
    fn default() -> Self {
        Jump::To(0)
    }
}

impl Jump {
    pub fn targets(self) -> [usize; 2] {
        match self {
            Jump::To(n) => [n, n],
            Jump::If(_, _, a, b) => [a, b],
        }
    }
}

pub fn read(var: usize, to: usize) -> Edge {
    Edge {
        reads: vec![var],
        to: Jump::To(to),
        ..Edge::default()
    }
}

pub fn write(var: usize, value: u8, to: usize) -> Edge {
    Edge {
        write: Some((var, value)),
        to: Jump::To(to),
        ..Edge::default()
    }
}

pub fn branch(var: usize, value: u8, then: usize, other: usize) -> Edge {
    Edge {
        to: Jump::If(var, value, then, other),
        ..Edge::default()
    }
}

/// Per process, per node, the edges that leave it. A node without edges is the end.
#[derive(Clone, Debug)]
pub struct Toy {
    pub vars: usize,
    pub processes: Vec<Vec<Vec<Edge>>>,
    futures: Vec<Vec<Vec<AccessSet>>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub vars: Vec<u8>,
    pub at: Vec<usize>,
}

impl Toy {
    pub fn new(vars: usize, processes: Vec<Vec<Vec<Edge>>>) -> Self {
        let futures = processes.iter().map(|nodes| futures(nodes)).collect();
        Toy { vars, processes, futures }
    }

    pub fn edge(&self, state: &State, t: Transition) -> &Edge {
        &self.processes[t.process.index()][state.at[t.process.index()]][t.choice as usize]
    }

    pub fn accesses(&self, state: &State, t: Transition) -> AccessSet {
        accesses(self.edge(state, t))
    }

    pub fn enabled(&self, state: &State) -> Vec<Transition> {
        self.pending(state).into_iter().filter(|p| p.1).map(|p| p.0).collect()
    }

    fn number(&self, process: usize, node: usize, choice: usize) -> u32 {
        let nodes = self.processes[..process].iter().flatten().map(Vec::len).sum::<usize>();
        let edges = self.processes[process][..node].iter().map(Vec::len).sum::<usize>();
        (nodes + edges + choice) as u32
    }
}

fn accesses(edge: &Edge) -> AccessSet {
    let mut set = AccessSet::new();
    let test = if let Jump::If(var, ..) = edge.to { Some(var) } else { None };
    for var in edge.guard.iter().map(|g| g.0).chain(edge.reads.iter().copied()).chain(test) {
        set.insert(Location(var as u32), Mode::Read);
    }
    if let Some((var, _)) = edge.write {
        set.insert(Location(var as u32), Mode::Write);
    }
    set
}

/// Everything that can be accessed from each edge on.
fn futures(nodes: &[Vec<Edge>]) -> Vec<Vec<AccessSet>> {
    let mut futures: Vec<Vec<AccessSet>> = nodes.iter().map(|edges| edges.iter().map(accesses).collect()).collect();
    loop {
        let mut changed = false;
        for (node, edges) in nodes.iter().enumerate() {
            for (choice, edge) in edges.iter().enumerate() {
                for target in edge.to.targets() {
                    for next in futures[target].clone() {
                        changed |= futures[node][choice].union(&next);
                    }
                }
            }
        }
        if !changed {
            return futures;
        }
    }
}

impl Toy {
    pub fn start(&self) -> State {
        State {
            vars: vec![0; self.vars],
            at: vec![0; self.processes.len()],
        }
    }

    /// Every edge of every process, and whether it is enabled.
    fn pending(&self, state: &State) -> Vec<(Transition, bool)> {
        let mut all = Vec::new();
        for (p, nodes) in self.processes.iter().enumerate() {
            for (choice, edge) in nodes[state.at[p]].iter().enumerate() {
                let transition = Transition {
                    process: Process(p as u32),
                    choice: choice as u32,
                };
                all.push((transition, edge.guard.iter().all(|(var, value)| state.vars[*var] == *value)));
            }
        }
        all
    }

    pub fn step(&self, state: &mut State, t: Transition) -> Option<Failure> {
        let p = t.process.index();
        let edge = self.edge(state, t).clone();
        let failure = edge.fails.then(|| Failure {
            kind: FailureKind::Assertion,
            message: format!("process {p} at {} by {}", state.at[p], t.choice),
            at: None,
        });
        state.at[p] = match edge.to {
            Jump::To(node) => node,
            Jump::If(var, value, then, _) if state.vars[var] == value => then,
            Jump::If(_, _, _, other) => other,
        };
        if let Some((var, value)) = edge.write {
            state.vars[var] = value;
        }
        failure
    }
}

impl States for &Toy {
    type State = State;

    fn start(&self) -> (State, Option<Failure>) {
        (Toy::start(self), None)
    }

    fn fingerprint(&self, state: &State) -> u128 {
        let cells = state.vars.iter().map(|v| u128::from(*v)).chain(state.at.iter().map(|n| *n as u128));
        cells.fold(1, |print, cell| print * 16 + cell)
    }

    fn failures_at_end(&self, state: &State, out: &mut Vec<Failure>) {
        if !self.pending(state).is_empty() {
            out.push(Failure {
                kind: FailureKind::Deadlock,
                message: "a process waits for ever".to_owned(),
                at: None,
            });
        }
    }

    fn knows_alternatives(&self) -> bool {
        true
    }

    fn encode(&self, state: &State, out: &mut Vec<u8>) -> bool {
        out.extend(&state.vars);
        out.extend(state.at.iter().map(|n| *n as u8));
        true
    }

    fn successors(&self, state: &State, mut visit: impl FnMut(Successor<'_, State>)) {
        for transition in self.enabled(state) {
            let (p, mut after) = (transition.process.index(), state.clone());
            let failure = self.step(&mut after, transition);
            visit(Successor {
                transition,
                alternative: transition.choice,
                after: &mut after,
                failure,
                statements: &[self.number(p, state.at[p], transition.choice as usize)],
            });
        }
    }

    fn alternatives(&self, state: &State, out: &mut Alternatives) {
        for (transition, enabled) in self.pending(state) {
            let p = transition.process.index();
            let alternative = out.push(transition, enabled);
            for (var, _) in &self.edge(state, transition).guard {
                alternative.guard.insert(Location(*var as u32), Mode::Read);
            }
            alternative.init.union(&self.accesses(state, transition));
            alternative.future.union(&self.futures[p][state.at[p]][transition.choice as usize]);
        }
    }

    fn advances(&self, before: &State, process: Process, after: &State) -> bool {
        after.at[process.index()] > before.at[process.index()]
    }

    fn statements(&self) -> Vec<Statement> {
        let mut all = Vec::new();
        for (p, nodes) in self.processes.iter().enumerate() {
            for (node, edges) in nodes.iter().enumerate() {
                all.extend((0..edges.len()).map(|choice| Statement {
                    part: format!("process {p}"),
                    text: format!("{node}.{choice}"),
                    at: None,
                }));
            }
        }
        all
    }
}

//! A front end for a small language: parser, [`Program`] and [`Describe`]; then the laws, and all that `mazurka check` does.
//!
//! Each line is a process, `alice: copy seen x; add seen 1; copy x seen`. Its steps are atomic, and variables begin with 0. Run it with
//! `cargo run -p mazurka-cli --example new_front_end -- FILE`, and the options of `mazurka check` after the file.

use mazurka_core::{
    Describe, Effects, Failure, FailureKind, Features, Fingerprint, Footprint, Location, Pending, Process, Program, StateSpace, StepText,
    Transition, laws,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

/// One step; variables are numbers.
enum Step {
    Set(usize, i64),
    Add(usize, i64),
    Copy(usize, usize),
    Await(usize, i64),
    Assert(usize, i64),
}

#[derive(Default)]
struct Script {
    variables: Vec<String>,
    /// The name of each process, and its steps with their texts.
    processes: Vec<(String, Vec<(Step, String)>)>,
}

impl Script {
    fn parse(text: &str) -> Result<Script, String> {
        let mut script = Script::default();
        for line in text.lines() {
            let (name, steps) = line.split_once(':').ok_or_else(|| format!("`{line}` has no `name:`"))?;
            let mut process = Vec::new();
            for text in steps.split(';').map(str::trim) {
                let step = script.parse_step(text).ok_or_else(|| format!("`{text}` is not a step"))?;
                process.push((step, text.to_owned()));
            }
            script.processes.push((name.to_owned(), process));
        }
        Ok(script)
    }

    fn parse_step(&mut self, text: &str) -> Option<Step> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[word, x, operand] = &words[..] else { return None };
        let x = self.variable(x);
        let number = operand.parse().ok();
        Some(match word {
            "set" => Step::Set(x, number?),
            "add" => Step::Add(x, number?),
            "copy" => Step::Copy(x, self.variable(operand)),
            "await" => Step::Await(x, number?),
            "assert" => Step::Assert(x, number?),
            _ => return None,
        })
    }

    fn variable(&mut self, name: &str) -> usize {
        let known = self.variables.iter().position(|v| v == name);
        known.unwrap_or_else(|| {
            self.variables.push(name.to_owned());
            self.variables.len() - 1
        })
    }

    /// What a process does next, if it is not finished.
    fn next(&self, state: &State, process: Process) -> Option<&(Step, String)> {
        self.processes[process.index()].1.get(state.counters[process.index()])
    }
}

/// Everything that the future depends on: the variables, and how many steps each process has taken.
#[derive(Clone, Hash)]
struct State {
    values: Vec<i64>,
    counters: Vec<usize>,
}

impl Program for Script {
    type State = State;

    fn start(&self) -> State {
        let (values, counters) = (vec![0; self.variables.len()], vec![0; self.processes.len()]);
        State { values, counters }
    }

    fn pending(&self, state: &State, out: &mut Vec<Pending>) {
        for process in (0..self.processes.len() as u32).map(Process) {
            let enabled = match self.next(state, process) {
                Some((Step::Await(x, n), _)) => state.values[*x] == *n,
                Some(_) => true,
                None => continue,
            };
            let transition = Transition::of(process);
            out.push(Pending { transition, enabled });
        }
    }

    fn footprint(&self, state: &State, next: Transition, out: &mut Footprint) {
        let location = |x: &usize| Location(*x as u32);
        match self.next(state, next.process).map(|(step, _)| step) {
            Some(Step::Set(x, _)) => out.overwrite(location(x)),
            Some(Step::Add(x, _)) => out.accumulate(location(x)), // additions commute
            Some(Step::Copy(x, y)) => {
                out.read(location(y));
                out.overwrite(location(x));
            }
            Some(Step::Await(x, _)) => out.guard(location(x)),
            Some(Step::Assert(x, _)) => out.read(location(x)),
            None => {}
        }
    }

    fn step(&self, state: &mut State, next: Transition, effects: &mut Effects) {
        let Some((step, text)) = self.next(state, next.process) else {
            return;
        };
        match *step {
            Step::Set(x, n) => state.values[x] = n,
            Step::Add(x, n) => state.values[x] = state.values[x].wrapping_add(n),
            Step::Copy(x, y) => state.values[x] = state.values[y],
            Step::Assert(x, n) if state.values[x] != n => {
                let (kind, message) = (FailureKind::Assertion, text.clone());
                effects.failure = Some(Failure { kind, message, at: None });
            }
            Step::Await(..) | Step::Assert(..) => {}
        }
        state.counters[next.process.index()] += 1;
    }

    fn fingerprint(&self, state: &State) -> Fingerprint {
        let half = |salt: u32| {
            let mut hasher = DefaultHasher::new();
            (salt, state).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }

    fn features(&self) -> Features {
        let terminating = true; // there are no loops
        Features {
            terminating,
            ..Features::STATIC
        }
    }
}

impl Describe for Script {
    fn process_key(&self, process: Process) -> String {
        process.0.to_string()
    }

    fn process_name(&self, _: &State, process: Process) -> String {
        self.processes[process.index()].0.clone()
    }

    fn describe(&self, state: &State, next: Transition) -> StepText {
        let label = self.next(state, next.process).map_or(String::new(), |(_, text)| text.clone());
        StepText {
            label,
            ..StepText::default()
        }
    }

    fn location_name(&self, location: Location) -> String {
        self.variables[location.index()].clone()
    }

    fn values(&self, state: &State) -> Vec<(String, String)> {
        let named = |(name, value): (&String, &i64)| (name.clone(), value.to_string());
        self.variables.iter().zip(&state.values).map(named).collect()
    }
}

impl StateSpace for Script {}

/// Reads the file, checks that the front end tells the truth about it, and does what `mazurka check` does.
pub fn check(file: String, arguments: impl Iterator<Item = String>) -> Result<ExitCode, String> {
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let script = Script::parse(&text)?;
    laws::check(&script, &laws::Effort::default()).map_err(|broken| broken.explain(&script))?;
    Ok(mazurka_cli::check(mazurka_cli::Session::new(script, file), arguments))
}

/// `new_front_end FILE [OPTIONS]`.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_default();
    check(file, arguments).unwrap_or_else(|message| {
        eprintln!("error: {message}");
        ExitCode::from(2)
    })
}

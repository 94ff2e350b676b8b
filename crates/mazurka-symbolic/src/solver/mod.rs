//! The door to a solver: any SMT-LIB solver, as a process.
//!
//! What is asserted follows the search: a class of inputs is a list of answers, and the solver's stack has a level for each of them, so what
//! two classes have in common is asserted once. Solvers answer `sat`, `unsat` or `unknown`, and nothing here takes `unknown` for one of the
//! others.

mod cores;
mod linear;
mod models;
mod process;
mod row;
mod smt;
mod text;

pub use models::Model;
pub use process::{Setup, SolverError};

use crate::inputs::Inputs;
use cores::Cores;
use linear::{Sums, Verdict};
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Condition;
use process::Process;
use std::fmt::Write;

/// The answer to a condition: that it holds, or that it does not.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The condition.
    pub condition: Condition,
    /// Whether it holds.
    pub holds: bool,
    key: (u128, bool),
}

impl Answer {
    /// That this condition holds, or does not.
    pub fn new(condition: Condition, holds: bool) -> Self {
        let key = (condition.hash(), holds);
        Answer { condition, holds, key }
    }

    /// What tells it from others.
    pub fn key(&self) -> (u128, bool) {
        self.key
    }
}

/// What a solver says.
#[derive(Clone, Debug)]
pub enum Reply {
    /// These values satisfy everything.
    Sat(Model),
    /// Nothing does.
    Unsat,
    /// It cannot say, or not in time.
    Unknown,
}

/// How often the solver was needed.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Queries {
    /// Questions that went to the process.
    pub asked: u64,
    /// Questions that a known core of an earlier contradiction answered.
    pub by_core: u64,
    /// Questions that the values of an earlier reply answered.
    pub by_model: u64,
    /// Questions about sums that needed no solver.
    pub by_sums: u64,
    /// Questions without an answer.
    pub unknown: u64,
}

impl Queries {
    /// What was needed since then.
    #[must_use]
    pub fn since(self, before: Queries) -> Queries {
        Queries {
            asked: self.asked - before.asked,
            by_core: self.by_core - before.by_core,
            by_model: self.by_model - before.by_model,
            by_sums: self.by_sums - before.by_sums,
            unknown: self.unknown - before.unknown,
        }
    }
}

/// A solver with what it was told.
pub struct Solver {
    setup: Setup,
    process: Process,
    asserted: Vec<(Answer, u64)>,
    declared: u32,
    names: u64,
    cores: Cores,
    sums: Sums,
    recent: Vec<Model>,
    /// How often it was needed.
    pub queries: Queries,
}

/// Numbers up to this size are preferred: people read them more easily.
const SMALL: i64 = 12;

/// What is tried without asking anybody.
const GUESSES: [i64; 13] = [0, 1, -1, 2, -2, 3, -3, 4, 5, 7, 10, -7, -10];

/// So many sets of values are remembered.
const RECENT: usize = 16;

impl Solver {
    /// Starts a solver.
    ///
    /// # Errors
    /// It cannot be started, or is no solver.
    pub fn start(setup: &Setup) -> Result<Self, SolverError> {
        Ok(Solver {
            setup: setup.clone(),
            process: Process::start(setup)?,
            asserted: Vec::new(),
            declared: 0,
            names: 0,
            cores: Cores::default(),
            sums: Sums::default(),
            recent: Vec::new(),
            queries: Queries::default(),
        })
    }

    /// Forgets everything: what follows is about other inputs.
    ///
    /// # Errors
    /// The solver died.
    pub fn forget(&mut self) -> Result<(), SolverError> {
        self.process.reset()?;
        self.asserted.clear();
        self.declared = 0;
        self.cores = Cores::default();
        self.sums = Sums::default();
        self.recent.clear();
        Ok(())
    }

    /// Whether all these answers can be given together, by which values of the inputs. All but the last `fresh` are known to be possible together.
    ///
    /// # Errors
    /// The solver died, or says what no solver should say.
    pub fn check(&mut self, inputs: &Inputs, answers: &[Answer], fresh: usize) -> Result<Reply, SolverError> {
        if self.cores.contradict(answers, fresh) {
            self.queries.by_core += 1;
            return Ok(Reply::Unsat);
        }
        if let Some(model) = self.recent.iter().rev().find(|model| model.satisfies(inputs, answers)) {
            self.queries.by_model += 1;
            return Ok(Reply::Sat(model.clone()));
        }
        if let Some(model) = self.guess(inputs, answers) {
            self.queries.by_model += 1;
            self.remember(&model);
            return Ok(Reply::Sat(model));
        }
        match self.sums.solve(answers) {
            Verdict::Values(model) if model.satisfies(inputs, answers) => {
                self.queries.by_sums += 1;
                self.remember(&model);
                return Ok(Reply::Sat(model));
            }
            Verdict::Contradiction(core) => {
                self.queries.by_sums += 1;
                self.cores.add(core.into_iter().map(|place| answers[place].key()).collect());
                return Ok(Reply::Unsat);
            }
            Verdict::Values(_) | Verdict::Open => {}
        }
        self.queries.asked += 1;
        let reply = match self.question(inputs, answers) {
            // Out of time in the middle of something else than an answer: what was asserted is not known any more.
            Err(SolverError::Strange(said)) if said.contains("canceled") || said.contains("timeout") => {
                self.process.settle()?;
                self.process.reset()?;
                self.asserted.clear();
                self.declared = 0;
                Reply::Unknown
            }
            // Some questions make a solver forget its own limit: another one goes on with the next question.
            Err(SolverError::Silent(_)) => {
                self.process = Process::start(&self.setup)?;
                self.asserted.clear();
                self.declared = 0;
                Reply::Unknown
            }
            other => other?,
        };
        match &reply {
            Reply::Sat(model) => {
                if !model.satisfies(inputs, answers) {
                    return Err(SolverError::Strange(
                        "values that do not satisfy what they were asked for".to_owned(),
                    ));
                }
                self.remember(model);
            }
            Reply::Unknown => self.queries.unknown += 1,
            Reply::Unsat => {}
        }
        Ok(reply)
    }

    /// Asks the process.
    fn question(&mut self, inputs: &Inputs, answers: &[Answer]) -> Result<Reply, SolverError> {
        self.declare(inputs)?;
        self.follow(inputs, answers)?;
        Ok(match self.process.ask("(check-sat)\n")?.as_str() {
            "sat" => {
                let model = self.values(inputs)?;
                let easy = smt::numbers(answers).iter().all(|number| model.is_small(*number));
                Reply::Sat(if easy {
                    model
                } else {
                    self.smaller(inputs, answers)?.unwrap_or(model)
                })
            }
            "unsat" => {
                self.learn()?;
                Reply::Unsat
            }
            "unknown" | "timeout" => Reply::Unknown,
            other => return Err(SolverError::Strange(other.to_owned())),
        })
    }

    fn remember(&mut self, model: &Model) {
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(model.clone());
    }

    /// Values that people read more easily, if there are any.
    fn smaller(&mut self, inputs: &Inputs, answers: &[Answer]) -> Result<Option<Model>, SolverError> {
        let mut told = String::from("(push 1)\n");
        for number in smt::numbers(answers) {
            let _ = writeln!(told, "(assert (and (<= (- {SMALL}) i{number}) (<= i{number} {SMALL})))");
        }
        told.push_str("(check-sat)\n");
        let model = match self.process.ask(&told)?.as_str() {
            "sat" => Some(self.values(inputs)?),
            _ => None,
        };
        self.process.tell("(pop 1)\n")?;
        Ok(model)
    }

    /// Values near those that were found last, with other small numbers for what the last answer is about: most questions need no solver.
    fn guess(&self, inputs: &Inputs, answers: &[Answer]) -> Option<Model> {
        let newest = answers.last()?;
        let numbers = smt::numbers(std::slice::from_ref(newest));
        let mut model = self.recent.last().cloned().unwrap_or_default();
        for number in numbers.iter().take(3) {
            let before = model.value(inputs, *number);
            for guess in GUESSES {
                model.set(*number, Value::Int(guess));
                if model.satisfies(inputs, std::slice::from_ref(newest)) && model.satisfies(inputs, answers) {
                    return Some(model);
                }
            }
            model.set(*number, before);
        }
        None
    }

    fn declare(&mut self, inputs: &Inputs) -> Result<(), SolverError> {
        let mut told = String::new();
        for number in self.declared..inputs.len() {
            if let Some(sort) = smt::sort(inputs.get(number).sort) {
                let _ = writeln!(told, "(declare-const i{number} {sort})");
            }
        }
        self.declared = inputs.len();
        self.process.tell(&told)
    }

    /// Leaves the answers that the stack has too many, and asserts those that it lacks.
    fn follow(&mut self, inputs: &Inputs, answers: &[Answer]) -> Result<(), SolverError> {
        let common = self
            .asserted
            .iter()
            .zip(answers)
            .take_while(|((a, _), b)| a.key() == b.key())
            .count();
        let mut told = String::new();
        let leave = self.asserted.len() - common;
        if leave > 0 {
            let _ = writeln!(told, "(pop {leave})");
            self.asserted.truncate(common);
        }
        for answer in &answers[common..] {
            let text = smt::condition(inputs, answer);
            let _ = writeln!(told, "(push 1)\n(assert (! {text} :named a{}))", self.names);
            self.asserted.push((answer.clone(), self.names));
            self.names += 1;
        }
        self.process.tell(&told)
    }

    /// Remembers why what is asserted cannot hold together.
    fn learn(&mut self) -> Result<(), SolverError> {
        let said = self.process.ask("(get-unsat-core)\n")?;
        let named: Vec<u64> = said
            .trim_matches(['(', ')'])
            .split_whitespace()
            .filter_map(|name| name.strip_prefix('a')?.parse().ok())
            .collect();
        // A solver that names no core has none to give.
        if !named.is_empty() {
            let core = self.asserted.iter().filter(|(_, name)| named.contains(name));
            self.cores.add(core.map(|(answer, _)| answer.key()).collect());
        }
        Ok(())
    }

    /// The values that the solver found.
    fn values(&mut self, inputs: &Inputs) -> Result<Model, SolverError> {
        let wanted: Vec<u32> = (0..inputs.len()).filter(|n| smt::sort(inputs.get(*n).sort).is_some()).collect();
        let mut model = Model::default();
        if wanted.is_empty() {
            return Ok(model);
        }
        let list: Vec<String> = wanted.iter().map(|n| format!("i{n}")).collect();
        let said = self.process.ask(&format!("(get-value ({}))\n", list.join(" ")))?;
        let read = text::read(&said).ok_or_else(|| SolverError::Strange(said.clone()))?;
        for pair in read.list() {
            let [name, value] = pair.list() else { continue };
            let number = name.word().and_then(|word| word.strip_prefix('i')).and_then(|n| n.parse().ok());
            match (number, text::value(value)) {
                (Some(number), Some(value)) => model.set(number, value),
                _ => return Err(SolverError::Strange(said.clone())),
            }
        }
        Ok(model)
    }
}

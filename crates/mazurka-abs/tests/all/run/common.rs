//! What the tests of running models share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use crate::run::laws::obeyed;
use mazurka_abs::model::{Opened, Options, open_text};
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{Machine, Settings};
use mazurka_core::laws::Effort;
use mazurka_core::{Algorithm, Dependency, Effects, Failure, Options as SearchOptions, Outcome, Pending, Program, Status, Unobserved};

/// Opens a model that must be right, and obey the laws.
pub fn model(text: &str, options: &Options) -> Machine {
    let effort = Effort::default().walks(3).steps(60).seed(7);
    obeyed(text, options, &effort).unwrap_or_else(|broken| panic!("{broken}"));
    unchecked(text, options)
}

/// Opens a model that must be right.
pub fn unchecked(text: &str, options: &Options) -> Machine {
    match open_text("model.abs", text, options) {
        Ok(Opened { machine, .. }) => machine,
        Err((sources, diagnostics)) => panic!("{}", diagnostics.render(&sources, false)),
    }
}

/// A model with declarations and a main block.
pub fn with_main(declarations: &str, main: &str) -> String {
    format!("module M;\n{declarations}\n{{\n{main}\n}}\n")
}

/// Options with a dependency.
pub fn dependency(dependency: Dependency) -> Options {
    Options::default().settings(Settings {
        dependency,
        ..Settings::default()
    })
}

/// Searches all of a model, past every failure.
pub fn explore(machine: &Machine, algorithm: &str) -> Outcome {
    let algorithm = Algorithm::parse(algorithm).unwrap_or_else(|e| panic!("{e}"));
    let mut options = SearchOptions::new(algorithm);
    options.keep_going = true;
    options.final_states = true;
    let mut search = mazurka_core::search(machine, &options, Unobserved).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(1_000_000) == Status::Running {}
    search.outcome()
}

/// Runs one schedule, always the oldest task that can move; what was printed and what failed.
pub fn run(machine: &Machine) -> (String, Option<Failure>) {
    let mut run = machine.start();
    let mut pending: Vec<Pending> = Vec::new();
    let mut failure = None;
    loop {
        pending.clear();
        machine.pending(&run, &mut pending);
        let Some(next) = pending.iter().find(|p| p.enabled) else {
            break;
        };
        let mut effects = Effects::default();
        Program::step(machine, &mut run, next.transition, &mut effects);
        failure = failure.or(effects.failure);
    }
    let failure = failure.or_else(|| at_end(machine, &run).into_iter().next());
    (run.output(), failure)
}

/// What is wrong with an execution that ends here.
pub fn at_end(machine: &Machine, run: &Run) -> Vec<Failure> {
    let mut failures = Vec::new();
    machine.failures_at_end(run, &mut failures);
    failures
}

/// What a main block prints; it must not fail.
pub fn prints(declarations: &str, main: &str) -> String {
    let machine = model(&with_main(declarations, main), &Options::default());
    let (output, failure) = run(&machine);
    assert_eq!(failure, None, "{main}");
    output
}

/// What an expression evaluates to, printed.
pub fn value(expression: &str) -> String {
    let text = prints("", &format!("println(toString({expression}));"));
    text.trim_end_matches('\n').to_owned()
}

/// The splitmix64 generator.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// One of the words.
    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

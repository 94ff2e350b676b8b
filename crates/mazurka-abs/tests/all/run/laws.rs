//! What the machine tells the searches is true: the laws hold along random walks, for both dependencies and both meanings of `await`, of every
//! benchmark model, of every model that these tests open, and of random ones.

use crate::run::common::Random;
use crate::run::{random_programs, wild_programs};
use mazurka_abs::model::{Options, open_text};
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{AwaitSemantics, Machine, Settings};
use mazurka_core::laws::{self, Effort};
use mazurka_core::{Dependency, Effects, Footprint, Mode, Pending, Program};

/// Checks the laws of a model, however it is run; says which one is broken and how.
pub fn obeyed(text: &str, options: &Options, effort: &Effort) -> Result<u64, String> {
    let mut states = 0;
    for dependency in [Dependency::Actor, Dependency::Field] {
        for await_semantics in [AwaitSemantics::Formal, AwaitSemantics::Release] {
            let settings = Settings {
                dependency,
                await_semantics,
                // An endless loop is found soon enough.
                step_budget: options.settings.step_budget.min(20_000),
                ..options.settings
            };
            let options = options.clone().settings(settings);
            let machine = match open_text("model.abs", text, &options) {
                Ok(opened) => opened.machine,
                Err((sources, diagnostics)) => return Err(diagnostics.render(&sources, false)),
            };
            let what = |broken: String| format!("{dependency}, {await_semantics:?}: {broken}\n{text}");
            match laws::check(&machine, effort) {
                Ok(walked) => states += walked.states,
                Err(broken) => return Err(what(broken.explain(&machine))),
            }
            certain_writes(&machine, effort).map_err(what)?;
        }
    }
    Ok(states)
}

/// What a footprint calls written for sure is written: searches with observers take it that nobody sees what was there before.
fn certain_writes(machine: &Machine, effort: &Effort) -> Result<(), String> {
    let mut random = Random(effort.seed);
    let mut pending: Vec<Pending> = Vec::new();
    for _ in 0..effort.walks {
        let mut run: Run = machine.start();
        for _ in 0..effort.steps {
            pending.clear();
            machine.pending(&run, &mut pending);
            pending.retain(|p| p.enabled);
            if pending.is_empty() {
                break;
            }
            let next = pending[random.below(pending.len() as u64) as usize].transition;
            let mut footprint = Footprint::new();
            machine.footprint(&run, next, &mut footprint);
            let mut effects = Effects {
                report_touched: true,
                ..Effects::default()
            };
            Program::step(machine, &mut run, next, &mut effects);
            for access in footprint.accesses().iter().filter(|a| a.mode == Mode::Write && !a.maybe) {
                let touched = effects.touched.accesses();
                if !touched.iter().any(|t| t.location == access.location && t.mode == Mode::Write) {
                    return Err(format!("{next:?} does not write {:?}", machine.ids.place(access.location)));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn what_another_object_reads_in_the_same_step_is_not_called_overwritten() {
    let text = "module M; interface I { Int m(); }
        class C implements I { Int x = 0; { x = random(2); } Int m() { x = x + 1; return x; } }
        class D(I r) implements I { Int x = 0; { x = r.m(); } Int m() { return 0; } }
        { I a = new local C(); I b = new local D(a); }";
    let effort = Effort::default().walks(2).steps(10).seed(1);
    obeyed(text, &Options::default(), &effort).unwrap_or_else(|broken| panic!("{broken}"));
}

/// The message of a failed assertion shows fields that were read before the choice.
#[test]
fn an_assertion_that_chooses_tells_what_its_message_reads() {
    let text = "module M; interface I { Unit set(); Unit test(); }
        class C implements I { Int s = 0; Unit set() { s = 1; } Unit test() { assert s + random(2) == 0; } }
        { I a = new C(); a!set(); a!test(); }";
    let effort = Effort::default().walks(20).steps(10).seed(1);
    obeyed(text, &Options::default(), &effort).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn the_benchmark_models_obey_the_laws() {
    let effort = Effort::default().walks(2).steps(60).seed(1);
    for text in crate::run::mutants::models() {
        obeyed(&text, &Options::default(), &effort).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

/// `SEEDS=5000 cargo test -p mazurka-abs laws` looks at more of them.
fn seeds() -> std::ops::Range<u64> {
    0..std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

#[test]
fn random_models_obey_the_laws() {
    let effort = Effort::default().walks(4).steps(100).seed(1);
    for seed in seeds() {
        obeyed(&random_programs::program(seed), &Options::default(), &effort).unwrap_or_else(|broken| panic!("seed {seed}, {broken}"));
    }
}

#[test]
fn wild_models_obey_the_laws() {
    let effort = Effort::default().walks(4).steps(100).seed(1);
    for seed in seeds() {
        obeyed(&wild_programs::program(seed), &Options::default(), &effort).unwrap_or_else(|broken| panic!("seed {seed}, {broken}"));
    }
}

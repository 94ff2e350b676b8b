//! Our stateful search against SPIN: the same verdict, the same states, the same transitions, the same unreached lines.

mod liveness;
mod overlooked;
mod runner;

use crate::promela_models::{fragments, generator, load, models, search};
use mazurka_core::{FailureKind, Outcome, StateReport, StatefulOptions, Unreached};
use runner::{Answer, Ends};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many random models of each kind are compared; the environment can ask for more.
const RANDOM_MODELS: u64 = 30;

fn random_models() -> u64 {
    std::env::var("MAZURKA_SPIN_MODELS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(RANDOM_MODELS)
}

/// Runs `compare` on all items, two at a time, and fails with all complaints.
fn on_two_threads<T: Send + Sync>(items: &[T], compare: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut complaints = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            complaints.extend(compare(item).err());
        }
        complaints
    };
    let complaints = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut complaints = work();
        complaints.extend(other.join().expect("no panic"));
        complaints
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What SPIN would call the first failure.
fn error(outcome: &Outcome) -> Option<&'static str> {
    outcome.failures.first().map(|f| match f.failure.kind {
        FailureKind::Assertion => "assertion violated",
        FailureKind::Deadlock => "invalid end state",
        _ => "error",
    })
}

/// Process type and line of every statement that was never reached.
fn lines_of(report: &StateReport) -> BTreeSet<(String, u32)> {
    let line = |Unreached(s): &Unreached| Some((s.part.clone(), s.at.as_ref()?.line));
    report.unreached.iter().filter_map(line).collect()
}

/// Whether unreached lines must be the same. How SPIN lists loops inside of unreached code depends on its internal numbering, so random
/// models are left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Compared,
    LeftOut,
}

/// Compares one model, once as it is and once with all end states allowed, which makes SPIN look further.
fn compare(name: &str, path: &Path, lines: Lines) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let Ok(verifier) = runner::compile(path, directory.path()) else {
        return Ok(false);
    };
    let promela = load(path);
    for ends in [Ends::Checked, Ends::Ignored] {
        let Answer {
            stored,
            transitions,
            error: expected,
            cut,
            unreached,
        } = verifier.run(ends)?;
        if cut {
            return Ok(false);
        }
        let (outcome, report) = search(&promela, "stateful", StatefulOptions::default(), |options| {
            options.deadlock_is_error = ends == Ends::Checked;
        });
        let ours = (report.stored, report.transitions, error(&outcome));
        let same_error = match (&expected, error(&outcome)) {
            (None, None) => true,
            (Some(theirs), Some(ours)) => ours == "error" || theirs.starts_with(ours),
            _ => false,
        };
        if !same_error || (report.stored, report.transitions) != (stored, transitions) {
            return Err(format!(
                "{name} ({ends:?}): {ours:?}, but SPIN says {stored}, {transitions}, {expected:?}"
            ));
        }
        let listed = lines_of(&report);
        if lines == Lines::Compared && expected.is_none() && listed != unreached {
            return Err(format!("{name} ({ends:?}): unreached {listed:?}, but SPIN says {unreached:?}"));
        }
    }
    Ok(true)
}

#[test]
fn every_model_has_the_states_and_transitions_that_spin_finds() {
    if !runner::is_installed() {
        return;
    }
    on_two_threads(&models(), |(name, path)| match compare(name, path, Lines::Compared)? {
        true => Ok(()),
        false => Err(format!("{name}: SPIN refuses it")),
    });
}

#[test]
fn fragments_have_the_states_and_transitions_that_spin_finds() {
    if !runner::is_installed() {
        return;
    }
    // SPIN needs gcc for each of them: a part is enough every day, the environment can ask for all.
    let step = if std::env::var_os("MAZURKA_SPIN_FRAGMENTS").is_some() {
        1
    } else {
        6
    };
    let fragments: Vec<_> = fragments::fragments().into_iter().step_by(step).collect();
    on_two_threads(&fragments, |fragment| {
        let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = directory.path().join("fragment.pml");
        std::fs::write(&path, &fragment.text).map_err(|e| e.to_string())?;
        let answer = runner::compile(&path, directory.path())?.run(Ends::Checked)?;
        let theirs = (answer.stored, answer.transitions, answer.error.is_some());
        if theirs == (fragment.states, fragment.transitions, fragment.fails) {
            return Ok(());
        }
        Err(format!("{}: SPIN says {theirs:?}", fragment.name))
    });
}

/// Compares random models; `least` of them, in tenths, must be fit for it.
fn on_random_models(generate: impl Fn(u64) -> String + Sync, compare: impl Fn(&str, &Path) -> Result<bool, String> + Sync, least: u64) {
    on_models(random_models(), generate, compare, least);
}

/// As [`on_random_models`], so many.
fn on_models(
    models: u64,
    generate: impl Fn(u64) -> String + Sync,
    compare: impl Fn(&str, &Path) -> Result<bool, String> + Sync,
    least: u64,
) {
    if !runner::is_installed() {
        return;
    }
    let seeds: Vec<u64> = (1..=models).collect();
    let directory = tempfile::tempdir().expect("a directory");
    let compared = std::sync::atomic::AtomicU64::new(0);
    on_two_threads(&seeds, |seed| {
        let path: PathBuf = directory.path().join(format!("random-{seed}.pml"));
        let text = generate(*seed);
        std::fs::write(&path, &text).map_err(|e| e.to_string())?;
        let done = compare(&format!("seed {seed}"), &path).map_err(|complaint| format!("{complaint}\n{text}"))?;
        compared.fetch_add(u64::from(done), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    let compared = compared.into_inner();
    assert!(
        compared * 10 >= models * least,
        "only {compared} of {models} models could be compared"
    );
}

#[test]
fn random_models_have_the_states_and_transitions_that_spin_finds() {
    on_random_models(generator::model, |name, path| compare(name, path, Lines::LeftOut), 9);
}

/// Compares a model in which anything can go wrong. Where it does, SPIN's verifier may crash (it divides as C does) or go on with another value
/// (an index out of range in an expression that does not matter), so only errors that both know are compared, and states only where nothing fails.
fn compare_hostile(name: &str, path: &Path) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let Ok(verifier) = runner::compile(path, directory.path()) else {
        return Ok(false);
    };
    let promela = load(path);
    for ends in [Ends::Checked, Ends::Ignored] {
        let (outcome, report) = search(&promela, "stateful", StatefulOptions::default(), |options| {
            options.deadlock_is_error = ends == Ends::Checked;
            options.keep_going = true;
        });
        let kinds = |kind| outcome.failures.iter().any(|f| f.failure.kind == kind);
        if kinds(FailureKind::Exception) {
            return Ok(false);
        }
        let theirs = verifier.run(ends)?;
        if theirs.cut {
            return Ok(false);
        }
        let same = match theirs.error.as_deref() {
            None => outcome.failures.is_empty() && (report.stored, report.transitions) == (theirs.stored, theirs.transitions),
            Some(error) if error.starts_with("assertion violated") => kinds(FailureKind::Assertion),
            Some(error) if error.starts_with("invalid end state") => kinds(FailureKind::Deadlock),
            Some(_) => false,
        };
        if !same {
            let ours: Vec<_> = outcome.failures.iter().map(|f| &f.failure.message).collect();
            return Err(format!(
                "{name} ({ends:?}): {} states, {} transitions, {ours:?}, but SPIN says {theirs:?}",
                report.stored, report.transitions
            ));
        }
    }
    Ok(true)
}

#[test]
fn models_as_users_write_them_behave_as_spin_says() {
    let generate = |seed| {
        let mut model = mazurka_laboratory::promela::generate(&mut mazurka_laboratory::random::Numbers::new(seed));
        overlooked::with_conditions_first(&mut model);
        // SPIN goes back to another state after receiving a number that is too large for a `bit` (see docs/src/promela.md).
        model.to_string().replace("bit l;", "byte l;")
    };
    on_random_models(generate, compare_hostile, 5);
}

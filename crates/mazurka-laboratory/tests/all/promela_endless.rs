//! Random models that go on for ever with random formulas: every reduction says what the definition says, with and without fairness, and
//! every execution that is shown can be run again.

use mazurka_laboratory::promela::endless::{check, generate};
use mazurka_laboratory::random::Numbers;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many models; the environment can ask for more.
const MODELS: u64 = 5_000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn random_formulas_mean_what_they_say() {
    let (models, seed) = (number("PROGRAMS", MODELS), number("SEED", 2026));
    let next = AtomicU64::new(0);
    let work = || {
        let (mut compared, mut violated, mut reduced, mut differences) = (0, [0; 2], 0, Vec::new());
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= models || differences.len() > 3 {
                return (compared, violated, reduced, differences);
            }
            let claimed = generate(&mut Numbers::nth(seed, n));
            match check(&claimed.text()) {
                Ok(None) => {}
                Ok(Some(judged)) => {
                    compared += 1;
                    violated[0] += judged.violated[0];
                    violated[1] += judged.violated[1];
                    reduced += judged.reduced;
                }
                Err(what) => differences.push(format!("model {n}: {what}\n{}", claimed.text())),
            }
        }
    };
    let ((mine, theirs), total) = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        ((work(), other.join().expect("no panic")), models)
    });
    let differences = [mine.3, theirs.3].concat();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let compared = mine.0 + theirs.0;
    let violated = [mine.1[0] + theirs.1[0], mine.1[1] + theirs.1[1]];
    let reduced = mine.2 + theirs.2;
    assert!(compared * 10 > total * 7, "only {compared} of {total} models are small enough");
    assert!(
        violated[0] > compared && violated[1] > compared / 2,
        "too little is violated: {violated:?}"
    );
    assert!(violated[0] > violated[1] + compared / 50, "fairness matters nowhere: {violated:?}");
    assert!(reduced > compared / 20, "only {reduced} searches are reduced");
    eprintln!("{compared} models, {violated:?} violated, {reduced} reduced");
}

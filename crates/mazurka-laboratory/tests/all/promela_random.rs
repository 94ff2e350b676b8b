//! Random small models: every algorithm finds what brute force finds.

use crate::promela_models::read as program;
use mazurka_core::{Algorithm, FailureKind, KNOWN, Options, Program};
use mazurka_laboratory::{Budget, Claims, Exceeded, compare, enumerate, explore};
use std::fmt::Write;

/// A small deterministic source of choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// Which parts of the language a model is made of.
#[derive(Clone, Copy)]
struct Taste {
    rendezvous: bool,
    sequences: bool,
    births: bool,
    timeouts: bool,
}

fn expression(dice: &mut Dice) -> String {
    match dice.roll(7) {
        0 => "x".into(),
        1 => "y".into(),
        2 => "a[i]".into(),
        3 => "a[x]".into(),
        4 => format!("{}", dice.roll(3)),
        5 => "i".into(),
        _ => format!("(x + {}) % 2", dice.roll(2)),
    }
}

fn condition(dice: &mut Dice) -> String {
    match dice.roll(8) {
        0 => "len(q) == 1".into(),
        1 => "nempty(q)".into(),
        2 => "q?[1]".into(),
        n if n < 6 => format!("{} == {}", dice.pick(&["x", "y", "a[0]", "a[i]", "i"]), dice.roll(2)),
        _ => format!("{} != {}", dice.pick(&["x", "y"]), dice.pick(&["y", "a[1]", "1"])),
    }
}

fn simple(dice: &mut Dice, taste: Taste) -> String {
    match dice.roll(10) {
        0..=3 => format!("{} = {}", dice.pick(&["x", "y", "a[0]", "a[i]", "i", "x"]), expression(dice)),
        4 => format!("q!{}", dice.roll(2)),
        5 => format!("q?{}", dice.pick(&["i", "1", "eval(x)", "_"])),
        6 => format!("({})", condition(dice)),
        7 => format!("assert({})", dice.pick(&["x < 2", "x != y || y == 0", "true"])),
        8 if taste.rendezvous => dice.pick(&["m!1", "m!0", "m!x", "m?i", "m?1", "m?_"]).to_string(),
        9 if taste.births && dice.roll(2) == 0 => dice.pick(&["run C(1)", "i = run C(0)", "(_nr_pr < 4)"]).to_string(),
        _ => dice.pick(&["x = 1", "y = 1", "skip"]).to_string(),
    }
}

fn statement(dice: &mut Dice, taste: Taste, depth: u32) -> String {
    if depth > 0 && dice.roll(3) == 0 {
        let sequence = |dice: &mut Dice, n| -> Vec<String> { (0..n).map(|_| statement(dice, taste, depth - 1)).collect() };
        return match dice.roll(if taste.sequences { 5 } else { 2 }) {
            0 | 1 => {
                let mut options = String::new();
                for _ in 0..1 + dice.roll(2) {
                    let steps = sequence(dice, 1 + dice.0 % 2);
                    write!(options, " :: {}", steps.join("; ")).unwrap();
                }
                match dice.roll(4) {
                    0 => options += " :: else -> skip",
                    1 if taste.timeouts => options += " :: timeout -> x = 1",
                    _ => {}
                }
                format!("if{options} fi")
            }
            2 => {
                let n = 1 + dice.roll(3);
                format!("atomic {{ {} }}", sequence(dice, n).join("; "))
            }
            3 => format!("d_step {{ {}; x = {} }}", condition(dice), expression(dice)),
            _ => format!("{{ {} }} unless {{ ({}) -> y = 0 }}", sequence(dice, 2).join("; "), condition(dice)),
        };
    }
    simple(dice, taste)
}

/// A model of two or three processes with a few statements each.
fn model(seed: u64, taste: Taste) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
    dice.roll(2);
    let mut text = String::from("byte x, y; bit a[2]; chan q = [1] of { bit }; chan m = [0] of { bit };\n");
    if taste.births {
        let body = simple(&mut dice, Taste { births: false, ..taste });
        writeln!(text, "proctype C(bit i) {{ {body} }}").unwrap();
    }
    for process in 0..2 + dice.roll(2) {
        let steps: Vec<String> = (0..1 + dice.roll(3)).map(|_| statement(&mut dice, taste, 2)).collect();
        writeln!(text, "active proctype P{process}() {{ bit i; {} }}", steps.join("; ")).unwrap();
    }
    text
}

fn algorithms() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().filter(|a| a.sound && !a.name.starts_with("stateful")).map(|a| a.name)
}

/// Compares all algorithms on models `seeds`; returns how many models were small enough.
fn check(seeds: std::ops::Range<u64>, taste: Taste) -> usize {
    let mut compared = 0;
    let mut differences = String::new();
    for seed in seeds {
        let text = model(seed, taste);
        let program = program(&text);
        let budget = Budget {
            prefixes: 4_000,
            depth: 60,
        };
        let outcome = |p: &mazurka_promela::Promela, run: &mazurka_promela::Run| p.fingerprint(run);
        let truth = match enumerate(&program, budget, outcome) {
            Ok(truth) => truth,
            Err(Exceeded::Budget) => continue,
            Err(Exceeded::WrongFootprints(schedule)) => {
                writeln!(differences, "seed {seed}: footprints too small, {schedule:?}\n{text}").unwrap();
                continue;
            }
        };
        compared += 1;
        for name in algorithms() {
            let algorithm = Algorithm::parse(name).unwrap();
            if algorithm.fits(program.features()).is_err() {
                continue;
            }
            let mut options = Options::new(algorithm);
            options.keep_going = true;
            let Some(mut claims) = Claims::of(name) else { continue };
            // Everything is an outcome here, also what was written and never read.
            claims.outcomes &= claims.finals;
            let Ok((seen, _)) = explore(&program, &options, outcome) else {
                continue;
            };
            if let Err(what) = compare(&truth, &seen, claims) {
                writeln!(differences, "seed {seed}, {name}: {what}\n{text}").unwrap();
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    compared
}

const PLAIN: Taste = Taste {
    rendezvous: false,
    sequences: false,
    births: false,
    timeouts: false,
};

#[test]
fn shared_variables_and_channels() {
    assert!(check(0..200, PLAIN) > 150);
}

#[test]
fn indivisible_sequences_and_escapes() {
    let taste = Taste { sequences: true, ..PLAIN };
    assert!(check(1000..1200, taste) > 150);
}

#[test]
fn rendezvous() {
    let taste = Taste { rendezvous: true, ..PLAIN };
    assert!(check(2000..2200, taste) > 150);
}

#[test]
fn births_and_deaths() {
    let taste = Taste { births: true, ..PLAIN };
    assert!(check(3000..3150, taste) > 75);
}

#[test]
fn timeouts() {
    let taste = Taste { timeouts: true, ..PLAIN };
    assert!(check(4000..4150, taste) > 100);
}

#[test]
fn everything_together() {
    let taste = Taste {
        rendezvous: true,
        sequences: true,
        births: true,
        timeouts: true,
    };
    assert!(check(5000..5200, taste) > 75);
}

#[test]
fn deadlocks_are_among_what_is_compared() {
    let deadlocked = (0..100u64).filter(|&seed| {
        let program = program(&model(seed, PLAIN));
        let mut options = Options::new(Algorithm::parse("optimal").unwrap());
        options.keep_going = true;
        let outcome = explore(&program, &options, |p: &mazurka_promela::Promela, run: &mazurka_promela::Run| {
            p.fingerprint(run)
        });
        outcome.is_ok_and(|(_, o)| o.failure_counts[FailureKind::Deadlock as usize] > 0)
    });
    assert!(deadlocked.count() > 10);
}

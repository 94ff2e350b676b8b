//! What a machine promises to the searches, checked on every program there is and on random ones.

use mazurka_core::laws::{self, Effort};
use mazurka_litmus::Machine;
use mazurka_litmus::families::{CORPUS, families};
use std::fmt::Write;

fn obeys(machine: &Machine, name: &str, effort: Effort) {
    if let Err(broken) = laws::check(machine, &effort) {
        panic!("{name}: {}\n{}", broken.explain(machine), machine.model());
    }
}

#[test]
fn every_family_obeys_the_laws() {
    let effort = Effort::default().walks(3).steps(40).seed(7);
    for family in families() {
        let small: Vec<i64> = family.parameters.iter().map(|p| p.default.min(5).max(p.range.0)).collect();
        let machine = family
            .machine(&family.settings(&small))
            .unwrap_or_else(|e| panic!("{}: {e}", family.name));
        obeys(&machine, family.name, effort);
    }
}

#[test]
fn the_corpus_and_the_examples_obey_the_laws() {
    let mut programs: Vec<(String, String)> = CORPUS.iter().map(|c| (c.name.to_owned(), c.text.to_owned())).collect();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "litmus") {
            programs.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(programs.len() > CORPUS.len() + 1);
    for (name, text) in programs {
        obeys(&Machine::parse(&text).unwrap(), &name, Effort::default());
    }
}

#[test]
fn random_programs_obey_the_laws() {
    let effort = Effort::default().walks(6).steps(30).seed(3);
    let mut walked = 0;
    for seed in 0..4_000 {
        let text = Random(seed).program();
        // A constant index outside of its array is noticed when the program is read.
        if let Ok(machine) = Machine::parse(&text) {
            walked += 1;
            obeys(&machine, &text, effort);
        }
    }
    assert!(walked > 1_500, "{walked} programs");
}

/// Writes programs in which anything may fail: indexes and divisors are whatever they are.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len() as u64) as usize]
    }

    fn program(&mut self) -> String {
        self.below(1);
        let mut text = format!("init x={}, y=0, z=1, m=0, a[2], b[3]={{1,0,2}};", self.below(3));
        let processes = 2 + self.below(3);
        for p in 0..processes {
            write!(text, " p{p}(l={}, i=0):", self.below(3)).unwrap();
            for _ in 0..1 + self.below(3) {
                text += &self.step(true);
            }
        }
        // Something must spawn it, or it is one more process.
        write!(text, " k(l=1, i=1):{}{}", self.step(false), self.step(false)).unwrap();
        text
    }

    fn step(&mut self, spawns: bool) -> String {
        let mut parts = Vec::new();
        if self.below(4) == 0 {
            parts.push(format!("choose {} {}", self.pick(&["l", "i"]), 1 + self.below(5)));
        }
        if self.below(4) == 0 {
            parts.push(format!("await {}", self.expression(3)));
        }
        if self.below(8) == 0 {
            parts.push("lock m".to_owned());
        }
        for _ in 0..self.below(4) {
            parts.push(self.statement(2, spawns));
        }
        format!("[{}]", parts.join("; "))
    }

    fn place(&mut self) -> String {
        match self.below(8) {
            0 => format!("a[{}]", self.expression(1)),
            1 => format!("b[{}]", self.expression(2)),
            _ => self.pick(&["x", "y", "z", "l", "i"]).to_owned(),
        }
    }

    fn statement(&mut self, depth: u64, spawns: bool) -> String {
        match self.below(if depth == 0 { 9 } else { 12 }) {
            0..=3 => format!("{}={}", self.place(), self.expression(2)),
            4 => format!("{} += {}", self.place(), self.expression(2)),
            5 => format!("{} @+ {}", self.place(), self.expression(1)),
            6 => format!("assert {}", self.expression(3)),
            7 if spawns => format!("spawn k({})", self.expression(1)),
            7 => "unlock m".to_owned(),
            8 => self.pick(&["end", "unlock m", "skip"]).to_owned(),
            _ => {
                let (then, other) = (self.statement(depth - 1, spawns), self.statement(depth - 1, spawns));
                format!("if ({}) {{{then}}} else {{{other}}}", self.expression(2))
            }
        }
    }

    fn expression(&mut self, depth: u64) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(3) {
                0 => self.below(4).to_string(),
                1 => self.pick(&["l", "i"]).to_owned(),
                _ => self.pick(&["x", "y", "z"]).to_owned(),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(8) {
            0 => format!("a[{left}]"),
            1 => format!("b[{left}]"),
            2 => format!("!({left})"),
            _ => format!(
                "({left}){}({right})",
                self.pick(&["&&", "||", "==", "<", "+", "-", "/", "%", "*", "!="])
            ),
        }
    }
}

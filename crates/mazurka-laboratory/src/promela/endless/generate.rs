//! Random models that go on for ever, with a formula about them.
//!
//! A random model becomes one of processes that do the same again and again (two of three of them), with `accept` and `progress` labels at some of
//! their statements. The formula speaks of what the model has: variables, channels, labels, variables of processes, the number of
//! processes. It has one to six operators; half of the formulas are of the shapes that people write (response, precedence, absence,
//! infinitely often, a fairness that implies something).

use crate::promela::tree::{Model, Stmt};
use crate::random::Numbers;

/// A model and a formula about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The model.
    pub model: Model,
    /// The formula, as it is written in `ltl { … }`.
    pub formula: String,
}

impl Claimed {
    /// The whole text.
    pub fn text(&self) -> String {
        format!("{}ltl f {{ {} }}\n", self.model, self.formula)
    }
}

/// Labels with a meaning for executions without end.
const LABELS: [&str; 4] = ["accept_x", "progress_x", "accept_y", "progress_y"];

/// A random model with a random formula.
pub fn generate(numbers: &mut Numbers) -> Claimed {
    let mut model = crate::promela::generate(numbers);
    let mut bodies: Vec<_> = model.processes.iter_mut().map(|p| &mut p.body).collect();
    for body in &mut bodies {
        if body.is_empty() {
            body.push(Stmt::Skip);
        }
        for (nth, label) in LABELS.iter().enumerate() {
            if numbers.chance(1, 6) {
                let at = numbers.below(body.len());
                // A label in front of an option means nothing to SPIN.
                if at > 0 && nth < LABELS.len() {
                    let stmt = body.remove(at);
                    body.insert(at, Stmt::Label(label, Box::new(stmt)));
                }
            }
        }
        let begins_with = |stmt: &Stmt| !matches!(stmt, Stmt::Else | Stmt::Label(..) | Stmt::Break);
        if numbers.chance(2, 3) && body.first().is_some_and(begins_with) {
            let inside = std::mem::take(*body);
            body.push(Stmt::Do(vec![inside]));
        }
    }
    let text = model.to_string();
    let atoms = atoms(&text);
    let mut writer = Writer { numbers, atoms };
    let formula = writer.formula();
    Claimed { model, formula }
}

/// What a formula can speak of.
fn atoms(text: &str) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    let mut add = |there: bool, all: &[&str]| {
        if there {
            atoms.extend(all.iter().map(|a| (*a).to_owned()));
        }
    };
    add(text.contains("byte x;"), &["(x == 0)", "(x == 1)", "(x > 1)"]);
    add(text.contains("byte y = 1;"), &["(y == 1)", "(y != 0)", "(y == 2)"]);
    add(text.contains("short s;"), &["(s < 1)"]);
    add(text.contains("byte a[2];"), &["(a[0] == 1)", "(a[1] < 1)"]);
    add(text.contains("typedef R"), &["(r.f > 0)"]);
    add(text.contains("chan q ="), &["empty(q)", "(len(q) == 1)"]);
    add(text.contains("chan w ="), &["nfull(w)", "(len(w) == 1)"]);
    add(text.contains("run "), &["(_nr_pr > 3)"]);
    for process in 0..4 {
        let head = format!("proctype P{process}()");
        let Some(line) = text.lines().find(|line| line.contains(&head)) else {
            continue;
        };
        if line.contains("byte i;") {
            atoms.push(format!("(P{process}:i == 1)"));
        }
        for word in line.split_whitespace() {
            if let Some(label) = word
                .strip_suffix(':')
                .filter(|l| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '_'))
            {
                atoms.push(format!("P{process}@{label}"));
            }
        }
    }
    if atoms.is_empty() {
        atoms.push("(_nr_pr > 1)".to_owned());
    }
    atoms
}

struct Writer<'n> {
    numbers: &'n mut Numbers,
    atoms: Vec<String>,
}

impl Writer<'_> {
    fn atom(&mut self) -> String {
        let atom = self.atoms[self.numbers.below(self.atoms.len())].clone();
        match self.numbers.below(12) {
            0 => "np_".to_owned(),
            1 | 2 => format!("!{atom}"),
            3 => format!("({atom} && {})", self.atoms[self.numbers.below(self.atoms.len())]),
            _ => atom,
        }
    }

    fn formula(&mut self) -> String {
        let (p, q, r) = (self.atom(), self.atom(), self.atom());
        match self.numbers.below(14) {
            0 => format!("[] ({p} -> <> {q})"),
            1 => format!("[] <> {p}"),
            2 => format!("<> [] {p}"),
            3 => format!("[] <> {p} -> [] <> {q}"),
            4 => format!("[] {p}"),
            5 => format!("({p} -> ({q} U {r}))"),
            6 => format!("[] ({p} -> ({q} W {r}))"),
            7 => format!("<> {p} -> (!{p} U {q})"),
            _ => self.random(3),
        }
    }

    fn random(&mut self, depth: usize) -> String {
        if depth == 0 || self.numbers.chance(1, 5) {
            return self.atom();
        }
        let a = self.random(depth - 1);
        match self.numbers.below(12) {
            0 | 1 => format!("[] {}", wrapped(&a)),
            2 | 3 => format!("<> {}", wrapped(&a)),
            4 => format!("!{}", wrapped(&a)),
            5 => format!("X {}", wrapped(&a)),
            n => {
                let b = self.random(depth - 1);
                let op = ["U", "V", "W", "&&", "||", "->"][n - 6];
                format!("({a} {op} {b})")
            }
        }
    }
}

/// In parentheses, unless it has some.
fn wrapped(formula: &str) -> String {
    if formula.starts_with('(') && formula.ends_with(')') && !formula[1..].contains('(') {
        return formula.to_owned();
    }
    format!("({formula})")
}

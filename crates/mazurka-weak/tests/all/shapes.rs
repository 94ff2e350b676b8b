//! The shapes of the literature, each with every combination of orderings and fences: which of their weak outcomes the models allow. The table of the book
//! (`docs/src/weak-memory.md`) is made here; `UPDATE_DOCS=1` writes it.

use crate::oracle::executions;
use crate::small::{Instruction as I, Outcome, Small, Value, search};
use mazurka_weak::Order;
use std::fmt::Write as _;

const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;

/// One access of a shape: the orderings and fences are put in later.
#[derive(Clone, Copy)]
pub enum Access {
    /// Writes.
    W(u32, u64),
    /// Reads into a register.
    R(usize, u32),
    /// Adds 1; the register gets what was there.
    U(usize, u32),
}
use Access::{R, U, W};

pub struct Shape {
    pub name: &'static str,
    /// What the weak outcome is, for people.
    pub outcome: &'static str,
    pub threads: &'static [&'static [Access]],
    /// Whether the registers, and the order of the writes, are the weak outcome's.
    weak: fn(&Outcome, &Finals) -> bool,
}

/// The last values of locations.
pub type Finals = [u64; 3];

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "SB",
        outcome: "x=1; a=y ∥ y=1; b=x: a=0, b=0",
        threads: &[&[W(X, 1), R(0, Y)], &[W(Y, 1), R(0, X)]],
        weak: |r, _| r[0][0] == 0 && r[1][0] == 0,
    },
    Shape {
        name: "MP",
        outcome: "x=1; y=1 ∥ a=y; b=x: a=1, b=0",
        threads: &[&[W(X, 1), W(Y, 1)], &[R(0, Y), R(1, X)]],
        weak: |r, _| r[1][0] == 1 && r[1][1] == 0,
    },
    Shape {
        name: "LB",
        outcome: "a=x; y=1 ∥ b=y; x=1: a=1, b=1",
        threads: &[&[R(0, X), W(Y, 1)], &[R(0, Y), W(X, 1)]],
        weak: |r, _| r[0][0] == 1 && r[1][0] == 1,
    },
    Shape {
        name: "S",
        outcome: "x=2; y=1 ∥ a=y; x=1: a=1, x=2 in the end",
        threads: &[&[W(X, 2), W(Y, 1)], &[R(0, Y), W(X, 1)]],
        weak: |r, f| r[1][0] == 1 && f[0] == 2,
    },
    Shape {
        name: "R",
        outcome: "x=1; y=1 ∥ y=2; a=x: a=0, y=2 in the end",
        threads: &[&[W(X, 1), W(Y, 1)], &[W(Y, 2), R(0, X)]],
        weak: |r, f| r[1][0] == 0 && f[1] == 2,
    },
    Shape {
        name: "2+2W",
        outcome: "x=1; y=2 ∥ y=1; x=2: x=1, y=1 in the end",
        threads: &[&[W(X, 1), W(Y, 2)], &[W(Y, 1), W(X, 2)]],
        weak: |_, f| f[0] == 1 && f[1] == 1,
    },
    Shape {
        name: "IRIW",
        outcome: "x=1 ∥ y=1 ∥ a=x; b=y ∥ c=y; d=x: a=1, b=0, c=1, d=0",
        threads: &[&[W(X, 1)], &[W(Y, 1)], &[R(0, X), R(1, Y)], &[R(0, Y), R(1, X)]],
        weak: |r, _| r[2][0] == 1 && r[2][1] == 0 && r[3][0] == 1 && r[3][1] == 0,
    },
    Shape {
        name: "WRC",
        outcome: "x=1 ∥ a=x; y=1 ∥ b=y; c=x: a=1, b=1, c=0",
        threads: &[&[W(X, 1)], &[R(0, X), W(Y, 1)], &[R(0, Y), R(1, X)]],
        weak: |r, _| r[1][0] == 1 && r[2][0] == 1 && r[2][1] == 0,
    },
    Shape {
        name: "ISA2",
        outcome: "x=1; y=1 ∥ a=y; z=1 ∥ b=z; c=x: a=1, b=1, c=0",
        threads: &[&[W(X, 1), W(Y, 1)], &[R(0, Y), W(Z, 1)], &[R(0, Z), R(1, X)]],
        weak: |r, _| r[1][0] == 1 && r[2][0] == 1 && r[2][1] == 0,
    },
    Shape {
        name: "RWC",
        outcome: "x=1 ∥ a=x; b=y ∥ y=1; c=x: a=1, b=0, c=0",
        threads: &[&[W(X, 1)], &[R(0, X), R(1, Y)], &[W(Y, 1), R(0, X)]],
        weak: |r, _| r[1][0] == 1 && r[1][1] == 0 && r[2][0] == 0,
    },
    Shape {
        name: "W+RWC",
        outcome: "x=1; z=1 ∥ a=z; b=y ∥ y=1; c=x: a=1, b=0, c=0",
        threads: &[&[W(X, 1), W(Z, 1)], &[R(0, Z), R(1, Y)], &[W(Y, 1), R(0, X)]],
        weak: |r, _| r[1][0] == 1 && r[1][1] == 0 && r[2][0] == 0,
    },
    Shape {
        name: "CoRR",
        outcome: "x=1 ∥ a=x; b=x: a=1, b=0",
        threads: &[&[W(X, 1)], &[R(0, X), R(1, X)]],
        weak: |r, _| r[1][0] == 1 && r[1][1] == 0,
    },
    Shape {
        name: "CoRW",
        outcome: "a=x; x=1 ∥ x=2: a=2, x=2 in the end",
        threads: &[&[R(0, X), W(X, 1)], &[W(X, 2)]],
        weak: |r, f| r[0][0] == 2 && f[0] == 2,
    },
    Shape {
        name: "CoWR",
        outcome: "x=1; a=x ∥ x=2: a=2, x=1 in the end",
        threads: &[&[W(X, 1), R(0, X)], &[W(X, 2)]],
        weak: |r, f| r[0][0] == 2 && f[0] == 1,
    },
    Shape {
        name: "CoWW",
        outcome: "x=1; x=2: x=1 in the end",
        threads: &[&[W(X, 1), W(X, 2)]],
        weak: |_, f| f[0] == 1,
    },
    Shape {
        name: "MP through a read-modify-write",
        outcome: "x=1; y=1 ∥ y.fetch_add(1) ∥ a=y; b=x: a=2, b=0",
        threads: &[&[W(X, 1), W(Y, 1)], &[U(0, Y)], &[R(0, Y), R(1, X)]],
        weak: |r, _| r[1][0] == 1 && r[2][0] == 2 && r[2][1] == 0,
    },
    Shape {
        name: "SB of read-modify-writes",
        outcome: "x.fetch_add(1); a=y ∥ y.fetch_add(1); b=x: a=0, b=0",
        threads: &[&[U(1, X), R(0, Y)], &[U(1, Y), R(0, X)]],
        weak: |r, _| r[0][0] == 0 && r[1][0] == 0,
    },
    Shape {
        name: "lost update",
        outcome: "a=x.fetch_add(1) ∥ b=x.fetch_add(1): a=0, b=0",
        threads: &[&[U(0, X)], &[U(0, X)]],
        weak: |r, _| r[0][0] == 0 && r[1][0] == 0,
    },
];

/// What is put into a shape: the orderings of writes, reads and read-modify-writes, and a fence between the accesses of each thread.
#[derive(Clone, Copy)]
struct Filling {
    writes: Order,
    reads: Order,
    updates: Order,
    fence: Option<Order>,
}

fn filled(shape: &Shape, fill: impl Fn(usize, usize) -> Filling) -> Small {
    let threads = shape.threads.iter().enumerate().map(|(t, accesses)| {
        let mut code = Vec::new();
        for (i, access) in accesses.iter().enumerate() {
            let filling = fill(t, i);
            if i > 0 {
                code.extend(filling.fence.map(I::Fence));
            }
            code.push(match *access {
                W(x, value) => I::Store(x, Value::Number(value), filling.writes),
                R(register, x) => I::Load(register, x, filling.reads),
                U(register, x) => I::Add(register, x, 1, filling.updates),
            });
        }
        code
    });
    Small {
        threads: threads.collect(),
    }
}

/// Whether the search finds the weak outcome.
pub fn allows(shape: &Shape, program: &Small, model: &str) -> bool {
    let found = search(program, model);
    found
        .graphs
        .iter()
        .any(|(graph, (_, registers))| (shape.weak)(registers, &finals(program, graph, registers)))
}

/// The value of the last write of each location.
fn finals(program: &Small, graph: &crate::small::Shape, registers: &Outcome) -> Finals {
    let mut out = [0; 3];
    let mut last = [0; 3];
    for (thread, index, _, place) in graph {
        let (location, value) = match program.threads[*thread as usize][*index as usize] {
            I::Store(x, Value::Number(value), _) => (x, value),
            I::Add(register, x, by, _) => (x, registers[*thread as usize][register] + by),
            _ => continue,
        };
        if *place > last[location as usize] {
            (last[location as usize], out[location as usize]) = (*place, value);
        }
    }
    out
}

const UNIFORM: [(&str, Order, Order, Order); 3] = [
    ("relaxed", Order::Relaxed, Order::Relaxed, Order::Relaxed),
    ("rel/acq", Order::Release, Order::Acquire, Order::AcqRel),
    ("SeqCst", Order::SeqCst, Order::SeqCst, Order::SeqCst),
];
const FENCES: [(&str, Option<Order>); 3] = [
    ("", None),
    (" + fence(AcqRel)", Some(Order::AcqRel)),
    (" + fence(SeqCst)", Some(Order::SeqCst)),
];

fn table() -> String {
    let mut out = String::from("| shape | weak outcome | sc | tso ");
    let fillings: Vec<(String, Filling)> = FENCES
        .iter()
        .flat_map(|(fence_name, fence)| {
            UNIFORM.iter().map(move |(name, writes, reads, updates)| {
                let filling = Filling {
                    writes: *writes,
                    reads: *reads,
                    updates: *updates,
                    fence: *fence,
                };
                (format!("{name}{fence_name}"), filling)
            })
        })
        .collect();
    for (name, _) in &fillings {
        write!(out, "| {name} ").unwrap();
    }
    writeln!(out, "|\n|---|---|{}", "---|".repeat(2 + fillings.len())).unwrap();
    for shape in SHAPES {
        write!(out, "| {} | {} ", shape.name, shape.outcome.replace('|', "\\|")).unwrap();
        let mut cell = |filling: Filling, model: &str| {
            let program = filled(shape, |_, _| filling);
            let yes = allows(shape, &program, model);
            write!(out, "| {} ", if yes { "yes" } else { "–" }).unwrap();
        };
        cell(fillings[0].1, "sc");
        cell(fillings[0].1, "tso");
        fillings.iter().for_each(|(_, filling)| cell(*filling, "rc11"));
        writeln!(out, "|").unwrap();
    }
    out
}

#[test]
fn the_table_of_the_book_is_exact() {
    in_the_book("shapes", &table());
}

/// A part of the book is as it is made here, or is written.
pub fn in_the_book(part: &str, made: &str) {
    // Two parts may be written at once.
    static BOOK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = BOOK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/weak-memory.md");
    let text = std::fs::read_to_string(path).expect("the chapter");
    let (begin, end) = (format!("<!-- {part} -->\n"), format!("<!-- end of {part} -->"));
    let (before, rest) = text.split_once(&begin).expect("the beginning of the part");
    let (old, after) = rest.split_once(&end).expect("the end of the part");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{begin}{made}{end}{after}")).expect("to write the chapter");
    } else {
        assert!(
            old == made,
            "{part} of docs/src/weak-memory.md are others now; UPDATE_DOCS=1 writes them:\n{made}"
        );
    }
}

/// Every access and every gap with an ordering of its own, compared with the oracle.
#[test]
fn every_combination_is_as_the_axioms_say() {
    use Order::*;
    let (writes, reads, updates) = ([Relaxed, Release, SeqCst], [Relaxed, Acquire, SeqCst], [Relaxed, AcqRel, SeqCst]);
    let fences = [None, Some(Acquire), Some(Release), Some(AcqRel), Some(SeqCst)];
    let mut programs = 0;
    for shape in SHAPES {
        let accesses: usize = shape.threads.iter().map(|t| t.len()).sum();
        let gaps = accesses - shape.threads.len();
        let count = 3usize.pow(accesses as u32) * 5usize.pow(gaps as u32);
        // Of the large shapes, a regular part.
        let all = std::env::var_os("COMBINATIONS").is_some_and(|value| value == "all");
        let step = if all { 1 } else { (count / 700).max(1) | 1 };
        for number in (0..count).step_by(step) {
            let program = filled(shape, |thread, index| {
                let before: usize = shape.threads[..thread].iter().map(|t| t.len()).sum();
                let order = number / 3usize.pow((before + index) as u32) % 3;
                let gap = (before - thread + index).saturating_sub(1);
                let fence = number / 3usize.pow(accesses as u32) / 5usize.pow(gap.min(gaps.saturating_sub(1)) as u32) % 5;
                Filling {
                    writes: writes[order],
                    reads: reads[order],
                    updates: updates[order],
                    fence: fences[fence],
                }
            });
            for model in ["rc11", "tso", "sc"] {
                let (expected, ..) = executions(&program, model, u64::MAX).expect("a small program");
                let found = search(&program, model);
                assert!(
                    found.graphs.keys().eq(expected.keys()) && found.graphs.values().all(|(times, _)| *times == 1),
                    "{} under {model}: {program:?}",
                    shape.name
                );
            }
            programs += 1;
        }
    }
    assert!(programs > 5_000, "{programs}");
}

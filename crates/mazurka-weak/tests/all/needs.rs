//! What each shape needs: the weakest orderings and fences that forbid its weak outcome. The list of the book (`docs/src/weak-memory.md`) is made here;
//! `UPDATE_DOCS=1` writes it.
//!
//! Stronger orderings only forbid more, so these say of every combination whether it allows the outcome. That it is so is what `shapes.rs` compares with the oracle.

use crate::shapes::{Access, SHAPES, Shape, allows};
use crate::small::{Instruction as I, Small, Value};
use mazurka_weak::Order::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::fmt::Write as _;

/// What can be chosen at each place of a shape: its accesses, and the gaps between them.
struct Place {
    thread: usize,
    /// The access, or the one that the gap comes before.
    index: usize,
    options: &'static [Option<Order>],
}

const WRITES: &[Option<Order>] = &[Some(Relaxed), Some(Release), Some(SeqCst)];
const READS: &[Option<Order>] = &[Some(Relaxed), Some(Acquire), Some(SeqCst)];
const UPDATES: &[Option<Order>] = &[Some(Relaxed), Some(Acquire), Some(Release), Some(AcqRel), Some(SeqCst)];
const FENCES: &[Option<Order>] = &[None, Some(Acquire), Some(Release), Some(AcqRel), Some(SeqCst)];

/// For each place the number of its option.
type Filling = Vec<usize>;

fn places(shape: &Shape) -> Vec<Place> {
    let mut out = Vec::new();
    for (thread, accesses) in shape.threads.iter().enumerate() {
        for (index, access) in accesses.iter().enumerate() {
            if index > 0 {
                out.push(Place {
                    thread,
                    index,
                    options: FENCES,
                });
            }
            let options = match access {
                Access::W(..) => WRITES,
                Access::R(..) => READS,
                Access::U(..) => UPDATES,
            };
            out.push(Place { thread, index, options });
        }
    }
    out
}

fn is_weaker(a: Option<Order>, than: Option<Order>) -> bool {
    match (a, than) {
        (None | Some(Relaxed), _) | (_, Some(SeqCst)) => true,
        (Some(Acquire | Release), Some(AcqRel)) => true,
        (a, b) => a == b,
    }
}

/// Whether nothing of one filling is stronger than in the other one.
fn is_below(places: &[Place], a: &Filling, b: &Filling) -> bool {
    let options = places.iter().map(|p| p.options);
    options.zip(a.iter().zip(b)).all(|(o, (a, b))| is_weaker(o[*a], o[*b]))
}

fn program(shape: &Shape, places: &[Place], filling: &Filling) -> Small {
    let mut threads = vec![Vec::new(); shape.threads.len()];
    for (place, choice) in places.iter().zip(filling) {
        let order = place.options[*choice];
        let is_gap = place.options[0].is_none();
        let instruction = match (shape.threads[place.thread][place.index], order) {
            (_, None) => continue,
            (_, Some(order)) if is_gap => I::Fence(order),
            (Access::W(x, value), Some(order)) => I::Store(x, Value::Number(value), order),
            (Access::R(register, x), Some(order)) => I::Load(register, x, order),
            (Access::U(register, x), Some(order)) => I::Add(register, x, 1, order),
        };
        threads[place.thread].push(instruction);
    }
    Small { threads }
}

/// The weakest fillings that forbid the outcome.
fn needed(shape: &Shape, model: &str) -> Vec<Filling> {
    let places = places(shape);
    let mut forbidding: Vec<Filling> = Vec::new();
    let mut allowing: Vec<Filling> = Vec::new();
    let forbids = |filling: &Filling, forbidding: &[Filling], allowing: &[Filling]| {
        if forbidding.iter().any(|f| is_below(&places, f, filling)) {
            return true;
        }
        let is_allowed = allowing.iter().any(|a| is_below(&places, filling, a));
        !is_allowed && !allows(shape, &program(shape, &places, filling), model)
    };
    let count: usize = places.iter().map(|p| p.options.len()).product();
    for number in 0..count {
        let mut rest = number;
        let mut filling: Filling = places
            .iter()
            .map(|p| {
                let choice = rest % p.options.len();
                rest /= p.options.len();
                choice
            })
            .collect();
        let is_known = |f: &Filling, known: &[Filling], below: bool| {
            known
                .iter()
                .any(|k| if below { is_below(&places, k, f) } else { is_below(&places, f, k) })
        };
        if is_known(&filling, &forbidding, true) || is_known(&filling, &allowing, false) {
            continue;
        }
        // As weak, or as strong, as it can be made without another answer.
        let answer = forbids(&filling, &forbidding, &allowing);
        for (at, place) in places.iter().enumerate() {
            let before = filling[at];
            let mut options: Vec<usize> = (0..place.options.len()).collect();
            if !answer {
                options.reverse();
            }
            for choice in options {
                let (a, b) = (place.options[choice], place.options[before]);
                if if answer { is_weaker(a, b) } else { is_weaker(b, a) } {
                    filling[at] = choice;
                    if forbids(&filling, &forbidding, &allowing) == answer {
                        break;
                    }
                    filling[at] = before;
                }
            }
        }
        (if answer { &mut forbidding } else { &mut allowing }).push(filling);
    }
    forbidding.sort();
    forbidding
}

/// What is stronger than it would have to be, as code.
fn told(shape: &Shape, places: &[Place], filling: &Filling) -> String {
    let mut threads = vec![Vec::new(); shape.threads.len()];
    let mut letters = 'a'..;
    for (place, choice) in places.iter().zip(filling) {
        let order = place.options[*choice];
        let is_gap = place.options[0].is_none();
        let name = match order {
            None | Some(Order::Plain | Relaxed) => "",
            Some(Acquire) => "acq",
            Some(Release) => "rel",
            Some(AcqRel) => "acqrel",
            Some(SeqCst) => "sc",
        };
        let location = |x: u32| ["x", "y", "z"][x as usize];
        let text = match shape.threads[place.thread][place.index] {
            _ if is_gap && name.is_empty() => continue,
            _ if is_gap => format!("fence({name})"),
            Access::W(x, value) => format!("{}={value}", location(x)),
            Access::R(_, x) => format!("{}={}", letters.next().unwrap_or('?'), location(x)),
            Access::U(_, x) => format!("{}.fetch_add(1)", location(x)),
        };
        let ordering = if is_gap || name.is_empty() {
            String::new()
        } else {
            format!(" {name}")
        };
        threads[place.thread].push(text + &ordering);
    }
    let threads: Vec<String> = threads.iter().map(|steps| steps.join("; ")).collect();
    format!("`{}`", threads.join(" ∥ "))
}

fn list() -> String {
    let mut out = String::new();
    for shape in SHAPES {
        let places = places(shape);
        let needed = needed(shape, "rc11");
        let count: usize = places.iter().map(|p| p.options.len()).product();
        let forbidden = match needed.as_slice() {
            [] => "always possible".to_owned(),
            [none] if none.iter().all(|choice| *choice == 0) => "never possible".to_owned(),
            _ => {
                let told: String = needed
                    .iter()
                    .map(|filling| format!("\n  - {}", told(shape, &places, filling)))
                    .collect();
                format!("needs at least one of{told}")
            }
        };
        writeln!(out, "- **{}** ({}), {count} combinations: {forbidden}", shape.name, shape.outcome).unwrap();
    }
    out
}

#[test]
fn the_list_of_the_book_is_exact() {
    crate::shapes::in_the_book("needs", &list());
}

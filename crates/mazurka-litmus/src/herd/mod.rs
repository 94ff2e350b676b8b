//! herd's litmus files for the architecture `C`, as far as they are about C11 atomics of type `int`.
//!
//! ```text
//! C SB
//! { x = 0; y = 0; }
//! P0 (atomic_int* x, atomic_int* y) {
//!   atomic_store_explicit(x, 1, memory_order_relaxed);
//!   int r0 = atomic_load_explicit(y, memory_order_relaxed);
//! }
//! P1 (atomic_int* x, atomic_int* y) {
//!   atomic_store_explicit(y, 1, memory_order_relaxed);
//!   int r0 = atomic_load_explicit(x, memory_order_relaxed);
//! }
//! exists (0:r0=0 /\ 1:r0=0)
//! ```
//! What such a file says about the end ([`Claim`]) is what is checked. `*x` is an access to plain data, or sequentially consistent if the thread calls it
//! `atomic_int*`, as in C.

mod accesses;
mod condition;
mod expressions;
mod lexer;
mod parser;
mod statements;

use crate::model::{Model, Never};
use crate::text::{ParseError, StepPositions};
use mazurka_diagnostics::Span;

/// What a file says about the end of its executions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// About how many of them.
    pub quantifier: Quantifier,
    /// What is said of them.
    pub condition: Never,
    /// Only of executions that end like this is anything said.
    pub filter: Option<Never>,
    /// The claim as it is written.
    pub text: String,
    /// The name of the test.
    pub test: String,
}

/// About how many executions something is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// One at least ends like this.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    Forall,
}

/// What is in a file.
pub(crate) struct Read {
    pub model: Model,
    pub positions: StepPositions,
    pub claim: Claim,
}

/// The architectures whose programs herd takes, as their files begin.
const ARCHITECTURES: [&str; 13] = [
    "C", "AArch64", "ARM", "PPC", "X86", "X86_64", "RISCV", "MIPS", "LISA", "Bell", "CPP", "ASL", "BPF",
];

/// Whether the text is one of herd's: it begins with an architecture and the name of the test.
pub fn is_from_herd(text: &str) -> bool {
    architecture(text).is_some()
}

fn architecture(text: &str) -> Option<&str> {
    let line = text.trim_start().lines().next()?;
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let name = words.next()?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && !name.contains(['[', '=', ';']);
    (ARCHITECTURES.contains(&first) && is_name).then_some(first)
}

/// Reads a file of herd.
///
/// # Errors
/// The first thing that is wrong, or that is not read, with its place.
pub(crate) fn parse(file: &str, text: &str) -> Result<Read, ParseError> {
    if let Some(other) = architecture(text).filter(|found| *found != "C") {
        let start = (text.len() - text.trim_start().len()) as u32;
        let span = Span::new(start, start + other.len() as u32);
        let message = format!("this litmus test is written for {other}; of herd's files those for C can be read");
        return Err(ParseError::new(file, text, "not-supported", span, message));
    }
    parser::read(file, text)
}

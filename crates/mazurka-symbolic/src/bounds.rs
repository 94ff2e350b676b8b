//! How far symbolic execution goes. Each bound has the name of its option, and a result says which of them cut something off.

use std::fmt;

/// The bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Calls that wait when the method is called, besides its own.
    pub calls: u32,
    /// How often one step may ask about inputs at one place: rounds of a loop, levels of a recursion.
    pub unroll: u32,
    /// How deep data may be: elements of a list, levels of a tree.
    pub size: u32,
    /// Objects in the heap at the start.
    pub objects: u32,
    /// Steps of one execution.
    pub depth: u64,
    /// Classes of inputs.
    pub classes: u64,
    /// Executions of one class.
    pub executions: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            calls: 1,
            unroll: 8,
            size: 3,
            objects: 3,
            depth: 1000,
            classes: 1000,
            executions: 100_000,
        }
    }
}

/// Which bound cut something off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// `--unroll`.
    Unroll,
    /// `--size`.
    Size,
    /// `--objects`.
    Objects,
    /// `--max-depth`.
    Depth,
    /// `--max-classes`.
    Classes,
    /// `--max-executions`.
    Executions,
    /// `--timeout`, or an interrupt.
    Time,
    /// Something that symbolic execution does not follow, or a step that is too large.
    Step(String),
    /// The solver did not know.
    Unknown,
}

impl Cut {
    /// What was left out.
    pub fn describe(&self, bounds: &Bounds) -> String {
        match self {
            Cut::Unroll => format!(
                "inputs for which one step asks more than {} times at one place (--unroll)",
                bounds.unroll
            ),
            Cut::Size => format!("data deeper than {} constructors (--size)", bounds.size),
            Cut::Objects => format!("heaps of more than {} objects (--objects)", bounds.objects),
            Cut::Depth => format!("what comes after {} steps (--max-depth)", bounds.depth),
            Cut::Classes => format!("classes of inputs after the first {} (--max-classes)", bounds.classes),
            Cut::Executions => format!("executions of a class after the first {} (--max-executions)", bounds.executions),
            Cut::Time => "what there was no time for (--timeout)".to_owned(),
            Cut::Step(why) => why.clone(),
            Cut::Unknown => "inputs of which the solver does not know whether they exist (--solver-timeout)".to_owned(),
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cut::Unroll => "unroll",
            Cut::Size => "size",
            Cut::Objects => "objects",
            Cut::Depth => "max-depth",
            Cut::Classes => "max-classes",
            Cut::Executions => "max-executions",
            Cut::Time => "timeout",
            Cut::Step(_) => "step",
            Cut::Unknown => "unknown",
        })
    }
}

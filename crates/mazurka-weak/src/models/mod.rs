//! Memory models: which graphs there are.

mod rc11;
mod relation;
mod sc;
mod tso;

use crate::event::EventId;
use crate::graph::Graph;

pub use rc11::Rc11;
pub use sc::Sc;
pub use tso::Tso;

/// A memory model. Of every model, program order and reads-from together have no cycle, parts of its graphs that contain what came before are its graphs,
/// too, and whatever a thread does next, there is a graph in which it has done it. That is what the search needs.
pub trait Model: Sync + std::fmt::Debug {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// What it stands for, in a verdict.
    fn about(&self) -> &'static str;

    /// Whether it allows a graph that is coherent and in which read-modify-writes are atomic. It allowed the same without the fresh events, and with other
    /// values for those of them that read.
    fn allows(&self, graph: &Graph, fresh: &[EventId]) -> bool;
}

/// All models by their names.
pub const MODELS: [&str; 3] = ["sc", "tso", "rc11"];

/// The model of that name.
pub fn model(name: &str) -> Option<&'static dyn Model> {
    Some(match name {
        "sc" => &Sc,
        "tso" => &Tso,
        "rc11" => &Rc11,
        _ => return None,
    })
}

//! An execution graph in text: a column for each thread, which write each read reads from, and the order of the writes.

use crate::event::{EventId, Kind, Source};
use crate::graph::Graph;
use crate::replay::schedule;
use std::fmt::Write;

/// What is said of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Caption {
    /// What it does, with its value.
    pub text: String,
    /// What its location is called; empty if it has none.
    pub location: String,
    /// Where in the source.
    pub at: String,
}

/// The graph as text. Events without a caption are left out.
pub fn picture(graph: &Graph, threads: &[String], caption: impl Fn(EventId) -> Option<Caption>) -> String {
    let order: Vec<(EventId, Caption)> = schedule(graph, None)
        .into_iter()
        .filter_map(|id| caption(id).map(|c| (id, c)))
        .collect();
    let number = |source: Source| match source {
        Source::Initial => Some("the start".to_owned()),
        Source::Event(write) => order.iter().position(|(id, _)| *id == write).map(|n| (n + 1).to_string()),
    };
    let cell = |id: EventId, caption: &Caption| {
        let event = graph.event(id);
        match number(event.source).filter(|_| event.kind.reads()) {
            Some(from) => format!("{} ← {from}", caption.text),
            None => caption.text.clone(),
        }
    };
    let mut widths: Vec<usize> = threads.iter().map(|name| name.chars().count()).collect();
    let mut used = vec![false; threads.len()];
    for (id, caption) in &order {
        let thread = graph.event(*id).thread as usize;
        used[thread] = true;
        widths[thread] = widths[thread].max(cell(*id, caption).chars().count());
    }
    let columns: Vec<usize> = (0..threads.len()).filter(|t| used[*t]).collect();
    let mut out = String::from("   event");
    for t in &columns {
        let _ = write!(out, "  {:width$}", threads[*t], width = widths[*t]);
    }
    out.push_str("  at\n");
    for (n, (id, caption)) in order.iter().enumerate() {
        let _ = write!(out, "{:8}", n + 1);
        for t in &columns {
            let text = if graph.event(*id).thread as usize == *t {
                cell(*id, caption)
            } else {
                String::new()
            };
            let _ = write!(out, "  {text:width$}", width = widths[*t]);
        }
        let _ = writeln!(out, "  {}", caption.at);
    }
    let mut notes = String::new();
    let mut told = Vec::new();
    for (id, caption) in &order {
        let event = graph.event(*id);
        if !event.accesses() || told.contains(&event.location) {
            continue;
        }
        told.push(event.location);
        let writes: Vec<String> = graph
            .writes(event.location)
            .into_iter()
            .filter_map(|w| number(Source::Event(w)))
            .collect();
        if writes.len() > 1 {
            let _ = writeln!(
                notes,
                "   {} is written in this order: the start, {}",
                caption.location,
                writes.join(", ")
            );
        }
    }
    for (n, (id, _)) in order.iter().enumerate() {
        let event = graph.event(*id);
        let place = graph.place_of(event.source);
        if !matches!(event.kind, Kind::Read | Kind::Wait) || place == graph.last_place(event.location) {
            continue;
        }
        if let Some(newer) = number(graph.written_at(event.location, place + 1)) {
            let _ = writeln!(
                notes,
                "   {} reads what {} left, although {newer} overwrites it: nothing makes {newer} happen before {}",
                n + 1,
                number(event.source).unwrap_or_default(),
                n + 1,
            );
        }
    }
    out + &notes
}

//! What graphs of a program mean to people: names, final values, and what may not be in the end.

use super::{Concurrent, Run, Thread, evaluate, value_of};
use crate::model::{Body, LocalVariable, Never, order_name};
use crate::text;
use mazurka_core::Position;
use mazurka_weak::{Caption, EventId, Graph, Kind, Location, Source};

impl Concurrent {
    /// What a location is called.
    pub fn location_name(&self, location: Location) -> String {
        let at = self.bases.iter().rposition(|base| *base <= location.0).unwrap_or(0);
        let variable = &self.model.variables()[at];
        if variable.array {
            format!("{}[{}]", variable.name, location.0 - self.bases[at])
        } else {
            variable.name.clone()
        }
    }

    /// The values in the end: of shared variables, then of locals.
    pub fn finals(&self, graph: &Graph, run: &Run) -> Vec<(String, i32)> {
        let last = |x: usize| {
            let location = Location(x as u32);
            match graph.written_at(location, graph.last_place(location)) {
                Source::Initial => self.initial[x],
                Source::Event(write) => value_of(graph.event(write).value),
            }
        };
        let shared = (0..self.initial.len()).map(|x| (self.location_name(Location(x as u32)), last(x)));
        let mut out: Vec<(String, i32)> = shared.collect();
        for (body, thread) in self.model.bodies().iter().zip(run) {
            let named = body
                .locals
                .iter()
                .zip(&thread.locals)
                .filter(|(local, _)| !local.name.starts_with('.'));
            out.extend(named.map(|(local, value)| (format!("{}.{}", body.name, local.name), *value)));
        }
        out
    }

    /// The first condition that may not be in the end, and is.
    pub fn never(&self, graph: &Graph, run: &Run) -> Option<&Never> {
        self.model.nevers().iter().find(|never| self.is_so(never, graph, run))
    }

    /// Whether the graph ends like this.
    pub fn is_so(&self, end: &Never, graph: &Graph, run: &Run) -> bool {
        let locals: Vec<i32> = end.locals.iter().map(|(process, local)| run[*process].locals[*local]).collect();
        let shared = |variable: usize, index: usize| {
            let location = Location(self.bases[variable] + index as u32);
            match graph.written_at(location, graph.last_place(location)) {
                Source::Initial => self.initial[location.0 as usize],
                Source::Event(write) => value_of(graph.event(write).value),
            }
        };
        let length = |variable: usize| self.model.variables()[variable].initial.len();
        evaluate::eval_with(&end.condition, &locals, &shared, &length).is_ok_and(|value| value != 0)
    }

    /// What an event is called.
    pub fn caption(&self, graph: &Graph, run: &Run, id: EventId) -> Option<Caption> {
        let event = graph.event(id);
        let process = event.thread as usize;
        let thread = &run[process];
        let step = *thread.steps.get(event.index as usize).unwrap_or(&(thread.step as u32)) as usize;
        let body = &self.model.bodies()[process];
        let location = if event.accesses() {
            self.location_name(event.location)
        } else {
            String::new()
        };
        let order = order_name(event.order);
        let read = match event.source {
            Source::Initial => self.initial.get(event.location.0 as usize).copied().unwrap_or(0),
            Source::Event(write) => value_of(graph.event(write).value),
        };
        let text = match event.kind {
            Kind::Read => format!("{location} = {read} {order}"),
            Kind::Wait => format!("{location} = {read}: waits"),
            Kind::Write => format!("{location} := {} {order}", value_of(event.value)),
            Kind::Update => format!("{location}: {read} → {} {order}", value_of(event.value)),
            Kind::Fence => format!("fence {order}"),
            Kind::Join(_) => text::step_text(&self.model, body, &body.steps[step]),
        };
        let at = self
            .positions
            .of(process, step)
            .map_or(String::new(), |at| format!("{}:{}", at.line, at.column));
        Some(Caption { text, location, at })
    }

    /// The steps whose accesses were taken.
    pub fn places(&self, run: &Run) -> Vec<(usize, usize)> {
        let of = |(process, thread): (usize, &Thread)| -> Vec<(usize, usize)> {
            thread.steps.iter().map(|step| (process, *step as usize)).collect()
        };
        run.iter().enumerate().flat_map(of).collect()
    }

    /// What went wrong, and where.
    pub fn wrong<'r>(&self, run: &'r Run, thread: u32) -> Option<(&'r str, Option<Position>)> {
        let (message, step) = run[thread as usize].wrong.as_ref()?;
        Some((message, self.positions.of(thread as usize, *step)))
    }

    /// A condition of the program as text.
    pub fn condition(&self, never: &Never) -> String {
        let mut body = Body::default();
        for (process, local) in &never.locals {
            let owner = &self.model.bodies()[*process];
            body.locals.push(LocalVariable {
                name: format!("{}.{}", owner.name, owner.locals[*local].name),
                initial: 0,
            });
        }
        text::expression_text(&self.model, &body, &never.condition)
    }
}

//! What a person sees of an ABS model: names of tasks and objects, steps, states.

use crate::code::Kind;
use crate::run::Machine;
use crate::run::identity::Place;
use crate::run::state::{NOBODY, Run, Stopped, Task};
use crate::value::print::Printer;
use mazurka_core::{Describe, Location, Process, StepText, Transition, Wait};
use mazurka_diagnostics::Span;

impl Machine {
    fn printer(&self) -> Printer<'_> {
        Printer {
            symbols: &self.program.symbols,
            ids: &self.ids,
            short: true,
        }
    }

    /// What a person calls a live task: `Node 2.push(3)`, `main`.
    pub fn task_name(&self, run: &Run, id: u32) -> String {
        if self.is_clock(id) {
            return "clock".to_owned();
        }
        match run.find(id) {
            Some(place) => self.live_name(run, &run.live[place].task),
            None => format!("task {}", self.ids.tasks.path(id)),
        }
    }

    fn live_name(&self, run: &Run, task: &Task) -> String {
        let bottom = task.frames[0];
        let call = self.call(task);
        if bottom.this == NOBODY {
            return call;
        }
        let object = run.objects.get(bottom.this).id;
        format!("{}.{call}", self.ids.short_object_name(object, &self.program.symbols))
    }

    /// What a task was started with: `push(3)`, `main`.
    fn call(&self, task: &Task) -> String {
        let code = &self.program.codes[task.frames[0].code as usize];
        let Kind::Method { selector, .. } = code.kind else {
            return "main".to_owned();
        };
        let args: Vec<String> = task
            .stack
            .iter()
            .take(code.params as usize)
            .map(|v| short(self.printer().show_quoted(v)))
            .collect();
        format!("{}({})", self.program.selectors[selector as usize], args.join(", "))
    }

    /// The variables of the main block, once it has ended.
    fn main_variables(&self, run: &Run) -> Vec<(String, String)> {
        let printer = self.printer();
        let variables = self.program.main_variables.iter();
        run.main
            .iter()
            .flat_map(|main| {
                variables
                    .clone()
                    .map(|(name, slot)| (name.clone(), printer.show_quoted(&main[*slot as usize])))
            })
            .collect()
    }

    /// What the next step of a task is called.
    fn step_label(&self, task: &Task, choice: u32) -> String {
        let name = self.call(task);
        match &task.stopped {
            Stopped::Fresh if task.frames[0].this == NOBODY => "main block".to_owned(),
            Stopped::Fresh => name,
            Stopped::Suspended | Stopped::Await(_) => format!("resume {name}"),
            Stopped::Look(_) => format!("{name} looks at a future"),
            Stopped::Get(_) => format!("{name} gets a result"),
            Stopped::Choose(n) => format!("{name} chooses {choice} of {n}"),
            Stopped::Sleep(_) => format!("{name} goes on"),
        }
    }

    /// The place of the instruction at which a task stopped, or of its code if it has not started.
    pub fn current_span(&self, task: &Task) -> Option<Span> {
        let frame = task.frames.last()?;
        if frame.pc == 0 {
            return Some(self.program.codes[frame.code as usize].span);
        }
        Some(self.span(frame.code, frame.pc - 1))
    }

    fn cog_name(&self, first: Option<u32>) -> String {
        match first {
            Some(object) => self.ids.short_object_name(object, &self.program.symbols),
            None => "main".to_owned(),
        }
    }
}

/// Long values are cut: they serve to tell tasks apart, not to be read.
fn short(text: String) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

/// What the clock does next.
fn clock_label(run: &Run) -> String {
    match run.next_moment() {
        Some(next) => format!("time {} → {next}", run.now()),
        None => "time stands still".to_owned(),
    }
}

impl Describe for Machine {
    fn process_key(&self, process: Process) -> String {
        if self.is_clock(process.0) {
            return "clock".to_owned();
        }
        self.ids.tasks.path(process.0)
    }

    fn process_name(&self, run: &Run, process: Process) -> String {
        self.task_name(run, process.0)
    }

    fn column(&self, run: &Run, process: Process) -> String {
        match run.find(process.0) {
            Some(place) => self.cog_name(run.cogs.get(run.live[place].task.cog).first),
            None => self.process_key(process),
        }
    }

    fn label(&self, run: &Run, transition: Transition) -> String {
        if self.is_clock(transition.process.0) {
            return clock_label(run);
        }
        match run.find(transition.process.0) {
            Some(place) => self.step_label(&run.live[place].task, transition.choice),
            None => String::new(),
        }
    }

    fn describe(&self, run: &Run, transition: Transition) -> StepText {
        if self.is_clock(transition.process.0) {
            return StepText {
                label: clock_label(run),
                ..StepText::default()
            };
        }
        let Some(place) = run.find(transition.process.0) else {
            return StepText::default();
        };
        let task = &run.live[place].task;
        let mut after = run.clone();
        let mut effects = mazurka_core::Effects::default();
        self.step(&mut after, transition.process.0, transition.choice, &mut effects);
        let sends = effects
            .births
            .iter()
            .map(|birth| {
                let text = match after.find(birth.0) {
                    Some(place) => self.call(&after.live[place].task),
                    None => self.task_name(&after, birth.0),
                };
                (self.column(&after, *birth), text)
            })
            .collect();
        StepText {
            label: self.step_label(task, transition.choice),
            at: self.current_span(task).and_then(|span| self.position(span)),
            sends,
        }
    }

    fn location_name(&self, location: Location) -> String {
        let symbols = &self.program.symbols;
        match self.ids.place(location) {
            Some(Place::Cog(first)) => self.cog_name(first),
            Some(Place::Control(first)) => format!("control of {}", self.cog_name(first)),
            Some(Place::Inside(first)) => format!("inside of {}", self.cog_name(first)),
            Some(Place::Field(object, field)) => {
                let class = &self.program.classes[self.ids.object_class(object) as usize];
                let field = class.fields.get(field as usize).map_or("life", String::as_str);
                format!("{}.{field}", self.ids.short_object_name(object, symbols))
            }
            Some(Place::Future(task)) => format!("future of task {}", self.ids.tasks.path(task)),
            Some(Place::Time) => "the time".to_owned(),
            Some(Place::Idleness) => "whether any task can move".to_owned(),
            Some(Place::Futures) => "a future in some field".to_owned(),
            None => "?".to_owned(),
        }
    }

    fn output(&self, run: &Run) -> String {
        run.output()
    }

    fn waits(&self, run: &Run) -> Vec<Wait> {
        Machine::waits(self, run)
    }

    fn results(&self, run: &Run) -> Vec<(String, String)> {
        let mut results = self.values(run);
        if self.program.property.is_none() {
            results.extend(self.main_variables(run));
        }
        results
    }

    fn values(&self, run: &Run) -> Vec<(String, String)> {
        let printer = self.printer();
        let mut objects: Vec<_> = run.objects.iter().collect();
        objects.sort_by(|a, b| self.ids.compare_objects(a.id, b.id));
        let mut state = Vec::new();
        if self.program.reads_clock && self.program.timed {
            state.push(("time".to_owned(), run.now().to_string()));
        }
        for object in objects {
            let name = self.ids.short_object_name(object.id, &self.program.symbols);
            let class = &self.program.classes[object.class as usize];
            if class.fields.is_empty() {
                state.push((name.clone(), "(no fields)".to_owned()));
            }
            for (field, value) in class.fields.iter().zip(&object.fields) {
                state.push((format!("{name}.{field}"), printer.show_quoted(value)));
            }
        }
        if self.program.property.is_some() {
            state.extend(self.main_variables(run));
        }
        state
    }
}

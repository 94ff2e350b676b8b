//! What is wrong with an execution that has come to its end: exceptions that nobody asked for, deadlocks, the property.

use super::exec::{Exit, Mover};
use super::machine::{Machine, cogs_of};
use super::settings::DeadlockPolicy;
use super::state::{Future, NOBODY, Run, Stopped};
use crate::value::print::Printer;
use mazurka_core::{Failure, FailureKind, Process, Wait};

impl Machine {
    /// The failures of an execution that ends in `run`, where nothing can move: every exception that was never read, in the order of
    /// their tasks' names, then a deadlock or the property.
    pub fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        let mut unread: Vec<_> = run.unread.iter().collect();
        unread.sort_by(|a, b| self.ids.compare_tasks(a.0.id, b.0.id));
        out.extend(unread.into_iter().map(|(_, failure)| Failure::clone(failure)));
        out.extend(self.deadlock(run).or_else(|| self.property(run)));
    }

    /// Whether some task is blocked in a `get` or a synchronous call, and keeps its cog.
    fn is_blocked(run: &Run) -> bool {
        run.live.iter().any(|live| live.task.stopped.holds())
    }

    fn deadlock(&self, run: &Run) -> Option<Failure> {
        let blocked = Machine::is_blocked(run);
        let counts = match self.settings.deadlock {
            DeadlockPolicy::Error => !run.live.is_empty(),
            DeadlockPolicy::BlockedOnly => blocked,
            DeadlockPolicy::Ignore => false,
        };
        if !counts {
            return None;
        }
        let waits = self.waits(run);
        let cycle = cycle(&waits);
        let named: Vec<&Wait> = match &cycle {
            Some(cycle) => waits.iter().filter(|w| cycle.contains(&w.process)).collect(),
            None => {
                let main = waits
                    .iter()
                    .filter(|w| run.live.iter().any(|l| l.task.id == w.process.0 && self.is_cause(run, l)));
                main.collect()
            }
        };
        let mut message = match (&cycle, blocked) {
            (Some(_), _) => "deadlock, a cycle of blocked tasks: ".to_owned(),
            (None, true) => "deadlock, blocked for ever: ".to_owned(),
            (None, false) => "waits for ever: ".to_owned(),
        };
        let shown: Vec<String> = named
            .iter()
            .take(6)
            .map(|wait| {
                let at = wait.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
                format!("{} waits for {}{at}", self.task_name(run, wait.process.0), wait.what)
            })
            .collect();
        message.push_str(&shown.join("; "));
        if named.len() > shown.len() {
            message.push_str(&format!("; and {} more", named.len() - shown.len()));
        }
        Some(Failure {
            kind: FailureKind::Deadlock,
            message,
            at: named.first().and_then(|wait| wait.at.clone()),
        })
    }

    /// Whether a task waits for something else than its own cog.
    fn is_cause(&self, run: &Run, live: &super::state::Live) -> bool {
        live.task.stopped.holds() || (matches!(live.task.stopped, Stopped::Await(_)) && run.cogs.get(live.task.cog).holder.is_none())
    }

    /// Every task that cannot move, with what it waits for, in the order of their names.
    pub fn waits(&self, run: &Run) -> Vec<Wait> {
        let owner = |slot: u32| run.live.iter().find(|l| l.task.slot == slot).map(|l| Process(l.task.id));
        let mut waits = Vec::new();
        for live in run.live.iter() {
            if self.enabled(run, live) {
                continue;
            }
            let task = &live.task;
            let cogs = cogs_of(run, task.cog, &task.frames);
            let holder = cogs
                .iter()
                .find_map(|cog| run.cogs.get(*cog).holder.filter(|holder| *holder != task.id));
            let at = self.current_span(task).and_then(|span| self.position(span));
            let (what, on) = match (&task.stopped, holder) {
                (Stopped::Get(future), _) => {
                    let on = owner(future.slot);
                    (self.result_of(run, future.id, future.slot), on)
                }
                (Stopped::Await(waiting), _) => {
                    let guard = &self.program.guards[waiting.guard as usize];
                    let open = waiting
                        .futures
                        .iter()
                        .find(|r| matches!(run.futures.get(r.slot).result, Future::Open))
                        .copied();
                    match (open, holder) {
                        (Some(future), _) => (self.result_of(run, future.id, future.slot), owner(future.slot)),
                        (None, Some(holder)) if live.ready => ("its cog, which is blocked".to_owned(), Some(Process(holder))),
                        _ => (format!("`{}`", self.guard_text(guard.span)), None),
                    }
                }
                (_, Some(holder)) => ("its cog, which is blocked".to_owned(), Some(Process(holder))),
                _ => ("nothing".to_owned(), None),
            };
            waits.push(Wait {
                process: Process(task.id),
                agent: None,
                what,
                on,
                at,
            });
        }
        waits.sort_by(|a, b| self.ids.compare_tasks(a.process.0, b.process.0));
        waits
    }

    fn result_of(&self, run: &Run, id: u32, slot: u32) -> String {
        if run.live.iter().any(|l| l.task.slot == slot) {
            format!("the result of {}", self.task_name(run, id))
        } else {
            format!("the result of task {}", self.ids.tasks.path(id))
        }
    }

    pub(super) fn guard_text(&self, span: mazurka_diagnostics::Span) -> String {
        let text = self.sources.text(span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.trim_end_matches(';').to_owned()
    }

    fn property(&self, run: &Run) -> Option<Failure> {
        let (code, main) = (self.program.property?, run.main.clone()?);
        let variables = &self.program.main_variables;
        let mut scratch = run.clone();
        let mut stack = self.spare.take();
        stack.values.clear();
        stack.frames.clear();
        stack.values.extend(variables.iter().map(|(_, slot)| main[*slot as usize].clone()));
        let mut mover = Mover::new(self, &mut scratch, 0, 0, 0);
        mover.enter(&mut stack, code, NOBODY);
        let value = mover.evaluate(&mut stack);
        self.spare.replace(stack);
        let printer = Printer {
            symbols: &self.program.symbols,
            ids: &self.ids,
            short: true,
        };
        let text = self.property.as_deref().unwrap_or("property");
        let verdict = match value {
            Ok(value) if value.is_true() => return None,
            Ok(_) => "does not hold".to_owned(),
            Err(Exit::Threw(exception)) => format!("throws {}", printer.show(&exception)),
            Err(limit) => return Some(self.given_up(&mover, code, &limit)),
        };
        let values: Vec<String> = variables
            .iter()
            .map(|(name, slot)| format!("{name} = {}", printer.show_quoted(&main[*slot as usize])))
            .collect();
        let message = if values.is_empty() {
            format!("property `{text}` {verdict} at the end")
        } else {
            format!("property `{text}` {verdict} at the end: {}", values.join(", "))
        };
        Some(Failure {
            kind: FailureKind::Assertion,
            message,
            at: None,
        })
    }
}

/// The processes of a cycle of waits, if there is one.
fn cycle(waits: &[Wait]) -> Option<Vec<Process>> {
    for start in waits {
        let mut path = vec![start.process];
        let mut next = start.on;
        while let Some(process) = next {
            if process == start.process {
                return Some(path);
            }
            if path.contains(&process) {
                break;
            }
            path.push(process);
            next = waits.iter().find(|w| w.process == process).and_then(|w| w.on);
        }
    }
    None
}

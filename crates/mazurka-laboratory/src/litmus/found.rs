//! What a search found, in the words that the user sees, held against what the reference says there is.

use super::reference::{Answer, Printed, step_position};
use mazurka_core::{Describe, Failure, FailureKind, Observe, Outcome, Pending, Program};
use mazurka_litmus::model::{Place, Statement};
use mazurka_litmus::{Machine, Model, Run};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A failure as it is told: kind, message, line and column.
pub type Told = (&'static str, String, Option<(u32, u32)>);

/// Final states, deadlocks and failures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The final states, deadlocked ones too.
    pub finals: BTreeSet<Printed>,
    /// Those of them in which some process waits for ever.
    pub deadlocks: BTreeSet<Printed>,
    /// The failures, deadlocks too.
    pub failures: BTreeSet<Told>,
    known: FxHashSet<u128>,
}

/// What of a final state a search promises to preserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Shared variables.
    pub shared: bool,
    /// Locals.
    pub locals: bool,
    /// The names of tasks.
    pub names: bool,
}

/// What a search promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// Of final states.
    pub view: View,
    /// Every set of values with which something fails, not only every statement that fails.
    pub failure_values: bool,
}

impl Promise {
    /// Everything there is.
    pub const ALL: Promise = Promise {
        view: View {
            shared: true,
            locals: true,
            names: true,
        },
        failure_values: true,
    };

    /// What merging promises that observes this.
    pub fn of_merging(observe: Observe, tasks_exchanged: bool) -> Promise {
        Promise {
            view: View {
                shared: matches!(observe, Observe::States | Observe::Finals),
                locals: observe != Observe::Failures,
                names: !tasks_exchanged,
            },
            failure_values: observe == Observe::States,
        }
    }
}

impl Found {
    /// What the reference says, told as the machine would that was read from this text.
    pub fn expected(model: &Model, text: &str, answer: Answer) -> Found {
        let failures = answer.failures.into_iter().map(|f| {
            let at = f.place.and_then(|place| step_position(text, model, place));
            (f.kind, f.message, at)
        });
        Found {
            finals: answer.finals,
            deadlocks: answer.deadlocks,
            failures: failures.collect(),
            known: FxHashSet::default(),
        }
    }

    /// Notes a final state.
    pub fn end(&mut self, machine: &Machine, run: &Run) {
        if !self.known.insert(machine.fingerprint(run)) {
            return;
        }
        let printed = printed(machine, run);
        let mut pending: Vec<Pending> = Vec::new();
        machine.pending(run, &mut pending);
        if !pending.is_empty() {
            self.deadlocks.insert(printed.clone());
        }
        self.finals.insert(printed);
    }

    /// Notes the failures of an outcome.
    pub fn outcome(&mut self, outcome: &Outcome) {
        self.failures.extend(outcome.failures.iter().map(|f| told(&f.failure)));
    }

    /// Whether a search that found this kept its promise.
    ///
    /// # Errors
    /// What is missing or too much.
    pub fn keeps(&self, promise: Promise, expected: &Found) -> Result<(), String> {
        let name = |f: &Told| format!("{}{}: {}", f.0, f.2.map_or(String::new(), |(l, c)| format!(" at {l}:{c}")), f.1);
        none_left(
            "reports a failure that does not exist",
            self.failures.difference(&expected.failures),
            name,
        )?;
        if promise.failure_values {
            none_left("misses a failure", expected.failures.difference(&self.failures), name)?;
        } else {
            let bare = |all: &BTreeSet<Told>| all.iter().map(without_values).collect::<BTreeSet<_>>();
            none_left("misses a failure", bare(&expected.failures).difference(&bare(&self.failures)), name)?;
        }
        let pairs = [
            ("final state", &self.finals, &expected.finals),
            ("deadlock", &self.deadlocks, &expected.deadlocks),
        ];
        for (what, found, there) in pairs {
            none_left(&format!("reports a {what} that does not exist"), found.difference(there), line)?;
            let seen = |all: &BTreeSet<Printed>| all.iter().map(|p| promise.view.of(p)).collect::<BTreeSet<_>>();
            none_left(&format!("misses a {what}"), seen(there).difference(&seen(found)), line)?;
        }
        Ok(())
    }
}

fn none_left<'a, T: 'a>(what: &str, mut left: impl Iterator<Item = &'a T>, name: impl Fn(&T) -> String) -> Result<(), String> {
    match left.next() {
        None => Ok(()),
        Some(first) => {
            let more = left.count();
            let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            Err(format!("{what}: {}{more}", name(first)))
        }
    }
}

fn line(state: &Printed) -> String {
    let values: Vec<String> = state.iter().map(|(n, v)| format!("{n}={v}")).collect();
    values.join(" ")
}

/// A failure as it is told.
pub fn told(failure: &Failure) -> Told {
    let at = failure.at.as_ref().map(|at| (at.line, at.column));
    (failure.kind.name(), failure.message.clone(), at)
}

/// Which statement fails, not with which values.
fn without_values((kind, message, at): &Told) -> Told {
    let statement = message.split(", but ").next().unwrap_or_default();
    // A number outside an array, and how many processes wait, are values too.
    let statement = match *kind {
        kind if kind == FailureKind::Deadlock.name() => "",
        _ => statement
            .split('[')
            .next()
            .filter(|_| statement.ends_with("outside the array"))
            .unwrap_or(statement),
    };
    (*kind, statement.to_owned(), *at)
}

impl View {
    /// What it sees of a state.
    fn of(self, state: &Printed) -> Printed {
        let owner = |name: &str| name.rsplit_once('.').map(|(owner, _)| owner.to_owned());
        let mut out: Printed = Vec::new();
        let mut tasks: Vec<(String, String)> = Vec::new();
        for (name, value) in state {
            match owner(name) {
                None if self.shared => out.push((name.clone(), value.clone())),
                Some(_) if !self.locals => {}
                Some(owner) if !self.names && owner.contains('/') => {
                    let entry = format!("{}={value} ", name.rsplit_once('.').map_or("", |(_, local)| local));
                    match tasks.iter_mut().find(|(task, _)| *task == owner) {
                        Some((_, values)) => values.push_str(&entry),
                        None => tasks.push((owner, entry)),
                    }
                }
                Some(_) => out.push((name.clone(), value.clone())),
                None => {}
            }
        }
        let body = |task: &str| {
            let last = task.rsplit('/').next().unwrap_or_default();
            last.split('#').next().unwrap_or_default().to_owned()
        };
        out.extend(tasks.into_iter().map(|(task, values)| (body(&task), values)));
        out.sort();
        out
    }
}

/// A state of the machine as the reference prints it.
fn printed(machine: &Machine, run: &Run) -> Printed {
    let locks = locks(machine.model());
    let roots = machine.model().spawned_bodies().iter().filter(|s| !**s).count();
    let mut state = machine.values(run);
    for (name, value) in &mut state {
        let variable = name.split('[').next().unwrap_or_default();
        let token = value.parse::<i32>().is_ok_and(|v| usize::try_from(v).map_or(true, |v| v > roots));
        if token && !name.contains('.') && locks.contains(variable) {
            // The numbers by which the machine knows tasks are its own affair.
            *value = "a task's token".to_owned();
        }
    }
    state.sort();
    state
}

/// The variables that are locked somewhere.
fn locks(model: &Model) -> FxHashSet<&str> {
    let statements = model.bodies().iter().flat_map(|b| &b.steps).flat_map(|s| &s.statements);
    let variable = |s: &Statement| match s {
        Statement::Lock(Place::Shared(v, _)) => Some(model.variables()[*v].name.as_str()),
        _ => None,
    };
    statements.filter_map(variable).collect()
}

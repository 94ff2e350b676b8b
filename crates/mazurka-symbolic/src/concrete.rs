//! Runs tests with known values, on the checker itself, and compares with what was predicted. A difference is an error of this tool.

use crate::class::concrete;
use crate::coverage::{Goal, Recorder};
use crate::explore::{Execution, Exploration, Explored, Ran};
use crate::keep::switches;
use crate::known::run_known;
use crate::outcome::{Names, Outcome};
use crate::target::{Entry, Target};
use mazurka_abs::run::scene::{Actor, Call, Scene};
use mazurka_abs::run::symbolic::Inputs as Asked;
use mazurka_abs::value::Value;
use mazurka_core::{Algorithm, Describe, Effects, Pending, Program, SearchError, Transition};
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// What is predicted for a test is not what happens: an error of this tool.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The inputs.
    pub inputs: String,
    /// What is different.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { inputs, what } = self;
        write!(
            f,
            "internal error: symbolic execution and the checker do not agree for {inputs}: {what}; please report this"
        )
    }
}

impl std::error::Error for Difference {}

/// A step of a test, for people and for schedules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The process.
    pub process: String,
    /// Which of its alternatives it takes.
    pub choice: u32,
    /// Whose step it is.
    pub name: String,
    /// What it does.
    pub label: String,
}

/// A class with known values in the place of its inputs.
pub struct Instance {
    /// Where its executions start.
    pub scene: Scene,
    /// The values of the model's parameters, where these are inputs.
    pub functions: Vec<(u32, Value)>,
}

impl Instance {
    /// The values of a class that are as simple as can be; `None` if they cannot be computed.
    pub fn of(exploration: &Exploration, class: &Explored, target: &Target) -> Option<Instance> {
        let value = |value: &Value| concrete(value, &exploration.inputs, &class.known);
        let actor = |actor: &Actor| {
            Some(Actor {
                class: actor.class,
                fields: actor.fields.iter().map(value).collect::<Option<_>>()?,
            })
        };
        let call = |call: &Call| {
            Some(Call {
                object: call.object,
                code: call.code,
                args: call.args.iter().map(value).collect::<Option<_>>()?,
            })
        };
        let functions = match &target.entry {
            Entry::Method { .. } => Vec::new(),
            Entry::Main { functions, .. } => functions.clone(),
        };
        let function = |(_, constant): (u32, u32)| Some((constant, value(&target.machine.program.constants[constant as usize])?));
        Some(Instance {
            scene: Scene {
                objects: class.scene.objects.iter().map(actor).collect::<Option<_>>()?,
                calls: class.scene.calls.iter().map(call).collect::<Option<_>>()?,
            },
            functions: functions.into_iter().map(function).collect::<Option<_>>()?,
        })
    }

    /// Puts the values in the places of the inputs while `work` is done.
    pub fn with<R>(&self, target: &mut Target, work: impl FnOnce(&mut Target) -> R) -> R {
        let constants = &mut target.machine.program.constants;
        let before: Vec<Value> = self
            .functions
            .iter()
            .map(|(constant, value)| std::mem::replace(&mut constants[*constant as usize], value.clone()))
            .collect();
        let is_method = matches!(target.entry, Entry::Method { .. });
        target.machine.scene = is_method.then(|| self.scene.clone());
        let result = work(target);
        target.machine.scene = None;
        for ((constant, _), value) in self.functions.iter().zip(before) {
            target.machine.program.constants[*constant as usize] = value;
        }
        result
    }
}

/// What one schedule does with known values.
pub struct Replayed {
    /// What it comes to.
    pub outcome: Outcome,
    /// What it reaches in the code.
    pub reached: BTreeSet<Goal>,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// Runs a schedule with known values; `None` if it cannot be run.
pub fn replay(target: &mut Target, instance: &Instance, schedule: &[Transition]) -> Option<Replayed> {
    let (calls, objects) = (instance.scene.calls.len(), instance.scene.objects.len());
    instance.with(target, |target| {
        let recorder = Rc::new(Recorder::new(&target.machine.program));
        target.machine.inputs = Some(Rc::clone(&recorder) as Rc<dyn Asked>);
        let machine = &target.machine;
        let mut run = machine.start();
        let mut pending: Vec<Pending> = Vec::new();
        let mut steps = Vec::new();
        let mut possible = true;
        for transition in schedule {
            pending.clear();
            Program::pending(machine, &run, &mut pending);
            possible = pending.iter().any(|next| next.enabled && next.transition == *transition);
            if !possible {
                break;
            }
            steps.push(Step {
                process: machine.process_key(transition.process),
                choice: transition.choice,
                name: machine.process_name(&run, transition.process),
                label: machine.label(&run, *transition),
            });
            Program::step(machine, &mut run, *transition, &mut Effects::default());
        }
        let outcome = Outcome::of(machine, &run, calls, objects);
        let replayed = (possible && !recorder.was_asked()).then(|| Replayed {
            outcome,
            reached: recorder.take(),
            steps,
        });
        target.machine.inputs = None;
        replayed
    })
}

/// Explores every schedule with known values, without anything symbolic.
///
/// # Errors
/// The algorithm does not take this program.
pub fn all_schedules(target: &mut Target, instance: &Instance, algorithm: Algorithm, executions: u64) -> Result<Ran, SearchError> {
    instance.with(target, |target| {
        let scene = target.machine.scene.take();
        let (executions, outcome) = run_known(&mut target.machine, scene, algorithm, executions)?;
        Ok((executions, outcome.counts))
    })
}

/// The different outcomes of executions, each with the first that has it.
pub fn distinct<'e>(executions: &'e [Execution], names: &Names<'_>) -> Vec<(String, &'e Execution)> {
    let mut found: Vec<(String, &Execution)> = Vec::new();
    for execution in executions {
        let key = execution.outcome.key(names);
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, kept)) if switches(&execution.schedule) < switches(&kept.schedule) => *kept = execution,
            Some(_) => {}
            None => found.push((key, execution)),
        }
    }
    found
}

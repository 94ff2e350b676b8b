//! Goes through the classes of inputs, and for each through every schedule.

use crate::bounds::{Bounds, Cut};
use crate::class::{Asking, Class, Decision, Known, Owned};
use crate::inputs::{Inputs, Origin, Shape};
use crate::keep::{Keep, Keeper};
use crate::outcome::{Ended, Outcome};
use crate::schedules;
use crate::solver::{Answer, Model, Queries, Reply, Solver, SolverError};
use crate::target::{Entry, Method, Target};
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::{Actor, Call, Scene};
use mazurka_abs::run::symbolic::{ASKED, Inputs as Asked};
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Condition;
use mazurka_core::{Algorithm, Counts, Effects, Limit, Limits, Options, Pending, Program, SearchError, Status, Transition, search};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How to explore.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// By which algorithm schedules are explored.
    pub algorithm: Algorithm,
    /// How far.
    pub bounds: Bounds,
    /// For how long.
    pub time: Option<Duration>,
    /// Asked now and then, with the classes and executions so far: whether to stop.
    pub stop: Option<&'a dyn Fn(u64, u64) -> bool>,
    /// What is kept of the executions.
    pub keep: Keep,
}

/// One execution of a class.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Who moved when.
    pub schedule: Vec<Transition>,
    /// What it came to, in terms of the inputs.
    pub outcome: Outcome,
}

/// A class of inputs that was explored under every schedule.
#[derive(Debug)]
pub struct Explored {
    /// What is known of its inputs.
    pub known: Known,
    /// Where its executions start, in terms of the inputs.
    pub scene: Scene,
    /// Its executions, as many as were to be kept.
    pub executions: Vec<Execution>,
    /// What the search did.
    pub counts: Counts,
}

/// What was found.
pub struct Exploration {
    /// The classes.
    pub classes: Vec<Explored>,
    /// All inputs.
    pub inputs: Rc<RefCell<Inputs>>,
    /// What was left out.
    pub cuts: BTreeSet<Cut>,
    /// Classes that the requirement rules out.
    pub forbidden: u64,
    /// Classes that were given up because of a bound.
    pub given_up: u64,
    /// Executions of all classes.
    pub executions: u64,
    /// Executions that were abandoned because everything slept.
    pub blocked: u64,
    /// Steps of all classes.
    pub steps: u64,
    /// What the solver did.
    pub queries: Queries,
}

/// Why nothing can be explored.
#[derive(Debug)]
pub enum Trouble {
    /// The solver.
    Solver(SolverError),
    /// The algorithm does not take this program.
    Search(SearchError),
    /// The algorithm does not explore every trace.
    Algorithm(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Solver(error) => error.fmt(f),
            Trouble::Search(error) => error.fmt(f),
            Trouble::Algorithm(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Trouble {}

/// Steps between two looks at the clock.
pub(crate) const STRIDE: u64 = 2000;

/// Explores all classes of inputs. `target`'s machine is left as it was.
///
/// # Errors
/// The solver, the search, or an algorithm that cannot be used for tests.
pub fn explore(target: &mut Target, inputs: Inputs, solver: &Rc<RefCell<Solver>>, plan: &Plan<'_>) -> Result<Exploration, Trouble> {
    schedules::admit(plan.algorithm).map_err(Trouble::Algorithm)?;
    let started = Instant::now();
    let program = Rc::new(target.machine.program.clone());
    let inputs = Rc::new(RefCell::new(inputs));
    let asked_before = solver.borrow().queries;
    let mut found = Exploration {
        classes: Vec::new(),
        inputs: Rc::clone(&inputs),
        cuts: BTreeSet::new(),
        forbidden: 0,
        given_up: 0,
        executions: 0,
        blocked: 0,
        steps: 0,
        queries: Queries::default(),
    };
    let mut todo = roots(&target.entry, plan.bounds.calls);
    let mut explored = 0;
    while let Some(mut class) = todo.pop() {
        let late = plan.time.is_some_and(|time| started.elapsed() > time);
        if late || plan.stop.is_some_and(|stop| stop(explored, found.executions)) {
            found.cuts.insert(Cut::Time);
            break;
        }
        if explored >= plan.bounds.classes {
            found.cuts.insert(Cut::Classes);
            break;
        }
        if class.model.is_none() {
            let answers = class.answers();
            let reply = solver
                .borrow_mut()
                .check(&inputs.borrow(), &answers, answers.len())
                .map_err(Trouble::Solver)?;
            match reply {
                Reply::Sat(model) => class.model = Some(model),
                Reply::Unsat => continue,
                Reply::Unknown => {
                    found.cuts.insert(Cut::Unknown);
                    continue;
                }
            }
        }
        let heap = heap(target, &class);
        let asking = Rc::new(Asking::new(class, heap, &inputs, solver, &program, plan.bounds));
        target.machine.inputs = Some(Rc::clone(&asking) as Rc<dyn Asked>);
        let scene = scene(target, &asking);
        let allowed = match &scene {
            Some(scene) => required(target, scene, &asking),
            None => true,
        };
        let mut executions = Vec::new();
        let mut counts = Counts::default();
        if allowed {
            target.machine.scene.clone_from(&scene);
            let time = plan.time.map(|time| time.saturating_sub(started.elapsed()));
            let ran = run(&target.machine, scene.as_ref(), &asking, plan, time, (explored, found.executions));
            (executions, counts) = ran.map_err(Trouble::Search)?;
        }
        target.machine.inputs = None;
        target.machine.scene = None;
        if let Some(error) = asking.broken.borrow_mut().take() {
            return Err(Trouble::Solver(error));
        }
        let mut known = asking.known.take();
        todo.append(&mut known.siblings);
        found.cuts.append(&mut known.cuts);
        if !allowed {
            found.forbidden += 1;
            continue;
        }
        explored += 1;
        found.executions += counts.executions;
        found.blocked += counts.blocked;
        found.steps += counts.steps;
        if known.given_up {
            found.given_up += 1;
            continue;
        }
        found.classes.push(Explored {
            known,
            scene: scene.unwrap_or_default(),
            executions,
            counts,
        });
    }
    found.queries = solver.borrow().queries.since(asked_before);
    Ok(found)
}

/// The classes to begin with: one for each choice of calls that wait besides the tested one, those with the fewest last.
fn roots(entry: &Entry, calls: u32) -> Vec<Class> {
    let methods = match entry {
        Entry::Method { others, .. } => others.len(),
        Entry::Main { assumed, .. } => {
            let answer = |(condition, holds): &(Condition, bool)| Decision::Answer(Answer::new(condition.clone(), *holds));
            return vec![Class {
                trail: assumed.iter().map(answer).collect(),
                model: assumed.is_empty().then(Model::default),
                ..Class::default()
            }];
        }
    };
    let mut rounds: Vec<Vec<Vec<usize>>> = vec![vec![Vec::new()]];
    for _ in 0..calls {
        let mut longer = Vec::new();
        for chosen in rounds.last().into_iter().flatten() {
            // In which order they wait does not matter.
            let from = chosen.last().copied().unwrap_or(0);
            longer.extend((from..methods).map(|method| chosen.iter().copied().chain([method]).collect()));
        }
        rounds.push(longer);
    }
    let mut all: Vec<Class> = rounds
        .into_iter()
        .flatten()
        .map(|calls| Class {
            calls,
            model: Some(Model::default()),
            ..Class::default()
        })
        .collect();
    all.reverse();
    all
}

/// The objects that a class's decisions speak of.
fn heap(target: &Target, class: &Class) -> Vec<Owned> {
    let mut heap = Vec::new();
    let mut add = |owner: Option<u32>, class: u32| {
        let value = target.machine.actor(heap.len() as u32, class);
        heap.push(Owned { owner, class, value });
    };
    if let Entry::Method { class, .. } = target.entry {
        add(None, class);
    }
    for decision in &class.trail {
        if let Decision::Shape(input, Shape::Fresh(class)) = decision {
            add(Some(*input), *class);
        }
    }
    heap
}

/// Where a class starts; nothing for a main block.
fn scene(target: &Target, asking: &Asking) -> Option<Scene> {
    let Entry::Method { method, others, .. } = &target.entry else {
        return None;
    };
    let known = asking.known.borrow();
    let mut inputs = asking.inputs.borrow_mut();
    let mut objects = Vec::new();
    for object in &known.heap {
        let prefix = match object.owner {
            None => "this".to_owned(),
            Some(owner) => inputs.get(owner).name.to_string(),
        };
        let fields = &target.model.classes[object.class as usize].fields;
        let field = |(nth, field): (usize, &mazurka_abs::checked::Field)| match inputs.admit(&field.ty) {
            Ok(()) => {
                let origin = Origin::Field {
                    owner: object.owner,
                    class: object.class,
                    field: nth as u32,
                };
                inputs.input(origin, || format!("{prefix}.{}", field.name), &field.ty)
            }
            Err(_) => target.blank(object.class, nth),
        };
        objects.push(Actor {
            class: object.class,
            fields: fields.iter().enumerate().map(field).collect(),
        });
    }
    let mut call = |nth: u32, method: &Method| Call {
        object: 0,
        code: method.code,
        args: method
            .params
            .iter()
            .enumerate()
            .map(|(at, (name, ty))| {
                let origin = Origin::Parameter {
                    call: nth,
                    code: method.code,
                    nth: at as u32,
                };
                let name = || match nth {
                    0 => name.clone(),
                    _ => format!("{name}'{}", if nth == 1 { String::new() } else { nth.to_string() }),
                };
                inputs.input(origin, name, ty)
            })
            .collect(),
    };
    let mut calls = vec![call(0, method)];
    for (nth, other) in known.class.calls.iter().enumerate() {
        calls.push(call(nth as u32 + 1, &others[*other]));
    }
    Some(Scene { objects, calls })
}

/// Whether the initial heap is what was required. Looking at it may decide something.
fn required(target: &mut Target, scene: &Scene, asking: &Asking) -> bool {
    let Entry::Method { requires: Some(code), .. } = target.entry else {
        return true;
    };
    let mut alone = scene.clone();
    alone.calls.truncate(1);
    for call in &mut alone.calls {
        call.code = code;
    }
    target.machine.scene = Some(alone);
    let mut run = target.machine.start();
    let mut effects = Effects::default();
    let mut pending: Vec<Pending> = Vec::new();
    Program::pending(&target.machine, &run, &mut pending);
    if let Some(first) = pending.first() {
        Program::step(&target.machine, &mut run, first.transition, &mut effects);
    }
    match Outcome::of(&target.machine, &run, 1, 0).calls.first() {
        Some(Ended::Returned(Value::Term(term))) => match term.kind() {
            mazurka_abs::value::term::Kind::Input(number, _) => asking.shape(*number).is_true(),
            mazurka_abs::value::term::Kind::Apply(..) => false,
        },
        Some(Ended::Returned(value)) => value.is_true(),
        _ => false,
    }
}

/// What a search found.
pub type Ran = (Vec<Execution>, Counts);

/// Explores every schedule of one class.
fn run(
    machine: &Machine,
    scene: Option<&Scene>,
    asking: &Asking,
    plan: &Plan<'_>,
    time: Option<Duration>,
    (classes, before): (u64, u64),
) -> Result<Ran, SearchError> {
    let kept = Rc::new(RefCell::new(Vec::new()));
    let keeper = Keeper::new(machine, scene, plan.keep, &kept);
    let limits = Limits::default()
        .executions(plan.bounds.executions)
        .depth(plan.bounds.depth)
        .time(time);
    let options = Options::new(plan.algorithm).keep_going(true).limits(limits);
    let mut searching = match plan.keep {
        Keep::Counts => search(machine, &options, mazurka_core::Unobserved)?,
        _ => search(machine, &options, keeper)?,
    };
    while searching.advance(STRIDE) == Status::Running {
        let stop = plan
            .stop
            .is_some_and(|stop| stop(classes, before + searching.progress().counts.executions));
        if stop || asking.known.borrow().given_up || asking.broken.borrow().is_some() {
            searching.interrupt();
        }
    }
    let outcome = searching.outcome();
    let mut known = asking.known.borrow_mut();
    let step = outcome.large_step.as_ref().map_or(String::new(), |failure| {
        let at = failure.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        format!("{}{at}", failure.message)
    });
    let cut = match outcome.limit {
        Some(Limit::Step) if step.contains(ASKED) => Some(Cut::Unroll),
        Some(Limit::Step) => Some(Cut::Step(step)),
        Some(Limit::Depth) => Some(Cut::Depth),
        Some(Limit::Executions) => Some(Cut::Executions),
        Some(_) => Some(Cut::Time),
        None => None,
    };
    if let Some(cut) = cut {
        // A class of which some executions are missing still shows what the others do; after a step that was not finished nothing is known.
        known.given_up |= matches!(cut, Cut::Unroll | Cut::Step(_));
        known.incomplete = true;
        known.cuts.insert(cut);
    }
    drop(searching);
    let kept = kept.take();
    Ok((kept, outcome.counts))
}

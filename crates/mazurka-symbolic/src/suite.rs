//! Tests: for each class of inputs, and each interleaving that matters, known inputs with what is expected.

use crate::bounds::Cut;
use crate::class::concrete;
use crate::concrete::{Difference, Instance, Step, all_schedules, distinct, replay};
use crate::coverage::{Criterion, Goal, wanted};
use crate::explore::{Exploration, Explored};
use crate::minimise::minimise;
use crate::outcome::{Names, Outcome};
use crate::target::Target;
use mazurka_abs::value::Value;
use mazurka_core::Algorithm;
use std::collections::{BTreeMap, BTreeSet};

/// A test.
pub struct Test {
    /// The number of its class.
    pub class: usize,
    /// Its inputs.
    pub instance: Instance,
    /// The values of all inputs, by name, and of the model's parameters.
    pub inputs: Vec<(String, String)>,
    /// The objects of the heap, by name.
    pub objects: Vec<String>,
    /// What the class knows of its inputs.
    pub conditions: Vec<String>,
    /// The schedule that leads to the outcome.
    pub steps: Vec<Step>,
    /// Whether other schedules of the same inputs come to something else.
    pub schedule_matters: bool,
    /// What it comes to.
    pub outcome: Outcome,
    /// All that these inputs can come to without a failure, whatever the schedule.
    pub allowed: Vec<Outcome>,
    /// How many interleavings these inputs have.
    pub interleavings: u64,
}

/// A set of tests with what it covers.
pub struct Suite {
    /// The tests.
    pub tests: Vec<Test>,
    /// What was to be covered.
    pub criterion: Criterion,
    /// How much of it there is.
    pub goals: usize,
    /// Classes of inputs.
    pub classes: usize,
    /// Interleavings of all classes.
    pub executions: u64,
    /// Candidates that were run and compared.
    pub compared: usize,
    /// Classes of which not every schedule was run with known values: there are too many, or a limit left some out.
    pub partly: usize,
    /// What was left out.
    pub cuts: BTreeSet<Cut>,
}

struct Candidate {
    class: usize,
    replayed: crate::concrete::Replayed,
    reached: BTreeSet<Goal>,
}

/// Interleavings of a class that the checker runs once more with known values.
const COMPARED: u64 = 20_000;

/// Makes tests of what was found, runs every candidate with known values, and leaves out what a criterion does not need.
///
/// # Errors
/// What was predicted is not what happens.
pub fn suite(target: &mut Target, exploration: &Exploration, criterion: Criterion, algorithm: Algorithm) -> Result<Suite, Difference> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut instances: BTreeMap<usize, (Instance, Vec<Outcome>)> = BTreeMap::new();
    let mut cuts = exploration.cuts.clone();
    let mut partly = 0;
    for (number, class) in exploration.classes.iter().enumerate() {
        let Some(instance) = Instance::of(exploration, class, target) else {
            cuts.insert(Cut::Step("a value of a class is too large to be computed".to_owned()));
            continue;
        };
        partly += usize::from(!is_compared_whole(class));
        let outcomes = compare(target, exploration, class, &instance, algorithm, criterion)?;
        let mut allowed: Vec<Outcome> = Vec::new();
        for (key, replayed) in outcomes {
            let mut reached: BTreeSet<Goal> = replayed.reached.iter().filter(|goal| wanted(criterion, goal)).cloned().collect();
            reached.extend(replayed.outcome.failure_keys().into_iter().map(Goal::Failure));
            if matches!(criterion, Criterion::Paths | Criterion::Traces) {
                reached.insert(Goal::Of(number, key));
            }
            let names = Names::of(&target.machine);
            let known = |outcome: &Outcome| outcome.key(&names) == replayed.outcome.key(&names);
            if !replayed.outcome.fails() && !allowed.iter().any(known) {
                allowed.push(replayed.outcome.clone());
            }
            candidates.push(Candidate {
                class: number,
                replayed,
                reached,
            });
        }
        instances.insert(number, (instance, allowed));
    }
    let alone = |candidate: &&Candidate| exploration.classes[candidate.class].known.class.calls.is_empty();
    let own: BTreeSet<u32> = candidates
        .iter()
        .filter(alone)
        .flat_map(|candidate| &candidate.replayed.reached)
        .filter_map(Goal::code)
        .collect();
    // What only the other calls run is tested when they are.
    for candidate in &mut candidates {
        candidate.reached.retain(|goal| goal.code().is_none_or(|code| own.contains(&code)));
    }
    let reached: Vec<BTreeSet<Goal>> = candidates.iter().map(|candidate| candidate.reached.clone()).collect();
    let goals: BTreeSet<&Goal> = reached.iter().flatten().collect();
    let goals = goals.len();
    let cost = |candidate: usize| {
        let it = &candidates[candidate];
        let class = &exploration.classes[it.class];
        let heap = class.scene.objects.len() + class.scene.calls.len();
        heap * 1000 + class.known.class.trail.len() * 10 + it.replayed.steps.len()
    };
    let kept = minimise(&reached, cost);
    let compared = candidates.len();
    let mut tests = Vec::new();
    for (place, candidate) in candidates.into_iter().enumerate() {
        if !kept.contains(&place) {
            continue;
        }
        let class = &exploration.classes[candidate.class];
        let Some((instance, allowed)) = instances.get(&candidate.class) else {
            continue;
        };
        tests.push(test(target, exploration, candidate, class, instance, allowed));
    }
    Ok(Suite {
        tests,
        criterion,
        goals,
        classes: exploration.classes.len(),
        executions: exploration.executions,
        compared,
        partly,
        cuts,
    })
}

/// Whether every schedule of a class is run with known values, and not only those of its candidates.
fn is_compared_whole(class: &Explored) -> bool {
    class.counts.executions <= COMPARED && !class.known.incomplete
}

/// Runs every different execution of a class with known values; each must come to what was predicted, and all schedules together to all that was
/// predicted and to nothing else.
fn compare(
    target: &mut Target,
    exploration: &Exploration,
    class: &Explored,
    instance: &Instance,
    algorithm: Algorithm,
    criterion: Criterion,
) -> Result<Vec<(String, crate::concrete::Replayed)>, Difference> {
    let value = |value: &Value| concrete(value, &exploration.inputs, &class.known);
    let mut predicted = Vec::new();
    for execution in &class.executions {
        let Some(outcome) = execution.outcome.map(&value) else { continue };
        predicted.push(crate::explore::Execution {
            schedule: execution.schedule.clone(),
            outcome,
        });
    }
    let difference = |target: &Target, what: String| Difference {
        inputs: values(target, exploration, class, instance)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect::<Vec<_>>()
            .join(", "),
        what,
    };
    let chosen: Vec<(String, Vec<mazurka_core::Transition>, String)> = {
        let names = Names::of(&target.machine);
        match criterion {
            Criterion::Traces => predicted
                .iter()
                .map(|execution| {
                    (
                        format!("{:?}", execution.schedule),
                        execution.schedule.clone(),
                        execution.outcome.key(&names),
                    )
                })
                .collect(),
            _ => distinct(&predicted, &names)
                .into_iter()
                .map(|(key, execution)| (key.clone(), execution.schedule.clone(), key))
                .collect(),
        }
    };
    let mut replays = Vec::new();
    for (name, schedule, key) in &chosen {
        let Some(replayed) = replay(target, instance, schedule) else {
            return Err(difference(target, "a schedule of its class cannot be run".to_owned()));
        };
        let found = replayed.outcome.key(&Names::of(&target.machine));
        if found != *key {
            return Err(difference(target, format!("predicted was {key}, and the outcome is {found}")));
        }
        replays.push((name.clone(), replayed));
    }
    if is_compared_whole(class) {
        let (ran, counts) = match all_schedules(target, instance, algorithm, COMPARED * 2) {
            Ok(ran) => ran,
            Err(error) => return Err(difference(target, error.to_string())),
        };
        let names = Names::of(&target.machine);
        let keys = |executions: &[crate::explore::Execution]| -> BTreeSet<String> {
            executions.iter().map(|execution| execution.outcome.key(&names)).collect()
        };
        if keys(&ran) != keys(&predicted) {
            return Err(difference(
                target,
                format!(
                    "all schedules together come to {:?}, and predicted was {:?}",
                    keys(&ran),
                    keys(&predicted)
                ),
            ));
        }
        if counts.executions != class.counts.executions {
            return Err(difference(
                target,
                format!(
                    "there are {} interleavings, and {} were predicted",
                    counts.executions, class.counts.executions
                ),
            ));
        }
    }
    Ok(replays)
}

fn test(
    target: &Target,
    exploration: &Exploration,
    candidate: Candidate,
    class: &Explored,
    instance: &Instance,
    allowed: &[Outcome],
) -> Test {
    let names = Names::of(&target.machine);
    let different: BTreeSet<String> = {
        let value = |value: &Value| concrete(value, &exploration.inputs, &class.known);
        let outcomes = class.executions.iter().filter_map(|execution| execution.outcome.map(&value));
        outcomes.map(|outcome| outcome.key(&names)).collect()
    };
    Test {
        class: candidate.class,
        inputs: values(target, exploration, class, instance),
        objects: objects(exploration, class),
        conditions: conditions(target, exploration, class),
        instance: Instance {
            scene: instance.scene.clone(),
            functions: instance.functions.clone(),
        },
        steps: candidate.replayed.steps,
        schedule_matters: different.len() > 1,
        outcome: candidate.replayed.outcome,
        allowed: allowed.to_vec(),
        interleavings: class.counts.executions,
    }
}

/// The names of a class's objects: `this`, then what inputs refer to them.
pub fn objects(exploration: &Exploration, class: &Explored) -> Vec<String> {
    let inputs = exploration.inputs.borrow();
    let name = |owner: Option<u32>| owner.map_or("this".to_owned(), |owner| inputs.get(owner).name.to_string());
    class.known.heap.iter().map(|object| name(object.owner)).collect()
}

/// Names and values of the inputs that a class knows something of, or that are arguments.
fn values(target: &Target, exploration: &Exploration, class: &Explored, instance: &Instance) -> Vec<(String, String)> {
    let names = Names::of(&target.machine);
    let mut found = Vec::new();
    let inputs = exploration.inputs.borrow();
    let mut add = |symbolic: &Value, known: &Value| {
        if let Value::Term(term) = symbolic
            && let mazurka_abs::value::term::Kind::Input(number, _) = term.kind()
        {
            found.push((inputs.get(*number).name.to_string(), names.show(known)));
        }
    };
    for (symbolic, known) in class.scene.calls.iter().zip(&instance.scene.calls) {
        symbolic
            .args
            .iter()
            .zip(&known.args)
            .for_each(|(symbolic, known)| add(symbolic, known));
    }
    for (symbolic, known) in class.scene.objects.iter().zip(&instance.scene.objects) {
        symbolic
            .fields
            .iter()
            .zip(&known.fields)
            .for_each(|(symbolic, known)| add(symbolic, known));
    }
    for (constant, known) in &instance.functions {
        add(&target.machine.program.constants[*constant as usize], known);
    }
    found
}

/// What a class knows of its inputs, as ABS expressions.
pub fn conditions(target: &Target, exploration: &Exploration, class: &Explored) -> Vec<String> {
    use crate::class::Decision;
    use crate::inputs::Shape;
    use mazurka_abs::value::term::Test as Asked;
    let names = Names::of(&target.machine);
    let inputs = exploration.inputs.borrow();
    let mut found = Vec::new();
    for decision in &class.known.class.trail {
        found.push(match decision {
            Decision::Answer(answer) => {
                let word = match (answer.condition.test, answer.holds) {
                    (Asked::Less, true) => "<",
                    (Asked::Less, false) => ">=",
                    (Asked::Equal, true) => "==",
                    (Asked::Equal, false) => "!=",
                };
                format!(
                    "{} {word} {}",
                    names.show(&answer.condition.left),
                    names.show(&answer.condition.right)
                )
            }
            Decision::Shape(input, shape) => {
                let name = &inputs.get(*input).name;
                match shape {
                    Shape::Data(value, _) => format!("{name} == {}", names.show(value)),
                    Shape::Null => format!("{name} == null"),
                    Shape::Object(nth) => {
                        let owner = class.known.heap[*nth as usize].owner;
                        format!("{name} == {}", owner.map_or("this", |owner| &inputs.get(owner).name))
                    }
                    Shape::Fresh(of) => format!("{name} is another {}", target.model.classes[*of as usize].name),
                }
            }
        });
    }
    found
}

/// The simplest first: by how often processes take turns.
pub fn order(tests: &mut [Test]) {
    tests.sort_by_key(|test| (test.outcome.fails(), test.class));
}

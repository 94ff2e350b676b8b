//! Random methods against enumeration: every input of a small domain is in exactly one class, and what the class says of it is what it does.
//!
//! `PROGRAMS=100000 cargo test --release -p mazurka-symbolic random` is a larger campaign; `SEED` begins elsewhere.

use crate::common::{plan, solver, target, tests};
use crate::random_methods::{Random, Shapes, model};
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::{Actor, Call, Scene};
use mazurka_abs::value::Value;
use mazurka_abs::value::term::{Kind, evaluate};
use mazurka_core::Algorithm;
use mazurka_symbolic::class::Decision;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::explore::{Exploration, Explored, Plan, explore};
use mazurka_symbolic::inputs::{Inputs, Shape};
use mazurka_symbolic::known::run_known;
use mazurka_symbolic::outcome::Names;
use mazurka_symbolic::solver::Solver;
use mazurka_symbolic::target::Entry;
use mazurka_symbolic::{Bounds, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Known inputs: a value for each name, and whether the heap has a cell.
#[derive(Clone, Debug, Default)]
struct Given {
    values: BTreeMap<String, Value>,
    cell: bool,
}

/// The small domain: numbers from -3 to 3.
fn domain(shapes: Shapes, machine: &Machine) -> Vec<Given> {
    let numbers: Vec<Value> = (-3..=3).map(Value::Int).collect();
    let mut all = vec![Given::default()];
    let mut extend = |name: &str, values: &[Value]| {
        let mut longer = Vec::new();
        for given in &all {
            for value in values {
                let mut given: Given = given.clone();
                given.values.insert(name.to_owned(), value.clone());
                longer.push(given);
            }
        }
        all = longer;
    };
    extend("x", &numbers);
    match shapes {
        Shapes::Numbers => extend("this.f", &numbers),
        Shapes::Calls => {
            extend("this.f", &[Value::Int(-2), Value::Int(3)]);
            extend("y'", &[Value::Int(-3), Value::Int(1)]);
        }
        Shapes::References => {
            extend("this.f", &[Value::Int(2)]);
            let class = machine
                .program
                .classes
                .iter()
                .position(|class| class.name == "M.CellImpl")
                .expect("it is declared");
            let cell = machine.actor(1, class as u32);
            extend("c", &[Value::Null, cell.clone()]);
            extend("d", &[Value::Null, cell]);
            extend("value", &[Value::Int(-3), Value::Int(2)]);
        }
        Shapes::Data => {
            extend("this.f", &[Value::Int(-1)]);
            extend("b", &[Value::bool(false), Value::bool(true)]);
            let just = mazurka_abs::value::known::JUST;
            let some = |n: i64| Value::data(just, smallvec::smallvec![Value::Int(n)]);
            extend("o", &[Value::Atom(mazurka_abs::value::known::NOTHING), some(-3), some(1)]);
        }
    }
    for given in &mut all {
        given.cell = given.values.values().any(|value| matches!(value, Value::Object(_)));
    }
    all
}

/// The scene of known inputs.
fn scene(target: &Target, shapes: Shapes, given: &Given) -> Scene {
    let Entry::Method { class, method, others, .. } = &target.entry else {
        panic!("a method is tested")
    };
    let value = |name: &str| given.values[name].clone();
    let mut objects = vec![Actor {
        class: *class,
        fields: vec![value("this.f")],
    }];
    if given.cell {
        let class = target
            .machine
            .program
            .classes
            .iter()
            .position(|class| class.name == "M.CellImpl")
            .expect("declared");
        objects.push(Actor {
            class: class as u32,
            fields: vec![value("value")],
        });
    }
    let mut calls = vec![Call {
        object: 0,
        code: method.code,
        args: method.params.iter().map(|(name, _)| value(name)).collect(),
    }];
    if shapes == Shapes::Calls {
        let other = others.iter().find(|other| other.name == "n").expect("declared");
        calls.push(Call {
            object: 0,
            code: other.code,
            args: vec![value("y'")],
        });
    }
    Scene { objects, calls }
}

/// The values of all inputs of a class for known ones, if these are in the class.
fn inside(exploration: &Exploration, class: &Explored, given: &Given) -> Option<BTreeMap<String, Value>> {
    let inputs = exploration.inputs.borrow();
    let mut values = given.values.clone();
    let name = |number: u32| inputs.get(number).name.to_string();
    for decision in &class.known.class.trail {
        match decision {
            Decision::Answer(answer) => {
                let of = |number: u32| values.get(&name(number)).cloned().unwrap_or(Value::Null);
                if answer.condition.evaluate(&of) != Ok(answer.holds) {
                    return None;
                }
            }
            Decision::Shape(number, shape) => {
                let value = values.get(&name(*number)).cloned()?;
                match (shape, &value) {
                    (Shape::Null, Value::Null) => {}
                    (Shape::Object(nth), Value::Object(r)) if r.slot == *nth => {}
                    (Shape::Fresh(_), Value::Object(r)) if r.slot == 1 => {
                        values.insert(format!("{}.value", name(*number)), given.values["value"].clone());
                    }
                    (Shape::Data(data, _), value) if data.ctor() == value.ctor() => {
                        for (part, arg) in data.args().iter().zip(value.args()) {
                            if let Value::Term(term) = part
                                && let Kind::Input(number, _) = term.kind()
                            {
                                values.insert(name(*number), arg.clone());
                            }
                        }
                    }
                    _ => return None,
                }
            }
        }
    }
    Some(values)
}

/// What happened to a campaign.
#[derive(Default, Debug)]
struct Tally {
    methods: u64,
    inputs: u64,
    classes: u64,
    failing: u64,
    several: u64,
    cut: u64,
}

/// One method in three hundred has more, and takes longer than all others together: another is written in its place.
const CLASSES: u64 = 300;

/// The same for executions of all classes.
const EXECUTIONS: u64 = 30_000;

fn compare(text: &str, shapes: Shapes, tally: &mut Tally, solver: &Rc<RefCell<Solver>>, whole: bool) {
    let mut target = target(text, "C.m");
    solver.borrow_mut().forget().expect("the solver lives");
    let bounds = Bounds {
        calls: u32::from(shapes == Shapes::Calls),
        objects: 2,
        classes: CLASSES,
        ..Bounds::default()
    };
    let large = |_, executions| executions > EXECUTIONS;
    let plan = Plan {
        stop: Some(&large),
        ..plan(bounds)
    };
    let inputs = Inputs::new(Rc::clone(&target.model));
    let found = explore(&mut target, inputs, solver, &plan).unwrap_or_else(|error| panic!("{error}"));
    // A heap with one object more is the only thing that may be left out.
    let complete = found.cuts.iter().all(|cut| *cut == mazurka_symbolic::bounds::Cut::Objects);
    if !complete {
        tally.cut += 1;
        return;
    }
    if whole {
        tests(&mut target, &found, Criterion::Branches);
    }
    tally.methods += 1;
    tally.classes += found.classes.len() as u64;
    let naive = Algorithm::parse("naive").expect("it is known");
    for given in domain(shapes, &target.machine) {
        let scene = scene(&target, shapes, &given);
        let calls = scene.calls.len();
        let other = |class: &&Explored| match shapes {
            Shapes::Calls => {
                class.scene.calls.len() == calls
                    && class
                        .scene
                        .calls
                        .iter()
                        .skip(1)
                        .all(|call| call.args.len() == 1 && call.code == scene.calls[1].code)
            }
            _ => true,
        };
        let classes = found.classes.iter().filter(other);
        let inside: Vec<_> = classes.filter_map(|class| Some((class, inside(&found, class, &given)?))).collect();
        let [(class, values)] = inside.as_slice() else {
            panic!("{given:?} is in {} classes of\n{text}", inside.len());
        };
        let of = |number: u32| {
            let name = found.inputs.borrow().get(number).name.to_string();
            values.get(&name).cloned().unwrap_or(Value::Null)
        };
        let (ran, _) = run_known(&mut target.machine, Some(scene.clone()), naive, 1_000_000).expect("naive takes everything");
        let names = Names::of(&target.machine);
        let objects = class.scene.objects.len();
        let enumerated: BTreeSet<String> = ran
            .iter()
            .map(|execution| {
                let mut outcome = execution.outcome.clone();
                outcome.heap.truncate(objects);
                outcome.key(&names)
            })
            .collect();
        let predicted: BTreeSet<String> = class
            .executions
            .iter()
            .map(|execution| {
                let outcome = execution.outcome.map(&|value| evaluate(value, &of).ok());
                outcome.map_or("cannot be computed".to_owned(), |outcome| outcome.key(&names))
            })
            .collect();
        assert_eq!(predicted, enumerated, "{given:?}\n{text}");
        tally.inputs += 1;
        tally.failing += u64::from(ran.iter().any(|execution| execution.outcome.fails()));
        tally.several += u64::from(enumerated.len() > 1);
    }
}

#[test]
fn every_input_of_a_small_domain_does_what_its_class_says() {
    let Some(solver) = solver() else { return };
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let mut random = Random(number("SEED", 2026));
    let mut tally = Tally::default();
    let wanted = number("PROGRAMS", 2000);
    let mut written = 0;
    while tally.methods < wanted {
        let shapes = [Shapes::Numbers, Shapes::Calls, Shapes::References, Shapes::Data][random.below(4) as usize];
        let text = model(&mut random, shapes);
        compare(&text, shapes, &mut tally, &solver, written % 10 == 0);
        written += 1;
        assert!(tally.cut < 50 + written / 4, "most methods are explored to the end: {tally:?}");
    }
    assert!(
        tally.failing * 50 > tally.inputs && tally.several * 50 > tally.inputs,
        "not only dull ones: {tally:?}"
    );
    println!("{tally:?} {:?}", solver.borrow().queries);
}

/// How many classes there are, and what their tests come to, by an algorithm.
fn outcomes(text: &str, algorithm: &str, solver: &Rc<RefCell<Solver>>) -> Option<(usize, Vec<Vec<String>>)> {
    let algorithm = Algorithm::parse(algorithm).expect("it is known");
    solver.borrow_mut().forget().expect("the solver lives");
    let mut target = target(text, "C.m");
    let large = |classes, executions| classes > 60 || executions > 4000;
    let plan = Plan {
        algorithm,
        stop: Some(&large),
        ..plan(Bounds {
            objects: 2,
            ..Bounds::default()
        })
    };
    let inputs = Inputs::new(Rc::clone(&target.model));
    let found = explore(&mut target, inputs, solver, &plan).unwrap_or_else(|error| panic!("{error}"));
    if found.cuts.contains(&mazurka_symbolic::bounds::Cut::Time) {
        return None;
    }
    let suite =
        mazurka_symbolic::suite::suite(&mut target, &found, Criterion::Paths, algorithm).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let names = Names::of(&target.machine);
    let mut all: Vec<Vec<String>> = found
        .classes
        .iter()
        .map(|class| {
            // Terms, and not values: which values stand for a class may depend on the algorithm.
            let mut keys: Vec<String> = class.executions.iter().map(|execution| execution.outcome.key(&names)).collect();
            keys.sort();
            keys.dedup();
            keys
        })
        .collect();
    all.sort();
    assert!(suite.compared > 0);
    Some((found.classes.len(), all))
}

#[test]
fn every_algorithm_that_is_admitted_comes_to_the_same_outcomes() {
    let Some(solver) = solver() else { return };
    let mut random = Random(7);
    let mut compared = 0;
    for _ in 0..60 {
        let shapes = [Shapes::Calls, Shapes::References][random.below(2) as usize];
        let text = model(&mut random, shapes);
        let Some(expected) = outcomes(&text, "optimal", &solver) else {
            continue;
        };
        for algorithm in ["naive", "dpor", "source"] {
            if let Some(found) = outcomes(&text, algorithm, &solver) {
                assert_eq!(found, expected, "{algorithm}\n{text}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
    for algorithm in ["source+context", "optimal+context", "optimal+observers", "source+merge"] {
        let algorithm = Algorithm::parse(algorithm).expect("it is known");
        assert!(mazurka_symbolic::schedules::admit(algorithm).is_err(), "{algorithm:?}");
    }
}

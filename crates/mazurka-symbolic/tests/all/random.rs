//! Random methods against enumeration: every input of a small domain is in exactly one class, and what the class says of it is what it does.
//!
//! `PROGRAMS=100000 cargo test --release -p mazurka-symbolic random` is a larger campaign; `SEED` begins elsewhere.

use crate::common::{explored, solver, target, tests};
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::{Actor, Call, Scene};
use mazurka_abs::value::Value;
use mazurka_abs::value::term::{Kind, evaluate};
use mazurka_core::Algorithm;
use mazurka_symbolic::class::Decision;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::explore::{Exploration, Explored, run_known};
use mazurka_symbolic::inputs::Shape;
use mazurka_symbolic::outcome::Names;
use mazurka_symbolic::target::Entry;
use mazurka_symbolic::{Bounds, Target};
use std::collections::{BTreeMap, BTreeSet};

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// What a random method has to do with.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Shapes {
    /// Numbers alone.
    Numbers,
    /// Another call waits.
    Calls,
    /// Two references, to nothing or to the one other object.
    References,
    /// A truth value, and a value that may be missing.
    Data,
}

struct Writer<'r> {
    random: &'r mut Random,
    shapes: Shapes,
    /// The number that is a parameter here.
    parameter: &'static str,
    /// Whether this is the tested method, which has the other parameters too.
    first: bool,
    loops: u32,
}

impl Writer<'_> {
    fn number(&mut self, depth: u32) -> String {
        let more = if depth == 0 { 5 } else { 9 };
        match self.random.below(more) {
            0 => (self.random.below(7) as i64 - 3).to_string().replace('-', "0 - "),
            1 | 2 => self.parameter.to_owned(),
            3 => "f".to_owned(),
            4 => "r".to_owned(),
            5 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            6 => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            7 => format!("({} * {})", self.number(depth - 1), 1 + self.random.below(3)),
            _ => format!("({} % {})", self.number(depth - 1), 2 + self.random.below(2)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..=3 => {
                let operator = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({}) {operator} ({})", self.number(1), self.number(0))
            }
            4 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            6 if self.first && self.shapes == Shapes::Data => "b".to_owned(),
            6 if self.first && self.shapes == Shapes::References => self.random.of(&["c == d", "c != null", "d == null"]).to_owned(),
            _ => format!("!({})", self.condition(depth - 1)),
        }
    }

    fn block(&mut self, depth: u32, most: u64) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 7 } else { 12 }) {
            0 => format!("f = {}; ", self.number(2)),
            1 => format!("r = {}; ", self.number(2)),
            2 => match self.random.below(3) {
                0 => format!("assert {}; ", self.condition(0)),
                1 => "suspend; ".to_owned(),
                _ => format!("await {}; ", self.condition(0).replace(" r", " f")),
            },
            3 | 4 if self.first && self.shapes == Shapes::References => {
                let cell = self.random.of(&["c", "d"]);
                match self.random.below(4) {
                    0 => format!("{cell}.put({}); ", self.number(1)),
                    1 => format!("r = {cell}.take(); "),
                    2 => format!("if ({cell} != null) {{ {cell}!put({}); }} ", self.number(1)),
                    _ => format!("if ({cell} != null) {{ r = await {cell}!take(); }} "),
                }
            }
            3 if self.first && self.shapes == Shapes::Data => {
                let (some, none) = (self.number(1), self.number(1));
                format!("r = case o {{ Just(v) => v + ({some}); Nothing => {none}; }}; ")
            }
            4 if self.first && self.shapes == Shapes::Data => format!("if (b) {{ {} }} ", self.statement(0)),
            3 | 4 if self.first && self.shapes == Shapes::Calls => match self.random.below(2) {
                0 => format!("this!n({}); ", self.number(1)),
                _ => format!("await this!n({}); ", self.number(1)),
            },
            5 => format!("r = truncate(7 / ({})); ", self.number(1)),
            6 => format!("r = truncate(max({}, {})); ", self.number(1), self.number(0)),
            3 | 4 => format!("f = f + ({}); ", self.number(0)),
            7..=9 => {
                let condition = self.condition(1);
                let then = self.block(depth - 1, 2);
                match self.random.below(2) {
                    0 => format!("if ({condition}) {{ {then}}} "),
                    _ => format!("if ({condition}) {{ {then}}} else {{ {}}} ", self.block(depth - 1, 2)),
                }
            }
            10 => {
                self.loops += 1;
                let i = format!("i{}", self.loops);
                let (rounds, condition) = (1 + self.random.below(2), self.condition(0));
                format!(
                    "Int {i} = 0; while ({i} < {rounds} && {condition}) {{ {i} = {i} + 1; {}}} ",
                    self.block(0, 2)
                )
            }
            _ => format!("try {{ {}}} catch {{ DivisionByZeroException => r = 9; }} ", self.block(0, 2)),
        }
    }
}

const CELLS: &str = "interface Cell { Unit put(Int v); Int take(); }\n\
                     class CellImpl implements Cell { Int value = 0; Unit put(Int v) { value = v; } Int take() { Int old = value; value = 0; return old; } }\n";

/// A random class with a method to test.
fn model(random: &mut Random, shapes: Shapes) -> String {
    let parameters = match shapes {
        Shapes::Numbers | Shapes::Calls => "Int x",
        Shapes::References => "Int x, Cell c, Cell d",
        Shapes::Data => "Int x, Bool b, Maybe<Int> o",
    };
    let mut write = |parameter, first, most| {
        let mut writer = Writer {
            random: &mut *random,
            shapes,
            parameter,
            first,
            loops: 0,
        };
        writer.block(1, most)
    };
    let body = write("x", true, 3);
    let other = if shapes == Shapes::Calls {
        write("y", false, 2)
    } else {
        String::new()
    };
    let (interface, method) = match shapes {
        Shapes::Calls => (" Unit n(Int y);", format!(" Unit n(Int y) {{ Int r = 0; {other}}}")),
        _ => ("", String::new()),
    };
    format!(
        "module M;\n{CELLS}interface I {{ Int m({parameters});{interface} }}\nclass C implements I {{\n Int f = 0;\n Int m({parameters}) {{ Int r = 0; {body}return r; }}\n{method}\n}}\n"
    )
}

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

fn compare(
    text: &str,
    shapes: Shapes,
    tally: &mut Tally,
    solver: &std::rc::Rc<std::cell::RefCell<mazurka_symbolic::solver::Solver>>,
    whole: bool,
) {
    let mut target = target(text, "C.m");
    solver.borrow_mut().forget().expect("the solver lives");
    let bounds = Bounds {
        calls: u32::from(shapes == Shapes::Calls),
        objects: 2,
        ..Bounds::default()
    };
    let found = explored(&mut target, solver, bounds);
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

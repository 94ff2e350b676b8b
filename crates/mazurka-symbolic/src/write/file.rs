//! Suites as JSON files, and back: what this tool writes it can run again, on the same model or on one that was changed.

use super::values::{from_json, to_json};
use crate::bounds::Bounds;
use crate::outcome::{Ended, Names, Outcome};
use crate::suite::{Suite, Test};
use crate::target::{Entry, Target};
use mazurka_abs::code::Kind;
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::{Actor, Call, Scene};
use mazurka_abs::value::Value;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the format.
const VERSION: u64 = 1;

/// A suite as JSON.
pub fn json(target: &Target, suite: &Suite, bounds: &Bounds, program: &str, arguments: &[String]) -> Json {
    let tests: Vec<Json> = suite
        .tests
        .iter()
        .enumerate()
        .map(|(nth, test)| one(target, nth + 1, test))
        .collect();
    json!({
        "format": "mazurka tests",
        "version": VERSION,
        "program": program,
        "arguments": arguments,
        "target": target.name(),
        "criterion": suite.criterion.name(),
        "covered": suite.goals,
        "classes": suite.classes,
        "interleavings": suite.executions,
        "bounds": {
            "calls": bounds.calls, "unroll": bounds.unroll, "size": bounds.size, "objects": bounds.objects, "max-depth": bounds.depth,
            "max-classes": bounds.classes, "max-executions": bounds.executions,
        },
        "not covered": suite.cuts.iter().map(|cut| cut.describe(bounds)).collect::<Vec<_>>(),
        "tests": tests,
    })
}

fn one(target: &Target, number: usize, test: &Test) -> Json {
    let program = &target.machine.program;
    let symbols = &program.symbols;
    let heap: Vec<Json> = test
        .instance
        .scene
        .objects
        .iter()
        .zip(&test.objects)
        .map(|(object, name)| {
            let class = &program.classes[object.class as usize];
            let fields: Map<String, Json> = class
                .fields
                .iter()
                .cloned()
                .zip(object.fields.iter().map(|value| to_json(value, symbols)))
                .collect();
            json!({ "name": name, "class": class.name, "fields": fields })
        })
        .collect();
    let calls: Vec<Json> = test
        .instance
        .scene
        .calls
        .iter()
        .map(|call| {
            let args: Vec<Json> = call.args.iter().map(|value| to_json(value, symbols)).collect();
            json!({ "method": method(target, call.code), "args": args })
        })
        .collect();
    let parameters: Map<String, Json> = match &target.entry {
        Entry::Main { functions, .. } => functions
            .iter()
            .zip(&test.instance.functions)
            .map(|((function, _), (_, value))| (target.model.functions[*function as usize].name.to_string(), to_json(value, symbols)))
            .collect(),
        Entry::Method { .. } => Map::new(),
    };
    let steps: Vec<Json> = test
        .steps
        .iter()
        .map(|step| json!({ "process": step.process, "choice": step.choice, "name": step.name, "label": step.label }))
        .collect();
    json!({
        "name": format!("test {number}"),
        "inputs": test.inputs.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>(),
        "class": test.conditions,
        "heap": heap,
        "calls": calls,
        "parameters": parameters,
        "interleavings": test.interleavings,
        "schedule matters": test.schedule_matters,
        "schedule": steps,
        "outcome": outcome(target, &test.objects, &test.outcome, test),
        "allowed": test.allowed.iter().map(|it| outcome(target, &test.objects, it, test)).collect::<Vec<_>>(),
    })
}

fn method(target: &Target, code: u32) -> String {
    match target.machine.program.codes[code as usize].kind {
        Kind::Method { selector, .. } => target.machine.program.selectors[selector as usize].clone(),
        _ => String::new(),
    }
}

fn outcome(target: &Target, objects: &[String], outcome: &Outcome, test: &Test) -> Json {
    let names = Names::of(&target.machine);
    let mut heap = Map::new();
    for ((object, actor), fields) in objects.iter().zip(&test.instance.scene.objects).zip(&outcome.heap) {
        let class = &target.machine.program.classes[actor.class as usize];
        for (field, value) in class.fields.iter().zip(fields) {
            heap.insert(format!("{object}.{field}"), json!(names.show(value)));
        }
    }
    let failures: Vec<Json> = outcome
        .failures
        .iter()
        .map(|failure| {
            json!({
                "kind": failure.kind.name(),
                "message": failure.message,
                "at": failure.at.as_ref().map(ToString::to_string),
            })
        })
        .collect();
    json!({
        "calls": outcome.calls.iter().map(|call| json!(names.ended(call))).collect::<Vec<_>>(),
        "heap": heap,
        "failures": failures,
    })
}

/// What a test wants of an outcome that fails nowhere: texts of results and fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What becomes of the calls.
    pub calls: Vec<String>,
    /// The fields, by object and name.
    pub heap: BTreeMap<String, String>,
}

impl Wanted {
    /// Whether an outcome is this one; only the fields that are named count.
    pub fn is(&self, calls: &[String], heap: &BTreeMap<String, String>) -> bool {
        self.calls == calls
            && self
                .heap
                .iter()
                .all(|(name, value)| heap.get(name).is_none_or(|found| found == value))
    }
}

/// A test that was read from a file, for a model.
#[derive(Debug)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Its inputs, for people.
    pub inputs: String,
    /// Where it starts.
    pub scene: Scene,
    /// The names of the objects.
    pub objects: Vec<String>,
    /// What it may come to.
    pub allowed: Vec<Wanted>,
}

impl Given {
    /// What an execution came to, as texts.
    pub fn found(&self, machine: &Machine, outcome: &Outcome) -> Wanted {
        let names = Names::of(machine);
        let mut heap = BTreeMap::new();
        for ((object, actor), fields) in self.objects.iter().zip(&self.scene.objects).zip(&outcome.heap) {
            let class = &machine.program.classes[actor.class as usize];
            for (field, value) in class.fields.iter().zip(fields) {
                heap.insert(format!("{object}.{field}"), names.show(value));
            }
        }
        Wanted {
            calls: outcome.calls.iter().map(|call: &Ended| names.ended(call)).collect(),
            heap,
        }
    }
}

/// Why a file is no suite for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(pub String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

/// Reads a suite of tests of a method for a model.
///
/// # Errors
/// It is none, or the model has not what it needs.
pub fn read(text: &str, machine: &Machine) -> Result<Vec<Given>, ReadError> {
    let error = |what: &str| ReadError(what.to_owned());
    let whole: Json = serde_json::from_str(text).map_err(|error| ReadError(format!("it is no JSON: {error}")))?;
    if whole.get("format").and_then(Json::as_str) != Some("mazurka tests") {
        return Err(error("it is no suite of `mazurka tests --json`"));
    }
    if whole.get("version").and_then(Json::as_u64) != Some(VERSION) {
        return Err(ReadError(format!("its version is not {VERSION}")));
    }
    let tests = whole
        .get("tests")
        .and_then(Json::as_array)
        .ok_or_else(|| error("it has no `tests`"))?;
    tests.iter().enumerate().map(|(nth, test)| given(test, nth + 1, machine)).collect()
}

fn given(test: &Json, number: usize, machine: &Machine) -> Result<Given, ReadError> {
    let name = test
        .get("name")
        .and_then(Json::as_str)
        .map_or_else(|| format!("test {number}"), str::to_owned);
    let wrong = |what: String| ReadError(format!("{name}: {what}"));
    let list = |of: &Json, key: &str| of.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
    let text = |of: &Json, key: &str| of.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let program = &machine.program;
    let heap = list(test, "heap");
    if heap.is_empty() {
        return Err(wrong(
            "it has no heap: suites of a main block are not run, only those of methods".to_owned(),
        ));
    }
    let mut classes = Vec::new();
    for object in &heap {
        let class = text(object, "class");
        let found = program.classes.iter().position(|it| it.name == class);
        classes.push(found.ok_or_else(|| wrong(format!("the model has no class `{class}`")))? as u32);
    }
    let object = |place: u32| classes.get(place as usize).map(|class| machine.actor(place, *class));
    let mut objects = Vec::new();
    for (object_json, class) in heap.iter().zip(&classes) {
        let it = &program.classes[*class as usize];
        let given = object_json.get("fields").and_then(Json::as_object).cloned().unwrap_or_default();
        if let Some(unknown) = given.keys().find(|field| !it.fields.contains(field)) {
            return Err(wrong(format!("class `{}` has no field `{unknown}`", it.name)));
        }
        let mut fields = Vec::new();
        for (nth, field) in it.fields.iter().enumerate() {
            fields.push(match given.get(field) {
                Some(json) => from_json(json, &program.symbols, &object).ok_or_else(|| wrong(format!("`{field}` has no value: {json}")))?,
                None => it.blank.get(nth).cloned().unwrap_or(Value::Null),
            });
        }
        objects.push(Actor { class: *class, fields });
    }
    let mut calls = Vec::new();
    for call in list(test, "calls") {
        let method = text(&call, "method");
        let class = &program.classes[classes[0] as usize];
        let selector = program.selectors.iter().position(|name| *name == method);
        let code = selector.and_then(|selector| class.methods[selector]);
        let code = code.ok_or_else(|| wrong(format!("class `{}` has no method `{method}`", class.name)))?;
        let args: Option<Vec<Value>> = list(&call, "args")
            .iter()
            .map(|arg| from_json(arg, &program.symbols, &object))
            .collect();
        let args = args.ok_or_else(|| wrong(format!("an argument of `{method}` is no value")))?;
        let params = program.codes[code as usize].params as usize;
        if args.len() != params {
            return Err(wrong(format!(
                "`{method}` takes {params} arguments, and the test has {}",
                args.len()
            )));
        }
        calls.push(Call { object: 0, code, args });
    }
    let wanted = |json: &Json| Wanted {
        calls: list(json, "calls")
            .iter()
            .map(|call| call.as_str().unwrap_or_default().to_owned())
            .collect(),
        heap: json
            .get("heap")
            .and_then(Json::as_object)
            .map(|heap| {
                heap.iter()
                    .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
                    .collect()
            })
            .unwrap_or_default(),
    };
    let inputs = test.get("inputs").and_then(Json::as_object).cloned().unwrap_or_default();
    let inputs: Vec<String> = inputs
        .iter()
        .map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default()))
        .collect();
    Ok(Given {
        name,
        inputs: inputs.join(", "),
        scene: Scene { objects, calls },
        objects: heap.iter().map(|object| text(object, "name")).collect(),
        allowed: list(test, "allowed").iter().map(wanted).collect(),
    })
}

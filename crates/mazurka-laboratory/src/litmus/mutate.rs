//! Mutants of programs that are known to be hard. Plain random programs have missed real errors that these found.

use super::generate::{Class, Writer};
use crate::random::Numbers;
use mazurka_litmus::families::CORPUS;
use mazurka_litmus::model::{Local, LocalVariable, Statement, Step};
use mazurka_litmus::{Model, text};

/// The corpus of counterexamples, as programs.
pub fn hard_programs() -> Vec<Model> {
    CORPUS
        .iter()
        .map(|c| text::parse(c.name, c.text).expect("the corpus is well-formed"))
        .collect()
}

/// A program that differs from the given one in a few places.
pub fn mutate(numbers: &mut Numbers, model: &Model) -> Model {
    let mut mutant = model.clone();
    for _ in 0..1 + numbers.below(3) {
        let before = mutant.clone();
        change(numbers, &mut mutant);
        if mutant.check().is_err() || steps(&mutant) > steps(model) + 2 {
            mutant = before;
        }
    }
    if numbers.chance(1, 2) {
        permute(numbers, &mut mutant);
    }
    mutant
}

fn steps(model: &Model) -> usize {
    model.bodies().iter().map(|b| b.steps.len()).sum()
}

fn change(numbers: &mut Numbers, model: &mut Model) {
    let body = numbers.below(model.bodies().len());
    let scalars = model.variables().iter().take_while(|v| !v.array).count();
    let spawned: Vec<usize> = model
        .spawned_bodies()
        .iter()
        .enumerate()
        .filter(|(k, s)| **s && *k > body)
        .map(|(k, _)| k)
        .collect();
    let mut writer = Writer {
        numbers,
        class: Class::Mixed,
        variables: scalars.max(1),
        spawned,
        spawns: 1,
        lock: None,
        array: None,
    };
    let step = writer.step();
    let statement = writer.statement(true);
    let guard = writer.guard();
    let model_body = &mut model.bodies_vec()[body];
    if model_body.locals.is_empty() {
        model_body.locals.push(LocalVariable {
            name: "l".into(),
            initial: 0,
        });
    }
    let at = numbers.below(model_body.steps.len());
    let count = model_body.steps[at].statements.len();
    match numbers.below(8) {
        0 => model_body.steps.insert(at, step),
        1 if model_body.steps.len() > 1 => {
            model_body.steps.remove(at);
        }
        2 => {
            let next = numbers.below(model_body.steps.len());
            model_body.steps.swap(at, next);
        }
        3 if count > 0 => {
            model_body.steps[at].statements.remove(numbers.below(count));
        }
        4 if count > 0 => model_body.steps[at].statements[numbers.below(count)] = statement,
        5 => model_body.steps[at].statements.insert(0, Statement::Await(guard)),
        6 if at + 1 < model_body.steps.len() => {
            let Step { statements } = model_body.steps.remove(at + 1);
            model_body.steps[at].statements.extend(statements);
        }
        7 => {
            let v = numbers.below(scalars.max(1));
            if let Some(variable) = model.variables_vec().get_mut(v) {
                variable.initial[0] = numbers.below(3) as i32;
            }
        }
        _ => model_body.steps[at].statements.push(statement),
    }
    debug_assert!(
        model
            .bodies()
            .iter()
            .all(|b| b.locals.get(Local(0).0).is_some() || b.locals.is_empty())
    );
}

/// Puts the processes into another order.
fn permute(numbers: &mut Numbers, model: &mut Model) {
    fn rename(statements: &mut [Statement], to: &[usize]) {
        for s in statements {
            match s {
                Statement::Spawn(k, _) => *k = to[*k],
                Statement::If(_, then, other) => {
                    rename(then, to);
                    rename(other, to);
                }
                _ => {}
            }
        }
    }
    let mut order: Vec<usize> = (0..model.bodies().len()).collect();
    numbers.shuffle(&mut order);
    let mut to = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        to[*old] = new;
    }
    let old = std::mem::take(model.bodies_vec());
    let mut new = vec![None; old.len()];
    for (i, mut body) in old.into_iter().enumerate() {
        for step in &mut body.steps {
            rename(&mut step.statements, &to);
        }
        new[to[i]] = Some(body);
    }
    *model.bodies_vec() = new.into_iter().flatten().collect();
}

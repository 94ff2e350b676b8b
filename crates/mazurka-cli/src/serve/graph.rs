//! The graph of states, breadth first: what a search that stores states goes through.

use super::Question;
use crate::refusal::Refusal;
use mazurka_core::{AnyState, Effects, Failure, Fingerprint};
use mazurka_serve::Reply;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};

/// The graph is kept up to so many states: more cannot be read.
const STATES: usize = 2_000;

/// Sends the states, each with its depth, its values and how it ends, and the steps between them.
pub fn graph(question: &Question<'_>, reply: &Reply) -> Result<(), Refusal> {
    let args = question.check()?;
    let session = question.session(&args.program)?;
    let program = &*session.program;
    let mut numbers: HashMap<Fingerprint, usize> = HashMap::new();
    let mut states: Vec<Value> = Vec::new();
    let mut edges: Vec<Value> = Vec::new();
    let mut queue: VecDeque<(AnyState, usize, usize)> = VecDeque::new();
    let mut truncated = false;
    let start = program.start();
    numbers.insert(program.fingerprint(&start), 0);
    states.push(json!({ "depth": 0, "values": program.values(&start) }));
    queue.push_back((start, 0, 0));
    let (mut pending, mut effects) = (Vec::new(), Effects::default());
    while let Some((state, number, depth)) = queue.pop_front() {
        if reply.stopped() {
            truncated = true;
            break;
        }
        pending.clear();
        program.pending(&state, &mut pending);
        let is_end = !pending.iter().any(|p| p.enabled);
        if is_end {
            let mut failures: Vec<Failure> = Vec::new();
            program.failures_at_end(&state, &mut failures);
            states[number]["end"] = failures.first().map_or("finished", |f| f.kind.name()).into();
        }
        for next in pending.iter().filter(|p| p.enabled) {
            let mut after = state.clone();
            let label = program.label(&state, next.transition);
            let process = match program.agent(&state, next.transition) {
                Some(agent) => agent,
                None => program.process_name(&state, next.transition.process),
            };
            effects.clear();
            program.step(&mut after, next.transition, &mut effects);
            let fingerprint = program.fingerprint(&after);
            let known = numbers.get(&fingerprint).copied();
            let to = match known {
                Some(to) => to,
                None if states.len() >= STATES => {
                    truncated = true;
                    states[number]["more"] = true.into();
                    continue;
                }
                None => {
                    let to = states.len();
                    numbers.insert(fingerprint, to);
                    states.push(json!({ "depth": depth + 1, "values": program.values(&after) }));
                    queue.push_back((after, to, depth + 1));
                    to
                }
            };
            let failure = effects.failure.take().map(|f| f.message);
            let key = program.process_key(next.transition.process);
            edges.push(json!([number, to, process, label, failure, key, next.transition.choice]));
        }
    }
    reply.say(&json!({ "states": states, "edges": edges, "truncated": truncated }));
    Ok(())
}

//! The result as one JSON object, schema `mazurka/1`: what `check --json` prints on standard output.

use crate::summary::{Counterexample, FinalState, Summary};
use crate::tree::End;
use crate::verdict;
use mazurka_core::schedule::{Recording, plan};
use mazurka_core::{Bounded, Diversity, FailureKind, Sampled};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The value of `schema`.
pub const SCHEMA: &str = "mazurka/1";

#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    program: &'a str,
    arguments: &'a [String],
    algorithm: &'a str,
    order: &'a str,
    dependency: &'a str,
    verdict: &'static str,
    limit: Option<&'static str>,
    sound: bool,
    executions: u64,
    blocked: u64,
    cut: u64,
    steps: u64,
    states: u64,
    max_depth: u64,
    failures: Vec<Failure<'a>>,
    failure_counts: Map<String, Value>,
    distinct_final_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_states: Option<Vec<State>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Value>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unchecked: &'a [String],
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<&'a str>,
    elapsed_ms: u64,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Failure<'a> {
    kind: &'static str,
    message: &'a str,
    at: Option<String>,
    after_executions: u64,
    minimised_from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<usize>,
    schedule: Vec<Step>,
}

/// As in a schedule file.
#[derive(Serialize)]
struct Step {
    process: String,
    choice: u32,
    label: String,
}

#[derive(Serialize)]
struct State {
    values: Map<String, Value>,
    executions: u64,
    deadlock: bool,
    failed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
}

/// The object, as one line.
pub fn render(summary: &Summary) -> String {
    // Names, numbers and lists of them always have a JSON form.
    serde_json::to_string(&object(summary)).unwrap_or_default()
}

/// The object as a value that another one can contain.
pub fn value(summary: &Summary) -> Value {
    serde_json::to_value(object(summary)).unwrap_or_default()
}

fn object(summary: &Summary) -> Object<'_> {
    let outcome = &summary.outcome;
    let c = &outcome.counts;
    Object {
        schema: SCHEMA,
        program: &summary.program,
        arguments: &summary.arguments,
        algorithm: &summary.algorithm,
        order: &summary.order,
        dependency: &summary.dependency,
        verdict: outcome.verdict.name(),
        limit: outcome.limit.map(|l| l.name()),
        sound: outcome.sound,
        executions: c.executions,
        blocked: c.blocked,
        cut: c.cut,
        steps: c.steps,
        states: c.states,
        max_depth: c.max_depth,
        failures: summary.counterexamples.iter().filter_map(failure).collect(),
        failure_counts: FailureKind::ALL
            .into_iter()
            .zip(outcome.failure_counts)
            .map(|(kind, n)| (kind.name().to_owned(), n.into()))
            .collect(),
        distinct_final_states: outcome.distinct_final_states,
        final_states: summary.final_states.as_ref().map(|states| states.iter().map(state).collect()),
        stats: summary.stats.map(|s| {
            json!({
                "r1": s.bookkeeping, "r2": s.reexecution, "r3": s.redundancy,
                "executions_per_second": s.executions_per_second, "steps_per_second": s.steps_per_second,
                "store": outcome.merged.map(|m| json!({
                    "lookups": m.lookups, "hits": m.hits, "most_states": m.most_stored, "most_bytes": m.most_bytes,
                    "evicted": m.evicted, "let_go": m.store_dropped,
                })),
            })
        }),
        sample: outcome.sampled.as_ref().map(sampled_json),
        bound: outcome.bounded.as_ref().map(bounded_json),
        unchecked: &summary.unchecked,
        notes: verdict::notes(summary),
        verified: summary.verified.as_deref(),
        elapsed_ms: u64::try_from(summary.elapsed.as_millis()).unwrap_or(u64::MAX),
        peak_memory_bytes: summary.peak_memory,
    }
}

/// The sample as JSON.
fn sampled_json(sampled: &Sampled) -> Value {
    let seen = |seen: &Diversity| {
        let unseen = seen.unseen();
        let all = seen.richness();
        json!({
            "executions": seen.samples, "seen": seen.seen, "exact": seen.exact, "once": seen.once, "twice": seen.twice,
            "new_probability": unseen.map(|u| u.0), "new_probability_half_interval": unseen.map(|u| u.1),
            "all": all.map(|r| r.estimate), "all_low": all.map(|r| r.low), "all_high": all.map(|r| r.high),
        })
    };
    json!({
        "mode": sampled.sampling.sampler.to_string(), "seed": sampled.sampling.seed, "from": sampled.sampling.from,
        "budget": sampled.sampling.budget, "executions": sampled.executions, "cut": sampled.cut,
        "traces": seen(&sampled.traces), "final_states": sampled.final_states.as_ref().map(seen),
    })
}

/// The bound as JSON.
fn bounded_json(bounded: &Bounded) -> Value {
    json!({
        "counted": bounded.bound.counted.plural(), "first": bounded.bound.first, "last": bounded.bound.last,
        "reached": bounded.reached, "cut": bounded.cut,
    })
}

fn failure(counterexample: &Counterexample) -> Option<Failure<'_>> {
    let failure = counterexample.recording.failure.as_ref()?;
    Some(Failure {
        kind: failure.kind.name(),
        message: &failure.message,
        at: failure.at.as_ref().map(ToString::to_string),
        after_executions: counterexample.after_executions,
        minimised_from: counterexample.reduced.map(|r| r.from_steps),
        repeats: counterexample.recording.repeats,
        schedule: steps(&counterexample.recording),
    })
}

fn steps(recording: &Recording) -> Vec<Step> {
    plan(recording)
        .into_iter()
        .map(|step| Step {
            process: step.process,
            choice: step.choice,
            label: step.label,
        })
        .collect()
}

fn state(state: &FinalState) -> State {
    State {
        values: state.values.iter().map(|(n, v)| (n.clone(), v.clone().into())).collect(),
        executions: state.executions,
        deadlock: state.deadlock,
        failed: state.end == End::Failed,
        failures: state.failures.clone(),
    }
}

//! Exploring by hand. The page says which steps were taken and what is wanted next; nothing is remembered between two questions, so a walk is
//! as long as its list of steps, and that list is what is shared.

use super::{Question, parsed};
use crate::refusal::Refusal;
use mazurka_core::schedule::{Goal, Move, Walk, Way};
use mazurka_core::{AnyProgram, Transition};
use mazurka_report::{Counterexample, html, units::count};
use mazurka_serve::Reply;
use serde_json::{Value, json};

/// So many states are looked at for a way to somewhere.
const STATES: usize = 200_000;
/// So many steps are taken by "run to the end".
const STEPS: usize = 300;
/// Longer walks are refused: a page could not show them.
const LONGEST: usize = 2_000;

/// Goes along the steps, does what is wanted, and says where that led.
pub fn walk(question: &Question<'_>, reply: &Reply) -> Result<(), Refusal> {
    let args = question.check()?;
    let session = question.session(&args.program)?;
    let program = &*session.program;
    let mut walk = Walk::new(program);
    let mut said = go_along(&mut walk, &steps(question.asked.get("steps"))?);
    let is_stopped = || reply.stopped();
    let asked = question.asked;
    match asked.get("then").and_then(Value::as_str).unwrap_or("nothing") {
        "nothing" => {}
        "end" => {
            let taken = walk.run_on(STEPS);
            if taken == STEPS {
                said = Some(format!("{} steps were taken, and there are more", count(STEPS as u64)));
            }
        }
        goal => {
            let (goal, what) = match goal {
                "failure" => (
                    Goal::Failure {
                        deadlock: session.deadlock_is_error,
                    },
                    "failure",
                ),
                "good end" => (Goal::GoodEnd, "end at which every process has finished and nothing failed"),
                "same end" => {
                    let mut other = Walk::new(program);
                    if let Some(wrong) = go_along(&mut other, &steps(asked.get("like"))?) {
                        return Err(Refusal::new(wrong));
                    }
                    (Goal::End(other.fingerprint()), "other way to that end")
                }
                other => {
                    return Err(Refusal::new(format!(
                        "`then` is `{other}`; expected nothing, end, failure, good end or same end"
                    )));
                }
            };
            match walk.way_to(goal, STATES, &is_stopped) {
                Way::Found(way) => walk.follow(&way),
                Way::None => {
                    said = Some(format!(
                        "there is no {what} from here: every state that can be reached was looked at"
                    ))
                }
                Way::GivenUp(seen) => {
                    said = Some(format!(
                        "no {what} was found in the {} states that were looked at",
                        count(seen as u64)
                    ))
                }
            }
        }
    }
    let here = walk.here();
    let at = Counterexample {
        recording: here.recording,
        after_executions: 0,
        reduced: None,
        schedule_file: None,
        replay_command: None,
    };
    reply.say(&json!({
        "execution": parsed(&html::execution(&at, &session.name, &session.arguments)),
        "sources": session.sources.iter().map(|s| (s.name.clone(), Value::from(s.text.clone()))).collect::<serde_json::Map<_, _>>(),
        "steps": walk.taken().iter().map(|&t| named(program, t)).collect::<Value>(),
        "values": here.values,
        "moves": here.moves.iter().map(|m| told(m, program)).collect::<Value>(),
        "said": said,
    }));
    Ok(())
}

/// Takes the steps, each by the key of its process and its choice; says what could not be taken, and stops there: the program may have been
/// changed since.
fn go_along(walk: &mut Walk<'_, dyn AnyProgram + '_>, steps: &[(String, u32)]) -> Option<String> {
    for (taken, (key, choice)) in steps.iter().enumerate() {
        if walk.take_by_key(key, *choice).is_err() {
            return Some(format!(
                "the program has changed: after {taken} steps, the next one of {key} cannot be taken any more"
            ));
        }
    }
    None
}

fn steps(list: Option<&Value>) -> Result<Vec<(String, u32)>, Refusal> {
    let wrong = || Refusal::new("`steps` must be a list of pairs: the key of a process, and its choice");
    let Some(list) = list else { return Ok(Vec::new()) };
    let list = list.as_array().ok_or_else(wrong)?;
    if list.len() > LONGEST {
        return Err(Refusal::new(format!("a walk has at most {} steps", count(LONGEST as u64))));
    }
    let pair = |step: &Value| {
        let choice = step.get(1)?.as_u64()?;
        Some((step.get(0)?.as_str()?.to_owned(), u32::try_from(choice).ok()?))
    };
    list.iter().map(|step| pair(step).ok_or_else(wrong)).collect()
}

fn named(program: &dyn AnyProgram, transition: Transition) -> Value {
    json!([mazurka_core::Describe::process_key(program, transition.process), transition.choice])
}

fn told(m: &Move, program: &dyn AnyProgram) -> Value {
    json!({
        "step": named(program, m.transition),
        "process": m.process,
        "column": m.column,
        "label": m.text.label,
        "at": m.text.at.as_ref().map(|at| json!({ "file": at.file, "line": at.line, "column": at.column })),
        "enabled": m.enabled,
        "reads": m.reads,
    })
}

//! The checker's verdicts on the certificates that the second checker of `proofs/` prints, one on a line: `complete` or `refused`.
//! `proofs/run` compares them with those of the checker that is extracted from the proofs.

use mazurka_certificate::check_executions;
use mazurka_core::{Describe, Effects, Process, Program, Transition};
use mazurka_litmus::Machine;
use std::collections::HashMap;
use std::io::{BufRead, Write};

fn main() -> Result<(), String> {
    let mut machine = None;
    let mut schedules: Vec<Vec<(String, u32)>> = Vec::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        if let Some(program) = line.strip_prefix("program ") {
            machine = Some(Machine::parse(program).map_err(|e| format!("{program}: {e}"))?);
        } else if line == "certificate" {
            schedules.clear();
        } else if line == "end" {
            let machine = machine.as_ref().ok_or("a certificate without a program")?;
            let mut named = HashMap::new();
            // A process that is never there has no number, so a schedule with it cannot even be put to the checker.
            let executions = schedules.iter().map(|schedule| transitions(machine, schedule, &mut named));
            let accepted =
                (executions.collect::<Option<Vec<Vec<Transition>>>>()).is_some_and(|list| check_executions(machine, true, &list).is_ok());
            writeln!(out, "{}", if accepted { "complete" } else { "refused" }).map_err(|e| e.to_string())?;
        } else {
            schedules.push(line.split_whitespace().map(step).collect::<Result<Vec<_>, _>>()?);
        }
    }
    Ok(())
}

/// `3.1`: process p3 takes its second alternative.
fn step(word: &str) -> Result<(String, u32), String> {
    let wrong = || format!("`{word}` is no step");
    let (process, choice) = word.split_once('.').ok_or_else(wrong)?;
    Ok((format!("p{process}"), choice.parse().map_err(|_| wrong())?))
}

/// A schedule with the numbers of processes. It is run as far as it can be, since processes get their numbers when they are born.
fn transitions(machine: &Machine, schedule: &[(String, u32)], named: &mut HashMap<String, Process>) -> Option<Vec<Transition>> {
    let (mut state, mut pending, mut effects) = (machine.start(), Vec::new(), Effects::default());
    let mut list = Vec::new();
    for (name, choice) in schedule {
        pending.clear();
        machine.pending(&state, &mut pending);
        for process in pending.iter().map(|p| p.transition.process) {
            // What p0 spawned is called p0/p3.
            let key = machine.process_key(process);
            named.insert(key.rsplit('/').next().unwrap_or(&key).to_owned(), process);
        }
        let transition = Transition {
            process: *named.get(name)?,
            choice: *choice,
        };
        list.push(transition);
        if pending.iter().any(|p| p.enabled && p.transition == transition) {
            effects.clear();
            machine.step(&mut state, transition, &mut effects);
        }
    }
    Some(list)
}

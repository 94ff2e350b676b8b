//! How far a search scales: the real tree, the real units and the real policy, with workers, latency and the time of an execution simulated.
//!
//! `cargo run --release -p mazurka-cluster --example simulate -- lastzero 12` prints the efficiency for 1 to 1,024 workers: the time that executions take,
//! divided by what all workers spend.

use mazurka_cluster::next_bundle;
use mazurka_core::units::{Hub, Runner};
use mazurka_core::{Algorithm, Options};
use mazurka_litmus::{Machine, family};
use std::collections::{BTreeMap, VecDeque};

/// Microseconds.
type Time = u64;

/// What `check` is taken to need for a result, and for each byte of it: each step of a reversal or a plan has about two, and is run.
const RESULT: Time = 60;
const BYTE: f64 = 0.4;

/// What is simulated.
#[derive(Clone, Copy)]
struct Setting {
    workers: usize,
    latency: Time,
    /// Of an execution.
    execution: Time,
    /// Of a unit.
    slice: Time,
}

/// How long a search takes, how many executions it has, and for which part of the time `check` was busy.
fn simulate(machine: &Machine, setting: Setting) -> Result<(Time, u64, f64), Box<dyn std::error::Error>> {
    let options = Options::new(Algorithm::parse("optimal")?).keep_going(true);
    let mut hub = Hub::of(machine, &options)?;
    let mut runner = Runner::of(machine, &options)?;
    let mut queue: VecDeque<Vec<u8>> = VecDeque::new();
    // Workers that wait for a unit, since when; results on their way to the hub, by the time at which they arrive.
    let mut waiting: VecDeque<Time> = (0..setting.workers).map(|_| 0).collect();
    let mut arriving: BTreeMap<(Time, u64), (Vec<u8>, Time)> = BTreeMap::new();
    let (mut now, mut busy, mut serial, mut end) = (0, 0, 0, 0);
    while !hub.is_done() {
        while let Some(most) = next_bundle(hub.waiting(), hub.under_way(), setting.workers) {
            let Some(task) = hub.hand_out(most) else { break };
            queue.push_back(task.bytes);
        }
        while !queue.is_empty() && !waiting.is_empty() {
            let (Some(unit), Some(since)) = (queue.pop_front(), waiting.pop_front()) else {
                break;
            };
            let begin = since.max(now) + 2 * setting.latency;
            let mut executions = 0;
            let result = runner.run(&unit, &mut |slice| {
                executions = slice.executions;
                executions * setting.execution >= setting.slice
            })?;
            let took = executions.max(1) * setting.execution;
            serial += 1;
            arriving.insert(
                (begin + took + setting.latency, serial),
                (result, begin + took + 2 * setting.latency),
            );
        }
        let Some(((arrives, _), (result, free))) = arriving.pop_first() else {
            break;
        };
        let cost = RESULT + (result.len() as f64 * BYTE) as Time;
        now = now.max(arrives) + cost;
        busy += cost;
        hub.take(&result)?;
        waiting.push_back(free);
        waiting.make_contiguous().sort_unstable();
        end = end.max(now);
    }
    Ok((end, hub.counts().executions, busy as f64 / end.max(1) as f64))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "lastzero".to_owned());
    let n = arguments.next().map_or(Ok(11), |n| n.parse())?;
    let machine = family(&name)?.machine(&[("n".to_owned(), n)])?;
    println!("| execution | latency | slice | 1 | 4 | 16 | 64 | 256 | 1024 | check busy |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (execution, latency, slice) in [
        (1_000, 1_000, 250_000),
        (1_000, 20_000, 250_000),
        (1_000, 1_000, 25_000),
        (10_000, 1_000, 250_000),
        (10_000, 20_000, 250_000),
    ] {
        let mut row = String::new();
        let mut last = 0.0;
        for workers in [1, 4, 16, 64, 256, 1024] {
            let setting = Setting {
                workers,
                latency,
                execution,
                slice,
            };
            let (time, executions, busy) = simulate(&machine, setting)?;
            let efficiency = (executions * execution) as f64 / (time as f64 * workers as f64);
            row.push_str(&format!(" {efficiency:.2} |"));
            last = busy;
        }
        let milliseconds = |time: Time| format!("{} ms", time / 1000);
        println!(
            "| {} | {} | {} |{row} {:.0}% |",
            milliseconds(execution),
            milliseconds(latency),
            milliseconds(slice),
            last * 100.0
        );
    }
    Ok(())
}

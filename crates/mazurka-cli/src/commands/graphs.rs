//! `mazurka check --model`: every consistent execution graph of a shared-variable program.

use super::claims::Tally;
use crate::cli::{CheckArgs, DeadlockArg};
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::frontends::load_for_graphs;
use crate::output::print;
use crate::refusal::{Refusal, did_you_mean};
use mazurka_litmus::model::{Operation, order_name};
use mazurka_litmus::weak::{Concurrent, Run};
use mazurka_report::units::counted;
use mazurka_weak::{Ending, Graph, Kind, Limits, Model, Order, Search, Site, Status, Strengthening, strengthen, weaken};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

/// Larger graphs are given up unless `--max-depth` says otherwise.
const MAX_EVENTS: u64 = 2_000;
/// The largest graphs that can be asked for.
const MOST_EVENTS: u64 = 60_000;
/// To find out which orderings help, so many events may be added.
const TRIALS: u64 = 3_000_000;

/// A process and a step of it.
type Place = (usize, usize);

/// Checks the program under the model.
pub fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    let name = args.model.as_deref().unwrap_or_default();
    let Some(model) = mazurka_weak::model(name) else {
        return Err(Refusal::new(format!(
            "there is no memory model `{name}`{}; expected one of {}",
            did_you_mean(name, mazurka_weak::MODELS),
            mazurka_weak::MODELS.join(", ")
        )));
    };
    refuse_others(args)?;
    let program = load_for_graphs(&args.program)?;
    listen();
    let found = look(&program, model, args, u64::MAX, true);
    let mut out = String::new();
    if let Some(claim) = program.claim().filter(|_| found.status == Status::Complete) {
        let _ = writeln!(out, "{}", found.tally.said(claim, found.failures.is_empty()));
    }
    for failure in &found.failures {
        let _ = writeln!(out, "{failure}");
    }
    if let Some(advice) = advise(&program, model, args, &found) {
        let _ = writeln!(out, "{advice}\n");
    }
    let exit = verdict(&mut out, args, model, &found);
    if args.output.final_states {
        final_states(&mut out, &found);
    }
    if args.relax {
        relax(&mut out, &program, model, args, &found)?;
    }
    if !args.output.quiet {
        print(&if args.output.ascii { ascii(&out) } else { out });
    }
    Ok(exit)
}

/// What there is for interleavings only.
fn refuse_others(args: &CheckArgs) -> Result<(), Refusal> {
    let (out, instead) = (&args.output, &args.instead);
    let given = [
        (args.algorithm.is_some(), "--algorithm"),
        (args.order != mazurka_core::Order::default(), "--order"),
        (args.observe.is_some(), "--observe"),
        (args.cones.is_some(), "--cones"),
        (args.livelock, "--livelock"),
        (args.replay, "--replay"),
        (args.jobs.is_some(), "--jobs"),
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.paranoid, "--paranoid"),
        (args.verify, "--verify"),
        (args.exact, "--exact"),
        (args.shortest, "--shortest"),
        (instead.is_given(), "--mode, --preemptions or --delays"),
        (args.limits.memory.is_some(), "--memory"),
        (out.json, "--json"),
        (out.json_lines, "--json-lines"),
        (out.stats, "--stats"),
        (out.report.is_some(), "--report"),
        (out.junit.is_some(), "--junit"),
        (out.sarif.is_some(), "--sarif"),
        (out.certificate.is_some(), "--certificate"),
        (out.dot.is_some(), "--dot"),
        (out.save_schedule.is_some(), "--save-schedule"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(Refusal::new(format!(
            "`{option}` cannot be combined with `--model`: executions are graphs then, not interleavings"
        ))),
        None => Ok(()),
    }
}

/// What a search found.
struct Found {
    /// Each failure with its graph, as text.
    failures: Vec<String>,
    finals: BTreeSet<Vec<(String, i32)>>,
    graphs: u64,
    blocked: u64,
    events: u64,
    largest: u32,
    status: Status,
    /// What ended it early.
    limit: &'static str,
    /// What came of what the file says of its executions.
    tally: Tally,
    /// The steps of the first failing graph.
    places: BTreeSet<Place>,
    time: std::time::Duration,
}

impl Found {
    fn passes(&self) -> bool {
        self.failures.is_empty() && self.status == Status::Complete
    }
}

fn look(program: &Concurrent, model: &'static dyn Model, args: &CheckArgs, events: u64, tells: bool) -> Found {
    let begun = Instant::now();
    let limits = Limits {
        events: args.limits.max_depth.unwrap_or(MAX_EVENTS).min(MOST_EVENTS) as u32,
        graphs: args.limits.max_executions.unwrap_or(u64::MAX),
    };
    let mut failures: Vec<(String, String)> = Vec::new();
    let mut finals = BTreeSet::new();
    let mut places = BTreeSet::new();
    let mut tally = Tally::default();
    let names: Vec<String> = program.model().bodies().iter().map(|b| b.name.clone()).collect();
    let picture = |graph: &Graph, run: &Run| mazurka_weak::picture(graph, &names, |id| program.caption(graph, run, id));
    let mut search = Search::new(program, model, limits);
    let mut visit = |graph: &Graph, run: &Run, ending: &Ending| {
        let failure = match ending {
            Ending::Complete | Ending::Deadlock => {
                if tells && args.output.final_states {
                    finals.insert(program.finals(graph, run));
                }
                let claimed = tally.note(program, graph, run, || picture(graph, run));
                match program.never(graph, run) {
                    _ if claimed.is_some() => claimed,
                    Some(never) => {
                        let condition = program.condition(never);
                        let what = never.message.as_ref().map_or(String::new(), |message| format!("{message}: "));
                        Some(format!("never: {what}{condition} in the end"))
                    }
                    None if *ending == Ending::Deadlock && args.program.deadlock != Some(DeadlockArg::Ignore) => {
                        Some("deadlock: nothing lets the others go on".to_owned())
                    }
                    None => None,
                }
            }
            Ending::Fault(fault) => program.wrong(run, fault.thread).map(|(message, at)| {
                let at = at.map_or(String::new(), |at| format!(" at {}:{}:{}", at.file, at.line, at.column));
                format!("assertion{at}: {message}")
            }),
            Ending::Race(race) => {
                let caption = |id| {
                    program
                        .caption(graph, run, id)
                        .map_or(String::new(), |c| format!("`{}` at {}", c.text, c.at))
                };
                let (first, second) = (caption(race.0), caption(race.1));
                Some(format!(
                    "data race: nothing orders {first} and {second}, and one of them is plain data"
                ))
            }
            _ => None,
        };
        if let Some(failure) = failure
            && failures.iter().all(|(known, _)| *known != failure)
        {
            if failures.is_empty() {
                places.extend(program.places(run));
            }
            failures.push((failure, picture(graph, run)));
        }
        failures.is_empty() || args.keep_going && tells
    };
    let mut status = Status::Running;
    let mut limit = "";
    while status == Status::Running {
        status = search.advance(1 << 12, &mut visit);
        let late = args.limits.timeout.is_some_and(|time| begun.elapsed() >= time);
        limit = match () {
            () if status != Status::Running => "",
            () if interrupted() => "interrupt",
            () if late => "timeout",
            () if search.counts().events >= events => "budget",
            () => continue,
        };
        break;
    }
    let counts = search.counts();
    if status == Status::Stopped && limit.is_empty() {
        limit = if counts.too_large > 0 { "max-depth" } else { "max-executions" };
    }
    if status == Status::Complete
        && let Some(missing) = tally.missing(program.claim())
    {
        failures.push((missing, String::new()));
    }
    let shown = |(failure, picture): (String, String)| {
        let gap = if picture.is_empty() { "" } else { "\n\n" };
        format!("violation under {}: {failure}{gap}{picture}", model.name())
    };
    Found {
        failures: failures.into_iter().map(shown).collect(),
        finals,
        graphs: counts.graphs,
        blocked: counts.blocked,
        events: counts.events,
        largest: counts.largest,
        status,
        limit,
        tally,
        places,
        time: begun.elapsed(),
    }
}

fn sites(program: &Concurrent, places: Option<&BTreeSet<Place>>) -> Vec<Site<Place>> {
    let kind = |operation: &Operation| match operation {
        Operation::Load { .. } => Kind::Read,
        Operation::Store { .. } => Kind::Write,
        Operation::Fence(_) => Kind::Fence,
        _ => Kind::Update,
    };
    let declared = program.declared().into_iter();
    declared
        .filter(|(at, ..)| places.is_none_or(|places| places.contains(at)))
        .map(|(at, operation, order)| Site {
            at,
            kind: kind(operation),
            order,
        })
        .collect()
}

fn named(program: &Concurrent, place: Place) -> String {
    let at = program.position(place.0, place.1);
    at.map_or_else(
        || program.model().bodies()[place.0].name.clone(),
        |at| format!("{}:{}:{}", at.file, at.line, at.column),
    )
}

/// Which orderings make the first failure impossible.
fn advise(program: &Concurrent, model: &'static dyn Model, args: &CheckArgs, found: &Found) -> Option<String> {
    if found.failures.is_empty() {
        return None;
    }
    let sites = sites(program, Some(&found.places));
    let mut left = TRIALS;
    let strengthening = strengthen(&sites, |instead| {
        let tried = look(&program.with_orders(instead), model, args, left, false);
        left = left.saturating_sub(tried.events);
        tried.passes()
    })?;
    Some(match strengthening {
        Strengthening::Hopeless => {
            "   stronger orderings do not help: something fails all the same if all accesses with orderings are sc".to_owned()
        }
        Strengthening::All(most) => {
            format!("   nothing fails if all accesses are sc; no {most} of them are enough, as far as it was tried")
        }
        Strengthening::These(found) => {
            let say = |(at, order): &(Place, Order)| {
                let was = sites.iter().find(|site| site.at == *at).map_or(Order::Relaxed, |site| site.order);
                format!("the {} at {} is {}", order_name(was), named(program, *at), order_name(*order))
            };
            format!(
                "   it cannot happen if {}",
                found.iter().map(say).collect::<Vec<_>>().join(", and ")
            )
        }
    })
}

fn verdict(out: &mut String, args: &CheckArgs, model: &dyn Model, found: &Found) -> Exit {
    let (name, program) = (model.name(), &args.program.program);
    let exit = match (found.failures.len(), found.status) {
        (0, Status::Complete) => {
            let _ = writeln!(
                out,
                "complete: every execution graph of {program} under {name} is covered, nothing failed"
            );
            Exit::Complete
        }
        (0, _) => {
            let _ = writeln!(out, "incomplete: {} was reached under {name}, nothing failed so far", found.limit);
            Exit::Incomplete
        }
        (n, _) => {
            let _ = writeln!(out, "violation: {} in {program} under {name}", counted(n as u64, "failure"));
            Exit::Violation
        }
    };
    let blocked = match found.blocked {
        0 => String::new(),
        n => format!(" · {n} blocked"),
    };
    let _ = writeln!(
        out,
        "   {}{blocked} · {} · largest {} · {:.1} ms",
        counted(found.graphs, "execution graph"),
        counted(found.events, "event"),
        found.largest,
        found.time.as_secs_f64() * 1e3
    );
    let _ = writeln!(out, "   note: {name} is {}", model.about());
    exit
}

fn final_states(out: &mut String, found: &Found) {
    let _ = writeln!(out, "\n{}", counted(found.finals.len() as u64, "final state"));
    for (n, finals) in found.finals.iter().enumerate() {
        let values: Vec<String> = finals.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let _ = writeln!(out, "   {}: {}", n + 1, values.join(", "));
    }
}

/// Which orderings could be weaker.
fn relax(out: &mut String, program: &Concurrent, model: &'static dyn Model, args: &CheckArgs, found: &Found) -> Result<(), Refusal> {
    if !found.passes() {
        return Err(Refusal::new(
            "`--relax` weakens the orderings of a program that passes; this one does not, or not everything was covered",
        ));
    }
    let weaker = weaken(&sites(program, None), |instead| {
        look(&program.with_orders(instead), model, args, u64::MAX, false).passes()
    });
    let _ = writeln!(out, "\n{} can be weaker", counted(weaker.len() as u64, "ordering"));
    for (site, order) in weaker {
        let at = named(program, site.at);
        let _ = writeln!(out, "   {at}: {} → {}", order_name(site.order), order_name(order));
    }
    Ok(())
}

fn ascii(text: &str) -> String {
    text.replace('→', "->").replace('←', "<-").replace('·', "|")
}

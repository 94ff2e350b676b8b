//! `mazurka explore`: through a program by hand. On a terminal as a full-screen program, where that was built in; otherwise line by line.

use crate::cli::ExploreArgs;
use crate::exit::Exit;
use crate::frontends::load;
use crate::output::{paint, print};
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_core::AnyProgram;
#[cfg(feature = "explorer")]
use mazurka_core::Transition;
use mazurka_core::schedule::{Goal, Here, Walk, Way};
use mazurka_report::Paint;
use mazurka_report::units::{count, counted};
use mazurka_report::values::values;
use mazurka_report::verdict::explanation;
use std::io::BufRead;

/// So many states are looked at for a way to somewhere.
const STATES: usize = 500_000;
/// So many steps are taken by `e`.
const STEPS: usize = 1_000;

const HELP: &str = "a number takes that step; b back, 0 to the start, e to the end, f to a failure, g to a good end, s state, q quit";

/// Explores the program.
pub fn run(args: ExploreArgs) -> Result<Exit, Refusal> {
    let session = load(&args.program)?;
    let mut walk = Walk::new(&*session.program);
    if let Some(path) = &args.schedule {
        let schedule = super::replay::read(path)?;
        for (at, step) in schedule.steps.iter().enumerate() {
            if walk.take_by_key(&step.process, step.choice).is_err() {
                return Err(Refusal::new(format!(
                    "{}: step {} cannot be taken; expected a schedule of this program",
                    path.display(),
                    at + 1
                )));
            }
        }
    }
    #[cfg(feature = "explorer")]
    if full_screen() {
        explore(&session, walk.taken(), args.ascii)?;
        return Ok(Exit::Complete);
    }
    by_lines(&session, walk, paint(args.ascii));
    Ok(Exit::Complete)
}

/// Whether there is a terminal to draw on.
#[cfg(feature = "explorer")]
pub fn full_screen() -> bool {
    use std::io::IsTerminal;
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !is_dumb
}

/// The full-screen program, from where the walk stands.
#[cfg(feature = "explorer")]
pub fn explore(session: &Session<'_>, steps: &[Transition], ascii: bool) -> Result<(), Refusal> {
    let subject = mazurka_explorer::Subject {
        program: &*session.program,
        title: session.name.clone(),
        sources: &session.sources,
        deadlock_is_error: session.deadlock_is_error,
        ascii,
    };
    mazurka_explorer::run(&subject, steps)
        .map_err(|e| Refusal::new(format!("cannot draw on this terminal: {}", crate::frontends::reason(&e))))
}

/// One line of input, one place of the walk.
fn by_lines(session: &Session<'_>, mut walk: Walk<'_, dyn AnyProgram + '_>, paint: Paint) {
    print(&format!("{HELP}\n{}", place(&walk.here(), paint)));
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let here = walk.here();
        let text = match line.trim() {
            "" => continue,
            "q" => return,
            "b" => {
                walk.back_to(walk.taken().len().saturating_sub(1));
                place(&walk.here(), paint)
            }
            "s" => state(&here, paint),
            "e" => {
                walk.run_on(STEPS);
                place(&walk.here(), paint)
            }
            "f" => {
                let goal = Goal::Failure {
                    deadlock: session.deadlock_is_error,
                };
                go(&mut walk, goal, "failure", paint)
            }
            "g" => go(
                &mut walk,
                Goal::GoodEnd,
                "end at which every process has finished and nothing failed",
                paint,
            ),
            "0" => {
                walk.back_to(0);
                place(&walk.here(), paint)
            }
            word => match word.parse::<usize>().ok().and_then(|n| here.moves.get(n.wrapping_sub(1))) {
                Some(chosen) => match walk.take(chosen.transition) {
                    Ok(()) => place(&walk.here(), paint),
                    Err(_) => format!("{} cannot be taken now\n", paint.text(&chosen.text.label)),
                },
                None => format!("`{}` means nothing here; {HELP}\n", word.escape_default()),
            },
        };
        print(&text);
    }
}

fn go(walk: &mut Walk<'_, dyn AnyProgram + '_>, goal: Goal, what: &str, paint: Paint) -> String {
    match walk.way_to(goal, STATES, &crate::drive::interrupted) {
        Way::Found(way) => {
            walk.follow(&way);
            place(&walk.here(), paint)
        }
        Way::None => format!("there is no {what} from here: every state that can be reached was looked at\n"),
        Way::GivenUp(seen) => format!("no {what} was found in the {} states that were looked at\n", count(seen as u64)),
    }
}

/// The last step, and what can be done now.
fn place(here: &Here, paint: Paint) -> String {
    let recording = &here.recording;
    let mut out = match recording.steps.last() {
        None => "at the start\n".to_owned(),
        Some(step) => {
            let values = values(step, paint);
            let values = if values.is_empty() { values } else { format!("  [{values}]") };
            let at = step.text.at.as_ref().map_or(String::new(), |at| format!("  {at}"));
            let text = format!("{}: {}", step.process, step.text.label);
            format!(
                "after {}: {}{values}{}\n",
                counted(recording.steps.len() as u64, "step"),
                paint.text(&text),
                paint.text(&at)
            )
        }
    };
    out.push_str(&explanation(recording, paint));
    if here.moves.is_empty() && recording.failure.is_none() {
        out.push_str("   the end: every process has finished\n");
    }
    for (at, m) in here.moves.iter().enumerate() {
        let text = paint.text(&format!("{}: {}", m.process, m.text.label));
        if m.enabled {
            out.push_str(&format!("   {:>2}  {text}\n", at + 1));
            continue;
        }
        let because: Vec<String> = m
            .reads
            .iter()
            .map(|(name, value)| match value {
                Some(value) => format!("{name} = {value}"),
                None => name.clone(),
            })
            .collect();
        let because = if because.is_empty() {
            String::new()
        } else {
            format!(": {}", paint.text(&because.join(", ")))
        };
        out.push_str(&format!("    -  {text} (blocked{because})\n"));
    }
    out
}

fn state(here: &Here, paint: Paint) -> String {
    let mut out = String::new();
    for (name, value) in &here.values {
        out.push_str(&format!("   {} = {}\n", paint.text(name), paint.text(value)));
    }
    if out.is_empty() { "   no values to show\n".to_owned() } else { out }
}

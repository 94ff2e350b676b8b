//! `mazurka run`: one schedule, random or given.

use super::replay::{belongs, read};
use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::frontends::load;
use crate::output::{paint, print, print_error};
use crate::refusal::Refusal;
use crate::watch::Watch;
use mazurka_core::schedule::{Stage, replay};
use mazurka_core::{AnyProgram, AnyState, Effects, FailureKind, Limit, Transition};
use mazurka_report::paint::visible;
use mazurka_report::{columns, verdict};

/// Runs the program once.
pub fn run(args: &RunArgs) -> Result<Exit, Refusal> {
    let session = load(&args.program)?;
    let paint = paint(args.ascii);
    let program = &*session.program;
    let schedule = match &args.schedule {
        Some(path) => {
            let schedule = read(path)?;
            let replayed = replay(program, &schedule);
            belongs(path, &schedule, &session.name, &replayed)?;
            if let Some(first) = replayed.divergences.first() {
                let warning = format!(
                    "warning: the program differs from `{}` at step {}; `mazurka replay` shows how\n",
                    path.display(),
                    first.planned + 1
                );
                print_error(&visible(&warning));
            }
            Some(replayed.recording.steps.iter().map(|step| step.transition).collect())
        }
        None => None,
    };
    let watch = Watch::new(&session, args.timeout);
    let done = Done::new(program, schedule, (args.seed, args.max_depth), || watch.limit().is_some());
    let ended_by = watch.limit();
    drop(watch);
    let output = program.output(&done.run);
    let mut failure = None;
    let mut explanation = String::new();
    if (done.failed && ended_by.is_none()) || args.trace {
        // Writing down what every step does takes far longer than the steps, so it is done only for somebody to read.
        let mut stage = Stage::new(program);
        done.schedule.iter().for_each(|&transition| stage.step(transition));
        let recording = stage.finish(|_| 0);
        if args.trace {
            print(&columns::render(&recording, paint));
            print("\n");
        }
        explanation = verdict::explanation(&recording, paint);
        failure = recording.failure;
    }
    print(&visible(&output));
    if output.is_empty() {
        for (name, value) in program.results(&done.run) {
            print(&format!("{}\n", paint.text(&format!("{name} = {value}"))));
        }
    }
    print(&explanation);
    if let Some(limit) = ended_by {
        let ended = if limit == Limit::Time { "--timeout" } else { "Ctrl-C" };
        print_error(&format!("{ended} ended the run after {} steps\n", done.schedule.len()));
        return Ok(Exit::Incomplete);
    }
    Ok(match (failure.map(|f| f.kind), done.unfinished) {
        (Some(FailureKind::Limit), _) => Exit::Incomplete,
        (Some(kind), _) if session.deadlock_is_error || kind != FailureKind::Deadlock => Exit::Violation,
        (_, true) => Exit::Incomplete,
        _ => Exit::Complete,
    })
}

/// One execution, up to its first failure.
struct Done {
    run: AnyState,
    schedule: Vec<Transition>,
    /// Whether a step failed, or the end is a failure.
    failed: bool,
    /// Whether something could still be done.
    unfinished: bool,
}

impl Done {
    /// Takes the steps of `given`, or else at most `most` random ones, until `stop` says so.
    fn new(program: &dyn AnyProgram, given: Option<Vec<Transition>>, (seed, most): (u64, u64), stop: impl Fn() -> bool) -> Self {
        let mut random = Random(seed);
        let mut done = Done {
            run: program.start(),
            schedule: Vec::new(),
            failed: false,
            unfinished: false,
        };
        let mut effects = Effects::default();
        loop {
            let some = program.some_enabled(&done.run, &mut || random.next());
            done.unfinished = some.is_some();
            let at = done.schedule.len();
            let next = match &given {
                Some(given) => given.get(at).copied(),
                None if at as u64 >= most => None,
                None => some,
            };
            let Some(next) = next.filter(|_| !done.failed && !stop()) else {
                break;
            };
            effects.clear();
            program.step(&mut done.run, next, &mut effects);
            done.schedule.push(next);
            done.failed = effects.failure.is_some();
        }
        if !done.unfinished {
            let mut failures = Vec::new();
            program.failures_at_end(&done.run, &mut failures);
            done.failed |= !failures.is_empty();
        }
        done
    }
}

/// The splitmix64 generator: the same seed gives the same schedule everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the transitions that can be taken, each as likely as the others.
    pub fn pick(&mut self, enabled: impl Iterator<Item = Transition>) -> Option<Transition> {
        let enabled: Vec<Transition> = enabled.collect();
        if enabled.is_empty() {
            return None;
        }
        let at = self.next() % enabled.len() as u64;
        Some(enabled[at as usize])
    }
}

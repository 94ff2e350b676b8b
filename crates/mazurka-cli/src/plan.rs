//! What a check does: the options of the search that the arguments ask for.

use crate::certify::certifiable;
use crate::cli::{CheckArgs, LimitArgs};
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_core::{Algorithm, Bound, Checks, Limits, Observe, Options, Sampler, Sampling};

/// How many random executions are run unless it is said otherwise.
const BUDGET: u64 = 10_000;

/// The limits as the engine takes them.
pub fn limits(args: &LimitArgs) -> Limits {
    Limits::default()
        .executions(args.max_executions)
        .depth(args.max_depth)
        .time(args.timeout)
        .memory(args.memory)
}

/// What the arguments ask for.
pub fn options(args: &CheckArgs, session: &Session<'_>) -> Result<Options, Refusal> {
    if let Some(options) = instead(args, session)? {
        return Ok(options);
    }
    let algorithm = session.algorithm(args.algorithm.as_deref())?;
    let merging = algorithm.merges();
    if args.observe.is_some() && !merging {
        return Err(Refusal::new(format!(
            "`--observe` says what merging must tell apart, and `{algorithm}` does not merge; take an algorithm with +merge"
        )));
    }
    if args.cones.is_some() && !merging {
        return Err(Refusal::new(format!(
            "`--cones` bounds what merging remembers, and `{algorithm}` does not merge; take an algorithm with +merge"
        )));
    }
    if (args.exact || args.shortest) && !algorithm.is_stateful() {
        let flag = if args.exact { "--exact" } else { "--shortest" };
        return Err(Refusal::new(format!(
            "`{flag}` belongs to stateful search, and `{algorithm}` is not; take `stateful`, `stateful+persistent` or `stateful+source`"
        )));
    }
    refuse_endless(args, session, algorithm.name(), algorithm.is_stateful())?;
    asks_of_endless(args, session, algorithm.is_stateful())?;
    if certified(args) {
        certifiable(algorithm, session.program.features())?;
        if args.observe.is_some_and(|observe| observe != Observe::States) || args.shortest {
            let flag = if args.shortest { "--shortest" } else { "--observe" };
            return Err(Refusal::new(format!("`{flag}` has no certificates; leave it out")));
        }
    }
    Ok(common(args, session, algorithm)
        .observe(args.observe.unwrap_or_default())
        .see_values(!certified(args))
        .keep_store(certified(args))
        .cone_cap(args.cones))
}

/// How many threads the search shall have. What only one of them can do is refused with the reason.
pub fn jobs(args: &CheckArgs, session: &Session<'_>) -> Result<usize, Refusal> {
    let Some(jobs) = args.jobs.filter(|jobs| *jobs > 1) else {
        return Ok(1);
    };
    let alone = [
        (args.output.final_states, "--final-states"),
        (args.output.report.is_some(), "--report"),
        (args.paranoid, "--paranoid"),
        (certified(args), "--certificate or --verify"),
        (args.checkpoint.is_some(), "--checkpoint"),
    ];
    if let Some((_, flag)) = alone.iter().find(|(given, _)| *given) {
        return Err(Refusal::new(format!(
            "`{flag}` follows a search step by step, which one thread does; leave out --jobs {jobs}"
        )));
    }
    if session.crew.is_none() {
        return Err(Refusal::new(format!(
            "this kind of program exists once, and `--jobs {jobs}` needs one for each thread"
        )));
    }
    Ok(jobs)
}

/// Whether the verdict is to be proved.
pub fn certified(args: &CheckArgs) -> bool {
    args.verify || args.output.certificate.is_some()
}

/// What every kind of search is told.
fn common(args: &CheckArgs, session: &Session<'_>, algorithm: Algorithm) -> Options {
    Options::new(algorithm)
        .order(args.order)
        .limits(limits(&args.limits))
        .keep_going(args.keep_going)
        .deadlock_is_error(session.deadlock_is_error)
        .final_states(args.output.final_states || certified(args))
        .replay(args.replay)
}

/// Random executions or a bounded search, if they are asked for.
fn instead(args: &CheckArgs, session: &Session<'_>) -> Result<Option<Options>, Refusal> {
    let asked = &args.instead;
    let is_asked = asked.mode.is_some() || asked.preemptions.is_some() || asked.delays.is_some();
    if is_asked && certified(args) {
        return Err(Refusal::new(
            "a certificate proves that everything is covered, which random executions and bounds do not promise",
        ));
    }
    // It stands for nothing here, but that executions are run one after the other.
    let options = common(args, session, Algorithm::parse("optimal")?);
    if let Some(sampler) = asked.mode {
        let sampling = Sampling::new(sampler, asked.budget.unwrap_or(BUDGET))
            .seed(asked.seed.unwrap_or(0))
            .from(asked.from.unwrap_or(0));
        return Ok(Some(options.sampling(sampling).final_states(true)));
    }
    let alone = [("--budget", asked.budget), ("--seed", asked.seed), ("--from", asked.from)];
    if let Some((flag, _)) = alone.iter().find(|(_, value)| value.is_some()) {
        return Err(Refusal::new(format!(
            "`{flag}` says which random executions to run, and none are; give --mode random, pct, pos or urw"
        )));
    }
    let bound = match (asked.preemptions, asked.delays) {
        (Some(within), _) => within.of(Bound::preemptions),
        (None, Some(within)) => within.of(Bound::delays),
        (None, None) => return Ok(None),
    };
    refuse_endless(args, session, &bound.to_string(), false)?;
    Ok(Some(options.bound(bound)))
}

/// What the search is called in reports.
pub fn name(options: &Options) -> String {
    match (options.sampling, options.bound) {
        (Some(sampling), _) => sampling.sampler.to_string(),
        (None, Some(bound)) => bound.to_string(),
        (None, None) => options.algorithm.name().to_owned(),
    }
}

/// What is asked of executions without end is answered by storing states, and its answer cannot be certified.
fn asks_of_endless(args: &CheckArgs, session: &Session<'_>, stateful: bool) -> Result<(), Refusal> {
    let asked: Vec<String> = session.properties().into_iter().map(|p| p.name).collect();
    if args.fair && (asked.is_empty() || !stateful) {
        return Err(Refusal::new(
            "`--fair` says which executions without end count, and nothing is asked of those here; it goes with claims, accept labels and --non-progress, and a search that stores states",
        ));
    }
    if !stateful && session.checks == Checks::Properties {
        return Err(Refusal::new(
            "a claim is checked by a search that stores states; take `stateful+source` or `stateful`",
        ));
    }
    if certified(args) && !asked.is_empty() {
        return Err(Refusal::new(format!(
            "there are no certificates for executions without end, and {} asks about those; --ignore-claims certifies the rest",
            asked.join(", ")
        )));
    }
    Ok(())
}

/// A model that was seen to come back to a state has an execution without end. Without a bound a search that stores no states would follow
/// it for ever. Other front ends only suspect cycles; they are not refused.
fn refuse_endless(args: &CheckArgs, session: &Session<'_>, name: &str, stateful: bool) -> Result<(), Refusal> {
    let limits = &args.limits;
    let bounded = limits.max_depth.is_some() || limits.timeout.is_some() || limits.memory.is_some();
    let stores_states = |name: &&str| Algorithm::parse(name).is_ok_and(Algorithm::is_stateful);
    if bounded || stateful || !session.preferred.first().is_some_and(stores_states) || session.program.features().terminating {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "`{name}` runs executions to their end, and `{}` has executions that never end; take `stateful+source`, or bound the search with --max-depth or --timeout",
        session.name
    )))
}

/// Where guards read many locations that are written independently, a state may have exponentially many cones; a search that nobody asked for
/// must not take all memory for them.
const CONES_OF_RIVAL: usize = 4096;

/// When nobody asked for an algorithm, merging takes turns with the default after a while: where it pays it pays by orders of magnitude, and
/// where it does not the search takes at most about twice as long. Not with limits that two searches cannot share, nor in checkpoints, which do not
/// hold stores of states.
pub fn rival(args: &CheckArgs, session: &Session<'_>, options: &Options) -> Option<Options> {
    let limits = &args.limits;
    let shared = limits.max_executions.is_none() && limits.max_depth.is_none() && limits.memory.is_none();
    let complete = options.sampling.is_none() && options.bound.is_none();
    if args.algorithm.is_some()
        || args.checkpoint.is_some()
        || args.cluster.is_some()
        || !complete
        || !options.algorithm.is_optimal()
        || !shared
        || args.replay
    {
        return None;
    }
    let algorithm = Algorithm::parse("source+merge").ok()?;
    algorithm.fits(session.program.features()).ok()?;
    if certified(args) {
        certifiable(algorithm, session.program.features()).ok()?;
    }
    Some(options.clone().algorithm(algorithm).cone_cap(CONES_OF_RIVAL).keep_store(false))
}

/// The random executions that have a turn beside a search and its rival. Not where all failures are asked for.
pub fn random(options: &Options) -> Option<Options> {
    let sampling = Sampling::new(Sampler::Random, u64::MAX);
    (!options.keep_going).then(|| options.clone().sampling(sampling))
}

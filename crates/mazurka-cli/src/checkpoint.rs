//! `--checkpoint` and `resume`: what is needed to go on with a search is written while it runs.

#[cfg(not(feature = "checkpoint"))]
#[path = "checkpoint/without.rs"]
mod store;
#[cfg(feature = "checkpoint")]
#[path = "checkpoint/with.rs"]
mod store;

use crate::certify::subject;
use crate::cli::CheckArgs;
use crate::observe::Seen;
use crate::plan::certified;
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_core::saved::{Decoder, Encoder, Misfit};
use mazurka_core::{Limit, Outcome, Progress, Search, SearchError, Status};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use store::create;
pub use store::open;

/// How often a search is saved, if nobody says how often.
const EVERY: Duration = Duration::from_secs(30);
/// Then at most one part in so many of the time is spent on saving.
const SHARE: u32 = 100;

/// Refuses what cannot be gone on with.
pub fn refuse_others(args: &CheckArgs, session: &Session<'_>) -> Result<(), Refusal> {
    if args.checkpoint.is_none() {
        return Ok(());
    }
    let step_by_step = [
        (args.output.report.is_some(), "--report"),
        (args.paranoid, "--paranoid"),
        (certified(args), "--certificate or --verify"),
    ];
    if let Some((_, flag)) = step_by_step.iter().find(|(given, _)| *given) {
        return Err(Refusal::new(format!(
            "`{flag}` follows a search from its beginning, which one that goes on does not see; leave out --checkpoint"
        )));
    }
    if !session.replays {
        return Err(Refusal::new(
            "`mazurka resume` has to load the program by its name, and this one has none; leave out --checkpoint",
        ));
    }
    Ok(())
}

/// Where a search is kept.
pub trait Store {
    /// Replaces what is kept; it is on the disk when this returns.
    fn save(&mut self, state: &[u8]) -> Result<(), Refusal>;

    /// Where that is.
    fn directory(&self) -> &Path;
}

/// A checkpoint that was opened.
pub struct Kept {
    store: Box<dyn Store>,
    digest: u128,
    state: Vec<u8>,
    /// What the search was asked, in the directory that is the current one now.
    pub arguments: Vec<String>,
}

/// Saves a search now and then.
pub struct Keeper {
    store: Box<dyn Store>,
    /// How often, if that was said.
    every: Option<Duration>,
    seen: Rc<RefCell<Seen>>,
    /// How long it took before it was resumed.
    before: Duration,
    begun: Instant,
    last: Instant,
    /// How long the last time of saving took.
    took: Duration,
    /// Why it could not be saved; then it ends.
    refusal: Option<Refusal>,
}

impl Keeper {
    /// Begins with a search that has done nothing yet, if that was asked for.
    pub fn begin(
        args: &CheckArgs,
        session: &Session<'_>,
        search: &mut dyn Search,
        seen: &Rc<RefCell<Seen>>,
    ) -> Result<Option<Self>, Refusal> {
        let Some(directory) = &args.checkpoint else { return Ok(None) };
        let state = state(search, seen, Duration::ZERO)?;
        let store = create(directory, subject(session).digest, &state)?;
        Ok(Some(Keeper::of(store, args.every, seen, Duration::ZERO)))
    }

    /// Has a search that has done nothing yet go on where another one was saved.
    pub fn resume(
        kept: Kept,
        every: Option<Duration>,
        session: &Session<'_>,
        search: &mut dyn Search,
        seen: &Rc<RefCell<Seen>>,
    ) -> Result<Self, Refusal> {
        let unfit = |why: &dyn std::fmt::Display| {
            let directory = kept.store.directory().display();
            Refusal::new(format!(
                "the checkpoint in `{directory}` is not of this search of `{}`: {why}",
                session.name
            ))
        };
        if kept.digest != subject(session).digest {
            return Err(unfit(&"the program has changed since"));
        }
        let mut read = || -> Result<Duration, Misfit> {
            let mut from = Decoder::new(&kept.state);
            let before = Duration::from_millis(from.number()?);
            seen.borrow_mut().resume(&mut from)?;
            search.resume(from.bytes()?)?;
            from.end()?;
            Ok(before)
        };
        let before = read().map_err(|misfit| unfit(&misfit))?;
        Ok(Keeper::of(kept.store, every, seen, before))
    }

    fn of(store: Box<dyn Store>, every: Option<Duration>, seen: &Rc<RefCell<Seen>>, before: Duration) -> Self {
        let now = Instant::now();
        Keeper {
            store,
            every,
            seen: Rc::clone(seen),
            before,
            begun: now,
            last: now,
            took: Duration::ZERO,
            refusal: None,
        }
    }

    /// The search, saved while it runs.
    pub fn around<'s>(&'s mut self, search: &'s mut dyn Search) -> impl Search + 's {
        Watched { keeper: self, search }
    }

    /// To be asked at the end: how long the search took before it was resumed.
    pub fn finish(self) -> Result<Duration, Refusal> {
        self.refusal.map_or(Ok(self.before), Err)
    }

    /// How to go on with it.
    pub fn command(&self) -> String {
        format!(
            "mazurka resume {}",
            crate::output::quoted(&self.store.directory().display().to_string())
        )
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every.unwrap_or_else(|| EVERY.max(self.took * SHARE))
    }

    fn save(&mut self, search: &mut dyn Search) -> Result<(), Refusal> {
        let begun = Instant::now();
        let state = state(search, &self.seen, self.before + self.begun.elapsed())?;
        self.store.save(&state)?;
        self.last = Instant::now();
        self.took = self.last - begun;
        Ok(())
    }
}

/// Where a search stands, and what was seen of it.
fn state(search: &mut dyn Search, seen: &Rc<RefCell<Seen>>, elapsed: Duration) -> Result<Vec<u8>, Refusal> {
    // Saving may take some steps, which are seen.
    let saved = search.save().map_err(|e| Refusal::new(format!("{e}, or leave out --checkpoint")))?;
    let mut out = Encoder::default();
    out.number(elapsed.as_millis() as u64);
    seen.borrow().save(&mut out);
    out.bytes(&saved);
    Ok(out.into_bytes())
}

/// See [`Keeper::around`].
struct Watched<'s> {
    keeper: &'s mut Keeper,
    search: &'s mut dyn Search,
}

impl Search for Watched<'_> {
    fn advance(&mut self, steps: u64) -> Status {
        let status = self.search.advance(steps);
        let stopped = |outcome: &Outcome| matches!(outcome.limit, Some(Limit::Time | Limit::Interrupt | Limit::Memory));
        let wanted = match status {
            Status::Running => self.keeper.is_due(),
            // With more time or memory it may go on from here.
            Status::Done => stopped(&self.search.outcome()),
        };
        if wanted
            && self.keeper.refusal.is_none()
            && let Err(refusal) = self.keeper.save(self.search)
        {
            self.keeper.refusal = Some(refusal);
            self.search.interrupt();
        }
        status
    }

    fn progress(&self) -> Progress {
        self.search.progress()
    }

    fn interrupt(&mut self) {
        self.search.interrupt();
    }

    fn save(&mut self) -> Result<Vec<u8>, SearchError> {
        self.search.save()
    }

    fn outcome(&self) -> Outcome {
        self.search.outcome()
    }
}

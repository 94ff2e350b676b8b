//! What a front end tells along random walks: how many accesses of each kind, and a digest of all of it.

use mazurka_core::{Effects, Features, Footprint, Location, Mode, Order, Pending, Program};
use mazurka_laboratory::random::Numbers;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

const WALKS: u64 = 3;
const STEPS: usize = 40;
const ORDERS: [Order; 3] = [Order::Eca, Order::Lca, Order::Stable];

/// Everything that was told.
#[derive(Default)]
pub struct Told {
    programs: u64,
    steps: u64,
    listed: u64,
    enabled: u64,
    reads: u64,
    writes: u64,
    maybe: u64,
    accumulations: u64,
    guards: u64,
    monotone: u64,
    touched: u64,
    births: u64,
    failures: u64,
    promises: Promises,
    accesses: Digest,
    insights: Digest,
    states: Digest,
}

/// How many programs promise what.
#[derive(Default)]
struct Promises {
    footprints: u64,
    alternatives: u64,
    one_location: u64,
    terminating: u64,
    actors: u64,
}

impl Told {
    /// Walks through the program and notes all that it says.
    pub fn walk<P: Program>(&mut self, program: &P)
    where
        P::State: Clone,
    {
        self.programs += 1;
        self.features(program.features());
        for walk in 0..WALKS {
            let mut numbers = Numbers::nth(self.programs, walk);
            let mut run = program.start();
            for _ in 0..STEPS {
                let pending = self.state(program, &run, &mut numbers);
                let enabled: Vec<&Pending> = pending.iter().filter(|p| p.enabled).collect();
                if enabled.is_empty() {
                    break;
                }
                let transition = enabled[numbers.below(enabled.len())].transition;
                let mut effects = Effects {
                    report_touched: true,
                    ..Effects::default()
                };
                // Handlers of actors may panic, which ends an execution.
                if catch_unwind(AssertUnwindSafe(|| program.step(&mut run, transition, &mut effects))).is_err() {
                    break;
                }
                self.steps += 1;
                self.births += effects.births.len() as u64;
                effects.births.iter().for_each(|b| self.accesses.add(u64::from(b.0)));
                self.touched += effects.touched.accesses().len() as u64;
                self.footprint(&effects.touched);
                if let Some(failure) = &effects.failure {
                    self.failures += 1;
                    failure.message.bytes().for_each(|b| self.accesses.add(u64::from(b)));
                }
            }
            let mut failures = Vec::new();
            program.failures_at_end(&run, &mut failures);
            self.failures += failures.len() as u64;
        }
    }

    fn features(&mut self, features: Features) {
        let promises = &mut self.promises;
        promises.footprints += u64::from(features.static_footprints);
        promises.alternatives += u64::from(features.static_alternatives);
        promises.one_location += u64::from(features.one_location_per_step);
        promises.terminating += u64::from(features.terminating);
        promises.actors += u64::from(features.actors);
    }

    fn state<P: Program>(&mut self, program: &P, run: &P::State, numbers: &mut Numbers) -> Vec<Pending>
    where
        P::State: Clone,
    {
        self.states.wide(program.fingerprint(run));
        let insights = program.insights();
        let live = insights
            .liveness
            .map_or_else(|| program.fingerprint(run), |l| l.live_fingerprint(run));
        self.states.wide(live);
        let mut pending = Vec::new();
        program.pending(run, &mut pending);
        let mut footprint = Footprint::new();
        for p in &pending {
            let t = p.transition;
            self.listed += 1;
            self.enabled += u64::from(p.enabled);
            self.accesses
                .add(u64::from(t.process.0) << 33 | u64::from(t.choice) << 1 | u64::from(p.enabled));
            footprint.clear();
            program.footprint(run, t, &mut footprint);
            self.count(&footprint);
            self.footprint(&footprint);
            for access in footprint.accesses() {
                let may_guard = insights.guard_locations.is_none_or(|g| g.may_guard(access.location));
                self.insights.add(u64::from(may_guard));
                self.perturb(program, run, access.location, numbers.next());
            }
            footprint.clear();
            let known = insights.instruments.is_some_and(|i| i.guard_reads(run, t, &mut footprint));
            self.insights.add(u64::from(known));
            self.noted(&footprint);
            footprint.clear();
            let known = insights.futures.is_some_and(|f| f.future(run, t.process, &mut footprint));
            self.insights.add(u64::from(known));
            self.noted(&footprint);
            let actor = insights.actors.and_then(|a| a.actor(run, t));
            self.insights.add(actor.map_or(0, |actor| u64::from(actor) + 1));
            for order in ORDERS {
                let place = insights.actors.and_then(|a| a.precedence(run, order, t));
                self.insights.add(place.map_or(0, |at| at.wrapping_add(1)));
            }
        }
        pending
    }

    fn perturb<P: Program>(&mut self, program: &P, run: &P::State, location: Location, seed: u64)
    where
        P::State: Clone,
    {
        let mut other = run.clone();
        let instruments = program.insights().instruments;
        self.insights
            .add(u64::from(instruments.is_some_and(|i| i.perturb(&mut other, location, seed))));
        self.insights.wide(program.fingerprint(&other));
    }

    fn count(&mut self, footprint: &Footprint) {
        for access in footprint.accesses() {
            *match access.mode {
                Mode::Read => &mut self.reads,
                Mode::Write if access.maybe => &mut self.maybe,
                Mode::Write => &mut self.writes,
                Mode::Accumulate => &mut self.accumulations,
            } += 1;
            self.guards += u64::from(access.guard);
        }
        self.monotone += u64::from(footprint.monotone_guard);
    }

    fn footprint(&mut self, footprint: &Footprint) {
        words(footprint).for_each(|word| self.accesses.add(word));
    }

    fn noted(&mut self, footprint: &Footprint) {
        words(footprint).for_each(|word| self.insights.add(word));
    }
}

fn words(footprint: &Footprint) -> impl Iterator<Item = u64> {
    let mut accesses: Vec<u64> = footprint
        .accesses()
        .iter()
        .map(|a| u64::from(a.location.0) << 4 | (a.mode as u64) << 2 | u64::from(a.guard) << 1 | u64::from(a.maybe))
        .collect();
    accesses.sort_unstable();
    accesses.push(1 << 63 | u64::from(footprint.monotone_guard));
    accesses.into_iter()
}

/// FNV-1a over words: simple, and nothing that is tested here uses it.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn wide(&mut self, word: u128) {
        self.add(word as u64);
        self.add((word >> 64) as u64);
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promises = &self.promises;
        writeln!(f, "programs             {:>8}", self.programs)?;
        writeln!(f, "  static footprints  {:>8}", promises.footprints)?;
        writeln!(f, "  static alternatives{:>8}", promises.alternatives)?;
        writeln!(f, "  one location       {:>8}", promises.one_location)?;
        writeln!(f, "  terminating        {:>8}", promises.terminating)?;
        writeln!(f, "  actors             {:>8}", promises.actors)?;
        writeln!(f, "steps                {:>8}", self.steps)?;
        writeln!(f, "  touched            {:>8}", self.touched)?;
        writeln!(f, "  births             {:>8}", self.births)?;
        writeln!(f, "  failures           {:>8}", self.failures)?;
        writeln!(f, "transitions listed   {:>8}", self.listed)?;
        writeln!(f, "  enabled            {:>8}", self.enabled)?;
        writeln!(f, "  reads              {:>8}", self.reads)?;
        writeln!(f, "  of them as guards  {:>8}", self.guards)?;
        writeln!(f, "  writes             {:>8}", self.writes)?;
        writeln!(f, "  perhaps writes     {:>8}", self.maybe)?;
        writeln!(f, "  accumulations      {:>8}", self.accumulations)?;
        writeln!(f, "  monotone guards    {:>8}", self.monotone)?;
        writeln!(f, "digest of accesses     {:016x}", self.accesses.0)?;
        writeln!(f, "digest of insights     {:016x}", self.insights.0)?;
        writeln!(f, "digest of fingerprints {:016x}", self.states.0)
    }
}

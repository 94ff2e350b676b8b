//! An algorithm from outside the crate runs like those of its table.

use crate::support::{Rng, explore, explore_with, random_script};
use mazurka_core::strategy::{At, Backtrack, Entered, Exploration, Make, Next, Strategy};
use mazurka_core::{About, Algorithm, Covers, Features, Needs, Order, Promise, Transition};

/// DPOR that makes it easy: where a race is to be reversed, every process that could move there is tried.
#[derive(Default)]
struct AllOrOne {
    backtrack: Backtrack,
    races: Vec<At>,
}

impl Strategy for AllOrOne {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.backtrack.open(exploration.depth());
        self.backtrack.begin(exploration)
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        self.backtrack.next(exploration.depth(), exploration.top())
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let pending = exploration.top().pending().to_vec();
        for (at, next) in pending.iter().copied().enumerate() {
            assert!(pending[..at].iter().all(|n| n.transition != next.transition), "each is listed once");
            exploration.races_of_next(next, &mut self.races);
            self.races.sort_unstable();
            assert_eq!(self.races, races_by_definition(exploration, next));
            for &event in &self.races {
                let node = exploration.frame(event);
                for other in node.enabled() {
                    self.backtrack.add(event as usize, other.transition.process, node);
                }
            }
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.backtrack.open(exploration.depth());
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }
}

/// The events that conflict with a step and are not in its past, unless they happen before another one of these.
fn races_by_definition(exploration: &Exploration<'_>, next: Next) -> Vec<At> {
    let conflicts = |e: At| {
        let mut pending = exploration.frame(e).pending().iter();
        let taken = pending.find(|n| n.transition == exploration.event(e)).expect("it was taken there");
        exploration.conflict(*taken, next)
    };
    let process = next.transition.process;
    let events = 0..exploration.depth() as At;
    let unordered: Vec<At> = events
        .filter(|e| conflicts(*e) && !exploration.happens_before_next(*e, process))
        .collect();
    let is_last = |e: At| unordered.iter().all(|f| e == *f || !exploration.happens_before(e, *f));
    unordered.iter().copied().filter(|e| is_last(*e)).collect()
}

static ALL_OR_ONE: About = About {
    name: "all-or-one",
    summary: "one process at a node, or all of them once there is a race",
    sound: true,
    needs: Needs {
        static_footprints: true,
        one_location_per_step: false,
        terminating: false,
        names_given_once: true,
        actors: false,
    },
    promise: Promise {
        covers: Covers::Traces,
        once: false,
        unblocked: true,
        failure_values: true,
        preserves: None,
    },
    make: Make::Executions(|start| start.with(AllOrOne::default())),
};

#[test]
fn it_covers_every_trace_in_fewer_executions_than_there_are_interleavings() {
    let mut rng = Rng(14);
    let (mut all, mut fewer) = (0, 0);
    for i in 0..100 {
        let mut script = random_script(&mut rng, true, true);
        script.processes.iter_mut().flatten().for_each(|s| s.unlisted = i % 2 == 0);
        let (naive, _) = explore(&script, "naive", Order::Fifo, false);
        let (own, outcome) = explore_with(&script, Algorithm::new(&ALL_OR_ONE), Order::Fifo, false);
        assert_eq!(own.traces, naive.traces, "{script:?}");
        assert_eq!((&own.finals, &own.deadlocks), (&naive.finals, &naive.deadlocks), "{script:?}");
        assert_eq!((outcome.counts.executions, outcome.counts.blocked), (own.executions as u64, 0));
        (all, fewer) = (all + naive.executions, fewer + own.executions);
    }
    assert!(fewer * 3 < all * 2, "{fewer} of {all}");
}

#[test]
fn its_row_says_what_is_to_be_known_of_it() {
    let own = Algorithm::new(&ALL_OR_ONE);
    assert_eq!(own.to_string(), "all-or-one");
    assert!(own.fits(Features::STATIC).is_ok());
    assert!(own.fits(Features::default()).is_err());
    assert!(!own.is_optimal() && !own.merges() && !own.is_stateful());
    assert!(own == Algorithm::new(&ALL_OR_ONE) && Algorithm::all().all(|known| known != own));
}

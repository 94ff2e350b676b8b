//! Which orderings would make a failure impossible, and which could be weaker.

use super::{Effort, Looked, look};
use crate::check::Check;
use crate::runtime::graph_program::Place;
use crate::runtime::op::Op;
use crate::runtime::{Execution, Native};
use crate::workplace::Workplace;
use mazurka_weak::{Graph, Kind, Model, Order, Status};
use std::rc::Rc;

/// An access or a fence in the source, with its ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    pub at: Place,
    pub kind: Kind,
    pub order: Order,
}

/// Of so many orderings at once is it tried whether they help.
const MOST: usize = 3;
/// All trials together may add so many events.
const EVENTS: u64 = 3_000_000;

/// An ordering that can be weaker.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Weakened {
    /// Where: `src/queue.rs:41:14`.
    pub at: String,
    /// What it is.
    pub from: String,
    /// What is enough.
    pub to: String,
}

/// The accesses of a graph whose orderings are written in the code.
pub(super) fn collect(sites: &mut Vec<Site>, graph: &Graph, run: &Execution) {
    for (_, event) in graph.iter() {
        let Some(taken) = run.log().iter().filter(|e| e.process == event.thread).nth(event.index as usize) else {
            continue;
        };
        let is_atomic = match taken.op {
            Op::Choose(1) => event.order != Order::Relaxed,
            op => op.is_atomic() && run.has_value(op),
        };
        // A failed read-modify-write has the other ordering of its place.
        if !is_atomic || taken.op == Op::Update(op_object(taken.op)) && event.kind != Kind::Update {
            continue;
        }
        let site = Site {
            at: taken.at,
            kind: event.kind,
            order: event.order,
        };
        if !sites.iter().any(|known| same_place(known.at, site.at)) {
            sites.push(site);
        }
    }
    sites.sort_by_key(|site| (site.at.file(), site.at.line(), site.at.column()));
}

fn op_object(op: Op) -> crate::runtime::op::Object {
    op.objects().first().copied().unwrap_or(crate::runtime::op::Object(u32::MAX))
}

fn same_place(a: Place, b: Place) -> bool {
    (a.file(), a.line(), a.column()) == (b.file(), b.line(), b.column())
}

/// The orderings that a kind of operation can have, weakest first.
fn orders(kind: Kind) -> &'static [Order] {
    use Order::*;
    match kind {
        Kind::Read | Kind::Wait => &[Relaxed, Acquire, SeqCst],
        Kind::Write => &[Relaxed, Release, SeqCst],
        Kind::Fence => &[Acquire, Release, AcqRel, SeqCst],
        _ => &[Relaxed, Acquire, Release, AcqRel, SeqCst],
    }
}

fn is_stronger(a: Order, than: Order) -> bool {
    use Order::*;
    match (a, than) {
        (SeqCst, SeqCst) => false,
        (SeqCst, _) => true,
        (AcqRel, Acquire | Release | Relaxed) => true,
        (Acquire | Release, Relaxed) => true,
        _ => false,
    }
}

/// What is said about how the first failure can be made impossible.
pub(super) fn strengthen(native: &Rc<Native>, model: &'static dyn Model, looked: &Looked, effort: Effort) -> Option<String> {
    looked.failures.first()?;
    let weak: Vec<Site> = looked.sites.iter().copied().filter(|site| site.order != Order::SeqCst).collect();
    if weak.is_empty() {
        return None;
    }
    let mut left = EVENTS;
    let mut passes = |instead: &[(Place, Order)]| {
        let effort = Effort {
            keep_going: false,
            events: left,
            explains: false,
            ..effort
        };
        let tried = look(native, model, instead, effort);
        left = left.saturating_sub(tried.counts.events);
        tried.failures.is_empty() && tried.status == Status::Complete
    };
    let all: Vec<(Place, Order)> = weak.iter().map(|site| (site.at, Order::SeqCst)).collect();
    if !passes(&all) {
        return Some("   stronger orderings of these accesses do not help: something fails all the same if all are SeqCst\n".to_owned());
    }
    for size in 1..=MOST.min(weak.len()) {
        // First without the strongest one, which costs most.
        for strongest in [Order::AcqRel, Order::SeqCst] {
            let mut chosen = Vec::new();
            if let Some(found) = choose(&weak, size, strongest, &mut chosen, &mut passes) {
                let must: Vec<String> = found.iter().map(|(at, order)| say(&weak, at, *order)).collect();
                return Some(format!("   it cannot happen if {}\n", must.join(", and ")));
            }
        }
    }
    Some(format!(
        "   it cannot happen if all of these accesses are SeqCst; no {} of them are enough, as far as it was tried\n",
        MOST.min(weak.len())
    ))
}

fn say(sites: &[Site], at: &Place, order: Order) -> String {
    let was = sites
        .iter()
        .find(|site| same_place(site.at, at))
        .map_or(Order::Relaxed, |site| site.order);
    format!("the {was:?} at {at} is {order:?}")
}

type Choice = Vec<(Place, Order)>;

fn choose(
    sites: &[Site],
    size: usize,
    strongest: Order,
    chosen: &mut Choice,
    passes: &mut impl FnMut(&[(Place, Order)]) -> bool,
) -> Option<Choice> {
    if size == 0 {
        // What has no SeqCst was tried before.
        let is_new = strongest != Order::SeqCst || chosen.iter().any(|(_, order)| *order == Order::SeqCst);
        return (is_new && passes(chosen)).then(|| chosen.clone());
    }
    for (n, site) in sites.iter().enumerate() {
        for order in orders(site.kind) {
            if !is_stronger(*order, site.order) || *order == Order::SeqCst && strongest != Order::SeqCst {
                continue;
            }
            chosen.push((site.at, *order));
            if let Some(found) = choose(&sites[n + 1..], size - 1, strongest, chosen, passes) {
                return Some(found);
            }
            chosen.pop();
        }
    }
    None
}

impl Check {
    /// Which orderings of `f` could be weaker: one after the other, in the order of the source, each becomes the weakest with which nothing fails under the
    /// memory model. A smaller set of strong orderings elsewhere may do as well.
    ///
    /// # Panics
    /// Without a memory model, and if something fails as it is.
    pub fn weakest_orderings(self, f: impl Fn() + 'static) -> Vec<Weakened> {
        let Some(model) = self.model else {
            panic!("orderings make a difference only under a memory model: add `.model(\"rc11\")` before")
        };
        let (native, options) = (self.native(f), self.options.clone());
        let program = Rc::clone(&native);
        Workplace::new(self.patience()).run(move || {
            let effort = Effort {
                keep_going: false,
                deadlock_is_error: options.deadlock_is_error,
                graphs: options.limits.executions.unwrap_or(u64::MAX),
                events_each: super::MAX_EVENTS as u32,
                events: u64::MAX,
                until: None,
                explains: false,
            };
            let first = look(&program, model, &[], effort);
            assert!(
                first.failures.is_empty() && first.status == Status::Complete,
                "only of what passes can orderings be weakened"
            );
            let mut instead: Choice = Vec::new();
            let mut weakened = Vec::new();
            for site in &first.sites {
                let weaker = orders(site.kind).iter().filter(|order| is_stronger(site.order, **order));
                for order in weaker {
                    instead.push((site.at, *order));
                    let tried = look(&program, model, &instead, effort);
                    if tried.failures.is_empty() && tried.status == Status::Complete {
                        weakened.push(Weakened {
                            at: site.at.to_string(),
                            from: format!("{:?}", site.order),
                            to: format!("{order:?}"),
                        });
                        break;
                    }
                    instead.pop();
                }
            }
            weakened
        })
    }
}

//! Which orderings would make a failure impossible, and which could be weaker.

use super::{Effort, Looked, look};
use crate::check::Check;
use crate::runtime::graph_program::Place;
use crate::runtime::op::Op;
use crate::runtime::{Execution, Native};
use crate::workplace::Workplace;
use mazurka_weak::{Graph, Kind, Model, Order, Status, Strengthening};
use std::rc::Rc;

/// An access or a fence in the source, with its ordering.
pub(crate) type Site = mazurka_weak::Site<Place>;

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

/// What is said about how the first failure can be made impossible.
pub(super) fn strengthen(native: &Rc<Native>, model: &'static dyn Model, looked: &Looked, effort: Effort) -> Option<String> {
    looked.failures.first()?;
    let mut left = EVENTS;
    let found = mazurka_weak::strengthen(&looked.sites, |instead| {
        let effort = Effort {
            keep_going: false,
            events: left,
            explains: false,
            ..effort
        };
        let tried = look(native, model, instead, effort);
        left = left.saturating_sub(tried.counts.events);
        tried.failures.is_empty() && tried.status == Status::Complete
    })?;
    Some(match found {
        Strengthening::Hopeless => {
            "   stronger orderings of these accesses do not help: something fails all the same if all are SeqCst\n".to_owned()
        }
        Strengthening::These(found) => {
            let must: Vec<String> = found.iter().map(|(at, order)| say(&looked.sites, at, *order)).collect();
            format!("   it cannot happen if {}\n", must.join(", and "))
        }
        Strengthening::All(most) => {
            format!("   it cannot happen if all of these accesses are SeqCst; no {most} of them are enough, as far as it was tried\n")
        }
    })
}

fn say(sites: &[Site], at: &Place, order: Order) -> String {
    let was = sites
        .iter()
        .find(|site| same_place(site.at, at))
        .map_or(Order::Relaxed, |site| site.order);
    format!("the {was:?} at {at} is {order:?}")
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
        assert!(!crate::runtime::current::is_active(), "a check cannot run within another one");
        let _alone = crate::check::alone();
        self.assert_model_alone(model);
        let (native, options) = (self.native(f), self.options.clone());
        native.assert_allocator();
        let program = Rc::clone(&native);
        let weakened = Workplace::new(self.patience()).run(move || {
            let effort = Effort {
                keep_going: false,
                deadlock_is_error: options.deadlock_is_error,
                graphs: options.limits.executions.unwrap_or(u64::MAX),
                events_each: options.limits.depth.unwrap_or(super::MAX_EVENTS).min(super::MAX_EVENTS) as u32,
                events: u64::MAX,
                until: None,
                explains: false,
            };
            let first = look(&program, model, &[], effort);
            assert!(
                first.failures.is_empty() && first.status == Status::Complete,
                "only of what passes can orderings be weakened"
            );
            let weaker = mazurka_weak::weaken(&first.sites, |instead| {
                let tried = look(&program, model, instead, effort);
                tried.failures.is_empty() && tried.status == Status::Complete
            });
            let said = |(site, order): (Site, Order)| Weakened {
                at: site.at.to_string(),
                from: format!("{:?}", site.order),
                to: format!("{order:?}"),
            };
            weaker.into_iter().map(said).collect()
        });
        // SAFETY: the searches are over, and their last execution is gone.
        unsafe { crate::runtime::statics::reset_all() };
        weakened
    }
}

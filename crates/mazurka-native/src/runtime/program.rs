//! The code under test as the engine sees it.

use super::execution::{Execution, Habits, Shared};
use super::panics::{self, caught};
use mazurka_core::{
    Effects, Enabling, Failure, FailureKind, Features, Fingerprint, Footprint, GuardLocations, Insights, Location, Pending, Program,
    Transition, unfinished,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Code under test: run anew for every execution.
pub(crate) struct Native {
    body: Rc<dyn Fn()>,
    pub(super) shared: Rc<RefCell<Shared>>,
    habits: Habits,
}

impl Native {
    /// Of a closure.
    pub fn new(body: impl Fn() + 'static, habits: Habits) -> Self {
        panics::listen();
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        super::overflow::handle();
        let shared = Shared::default();
        let native = Native {
            body: Rc::new(body),
            shared: Rc::new(RefCell::new(shared)),
            habits,
        };
        if habits.weak {
            native.shared.borrow_mut().watch_races();
        }
        native
    }
}

impl Native {
    /// Whether the search must begin again, because something matters that was not looked at.
    pub fn begins_again(&self) -> bool {
        self.shared.borrow().begin_again
    }

    /// The same; the next search is a new one.
    pub fn take_begin_again(&self) -> bool {
        let mut shared = self.shared.borrow_mut();
        shared.forget_last();
        std::mem::take(&mut shared.begin_again)
    }

    /// Whether the thread of the operating system that searches was given up by a panic that never ended.
    pub fn is_spoilt(&self) -> bool {
        self.shared.borrow().lanes.is_spoilt()
    }

    /// The search goes on in another thread of the operating system.
    pub fn moved(&self) {
        self.shared.borrow_mut().lanes.moved();
    }

    /// Whether a thread that went round in a loop without anything new was taken to do so until there is.
    pub fn awaits_news(&self) -> bool {
        self.shared.borrow().awaits_news
    }

    /// Panics if allocations are not told: then objects could not be told apart.
    pub fn assert_allocator(&self) {
        assert!(
            super::allocations::are_told(),
            "the global allocator of this program does not tell where memory is allocated; install `mazurka_native::Allocator` around it"
        );
    }
}

impl Program for Native {
    type State = Box<Execution>;

    fn start(&self) -> Box<Execution> {
        let body = Rc::clone(&self.body);
        // What main returns was dropped in it; that it panicked is known.
        let main = move || {
            let _ = caught(|| body());
        };
        Execution::start(&self.shared, self.habits, Box::new(main))
    }

    fn pending(&self, run: &Box<Execution>, out: &mut Vec<Pending>) {
        for thread in run.unfinished() {
            for choice in 0..thread.op.alternatives() {
                out.push(Pending {
                    transition: Transition {
                        process: mazurka_core::Process(thread.process),
                        choice,
                    },
                    enabled: run.enabled(thread, choice),
                });
            }
        }
    }

    fn footprint(&self, run: &Box<Execution>, transition: Transition, out: &mut Footprint) {
        if let Some(thread) = run.thread(transition.process) {
            run.footprint(thread, transition.choice, out);
        }
    }

    fn step(&self, run: &mut Box<Execution>, transition: Transition, effects: &mut Effects) {
        run.take(transition, effects);
    }

    /// Executions are told apart by what happened in them. No algorithm that is offered compares states.
    fn fingerprint(&self, run: &Box<Execution>) -> Fingerprint {
        let mix = |hash: u128, word: u64| (hash ^ u128::from(word)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        run.log().iter().fold(0, |hash, event| {
            mix(
                mix(hash, u64::from(event.process) << 32 | u64::from(event.alternative)),
                event.value,
            )
        })
    }

    fn failures_at_end(&self, run: &Box<Execution>, out: &mut Vec<Failure>) {
        out.extend(run.other_failures().cloned());
        out.extend(run.unfinished_panics());
        // Whoever only works for others may wait when those are done.
        let waiting = if run.unfinished().all(|t| t.is_daemon) {
            0
        } else {
            unfinished(self, run)
        };
        if waiting > 0 {
            let message = match waiting {
                1 => "a thread waits for ever".to_owned(),
                n => format!("{n} threads wait for ever"),
            };
            out.push(Failure {
                kind: FailureKind::Deadlock,
                message,
                at: None,
            });
        } else {
            run.leaked(out);
        }
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }

    fn insights(&self) -> Insights<'_, Box<Execution>> {
        Insights {
            enabling: Some(self),
            guard_locations: Some(self),
            ..Insights::default()
        }
    }
}

impl Enabling<Box<Execution>> for Native {
    fn enabled_after(&self, run: &Box<Execution>, kept: &[u32], transition: Transition) -> bool {
        // Once something turned out to matter, an execution may do more steps than the one whose part it repeats. The search ends soon, and what it
        // finds is not used: positions mean nothing then.
        !self.begins_again() && run.enabled_after(kept, transition)
    }
}

impl GuardLocations for Native {
    /// Any atomic may be waited for.
    fn may_guard(&self, _: Location) -> bool {
        true
    }
}

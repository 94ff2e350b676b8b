//! Leaks: what was made in an execution and is not given back in the end.

use super::current;
use super::execution::Execution;
use super::op::Op;
use mazurka_core::{Failure, FailureKind, Position};
use std::panic::Location;

/// What has to be given back.
#[derive(Default)]
pub(crate) struct Leaks {
    made: Vec<Made>,
    /// How many initialisations of statics are under way, whose things are never given back.
    forgiving: u32,
}

struct Made {
    place: usize,
    kind: &'static str,
    at: &'static Location<'static>,
}

/// Something was made at a place in memory, and has to be given back.
#[track_caller]
pub fn made(place: usize, kind: &'static str) {
    let at = Location::caller();
    current::with(|execution| {
        if let Some(leaks) = execution.leaks.as_mut().filter(|leaks| leaks.forgiving == 0) {
            leaks.made.push(Made { place, kind, at });
        }
    });
}

/// What was made there was given back.
pub fn gone(place: usize) {
    current::with(|execution| {
        if let Some(leaks) = &mut execution.leaks
            && let Some(nth) = leaks.made.iter().rposition(|made| made.place == place)
        {
            leaks.made.swap_remove(nth);
        }
    });
}

/// Runs `f`; what it makes need not be given back.
pub fn forgive<R>(f: impl FnOnce() -> R) -> R {
    /// Ends also by a panic.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            forgiving(-1);
        }
    }
    forgiving(1);
    let _end = End;
    f()
}

fn forgiving(by: i32) {
    current::with(|execution| {
        if let Some(leaks) = &mut execution.leaks {
            leaks.forgiving = leaks.forgiving.saturating_add_signed(by);
        }
    });
}

impl Execution {
    /// What was not given back in this execution, which has ended.
    pub fn leaked(&self, out: &mut Vec<Failure>) {
        let first = self
            .leaks
            .as_ref()
            .and_then(|leaks| leaks.made.iter().min_by_key(|made| (made.at, made.place)));
        if let Some(made) = first {
            out.push(Failure {
                kind: FailureKind::Leak,
                message: format!("this {} is never dropped", made.kind),
                at: Some(Position {
                    file: made.at.file().to_owned(),
                    line: made.at.line(),
                    column: made.at.column(),
                }),
            });
        }
        let joined = |process: u32| self.log.iter().any(|event| event.op == Op::Join(process));
        let detached = self.threads.iter().skip(1).position(|thread| !joined(thread.process));
        if let Some(slot) = detached.filter(|_| self.no_detached) {
            out.push(Failure {
                kind: FailureKind::Leak,
                message: format!("{} is never joined", self.thread_name(slot + 1)),
                at: None,
            });
        }
    }
}

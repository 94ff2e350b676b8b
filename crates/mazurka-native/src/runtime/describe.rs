//! The code under test as a person sees it.

use super::execution::Execution;
use super::names::Identities;
use super::op::{Object, Op};
use super::program::Native;
use super::thread::Thread;
use mazurka_core::{Describe, Location, Position, Process, StepText, Transition, Wait};

fn position(at: &std::panic::Location<'_>) -> Position {
    Position {
        file: at.file().to_owned(),
        line: at.line(),
        column: at.column(),
    }
}

impl Native {
    /// What a person calls the thread of a process.
    pub fn name_of(&self, process: u32) -> String {
        self.shared.borrow().identities.thread(process)
    }

    /// An operation as a person reads it.
    pub fn describe_op(&self, op: Op) -> String {
        self.shared.borrow().identities.describe_op(op)
    }

    /// What a person calls an object.
    pub fn describe_object(&self, object: Object) -> String {
        self.shared.borrow().identities.describe(object)
    }
}

impl Describe for Native {
    fn process_key(&self, process: Process) -> String {
        self.shared.borrow().identities.processes.path(process.0)
    }

    fn describe(&self, run: &Box<Execution>, transition: Transition) -> StepText {
        let Some(thread) = run.thread(transition.process) else {
            return StepText::default();
        };
        let offered = thread
            .offers
            .get(transition.choice as usize)
            .filter(|_| matches!(thread.op, Op::Any(_)));
        let (op, at) = offered.map_or((thread.op, thread.at), |offer| (offer.op, offer.at));
        let mut label = self.shared.borrow().identities.describe_op(op);
        match op {
            Op::Choose(1) => label = "go on".to_owned(),
            Op::Choose(n) => label = format!("choose {} of {n}", transition.choice),
            _ if transition.choice > 0 && offered.is_none() => label.push_str(": the time is over"),
            _ => {}
        }
        StepText {
            label,
            at: Some(position(at)),
            sends: Vec::new(),
        }
    }

    fn location_name(&self, location: Location) -> String {
        let name = self.shared.borrow().identities.describe(Object::of(location));
        match location.0 % 4 {
            0 => name,
            1 => format!("{name} (readers)"),
            _ => format!("{name} (senders)"),
        }
    }

    fn values(&self, run: &Box<Execution>) -> Vec<(String, String)> {
        let shared = self.shared.borrow();
        let valued = (0..run.objects()).filter_map(|o| Some((shared.identities.describe(Object(o)), run.value(Object(o))?)));
        valued.map(|(name, value)| (name, value.to_string())).collect()
    }

    fn process_name(&self, run: &Box<Execution>, process: Process) -> String {
        match run.slot(process.0) {
            Some(slot) => run.thread_name(slot),
            None => self.shared.borrow().identities.thread(process.0),
        }
    }

    fn waits(&self, run: &Box<Execution>) -> Vec<Wait> {
        let identities = &self.shared.borrow().identities;
        let wait = |thread: &Thread| Wait {
            process: Process(thread.process),
            agent: None,
            what: match thread.op {
                Op::Any(_) => {
                    let awaited = thread.offers.iter().map(|offer| awaited(run, identities, thread, offer.op));
                    awaited.collect::<Vec<_>>().join(", or ")
                }
                op => awaited(run, identities, thread, op),
            },
            on: match thread.op {
                Op::Join(process) => Some(Process(process)),
                Op::Lock(o) | Op::Read(o) | Op::Write(o) => run.holder(o).map(Process),
                Op::Rule { object, rule, .. } if rule.0.holds => run.holder_by_rule(object).map(Process),
                _ => None,
            },
            at: Some(position(thread.at)),
        };
        run.unfinished().map(wait).collect()
    }
}

/// What a thread waits for that cannot take this operation.
fn awaited(run: &Execution, identities: &Identities, thread: &Thread, op: Op) -> String {
    let mut what = match op {
        Op::Read(o) if run.writers_wait(o) => format!("{}, for which a writer waits before it", identities.describe(o)),
        Op::Lock(o) | Op::Read(o) | Op::Write(o) => identities.describe(o),
        Op::EndWait { condvar, .. } => format!("a notification of {}", identities.describe(condvar)),
        Op::Park { .. } => "somebody to unpark it".to_owned(),
        Op::Join(process) => format!("the end of {}", identities.thread(process)),
        Op::Receive(o) | Op::ReceiveGuarded { channel: o, .. } => format!("a message from {}", identities.describe(o)),
        Op::SendBounded(o) => format!("room in {}", identities.describe(o)),
        Op::Leave(o, _) => format!("the others at {}", identities.describe(o)),
        Op::AwaitNews => "a change of the values it keeps reading: it spins for ever".to_owned(),
        Op::Rule { object, rule, .. } if !rule.0.awaits.is_empty() => match run.wakers(thread, object) {
            Some(0) => "somebody to wake it, but nobody has its waker".to_owned(),
            Some(_) => "somebody to wake it".to_owned(),
            None => format!("{} {}", rule.0.awaits, identities.describe(object)),
        },
        op => identities.describe_op(op),
    };
    if let Some(signal) = run.missed(thread, op) {
        let (who, at) = (identities.thread(signal.process), signal.at);
        what.push_str(&format!(
            "; the last `{}`, by {who} at {at}, came before it waited",
            identities.describe_op(signal.op)
        ));
    }
    what
}

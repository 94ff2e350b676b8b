//! Which names tasks get, and when a name can be given again ([`Naming::Forget`]).
//!
//! A task is named by its parent and a number. If numbers only grew, no state of a loop that calls and waits for the result would come again.
//! So a parent gives a number again once it *knows* that the task which had it has ended, and nobody else can know that task: then the name
//! stands for nothing any more, and this is so in every equivalent execution. For that,
//! * the parent has waited for the future, in a `get`, an `await` or a synchronous call;
//! * the future never left the variables of the code that made the call ([`Mover::start_task`] asks `stays`, an analysis), and is in none of
//!   them any more;
//! * the task has itself left nothing that is named after it: it made no object, and can give the names of all its own tasks again.
//!
//! A task that ends with a call of its own cog for a result that nobody waits for, `this!run();`, goes on as what it calls: the process is the
//! same, and its name too. Nobody but the engine knew the caller by then.
//!
//! A name that is given again stands for another task, and the names of all that this one starts do too. So only searches that tell states apart,
//! and no events, take such a model ([`mazurka_core::Features::names_given_again`]).

use super::exec::{Mover, Stack};
use super::settings::Naming;
use super::state::{Future, Live, NOWHERE, Returned, Waiting};
use crate::code::{Code, Kind, Op, Program};
use crate::value::known;
use crate::value::{Ref, Value};
use smallvec::SmallVec;
use std::rc::Rc;

/// On a longer stack nobody looks for what may still be known: names are new then.
const LONG: usize = 1024;

impl Mover<'_> {
    /// Starts a task from the code that is running, and tells its future. `observed`: somebody can ask for its result.
    pub(super) fn start_task(&mut self, stack: &Stack, receiver: u32, code: u32, args: SmallVec<[Value; 3]>, observed: bool) -> Value {
        let caller = stack.frames.last().map(|frame| frame.code);
        let private = observed && caller.is_some_and(|code| self.machine.futures_stay[code as usize]);
        // Who is not waited for never gives a name back.
        let again = if observed { self.returned_name(stack) } else { None };
        let name = again.unwrap_or_else(|| self.new_name());
        self.spawn(receiver, code, args, (observed, private), name)
    }

    /// A name that was not given before.
    pub(super) fn new_name(&mut self) -> Returned {
        self.children += 1;
        Returned {
            nth: self.children - 1,
            slot: NOWHERE,
        }
    }

    /// Takes a name that can be given again, the first that no variable knows.
    fn returned_name(&mut self, stack: &Stack) -> Option<Returned> {
        if self.returned.is_empty() || stack.values.len() > LONG {
            return None;
        }
        let known = |nth: u32| {
            let id = self.machine.ids.task(self.id, nth);
            stack
                .values
                .iter()
                .any(|value| matches!(value, Value::Future(future) if future.id == id))
        };
        let at = self.returned.iter().position(|name| !known(name.nth))?;
        Some(self.returned.remove(at))
    }

    /// The task knows that this future is resolved, and has asked for its exception if there is one.
    pub(super) fn take_back(&mut self, future: Ref) {
        if !self.run.futures.get(future.slot).free {
            return;
        }
        let (parent, nth) = self.machine.ids.tasks.birth(future.id);
        if parent == Some(self.id)
            && let Err(at) = self.returned.binary_search_by_key(&nth, |name| name.nth)
        {
            let slot = future.slot;
            self.returned.insert(at, Returned { nth, slot });
        }
    }

    /// The task has waited for these futures. An exception that nobody has asked for is known by the name of its task.
    pub(super) fn take_back_awaited(&mut self, waiting: &Waiting) {
        for future in &waiting.futures {
            if matches!(self.run.futures.get(future.slot).result, Future::Value(_)) {
                self.take_back(*future);
            }
        }
    }

    /// Whether the task, which ends, leaves nothing that is named after it.
    pub(super) fn leaves_no_names(&self, private: bool) -> bool {
        private && self.objects == 0 && self.returned.len() == self.children as usize
    }

    /// Lets the task that ends go on as the one that it started last, if it may; `observed`: somebody can ask for its result, or it is the main
    /// block, which people know by its name.
    pub(super) fn goes_on_as_the_last(&mut self, observed: bool) {
        let (Some(&last), false) = (self.births.last(), observed || self.machine.settings.names == Naming::Grow) else {
            return;
        };
        let named_last = self.children > 0 && self.machine.ids.task(self.id, self.children - 1) == last.0;
        let (id, cog, children) = (self.id, self.cog, self.children);
        let (objects, returned) = (self.objects, &mut self.returned);
        let Some(Live { task, .. }) = self.run.live.last_mut() else {
            return;
        };
        if task.id != last.0 || !named_last || task.observed || task.cog != cog {
            return;
        }
        let task = Rc::make_mut(task);
        (task.id, task.children, task.objects) = (id, children - 1, objects);
        task.returned = std::mem::take(returned);
        self.births.pop();
    }
}

/// Whether some task plainly goes on for ever: in a `while (True)`, or by calling its own method before it ends.
pub fn endless(program: &Program) -> bool {
    let is_true = |op: &Op| matches!(op, Op::Const(i) if program.constants[*i as usize].ctor() == Some(known::TRUE));
    program.codes.iter().any(|code| {
        let loops = code
            .ops
            .windows(2)
            .any(|ops| is_true(&ops[0]) && matches!(ops[1], Op::JumpIfFalse(_)));
        let calls_itself = |pair: &[Op]| match (code.kind, pair[0], pair[1]) {
            (
                Kind::Method { selector, .. },
                Op::This,
                Op::Async {
                    selector: called,
                    discard: true,
                    ..
                },
            ) => selector == called,
            _ => false,
        };
        loops || code.ops.windows(2).any(calls_itself)
    })
}

/// For each code whether the futures of its calls stay in its variables, where they are only waited for and asked.
pub fn futures_stay(program: &Program, names: Naming) -> Vec<bool> {
    let stay = |code: &Code| names == Naming::Forget && !program.uses_destiny && !passes_futures_on(code);
    program.codes.iter().map(stay).collect()
}

/// Whether a future that this code gets from a call may get anywhere but into a variable that is only waited for and asked.
pub fn passes_futures_on(code: &Code) -> bool {
    let mut holding: SmallVec<[u32; 4]> = SmallVec::new();
    for (pc, op) in code.ops.iter().enumerate() {
        if matches!(op, Op::Async { discard: false, .. }) {
            match code.ops.get(pc + 1) {
                Some(Op::SetLocal(local)) => holding.push(*local),
                Some(Op::Pop | Op::Get { .. }) => {}
                _ => return true,
            }
        }
    }
    code.ops.iter().enumerate().any(|(pc, op)| match op {
        Op::Local(local) if holding.contains(local) => !matches!(code.ops.get(pc + 1), Some(Op::Get { .. } | Op::Acknowledge | Op::Pop)),
        Op::Match { slot, .. } => holding.contains(slot),
        _ => false,
    })
}

//! Steps as an execution graph wants them: loads read what the graph says, and what was heard is what the graph says.
//!
//! The memory of an atomic holds the last value in modification order of those that were written so far. So what has it alone, `into_inner` or a destructor,
//! finds the right one there.

use super::execution::Execution;
use super::op::{Object, Op, Shape};
use mazurka_weak::{Birth, Order};
use std::sync::atomic::Ordering;

/// What an operation is about to do to the value of an atomic.
#[derive(Clone, Copy)]
pub(crate) enum Intent {
    /// Reads it.
    Load(Ordering),
    /// Replaces it.
    Store(Ordering, u64),
    /// Reads it, and replaces it by what the function makes of it, or not.
    Update {
        /// If it replaces it.
        success: Ordering,
        /// If it does not.
        failure: Ordering,
        /// Valid as long as the thread is suspended in front of the operation.
        change: *const dyn Fn(u64) -> Option<u64>,
    },
    /// None: it is a fence.
    Fence(Ordering),
}

/// What a graph says about the step under way, and what it has to know of those before.
#[derive(Default)]
pub(crate) struct Guided {
    /// What the step reads.
    value: u64,
    /// Whether what it writes is the last value so far.
    is_last: bool,
    /// Who started each thread; main is not started.
    births: Vec<Option<Birth>>,
    /// For each thread, the shape that the object of each of its steps had afterwards.
    shapes: Vec<Vec<Shape>>,
    /// The threads whose end was told.
    ended: Vec<bool>,
    /// What went wrong, and in whose step.
    pub fault: Option<(u32, mazurka_core::Failure)>,
}

/// The ordering in the words of the graph.
pub(crate) fn order(ordering: Ordering) -> Order {
    match ordering {
        Ordering::Relaxed => Order::Relaxed,
        Ordering::Acquire => Order::Acquire,
        Ordering::Release => Order::Release,
        Ordering::AcqRel => Order::AcqRel,
        _ => Order::SeqCst,
    }
}

impl Execution {
    /// Whether an execution graph says what loads read.
    pub fn is_guided(&self) -> bool {
        self.weak.is_some()
    }

    /// What the running thread is about to do to the value of an atomic, whose value in memory is given.
    pub fn intends(&mut self, object: Option<(Object, u64)>, intent: Intent) {
        if let Some((object, value)) = object {
            let known = self.known(object);
            if !known.used {
                (known.used, known.first_value, known.value) = (true, value, value);
            }
        }
        self.running().intent = Some(intent);
    }

    /// What the step under way reads, and whether what it writes is the last value, if a graph says so.
    pub fn guided(&self) -> Option<(u64, bool)> {
        self.weak.as_ref().map(|guided| (guided.value, guided.is_last))
    }

    /// The running thread has read one value of an atomic and perhaps written another. Memory holds the third one.
    pub fn guided_access(&mut self, object: Object, read: Option<u64>, written: Option<u64>, memory: u64) {
        self.known(object).value = memory;
        if let Some(event) = self.log.last_mut() {
            event.value = written.or(read).unwrap_or_default();
        }
        match (read, written) {
            (Some(read), None) => self.looked_at(object, read),
            (Some(read), Some(written)) if read == written => self.looked_at(object, read),
            _ => self.running().busy = true,
        }
    }

    /// A thread is started by another one after so many steps of it.
    pub(super) fn born(&mut self, process: u32, parent: u32, after: u32) {
        if let Some(guided) = &mut self.weak {
            let process = process as usize;
            if guided.births.len() <= process {
                guided.births.resize(process + 1, None);
            }
            guided.births[process] = Some(Birth { parent, after });
        }
    }

    /// Who started a thread.
    pub fn birth(&self, process: u32) -> Option<Birth> {
        *self.weak.as_ref()?.births.get(process as usize)?
    }

    /// The running thread goes on after its event.
    pub(super) fn event_is_over(&mut self) {
        let (slot, guided) = (self.running, self.weak.is_some());
        let steps = self.threads[slot].steps;
        if let (true, Some(watch)) = (guided, &mut self.watch) {
            watch.order.guide(slot, steps, std::iter::empty());
        }
    }

    /// A graph says what the next step of a process reads and has heard.
    pub fn guide(&mut self, process: u32, value: u64, is_last: bool, heard: &[u16]) {
        if let Some(guided) = &mut self.weak {
            (guided.value, guided.is_last) = (value, is_last);
        }
        let Some(slot) = self.slot(process) else { return };
        let heard: Vec<(usize, u32)> = heard
            .iter()
            .enumerate()
            .filter_map(|(other, events)| Some((self.slot(other as u32)?, u32::from(*events))))
            .collect();
        let steps = self.threads[slot].steps;
        if let Some(watch) = &mut self.watch {
            watch.order.guide(slot, steps, heard.into_iter());
        }
    }

    /// The shape that the object of a step has afterwards; of number 0, what it has in the beginning.
    pub fn shape_after(&self, number: u64) -> Option<&Shape> {
        let (process, step) = ((number >> 32) as usize, (number as u32).checked_sub(1)?);
        self.weak.as_ref()?.shapes.get(process)?.get(step as usize)
    }

    /// The number of the next step of a process, for [`Self::shape_after`].
    pub fn number_of_next(&self, process: u32) -> u64 {
        let steps = self.slot(process).map_or(0, |slot| self.threads[slot].steps);
        u64::from(process) << 32 | u64::from(steps + 1)
    }

    /// The step of a process was taken.
    pub fn remember_shape(&mut self, process: u32, op: Op) {
        let shape = op
            .objects()
            .first()
            .map_or(Shape::Plain, |object| self.known(*object).shape.clone());
        let Some(guided) = &mut self.weak else { return };
        let process = process as usize;
        if guided.shapes.len() <= process {
            guided.shapes.resize_with(process + 1, Vec::new);
        }
        guided.shapes[process].push(shape);
    }

    /// Whether the end of a thread was told.
    pub fn has_ended(&self, process: u32) -> bool {
        self.weak
            .as_ref()
            .is_some_and(|guided| guided.ended.get(process as usize).copied().unwrap_or(false))
    }

    /// The end of a thread is told.
    pub fn end_is_told(&mut self, process: u32) {
        if let Some(guided) = &mut self.weak {
            let process = process as usize;
            if guided.ended.len() <= process {
                guided.ended.resize(process + 1, false);
            }
            guided.ended[process] = true;
        }
    }

    /// What went wrong, and in whose step.
    pub fn guided_fault(&self) -> Option<&(u32, mazurka_core::Failure)> {
        self.weak.as_ref()?.fault.as_ref()
    }

    /// Something went wrong in a step of a process.
    pub fn note_fault(&mut self, process: u32, failure: mazurka_core::Failure) {
        if let Some(guided) = &mut self.weak {
            guided.fault.get_or_insert((process, failure));
        }
    }

    /// What an object was worth before anything was done with it.
    pub fn first_value(&self, object: Object) -> u64 {
        self.objects.get(object.0 as usize).map_or(0, |known| known.first_value)
    }

    /// What rules may look at besides the shape of an object.
    pub fn facts_of(&self, object: Object) -> super::op::Facts {
        self.objects[object.0 as usize].facts()
    }

    /// How many threads there may be: processes are numbered below that.
    pub fn processes(&self) -> u32 {
        self.slots.len() as u32
    }

    /// What a person calls the thread of a process.
    pub fn name_of(&self, process: u32) -> String {
        match self.slot(process) {
            Some(slot) => self.thread_name(slot),
            None => self.shared.borrow().identities.thread(process),
        }
    }

    /// Whether an operation is about the value of an atomic that a graph knows.
    pub fn has_value(&self, op: Op) -> bool {
        let objects = op.objects();
        objects.first().is_some_and(|object| self.value(*object).is_some())
    }
}

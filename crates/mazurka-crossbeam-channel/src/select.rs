//! To wait for one of several operations, as in crossbeam-channel.

use crate::chan::{Chan, Nothing};
use crate::channel::{Flavor, Receiver, Sender};
use crate::errors::{ReadyTimeoutError, RecvError, SelectTimeoutError, SendError, TryReadyError, TrySelectError};
use mazurka_native::model::{Case, Order, Otherwise, one_of};
use std::fmt;
use std::time::{Duration, Instant};

/// What an end of a channel offers to a selection.
trait Selectable {
    /// To carry it out.
    fn case(&self) -> Option<Case<'_>>;
    /// To see that it could be.
    fn ready(&self) -> Option<Case<'_>>;
}

impl<T> Selectable for Sender<T> {
    fn case(&self) -> Option<Case<'_>> {
        Some(self.0.send_case())
    }

    fn ready(&self) -> Option<Case<'_>> {
        Some(self.0.sendable_case())
    }
}

impl<T> Selectable for Receiver<T> {
    fn case(&self) -> Option<Case<'_>> {
        match &self.0 {
            Flavor::Channel(chan) => Some(chan.receive_case()),
            Flavor::Timer(timer, _) => timer.case(),
            Flavor::Never => None,
        }
    }

    fn ready(&self) -> Option<Case<'_>> {
        match &self.0 {
            Flavor::Channel(chan) => Some(chan.receivable_case()),
            Flavor::Timer(timer, _) => timer.case(),
            Flavor::Never => None,
        }
    }
}

/// Several operations, of which one is to be carried out.
#[derive(Clone)]
pub struct Select<'a> {
    handles: Vec<(usize, &'a dyn Selectable)>,
    next: usize,
    order: Order,
}

// SAFETY: what can be done with the ends is to ask for steps, and those touch no message. To complete an operation the end itself is needed again, which
// no other thread has unless messages may be sent there.
unsafe impl Send for Select<'_> {}
// SAFETY: as above.
unsafe impl Sync for Select<'_> {}

/// The operation that was selected, to be completed by [`SelectedOperation::send`] or [`SelectedOperation::recv`].
#[must_use = "a selected operation must be completed"]
pub struct SelectedOperation<'a> {
    index: usize,
    answer: u32,
    handle: &'a dyn Selectable,
}

impl<'a> Select<'a> {
    /// Of none yet. If several can be carried out, it may be any of them.
    pub fn new() -> Self {
        Select {
            handles: Vec::new(),
            next: 0,
            order: Order::Any,
        }
    }

    /// The same, but the first of those that can be carried out is.
    pub fn new_biased() -> Self {
        Select {
            order: Order::FirstFirst,
            ..Select::new()
        }
    }

    /// Adds a send; its number.
    pub fn send<T>(&mut self, s: &'a Sender<T>) -> usize {
        self.add(s)
    }

    /// Adds a receive; its number.
    pub fn recv<T>(&mut self, r: &'a Receiver<T>) -> usize {
        self.add(r)
    }

    fn add(&mut self, handle: &'a dyn Selectable) -> usize {
        let index = self.next;
        self.next += 1;
        self.handles.push((index, handle));
        index
    }

    /// Takes one away.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn remove(&mut self, index: usize) {
        assert!(index < self.next, "index out of bounds; {index} >= {}", self.next);
        let at = self.handles.iter().position(|(i, _)| *i == index);
        self.handles.remove(at.expect("no operation with this index"));
    }

    /// Selects one that can be carried out now.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_select(&mut self) -> Result<SelectedOperation<'a>, TrySelectError> {
        self.one(Otherwise::Now).ok_or(TrySelectError)
    }

    /// Waits until one can be carried out.
    ///
    /// # Panics
    /// If there is none at all.
    #[track_caller]
    pub fn select(&mut self) -> SelectedOperation<'a> {
        assert!(!self.handles.is_empty(), "no operations have been added to `Select`");
        match self.one(Otherwise::Wait) {
            Some(selected) => selected,
            None => unreachable!("it waits for ever"),
        }
    }

    /// Waits until one can be carried out, but no longer than this time.
    ///
    /// # Errors
    /// If the time is over.
    #[track_caller]
    pub fn select_timeout(&mut self, timeout: Duration) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        self.one(Otherwise::within(Some(timeout))).ok_or(SelectTimeoutError)
    }

    /// The same, until then.
    ///
    /// # Errors
    /// If the time is over.
    #[track_caller]
    pub fn select_deadline(&mut self, deadline: Instant) -> Result<SelectedOperation<'a>, SelectTimeoutError> {
        self.select_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    /// The number of one that could be carried out now.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_ready(&mut self) -> Result<usize, TryReadyError> {
        self.one_ready(Otherwise::Now).ok_or(TryReadyError)
    }

    /// Waits until one could be carried out: its number.
    ///
    /// # Panics
    /// If there is none at all.
    #[track_caller]
    pub fn ready(&mut self) -> usize {
        assert!(!self.handles.is_empty(), "no operations have been added to `Select`");
        match self.one_ready(Otherwise::Wait) {
            Some(index) => index,
            None => unreachable!("it waits for ever"),
        }
    }

    /// The same, but no longer than this time.
    ///
    /// # Errors
    /// If the time is over.
    #[track_caller]
    pub fn ready_timeout(&mut self, timeout: Duration) -> Result<usize, ReadyTimeoutError> {
        self.one_ready(Otherwise::within(Some(timeout))).ok_or(ReadyTimeoutError)
    }

    /// The same, until then.
    ///
    /// # Errors
    /// If the time is over.
    #[track_caller]
    pub fn ready_deadline(&mut self, deadline: Instant) -> Result<usize, ReadyTimeoutError> {
        self.ready_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    #[track_caller]
    fn one(&self, otherwise: Otherwise) -> Option<SelectedOperation<'a>> {
        let (index, handle, answer) = self.one_of(|handle| handle.case(), otherwise)?;
        Some(SelectedOperation { index, answer, handle })
    }

    #[track_caller]
    fn one_ready(&self, otherwise: Otherwise) -> Option<usize> {
        Some(self.one_of(|handle| handle.ready(), otherwise)?.0)
    }

    #[track_caller]
    fn one_of(
        &self,
        case: impl Fn(&'a dyn Selectable) -> Option<Case<'a>>,
        otherwise: Otherwise,
    ) -> Option<(usize, &'a dyn Selectable, u32)> {
        let offered = self
            .handles
            .iter()
            .filter_map(|(index, handle)| Some(((*index, *handle), case(*handle)?)));
        let (who, cases): (Vec<_>, Vec<_>) = offered.unzip();
        let (chosen, answer) = one_of(&cases, self.order, otherwise)?;
        let (index, handle) = who[chosen];
        Some((index, handle, answer))
    }
}

impl Default for Select<'_> {
    fn default() -> Self {
        Select::new()
    }
}

impl fmt::Debug for Select<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Select { .. }")
    }
}

impl SelectedOperation<'_> {
    /// Its number.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Sends the message.
    ///
    /// # Errors
    /// If nobody can receive it.
    ///
    /// # Panics
    /// If this is not the sender that was selected.
    #[track_caller]
    pub fn send<T>(self, s: &Sender<T>, msg: T) -> Result<(), SendError<T>> {
        assert!(self.is_of(s), "passed a sender that wasn't selected");
        s.0.send_reserved(self.answer, msg).map_err(SendError)
    }

    /// The message.
    ///
    /// # Errors
    /// If there is none, and all senders are gone.
    ///
    /// # Panics
    /// If this is not the receiver that was selected.
    #[track_caller]
    pub fn recv<T>(self, r: &Receiver<T>) -> Result<T, RecvError> {
        assert!(self.is_of(r), "passed a receiver that wasn't selected");
        let received = match &r.0 {
            Flavor::Channel(chan) => Chan::received(chan, self.answer),
            Flavor::Timer(timer, message) => Ok(message(timer.taken())),
            Flavor::Never => Err(Nothing::Disconnected),
        };
        received.map_err(|_| RecvError)
    }

    fn is_of<H>(&self, handle: &H) -> bool {
        std::ptr::addr_eq(self.handle, handle)
    }
}

impl fmt::Debug for SelectedOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("SelectedOperation { .. }")
    }
}

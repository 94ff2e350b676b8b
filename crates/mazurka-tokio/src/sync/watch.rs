//! A value that many watch, as in `tokio::sync::watch`.
//!
//! Whoever borrows the value has a lock on it: who sends waits for that.

mod rules;

use mazurka_native::model::{Model, Ticket};
use rules::*;
use std::fmt;
use std::future::{Future, poll_fn};
use std::ops::Deref;
use std::sync::Arc;

/// Changes the value.
pub struct Sender<T>(Arc<Model<T>>);

/// Watches the value.
pub struct Receiver<T> {
    model: Arc<Model<T>>,
    seen: u32,
}

/// The value, while it is borrowed.
pub struct Ref<'a, T> {
    model: &'a Model<T>,
    changed: bool,
}

/// A value to watch.
#[track_caller]
pub fn channel<T>(value: T) -> (Sender<T>, Receiver<T>) {
    let sender = Sender::new(value);
    let receiver = sender.subscribe();
    (sender, receiver)
}

impl<T> Sender<T> {
    /// That nobody watches.
    pub fn new(value: T) -> Self {
        Sender(Arc::new(Model::new("watch channel", 0, 1, value)))
    }

    /// Another value.
    ///
    /// # Errors
    /// If nobody watches.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), error::SendError<T>> {
        self.0.step(&SEND, 0, |nobody, slot| match nobody {
            0 => {
                *slot = value;
                Ok(())
            }
            _ => Err(error::SendError(value)),
        })
    }

    /// Another value, whoever watches: the old one.
    #[track_caller]
    pub fn send_replace(&self, value: T) -> T {
        self.0.step(&SEND, 1, |_, slot| std::mem::replace(slot, value))
    }

    /// Changes the value.
    #[track_caller]
    pub fn send_modify(&self, change: impl FnOnce(&mut T)) {
        self.send_if_modified(|value| {
            change(value);
            true
        });
    }

    /// Changes the value; nobody is told if the function says so.
    #[track_caller]
    pub fn send_if_modified(&self, change: impl FnOnce(&mut T) -> bool) -> bool {
        /// Ends the change, however that comes about.
        struct Change<'a, T>(&'a Model<T>, bool);
        impl<T> Drop for Change<'_, T> {
            fn drop(&mut self) {
                self.0.step(&END, u64::from(self.1), |_, _| ());
            }
        }
        self.0.step(&BEGIN, 0, |_, _| ());
        let mut under_way = Change(&self.0, false);
        // SAFETY: between the two steps nobody else has the value.
        under_way.1 = change(unsafe { &mut *self.0.data_ptr() });
        under_way.1
    }

    /// The value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        borrow(&self.0, None).0
    }

    /// Another one who watches, and has seen the value.
    #[track_caller]
    pub fn subscribe(&self) -> Receiver<T> {
        Receiver {
            seen: self.0.step(&SUBSCRIBE, 0, |version, _| version),
            model: Arc::clone(&self.0),
        }
    }

    /// Waits until nobody watches.
    #[track_caller]
    pub fn closed(&self) -> impl Future<Output = ()> {
        let mut wait = Waiting(&self.0, Ticket::new());
        async move {
            poll_fn(|context| wait.0.poll(&mut wait.1, context, &AWAIT_CLOSED, 0)).await;
        }
    }

    /// Whether nobody watches.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.receiver_count() == 0
    }

    /// How many watch.
    #[track_caller]
    pub fn receiver_count(&self) -> usize {
        self.0.step(&COUNT, 0, |n, _| n as usize)
    }
}

#[track_caller]
fn borrow<T>(model: &Model<T>, seen: Option<u32>) -> (Ref<'_, T>, u32) {
    let version = model.step(&BORROW, 0, |version, _| version);
    let changed = seen.is_some_and(|seen| seen != version);
    (Ref { model, changed }, version)
}

/// Gives its ticket back.
struct Waiting<'a, T>(&'a Model<T>, Ticket);

impl<T> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        self.0.abandon(&mut self.1);
    }
}

impl<T> Receiver<T> {
    /// The value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        borrow(&self.model, Some(self.seen)).0
    }

    /// The value, which is seen then.
    #[track_caller]
    pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
        let (value, version) = borrow(&self.model, Some(self.seen));
        self.seen = version;
        value
    }

    /// Whether there is a value that it has not seen.
    ///
    /// # Errors
    /// If there will be no more.
    #[track_caller]
    pub fn has_changed(&self) -> Result<bool, error::RecvError> {
        match self.model.step(&LOOK, 0, |answer, _| answer) {
            closed if closed & 1 == 1 => Err(error::RecvError(())),
            version => Ok(version >> 1 != self.seen),
        }
    }

    /// As if it had not seen the value.
    pub fn mark_changed(&mut self) {
        self.seen = self.seen.wrapping_sub(1);
    }

    /// As if it had seen the value.
    #[track_caller]
    pub fn mark_unchanged(&mut self) {
        self.seen = self.model.step(&LOOK, 0, |answer, _| answer >> 1);
    }

    /// Waits for a value that it has not seen, which is seen then.
    ///
    /// # Errors
    /// If there will be none.
    #[track_caller]
    pub fn changed(&mut self) -> impl Future<Output = Result<(), error::RecvError>> {
        let ticket = Ticket::new();
        async move {
            let (seen, mut wait) = (self.seen, Waiting(&self.model, ticket));
            let version = poll_fn(|context| wait.0.poll(&mut wait.1, context, &CHANGED, u64::from(seen))).await;
            drop(wait);
            self.seen = version;
            if version == seen { Err(error::RecvError(())) } else { Ok(()) }
        }
    }

    /// Waits for a value of which the function is true, beginning with the one that is there.
    ///
    /// # Errors
    /// If there will be none.
    pub async fn wait_for(&mut self, mut is: impl FnMut(&T) -> bool) -> Result<Ref<'_, T>, error::RecvError> {
        loop {
            let (value, version) = borrow(&self.model, Some(self.seen));
            let found = is(&value);
            drop(value);
            self.seen = version;
            if found {
                let (value, version) = borrow(&self.model, Some(self.seen));
                if version == self.seen {
                    return Ok(value);
                }
                continue;
            }
            let (seen, mut wait) = (self.seen, Waiting(&self.model, Ticket::new()));
            let version = poll_fn(|context| wait.0.poll(&mut wait.1, context, &CHANGED, u64::from(seen))).await;
            if version == seen {
                return Err(error::RecvError(()));
            }
        }
    }

    /// Whether both watch the same value.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
    }
}

impl<T> Ref<'_, T> {
    /// Whether the receiver had not seen it.
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: while it is borrowed, nobody changes it.
        unsafe { &*self.model.data_ptr() }
    }
}

impl<T> Drop for Ref<'_, T> {
    fn drop(&mut self) {
        self.model.step(&GIVE_BACK, 0, |_, _| ());
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.0.add_member();
        Sender(Arc::clone(&self.0))
    }
}

impl<T> Clone for Receiver<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.model.step(&SUBSCRIBE, 0, |_, _| ());
        Receiver {
            model: Arc::clone(&self.model),
            seen: self.seen,
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.step(&DROP_SENDER, 0, |_, _| ());
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.model.step(&LEAVE, 0, |_, _| ());
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

pub mod error {
    //! What can go wrong with a value to watch.
    use std::error::Error;
    use std::fmt;

    /// Nobody watches; the value comes back.
    #[derive(PartialEq, Eq, Clone, Copy)]
    pub struct SendError<T>(pub T);

    /// There will be no more values.
    #[derive(Debug, Clone)]
    pub struct RecvError(pub(super) ());

    impl<T> fmt::Debug for SendError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("SendError").finish_non_exhaustive()
        }
    }

    impl<T> fmt::Display for SendError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl<T> Error for SendError<T> {}

    impl fmt::Display for RecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl Error for RecvError {}
}

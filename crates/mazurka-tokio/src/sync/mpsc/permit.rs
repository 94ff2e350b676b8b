//! Room in a channel that is kept for one message.

use super::bounded::Sender;
use super::chan::Chan;
use std::fmt;
use std::panic::Location;

/// Room for one message.
pub struct Permit<'a, T> {
    pub(super) chan: &'a Chan<T>,
    pub(super) at: &'static Location<'static>,
}

impl<T> Permit<'_, T> {
    /// Sends the message. It always can be.
    #[track_caller]
    pub fn send(self, message: T) {
        self.chan.send_reserved(message);
        std::mem::forget(self);
    }
}

impl<T> Drop for Permit<'_, T> {
    fn drop(&mut self) {
        self.chan.give_back(self.at);
    }
}

impl<T> fmt::Debug for Permit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").finish_non_exhaustive()
    }
}

/// Room for one message, with the sender.
pub struct OwnedPermit<T> {
    pub(super) sender: Option<Sender<T>>,
    pub(super) at: &'static Location<'static>,
}

impl<T> OwnedPermit<T> {
    /// Sends the message; the sender comes back.
    #[track_caller]
    pub fn send(mut self, message: T) -> Sender<T> {
        let sender = self.sender.take().expect("a permit that was not used");
        sender.chan().send_reserved(message);
        sender
    }

    /// Gives the room back; the sender comes back.
    pub fn release(mut self) -> Sender<T> {
        let sender = self.sender.take().expect("a permit that was not used");
        sender.chan().give_back(self.at);
        sender
    }
}

impl<T> Drop for OwnedPermit<T> {
    fn drop(&mut self) {
        if let Some(sender) = &self.sender {
            sender.chan().give_back(self.at);
        }
    }
}

impl<T> fmt::Debug for OwnedPermit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedPermit").finish_non_exhaustive()
    }
}

//! What can go wrong with a channel whose messages all get.

use std::error::Error;
use std::fmt;

/// Nobody receives; the message comes back.
#[derive(Debug)]
pub struct SendError<T>(pub T);

/// Why there is no message.
#[derive(Debug, PartialEq, Eq, Clone)]
pub enum RecvError {
    /// There will be no more.
    Closed,
    /// So many were missed.
    Lagged(u64),
}

/// Why there is no message now.
#[derive(Debug, PartialEq, Eq, Clone)]
pub enum TryRecvError {
    /// There is none yet.
    Empty,
    /// There will be no more.
    Closed,
    /// So many were missed.
    Lagged(u64),
}

impl From<RecvError> for TryRecvError {
    fn from(error: RecvError) -> Self {
        match error {
            RecvError::Closed => TryRecvError::Closed,
            RecvError::Lagged(n) => TryRecvError::Lagged(n),
        }
    }
}

impl<T> fmt::Display for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("channel closed")
    }
}

impl<T: fmt::Debug> Error for SendError<T> {}

impl fmt::Display for RecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecvError::Closed => f.write_str("channel closed"),
            RecvError::Lagged(n) => write!(f, "channel lagged by {n}"),
        }
    }
}

impl Error for RecvError {}

impl fmt::Display for TryRecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TryRecvError::Empty => f.write_str("channel empty"),
            TryRecvError::Closed => f.write_str("channel closed"),
            TryRecvError::Lagged(n) => write!(f, "channel lagged by {n}"),
        }
    }
}

impl Error for TryRecvError {}

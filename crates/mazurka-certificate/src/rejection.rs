//! Why a certificate proves nothing.

use std::fmt;

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It is no certificate, not for this program, or not whole.
    Unreadable(String),
    /// It can be read, but does not prove what it says.
    Refused(String),
}

impl Rejection {
    pub(crate) fn unreadable(why: impl Into<String>) -> Self {
        Rejection::Unreadable(why.into())
    }

    pub(crate) fn refused(why: impl Into<String>) -> Self {
        Rejection::Refused(why.into())
    }

    /// Says in which execution; they are counted from 0 here and from 1 for people.
    pub(crate) fn in_execution(self, number: u64) -> Self {
        match self {
            Rejection::Refused(why) if !why.starts_with("execution ") => Rejection::Refused(format!("execution {}: {why}", number + 1)),
            other => other,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Rejection::Unreadable(why) | Rejection::Refused(why)) = self;
        f.write_str(why)
    }
}

impl std::error::Error for Rejection {}

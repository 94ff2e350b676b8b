//! Why nothing was sent, received or selected, as in crossbeam-channel.

use std::error::Error;
use std::fmt;

/// A message that nobody can receive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendError<T>(pub T);

impl<T> SendError<T> {
    /// The message.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendError(..)")
    }
}

impl<T> fmt::Display for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sending on a disconnected channel")
    }
}

impl<T: Send> Error for SendError<T> {}

/// Why something was not sent, with the message.
macro_rules! unsent {
    ($(#[$doc:meta])* $name:ident: $why:ident, $is:ident = $text:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum $name<T> {
            #[doc = concat!("It is because of this: ", $text, ".")]
            $why(T),
            /// There are no receivers.
            Disconnected(T),
        }

        impl<T> $name<T> {
            /// The message.
            pub fn into_inner(self) -> T {
                match self {
                    $name::$why(message) | $name::Disconnected(message) => message,
                }
            }

            #[doc = concat!("Whether it is because of this: ", $text, ".")]
            pub fn $is(&self) -> bool {
                matches!(self, $name::$why(_))
            }

            /// Whether there are no receivers.
            pub fn is_disconnected(&self) -> bool {
                matches!(self, $name::Disconnected(_))
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $name::$why(_) => concat!(stringify!($why), "(..)"),
                    $name::Disconnected(_) => "Disconnected(..)",
                })
            }
        }

        impl<T> fmt::Display for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $name::$why(_) => $text,
                    $name::Disconnected(_) => "sending on a disconnected channel",
                })
            }
        }

        impl<T: Send> Error for $name<T> {}

        impl<T> From<SendError<T>> for $name<T> {
            fn from(error: SendError<T>) -> Self {
                $name::Disconnected(error.0)
            }
        }
    };
}

unsent! {
    /// Why a message was not sent at once.
    TrySendError: Full, is_full = "sending on a full channel"
}
unsent! {
    /// Why a message was not sent in time.
    SendTimeoutError: Timeout, is_timeout = "timed out waiting on send operation"
}

macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct $name;

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str($text)
                }
            }

            impl Error for $name {}
        )*
    };
}

errors! {
    /// There is no message, and there are no senders.
    RecvError = "receiving on an empty and disconnected channel";
    /// Nothing could be selected.
    TrySelectError = "all operations in select would block";
    /// Nothing could be selected in time.
    SelectTimeoutError = "timed out waiting on select";
    /// Nothing is ready.
    TryReadyError = "all operations would block";
    /// Nothing was ready in time.
    ReadyTimeoutError = "timed out waiting on ready";
}

/// Why nothing was received.
macro_rules! unreceived {
    ($(#[$doc:meta])* $name:ident: $why:ident, $is:ident = $text:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            #[doc = concat!("It is because of this: ", $text, ".")]
            $why,
            /// There are no senders.
            Disconnected,
        }

        impl $name {
            #[doc = concat!("Whether it is because of this: ", $text, ".")]
            pub fn $is(&self) -> bool {
                matches!(self, $name::$why)
            }

            /// Whether there are no senders.
            pub fn is_disconnected(&self) -> bool {
                matches!(self, $name::Disconnected)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $name::$why => $text,
                    $name::Disconnected => "receiving on an empty and disconnected channel",
                })
            }
        }

        impl Error for $name {}

        impl From<RecvError> for $name {
            fn from(_: RecvError) -> Self {
                $name::Disconnected
            }
        }
    };
}

unreceived! {
    /// Why nothing was received at once.
    TryRecvError: Empty, is_empty = "receiving on an empty channel"
}
unreceived! {
    /// Why nothing was received in time.
    RecvTimeoutError: Timeout, is_timeout = "timed out waiting on receive operation"
}

//! What `select!`, `join!` and `try_join!` are made of.

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll};

pub use mazurka_native::future::{Branch, Select};

/// Waits for the first of several futures: `pattern = future, if condition => handler`, perhaps after `biased;`, perhaps with `else => handler`.
/// The others are dropped. In a check, any of those that are ready may be the one; if it is biased, the first of them is.
#[macro_export]
macro_rules! select {
    ($($branches:tt)*) => { $crate::__select! { $crate; $($branches)* } };
}

/// Waits for all of several futures.
#[macro_export]
macro_rules! join {
    ($($futures:tt)*) => { $crate::__join! { $crate; $($futures)* } };
}

/// Waits for all of several futures, or for the first error.
#[macro_export]
macro_rules! try_join {
    ($($futures:tt)*) => { $crate::__try_join! { $crate; $($futures)* } };
}

/// Pins a value where it is.
#[macro_export]
macro_rules! pin {
    ($($name:ident),* $(,)?) => { $( #[allow(unused_mut)] let mut $name = ::core::pin::pin!($name); )* };
    ($(let $name:ident = $init:expr;)*) => { $( #[allow(unused_mut)] let mut $name = ::core::pin::pin!($init); )* };
}

/// As `std::thread_local!`, for values that belong to a task.
#[macro_export]
macro_rules! task_local {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $type:ty; $($rest:tt)*) => {
        $crate::task_local!($(#[$attribute])* $vis static $name: $type);
        $crate::task_local!($($rest)*);
    };
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $type:ty) => {
        $(#[$attribute])*
        $vis static $name: $crate::task::LocalKey<$type> = {
            $crate::task::__thread_local! {
                static VALUE: ::core::cell::RefCell<::core::option::Option<$type>> = const { ::core::cell::RefCell::new(::core::option::Option::None) };
            }
            $crate::task::LocalKey::new(&VALUE)
        };
    };
}

/// One of the futures of `join!`.
#[derive(Debug)]
pub struct Part<F: Future> {
    future: Option<Pin<Box<F>>>,
    output: Option<F::Output>,
}

impl<F: Future> Part<F> {
    /// That was not polled yet.
    pub fn new(future: impl IntoFuture<IntoFuture = F, Output = F::Output>) -> Self {
        Part {
            future: Some(Box::pin(future.into_future())),
            output: None,
        }
    }

    /// Whether it is ready.
    pub fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let Some(future) = &mut self.future else { return true };
        match future.as_mut().poll(context) {
            Poll::Ready(output) => {
                (self.future, self.output) = (None, Some(output));
                true
            }
            Poll::Pending => false,
        }
    }

    /// Its output.
    ///
    /// # Panics
    /// If it is not ready.
    pub fn take(&mut self) -> F::Output {
        self.output.take().expect("an output that nobody has taken")
    }
}

impl<F: Future<Output = Result<T, E>>, T, E> Part<F> {
    /// Its error, if it is ready with one.
    pub fn take_error(&mut self) -> Option<E> {
        match self.output.take() {
            Some(Err(error)) => Some(error),
            output => {
                self.output = output;
                None
            }
        }
    }

    /// Its output, which is no error.
    ///
    /// # Panics
    /// If it is.
    pub fn take_ok(&mut self) -> T {
        match self.take() {
            Ok(output) => output,
            Err(_) => unreachable!("the error was returned"),
        }
    }
}

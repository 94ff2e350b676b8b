//! Values that belong to tasks.

use mazurka_native::thread::LocalKey as ThreadLocal;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A value of a task, while a future runs in its scope.
pub struct LocalKey<T: 'static>(&'static ThreadLocal<RefCell<Option<T>>>);

/// There is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessError(());

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task has no such value")
    }
}

impl std::error::Error for AccessError {}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    pub const fn new(inner: &'static ThreadLocal<RefCell<Option<T>>>) -> Self {
        LocalKey(inner)
    }

    /// The future, with this value while it runs.
    pub fn scope<F: Future>(&'static self, value: T, future: F) -> TaskLocalFuture<T, F> {
        TaskLocalFuture {
            key: self,
            value: Some(value),
            future: Box::pin(future),
        }
    }

    /// Calls a function with this value in place.
    pub fn sync_scope<R>(&'static self, value: T, function: impl FnOnce() -> R) -> R {
        let mut value = Some(value);
        self.within(&mut value, function)
    }

    /// Calls a function with the value.
    ///
    /// # Panics
    /// If there is none.
    pub fn with<R>(&'static self, function: impl FnOnce(&T) -> R) -> R {
        self.try_with(function).expect("a value of the task")
    }

    /// Calls a function with the value.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_with<R>(&'static self, function: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        self.0.with(|slot| slot.borrow().as_ref().map(function).ok_or(AccessError(())))
    }

    /// A copy of the value.
    ///
    /// # Panics
    /// If there is none.
    pub fn get(&'static self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    fn within<R>(&'static self, value: &mut Option<T>, function: impl FnOnce() -> R) -> R {
        struct Swap<'a, T: 'static>(&'static LocalKey<T>, &'a mut Option<T>);
        impl<T> Swap<'_, T> {
            fn swap(&mut self) {
                self.0.0.with(|slot| std::mem::swap(&mut *slot.borrow_mut(), self.1));
            }
        }
        impl<T> Drop for Swap<'_, T> {
            fn drop(&mut self) {
                self.swap();
            }
        }
        let mut swap = Swap(self, value);
        swap.swap();
        function()
    }
}

impl<T> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// See [`LocalKey::scope`].
pub struct TaskLocalFuture<T: 'static, F> {
    key: &'static LocalKey<T>,
    value: Option<T>,
    future: Pin<Box<F>>,
}

impl<T, F> Unpin for TaskLocalFuture<T, F> {}

impl<T: 'static, F: Future> Future for TaskLocalFuture<T, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        let future = this.future.as_mut();
        this.key.within(&mut this.value, || future.poll(context))
    }
}

impl<T, F> fmt::Debug for TaskLocalFuture<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskLocalFuture").finish_non_exhaustive()
    }
}

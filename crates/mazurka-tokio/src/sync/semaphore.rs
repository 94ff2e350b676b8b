//! Permits, as `tokio::sync::Semaphore`: given out in the order in which they are asked for.

use mazurka_native::model::permits::{Acquire, Closed, MAX_PERMITS, NoPermit, Permits, SEMAPHORE};
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

/// Some permits.
#[derive(Debug)]
pub struct Semaphore(Permits);

impl Deref for Inner {
    type Target = Permits;

    fn deref(&self) -> &Permits {
        &self.0.0
    }
}

/// A semaphore that a future keeps alive.
struct Inner(Arc<Semaphore>);

/// Nobody gets permits any more.
#[derive(Debug, PartialEq, Eq)]
pub struct AcquireError(());

/// Why there was no permit.
#[derive(Debug, PartialEq, Eq)]
pub enum TryAcquireError {
    /// Nobody gets any.
    Closed,
    /// There are not enough.
    NoPermits,
}

impl From<Closed> for AcquireError {
    fn from(_: Closed) -> Self {
        AcquireError(())
    }
}

impl From<NoPermit> for TryAcquireError {
    fn from(why: NoPermit) -> Self {
        match why {
            NoPermit::Closed => TryAcquireError::Closed,
            NoPermit::TooFew => TryAcquireError::NoPermits,
        }
    }
}

impl fmt::Display for AcquireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("semaphore closed")
    }
}

impl Error for AcquireError {}

impl fmt::Display for TryAcquireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryAcquireError::Closed => "semaphore closed",
            TryAcquireError::NoPermits => "no permits available",
        })
    }
}

impl Error for TryAcquireError {}

impl Semaphore {
    /// More cannot be had. tokio has more.
    pub const MAX_PERMITS: usize = MAX_PERMITS;

    /// With so many permits.
    pub const fn new(permits: usize) -> Self {
        Semaphore(Permits::new("Semaphore", permits, &SEMAPHORE))
    }

    /// The same.
    pub const fn const_new(permits: usize) -> Self {
        Semaphore::new(permits)
    }

    /// How many permits are there.
    #[track_caller]
    pub fn available_permits(&self) -> usize {
        self.0.available() as usize
    }

    /// Adds permits.
    ///
    /// # Panics
    /// If there would be more than [`Semaphore::MAX_PERMITS`].
    #[track_caller]
    pub fn add_permits(&self, n: usize) {
        assert!(n <= MAX_PERMITS, "too many permits");
        self.0.release(n as u32);
    }

    /// Takes up to so many permits away for ever: how many.
    #[track_caller]
    pub fn forget_permits(&self, n: usize) -> usize {
        self.0.forget(u32::try_from(n).unwrap_or(u32::MAX)) as usize
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// If it is closed.
    #[track_caller]
    pub fn acquire(&self) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        self.acquire_many(1)
    }

    /// Waits for so many permits.
    ///
    /// # Errors
    /// If it is closed.
    #[track_caller]
    pub fn acquire_many(&self, n: u32) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        let acquire = Acquire::new(&self.0, n);
        async move {
            acquire.await?;
            Ok(SemaphorePermit {
                semaphore: self,
                permits: n,
            })
        }
    }

    /// Takes a permit if there is one.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_acquire_many(1)
    }

    /// Takes so many permits if they are there.
    ///
    /// # Errors
    /// If they are not.
    #[track_caller]
    pub fn try_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.0.try_acquire(n)?;
        Ok(SemaphorePermit {
            semaphore: self,
            permits: n,
        })
    }

    /// Waits for a permit that keeps the semaphore alive.
    ///
    /// # Errors
    /// If it is closed.
    #[track_caller]
    pub fn acquire_owned(self: Arc<Self>) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        self.acquire_many_owned(1)
    }

    /// Waits for so many permits that keep the semaphore alive.
    ///
    /// # Errors
    /// If it is closed.
    #[track_caller]
    pub fn acquire_many_owned(self: Arc<Self>, n: u32) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        let acquire = Acquire::new(Inner(Arc::clone(&self)), n);
        async move {
            acquire.await?;
            Ok(OwnedSemaphorePermit {
                semaphore: self,
                permits: n,
            })
        }
    }

    /// Takes a permit that keeps the semaphore alive, if there is one.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.try_acquire_many_owned(1)
    }

    /// Takes so many permits that keep the semaphore alive, if they are there.
    ///
    /// # Errors
    /// If they are not.
    #[track_caller]
    pub fn try_acquire_many_owned(self: Arc<Self>, n: u32) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.0.try_acquire(n)?;
        Ok(OwnedSemaphorePermit {
            semaphore: self,
            permits: n,
        })
    }

    /// Nobody gets a permit any more.
    #[track_caller]
    pub fn close(&self) {
        self.0.close();
    }

    /// Whether that was said.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

/// Permits, given back when this is dropped.
#[must_use]
#[derive(Debug)]
pub struct SemaphorePermit<'a> {
    semaphore: &'a Semaphore,
    permits: u32,
}

/// Permits, given back when this is dropped, that keep the semaphore alive.
#[must_use]
#[derive(Debug)]
pub struct OwnedSemaphorePermit {
    semaphore: Arc<Semaphore>,
    permits: u32,
}

impl SemaphorePermit<'_> {
    /// Does not give them back, ever.
    pub fn forget(mut self) {
        self.permits = 0;
    }

    /// How many they are.
    pub fn num_permits(&self) -> usize {
        self.permits as usize
    }

    /// Puts those of another one here.
    ///
    /// # Panics
    /// If they are of another semaphore.
    pub fn merge(&mut self, mut other: Self) {
        assert!(
            std::ptr::eq(self.semaphore, other.semaphore),
            "merging permits from different semaphore instances"
        );
        self.permits += std::mem::take(&mut other.permits);
    }

    /// So many of them for themselves.
    pub fn split(&mut self, n: usize) -> Option<Self> {
        let n = u32::try_from(n).ok().filter(|n| *n <= self.permits)?;
        self.permits -= n;
        Some(SemaphorePermit {
            semaphore: self.semaphore,
            permits: n,
        })
    }
}

impl OwnedSemaphorePermit {
    /// Does not give them back, ever.
    pub fn forget(mut self) {
        self.permits = 0;
    }

    /// How many they are.
    pub fn num_permits(&self) -> usize {
        self.permits as usize
    }

    /// The semaphore.
    pub fn semaphore(&self) -> &Arc<Semaphore> {
        &self.semaphore
    }
}

impl Drop for SemaphorePermit<'_> {
    fn drop(&mut self) {
        if self.permits > 0 {
            self.semaphore.0.release(self.permits);
        }
    }
}

impl Drop for OwnedSemaphorePermit {
    fn drop(&mut self) {
        if self.permits > 0 {
            self.semaphore.0.release(self.permits);
        }
    }
}

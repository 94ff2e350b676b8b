//! parking_lot's locks, as Mazurka checks them. The paths are those of parking_lot.
//!
//! There is no poisoning. A writer that waits for a [`RwLock`] keeps later readers out, so a thread that reads twice may wait for ever;
//! [`RwLock::read_recursive`] does not. Those who wait are served in the order in which they have come. A time limit may be over at any moment
//! for who has to wait. There are no raw locks (`lock_api`), and no guards with `Arc`s.

mod condvar;
mod mutex;
mod once;
mod reentrant;
mod rwlock;

pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{MappedMutexGuard, Mutex, MutexGuard, const_mutex};
pub use once::{Once, OnceState};
pub use reentrant::{ReentrantMutex, ReentrantMutexGuard, const_reentrant_mutex};
pub use rwlock::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard, RwLockWriteGuard, const_rwlock,
};

//! What workers share, from one place: a test puts the models of `mazurka-native` here, and checks `leaves.rs` with them.

pub(super) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex};

//! Instead of the store, in a binary that does not have it: nothing can be kept.

use super::{Kept, Store};
use crate::laboratory::without;
use crate::refusal::Refusal;
use std::path::Path;

pub fn create(_: &Path, _: u128, _: &[u8]) -> Result<Box<dyn Store>, Refusal> {
    Err(without("checkpoint"))
}

pub fn open(_: &Path) -> Result<Kept, Refusal> {
    Err(without("checkpoint"))
}

//! The standard library's declarations: ABS text, parsed with every model.

use std::sync::Arc;

/// The name under which messages would speak of the library.
pub const NAME: &str = "<standard library>";

/// The text of the library.
#[must_use]
pub fn text() -> Arc<str> {
    Arc::from(include_str!("stdlib.abs"))
}

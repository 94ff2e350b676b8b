//! What `lazy_static!` declares.

use mazurka_native::leaks::forgive;
use mazurka_native::sync::OnceLock;

/// A value that is made when it is first looked at, anew in every execution.
#[derive(Debug)]
pub struct Lazy<T> {
    cell: OnceLock<T>,
    init: fn() -> T,
}

impl<T: 'static> Lazy<T> {
    /// To be made by `init`.
    #[doc(hidden)]
    pub const fn new(init: fn() -> T) -> Self {
        Lazy {
            cell: OnceLock::new(),
            init,
        }
    }

    /// The value.
    #[track_caller]
    pub fn get(&'static self) -> &'static T {
        self.cell.get_or_init(|| forgive(self.init))
    }
}

//! `lazy_static!`, and what it declares.

use crate::leaks::forgive;
use crate::sync::OnceLock;

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

/// As `lazy_static::lazy_static!`: made anew in every execution.
#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static ref $name:ident : $type:ty = $init:expr; $($rest:tt)*) => {
        #[allow(missing_copy_implementations, non_camel_case_types, dead_code)]
        $(#[$attribute])*
        $vis struct $name {
            __private_field: (),
        }
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        $vis static $name: $name = $name { __private_field: () };
        impl ::core::ops::Deref for $name {
            type Target = $type;
            fn deref(&self) -> &$type {
                fn init() -> $type {
                    $init
                }
                static LAZY: $crate::lazy_static::Lazy<$type> = $crate::lazy_static::Lazy::new(init);
                LAZY.get()
            }
        }
        $crate::lazy_static!($($rest)*);
    };
}

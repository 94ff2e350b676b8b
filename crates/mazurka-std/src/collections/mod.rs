//! [`std::collections`]. Hash maps and sets have the same order in every execution of a check.

/// What code calls by its path, such as `HashMap::len`; calls with a dot find it either way.
macro_rules! by_path {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(
            #[doc = concat!("As `", stringify!($name), "` of the real one.")]
            pub fn $name(&self $(, $argument: $type)*) $(-> $result)? {
                self.0.$name($($argument),*)
            }
        )*
    };
    ($(mut fn $name:ident(&mut self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(
            #[doc = concat!("As `", stringify!($name), "` of the real one.")]
            pub fn $name(&mut self $(, $argument: $type)*) $(-> $result)? {
                self.0.$name($($argument),*)
            }
        )*
    };
}

pub mod hash_map;
pub mod hash_set;

pub use ::std::collections::*;
pub use hash_map::HashMap;
pub use hash_set::HashSet;

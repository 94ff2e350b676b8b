//! Types as the checker knows them, after type synonyms have been replaced.

use std::sync::Arc;

use super::{DataId, InterfaceId};

/// A type. `Int`, `Rat`, `Float` and `String` are data types without constructors that deserve a name of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Whole numbers; also wherever a `Rat` is wanted.
    Int,
    /// Exact fractions.
    Rat,
    /// 64-bit floating-point numbers.
    Float,
    /// Strings.
    String,
    /// A data type with its arguments (`Bool`, `Unit`, `List<Int>`, `Exception`, …).
    Data(DataId, Arc<[Type]>),
    /// A reference to an object.
    Interface(InterfaceId),
    /// The type of `this` and of `new C(…)`: an object of exactly this class, which fits all its interfaces.
    Class(super::ClassId),
    /// A future.
    Future(Arc<Type>),
    /// The type of `destiny`: a future of whatever the running method returns.
    Destiny,
    /// A type parameter of the surrounding function or data type, by its position.
    Param(u32),
    /// The type of `null`: fits every interface and future.
    Null,
    /// A type that the text leaves open, such as the element type of an unused `Nil`; every value fits.
    Any,
    /// Inside the checker: a type not known yet. Never in a checked model.
    Unknown(u32),
}

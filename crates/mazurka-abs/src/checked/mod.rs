//! The checked model: what the checker hands to lowering.
//!
//! Every name is resolved to a number, traits are flattened into their classes, the dialects are told apart (a [`RightSideKind::New`] says
//! whether it makes a cog; a division says whether it truncates), partial functions are ordinary functions with extra parameters that hold
//! closures, and every expression carries its type. Numbers index the tables of [`CheckedModel`]; locals are numbered within the [`Body`]
//! that owns them.
//!
//! A model that has been handed out is free of errors, so lowering meets no unknown name and no unsupported construct.

mod code;
mod model;
mod types;

pub use code::{
    BinaryOp, Block, Branch, Expr, ExprKind, Guard, Literal, Pattern, PatternKind, RightSide, RightSideKind, Stmt, StmtKind, UnaryOp,
};
pub use model::{
    Accessor, AccessorId, Body, CheckedModel, Class, ClassId, Constructor, ConstructorId, DataId, DataType, Field, FieldId, Function,
    FunctionCode, FunctionId, Interface, InterfaceId, Local, LocalId, Main, Method, Selector, Signature, WellKnown,
};
pub use types::Type;

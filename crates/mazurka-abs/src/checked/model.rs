//! The tables of a checked model: data types, functions, interfaces, classes, main blocks.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::{Block, Branch, Expr, Type};
use crate::syntax::ast::Dialect;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Indexes [`CheckedModel::data_types`].
    DataId;
    /// Indexes [`CheckedModel::constructors`]; exceptions are constructors of the data type `Exception`.
    ConstructorId;
    /// Indexes [`CheckedModel::accessors`].
    AccessorId;
    /// Indexes [`CheckedModel::functions`].
    FunctionId;
    /// Indexes [`CheckedModel::interfaces`].
    InterfaceId;
    /// Indexes [`CheckedModel::classes`].
    ClassId;
    /// Indexes [`Class::fields`].
    FieldId;
    /// Indexes [`Body::locals`].
    LocalId;
    /// Indexes [`CheckedModel::selectors`]: the name of a method. There is no overloading, so a name is all that a call needs.
    Selector;
}

/// A model free of errors.
#[derive(Clone, Debug, Default)]
pub struct CheckedModel {
    /// The data types, those of the standard library included.
    pub data_types: Vec<DataType>,
    /// The constructors of all data types.
    pub constructors: Vec<Constructor>,
    /// The accessor functions of all data types.
    pub accessors: Vec<Accessor>,
    /// The functions, among them the builtins and the lifted anonymous functions.
    pub functions: Vec<Function>,
    /// The interfaces.
    pub interfaces: Vec<Interface>,
    /// The classes.
    pub classes: Vec<Class>,
    /// The main blocks, in the order of files and modules.
    pub mains: Vec<Main>,
    /// The names of methods. A name with a `%` belongs to a method that a trait modifies and that only `original` calls.
    pub selectors: Vec<Arc<str>>,
    /// The constructors and types that the runtime must know.
    pub well_known: WellKnown,
}

/// The constructors and types that the runtime must know.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named after the constructors")]
pub struct WellKnown {
    pub unit: ConstructorId,
    pub true_: ConstructorId,
    pub false_: ConstructorId,
    pub nothing: ConstructorId,
    pub just: ConstructorId,
    pub nil: ConstructorId,
    pub cons: ConstructorId,
    pub pair: ConstructorId,
    pub triple: ConstructorId,
    pub empty_set: ConstructorId,
    pub insert: ConstructorId,
    pub empty_map: ConstructorId,
    pub insert_assoc: ConstructorId,
    pub division_by_zero: ConstructorId,
    pub assertion_fail: ConstructorId,
    pub pattern_match_fail: ConstructorId,
    pub null_pointer: ConstructorId,
    pub stack_overflow: ConstructorId,
    pub heap_overflow: ConstructorId,
    pub keyboard_interrupt: ConstructorId,
    pub object_dead: ConstructorId,
    pub bool_type: DataId,
    pub unit_type: DataId,
    pub list_type: DataId,
    pub set_type: DataId,
    pub map_type: DataId,
    pub exception_type: DataId,
}

impl Default for WellKnown {
    fn default() -> Self {
        let (constructor, data) = (ConstructorId(u32::MAX), DataId(u32::MAX));
        WellKnown {
            unit: constructor,
            true_: constructor,
            false_: constructor,
            nothing: constructor,
            just: constructor,
            nil: constructor,
            cons: constructor,
            pair: constructor,
            triple: constructor,
            empty_set: constructor,
            insert: constructor,
            empty_map: constructor,
            insert_assoc: constructor,
            division_by_zero: constructor,
            assertion_fail: constructor,
            pattern_match_fail: constructor,
            null_pointer: constructor,
            stack_overflow: constructor,
            heap_overflow: constructor,
            keyboard_interrupt: constructor,
            object_dead: constructor,
            bool_type: data,
            unit_type: data,
            list_type: data,
            set_type: data,
            map_type: data,
            exception_type: data,
        }
    }
}

/// A data type.
#[derive(Clone, Debug)]
pub struct DataType {
    /// Its simple name.
    pub name: Arc<str>,
    /// The module it belongs to.
    pub module: Arc<str>,
    /// The names of the type parameters.
    pub params: Vec<Arc<str>>,
    /// The constructors in the order of the text.
    pub constructors: Vec<ConstructorId>,
    /// Where its name is declared.
    pub span: Span,
}

/// A constructor of a data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its simple name, as printed and as ordered by `<`.
    pub name: Arc<str>,
    /// The module it belongs to.
    pub module: Arc<str>,
    /// The data type.
    pub data: DataId,
    /// The types of the arguments, over the parameters of the data type.
    pub args: Vec<Type>,
    /// Where its name is declared.
    pub span: Span,
}

/// A function that picks an argument of a constructor; which one depends on the constructor.
#[derive(Clone, Debug)]
pub struct Accessor {
    /// Its simple name.
    pub name: Arc<str>,
    /// The data type.
    pub data: DataId,
    /// The position in each constructor that has the accessor; others fail with `PatternMatchFailException`.
    pub positions: Vec<(ConstructorId, u32)>,
    /// The type of the result, over the parameters of the data type.
    pub result: Type,
}

/// A variable of a body: a parameter, a declared variable, or a variable bound by a pattern, `let`, `foreach` or an anonymous function.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; the checker's own variables start with `%`.
    pub name: Arc<str>,
    /// Its type; `None` for a function parameter of a partial function, which holds a closure.
    pub ty: Option<Type>,
    /// Where it is declared.
    pub span: Span,
}

/// The variables of a function, method, initialiser or main block, each with its own number: no number is used twice.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The variables; parameters come first.
    pub locals: Vec<Local>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its simple name; an anonymous function is named after the function or method around it.
    pub name: Arc<str>,
    /// The module it belongs to.
    pub module: Arc<str>,
    /// How many of the first locals are closures: the function parameters of a partial function.
    pub closures: u32,
    /// How many of the locals after the closures are the captured variables of an anonymous function. A call through a closure passes the
    /// captured values first, then the arguments.
    pub captured: u32,
    /// How many locals after these are ordinary parameters.
    pub params: u32,
    /// The type of the result.
    pub result: Type,
    /// The variables: closures, captured, parameters, others.
    pub body: Body,
    /// What it computes.
    pub code: FunctionCode,
    /// Where its name is declared.
    pub span: Span,
}

/// What a function computes.
#[derive(Clone, Debug)]
pub enum FunctionCode {
    /// The runtime knows it under the function's name.
    Builtin,
    /// An expression.
    Expr(Expr),
}

/// An interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its simple name.
    pub name: Arc<str>,
    /// The module it belongs to.
    pub module: Arc<str>,
    /// All interfaces that it extends, directly or not, itself included.
    pub supers: Vec<InterfaceId>,
    /// All its methods, inherited ones included.
    pub methods: Vec<Signature>,
    /// Where its name is declared.
    pub span: Span,
}

/// The head of a method.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The method's name.
    pub selector: Selector,
    /// The types of the parameters.
    pub params: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// Where its name is declared.
    pub span: Span,
}

/// A class after flattening its traits.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its simple name.
    pub name: Arc<str>,
    /// The module it belongs to.
    pub module: Arc<str>,
    /// All interfaces that its objects have, inherited ones included.
    pub interfaces: Vec<InterfaceId>,
    /// How many of the first fields are the class parameters.
    pub params: u32,
    /// The class parameters, then the fields.
    pub fields: Vec<Field>,
    /// The variables of the field initialisers, the init block and the recover branches.
    pub body: Body,
    /// The init block.
    pub init: Option<Block>,
    /// The branches of `recover`, matched against the exception.
    pub recover: Vec<Branch<Block>>,
    /// The methods, trait methods included.
    pub methods: Vec<Method>,
    /// The index of `run` (without parameters) in `methods`: started as a task of its own after initialisation.
    pub run: Option<u32>,
    /// Where its name is declared.
    pub span: Span,
}

/// A field or class parameter.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// The initial value over the fields before it; `None` for class parameters and for references, which start as `null`.
    pub init: Option<Expr>,
    /// Where it is declared.
    pub span: Span,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub selector: Selector,
    /// How many of the first locals are its parameters. The old dialect tolerates calls with another number of arguments (with a warning):
    /// extra arguments are dropped, missing ones are an error at run time.
    pub params: u32,
    /// The type of the result.
    pub result: Type,
    /// The variables.
    pub body: Body,
    /// The code; a method of type `Unit` may end without `return`.
    pub code: Block,
    /// Where its name is declared.
    pub span: Span,
}

/// A main block.
#[derive(Clone, Debug)]
pub struct Main {
    /// The module it belongs to.
    pub module: Arc<str>,
    /// The dialect of its file.
    pub dialect: Dialect,
    /// The variables.
    pub body: Body,
    /// The code.
    pub code: Block,
    /// The variables declared directly in the main block, which a property may speak about.
    pub visible: Vec<LocalId>,
    /// From brace to brace.
    pub span: Span,
}

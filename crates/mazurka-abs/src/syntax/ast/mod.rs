//! The tree that the parser builds: the text, structured, with nothing resolved.
//!
//! Lowering does not start here. The checker turns this tree into the *checked* tree of [`crate::checked`], in which every name is a number,
//! traits are flattened, dialects are told apart and every expression carries its type; so this tree needs neither identities nor side
//! tables. It is the same for both dialects: what differs in meaning (plain `new`, `/` on integers) is decided by the checker from
//! [`File::dialect`].

mod code;
mod variants;

pub use code::*;
pub use variants::*;

use std::sync::Arc;

use mazurka_diagnostics::Span;

/// Which of the two published languages a file is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Today's language: `new` makes a cog, `new local` does not, `/` is exact.
    #[default]
    Current,
    /// The language of about 2014: `new cog` makes a cog, plain `new` does not, `/` on integers truncates.
    Old,
}

/// One source file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The dialect, detected from the text.
    pub dialect: Dialect,
    /// The modules in the order of the text.
    pub modules: Vec<Module>,
    /// Deltas and products.
    pub variants: Variants,
}

/// A simple name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The letters.
    pub text: Arc<str>,
    /// The place.
    pub span: Span,
}

/// A name that may be qualified by a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QName {
    /// The module part, with its dots, if there is one.
    pub module: Option<Arc<str>>,
    /// The last part.
    pub name: Arc<str>,
    /// The place of the whole.
    pub span: Span,
}

/// `module M; exports, imports, declarations, main block`.
#[derive(Clone, Debug)]
pub struct Module {
    /// The full name, with dots.
    pub name: Name,
    /// The `export` clauses.
    pub exports: Vec<Export>,
    /// The `import` clauses.
    pub imports: Vec<Import>,
    /// The declarations.
    pub decls: Vec<Decl>,
    /// The main block.
    pub main: Option<Block>,
    /// From `module` to the end of the module.
    pub span: Span,
}

impl Module {
    /// One without anything, not even a name.
    pub fn empty(span: Span) -> Self {
        Module {
            name: Name { text: "?".into(), span },
            exports: Vec::new(),
            imports: Vec::new(),
            decls: Vec::new(),
            main: None,
            span,
        }
    }
}

/// `export …;`
#[derive(Clone, Debug)]
pub struct Export {
    /// The names; `None` for `*`.
    pub names: Option<Vec<QName>>,
    /// The module after `from`.
    pub from: Option<Name>,
    /// The whole clause.
    pub span: Span,
}

/// `import …;`
#[derive(Clone, Debug)]
pub struct Import {
    /// The names; `None` for `*`.
    pub names: Option<Vec<QName>>,
    /// The module after `from`; without it the names are qualified and can be used only so.
    pub from: Option<Name>,
    /// The whole clause.
    pub span: Span,
}

/// A declaration with its annotations.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The annotations before it.
    pub annotations: Vec<Annotation>,
    /// What is declared.
    pub kind: DeclKind,
    /// The whole declaration.
    pub span: Span,
}

/// What is declared.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// `data T<A> = C(…) | …;`
    Data(DataDecl),
    /// `type T = …;`
    Synonym(SynonymDecl),
    /// `exception E(…);`
    Exception(ConstructorDecl),
    /// `def …`, partial or not.
    Function(FunctionDecl),
    /// `interface I …`
    Interface(InterfaceDecl),
    /// `class C …`
    Class(ClassDecl),
    /// `trait T = …`
    Trait(TraitDecl),
}

/// `[Name: value]` or `[value]`; what it means is for the checker.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The part before the colon.
    pub name: Option<Type>,
    /// The part after it, or the only part.
    pub value: Expr,
    /// The whole, without the brackets.
    pub span: Span,
}

/// `data`.
#[derive(Clone, Debug)]
pub struct DataDecl {
    /// The type's name.
    pub name: Name,
    /// The type parameters.
    pub params: Vec<Name>,
    /// The constructors; none for a type that only the runtime knows.
    pub constructors: Vec<ConstructorDecl>,
}

/// One constructor of a data type, or an exception.
#[derive(Clone, Debug)]
pub struct ConstructorDecl {
    /// The constructor's name.
    pub name: Name,
    /// The arguments.
    pub args: Vec<ConstructorArg>,
}

/// One argument of a constructor.
#[derive(Clone, Debug)]
pub struct ConstructorArg {
    /// Its type.
    pub ty: Type,
    /// The accessor function's name, if it has one.
    pub accessor: Option<Name>,
}

/// `type`.
#[derive(Clone, Debug)]
pub struct SynonymDecl {
    /// The new name.
    pub name: Name,
    /// Type parameters, which some files give.
    pub params: Vec<Name>,
    /// What it stands for.
    pub ty: Type,
}

/// `def`.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// The result type.
    pub result: Type,
    /// The function's name.
    pub name: Name,
    /// The type parameters.
    pub type_params: Vec<Name>,
    /// The function parameters of a partial function, `None` for an ordinary one.
    pub functions: Option<Vec<Name>>,
    /// The ordinary parameters.
    pub params: Vec<Param>,
    /// What it computes.
    pub body: FunctionBody,
}

/// The right-hand side of a function.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// `builtin`, with what stands in parentheses after it.
    Builtin(Vec<Expr>),
    /// A pure expression.
    Expr(Expr),
}

/// A parameter of a function, method or class.
#[derive(Clone, Debug)]
pub struct Param {
    /// The annotations before the type.
    pub annotations: Vec<Annotation>,
    /// The type.
    pub ty: Type,
    /// The name.
    pub name: Name,
}

/// `interface`.
#[derive(Clone, Debug)]
pub struct InterfaceDecl {
    /// The name.
    pub name: Name,
    /// The interfaces it extends.
    pub extends: Vec<QName>,
    /// The methods.
    pub methods: Vec<MethodSig>,
}

/// The head of a method.
#[derive(Clone, Debug)]
pub struct MethodSig {
    /// The annotations before it.
    pub annotations: Vec<Annotation>,
    /// The result type.
    pub result: Type,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<Param>,
    /// The whole head.
    pub span: Span,
}

/// `class`.
#[derive(Clone, Debug)]
pub struct ClassDecl {
    /// The name.
    pub name: Name,
    /// The class parameters.
    pub params: Vec<Param>,
    /// The interfaces.
    pub implements: Vec<QName>,
    /// The fields.
    pub fields: Vec<FieldDecl>,
    /// The init block.
    pub init: Option<Block>,
    /// The branches of `recover`.
    pub recover: Vec<StmtBranch>,
    /// The `uses` clauses.
    pub uses: Vec<TraitExpr>,
    /// The methods.
    pub methods: Vec<Method>,
    /// What deltas do to the methods, in this order.
    pub changes: Vec<TraitOperation>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// The annotations before it.
    pub annotations: Vec<Annotation>,
    /// The type.
    pub ty: Type,
    /// The name.
    pub name: Name,
    /// The initial value.
    pub init: Option<Expr>,
}

/// A method with its body.
#[derive(Clone, Debug)]
pub struct Method {
    /// The head.
    pub sig: MethodSig,
    /// The body.
    pub body: Block,
}

/// `trait T = …`
#[derive(Clone, Debug)]
pub struct TraitDecl {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub expr: TraitExpr,
}

/// A trait expression: a base and operations applied to it from left to right.
#[derive(Clone, Debug)]
pub struct TraitExpr {
    /// What the operations start from.
    pub base: TraitBase,
    /// The operations.
    pub operations: Vec<TraitOperation>,
    /// The whole expression.
    pub span: Span,
}

/// A set of methods or the name of a trait.
#[derive(Clone, Debug)]
pub enum TraitBase {
    /// `{ methods }` or a single method.
    Methods(Vec<Method>),
    /// A trait by name.
    Named(QName),
}

/// What is done to the methods collected so far.
#[derive(Clone, Debug)]
pub enum TraitOperation {
    /// `adds`: these methods must be new.
    Adds(TraitBase),
    /// `modifies`: these methods replace those of the same name, which `original(…)` still reaches.
    Modifies(TraitBase),
    /// `removes`: these methods go.
    Removes(Vec<MethodSig>),
}

/// A use of a type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The annotations before it, such as `[Near]`.
    pub annotations: Vec<Annotation>,
    /// The name.
    pub name: QName,
    /// The arguments.
    pub args: Vec<Type>,
    /// The whole type.
    pub span: Span,
}

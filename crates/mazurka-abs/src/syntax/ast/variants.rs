//! Product lines: deltas, the configuration that says when they apply, and products.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::{Decl, Export, Expr, FieldDecl, Import, Method, MethodSig, Name, QName, Type};

/// What a file says about variants of the model.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// The deltas.
    pub deltas: Vec<Delta>,
    /// The product lines.
    pub lines: Vec<ProductLine>,
    /// The products.
    pub products: Vec<Product>,
    /// The first feature model, which is read over.
    pub feature_model: Option<Span>,
}

/// `delta D(Int n); uses M; modifiers`.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The name.
    pub name: Name,
    /// The parameters, which get values from features and their attributes.
    pub params: Vec<(Type, Name)>,
    /// The module that names without a module belong to.
    pub uses: Option<Name>,
    /// What it changes.
    pub modifiers: Vec<Modifier>,
}

/// One change of a program.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Which change.
    pub kind: ModifierKind,
    /// The whole change.
    pub span: Span,
}

/// Which change.
#[derive(Clone, Debug)]
pub enum ModifierKind {
    /// `adds class …`, `adds interface …`, `adds data …`, `adds type …`, `adds def …`; of that module if one is named.
    Add(Option<Arc<str>>, Box<Decl>),
    /// `modifies data …`, `modifies type …`: instead of what has the same name.
    Replace(Option<Arc<str>>, Box<Decl>),
    /// `removes class C;`, `removes interface I;`
    Remove(Kind, QName),
    /// `modifies class C adds I removes J { … }`
    Class(QName, Vec<ClassModifier>),
    /// `modifies interface I { … }`
    Interface(QName, Vec<InterfaceModifier>),
    /// `adds import …;`
    Import(Import),
    /// `adds export …;`
    Export(Export),
}

/// What is removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A class.
    Class,
    /// An interface.
    Interface,
}

/// One change of a class.
#[derive(Clone, Debug)]
pub enum ClassModifier {
    /// The class implements the interface from now on.
    AddInterface(QName),
    /// And this one no longer.
    RemoveInterface(QName),
    /// `adds Int x = 0;`
    AddField(FieldDecl),
    /// `removes Int x;`
    RemoveField(Name),
    /// `adds Unit m() { … }`
    AddMethod(Method),
    /// `modifies Unit m() { … }`, in which `original(…)` calls the method as it was.
    ModifyMethod(Method),
    /// `removes Unit m();`
    RemoveMethod(MethodSig),
}

/// One change of an interface.
#[derive(Clone, Debug)]
pub enum InterfaceModifier {
    /// `adds Unit m();`
    Add(MethodSig),
    /// `removes Unit m();`
    Remove(MethodSig),
}

/// `productline L; features F, G; delta D(F.a) after E when F && !G;`
#[derive(Clone, Debug)]
pub struct ProductLine {
    /// The name.
    pub name: Name,
    /// The features.
    pub features: Vec<Name>,
    /// When each delta applies.
    pub clauses: Vec<DeltaClause>,
}

/// When a delta applies, and after which others.
#[derive(Clone, Debug)]
pub struct DeltaClause {
    /// The delta.
    pub delta: Name,
    /// The values of its parameters: features, attributes or constants.
    pub args: Vec<Expr>,
    /// The deltas that come before, if they apply.
    pub after: Vec<Name>,
    /// The features that it needs; always, without one.
    pub when: Option<Expr>,
}

/// `product P(F, G{a = 1});` or `product P = …;`
#[derive(Clone, Debug)]
pub struct Product {
    /// The name.
    pub name: Name,
    /// What it is made of.
    pub expr: ProductExpr,
}

/// A set of features.
#[derive(Clone, Debug)]
pub enum ProductExpr {
    /// These features.
    Features(Vec<Feature>),
    /// Those of another product.
    Product(Name),
    /// Those of both.
    And(Box<ProductExpr>, Box<ProductExpr>),
    /// Those of either.
    Or(Box<ProductExpr>, Box<ProductExpr>),
    /// Those of the first that the second has not.
    Minus(Box<ProductExpr>, Box<ProductExpr>),
}

/// A feature with the values of its attributes.
#[derive(Clone, Debug)]
pub struct Feature {
    /// The feature.
    pub name: Name,
    /// The attributes.
    pub attributes: Vec<(Name, Expr)>,
}

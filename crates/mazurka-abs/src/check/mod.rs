//! From parsed modules to a checked model: names, traits, types.
//!
//! Phases: collect all declarations ([`collect`]), resolve imports and exports ([`imports`]), resolve the types in declarations ([`signatures`]),
//! check the bodies of functions, classes and main blocks ([`body`] and its neighbours).

mod annotations;
mod body;
mod call;
mod class;
mod collect;
mod coverage;
mod effect;
mod expr;
mod finish;
mod flow;
mod function;
mod imports;
mod infer;
mod lambda;
mod lookup;
mod operator;
mod pattern;
mod promises;
mod scope;
mod signatures;
mod stmt;
mod traits;
mod twins;
mod type_use;
mod unsupported;

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::{AccessorId, CheckedModel, DataId, FunctionId, InterfaceId, Selector, Type};
use crate::syntax::ast;
use scope::ModuleScope;

/// A function type: what a function parameter of a partial function takes and gives.
#[derive(Clone, Debug)]
struct FunctionType {
    params: Vec<Type>,
    result: Type,
}

/// How far the check of a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Unchecked,
    Checking,
    Done,
}

/// What the checker knows of a declared function besides its code.
#[derive(Debug)]
struct FunctionInfo<'a> {
    decl: &'a ast::FunctionDecl,
    module: usize,
    params: Vec<Type>,
    /// The types of the function parameters of a partial function, found by checking its body; `None` where the body leaves them open.
    functions: Vec<Option<FunctionType>>,
    progress: Progress,
}

/// A type synonym.
#[derive(Debug)]
struct SynonymInfo<'a> {
    decl: &'a ast::SynonymDecl,
    module: usize,
    /// What it stands for, once resolved.
    value: Option<Type>,
    /// Being resolved: seeing it again means a cycle.
    open: bool,
}

/// A class: where it comes from.
#[derive(Debug)]
struct ClassInfo<'a> {
    decl: &'a ast::ClassDecl,
    annotations: &'a [ast::Annotation],
    module: usize,
    methods: Vec<traits::FlatMethod<'a>>,
}

/// All that is known while checking.
struct Checker<'a> {
    modules: Vec<ModuleScope<'a>>,
    module_names: FxHashMap<Arc<str>, usize>,
    model: CheckedModel,
    functions: Vec<FunctionInfo<'a>>,
    synonyms: Vec<SynonymInfo<'a>>,
    interfaces: Vec<(usize, &'a ast::InterfaceDecl)>,
    classes: Vec<ClassInfo<'a>>,
    traits: Vec<(usize, &'a ast::TraitDecl)>,
    data: Vec<(usize, Option<&'a ast::DataDecl>)>,
    /// Per constructor: the types as written and the module to read them in.
    constructors: Vec<(usize, &'a ast::ConstructorDecl)>,
    accessor_of: FxHashMap<(DataId, Arc<str>), AccessorId>,
    selectors: FxHashMap<Arc<str>, Selector>,
    native: Native,
    /// Kinds of annotations that have been mentioned already: once is enough.
    ignored: FxHashSet<String>,
    diagnostics: Vec<Diagnostic>,
    /// What modules of today's dialect turn out to do as the old one.
    old_style: OldStyle,
    /// How many methods have been hidden behind ones that modify them.
    hidden_methods: u32,
    /// How many synonyms are being resolved inside each other.
    synonym_depth: u32,
    /// How many partial functions are being checked inside each other.
    partial_depth: u32,
}

/// The data types of the standard library that have a type of their own.
#[derive(Clone, Copy, Debug, Default)]
struct Native {
    int: Option<DataId>,
    rat: Option<DataId>,
    float: Option<DataId>,
    string: Option<DataId>,
    future: Option<DataId>,
    destiny: Option<DataId>,
    any: Option<DataId>,
    object: Option<InterfaceId>,
    to_float: Option<FunctionId>,
}

/// Checks parsed files together with the parsed standard library.
///
/// Published programs use plain `new` in today's sense and yet divide as the old dialect does, or call a method with the parameters of its class
/// that its interface does not have. Today's language refuses both. A module that does so is checked again by the rules of the old dialect.
pub(crate) fn check(library: &ast::File, files: &[ast::File]) -> (CheckedModel, Diagnostics) {
    let mut checker = check_once(library, files, &OldStyle::default());
    if checker.old_style != OldStyle::default() {
        checker = check_once(library, files, &checker.old_style);
    }
    (checker.model, checker.diagnostics.into_iter().collect::<Diagnostics>().sorted())
}

/// What modules of today's dialect do as the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OldStyle {
    /// A quotient of integers is wanted as an `Int`: the modules with the first place.
    division: FxHashMap<usize, Span>,
    /// A method is called with the parameters of its class, not of its interface: the modules.
    calls: FxHashSet<usize>,
}

fn check_once<'a>(library: &'a ast::File, files: &'a [ast::File], old_style: &OldStyle) -> Checker<'a> {
    let mut checker = Checker {
        modules: Vec::new(),
        module_names: FxHashMap::default(),
        model: CheckedModel::default(),
        functions: Vec::new(),
        synonyms: Vec::new(),
        interfaces: Vec::new(),
        classes: Vec::new(),
        traits: Vec::new(),
        data: Vec::new(),
        constructors: Vec::new(),
        accessor_of: FxHashMap::default(),
        selectors: FxHashMap::default(),
        native: Native::default(),
        ignored: FxHashSet::default(),
        diagnostics: Vec::new(),
        old_style: OldStyle::default(),
        hidden_methods: 0,
        synonym_depth: 0,
        partial_depth: 0,
    };
    checker.collect(library, true);
    checker.find_natives();
    for file in files {
        checker.collect(file, false);
    }
    for &module in &old_style.calls {
        checker.modules[module].loose = true;
    }
    for (&module, &span) in &old_style.division {
        checker.modules[module].truncates = true;
        let diagnostic = Diagnostic::warning(
            "truncating-division",
            "`/` on integers truncates in this module, as in the old dialect",
        )
        .label(span, "an Int is wanted here")
        .with_note("in today's ABS this is a type error: `/` gives a rational number")
        .with_help("write `truncate(…)` around the quotient");
        checker.report(diagnostic);
    }
    checker.resolve_imports();
    checker.resolve_signatures();
    checker.check_functions();
    checker.check_classes();
    checker.check_mains();
    checker
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Notes a quotient of integers that is wanted as an `Int`. Published programs have classes; in a main block alone it is simply wrong.
    fn truncating_division(&mut self, module: usize, span: Span) {
        if self.modules[module]
            .ast
            .decls
            .iter()
            .any(|decl| matches!(decl.kind, ast::DeclKind::Class(_)))
        {
            self.old_style.division.entry(module).or_insert(span);
        }
    }

    /// Notes a call with the parameters of a class that the interface does not have.
    fn loose_call(&mut self, module: usize) {
        self.old_style.calls.insert(module);
    }

    fn selector(&mut self, name: &Arc<str>) -> Selector {
        if let Some(&selector) = self.selectors.get(name) {
            return selector;
        }
        let selector = Selector(self.model.selectors.len() as u32);
        self.model.selectors.push(Arc::clone(name));
        self.selectors.insert(Arc::clone(name), selector);
        selector
    }

    fn bool_type(&self) -> Type {
        Type::Data(self.model.well_known.bool_type, Arc::from([]))
    }

    fn unit_type(&self) -> Type {
        Type::Data(self.model.well_known.unit_type, Arc::from([]))
    }

    fn exception_type(&self) -> Type {
        Type::Data(self.model.well_known.exception_type, Arc::from([]))
    }

    fn list_of(&self, element: Type) -> Type {
        Type::Data(self.model.well_known.list_type, Arc::from([element]))
    }
}

//! What a name means in a module: own names first, then names imported one by one, then `import *`, then the standard library.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::checked::{AccessorId, ClassId, ConstructorId, DataId, FunctionId, InterfaceId};
use crate::syntax::ast::{Dialect, Module};

/// Names of different spaces do not clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Data types, synonyms and interfaces.
    Type,
    /// Constructors and exceptions.
    Constructor,
    /// Functions and accessors.
    Function,
    /// Partial functions.
    Partial,
    /// Classes.
    Class,
    /// Traits.
    Trait,
}

impl Space {
    pub(super) const ALL: [Space; 6] = [
        Space::Type,
        Space::Constructor,
        Space::Function,
        Space::Partial,
        Space::Class,
        Space::Trait,
    ];

    /// How messages speak of a name of this space.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Space::Type => "type",
            Space::Constructor => "constructor",
            Space::Function => "function",
            Space::Partial => "function with function parameters",
            Space::Class => "class",
            Space::Trait => "trait",
        }
    }

    /// The code of "no such name".
    pub(super) fn unknown_code(self) -> &'static str {
        match self {
            Space::Type => "unknown-type",
            Space::Constructor => "unknown-constructor",
            Space::Function | Space::Partial => "unknown-function",
            Space::Class => "unknown-class",
            Space::Trait => "unknown-trait",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Def {
    Data(DataId),
    Synonym(usize),
    Interface(InterfaceId),
    Constructor(ConstructorId),
    Function(FunctionId),
    Accessor(AccessorId),
    Class(ClassId),
    Trait(usize),
}

pub(super) type Names = FxHashMap<(Space, Arc<str>), Def>;

/// A module and the names it knows.
#[derive(Debug)]
pub(super) struct ModuleScope<'a> {
    pub(super) ast: &'a Module,
    pub(super) dialect: Dialect,
    /// Whether `/` on integers truncates, as in the old dialect.
    pub(super) truncates: bool,
    /// Whether methods of classes and interfaces may differ in their parameters, as in published programs of the old dialect.
    pub(super) loose: bool,
    /// Whether it belongs to the standard library: only there are builtins declared.
    pub(super) library: bool,
    /// What it declares.
    pub(super) own: Names,
    /// What others may use.
    pub(super) exports: Names,
    /// What it imports by name.
    pub(super) imported: FxHashMap<(Space, Arc<str>), Vec<Def>>,
    /// The modules from which it imports everything.
    pub(super) stars: Vec<usize>,
    /// The standard library, unless imported explicitly.
    pub(super) implicit: Option<usize>,
}

impl<'a> ModuleScope<'a> {
    pub(super) fn new(ast: &'a Module, dialect: Dialect, library: bool) -> Self {
        ModuleScope {
            ast,
            dialect,
            truncates: dialect == Dialect::Old,
            loose: dialect == Dialect::Old,
            library,
            own: Names::default(),
            exports: Names::default(),
            imported: FxHashMap::default(),
            stars: Vec::new(),
            implicit: None,
        }
    }
}

/// The meanings of an unqualified name in a module: none, one, or several when imports clash.
pub(super) fn meanings(modules: &[ModuleScope<'_>], module: usize, space: Space, name: &Arc<str>) -> Vec<Def> {
    let scope = &modules[module];
    let key = (space, Arc::clone(name));
    if let Some(&def) = scope.own.get(&key) {
        return vec![def];
    }
    if let Some(defs) = scope.imported.get(&key) {
        return defs.clone();
    }
    let mut defs: Vec<Def> = Vec::new();
    for &star in &scope.stars {
        if let Some(&def) = modules[star].exports.get(&key)
            && !defs.contains(&def)
        {
            defs.push(def);
        }
    }
    if defs.is_empty()
        && let Some(library) = scope.implicit
    {
        defs.extend(modules[library].exports.get(&key));
    }
    // A star import of the standard library does not compete with the user's own modules.
    if defs.len() > 1 {
        let users: Vec<Def> = scope
            .stars
            .iter()
            .filter(|&&star| !modules[star].library)
            .filter_map(|&star| modules[star].exports.get(&key).copied())
            .fold(Vec::new(), |mut found, def| {
                if !found.contains(&def) {
                    found.push(def);
                }
                found
            });
        if !users.is_empty() {
            return users;
        }
    }
    defs
}

/// All names of a space that a module can use without qualification, for "did you mean".
pub(super) fn visible(modules: &[ModuleScope<'_>], module: usize, space: Space) -> Vec<Arc<str>> {
    let scope = &modules[module];
    let own = scope.own.keys().chain(scope.imported.keys());
    let others = scope
        .stars
        .iter()
        .chain(&scope.implicit)
        .flat_map(|&other| modules[other].exports.keys());
    own.chain(others)
        .filter(|(s, _)| *s == space)
        .map(|(_, name)| Arc::clone(name))
        .collect()
}

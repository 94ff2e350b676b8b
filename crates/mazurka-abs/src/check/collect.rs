//! The first phase: every declaration gets a number and a name in its module.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::scope::{Def, ModuleScope, Space};
use super::{Checker, ClassInfo, FunctionInfo, Progress, SynonymInfo};
use crate::checked::{
    Accessor, AccessorId, Body, Class, ClassId, Constructor, ConstructorId, DataId, DataType, Function, FunctionCode, FunctionId,
    Interface, InterfaceId, Type,
};
use crate::syntax::ast::{self, DeclKind};

impl<'a> Checker<'a> {
    pub(super) fn collect(&mut self, file: &'a ast::File, library: bool) {
        for module in &file.modules {
            let index = self.modules.len();
            self.modules.push(ModuleScope::new(module, file.dialect, library));
            if let Some(&first) = self.module_names.get(&module.name.text) {
                let other = &self.modules[first];
                let diagnostic = Diagnostic::error("duplicate-definition", format!("module {} is defined twice", module.name.text))
                    .label(module.name.span, "the second");
                let diagnostic = if other.library {
                    diagnostic.with_note("it belongs to the standard library")
                } else {
                    diagnostic.label(other.ast.name.span, "the first")
                };
                self.report(diagnostic);
            } else {
                self.module_names.insert(Arc::clone(&module.name.text), index);
            }
            for decl in &module.decls {
                self.annotations(&decl.annotations);
                self.collect_decl(index, decl);
            }
        }
    }

    fn collect_decl(&mut self, module: usize, decl: &'a ast::Decl) {
        match &decl.kind {
            DeclKind::Data(data) => self.collect_data(module, data),
            DeclKind::Synonym(synonym) => {
                self.define(module, Space::Type, &synonym.name, Def::Synonym(self.synonyms.len()));
                self.synonyms.push(SynonymInfo {
                    decl: synonym,
                    module,
                    value: None,
                    open: false,
                });
            }
            DeclKind::Exception(exception) => {
                let data = self.model.well_known.exception_type;
                self.collect_constructor(module, data, exception);
            }
            DeclKind::Function(function) => {
                let id = FunctionId(self.model.functions.len() as u32);
                let space = if function.functions.is_some() {
                    Space::Partial
                } else {
                    Space::Function
                };
                self.define(module, space, &function.name, Def::Function(id));
                self.distinct("type parameter", function.type_params.iter());
                self.distinct(
                    "parameter",
                    function.functions.iter().flatten().chain(function.params.iter().map(|p| &p.name)),
                );
                self.functions.push(FunctionInfo {
                    decl: function,
                    module,
                    params: Vec::new(),
                    functions: Vec::new(),
                    progress: Progress::Unchecked,
                });
                self.model.functions.push(Function {
                    name: Arc::clone(&function.name.text),
                    module: self.module_name(module),
                    closures: function.functions.as_ref().map_or(0, Vec::len) as u32,
                    captured: 0,
                    params: function.params.len() as u32,
                    result: Type::Any,
                    body: Body::default(),
                    code: FunctionCode::Builtin,
                    span: function.name.span,
                });
            }
            DeclKind::Interface(interface) => {
                let id = InterfaceId(self.model.interfaces.len() as u32);
                self.define(module, Space::Type, &interface.name, Def::Interface(id));
                self.interfaces.push((module, interface));
                self.model.interfaces.push(Interface {
                    name: Arc::clone(&interface.name.text),
                    module: self.module_name(module),
                    supers: Vec::new(),
                    methods: Vec::new(),
                    span: interface.name.span,
                });
            }
            DeclKind::Class(class) => {
                let id = ClassId(self.model.classes.len() as u32);
                self.define(module, Space::Class, &class.name, Def::Class(id));
                self.distinct(
                    "field",
                    class.params.iter().map(|p| &p.name).chain(class.fields.iter().map(|f| &f.name)),
                );
                self.classes.push(ClassInfo {
                    decl: class,
                    annotations: &decl.annotations,
                    module,
                    methods: Vec::new(),
                });
                self.model.classes.push(Class {
                    name: Arc::clone(&class.name.text),
                    module: self.module_name(module),
                    interfaces: Vec::new(),
                    params: class.params.len() as u32,
                    fields: Vec::new(),
                    body: Body::default(),
                    init: None,
                    recover: Vec::new(),
                    methods: Vec::new(),
                    run: None,
                    span: class.name.span,
                });
            }
            DeclKind::Trait(decl) => {
                self.define(module, Space::Trait, &decl.name, Def::Trait(self.traits.len()));
                self.traits.push((module, decl));
            }
        }
    }

    fn collect_data(&mut self, module: usize, data: &'a ast::DataDecl) {
        if !self.modules[module].library
            && let Some(twin) = self.library_twin(data)
        {
            return self.adopt_twin(module, data, twin);
        }
        let id = DataId(self.model.data_types.len() as u32);
        self.define(module, Space::Type, &data.name, Def::Data(id));
        self.distinct("type parameter", data.params.iter());
        self.data.push((module, Some(data)));
        self.model.data_types.push(DataType {
            name: Arc::clone(&data.name.text),
            module: self.module_name(module),
            params: data.params.iter().map(|p| Arc::clone(&p.text)).collect(),
            constructors: Vec::new(),
            span: data.name.span,
        });
        for constructor in &data.constructors {
            self.collect_constructor(module, id, constructor);
        }
    }

    fn collect_constructor(&mut self, module: usize, data: DataId, decl: &'a ast::ConstructorDecl) {
        let id = ConstructorId(self.model.constructors.len() as u32);
        self.define(module, Space::Constructor, &decl.name, Def::Constructor(id));
        self.constructors.push((module, decl));
        self.model.constructors.push(Constructor {
            name: Arc::clone(&decl.name.text),
            module: self.module_name(module),
            data,
            args: Vec::new(),
            span: decl.name.span,
        });
        if let Some(data_type) = self.model.data_types.get_mut(data.index()) {
            data_type.constructors.push(id);
        }
        self.distinct("accessor", decl.args.iter().filter_map(|arg| arg.accessor.as_ref()));
        for (position, arg) in decl.args.iter().enumerate() {
            let Some(name) = &arg.accessor else { continue };
            let key = (data, Arc::clone(&name.text));
            // Exceptions of different modules share a data type, but not their accessors.
            let exception = data == self.model.well_known.exception_type;
            if let Some(&accessor) = self.accessor_of.get(&key)
                && !exception
            {
                self.model.accessors[accessor.index()].positions.push((id, position as u32));
                continue;
            }
            let accessor = AccessorId(self.model.accessors.len() as u32);
            self.define(module, Space::Function, name, Def::Accessor(accessor));
            self.accessor_of.insert(key, accessor);
            self.model.accessors.push(Accessor {
                name: Arc::clone(&name.text),
                data,
                positions: vec![(id, position as u32)],
                result: Type::Any,
            });
        }
    }

    fn module_name(&self, module: usize) -> Arc<str> {
        Arc::clone(&self.modules[module].ast.name.text)
    }

    /// Enters a name into its module, once.
    pub(super) fn define(&mut self, module: usize, space: Space, name: &ast::Name, def: Def) {
        let key = (space, Arc::clone(&name.text));
        if let Some(&first) = self.modules[module].own.get(&key) {
            let message = format!(
                "the {} `{}` is defined twice in module {}",
                space.describe(),
                name.text,
                self.modules[module].ast.name.text
            );
            let mut diagnostic = Diagnostic::error("duplicate-definition", message).label(name.span, "the second");
            if let Some(span) = self.span_of(first) {
                diagnostic = diagnostic.label(span, "the first");
            }
            self.report(diagnostic);
        } else {
            self.modules[module].own.insert(key, def);
        }
    }

    /// Where a definition stands.
    pub(super) fn span_of(&self, def: Def) -> Option<Span> {
        Some(match def {
            Def::Data(id) => self.model.data_types[id.index()].span,
            Def::Synonym(n) => self.synonyms[n].decl.name.span,
            Def::Interface(id) => self.model.interfaces[id.index()].span,
            Def::Constructor(id) => self.model.constructors[id.index()].span,
            Def::Function(id) => self.model.functions[id.index()].span,
            Def::Accessor(id) => {
                let &(constructor, position) = self.model.accessors[id.index()].positions.first()?;
                self.constructors[constructor.index()].1.args[position as usize]
                    .accessor
                    .as_ref()?
                    .span
            }
            Def::Class(id) => self.model.classes[id.index()].span,
            Def::Trait(n) => self.traits[n].1.name.span,
        })
    }

    /// Reports names that occur twice in a list.
    pub(super) fn distinct<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n ast::Name>) {
        let mut seen: rustc_hash::FxHashMap<&str, Span> = rustc_hash::FxHashMap::default();
        for name in names {
            if let Some(&first) = seen.get(&*name.text) {
                let diagnostic = Diagnostic::error("duplicate-definition", format!("the {what} `{}` is defined twice", name.text))
                    .label(name.span, "the second")
                    .label(first, "the first");
                self.report(diagnostic);
            } else {
                seen.insert(&name.text, name.span);
            }
        }
    }

    /// Finds what the checker and the runtime must know of the standard library.
    pub(super) fn find_natives(&mut self) {
        let find = |space: Space, name: &str| {
            self.modules
                .iter()
                .find_map(|module| module.own.get(&(space, Arc::from(name))).copied())
        };
        let data = |name: &str| match find(Space::Type, name) {
            Some(Def::Data(id)) => Some(id),
            _ => None,
        };
        let constructor = |name: &str| match find(Space::Constructor, name) {
            Some(Def::Constructor(id)) => id,
            _ => ConstructorId(u32::MAX),
        };
        let known = crate::checked::WellKnown {
            unit: constructor("Unit"),
            true_: constructor("True"),
            false_: constructor("False"),
            nothing: constructor("Nothing"),
            just: constructor("Just"),
            nil: constructor("Nil"),
            cons: constructor("Cons"),
            pair: constructor("Pair"),
            triple: constructor("Triple"),
            empty_set: constructor("EmptySet"),
            insert: constructor("Insert"),
            empty_map: constructor("EmptyMap"),
            insert_assoc: constructor("InsertAssoc"),
            division_by_zero: constructor("DivisionByZeroException"),
            assertion_fail: constructor("AssertionFailException"),
            pattern_match_fail: constructor("PatternMatchFailException"),
            null_pointer: constructor("NullPointerException"),
            stack_overflow: constructor("StackOverflowEcxeption"),
            heap_overflow: constructor("HeapOverflowException"),
            keyboard_interrupt: constructor("KeyboardInterruptException"),
            object_dead: constructor("ObjectDeadException"),
            bool_type: data("Bool").unwrap_or(DataId(u32::MAX)),
            unit_type: data("Unit").unwrap_or(DataId(u32::MAX)),
            list_type: data("List").unwrap_or(DataId(u32::MAX)),
            set_type: data("Set").unwrap_or(DataId(u32::MAX)),
            map_type: data("Map").unwrap_or(DataId(u32::MAX)),
            exception_type: data("Exception").unwrap_or(DataId(u32::MAX)),
        };
        let native = super::Native {
            int: data("Int"),
            rat: data("Rat"),
            float: data("Float"),
            string: data("String"),
            future: data("Fut"),
            destiny: data("Destiny"),
            any: data("Any"),
            object: match find(Space::Type, "Object") {
                Some(Def::Interface(id)) => Some(id),
                _ => None,
            },
            to_float: match find(Space::Function, "float") {
                Some(Def::Function(id)) => Some(id),
                _ => None,
            },
        };
        (self.model.well_known, self.native) = (known, native);
        // The exceptions of the library were collected before the type was known.
        for (index, constructor) in self.model.constructors.iter_mut().enumerate() {
            if constructor.data == DataId(u32::MAX) {
                constructor.data = known.exception_type;
                self.model.data_types[known.exception_type.index()]
                    .constructors
                    .push(ConstructorId(index as u32));
            }
        }
    }
}

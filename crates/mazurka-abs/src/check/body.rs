//! The state of checking one body: a function, a class's initialisation, a method, a main block.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::infer::{Infer, show};
use super::{Checker, FunctionType};
use crate::checked::{ClassId, Expr, ExprKind, FieldId, FunctionId, Local, LocalId, Type};
use crate::syntax::ast::{Dialect, Name};

/// Where a body stands, which decides what is allowed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Function,
    Initialiser,
    Init,
    Recover,
    Method,
    Main,
}

/// The variables of a function body or of an anonymous function inside it.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) locals: Vec<Local>,
    names: FxHashMap<Arc<str>, Vec<LocalId>>,
    /// The names in the order in which they came into scope.
    order: Vec<Arc<str>>,
    /// What is known of the function parameters.
    pub(super) functions: FxHashMap<LocalId, Option<FunctionType>>,
    /// The captured fields of an anonymous function.
    pub(super) fields: FxHashMap<FieldId, LocalId>,
    pub(super) this: Option<LocalId>,
    pub(super) destiny: Option<LocalId>,
}

/// A body being checked.
pub(super) struct BodyCheck<'c, 'a> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) module: usize,
    pub(super) dialect: Dialect,
    pub(super) place: Place,
    pub(super) class: Option<ClassId>,
    /// How many fields may be read: in field initialisers only those before.
    pub(super) ready_fields: usize,
    /// The partial function being checked, which calls itself without its function arguments.
    pub(super) partial: Option<FunctionId>,
    /// The name of what surrounds an anonymous function.
    pub(super) owner: Arc<str>,
    pub(super) type_params: Vec<Arc<str>>,
    /// What `return` must give.
    pub(super) result: Option<Type>,
    /// What `original` calls.
    pub(super) original: Option<Arc<str>>,
    /// The deadline that an annotation of the statement gives to the task that it starts.
    pub(super) deadline: Option<Expr>,
    /// How many `finally` blocks surround this place.
    pub(super) finally: u32,
    /// Whether the method promises with `[Atomic]` not to wait.
    pub(super) atomic: bool,
    /// Whether the method promises with `[Readonly]` not to assign fields.
    pub(super) readonly: bool,
    /// The variables that are declared `[Final]`.
    pub(super) finals: FxHashSet<LocalId>,
    pub(super) infer: Infer,
    pub(super) frames: Vec<Frame>,
    /// The anonymous functions lifted out of this body; their types are finished with it.
    pub(super) lifted: Vec<FunctionId>,
}

impl<'c, 'a> BodyCheck<'c, 'a> {
    pub(super) fn new(checker: &'c mut Checker<'a>, module: usize, place: Place, owner: Arc<str>) -> Self {
        let dialect = checker.modules[module].dialect;
        BodyCheck {
            checker,
            module,
            dialect,
            place,
            class: None,
            ready_fields: usize::MAX,
            partial: None,
            owner,
            type_params: Vec::new(),
            result: None,
            original: None,
            deadline: None,
            finally: 0,
            atomic: false,
            readonly: false,
            finals: FxHashSet::default(),
            infer: Infer::default(),
            frames: vec![Frame::default()],
            lifted: Vec::new(),
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, name: &Name, ty: Option<Type>) -> LocalId {
        let frame = self.frame();
        let id = LocalId(frame.locals.len() as u32);
        frame.locals.push(Local {
            name: Arc::clone(&name.text),
            ty,
            span: name.span,
        });
        frame.names.entry(Arc::clone(&name.text)).or_default().push(id);
        frame.order.push(Arc::clone(&name.text));
        id
    }

    /// Brings a declared variable into scope; it must not hide another variable.
    pub(super) fn declare(&mut self, name: &Name, ty: Type) -> LocalId {
        if let Some(id) = self.local(&name.text) {
            let first = self.top().locals[id.index()].span;
            let diagnostic = Diagnostic::error("duplicate-variable", format!("there is already a variable `{}`", name.text))
                .label(name.span, "declared again")
                .label(first, "declared first");
            self.checker.report(diagnostic);
        }
        self.bind(name, Some(ty))
    }

    pub(super) fn local(&self, name: &Arc<str>) -> Option<LocalId> {
        self.top().names.get(name).and_then(|ids| ids.last().copied())
    }

    pub(super) fn local_type(&self, id: LocalId) -> Option<Type> {
        self.top().locals[id.index()].ty.clone()
    }

    /// The number to give to [`Self::leave`].
    pub(super) fn enter(&mut self) -> usize {
        self.top().order.len()
    }

    /// Takes all variables out of scope that came into it since `mark`.
    pub(super) fn leave(&mut self, mark: usize) {
        let frame = self.frame();
        while frame.order.len() > mark {
            if let Some(name) = frame.order.pop()
                && let Some(ids) = frame.names.get_mut(&name)
            {
                ids.pop();
            }
        }
    }

    /// The field of this name, if the body belongs to a class.
    pub(super) fn field(&self, name: &str) -> Option<FieldId> {
        let class = &self.checker.model.classes[self.class?.index()];
        class
            .fields
            .iter()
            .position(|field| &*field.name == name)
            .map(|index| FieldId(index as u32))
    }

    /// Reads a field, in an anonymous function by way of what it has captured.
    pub(super) fn read_field(&mut self, id: FieldId, span: Span) -> Expr {
        let Some(class) = self.class else { return self.broken(span) };
        let field = &self.checker.model.classes[class.index()].fields[id.index()];
        let ty = field.ty.clone();
        if id.index() >= self.ready_fields {
            let diagnostic = Diagnostic::error("used-before-initialised", format!("field `{}` is not initialised yet", field.name))
                .label(span, "read here")
                .label(field.span, "initialised only here")
                .with_help("fields are initialised in the order of the text");
            self.checker.report(diagnostic);
        }
        let kind = match self.top().fields.get(&id) {
            Some(&local) => ExprKind::Local(local),
            None => ExprKind::Field(id),
        };
        Expr { kind, ty, span }
    }

    /// Stands for an expression with an error: its type fits everywhere, so one error does not cause others.
    pub(super) fn broken(&mut self, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Null,
            ty: self.infer.fresh(),
            span,
        }
    }

    pub(super) fn show(&self, ty: &Type) -> String {
        show(&self.checker.model, &self.infer, &self.type_params, ty)
    }

    pub(super) fn fits(&mut self, actual: &Type, expected: &Type) -> bool {
        self.infer.fits(&self.checker.model, actual, expected)
    }

    pub(super) fn join(&mut self, a: &Type, b: &Type) -> Option<Type> {
        self.infer.join(&self.checker.model, a, b)
    }

    /// Demands that a value fits; `why` tells what demands it.
    pub(super) fn demand(&mut self, actual: &Type, expected: &Type, span: Span, why: &str) {
        if self.fits(actual, expected) {
            return;
        }
        // The old dialect had no `Rat`: `abs`, `pow` and times were integers, and so are their values in such a program.
        if self.dialect == Dialect::Old && matches!((self.infer.shallow(actual), self.infer.shallow(expected)), (Type::Rat, Type::Int)) {
            return;
        }
        let (found, wanted) = (self.show(actual), self.show(expected));
        let mut diagnostic = Diagnostic::error("type-mismatch", format!("expected {wanted}, found {found}")).label(span, why);
        match (self.infer.shallow(actual), self.infer.shallow(expected)) {
            (Type::Rat, Type::Int) => diagnostic = diagnostic.with_help("`/` gives a rational number; `truncate(…)` makes an Int of it"),
            (Type::Int | Type::Rat, Type::Float) => diagnostic = diagnostic.with_help("`float(…)` makes a Float of it"),
            (Type::Float, Type::Rat) => diagnostic = diagnostic.with_help("`rat(…)` makes a Rat of it"),
            (Type::Float, Type::Int) => diagnostic = diagnostic.with_help("`floor(…)` or `ceil(…)` makes an Int of it"),
            (_, Type::String) => diagnostic = diagnostic.with_help("`toString(…)` makes a String of any value"),
            (Type::Future(value), expected) if self.fits(&value, &expected) => {
                diagnostic = diagnostic.with_help("this is a future: `.get` waits for its value, `await o!m(…)` does so without blocking");
            }
            (Type::Class(class), Type::Interface(interface)) => {
                let (class, interface) = (
                    &self.checker.model.classes[class.index()].name,
                    &self.checker.model.interfaces[interface.index()].name,
                );
                diagnostic = diagnostic.with_help(format!("class {class} does not implement interface {interface}"));
            }
            _ => {}
        }
        self.checker.report(diagnostic);
    }

    /// Reports a wrong number of arguments.
    pub(super) fn arity(&mut self, what: &str, wanted: usize, found: usize, span: Span, declared: Option<Span>) {
        let takes = match wanted {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let given = if found == 1 {
            "one is given".to_owned()
        } else {
            format!("{found} are given")
        };
        let mut diagnostic = Diagnostic::error("wrong-number-of-arguments", format!("{what} takes {takes}, but {given}")).label(span, "");
        if let Some(declared) = declared {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.checker.report(diagnostic);
    }

    /// Whether a type has grown beyond all reason; working on would take for ever.
    pub(super) fn too_large(&mut self, ty: &Type, span: Span) -> bool {
        let mut budget = super::type_use::MAX_TYPE;
        if self.measure(ty, &mut budget) {
            return false;
        }
        self.checker
            .report(Diagnostic::error("type-too-large", "the type of this expression is too large").label(span, ""));
        true
    }

    fn measure(&self, ty: &Type, budget: &mut u32) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match self.infer.shallow(ty) {
            Type::Data(_, args) => args.iter().all(|arg| self.measure(arg, budget)),
            Type::Future(value) => self.measure(&value, budget),
            _ => true,
        }
    }
}

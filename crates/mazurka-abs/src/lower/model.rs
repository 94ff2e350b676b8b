//! Lowering of the whole model: constructors, functions, classes, the main block.

use super::emit::Emitter;
use super::expr::{builtin, immediate};
use super::futures;
use super::stmt::Body;
use crate::checked::{CheckedModel, ConstructorId, Expr, ExprKind, FunctionCode, Pattern, PatternKind};
use crate::code::{Class, Code, Guard, Kind, Op, Pattern as CodePattern, Program, Symbols};
use crate::value::{Ctor, Value};
use rustc_hash::FxHashMap;

/// What to lower besides the model itself.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Which of the main blocks.
    pub main: usize,
    /// A condition over the main block's visible variables.
    pub property: Option<Expr>,
}

/// The tables that grow while a model is lowered.
pub struct Lowering<'m> {
    /// The model.
    pub model: &'m CheckedModel,
    /// Constants so far.
    pub constants: Vec<Value>,
    /// Patterns so far.
    pub patterns: Vec<CodePattern>,
    /// Whether `destiny` occurred.
    pub uses_destiny: bool,
    /// The name of the code that is being lowered.
    pub name: String,
    guards: Vec<Guard>,
    codes: Vec<Option<Code>>,
    ctors: Vec<Ctor>,
    methods: Vec<FxHashMap<u32, u32>>,
    wrappers: FxHashMap<usize, u32>,
}

/// Lowers a checked model. `None` if it has no such main block.
pub fn lower(model: &CheckedModel, request: &Request) -> Option<Program> {
    let main = model.mains.get(request.main)?;
    let (ctors, symbols) = constructors(model);
    let mut lowering = Lowering {
        model,
        constants: Vec::new(),
        patterns: Vec::new(),
        uses_destiny: false,
        name: String::new(),
        guards: Vec::new(),
        codes: Vec::new(),
        ctors,
        methods: Vec::new(),
        wrappers: FxHashMap::default(),
    };
    lowering.codes.resize_with(model.functions.len(), || None);
    for class in &model.classes {
        let mut codes = FxHashMap::default();
        for method in &class.methods {
            codes.insert(method.selector.0, lowering.codes.len() as u32);
            lowering.codes.push(None);
        }
        lowering.methods.push(codes);
    }
    for function in 0..model.functions.len() {
        lowering.function(function);
    }
    let classes: Vec<Class> = (0..model.classes.len()).map(|class| lowering.class(class)).collect();
    lowering.name = format!("{}.main", main.module);
    let out = Emitter::new(Kind::Main, lowering.name.clone(), main.span, 0, main.body.locals.len() as u32, 0);
    let mut body = Body::new(&mut lowering, out, None);
    body.block(&main.code);
    body.end(main.span);
    let code = body.out.finish();
    let main_code = lowering.add_code(code);
    let property = request.property.as_ref().map(|e| {
        let captured: Vec<u32> = main.visible.iter().map(|local| local.0).collect();
        let mut out = Emitter::capturing(Kind::Function, "property".to_owned(), e.span, &captured);
        lowering.tail(e, &mut out);
        lowering.add_code(out.finish())
    });
    let main_variables = main
        .visible
        .iter()
        .map(|local| (main.body.locals[local.index()].name.to_string(), local.0))
        .collect();
    Some(lowering.finish(classes, symbols, main_code, property, main_variables))
}

/// The number of each constructor of a checked model in the lowered one.
#[must_use]
pub fn constructor_numbers(model: &CheckedModel) -> Vec<Ctor> {
    constructors(model).0
}

/// Numbers the constructors, those that the machine knows first.
fn constructors(model: &CheckedModel) -> (Vec<Ctor>, Symbols) {
    let w = &model.well_known;
    let known = [
        w.false_,
        w.true_,
        w.unit,
        w.nil,
        w.cons,
        w.nothing,
        w.just,
        w.pair,
        w.empty_set,
        w.insert,
        w.empty_map,
        w.insert_assoc,
        w.division_by_zero,
        w.assertion_fail,
        w.pattern_match_fail,
        w.null_pointer,
        w.stack_overflow,
        w.heap_overflow,
        w.keyboard_interrupt,
        w.object_dead,
    ];
    let mut ctors = vec![Ctor(u32::MAX); model.constructors.len()];
    let mut names: Vec<String> = Vec::new();
    for id in known {
        if let Some(place) = ctors.get_mut(id.index()) {
            *place = Ctor(names.len() as u32);
        }
        let name = model.constructors.get(id.index()).map_or("", |c| &c.name);
        names.push(name.to_owned());
    }
    for (place, constructor) in ctors.iter_mut().zip(&model.constructors) {
        if place.0 == u32::MAX {
            *place = Ctor(names.len() as u32);
            names.push(constructor.name.to_string());
        }
    }
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by(|a, b| names[*a as usize].cmp(&names[*b as usize]).then(a.cmp(b)));
    let mut ranks = vec![0; names.len()];
    for (rank, ctor) in order.into_iter().enumerate() {
        ranks[ctor as usize] = rank as u32;
    }
    let classes = model.classes.iter().map(|c| format!("{}.{}", c.module, c.name)).collect();
    (
        ctors,
        Symbols {
            ctors: names,
            ranks,
            classes,
        },
    )
}

impl<'m> Lowering<'m> {
    /// The number of a constructor.
    pub fn ctor(&self, id: ConstructorId) -> Ctor {
        self.ctors[id.index()]
    }

    /// Adds a guard.
    pub fn guard(&mut self, guard: Guard) -> u32 {
        self.guards.push(guard);
        self.guards.len() as u32 - 1
    }

    /// Adds code.
    pub fn add_code(&mut self, code: Code) -> u32 {
        self.codes.push(Some(code));
        self.codes.len() as u32 - 1
    }

    /// The code of a method.
    pub fn method_code(&self, class: usize, selector: u32) -> Option<u32> {
        self.methods[class].get(&selector).copied()
    }

    /// A function that applies a builtin, for closures.
    pub fn builtin_wrapper(&mut self, function: usize) -> u32 {
        if let Some(&code) = self.wrappers.get(&function) {
            return code;
        }
        let it = &self.model.functions[function];
        let mut out = Emitter::new(Kind::Function, it.name.to_string(), it.span, it.params, it.params, 0);
        for slot in 0..it.params {
            out.emit(Op::Local(slot), it.span);
        }
        let op = self.call(function, it.params as usize);
        out.emit(op, it.span);
        out.emit(Op::Return, it.span);
        let code = self.add_code(out.finish());
        self.wrappers.insert(function, code);
        code
    }

    fn function(&mut self, function: usize) {
        let it = &self.model.functions[function];
        self.name = format!("{}.{}", it.module, it.name);
        let params = it.closures + it.captured + it.params;
        let mut out = Emitter::new(Kind::Function, self.name.clone(), it.span, params, it.body.locals.len() as u32, 0);
        match &it.code {
            FunctionCode::Expr(e) => self.tail(e, &mut out),
            FunctionCode::Builtin => {
                // Only builtins that the machine does not know are called as code; they have no meaning here.
                if builtin(&it.name).is_none() {
                    out.emit(Op::NoMatch, it.span);
                }
            }
        }
        self.codes[function] = Some(out.finish());
    }

    fn class(&mut self, class: usize) -> Class {
        let model = self.model;
        let it = &model.classes[class];
        let name = format!("{}.{}", it.module, it.name);
        let number = class as u32;
        let blank: Vec<Value> = it
            .fields
            .iter()
            .map(|field| field.init.as_ref().and_then(|e| immediate(self, e)).unwrap_or(Value::Null))
            .collect();
        self.name = format!("{name} (initialisation)");
        let out = Emitter::new(Kind::Init(number), self.name.clone(), it.span, 0, it.body.locals.len() as u32, 0);
        let mut body = Body::new(self, out, Some(class));
        for (i, field) in it.fields.iter().enumerate() {
            if let Some(e) = &field.init
                && immediate(body.lowering, e).is_none()
            {
                body.lowering.expr(e, &mut body.out);
                body.out.emit(Op::SetField(i as u32), e.span);
            }
        }
        if let Some(init) = &it.init {
            body.block(init);
        }
        let init = if body.out.here() == 0 {
            None
        } else {
            body.end(it.span);
            let code = body.out.finish();
            Some(self.add_code(code))
        };
        let recover = (!it.recover.is_empty()).then(|| {
            self.name = format!("{name} (recover)");
            let out = Emitter::new(Kind::Recover(number), self.name.clone(), it.span, 0, it.body.locals.len() as u32, 1);
            let mut body = Body::new(self, out, Some(class));
            body.recover(&it.recover, it.span);
            let code = body.out.finish();
            self.add_code(code)
        });
        let mut methods = vec![None; model.selectors.len()];
        let mut run = None;
        for (i, method) in it.methods.iter().enumerate() {
            let selector = method.selector.0;
            let code = self.methods[class][&selector];
            methods[method.selector.index()] = Some(code);
            if it.run == Some(i as u32) {
                run = Some(code);
            }
            self.name = format!("{name}.{}", model.selectors[method.selector.index()]);
            let kind = Kind::Method { class: number, selector };
            let out = Emitter::new(
                kind,
                self.name.clone(),
                method.span,
                method.params,
                method.body.locals.len() as u32,
                0,
            );
            let mut body = Body::new(self, out, Some(class));
            body.block(&method.code);
            body.end(method.code.span);
            self.codes[code as usize] = Some(body.out.finish());
        }
        let mut interfaces = vec![false; model.interfaces.len()];
        for interface in &it.interfaces {
            interfaces[interface.index()] = true;
        }
        Class {
            name,
            fields: it.fields.iter().map(|f| f.name.to_string()).collect(),
            blank,
            params: it.params,
            constant: Vec::new(),
            methods,
            init,
            recover,
            run,
            interfaces,
        }
    }

    fn finish(
        self,
        mut classes: Vec<Class>,
        symbols: Symbols,
        main: u32,
        property: Option<u32>,
        main_variables: Vec<(String, u32)>,
    ) -> Program {
        let mut codes: Vec<Code> = self.codes.into_iter().flatten().collect();
        let mut guards = self.guards;
        for class in &mut classes {
            class.constant = vec![true; class.fields.len()];
        }
        for code in &codes {
            if let Kind::Method { class, .. } | Kind::Recover(class) = code.kind {
                for op in &code.ops {
                    if let Op::SetField(field) = op {
                        classes[class as usize].constant[*field as usize] = false;
                    }
                }
            }
        }
        futures::annotate(&mut codes, &mut guards, &self.patterns);
        let field_futures = guards
            .iter()
            .any(|g| g.futures.iter().any(|f| matches!(f, crate::code::FutureAt::Field(_))));
        let timed = guards.iter().any(|guard| !guard.durations.is_empty())
            || codes.iter().any(|code| code.ops.iter().any(|op| matches!(op, Op::Sleep)));
        let reads_clock = codes
            .iter()
            .zip(futures::telling_time(&codes))
            .enumerate()
            .any(|(i, (code, tells))| tells && (code.kind != Kind::Function || property == Some(i as u32)));
        let accessors = self
            .model
            .accessors
            .iter()
            .map(|a| a.positions.iter().map(|(ctor, at)| (self.ctors[ctor.index()], *at)).collect())
            .collect();
        Program {
            codes,
            constants: self.constants,
            patterns: self.patterns,
            guards,
            accessors,
            classes,
            selectors: self.model.selectors.iter().map(ToString::to_string).collect(),
            symbols,
            main,
            main_variables,
            property,
            uses_destiny: self.uses_destiny,
            field_futures,
            timed,
            reads_clock,
        }
    }

    /// Adds the variables and fields that an expression reads; variables bound inside it are not counted.
    pub fn reads(&self, e: &Expr, locals: &mut Vec<u32>, fields: &mut Vec<u32>) {
        let mut bound = Vec::new();
        let mut read = Vec::new();
        visit(e, &mut |e| match e {
            Seen::Local(local) => read.push(local),
            Seen::Bound(local) => bound.push(local),
            Seen::Field(field) => {
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
        });
        for local in read {
            if !bound.contains(&local) && !locals.contains(&local) {
                locals.push(local);
            }
        }
    }
}

enum Seen {
    Local(u32),
    Bound(u32),
    Field(u32),
}

fn visit(e: &Expr, seen: &mut impl FnMut(Seen)) {
    match &e.kind {
        ExprKind::Local(local) | ExprKind::ClosureLocal(local) => seen(Seen::Local(local.0)),
        ExprKind::Field(field) => seen(Seen::Field(field.0)),
        ExprKind::CallClosure(local, args) => {
            seen(Seen::Local(local.0));
            args.iter().for_each(|e| visit(e, seen));
        }
        ExprKind::Construct(_, args)
        | ExprKind::List(args)
        | ExprKind::Call(_, args)
        | ExprKind::Closure(_, args)
        | ExprKind::Concat(args) => args.iter().for_each(|e| visit(e, seen)),
        ExprKind::Access(_, of) | ExprKind::Unary(_, of) | ExprKind::Implements(of, _) | ExprKind::As(of, _) => visit(of, seen),
        ExprKind::Binary(_, left, right) => {
            visit(left, seen);
            visit(right, seen);
        }
        ExprKind::If(condition, then, otherwise) => {
            visit(condition, seen);
            visit(then, seen);
            visit(otherwise, seen);
        }
        ExprKind::Case(of, branches) => {
            visit(of, seen);
            for branch in branches {
                visit_pattern(&branch.pattern, seen);
                visit(&branch.body, seen);
            }
        }
        ExprKind::Let(local, value, body) => {
            seen(Seen::Bound(local.0));
            visit(value, seen);
            visit(body, seen);
        }
        ExprKind::Literal(_)
        | ExprKind::This
        | ExprKind::Destiny
        | ExprKind::Null
        | ExprKind::ClosureAccess(_)
        | ExprKind::ClosureConstruct(_) => {}
    }
}

fn visit_pattern(pattern: &Pattern, seen: &mut impl FnMut(Seen)) {
    match &pattern.kind {
        PatternKind::Bind(local) => seen(Seen::Bound(local.0)),
        PatternKind::Equal(e) => visit(e, seen),
        PatternKind::Construct(_, args) => args.iter().for_each(|p| visit_pattern(p, seen)),
        PatternKind::Wildcard | PatternKind::Literal(_) => {}
    }
}

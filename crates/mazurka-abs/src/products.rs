//! From a product line to one product: the deltas that its features ask for are applied to the program, one after the other, before
//! anything is checked. What a delta brings keeps its place in the text, so messages and counterexamples lead back to the delta.

use crate::syntax::ast::{
    BinaryOp, Block, ClassDecl, ClassModifier, Decl, DeclKind, Delta, DeltaClause, Expr, ExprKind, File, FunctionBody, InterfaceModifier,
    Kind, Method, Modifier, ModifierKind, Module, Name, Product, ProductExpr, QName, Stmt, StmtKind, TraitBase, TraitOperation, Type,
    UnaryOp,
};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The features of a product, each with the values of its attributes.
type Features = FxHashMap<Arc<str>, FxHashMap<Arc<str>, Expr>>;

type Result<T> = std::result::Result<T, Diagnostic>;

/// The products that the files name, in the order of the text.
pub fn names(files: &[File]) -> Vec<String> {
    products(files).map(|product| product.name.text.to_string()).collect()
}

fn products(files: &[File]) -> impl Iterator<Item = &Product> {
    files.iter().flat_map(|file| &file.variants.products)
}

/// Turns the files into those of a product.
///
/// # Errors
/// There is no such product, or its deltas do not fit.
pub fn apply(files: &mut [File], product: &str) -> std::result::Result<(), Diagnostics> {
    let steps = plan(files, product).map_err(Diagnostics::from)?;
    for (delta, values) in steps {
        for modifier in &delta.modifiers {
            modify(files, &delta, &values, modifier).map_err(Diagnostics::from)?;
        }
    }
    Ok(())
}

/// The values of a delta's parameters.
type Values = Vec<(Type, Name, Expr)>;

/// The deltas that apply, in the order in which they do, with the values of their parameters.
fn plan(files: &[File], wanted: &str) -> Result<Vec<(Delta, Values)>> {
    let Some(product) = products(files).find(|product| &*product.name.text == wanted) else {
        let message = format!("there is no product `{wanted}`");
        return Err(Diagnostic::error("unknown-name", message).did_you_mean(wanted, names(files).iter().map(String::as_str)));
    };
    let features = features(files, &product.expr, 0)?;
    let lines: Vec<_> = files.iter().flat_map(|file| &file.variants.lines).collect();
    for name in features.keys() {
        if !lines.is_empty() && !lines.iter().any(|line| line.features.iter().any(|feature| feature.text == *name)) {
            let message = format!("no product line has the feature `{name}`");
            return Err(Diagnostic::error("unknown-name", message).label(product.name.span, "this product has it"));
        }
    }
    let mut clauses: Vec<&DeltaClause> = Vec::new();
    for clause in lines.iter().flat_map(|line| &line.clauses) {
        if clause.when.as_ref().map_or(Ok(true), |when| holds(when, &features))? {
            clauses.push(clause);
        }
    }
    let mut steps = Vec::new();
    for clause in ordered(clauses)? {
        let mut deltas = files.iter().flat_map(|file| &file.variants.deltas);
        let Some(delta) = deltas.find(|delta| delta.name.text == clause.delta.text) else {
            return Err(unknown("delta", &clause.delta));
        };
        if delta.params.len() != clause.args.len() {
            let message = format!(
                "delta {} takes {} values, not {}",
                delta.name.text,
                delta.params.len(),
                clause.args.len()
            );
            return Err(Diagnostic::error("wrong-number-of-arguments", message)
                .label(clause.delta.span, "")
                .label(delta.name.span, "declared here"));
        }
        let mut values = Vec::new();
        for ((ty, name), arg) in delta.params.iter().zip(&clause.args) {
            values.push((ty.clone(), name.clone(), value(arg, &features)?));
        }
        steps.push((delta.clone(), values));
    }
    Ok(steps)
}

fn unknown(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::error("unknown-name", format!("there is no {what} `{}`", name.text)).label(name.span, "not found")
}

/// What a product expression stands for; `depth`: through so many products already.
fn features(files: &[File], expr: &ProductExpr, depth: usize) -> Result<Features> {
    Ok(match expr {
        ProductExpr::Features(list) => list
            .iter()
            .map(|feature| {
                let attributes = feature
                    .attributes
                    .iter()
                    .map(|(name, value)| (Arc::clone(&name.text), value.clone()));
                (Arc::clone(&feature.name.text), attributes.collect())
            })
            .collect(),
        ProductExpr::Product(name) => match products(files).find(|product| product.name.text == name.text) {
            Some(_) if depth > 100 => {
                let message = format!("product `{}` is defined by itself", name.text);
                return Err(Diagnostic::error("cyclic-product", message).label(name.span, "leads back here"));
            }
            Some(product) => features(files, &product.expr, depth + 1)?,
            None => return Err(unknown("product", name)),
        },
        ProductExpr::And(left, right) => {
            let (mut left, right) = (features(files, left, depth)?, features(files, right, depth)?);
            left.retain(|name, _| right.contains_key(name));
            left
        }
        ProductExpr::Or(left, right) => {
            let (mut left, right) = (features(files, left, depth)?, features(files, right, depth)?);
            left.extend(right);
            left
        }
        ProductExpr::Minus(left, right) => {
            let (mut left, right) = (features(files, left, depth)?, features(files, right, depth)?);
            left.retain(|name, _| !right.contains_key(name));
            left
        }
    })
}

/// The clauses with every delta after those that it has to come after; otherwise as they are written.
fn ordered(mut clauses: Vec<&DeltaClause>) -> Result<Vec<&DeltaClause>> {
    let mut ordered = Vec::new();
    while !clauses.is_empty() {
        let free = |clause: &&DeltaClause| {
            let waits = |other: &&DeltaClause| clause.after.iter().any(|after| after.text == other.delta.text);
            !clauses.iter().any(waits)
        };
        let Some(at) = clauses.iter().position(free) else {
            let message = "these deltas have to come after each other";
            let diagnostic = Diagnostic::error("cyclic-deltas", message);
            return Err(clauses.iter().fold(diagnostic, |d, clause| d.label(clause.delta.span, "")));
        };
        ordered.push(clauses.remove(at));
    }
    Ok(ordered)
}

/// Whether an application condition holds.
fn holds(when: &Expr, features: &Features) -> Result<bool> {
    match &when.kind {
        ExprKind::Unary(UnaryOp::Not, of) => Ok(!holds(of, features)?),
        ExprKind::Binary(BinaryOp::And, a, b) => Ok(holds(a, features)? && holds(b, features)?),
        ExprKind::Binary(BinaryOp::Or, a, b) => Ok(holds(a, features)? || holds(b, features)?),
        ExprKind::Binary(operator @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
            let equal = constant(&value(a, features)?)? == constant(&value(b, features)?)?;
            Ok(equal == (*operator == BinaryOp::Equal))
        }
        ExprKind::Construct(name, args) if args.is_empty() => Ok(match &*name.name {
            "True" => true,
            "False" => false,
            feature => features.contains_key(feature),
        }),
        _ => Err(Diagnostic::error("not-a-condition", "expected features joined by `&&`, `||` and `!`").label(when.span, "")),
    }
}

/// The value of a parameter: an attribute of a feature, whether there is a feature, or a constant.
fn value(arg: &Expr, features: &Features) -> Result<Expr> {
    match &arg.kind {
        ExprKind::Var(QName {
            module: Some(feature),
            name,
            ..
        }) => {
            let attributes = features.get(feature);
            attributes.and_then(|attributes| attributes.get(name)).cloned().ok_or_else(|| {
                let message = format!("the product gives the attribute `{feature}.{name}` no value");
                Diagnostic::error("unknown-name", message).label(arg.span, "")
            })
        }
        ExprKind::Construct(name, args) if args.is_empty() && !matches!(&*name.name, "True" | "False") => {
            let truth = if features.contains_key(&name.name) { "True" } else { "False" };
            Ok(Expr {
                kind: ExprKind::Construct(
                    QName {
                        module: None,
                        name: truth.into(),
                        span: arg.span,
                    },
                    Vec::new(),
                ),
                span: arg.span,
            })
        }
        _ => Ok(arg.clone()),
    }
}

/// A constant as a text.
fn constant(value: &Expr) -> Result<String> {
    match &value.kind {
        ExprKind::Int(digits) => Ok(digits.to_string()),
        ExprKind::Str(text) => Ok(format!("{text:?}")),
        ExprKind::Construct(name, args) if args.is_empty() => Ok(name.name.to_string()),
        ExprKind::Unary(UnaryOp::Negate, of) => Ok(format!("-{}", constant(of)?)),
        _ => Err(Diagnostic::error("not-a-condition", "expected a number, a string or a truth value").label(value.span, "")),
    }
}

fn modify(files: &mut [File], delta: &Delta, values: &Values, modifier: &Modifier) -> Result<()> {
    let (named, at) = match &modifier.kind {
        ModifierKind::Add(module, _) | ModifierKind::Replace(module, _) => (module.clone(), modifier.span),
        ModifierKind::Remove(_, name) | ModifierKind::Class(name, _) | ModifierKind::Interface(name, _) => (name.module.clone(), name.span),
        ModifierKind::Import(import) => (None, import.span),
        ModifierKind::Export(export) => (None, export.span),
    };
    let Some(home) = named.or_else(|| delta.uses.as_ref().map(|uses| Arc::clone(&uses.text))) else {
        let message = format!("it is not said which module delta {} changes here", delta.name.text);
        return Err(Diagnostic::error("unknown-module", message)
            .label(at, "")
            .with_help("write `uses M;` at the beginning of the delta, or the module before the name"));
    };
    let mut modules = files.iter_mut().flat_map(|file| &mut file.modules);
    let Some(module) = modules.find(|module| module.name.text == home) else {
        return Err(Diagnostic::error("unknown-module", format!("there is no module `{home}`")).label(at, "changed here"));
    };
    match &modifier.kind {
        ModifierKind::Add(_, decl) => {
            let mut decl = Decl::clone(decl);
            give_values(&mut decl, values);
            module.decls.push(decl);
        }
        ModifierKind::Replace(_, decl) => {
            let text = |decl: &Decl| name_of(decl).map(|name| Arc::clone(&name.text));
            let wanted = text(decl);
            let old = module.decls.iter_mut().find(|old| wanted.is_some() && text(old) == wanted);
            *old.ok_or_else(|| missing(&home, "data type", name_of(decl).map_or("", |name| &name.text), at))? = Decl::clone(decl);
        }
        ModifierKind::Remove(kind, name) => {
            let at = find(module, *kind, name)?;
            module.decls.remove(at);
        }
        ModifierKind::Class(name, changes) => {
            let at = find(module, Kind::Class, name)?;
            if let DeclKind::Class(class) = &mut module.decls[at].kind {
                changes.iter().try_for_each(|change| change_class(class, change, values))?;
            }
        }
        ModifierKind::Interface(name, changes) => {
            let at = find(module, Kind::Interface, name)?;
            if let DeclKind::Interface(interface) = &mut module.decls[at].kind {
                for change in changes {
                    match change {
                        InterfaceModifier::Add(sig) => interface.methods.push(sig.clone()),
                        InterfaceModifier::Remove(sig) => {
                            let at = interface.methods.iter().position(|known| known.name.text == sig.name.text);
                            interface.methods.remove(at.ok_or_else(|| unknown("method", &sig.name))?);
                        }
                    }
                }
            }
        }
        ModifierKind::Import(import) => module.imports.push(import.clone()),
        ModifierKind::Export(export) => module.exports.push(export.clone()),
    }
    Ok(())
}

fn name_of(decl: &Decl) -> Option<&Name> {
    match &decl.kind {
        DeclKind::Class(class) => Some(&class.name),
        DeclKind::Interface(interface) => Some(&interface.name),
        DeclKind::Data(data) => Some(&data.name),
        DeclKind::Synonym(synonym) => Some(&synonym.name),
        DeclKind::Exception(_) | DeclKind::Function(_) | DeclKind::Trait(_) => None,
    }
}

fn missing(module: &str, what: &str, name: &str, at: Span) -> Diagnostic {
    Diagnostic::error("unknown-name", format!("module {module} has no {what} `{name}`")).label(at, "changed here")
}

/// Where a class or interface stands in its module.
fn find(module: &Module, kind: Kind, name: &QName) -> Result<usize> {
    let (what, such): (_, fn(&DeclKind) -> bool) = match kind {
        Kind::Class => ("class", |decl| matches!(decl, DeclKind::Class(_))),
        Kind::Interface => ("interface", |decl| matches!(decl, DeclKind::Interface(_))),
    };
    let of_name = |decl: &Decl| such(&decl.kind) && name_of(decl).is_some_and(|known| known.text == name.name);
    module
        .decls
        .iter()
        .position(of_name)
        .ok_or_else(|| missing(&module.name.text, what, &name.name, name.span))
}

fn change_class(class: &mut ClassDecl, change: &ClassModifier, values: &Values) -> Result<()> {
    match change {
        ClassModifier::AddInterface(name) => class.implements.push(name.clone()),
        ClassModifier::RemoveInterface(name) => {
            let at = class.implements.iter().position(|known| known.name == name.name);
            let message = || format!("class {} does not implement `{}`", class.name.text, name.name);
            let at = at.ok_or_else(|| Diagnostic::error("unknown-name", message()).label(name.span, "removed here"))?;
            class.implements.remove(at);
        }
        ClassModifier::AddField(field) => {
            let mut field = field.clone();
            if let Some(init) = &mut field.init {
                give(init, values);
            }
            class.fields.push(field);
        }
        ClassModifier::RemoveField(name) => {
            let at = class.fields.iter().position(|field| field.name.text == name.text);
            class.fields.remove(at.ok_or_else(|| unknown("field", name))?);
        }
        ClassModifier::AddMethod(method) => class.changes.push(TraitOperation::Adds(methods(method, values))),
        ClassModifier::ModifyMethod(method) => {
            let name = &method.sig.name;
            let known = class.methods.iter().any(|own| own.sig.name.text == name.text) || class.changes.iter().any(|c| brings(c, name));
            if !known && class.uses.is_empty() {
                return Err(unknown("method", name));
            }
            class.changes.push(TraitOperation::Modifies(methods(method, values)));
        }
        ClassModifier::RemoveMethod(sig) => class.changes.push(TraitOperation::Removes(vec![sig.clone()])),
    }
    Ok(())
}

fn brings(change: &TraitOperation, name: &Name) -> bool {
    match change {
        TraitOperation::Adds(TraitBase::Methods(methods)) => methods.iter().any(|method| method.sig.name.text == name.text),
        _ => false,
    }
}

fn methods(method: &Method, values: &Values) -> TraitBase {
    let mut method = method.clone();
    give_block(&mut method.body, values);
    TraitBase::Methods(vec![method])
}

/// The parameters of the delta are variables of what it brings.
fn give_block(block: &mut Block, values: &Values) {
    let declare = |(ty, name, value): &(Type, Name, Expr)| Stmt {
        annotations: Vec::new(),
        kind: StmtKind::Declare(ty.clone(), name.clone(), Some(value.clone())),
        span: value.span,
    };
    block.stmts.splice(0..0, values.iter().map(declare));
}

fn give(expr: &mut Expr, values: &Values) {
    for (ty, name, value) in values.iter().rev() {
        let span = expr.span;
        let body = std::mem::replace(
            expr,
            Expr {
                kind: ExprKind::Error,
                span,
            },
        );
        expr.kind = ExprKind::Let(ty.clone(), name.clone(), Box::new(value.clone()), Box::new(body));
    }
}

fn give_values(decl: &mut Decl, values: &Values) {
    match &mut decl.kind {
        DeclKind::Class(class) => {
            class
                .fields
                .iter_mut()
                .filter_map(|field| field.init.as_mut())
                .for_each(|init| give(init, values));
            class.init.iter_mut().for_each(|block| give_block(block, values));
            class.methods.iter_mut().for_each(|method| give_block(&mut method.body, values));
        }
        DeclKind::Function(function) => {
            if let FunctionBody::Expr(body) = &mut function.body {
                give(body, values);
            }
        }
        _ => {}
    }
}

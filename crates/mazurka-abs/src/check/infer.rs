//! Types that are not known yet, subtyping and joins.
//!
//! A type variable collects lower bounds: the first type that must fit it becomes its value, a later one that does not fit widens it (`Int` to
//! `Rat`, an interface to a common super-interface). Data types and futures are covariant, so widening is sound for everything that was
//! already checked against the variable.

use std::sync::Arc;

use crate::checked::{CheckedModel, InterfaceId, Type};

/// The type of what has an error that was reported, or of what is left open: fits everywhere, so that one error does not cause others.
pub(super) const BROKEN: Type = Type::Unknown(u32::MAX);

/// The type variables of one body.
#[derive(Debug, Default)]
pub(super) struct Infer {
    values: Vec<Option<Type>>,
}

impl Infer {
    /// A new type variable.
    pub(super) fn fresh(&mut self) -> Type {
        self.values.push(None);
        Type::Unknown(self.values.len() as u32 - 1)
    }

    /// The type with variables at the top replaced by their values.
    pub(super) fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Unknown(v) = ty
            && let Some(Some(value)) = self.values.get(*v as usize)
        {
            ty = value;
        }
        ty.clone()
    }

    /// The last variable of a chain of variables.
    fn root(&self, mut v: u32) -> u32 {
        while let Some(Some(Type::Unknown(next))) = self.values.get(v as usize) {
            v = *next;
        }
        v
    }

    /// The type with all variables replaced; those without a value become `Any`.
    pub(super) fn finish(&self, ty: &Type) -> Type {
        self.replace(ty, &Type::Any)
    }

    /// The type with all variables replaced; those without a value fit everything from now on.
    pub(super) fn finish_open(&self, ty: &Type) -> Type {
        self.replace(ty, &BROKEN)
    }

    fn replace(&self, ty: &Type, open: &Type) -> Type {
        match self.shallow(ty) {
            Type::Unknown(_) => open.clone(),
            Type::Data(data, args) => Type::Data(data, args.iter().map(|arg| self.replace(arg, open)).collect()),
            Type::Future(value) => Type::Future(Arc::new(self.replace(&value, open))),
            other => other,
        }
    }

    fn occurs(&self, v: u32, ty: &Type) -> bool {
        match ty {
            Type::Unknown(w) => {
                let root = self.root(*w);
                root == v
                    || self
                        .values
                        .get(root as usize)
                        .and_then(Option::as_ref)
                        .is_some_and(|value| self.occurs(v, value))
            }
            Type::Data(_, args) => args.iter().any(|arg| self.occurs(v, arg)),
            Type::Future(value) => self.occurs(v, value),
            _ => false,
        }
    }

    fn bind(&mut self, v: u32, ty: &Type) -> bool {
        if let Type::Unknown(w) = ty
            && self.root(*w) == v
        {
            return true;
        }
        if v == u32::MAX {
            return true;
        }
        if self.occurs(v, ty) {
            return false;
        }
        self.values[v as usize] = Some(ty.clone());
        true
    }

    /// Whether a value of type `actual` can be used where `expected` is wanted; gives variables their values on the way.
    pub(super) fn fits(&mut self, model: &CheckedModel, actual: &Type, expected: &Type) -> bool {
        if let Type::Unknown(v) = expected {
            let v = self.root(*v);
            let Some(bound) = self.values.get(v as usize).cloned().flatten() else {
                return self.bind(v, actual);
            };
            if self.fits(model, actual, &bound) {
                return true;
            }
            let joined = self.join(model, &bound, actual);
            if let Some(joined) = &joined {
                // The bound may occur in the wider type only by way of a variable: then it is not wider.
                return !self.occurs(v, joined) && {
                    self.values[v as usize] = Some(joined.clone());
                    true
                };
            }
            return false;
        }
        if let Type::Unknown(v) = actual {
            let v = self.root(*v);
            return match self.values.get(v as usize).cloned().flatten() {
                None => self.bind(v, expected),
                Some(bound) => self.fits(model, &bound, expected),
            };
        }
        match (actual, expected) {
            (_, Type::Any)
            | (Type::Int, Type::Rat)
            | (Type::Null, Type::Interface(_) | Type::Class(_) | Type::Future(_) | Type::Destiny) => true,
            (Type::Future(_), Type::Destiny) => true,
            (Type::Future(a), Type::Future(e)) => self.fits(model, a, e),
            (Type::Interface(a), Type::Interface(e)) => model.interfaces[a.index()].supers.contains(e),
            (Type::Class(a), Type::Interface(e)) => model.classes[a.index()].interfaces.contains(e),
            (Type::Data(a, xs), Type::Data(e, ys)) => {
                a == e && xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| self.fits(model, x, y))
            }
            _ => actual == expected,
        }
    }

    /// The smallest type that both fit.
    pub(super) fn join(&mut self, model: &CheckedModel, a: &Type, b: &Type) -> Option<Type> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if let (Type::Data(x, xs), Type::Data(y, ys)) = (&a, &b)
            && x == y
            && xs.len() == ys.len()
        {
            let args: Option<Vec<Type>> = xs.iter().zip(ys.iter()).map(|(x, y)| self.join(model, x, y)).collect();
            return args.map(|args| Type::Data(*x, args.into()));
        }
        if let (Type::Future(x), Type::Future(y)) = (&a, &b) {
            return self.join(model, x, y).map(|value| Type::Future(Arc::new(value)));
        }
        if self.fits(model, &a, &b) {
            return Some(b);
        }
        if self.fits(model, &b, &a) {
            return Some(a);
        }
        common_interface(model, &a, &b).map(Type::Interface)
    }
}

/// The most specific interface that two kinds of objects share.
fn common_interface(model: &CheckedModel, a: &Type, b: &Type) -> Option<InterfaceId> {
    let interfaces = |ty: &Type| match ty {
        Type::Interface(id) => Some(&model.interfaces[id.index()].supers),
        Type::Class(id) => Some(&model.classes[id.index()].interfaces),
        _ => None,
    };
    let (a, b) = (interfaces(a)?, interfaces(b)?);
    a.iter()
        .copied()
        .filter(|id| b.contains(id))
        .max_by_key(|id| (model.interfaces[id.index()].supers.len(), std::cmp::Reverse(*id)))
}

/// The type with the type parameters replaced by `args`.
pub(super) fn substitute(ty: &Type, args: &[Type]) -> Type {
    match ty {
        Type::Param(n) => args.get(*n as usize).cloned().unwrap_or(Type::Any),
        Type::Data(data, inner) if !inner.is_empty() => Type::Data(*data, inner.iter().map(|arg| substitute(arg, args)).collect()),
        Type::Future(value) => Type::Future(Arc::new(substitute(value, args))),
        other => other.clone(),
    }
}

/// The type as a person writes it.
pub(super) fn show(model: &CheckedModel, infer: &Infer, params: &[Arc<str>], ty: &Type) -> String {
    match infer.shallow(ty) {
        Type::Int => "Int".into(),
        Type::Rat => "Rat".into(),
        Type::Float => "Float".into(),
        Type::String => "String".into(),
        Type::Data(data, args) => {
            let name = &model.data_types[data.index()].name;
            if args.is_empty() {
                return name.to_string();
            }
            let args: Vec<String> = args.iter().map(|arg| show(model, infer, params, arg)).collect();
            format!("{name}<{}>", args.join(", "))
        }
        Type::Interface(id) => model.interfaces[id.index()].name.to_string(),
        Type::Class(id) => format!("class {}", model.classes[id.index()].name),
        Type::Future(value) => format!("Fut<{}>", show(model, infer, params, &value)),
        Type::Destiny => "Destiny".into(),
        Type::Param(n) => params.get(n as usize).map_or_else(|| format!("#{n}"), ToString::to_string),
        Type::Null => "null".into(),
        Type::Any => "Any".into(),
        Type::Unknown(_) => "_".into(),
    }
}

//! Values: numbers, strings, data, references. Equality is structural, of references by birth place.

use mazurka_abs::checked::{AccessorId, CheckedModel, ConstructorId, FunctionId};
use num_rational::BigRational;
use num_traits::One;
use std::cmp::Ordering;
use std::rc::Rc;

/// A task, named by its place of birth: the how-manieth task each ancestor started, from the main block on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskName(pub Rc<[u32]>);

impl TaskName {
    /// The task of the main block.
    pub fn main() -> Self {
        TaskName(Rc::new([0]))
    }

    /// The `nth` task that this one starts.
    pub fn child(&self, nth: u32) -> Self {
        TaskName(self.0.iter().copied().chain([nth]).collect())
    }

    /// `0.2.1`.
    pub fn path(&self) -> String {
        let digits: Vec<String> = self.0.iter().map(u32::to_string).collect();
        digits.join(".")
    }
}

/// An object, named by the task that made it, the how-manieth object of that task it is, and its class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectName {
    /// Who made it.
    pub maker: TaskName,
    /// The how-manieth.
    pub nth: u32,
    /// Its class, by number.
    pub class: u32,
}

impl ObjectName {
    /// As final states show it: `Node 1`, or `Node 2-1` if a task made it.
    pub fn short(&self, model: &CheckedModel) -> String {
        let class = &model.classes[self.class as usize].name;
        match &*self.maker.path() {
            "0" => format!("{class} {}", self.nth),
            path => format!("{class} {}-{}", path.strip_prefix("0.").unwrap_or(path), self.nth),
        }
    }

    /// As `toString` shows it.
    pub fn long(&self, model: &CheckedModel) -> String {
        let class = &model.classes[self.class as usize];
        format!("{}.{}:{}-{}", class.module, class.name, self.maker.path(), self.nth)
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// An `Int` or a `Rat`: an integer is a fraction over one.
    Number(BigRational),
    /// A string.
    Text(Rc<str>),
    /// A constructor with its arguments.
    Data(ConstructorId, Rc<[Value]>),
    /// An object.
    Object(ObjectName),
    /// The future of a task.
    Future(TaskName),
    /// No object, no future.
    Null,
    /// A function for a function parameter, with what it captured. Never part of a state.
    Closure(Callee, Rc<[Value]>),
}

/// What a closure calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Function(FunctionId),
    Accessor(AccessorId),
    Constructor(ConstructorId),
}

impl Value {
    /// A constructor without arguments.
    pub fn atom(constructor: ConstructorId) -> Self {
        Value::Data(constructor, Rc::new([]))
    }

    /// A whole number.
    pub fn int(n: i64) -> Self {
        Value::Number(BigRational::from_integer(n.into()))
    }

    /// A truth value.
    pub fn bool(model: &CheckedModel, holds: bool) -> Self {
        let known = &model.well_known;
        Value::atom(if holds { known.true_ } else { known.false_ })
    }

    /// Whether it is `True`.
    pub fn holds(&self, model: &CheckedModel) -> bool {
        matches!(self, Value::Data(c, _) if *c == model.well_known.true_)
    }

    /// The total order of the language: numbers by size, strings by their characters, data by the names of the constructors and then by
    /// the arguments from left to right, `null` first, references by place of birth.
    pub fn compare(&self, other: &Value, model: &CheckedModel) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Data(c, a), Value::Data(d, b)) => {
                let name = |c: &ConstructorId| &model.constructors[c.index()].name;
                let arguments = || a.iter().zip(&**b).map(|(x, y)| x.compare(y, model)).find(|o| o.is_ne());
                name(c).cmp(name(d)).then_with(|| arguments().unwrap_or(Ordering::Equal))
            }
            (Value::Object(a), Value::Object(b)) => a.cmp(b),
            (Value::Future(a), Value::Future(b)) => a.cmp(b),
            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Less,
            (_, Value::Null) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// As `toString` shows it: a string is itself.
    pub fn show(&self, model: &CheckedModel) -> String {
        match self {
            Value::Text(text) => text.to_string(),
            _ => self.quoted(model, false),
        }
    }

    /// As it is shown inside another value: strings are quoted. `short`: objects get the names that final states use.
    pub fn quoted(&self, model: &CheckedModel, short: bool) -> String {
        match self {
            Value::Number(n) if n.denom().is_one() => n.numer().to_string(),
            Value::Number(n) => format!("{}/{}", n.numer(), n.denom()),
            Value::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Object(name) if short => name.short(model),
            Value::Object(name) => name.long(model),
            Value::Future(task) => format!("Fut:{}", task.path()),
            Value::Null => "null".to_owned(),
            Value::Closure(..) => "a function".to_owned(),
            Value::Data(constructor, args) => {
                let known = &model.well_known;
                let chain = [(known.cons, "list"), (known.insert, "set"), (known.insert_assoc, "map")];
                if *constructor == known.nil {
                    return "list[]".to_owned();
                }
                if let Some((link, word)) = chain.iter().find(|(link, _)| link == constructor) {
                    let elements = self.chain(*link).map(|v| v.quoted(model, short));
                    return format!("{word}[{}]", elements.collect::<Vec<_>>().join(","));
                }
                let name = &model.constructors[constructor.index()].name;
                if args.is_empty() {
                    return name.to_string();
                }
                let args: Vec<String> = args.iter().map(|v| v.quoted(model, short)).collect();
                format!("{name}({})", args.join(","))
            }
        }
    }

    /// The elements of a chain of constructors with an element and the rest.
    pub fn chain(&self, link: ConstructorId) -> impl Iterator<Item = &Value> {
        let mut rest = self;
        std::iter::from_fn(move || match rest {
            Value::Data(c, args) if *c == link => {
                rest = &args[1];
                Some(&args[0])
            }
            _ => None,
        })
    }
}

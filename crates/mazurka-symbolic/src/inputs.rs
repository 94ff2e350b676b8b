//! What is not known when a method is called: its inputs, named by where they come from.
//!
//! An input is a number or a string, which the solver finds, or it is of another type: then it is one of several *shapes* (a constructor with
//! parts that are inputs again, a reference to nothing or to an object), and which one is decided only when the code looks at it.

use mazurka_abs::checked::{CheckedModel, DataId, Type};
use mazurka_abs::code::Program;
use mazurka_abs::lower::constructor_numbers;
use mazurka_abs::value::term::{Condition, Sort, Term, Test};
use mazurka_abs::value::{Ctor, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A parameter of the `nth` call, which is of this method.
    Parameter {
        /// Which call.
        call: u32,
        /// Its method's code.
        code: u32,
        /// Which parameter.
        nth: u32,
    },
    /// A field of an object: of `this`, or of the one that an input refers to.
    Field {
        /// The input that refers to the object; `None` for `this`.
        owner: Option<u32>,
        /// The object's class.
        class: u32,
        /// Which field.
        field: u32,
    },
    /// A part of an input that is data.
    Part {
        /// The input.
        of: u32,
        /// Its constructor.
        ctor: Ctor,
        /// Which argument.
        nth: u32,
    },
    /// A parameter of the model: a function without parameters.
    Function(u32),
}

/// An input.
#[derive(Clone, Debug)]
pub struct Input {
    /// What people call it.
    pub name: Rc<str>,
    /// Its type.
    pub ty: Type,
    /// What it stands for.
    pub sort: Sort,
    /// In how many constructors it stands.
    pub depth: u32,
    /// In the rest of a set or map: the elements or keys before.
    before: Rc<Vec<Value>>,
}

/// What an input turns out to be.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Data; what is assumed of its parts comes with it.
    Data(Value, Vec<(Condition, bool)>),
    /// The reference to nothing.
    Null,
    /// The object with this number in the scene.
    Object(u32),
    /// An object that nothing else refers to, of this class.
    Fresh(u32),
}

/// All inputs that were met so far, in any class.
pub struct Inputs {
    model: Rc<CheckedModel>,
    ctors: Vec<Ctor>,
    all: Vec<Input>,
    known: FxHashMap<Origin, u32>,
}

impl Inputs {
    /// None yet.
    pub fn new(model: Rc<CheckedModel>) -> Self {
        let ctors = constructor_numbers(&model);
        Inputs {
            model,
            ctors,
            all: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The input with this number.
    pub fn get(&self, number: u32) -> &Input {
        &self.all[number as usize]
    }

    /// The input from there, as a value.
    pub fn input(&mut self, origin: Origin, name: impl FnOnce() -> String, ty: &Type) -> Value {
        let number = self.number(origin, name, ty, 0, &Rc::default());
        self.term(number)
    }

    /// An input as a value.
    pub fn term(&self, number: u32) -> Value {
        let input = self.get(number);
        Term::input(number, Rc::clone(&input.name), input.sort)
    }

    fn number(&mut self, origin: Origin, name: impl FnOnce() -> String, ty: &Type, depth: u32, before: &Rc<Vec<Value>>) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.known.entry(origin).or_insert(next);
        if number == next {
            self.all.push(Input {
                name: name().into(),
                ty: ty.clone(),
                sort: match ty {
                    Type::Int => Sort::Int,
                    Type::Rat => Sort::Rat,
                    Type::String => Sort::String,
                    _ => Sort::Shape,
                },
                depth,
                before: Rc::clone(before),
            });
        }
        number
    }

    /// Why values of a type cannot be inputs, if they cannot.
    ///
    /// # Errors
    /// The type, as people write it, and what is the matter with it.
    pub fn admit(&self, ty: &Type) -> Result<(), String> {
        self.admit_in(ty, &mut Vec::new())
    }

    fn admit_in(&self, ty: &Type, seen: &mut Vec<Type>) -> Result<(), String> {
        if seen.contains(ty) {
            return Ok(());
        }
        seen.push(ty.clone());
        let refused = |why: &str| Err(format!("`{}` {why}", self.type_name(ty)));
        match ty {
            Type::Int | Type::Rat | Type::String | Type::Interface(_) => Ok(()),
            Type::Float => refused("cannot be symbolic: solvers know fractions, not numbers of 64 bits"),
            Type::Future(_) | Type::Destiny => refused("cannot be symbolic: a future belongs to a task that runs"),
            Type::Data(data, args) => {
                let well = &self.model.well_known;
                if *data == well.exception_type {
                    return refused("cannot be symbolic: any module may declare exceptions");
                }
                let ordered = |ty: &Type| matches!(ty, Type::Int | Type::Rat | Type::String);
                if (*data == well.set_type || *data == well.map_type) && !args.first().is_some_and(ordered) {
                    return refused("cannot be symbolic: of sets and maps, those of Int, Rat and String can");
                }
                let constructors = self.model.data_types[data.index()].constructors.clone();
                if constructors.is_empty() {
                    return refused("cannot be symbolic: it has no constructors");
                }
                for constructor in constructors {
                    for arg in &self.model.constructors[constructor.index()].args {
                        self.admit_in(&instance(arg, args), seen)?;
                    }
                }
                Ok(())
            }
            _ => refused("cannot be symbolic: its values are not known"),
        }
    }

    /// A type as people write it.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Int => "Int".to_owned(),
            Type::Rat => "Rat".to_owned(),
            Type::Float => "Float".to_owned(),
            Type::String => "String".to_owned(),
            Type::Data(data, args) if args.is_empty() => self.model.data_types[data.index()].name.to_string(),
            Type::Data(data, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.type_name(arg)).collect();
                format!("{}<{}>", self.model.data_types[data.index()].name, args.join(", "))
            }
            Type::Interface(interface) => self.model.interfaces[interface.index()].name.to_string(),
            Type::Class(class) => self.model.classes[class.index()].name.to_string(),
            Type::Future(of) => format!("Fut<{}>", self.type_name(of)),
            _ => "a type that is not known".to_owned(),
        }
    }

    /// What an input can be, the simplest first, and whether a bound on the depth of data left something out.
    pub fn shapes(&mut self, number: u32, size: u32) -> (Vec<Shape>, bool) {
        let input = self.get(number).clone();
        let Type::Data(data, args) = &input.ty else {
            return (vec![Shape::Null], false);
        };
        let constructors = self.model.data_types[data.index()].constructors.clone();
        let mut shapes = Vec::new();
        let mut cut = false;
        for constructor in constructors {
            let it = &self.model.constructors[constructor.index()];
            let types: Vec<Type> = it.args.iter().map(|arg| instance(arg, args)).collect();
            let deep = types
                .iter()
                .any(|ty| matches!(ty, Type::Data(..)) && self.nests(ty, *data, &mut Vec::new()));
            if deep && input.depth >= size {
                cut = true;
                continue;
            }
            let names = part_names(&self.model, constructor.index(), &input.name, types.len());
            let ctor = self.ctors[constructor.index()];
            shapes.push(self.data(number, &input, *data, ctor, &types, names));
        }
        // What can be taken apart no further comes first.
        shapes.sort_by_key(|shape| match shape {
            Shape::Data(value, _) => (!value.args().is_empty(), value.is_true()),
            _ => (false, false),
        });
        (shapes, cut)
    }

    fn data(&mut self, number: u32, input: &Input, data: DataId, ctor: Ctor, types: &[Type], names: Vec<String>) -> Shape {
        let well = self.model.well_known;
        let (set, map) = (data == well.set_type, data == well.map_type);
        let mut parts: SmallVec<[Value; 2]> = SmallVec::new();
        let mut assumed = Vec::new();
        let mut before = Rc::clone(&input.before);
        let mut names = names.into_iter();
        for (nth, ty) in types.iter().enumerate() {
            let origin = Origin::Part {
                of: number,
                ctor,
                nth: nth as u32,
            };
            let name = names.next().unwrap_or_default();
            let number = self.number_of(origin, &name, ty, input.depth + 1, &before);
            let mut part = self.term(number);
            if nth == 0 && (set || map) {
                let key = match map {
                    // The pair of a map is known as soon as the map is: its key must differ from the others.
                    true => {
                        let pair = self.pair(&part, &name, ty, input.depth + 1);
                        part = pair;
                        part.args().first().cloned()
                    }
                    false => Some(part.clone()),
                };
                if let Some(key) = key {
                    if set {
                        let last = before.last();
                        assumed.extend(last.map(|last| (Condition::new(Test::Less, last, &key), true)));
                    } else {
                        assumed.extend(before.iter().map(|other| (Condition::new(Test::Equal, other, &key), false)));
                    }
                    before = Rc::new(before.iter().cloned().chain([key]).collect());
                }
            }
            parts.push(part);
        }
        Shape::Data(Value::data(ctor, parts), assumed)
    }

    fn number_of(&mut self, origin: Origin, name: &str, ty: &Type, depth: u32, before: &Rc<Vec<Value>>) -> u32 {
        self.number(origin, || name.to_owned(), ty, depth, before)
    }

    /// A pair whose parts are inputs.
    fn pair(&mut self, of: &Value, name: &str, ty: &Type, depth: u32) -> Value {
        let (Value::Term(term), Type::Data(_, args)) = (of, ty) else {
            return of.clone();
        };
        let mazurka_abs::value::term::Kind::Input(number, _) = term.kind() else {
            return of.clone();
        };
        let ctor = self.ctors[self.model.well_known.pair.index()];
        let parts = ["key", "value"].iter().enumerate().zip(args.iter()).map(|((nth, word), ty)| {
            let origin = Origin::Part {
                of: *number,
                ctor,
                nth: nth as u32,
            };
            let part = self.number_of(origin, &format!("{name}.{word}"), ty, depth, &Rc::default());
            self.term(part)
        });
        Value::data(ctor, parts.collect())
    }

    /// Whether values of a type can contain values of a data type.
    fn nests(&self, ty: &Type, data: DataId, seen: &mut Vec<Type>) -> bool {
        let Type::Data(own, args) = ty else { return false };
        if *own == data {
            return true;
        }
        if seen.contains(ty) {
            return false;
        }
        seen.push(ty.clone());
        let constructors = &self.model.data_types[own.index()].constructors;
        constructors.iter().any(|constructor| {
            let types = &self.model.constructors[constructor.index()].args;
            types.iter().any(|arg| self.nests(&instance(arg, args), data, seen))
        })
    }

    /// The classes whose objects an input of an interface type can refer to.
    pub fn classes(&self, ty: &Type, program: &Program) -> Vec<u32> {
        let Type::Interface(interface) = ty else { return Vec::new() };
        let has = |class: &usize| program.classes[*class].interfaces[interface.index()];
        (0..program.classes.len()).filter(has).map(|class| class as u32).collect()
    }
}

/// A type of a constructor's argument in a data type with these arguments.
fn instance(ty: &Type, args: &[Type]) -> Type {
    match ty {
        Type::Param(n) => args.get(*n as usize).cloned().unwrap_or(Type::Any),
        Type::Data(data, inner) => Type::Data(*data, inner.iter().map(|ty| instance(ty, args)).collect()),
        Type::Future(of) => Type::Future(instance(of, args).into()),
        other => other.clone(),
    }
}

/// What people call the parts of an input: `xs[0]`, `xs[1..]`, `t.left`.
fn part_names(model: &CheckedModel, constructor: usize, whole: &str, count: usize) -> Vec<String> {
    let well = &model.well_known;
    let linked = [well.cons, well.insert, well.insert_assoc];
    if linked.iter().any(|link| link.index() == constructor) {
        let (list, from) = match whole.strip_suffix("..]").and_then(|rest| rest.rsplit_once('[')) {
            Some((list, from)) => (list, from.parse().unwrap_or(0)),
            None => (whole, 0u32),
        };
        return vec![format!("{list}[{from}]"), format!("{list}[{}..]", from + 1)];
    }
    let accessor = |nth: usize| {
        let found = model.accessors.iter().find(|accessor| {
            let mut positions = accessor.positions.iter();
            positions.any(|(id, at)| id.index() == constructor && *at as usize == nth)
        });
        found.map_or_else(|| nth.to_string(), |accessor| accessor.name.to_string())
    };
    (0..count).map(|nth| format!("{whole}.{}", accessor(nth))).collect()
}

//! What is tested: a method of a class, or the main block with parameters of the model that are not known.

use crate::inputs::{Inputs, Origin};
use mazurka_abs::checked::{CheckedModel, Type};
use mazurka_abs::code::Op;
use mazurka_abs::model::Opened;
use mazurka_abs::requires::NAME;
use mazurka_abs::run::Machine;
use mazurka_abs::value::Value;
use mazurka_abs::value::term::{Condition, Test};
use mazurka_core::nearest;
use std::rc::Rc;
use std::str::FromStr;

/// What is tested, with the machine that runs it.
pub struct Target {
    /// The model, ready to run.
    pub machine: Machine,
    /// Names and types.
    pub model: Rc<CheckedModel>,
    /// What of it is called.
    pub entry: Entry,
    /// What there is to say about it.
    pub notes: Vec<String>,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A method.
    Method {
        /// The class.
        class: u32,
        /// The method.
        method: Method,
        /// The methods that may be called besides.
        others: Vec<Method>,
        /// The code that says whether an initial heap is one at all, if that was given: a method with the parameters of the tested one.
        requires: Option<u32>,
    },
    /// The main block.
    Main {
        /// The functions without parameters that are inputs: the number of each, and its place in the program's constants.
        functions: Vec<(u32, u32)>,
        /// What is assumed of them.
        assumed: Vec<(Condition, bool)>,
    },
}

/// A parameter of the model that is an input: `n`, or `n=1..5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The least and the greatest value that it takes.
    pub range: Option<(i64, i64)>,
}

impl FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, range)) = text.split_once('=') else {
            return Ok(Parameter {
                name: text.to_owned(),
                range: None,
            });
        };
        let bounds = range
            .split_once("..")
            .and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        match bounds {
            Some((from, to)) if from <= to => Ok(Parameter {
                name: name.to_owned(),
                range: Some((from, to)),
            }),
            _ => Err(format!("`{range}` is no range: write `{name}=1..5`")),
        }
    }
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its code.
    pub code: u32,
    /// The names and types of its parameters.
    pub params: Vec<(String, Type)>,
}

impl Target {
    /// The method `name`, which is `Class.method` or `Module.Class.method`.
    ///
    /// # Errors
    /// There is no such method, or it has parameters or fields that cannot be symbolic.
    pub fn method(opened: Opened, name: &str) -> Result<Target, String> {
        let model = Rc::new(opened.model);
        let machine = opened.machine;
        let Some((wanted_class, wanted)) = name.rsplit_once('.') else {
            return Err(format!("`{name}` is no method: write `Class.method`"));
        };
        let found: Vec<usize> = (0..model.classes.len())
            .filter(|class| is_called(&model, *class, wanted_class))
            .collect();
        let class = match found.as_slice() {
            [class] => *class,
            [] => {
                let names: Vec<&str> = model.classes.iter().map(|class| &*class.name).collect();
                let hint = nearest(wanted_class, names.iter().copied()).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
                return Err(format!(
                    "there is no class `{wanted_class}`{hint}; the classes are {}",
                    list(&names)
                ));
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|class| format!("{}.{}", model.classes[*class].module, model.classes[*class].name))
                    .collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                return Err(format!("`{wanted_class}` may be one of {}: write the module too", list(&names)));
            }
        };
        let inputs = Inputs::new(Rc::clone(&model));
        let it = &model.classes[class];
        let of = |method: &mazurka_abs::checked::Method| -> Method {
            let params = method.body.locals.iter().take(method.params as usize);
            Method {
                name: model.selectors[method.selector.index()].to_string(),
                code: machine.program.classes[class].methods[method.selector.index()].unwrap_or(0),
                params: params
                    .map(|local| (local.name.to_string(), local.ty.clone().unwrap_or(Type::Any)))
                    .collect(),
            }
        };
        let all: Vec<Method> = it.methods.iter().map(of).collect();
        let Some(method) = all.iter().find(|method| method.name == wanted).cloned() else {
            let names: Vec<&str> = all.iter().map(|m| m.name.as_str()).filter(|name| !name.contains('%')).collect();
            let hint = nearest(wanted, names.iter().copied()).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            return Err(match names.is_empty() {
                true => format!("class `{}` has no methods", it.name),
                false => format!(
                    "class `{}` has no method `{wanted}`{hint}; its methods are {}",
                    it.name,
                    list(&names)
                ),
            });
        };
        for (name, ty) in &method.params {
            inputs
                .admit(ty)
                .map_err(|why| format!("parameter `{name}` of `{}.{wanted}`: {why}", it.name))?;
        }
        let public = |method: &Method| {
            it.interfaces.iter().any(|interface| {
                let mut methods = model.interfaces[interface.index()].methods.iter();
                methods.any(|signature| *model.selectors[signature.selector.index()] == *method.name)
            })
        };
        let admitted = |method: &Method| method.params.iter().all(|(_, ty)| inputs.admit(ty).is_ok());
        let (others, left): (Vec<Method>, Vec<Method>) = all.iter().filter(|m| public(m) && m.name != "run").cloned().partition(admitted);
        let mut notes: Vec<String> = Vec::new();
        for method in left {
            notes.push(format!(
                "`{}` is not among the other calls: it has parameters that cannot be symbolic",
                method.name
            ));
        }
        for field in &it.fields {
            if let Err(why) = inputs.admit(&field.ty) {
                notes.push(format!(
                    "the field `{}` keeps the value that it has when nothing is assigned: {why}",
                    field.name
                ));
            }
        }
        if machine.program.codes[method.code as usize].ops.is_empty() {
            return Err(format!("`{name}` has no code"));
        }
        let requires = all.iter().find(|method| method.name == NAME).map(|method| method.code);
        Ok(Target {
            machine,
            model: Rc::clone(&model),
            entry: Entry::Method {
                class: class as u32,
                method,
                others,
                requires,
            },
            notes,
        })
    }

    /// The main block, with these functions without parameters as inputs.
    ///
    /// # Errors
    /// There is no such function, or its type cannot be symbolic.
    pub fn main(
        opened: Opened,
        symbolic: &[Parameter],
        inputs: impl FnOnce(Rc<CheckedModel>) -> Inputs,
    ) -> Result<(Target, Inputs), String> {
        let model = Rc::new(opened.model);
        let mut machine = opened.machine;
        let mut inputs = inputs(Rc::clone(&model));
        let (mut functions, mut assumed) = (Vec::new(), Vec::new());
        for Parameter { name, range } in symbolic {
            let parameters = || {
                model
                    .functions
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| &*f.module != "ABS.StdLib" && f.params == 0 && f.closures == 0 && f.captured == 0)
            };
            let Some((number, function)) = parameters().find(|(_, f)| &*f.name == name.as_str()) else {
                let names: Vec<&str> = parameters().map(|(_, f)| &*f.name).collect();
                let hint = nearest(name, names.iter().copied()).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
                return Err(match names.is_empty() {
                    true => format!(
                        "the model has no parameter `{name}`: a parameter is a function without parameters, such as `def Int n() = 5;`"
                    ),
                    false => format!("the model has no parameter `{name}`{hint}; its parameters are {}", list(&names)),
                });
            };
            inputs
                .admit(&function.result)
                .map_err(|why| format!("parameter `{name}` of the model: {why}"))?;
            let value = inputs.input(Origin::Function(number as u32), || name.clone(), &function.result);
            if let Some((from, to)) = range {
                if function.result != Type::Int {
                    return Err(format!("parameter `{name}` of the model is no Int: it has no range"));
                }
                assumed.push((Condition::new(Test::Less, &value, &Value::Int(*from)), false));
                assumed.push((Condition::new(Test::Less, &Value::Int(*to), &value), false));
            }
            let constant = machine.program.constants.len() as u32;
            machine.program.constants.push(value);
            let code = &mut machine.program.codes[number];
            let span = code.span;
            code.ops = vec![Op::Const(constant), Op::Return];
            code.spans = vec![span; 2];
            code.handlers.clear();
            functions.push((number as u32, constant));
        }
        let target = Target {
            machine,
            model,
            entry: Entry::Main { functions, assumed },
            notes: Vec::new(),
        };
        Ok((target, inputs))
    }

    /// The value that a field has when nothing was assigned to it, for fields that cannot be inputs.
    pub fn blank(&self, class: u32, field: usize) -> Value {
        self.machine.program.classes[class as usize]
            .blank
            .get(field)
            .cloned()
            .unwrap_or(Value::Null)
    }

    /// What is tested, for people.
    pub fn name(&self) -> String {
        match &self.entry {
            Entry::Method { class, method, .. } => format!("{}.{}", self.model.classes[*class as usize].name, method.name),
            Entry::Main { .. } => "the main block".to_owned(),
        }
    }
}

fn is_called(model: &CheckedModel, class: usize, wanted: &str) -> bool {
    let it = &model.classes[class];
    match wanted.rsplit_once('.') {
        Some((module, name)) => &*it.name == name && &*it.module == module,
        None => &*it.name == wanted,
    }
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

//! The programs of the literature by name: `litmus:lastzero --set n=12`.

mod corpus;
mod counts;
mod exclusion;
mod locks;
mod papers;
mod systems;
mod tasks;
mod variables;

pub use corpus::{CORPUS, Counterexample};

use crate::machine::Machine;
use crate::model::Model;
use mazurka_core::nearest;
use std::fmt;

/// A number that a family can be given.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As in `--set NAME=VALUE`.
    pub name: &'static str,
    /// The value if none is given.
    pub default: i64,
    /// The smallest and the largest value that make sense.
    pub range: (i64, i64),
    /// One line for `mazurka list`.
    pub about: &'static str,
}

/// Counts something of the program with these values; `None` where no number is known.
pub type Formula = fn(&[i64]) -> Option<u128>;

/// A program, or one for each value of its parameters.
pub struct Family {
    /// As in `litmus:NAME`.
    pub name: &'static str,
    /// One line for `mazurka list`.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Number of traces, where it is known.
    pub traces: Option<Formula>,
    /// Number of executions of Optimal-DPOR with observers, where it is known.
    pub observed: Option<Formula>,
    build: Build,
}

/// How the program is made.
enum Build {
    Model(fn(&[i64]) -> Model),
    Text(&'static str),
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family")
            .field("name", &self.name)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

/// Why there is no such program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FamilyError {
    /// No family of that name.
    UnknownFamily {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        nearest: Option<&'static str>,
    },
    /// The family has no parameter of that name.
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// What was set.
        name: String,
        /// What may have been meant.
        nearest: Option<&'static str>,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The value makes no sense.
    OutOfRange {
        /// The family.
        family: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What was set.
        value: i64,
        /// What is allowed.
        range: (i64, i64),
    },
    /// The same parameter was set twice.
    SetTwice {
        /// The parameter.
        parameter: &'static str,
    },
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FamilyError::UnknownFamily { name, nearest } => write!(
                f,
                "there is no built-in program `{name}`{}; `mazurka list --all` shows them all",
                did_you_mean(nearest)
            ),
            FamilyError::UnknownParameter {
                family,
                name,
                nearest,
                known,
            } => write!(
                f,
                "{family} has no parameter `{name}`{}; {}",
                did_you_mean(nearest),
                known_parameters(known)
            ),
            FamilyError::OutOfRange {
                family,
                parameter,
                value,
                range: (least, most),
            } => write!(f, "{family} needs {parameter} between {least} and {most}, not {value}"),
            FamilyError::SetTwice { parameter } => write!(f, "{parameter} is set twice"),
        }
    }
}

impl std::error::Error for FamilyError {}

fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"))
}

fn known_parameters(known: &[&'static str]) -> String {
    if known.is_empty() {
        "it has none".into()
    } else {
        format!("it has {}", known.join(", "))
    }
}

impl Family {
    /// The values of all parameters: those that are set, and the defaults of the others.
    ///
    /// # Errors
    /// An unknown parameter, one set twice, or a value out of its range.
    pub fn values(&self, settings: &[(String, i64)]) -> Result<Vec<i64>, FamilyError> {
        let mut values: Vec<Option<i64>> = vec![None; self.parameters.len()];
        for (name, value) in settings {
            let Some(at) = self.parameters.iter().position(|p| p.name == name) else {
                return Err(FamilyError::UnknownParameter {
                    family: self.name,
                    name: name.clone(),
                    nearest: nearest(name, self.parameters.iter().map(|p| p.name)),
                    known: self.parameters.iter().map(|p| p.name).collect(),
                });
            };
            let Parameter {
                name: parameter, range, ..
            } = self.parameters[at];
            if *value < range.0 || *value > range.1 {
                return Err(FamilyError::OutOfRange {
                    family: self.name,
                    parameter,
                    value: *value,
                    range,
                });
            }
            if values[at].replace(*value).is_some() {
                return Err(FamilyError::SetTwice { parameter });
            }
        }
        Ok(values.iter().zip(self.parameters).map(|(v, p)| v.unwrap_or(p.default)).collect())
    }

    /// The program with these settings.
    ///
    /// # Errors
    /// As [`Family::values`].
    pub fn model(&self, settings: &[(String, i64)]) -> Result<Model, FamilyError> {
        Ok(self.model_of(&self.values(settings)?))
    }

    /// Settings that give the first parameters these values. Values beyond the last parameter are left out: a program without any has one
    /// size.
    pub fn settings(&self, values: &[i64]) -> Vec<(String, i64)> {
        let pairs = self.parameters.iter().zip(values);
        pairs.map(|(parameter, value)| (parameter.name.to_string(), *value)).collect()
    }

    /// The program with these settings, compiled.
    ///
    /// # Errors
    /// As [`Family::values`].
    pub fn machine(&self, settings: &[(String, i64)]) -> Result<Machine, FamilyError> {
        Ok(self.machine_of(&self.values(settings)?))
    }

    fn model_of(&self, values: &[i64]) -> Model {
        match self.build {
            Build::Model(build) => build(values),
            Build::Text(text) => crate::text::parse(self.name, text).expect("built-in programs are well-formed"),
        }
    }

    fn machine_of(&self, values: &[i64]) -> Machine {
        Machine::new(self.model_of(values)).expect("built-in programs are well-formed")
    }
}

/// Every built-in program, in the order of `mazurka list`.
pub fn families() -> &'static [Family] {
    static ALL: std::sync::OnceLock<Vec<Family>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        all.extend(variables::families());
        all.extend(locks::families());
        all.extend(exclusion::families());
        all.extend(papers::families());
        all.extend(systems::families());
        all.extend(tasks::families());
        all.extend(corpus::families());
        all
    })
}

/// The family of that name; case does not matter.
///
/// # Errors
/// An unknown name, with the nearest known one.
pub fn family(name: &str) -> Result<&'static Family, FamilyError> {
    families()
        .iter()
        .find(|f| f.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| FamilyError::UnknownFamily {
            name: name.to_string(),
            nearest: nearest(&name.to_ascii_lowercase(), families().iter().map(|f| f.name)),
        })
}

/// A program with its default values, or with `n` set to the given one. For tests and benches.
///
/// # Panics
/// If there is no such family or the value is out of range.
pub fn machine(name: &str, values: &[i64]) -> Machine {
    let family = family(name).unwrap_or_else(|e| panic!("{e}"));
    family.machine(&family.settings(values)).unwrap_or_else(|e| panic!("{e}"))
}

/// The parameter that nearly every family has.
const fn n(default: i64, least: i64, most: i64, about: &'static str) -> Parameter {
    Parameter {
        name: "n",
        default,
        range: (least, most),
        about,
    }
}

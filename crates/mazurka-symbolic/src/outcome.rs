//! What an execution comes to: the result of the call, the heap, what failed.

use mazurka_abs::code::Symbols;
use mazurka_abs::run::Machine;
use mazurka_abs::run::identity::Identities;
use mazurka_abs::run::state::{Future, Run};
use mazurka_abs::value::Value;
use mazurka_abs::value::hash::{self, Hasher};
use mazurka_abs::value::print::Printer;
use mazurka_core::{Failure, FailureKind};

/// What became of a call.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It returned this.
    Returned(Value),
    /// This exception left it.
    Threw(Value),
    /// It waits for ever.
    Waits,
}

/// What an execution comes to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The calls, the tested one first.
    pub calls: Vec<Ended>,
    /// The fields of the objects that there were at the start.
    pub heap: Vec<Vec<Value>>,
    /// What failed, with where.
    pub failures: Vec<Failure>,
}

impl Outcome {
    /// What an execution came to that ended in `run`.
    pub fn of(machine: &Machine, run: &Run, calls: usize, objects: usize) -> Self {
        let call = |nth: usize| match &run.futures.get(Machine::result_slot(nth)).result {
            Future::Value(value) => Ended::Returned(value.clone()),
            Future::Failed(exception) => Ended::Threw(exception.clone()),
            Future::Forgotten => Ended::Returned(Value::UNIT),
            Future::Open => Ended::Waits,
        };
        let mut failures: Vec<Failure> = run.failed.iter().map(|(_, failure)| Failure::clone(failure)).collect();
        machine.failures_at_end(run, &mut failures);
        failures.sort_by(|a, b| (a.kind, &a.message).cmp(&(b.kind, &b.message)));
        Outcome {
            calls: (0..calls).map(call).collect(),
            heap: (0..objects).map(|slot| run.objects.get(slot as u32).fields.to_vec()).collect(),
            failures,
        }
    }

    /// The same with known values.
    pub fn map(&self, value: &dyn Fn(&Value) -> Option<Value>) -> Option<Outcome> {
        let call = |ended: &Ended| {
            Some(match ended {
                Ended::Returned(of) => Ended::Returned(value(of)?),
                Ended::Threw(of) => Ended::Threw(value(of)?),
                Ended::Waits => Ended::Waits,
            })
        };
        Some(Outcome {
            calls: self.calls.iter().map(call).collect::<Option<_>>()?,
            heap: self
                .heap
                .iter()
                .map(|fields| fields.iter().map(value).collect::<Option<Vec<Value>>>())
                .collect::<Option<_>>()?,
            failures: self.failures.clone(),
        })
    }

    /// Whether something failed.
    pub fn fails(&self) -> bool {
        !self.failures.is_empty()
    }

    /// A hash of all that is compared, before anything is known of the inputs.
    pub fn hash(&self, ids: &Identities) -> u128 {
        let mut h = Hasher::new(0x3e);
        for call in &self.calls {
            match call {
                Ended::Returned(value) => {
                    h.word(1);
                    hash::value(value, ids, &mut h);
                }
                Ended::Threw(value) => {
                    h.word(2);
                    hash::value(value, ids, &mut h);
                }
                Ended::Waits => h.word(3),
            }
        }
        self.heap.iter().flatten().for_each(|value| hash::value(value, ids, &mut h));
        h.bytes(self.failure_key().as_bytes());
        h.finish()
    }

    /// One text for all that is compared; equal outcomes have equal texts. Of failures it has kind and place: messages may contain values.
    pub fn key(&self, names: &Names<'_>) -> String {
        let calls: Vec<String> = self.calls.iter().map(|call| names.ended(call)).collect();
        let heap: Vec<String> = self
            .heap
            .iter()
            .map(|fields| fields.iter().map(|field| names.show(field)).collect::<Vec<_>>().join(","))
            .collect();
        format!("{}|{}|{}", calls.join(";"), heap.join(";"), self.failure_key())
    }

    /// Kinds and places of what failed.
    pub fn failure_key(&self) -> String {
        self.failure_keys().join(";")
    }

    /// The same, one by one.
    pub fn failure_keys(&self) -> Vec<String> {
        let place = |failure: &Failure| {
            let at = failure.at.as_ref().map_or(String::new(), |at| format!(" {at}"));
            // Which tasks wait is said in the message, and contains the values of their arguments.
            match failure.kind {
                FailureKind::Deadlock => failure.kind.name().to_owned(),
                _ => format!("{}{at}", failure.kind.name()),
            }
        };
        let mut all: Vec<String> = self.failures.iter().map(place).collect();
        all.sort();
        all.dedup();
        all
    }
}

/// What is needed to write values.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Constructors and classes.
    pub symbols: &'a Symbols,
    /// Objects.
    pub ids: &'a Identities,
}

impl<'a> Names<'a> {
    /// Those of a machine.
    pub fn of(machine: &'a Machine) -> Self {
        Names {
            symbols: &machine.program.symbols,
            ids: &machine.ids,
        }
    }

    /// A value.
    pub fn show(&self, value: &Value) -> String {
        let printer = Printer {
            symbols: self.symbols,
            ids: self.ids,
            short: true,
        };
        printer.show_quoted(value)
    }

    /// What became of a call.
    pub fn ended(&self, ended: &Ended) -> String {
        match ended {
            Ended::Returned(value) => self.show(value),
            Ended::Threw(value) => format!("throws {}", self.show(value)),
            Ended::Waits => "waits for ever".to_owned(),
        }
    }
}

//! Other values for single fields, to see who notices.

use super::identity::Place;
use super::machine::Machine;
use super::state::Run;
use crate::value::{Value, known};
use mazurka_core::{Dependency, Location};

impl Machine {
    /// Gives the field at `location` another value of its type. False for what is no field with a location of its own, or holds a value of
    /// which no other is at hand.
    pub(crate) fn change_field(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        // With calls between objects of one cog a field belongs to two locations.
        if self.settings.dependency != Dependency::Field || self.reaches.outside {
            return false;
        }
        let Some(Place::Field(id, field)) = self.ids.place(location) else {
            return false;
        };
        let class = &self.program.classes[self.ids.object_class(id) as usize];
        // Whether a guard holds decides whether any task can move: a step that assigns such a field changes that too, this would not.
        let guarded = &self.guarded_fields[self.ids.object_class(id) as usize];
        if self.program.timed && guarded.get(field as usize).copied().unwrap_or(false) {
            return false;
        }
        // Whether an object lives is no value; what is never assigned is no location.
        if class.constant.get(field as usize).copied().unwrap_or(true) {
            return false;
        }
        let Some(slot) = run.objects.iter().position(|object| object.id == id) else {
            return false;
        };
        let object = run.object_mut(slot as u32);
        let value = &mut object.fields[field as usize];
        *value = match value {
            Value::Int(n) => Value::Int(n.wrapping_add(1 + (seed % 5) as i64)),
            Value::Atom(known::TRUE) => Value::Atom(known::FALSE),
            Value::Atom(known::FALSE) => Value::Atom(known::TRUE),
            Value::Str(text) => Value::string(format!("{text}{}", seed % 5)),
            _ => return false,
        };
        let cog = object.cog;
        self.refresh(run, &[cog]);
        true
    }
}

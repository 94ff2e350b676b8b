//! Declaring which fields of its actor a handler touches.

use crate::tables::Tables;
use mazurka_core::Footprint;

/// What one message's handler may touch of its actor, in any state; filled by [`crate::Actor::touches`].
///
/// Fields are plain names; they need not be those of the struct, but two handlers that touch the same thing must use the same name.
pub struct Fields<'a> {
    tables: &'a Tables,
    actor: u32,
    footprint: &'a mut Footprint,
    whole: bool,
}

impl<'a> Fields<'a> {
    /// The footprint of a message at `actor`, as `declare` fills it in.
    pub(crate) fn collect(
        tables: &'a Tables,
        actor: u32,
        footprint: &'a mut Footprint,
        guarded: bool,
        declare: impl FnOnce(&mut Fields<'_>),
    ) {
        let mut fields = Fields {
            tables,
            actor,
            footprint,
            whole: false,
        };
        declare(&mut fields);
        // A handler that names its fields still conflicts with one that may touch all: they share the whole as readers and writer.
        let whole = tables.whole(actor);
        let (named, undeclared_guard) = (!fields.whole, guarded && !fields.footprint.is_guarded());
        match (named, undeclared_guard) {
            (false, guard) => {
                if guard {
                    fields.footprint.guard(whole);
                }
                fields.footprint.may_write(whole);
            }
            (true, false) if guarded => fields.footprint.guard(whole),
            (true, false) => fields.footprint.read(whole),
            (true, true) => {
                // A constraint that says nothing about what it reads may read anything: every handler must stay in order with it.
                fields.footprint.guard(whole);
                fields.footprint.may_write(whole);
            }
        }
    }

    /// The handler may read and write everything.
    pub fn all(&mut self) {
        self.whole = true;
    }

    /// The handler touches no field at all. (For symmetry: declaring nothing has the same meaning.)
    pub fn nothing(&mut self) {}

    /// The handler may read the field.
    pub fn read(&mut self, field: &str) -> &mut Self {
        self.footprint.read(self.tables.field(self.actor, field));
        self
    }

    /// The handler may write the field, or read and write it.
    pub fn write(&mut self, field: &str) -> &mut Self {
        self.footprint.may_write(self.tables.field(self.actor, field));
        self
    }

    /// The handler only updates the field by one commutative operation, always the same for this field, and does not look at the
    /// result: a counter that is incremented, a set that grows.
    pub fn accumulate(&mut self, field: &str) -> &mut Self {
        self.footprint.accumulate(self.tables.field(self.actor, field));
        self
    }

    /// The constraint of the message reads the field.
    pub fn guard(&mut self, field: &str) -> &mut Self {
        self.footprint.guard(self.tables.field(self.actor, field));
        self
    }
}

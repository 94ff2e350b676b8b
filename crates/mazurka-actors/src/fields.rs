//! Declaring which fields of its actor a handler touches.

use crate::tables::{Owner, Tables};
use mazurka_core::Footprint;

/// What one message's handler may touch of its actor, in any state; filled by [`crate::Actor::touches`].
///
/// Fields are plain names; they need not be those of the struct, but two handlers that touch the same thing must use the same name.
pub struct Fields<'a> {
    tables: &'a Tables,
    actor: u32,
    footprint: &'a mut Footprint,
    whole: bool,
    /// Whether some field is written.
    writes: bool,
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
            writes: false,
        };
        declare(&mut fields);
        // Two locations stand for all fields at once. *The whole* orders handlers that name their fields, which read it, with those that
        // may touch everything, which write it. *Any field* is what a constraint reads that does not say what it reads: every handler
        // that writes a field changes it, and those that do need no order among themselves.
        let (whole, any) = (tables.whole(actor), tables.any_field(actor));
        let declares_guard = fields.footprint.is_guarded();
        if guarded {
            fields.footprint.guard(whole);
            if !declares_guard {
                fields.footprint.guard(any);
            }
        }
        if fields.whole {
            fields.footprint.update(whole);
            fields.footprint.update(any);
        } else {
            fields.footprint.read(whole);
            if fields.writes {
                fields.footprint.accumulate(any);
            }
        }
    }

    /// The handler may read and write everything.
    pub fn all(&mut self) {
        self.whole = true;
    }

    /// The handler touches no field at all. (For symmetry: declaring nothing has the same meaning.)
    pub fn nothing(&mut self) {}

    /// The handler may set or cancel timers.
    pub fn timers(&mut self) -> &mut Self {
        self.footprint.update(self.tables.of(Owner::Timers(self.actor)));
        self
    }

    /// The handler may read the field.
    pub fn read(&mut self, field: &str) -> &mut Self {
        self.footprint.read(self.tables.field(self.actor, field));
        self
    }

    /// The handler may write the field, or read and write it.
    pub fn write(&mut self, field: &str) -> &mut Self {
        self.writes = true;
        self.footprint.update(self.tables.field(self.actor, field));
        self
    }

    /// The handler only updates the field by one commutative operation, always the same for this field, and does not look at the
    /// result: a counter that is incremented, a set that grows.
    pub fn accumulate(&mut self, field: &str) -> &mut Self {
        self.writes = true;
        self.footprint.accumulate(self.tables.field(self.actor, field));
        self
    }

    /// The constraint of the message reads the field.
    pub fn guard(&mut self, field: &str) -> &mut Self {
        self.footprint.guard(self.tables.field(self.actor, field));
        self
    }
}

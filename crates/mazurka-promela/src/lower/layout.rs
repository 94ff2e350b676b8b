//! Types and where variables go: records are laid out field by field, arrays element by element, without gaps.

use crate::model::{Cell, Channel, Kind, Meaning};
use mazurka_diagnostics::Span;
use std::sync::Arc;

/// A variable's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Scalar(Kind, Meaning),
    /// An index into the records.
    Record(usize),
}

/// A field of a record.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: Arc<str>,
    pub ty: Type,
    pub length: Option<u32>,
    pub offset: u32,
    /// First values, one per element; the last one counts for the rest.
    pub initial: Vec<i32>,
    /// The type of channel each element is.
    pub channel: Option<usize>,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub name: Arc<str>,
    pub fields: Vec<Field>,
    pub size: u32,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub ty: Type,
    pub length: Option<u32>,
    pub global: bool,
    pub offset: u32,
    pub channel: Option<usize>,
    /// The first value, where it is a constant: SPIN lets such a variable bound an array.
    pub constant: Option<i32>,
    pub span: Span,
}

/// One scalar of a variable.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// What follows the name of the variable: `[2]`, `.f`.
    pub suffix: String,
    pub offset: u32,
    pub kind: Kind,
    pub meaning: Meaning,
    pub initial: i32,
    pub channel: Option<usize>,
}

/// The storage of an element: SPIN keeps an array of bits as bytes.
pub(super) fn element_kind(kind: Kind, is_array: bool) -> Kind {
    match kind {
        Kind::Bit if is_array => Kind::Byte,
        kind => kind,
    }
}

#[derive(Default)]
pub(super) struct Types {
    pub records: Vec<Record>,
    pub channels: Vec<Channel>,
}

/// No variable may be larger than this; the whole state has to be copied often.
pub(super) const MAX_SIZE: u64 = 1 << 20;

impl Types {
    pub fn size(&self, ty: Type, is_array: bool) -> u32 {
        match ty {
            Type::Scalar(kind, _) => element_kind(kind, is_array).size(),
            Type::Record(record) => self.records[record].size,
        }
    }

    /// All scalars of a variable in order.
    pub fn leaves(&self, ty: Type, length: Option<u32>, offset: u32, initial: &[i32], channel: Option<usize>, out: &mut Vec<Leaf>) {
        self.collect(ty, length, offset, initial, channel, "", out);
    }

    #[allow(clippy::too_many_arguments)]
    fn collect(
        &self,
        ty: Type,
        length: Option<u32>,
        offset: u32,
        initial: &[i32],
        channel: Option<usize>,
        prefix: &str,
        out: &mut Vec<Leaf>,
    ) {
        let size = self.size(ty, length.is_some());
        for i in 0..length.unwrap_or(1) {
            let suffix = match length {
                Some(_) => format!("{prefix}[{i}]"),
                None => prefix.to_string(),
            };
            let offset = offset + i * size;
            match ty {
                Type::Scalar(kind, meaning) => out.push(Leaf {
                    suffix,
                    offset,
                    kind: element_kind(kind, length.is_some()),
                    meaning,
                    initial: initial.get(i as usize).or(initial.last()).copied().unwrap_or(0),
                    channel,
                }),
                Type::Record(record) => {
                    for field in &self.records[record].fields {
                        let name = format!("{suffix}.{}", field.name);
                        self.collect(
                            field.ty,
                            field.length,
                            offset + field.offset,
                            &field.initial,
                            field.channel,
                            &name,
                            out,
                        );
                    }
                }
            }
        }
    }

    /// The message fields that a type stands for: a record is sent field by field.
    pub fn fields(&self, ty: Type) -> Vec<(Kind, Meaning)> {
        let mut leaves = Vec::new();
        self.leaves(ty, None, 0, &[], None, &mut leaves);
        leaves.iter().map(|l| (l.kind, l.meaning)).collect()
    }
}

/// The cells of a variable, for people and for telling accesses apart.
pub(super) fn cells(name: &str, leaves: &[Leaf], variable: u32, hidden: bool) -> impl Iterator<Item = Cell> {
    leaves
        .iter()
        .map(move |leaf| Cell {
            name: format!("{name}{}", leaf.suffix),
            offset: leaf.offset,
            kind: leaf.kind,
            meaning: leaf.meaning,
            variable,
            hidden,
        })
        .collect::<Vec<_>>()
        .into_iter()
}

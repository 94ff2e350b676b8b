//! The shared accesses of single expressions and statements.

use super::fixed::{self, Fixed};
use crate::machine::Machine;
use crate::model::{Ex, Op, PRIORITY, Pattern, Place, Space};
use rustc_hash::FxHashSet;

/// Whether something is looked at or changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AccessMode {
    /// Looked at.
    Read,
    /// Changed, perhaps after looking at it.
    Write,
}

/// The channel that an operation is about, as far as the text tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChannelRef {
    /// The global channel with this number.
    Global(u32),
    /// The one that the local variable at this offset of the frame names for ever.
    Local(u32),
    /// Some channel.
    Any,
}

/// What is accessed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Object {
    /// These global cells, by their place in [`crate::model::Model::cells`].
    Cells(Box<[u32]>),
    /// One of the cells: which one, an index over locals tells.
    Indexed {
        /// The place with its index.
        place: Box<PlaceKey>,
        /// All candidates.
        cells: Box<[u32]>,
    },
    /// A channel.
    Channel(ChannelRef),
    /// The channels that the process itself brought with it.
    OwnChannels,
    /// Which channels there are: those of a process come with it.
    NewChannels,
    /// The priorities of processes, where they are only looked at.
    Priorities,
    /// Who is alive: births, deaths, `_nr_pr`.
    Population,
    /// Births alone.
    Births,
    /// Control points and locals of processes of this type, looked at from outside.
    Remote(usize),
    /// Everything: `timeout`, `enabled`, priorities.
    Everything,
}

/// A place with local indices, compared by what it says.
#[derive(Clone, Debug)]
pub struct PlaceKey {
    /// The place.
    pub place: Place,
    text: String,
    locals: Vec<u32>,
}

impl PartialEq for PlaceKey {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
impl Eq for PlaceKey {}
impl PartialOrd for PlaceKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for PlaceKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

/// One access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Access {
    /// What.
    pub object: Object,
    /// How.
    pub mode: AccessMode,
    /// Whether it decides if a statement can be executed.
    pub guard: bool,
}

impl Access {
    /// Whether something is looked at: a message is, before it is taken away, and who is alive is by who starts a process, which gets the
    /// first number that is free, as its channels do.
    pub(super) fn looks(&self) -> bool {
        let seen = matches!(self.object, Object::Channel(_) | Object::Population | Object::NewChannels);
        self.guard || self.mode == AccessMode::Read || seen
    }

    /// The read that decides.
    pub(super) fn as_guard(&self) -> Access {
        Access {
            object: self.object.clone(),
            mode: AccessMode::Read,
            guard: true,
        }
    }

    /// Takes an index into account only if the locals it is made of are not among those that change meanwhile.
    pub(super) fn forget_index(&mut self, assigned: &FxHashSet<u32>) {
        if let Object::Indexed { place, cells } = &self.object
            && place.locals.iter().any(|l| assigned.contains(l))
        {
            self.object = Object::Cells(cells.clone());
        }
    }

    /// What is known of the access without knowing the values of locals.
    pub(super) fn seen_from_outside(&self) -> Access {
        let mut access = self.clone();
        match &self.object {
            Object::Indexed { cells, .. } => access.object = Object::Cells(cells.clone()),
            Object::Channel(ChannelRef::Local(_)) | Object::OwnChannels => access.object = Object::Channel(ChannelRef::Any),
            _ => {}
        }
        access
    }
}

/// Sorts accesses and drops repetitions.
pub(super) fn tidy(accesses: &mut Vec<Access>) {
    accesses.sort_unstable();
    accesses.dedup();
}

pub(crate) struct Collector<'a> {
    machine: &'a Machine,
    fixed: &'a Fixed,
    proctype: usize,
}

impl<'a> Collector<'a> {
    pub fn new(machine: &'a Machine, fixed: &'a Fixed, proctype: usize) -> Self {
        Collector { machine, fixed, proctype }
    }

    fn push(object: Object, mode: AccessMode, guard: bool, out: &mut Vec<Access>) {
        out.push(Access { object, mode, guard });
    }

    /// What priorities depend on: whether any other process could move.
    pub fn rank(&self, out: &mut Vec<Access>) {
        if self.machine.model().ranked {
            Self::push(Object::Everything, AccessMode::Write, true, out);
        }
    }

    /// The reads of a condition.
    pub fn guard(&self, ex: &Ex, out: &mut Vec<Access>) {
        self.reads(ex, true, out);
    }

    /// The channel that an expression names.
    pub fn channel(&self, ex: &Ex) -> ChannelRef {
        match ex {
            Ex::Load(place) if place.indices.is_empty() => match place.space {
                Space::Global => match self.fixed.channels.get(&place.offset) {
                    Some(&number) => ChannelRef::Global(number),
                    None => ChannelRef::Any,
                },
                Space::Local if self.fixed.locals[self.proctype].contains(&place.offset) => ChannelRef::Local(place.offset),
                _ => ChannelRef::Any,
            },
            _ => ChannelRef::Any,
        }
    }

    /// An access to a channel. Which one it is has to be looked up only where it can change.
    fn channel_access(&self, channel: &Ex, mode: AccessMode, guard: bool, out: &mut Vec<Access>) {
        let which = self.channel(channel);
        if which == ChannelRef::Any {
            self.reads(channel, guard, out);
        }
        Self::push(Object::Channel(which), mode, guard, out);
    }

    /// Whether the channel may be a rendezvous channel.
    pub fn may_meet(&self, channel: &Ex) -> bool {
        match self.channel(channel) {
            ChannelRef::Global(number) => {
                let slot = &self.machine.model().global_channels[number as usize - 1];
                self.machine.model().channels[slot.channel].capacity == 0
            }
            _ => self.machine.has_rendezvous(),
        }
    }

    /// Whether an operation may offer a rendezvous.
    pub fn offers(&self, op: &Op) -> bool {
        matches!(op, Op::Send { channel, .. } if self.may_meet(channel))
    }

    /// Whether an operation, not a `d_step`, may accept a rendezvous.
    pub fn accepts(&self, op: &Op) -> bool {
        matches!(op, Op::Receive { channel, peek: false, .. } if self.may_meet(channel))
    }

    /// The accesses of an operation; those marked as guards decide whether it can be executed.
    pub fn op(&self, op: &Op, out: &mut Vec<Access>) {
        use AccessMode::Write;
        match op {
            Op::Skip | Op::Else => {}
            Op::Condition(condition) => self.reads(condition, true, out),
            Op::Assert(e) => self.reads(e, false, out),
            Op::Print(args) => args.iter().for_each(|a| self.reads(a, false, out)),
            Op::Assign(place, value) => {
                self.reads(value, false, out);
                self.place(place, Write, false, out);
            }
            Op::Send { channel, args, .. } => {
                self.channel_access(channel, Write, true, out);
                // Who takes part in a rendezvous depends on the message.
                let guard = self.may_meet(channel);
                args.iter().for_each(|a| self.reads(a, guard, out));
            }
            Op::Receive {
                channel, pattern, peek, ..
            } => {
                let mode = if *peek { AccessMode::Read } else { Write };
                self.channel_access(channel, mode, true, out);
                for p in pattern {
                    match p {
                        Pattern::Match(e) => self.reads(e, true, out),
                        Pattern::Store(place) => self.place(place, Write, false, out),
                    }
                }
            }
            Op::SetPriority(parts) => {
                self.reads(&parts.0, false, out);
                self.reads(&parts.1, false, out);
                Self::push(Object::Priorities, Write, false, out);
                Self::push(Object::Population, AccessMode::Read, false, out);
            }
            Op::Run {
                proctype, args, result, ..
            } => {
                Self::push(Object::Population, Write, false, out);
                Self::push(Object::Births, Write, false, out);
                Self::push(Object::Remote(*proctype), Write, false, out);
                if !self.machine.model().proctypes[*proctype].channels.is_empty() {
                    Self::push(Object::NewChannels, Write, false, out);
                }
                args.iter().for_each(|a| self.reads(a, false, out));
                let child = Collector::new(self.machine, self.fixed, *proctype);
                for first in &self.machine.model().proctypes[*proctype].initial {
                    let mut reads = Vec::new();
                    child.reads(&first.value, false, &mut reads);
                    out.extend(reads.iter().map(Access::seen_from_outside));
                }
                if let Some(place) = result {
                    self.place(place, Write, false, out);
                }
            }
            Op::End => {
                Self::push(Object::Population, Write, true, out);
                if !self.machine.model().proctypes[self.proctype].channels.is_empty() {
                    Self::push(Object::OwnChannels, Write, false, out);
                }
            }
            Op::Deterministic(inside) => {
                for (n, node) in inside.nodes.iter().enumerate() {
                    for (op, _) in &node.edges {
                        let mut accesses = Vec::new();
                        self.op(op, &mut accesses);
                        out.extend(accesses.into_iter().map(|mut a| {
                            a.guard &= n == 0;
                            a
                        }));
                    }
                }
            }
        }
    }

    /// The locals that operations assign to, by offset.
    pub fn assigned_locals(&self, ops: &[&Op]) -> FxHashSet<u32> {
        let mut assigned = FxHashSet::default();
        for op in ops {
            fixed::each_store(op, &mut |place| {
                if place.space == Space::Local {
                    fixed::each_offset(place, &mut |offset| {
                        assigned.insert(offset);
                    });
                }
            });
        }
        assigned
    }

    /// An access to a variable, and the reads of its indices.
    fn place(&self, place: &Place, mode: AccessMode, guard: bool, out: &mut Vec<Access>) {
        for index in &place.indices {
            self.reads(&index.value, guard, out);
        }
        if self.is_priority(place) {
            Self::push(Object::Priorities, mode, guard, out);
        }
        if place.space != Space::Global {
            return;
        }
        let mut cells: Vec<u32> = Vec::new();
        fixed::each_offset(place, &mut |offset| cells.extend(self.fixed.cells.get(&offset)));
        let cells: Box<[u32]> = cells.into();
        let mut locals = Vec::new();
        let known = place.indices.iter().all(|i| self.local_only(&i.value, &mut locals));
        let object = if place.indices.is_empty() || !known {
            Object::Cells(cells)
        } else {
            let key = PlaceKey {
                text: format!("{place:?}"),
                place: place.clone(),
                locals,
            };
            Object::Indexed {
                place: Box::new(key),
                cells,
            }
        };
        Self::push(object, mode, guard, out);
    }

    fn reads(&self, ex: &Ex, guard: bool, out: &mut Vec<Access>) {
        use AccessMode::Read;
        match ex {
            Ex::Const(_) | Ex::Pid => {}
            Ex::Load(place) => self.place(place, Read, guard, out),
            Ex::ProcessCount => Self::push(Object::Population, Read, guard, out),
            Ex::Timeout | Ex::NonProgress => Self::push(Object::Everything, Read, true, out),
            Ex::Priority(pid) => {
                self.reads(pid, guard, out);
                Self::push(Object::Priorities, Read, guard, out);
                Self::push(Object::Population, Read, guard, out);
            }
            Ex::Enabled(pid) => {
                self.reads(pid, guard, out);
                Self::push(Object::Population, Read, guard, out);
                Self::push(Object::Everything, Read, guard, out);
            }
            Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => self.reads(e, guard, out),
            Ex::Binary(_, parts) => {
                self.reads(&parts.0, guard, out);
                self.reads(&parts.1, guard, out);
            }
            Ex::Conditional(parts) => {
                self.reads(&parts.0, guard, out);
                self.reads(&parts.1, guard, out);
                self.reads(&parts.2, guard, out);
            }
            Ex::Probe(_, channel) => self.channel_access(channel, Read, guard, out),
            Ex::Poll { channel, pattern, .. } => {
                self.channel_access(channel, Read, guard, out);
                for p in pattern {
                    if let Pattern::Match(e) = p {
                        self.reads(e, guard, out);
                    }
                }
            }
            Ex::RemoteLabel { proctype, pid, .. } => {
                pid.iter().for_each(|e| self.reads(e, guard, out));
                Self::push(Object::Remote(*proctype), Read, guard, out);
                Self::push(Object::Population, Read, guard, out);
            }
            Ex::RemoteVariable { proctype, pid, place } => {
                pid.iter().for_each(|e| self.reads(e, guard, out));
                place.indices.iter().for_each(|i| self.reads(&i.value, guard, out));
                Self::push(Object::Remote(*proctype), Read, guard, out);
                Self::push(Object::Population, Read, guard, out);
            }
        }
    }

    /// Whether a place is the priority of its process, which others may change.
    fn is_priority(&self, place: &Place) -> bool {
        self.machine.model().priorities && place.space == Space::Local && place.offset == PRIORITY
    }

    /// Whether an expression only depends on the process itself; collects the locals it reads.
    pub fn local_only(&self, ex: &Ex, locals: &mut Vec<u32>) -> bool {
        match ex {
            Ex::Const(_) | Ex::Pid => true,
            Ex::Load(place) => {
                fixed::each_offset(place, &mut |offset| locals.push(offset));
                place.space == Space::Local && !self.is_priority(place) && place.indices.iter().all(|i| self.local_only(&i.value, locals))
            }
            Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => self.local_only(e, locals),
            Ex::Binary(_, parts) => self.local_only(&parts.0, locals) && self.local_only(&parts.1, locals),
            Ex::Conditional(parts) => {
                self.local_only(&parts.0, locals) && self.local_only(&parts.1, locals) && self.local_only(&parts.2, locals)
            }
            _ => false,
        }
    }
}

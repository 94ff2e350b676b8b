//! What the world may do to a system: lose and repeat messages, stop and restart actors, cut them off from each other.
//!
//! Every kind of fault has a budget, so that searches end, and is a step of its own in counterexamples. A fault is never forced: whatever may
//! happen, it may also not happen.

use crate::address::Address;
use crate::run::START;

/// Messages that may get lost, for [`System::may_lose`](crate::System::may_lose).
#[derive(Clone, Debug)]
pub struct Losses {
    pub(crate) most: u32,
    links: Links,
}

/// Messages that may arrive twice, for [`System::may_duplicate`](crate::System::may_duplicate).
#[derive(Clone, Debug)]
pub struct Duplicates {
    pub(crate) most: u32,
    links: Links,
}

/// Actors that may crash, for [`System::may_crash`](crate::System::may_crash). What they know is lost but for what
/// [`Actor::restart`](crate::Actor::restart) keeps.
#[derive(Clone, Debug)]
pub struct Crashes {
    pub(crate) most: u32,
    pub(crate) actors: Vec<u32>,
    pub(crate) for_good: bool,
}

/// Actors that may be cut off from all others for a while, for [`System::may_partition`](crate::System::may_partition).
#[derive(Clone, Debug)]
pub struct Partitions {
    pub(crate) most: u32,
    pub(crate) sides: Vec<Vec<u32>>,
}

/// From whom to whom; all of them if none is named.
#[derive(Clone, Debug, Default)]
struct Links(Vec<(u32, u32)>);

impl Links {
    fn have(&self, sender: u32, receiver: u32) -> bool {
        // What is under way at the start is the question that is asked, and not sent over a network.
        sender != START && (self.0.is_empty() || self.0.contains(&(sender, receiver)))
    }
}

fn assert_some(most: u32, what: &str) {
    assert!(most > 0, "at most 0 {what} is no fault at all: leave the line out");
}

impl Losses {
    /// At most so many messages get lost. Those under way at the start do not.
    ///
    /// # Panics
    /// If it is none.
    #[track_caller]
    pub fn at_most(most: u32) -> Self {
        assert_some(most, "losses");
        let links = Links::default();
        Losses { most, links }
    }

    /// Only those from one actor to another; may be said several times.
    #[must_use]
    pub fn on<A, B>(mut self, from: Address<A>, to: Address<B>) -> Self {
        self.links.0.push((from.id, to.id));
        self
    }

    pub(crate) fn concern(&self, sender: u32, receiver: u32) -> bool {
        self.links.have(sender, receiver)
    }

    /// From whom to whom; all if there are none.
    pub(crate) fn links(&self) -> &[(u32, u32)] {
        &self.links.0
    }
}

impl Duplicates {
    /// At most so many messages arrive twice. Those under way at the start do not.
    ///
    /// # Panics
    /// If it is none.
    #[track_caller]
    pub fn at_most(most: u32) -> Self {
        assert_some(most, "duplicates");
        let links = Links::default();
        Duplicates { most, links }
    }

    /// Only those from one actor to another; may be said several times.
    #[must_use]
    pub fn on<A, B>(mut self, from: Address<A>, to: Address<B>) -> Self {
        self.links.0.push((from.id, to.id));
        self
    }

    pub(crate) fn concern(&self, sender: u32, receiver: u32) -> bool {
        self.links.have(sender, receiver)
    }

    /// From whom to whom; all if there are none.
    pub(crate) fn links(&self) -> &[(u32, u32)] {
        &self.links.0
    }
}

impl Crashes {
    /// At most so many crashes, of the actors that [`Crashes::of`] names. Each of them restarts at some later time.
    ///
    /// # Panics
    /// If it is none.
    #[track_caller]
    pub fn at_most(most: u32) -> Self {
        assert_some(most, "crashes");
        Crashes {
            most,
            actors: Vec::new(),
            for_good: false,
        }
    }

    /// These actors may crash; may be said several times, for actors of several types.
    #[must_use]
    pub fn of<A>(mut self, actors: &[Address<A>]) -> Self {
        self.actors.extend(actors.iter().map(|a| a.id));
        self
    }

    /// An actor that crashed never restarts.
    #[must_use]
    pub fn for_good(self) -> Self {
        Crashes { for_good: true, ..self }
    }
}

impl Partitions {
    /// At most so many partitions. Each comes at some time and heals later; meanwhile messages between its sides wait.
    ///
    /// # Panics
    /// If it is none.
    #[track_caller]
    pub fn at_most(most: u32) -> Self {
        assert_some(most, "partitions");
        let sides = Vec::new();
        Partitions { most, sides }
    }

    /// These actors may be cut off from all others, together; may be said several times.
    #[must_use]
    pub fn around<A>(mut self, actors: &[Address<A>]) -> Self {
        self.sides.push(actors.iter().map(|a| a.id).collect());
        self
    }

    /// Each of these actors may be cut off from all others, alone.
    #[must_use]
    pub fn isolating<A>(mut self, actors: &[Address<A>]) -> Self {
        self.sides.extend(actors.iter().map(|a| vec![a.id]));
        self
    }

    /// The partitions that separate two actors.
    pub(crate) fn between(&self, one: u32, two: u32) -> impl Iterator<Item = usize> + '_ {
        let sides = self.sides.iter().enumerate();
        let separates = move |side: &[u32]| one != START && side.contains(&one) != side.contains(&two);
        sides.filter(move |(_, side)| separates(side)).map(|(nth, _)| nth)
    }
}

/// The faults of a system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    pub losses: Option<Losses>,
    pub duplicates: Option<Duplicates>,
    pub crashes: Option<Crashes>,
    pub partitions: Option<Partitions>,
}

/// A kind of fault that has a budget.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fault {
    Loss,
    Duplicate,
    Crash,
    Partition,
}

impl Fault {
    pub const ALL: [Fault; 4] = [Fault::Loss, Fault::Duplicate, Fault::Crash, Fault::Partition];

    /// What there are so many of, for people.
    pub fn plural(self) -> &'static str {
        match self {
            Fault::Loss => "losses",
            Fault::Duplicate => "duplicates",
            Fault::Crash => "crashes",
            Fault::Partition => "partitions",
        }
    }
}

impl Faults {
    pub fn any(&self) -> bool {
        Fault::ALL.into_iter().any(|fault| self.budget(fault) > 0)
    }

    /// How many faults of a kind there may be.
    pub fn budget(&self, fault: Fault) -> u32 {
        match fault {
            Fault::Loss => self.losses.as_ref().map_or(0, |l| l.most),
            Fault::Duplicate => self.duplicates.as_ref().map_or(0, |d| d.most),
            Fault::Crash => self.crashes.as_ref().map_or(0, |c| c.most),
            Fault::Partition => self.partitions.as_ref().map_or(0, |p| p.most),
        }
    }

    pub fn may_lose(&self, sender: u32, receiver: u32) -> bool {
        self.losses.as_ref().is_some_and(|l| l.concern(sender, receiver))
    }

    pub fn may_double(&self, sender: u32, receiver: u32) -> bool {
        self.duplicates.as_ref().is_some_and(|d| d.concern(sender, receiver))
    }

    /// The partitions that a message has to cross.
    pub fn partitions_between(&self, sender: u32, receiver: u32) -> impl Iterator<Item = usize> + '_ {
        self.partitions.iter().flat_map(move |p| p.between(sender, receiver))
    }
}

//! Interchangeable actors: a stateful search takes configurations together that differ only in which of them is which.
//!
//! A handler can do little with an address: send to it, keep it, compare it with another for equality. So if interchangeable actors change places
//! in a configuration, with all the addresses in states and messages, then whatever could happen before can happen after, with the places
//! changed. That is true of every configuration, whether the start is symmetrical or not. A search therefore keeps one configuration of
//! those that changes of places lead to each other, and goes on from it: what it does not see is what it sees, with the places changed. This is
//! so for any property that does not tell interchangeable actors apart (C. N. Ip, D. L. Dill: Better Verification Through Symmetry, 1996).
//!
//! Nothing is renamed in the states of users. An address says when it is hashed that it is one, so the hash of a state in which actors have changed
//! places can be computed from the state as it is (`canonical.rs`). So nobody has to list the addresses in a state, and none can be forgotten but by a `Hash` that is
//! not derived. What could be wrong is looked for (`checks.rs`): properties that tell actors apart, and configurations that look the same and do not go on in the same way.

mod canonical;
mod checks;

use crate::actor::Actor;
use crate::address::Address;
use crate::faults::Faults;
use crate::knowledge::Knowledge;
use crate::promises::What;
use crate::system::System;
use crate::world::{End, World};
use checks::Merges;
use std::hash::Hash;
use std::rc::Rc;

/// Which actors are interchangeable.
#[derive(Default)]
pub(crate) struct Symmetry {
    groups: Vec<Vec<u32>>,
    merges: Merges,
}

impl Symmetry {
    /// Whether some actors are interchangeable.
    pub fn any(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether an actor is interchangeable with others.
    pub fn moves(&self, actor: u32) -> bool {
        self.groups.iter().any(|group| group.contains(&actor))
    }

    /// Whether all of a group are among these actors, or none, for every group.
    fn keeps(&self, actors: &[u32]) -> bool {
        let same = |group: &Vec<u32>| group.iter().all(|a| actors.contains(a)) || !group.iter().any(|a| actors.contains(a));
        self.groups.iter().all(same)
    }
}

impl System {
    /// These actors are interchangeable: a stateful search takes configurations together that differ only in which of them is which. With `n` of them
    /// there are up to `n!` times fewer.
    ///
    /// Handlers can only compare addresses and send to them, so interchangeable actors need not begin in the same state, and nothing is wrong
    /// if a number in a state tells them apart; there is just less to take together. What matters is that actors know each other without an order: keep peers in an
    /// [`AddressSet`](crate::AddressSet) rather than a `Vec`.
    ///
    /// Properties must not tell the actors apart. They look at all of them with [`World::states`] or [`World::actors`], and what else they need is given
    /// to them by [`System::invariant_about`] and [`System::at_end_about`]: what a closure captures cannot be looked into. [`System::eventually`] and
    /// [`System::leads_to`] are looked at without symmetry.
    ///
    /// # Panics
    /// If there are fewer than two, if one is named twice, or if one comes from another system.
    #[must_use]
    #[track_caller]
    pub fn interchangeable<A: Actor>(mut self, actors: &[Address<A>]) -> Self {
        assert!(actors.len() > 1, "fewer than two actors cannot change places");
        let mut group = Vec::new();
        for actor in actors {
            self.known(*actor);
            let known = group.contains(&actor.id) || self.symmetry.moves(actor.id);
            assert!(
                !known,
                "{} is named twice as interchangeable",
                self.actor_name(&self.start, actor.id)
            );
            group.push(actor.id);
        }
        self.symmetry.groups.push(group);
        self
    }

    /// As [`System::invariant`], about something that the closure is given instead of capturing it: then it can be told whether it knows any of the
    /// [interchangeable](System::interchangeable) actors.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Address, Context, System};
    /// # #[derive(Clone, Hash, Debug, Default)] struct Lock { taken: bool }
    /// # impl Actor for Lock {
    /// #     type Message = Address<Worker>;
    /// #     fn handle(&mut self, by: Address<Worker>, context: &mut Context<Self>) {
    /// #         if !self.taken { self.taken = true; context.send(by, ()); }
    /// #     }
    /// # }
    /// # #[derive(Clone, Hash, Debug, Default)] struct Worker { works: bool }
    /// # impl Actor for Worker { type Message = (); fn handle(&mut self, (): (), _: &mut Context<Self>) { self.works = true; } }
    /// let mut system = System::new();
    /// let lock = system.create(Lock::default());
    /// let workers = system.create_many("worker", 4, |_, _| Worker::default());
    /// workers.iter().for_each(|worker| system.send(lock, *worker));
    /// let system = system.interchangeable(&workers).invariant_about("who works has the lock", lock, |world, lock| {
    ///     world.states::<Worker>().filter(|worker| worker.works).count() <= usize::from(world.state(*lock).taken)
    /// });
    /// system.check().algorithm("stateful").assert_ok();
    /// ```
    #[must_use]
    pub fn invariant_about<D: Hash + 'static>(self, name: &str, about: D, holds: impl Fn(&World<'_>, &D) -> bool + 'static) -> Self {
        let knows = Knowledge::and(&holds, &about);
        self.with_invariant(name, (Vec::new(), knows), move |world| holds(world, &about))
    }

    /// As [`System::at_end`], about something that the closure is given instead of capturing it; see [`System::invariant_about`].
    #[must_use]
    pub fn at_end_about<D: Hash + 'static>(mut self, about: D, check: impl Fn(&End<'_>, &D) + 'static) -> Self {
        self.end_knows = Knowledge::and(&check, &about);
        self.at_end = Some(Rc::new(move |end| check(end, &about)));
        self
    }

    /// Why interchangeable actors cannot be taken together, if something tells them apart.
    pub(crate) fn symmetry_objection(&self) -> Option<String> {
        if !self.symmetry.any() {
            return None;
        }
        self.told_apart_by_properties().or_else(|| self.told_apart_by_faults())
    }

    fn told_apart_by_properties(&self) -> Option<String> {
        let what = |knows: &Knowledge| match knows {
            Knowledge { captures: true, .. } => Some(
                "its closure captures variables, which may be addresses; give it what it needs with `invariant_about` or `at_end_about`",
            ),
            Knowledge { addresses, .. } if addresses.iter().any(|a| self.symmetry.moves(*a)) => {
                Some("it is given the address of one of them; look at all of them with `World::states` or `World::actors`")
            }
            Knowledge { .. } => None,
        };
        let of = |name: &str, knows| what(knows).map(|what| format!("{name} may tell interchangeable actors apart: {what}"));
        for invariant in &self.invariants {
            let name = format!("the invariant `{}`", invariant.name);
            if !self.symmetry.keeps(&invariant.reads) {
                return Some(format!(
                    "{name} reads some of several interchangeable actors; let it read all of them"
                ));
            }
            if let Some(objection) = of(&name, &invariant.knows) {
                return Some(objection);
            }
        }
        let only_reachability = self.asks_for_reachability_only();
        for promise in self.promises.iter().filter(|_| only_reachability) {
            if let Some(objection) = of(&format!("`{}`", promise.name), &promise.knows) {
                return Some(objection);
            }
        }
        of("what is checked at the end", &self.end_knows)
    }

    fn told_apart_by_faults(&self) -> Option<String> {
        let Faults {
            losses,
            duplicates,
            crashes,
            partitions,
        } = &self.faults;
        let links = [losses.as_ref().map(|l| l.links()), duplicates.as_ref().map(|d| d.links())];
        let (mut sides, kept) = (partitions.iter().flat_map(|p| &p.sides), |actors: &[u32]| {
            self.symmetry.keeps(actors)
        });
        let differ = |what: &str| {
            Some(format!(
                "{what} some of several interchangeable actors only; name all of them or none"
            ))
        };
        if links.into_iter().flatten().any(|links| !self.symmetry.keeps_links(links)) {
            return differ("losses or duplicates concern");
        }
        if crashes.as_ref().is_some_and(|crashes| !kept(&crashes.actors)) {
            return differ("crashes concern");
        }
        if !sides.all(|side| self.symmetry.keeps_side(side, partitions.iter().flat_map(|p| &p.sides))) {
            return differ("partitions concern");
        }
        None
    }

    /// Whether nothing is asked about executions without end.
    pub(crate) fn asks_for_reachability_only(&self) -> bool {
        self.promises.iter().all(|promise| matches!(promise.what, What::Sometimes(_)))
    }
}

impl Symmetry {
    /// Whether a set of pairs stays the same whoever changes places.
    fn keeps_links(&self, links: &[(u32, u32)]) -> bool {
        self.exchanges().all(|exchange| {
            let exchanged = |&(from, to): &(u32, u32)| (exchange(from), exchange(to));
            links.iter().all(|link| links.contains(&exchanged(link)))
        })
    }

    /// Whether every change of places makes of a side of a partition some side.
    fn keeps_side<'s>(&self, side: &[u32], sides: impl Iterator<Item = &'s Vec<u32>> + Clone) -> bool {
        self.exchanges().all(|exchange| {
            let exchanged: Vec<u32> = side.iter().map(|a| exchange(*a)).collect();
            sides.clone().any(|other| same_set(other, &exchanged))
        })
    }

    /// Every exchange of two interchangeable actors: together they make all changes of places.
    fn exchanges(&self) -> impl Iterator<Item = impl Fn(u32) -> u32> + '_ {
        let pairs = |group: &Vec<u32>| group.iter().zip(&group[1..]).map(|(a, b)| (*a, *b)).collect::<Vec<_>>();
        self.groups.iter().flat_map(pairs).map(|(a, b)| {
            move |actor| match actor {
                actor if actor == a => b,
                actor if actor == b => a,
                other => other,
            }
        })
    }
}

fn same_set(one: &[u32], two: &[u32]) -> bool {
    one.iter().all(|a| two.contains(a)) && two.iter().all(|a| one.contains(a))
}

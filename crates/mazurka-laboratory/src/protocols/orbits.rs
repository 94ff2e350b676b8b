//! Worlds in which interchangeable nodes have changed places.

use super::reference::World;
use super::script::Script;
use mazurka_actors::Delivery;

impl World {
    /// Where no fault can happen any more.
    pub(super) fn without_budgets(&self) -> World {
        World {
            losses: 0,
            duplicates: 0,
            crashes: 0,
            partitions: 0,
            ..self.clone()
        }
    }

    /// The least of the worlds that this one becomes if interchangeable nodes change places.
    pub(super) fn with_places_forgotten(&self, script: &Script) -> World {
        let mut all = vec![(0..self.nodes.len()).collect::<Vec<usize>>()];
        for one in 0..script.interchangeable {
            let exchanged = |two: usize| {
                all.iter().map(move |places| {
                    let mut places = places.clone();
                    places.swap(one, two);
                    places
                })
            };
            all = (one..script.interchangeable).flat_map(exchanged).collect();
        }
        let worlds = all.iter().map(|places| self.with_places(script, places));
        worlds.min().unwrap_or_else(|| self.clone())
    }

    /// The world in which each node has another place.
    fn with_places(&self, script: &Script, places: &[usize]) -> World {
        let mut world = self.clone();
        for (at, &place) in places.iter().enumerate() {
            world.nodes[place] = self.nodes[at].clone();
            if let Some(cut) = self.cut.get(at) {
                world.cut[place] = *cut;
            }
        }
        for node in &mut world.nodes {
            node.heard_from = node.heard_from.map(|from| places[from]);
        }
        for letter in &mut world.mail {
            (letter.from, letter.to) = (letter.from.map(|from| places[from]), places[letter.to]);
        }
        match script.delivery {
            Delivery::Unordered => world.mail.sort_unstable(),
            Delivery::PairFifo => world.mail.sort_by_key(|l| (l.to, l.from)),
            Delivery::MailboxFifo => world.mail.sort_by_key(|l| l.to),
        }
        world
    }
}

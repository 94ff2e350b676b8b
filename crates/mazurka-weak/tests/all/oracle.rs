//! The oracle: all executions by definition. Every thread is run with every value that its reads could return; of the runs of all threads, every assignment
//! of reads-from and modification order is tried, and kept if the axioms hold as the papers write them: relations are matrices, composed and closed.

use crate::small::{Instruction, Outcome, Shape, Small, Thread};
use mazurka_weak::Order;
use std::collections::{BTreeMap, BTreeSet};

/// An event of the oracle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Event {
    reads: Option<u64>,
    writes: Option<u64>,
    location: u32,
    order: Order,
    fence: bool,
    joins: Option<u32>,
    waits: bool,
    locked: bool,
}

/// A run of one thread.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Local {
    events: Vec<Event>,
    end: Thread,
    /// It waits for this thread to end.
    stuck: Option<u32>,
}

/// So many different values may a location have, or the program is not for the oracle.
const VALUES: usize = 8;

fn locals(code: &[Instruction], domain: &BTreeMap<u32, BTreeSet<u64>>) -> Vec<Local> {
    let mut open = vec![Local {
        events: Vec::new(),
        end: Thread::default(),
        stuck: None,
    }];
    let mut done = Vec::new();
    while let Some(mut local) = open.pop() {
        let Some(instruction) = local.end.settle(code) else {
            done.push(local);
            continue;
        };
        let plain = Event {
            reads: None,
            writes: None,
            location: 0,
            order: Order::Relaxed,
            fence: false,
            joins: None,
            waits: false,
            locked: false,
        };
        let mut go_on = |event: Event, read: u64| {
            let mut next = local.clone();
            next.events.push(event);
            if event.waits {
                done.push(next);
            } else {
                next.end.took(instruction, read);
                open.push(next);
            }
        };
        let values = |x: &u32| domain.get(x).cloned().unwrap_or_else(|| [0].into());
        match instruction {
            Instruction::Load(_, location, order) => {
                values(&location).into_iter().for_each(|v| {
                    go_on(
                        Event {
                            reads: Some(v),
                            location,
                            order,
                            ..plain
                        },
                        v,
                    )
                });
            }
            Instruction::Store(location, value, order) => {
                let writes = Some(local.end.value(value));
                go_on(
                    Event {
                        writes,
                        location,
                        order,
                        ..plain
                    },
                    0,
                );
            }
            Instruction::Exchange(_, location, expected, new, success, failure) => {
                for v in values(&location) {
                    let (writes, order) = if v == expected { (Some(new), success) } else { (None, failure) };
                    go_on(
                        Event {
                            reads: Some(v),
                            writes,
                            location,
                            order,
                            locked: true,
                            ..plain
                        },
                        v,
                    );
                }
            }
            Instruction::Add(_, location, by, order) => {
                for v in values(&location) {
                    go_on(
                        Event {
                            reads: Some(v),
                            writes: Some(v + by),
                            location,
                            order,
                            locked: true,
                            ..plain
                        },
                        v,
                    );
                }
            }
            Instruction::Lock(location) => {
                for v in values(&location) {
                    let taken = Event {
                        reads: Some(v),
                        writes: Some(1),
                        location,
                        order: Order::Acquire,
                        locked: true,
                        ..plain
                    };
                    let waits = Event {
                        writes: None,
                        order: Order::Relaxed,
                        waits: true,
                        ..taken
                    };
                    go_on(if v == 0 { taken } else { waits }, v);
                }
            }
            Instruction::Unlock(location) => go_on(
                Event {
                    writes: Some(0),
                    location,
                    order: Order::Release,
                    ..plain
                },
                0,
            ),
            Instruction::Await(location, value, order) => {
                for v in values(&location) {
                    let (waits, order) = if v == value { (false, order) } else { (true, Order::Relaxed) };
                    go_on(
                        Event {
                            reads: Some(v),
                            location,
                            order,
                            waits,
                            ..plain
                        },
                        v,
                    );
                }
            }
            Instruction::Fence(order) => go_on(
                Event {
                    order,
                    fence: true,
                    ..plain
                },
                0,
            ),
            Instruction::Join(other) => {
                go_on(
                    Event {
                        joins: Some(other),
                        ..plain
                    },
                    0,
                );
                done.push(Local {
                    stuck: Some(other),
                    ..local.clone()
                });
            }
            Instruction::Unless(..) | Instruction::Assert(..) => unreachable!("settled"),
        }
    }
    done
}

/// The values that locations may have; `None` if there are too many. Nobody can read more than all instructions have made of each other.
fn domain(program: &Small) -> Option<BTreeMap<u32, BTreeSet<u64>>> {
    let mut domain: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for _ in program.threads.iter().flatten() {
        let mut next: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        for event in program.threads.iter().flat_map(|code| locals(code, &domain)).flat_map(|l| l.events) {
            let values = next.entry(event.location).or_insert_with(|| [0].into());
            values.extend(event.writes);
            if values.len() > VALUES {
                return None;
            }
        }
        if next == domain {
            break;
        }
        domain = next;
    }
    Some(domain)
}

/// A relation: for each event, the set of those that come after.
type Relation = Vec<u32>;

fn compose(a: &Relation, b: &Relation) -> Relation {
    a.iter().map(|row| bits(*row).fold(0, |all, i| all | b[i])).collect()
}

fn union(a: &Relation, b: &Relation) -> Relation {
    a.iter().zip(b).map(|(x, y)| x | y).collect()
}

fn optional(a: &Relation) -> Relation {
    a.iter().enumerate().map(|(i, row)| row | 1 << i).collect()
}

fn closure(a: &Relation) -> Relation {
    let mut all = a.clone();
    for k in 0..a.len() {
        let through = all[k];
        all.iter_mut().filter(|row| **row >> k & 1 == 1).for_each(|row| *row |= through);
    }
    all
}

fn inverse(a: &Relation) -> Relation {
    let mut out = vec![0; a.len()];
    (0..a.len()).for_each(|i| bits(a[i]).for_each(|j| out[j] |= 1 << i));
    out
}

fn only(n: usize, keep: impl Fn(usize) -> bool) -> Relation {
    (0..n).map(|i| u32::from(keep(i)) << i).collect()
}

fn filter(a: &Relation, keep: impl Fn(usize, usize) -> bool) -> Relation {
    a.iter()
        .enumerate()
        .map(|(i, row)| bits(*row).filter(|j| keep(i, *j)).fold(0, |all, j| all | 1 << j))
        .collect()
}

fn bits(row: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |i| row >> i & 1 == 1)
}

fn is_irreflexive(a: &Relation) -> bool {
    a.iter().enumerate().all(|(i, row)| row >> i & 1 == 0)
}

fn is_acyclic(a: &Relation) -> bool {
    is_irreflexive(&closure(a))
}

/// A candidate: events with the initial writes in front, whose thread is `None`.
struct Candidate {
    events: Vec<Event>,
    thread: Vec<Option<usize>>,
    po: Relation,
    rf: Relation,
    mo: Relation,
}

impl Candidate {
    fn n(&self) -> usize {
        self.events.len()
    }

    fn is(&self, keep: impl Fn(&Event) -> bool) -> Relation {
        only(self.n(), |i| keep(&self.events[i]))
    }

    fn same_location(&self, a: usize, b: usize) -> bool {
        let accesses = |e: &Event| e.reads.is_some() || e.writes.is_some();
        accesses(&self.events[a]) && accesses(&self.events[b]) && self.events[a].location == self.events[b].location
    }

    /// Initial writes come before everything; a join after all of its thread.
    fn before(&self) -> Relation {
        let mut out = self.po.clone();
        for (a, row) in out.iter_mut().enumerate() {
            for b in 0..self.n() {
                let joined = self.thread[a].is_some_and(|t| self.events[b].joins == Some(t as u32));
                if self.thread[a].is_none() && self.thread[b].is_some() || joined {
                    *row |= 1 << b;
                }
            }
        }
        out
    }

    fn rb(&self) -> Relation {
        let rb = compose(&inverse(&self.rf), &self.mo);
        filter(&rb, |a, b| a != b)
    }

    fn eco(&self) -> Relation {
        closure(&union(&union(&self.rf, &self.mo), &self.rb()))
    }

    /// `hb = (po ∪ sw)+`, `sw = [E⊒rel] ; ([F] ; po)? ; rs ; rf ; [R⊒rlx] ; (po ; [F])? ; [E⊒acq]`, `rs = [W⊒rlx] ; (rf ; rmw)*` as in C++20.
    fn hb(&self) -> Relation {
        let rmw = self.is(|e| e.reads.is_some() && e.writes.is_some());
        let rs = optional(&closure(&compose(&self.rf, &rmw)));
        let rs = compose(&self.is(|e| e.writes.is_some() && e.order != Order::Plain), &rs);
        let fence = self.is(|e| e.fence);
        let released = compose(&optional(&compose(&fence, &self.po)), &rs);
        let released = compose(&self.is(|e| e.order.releases()), &released);
        let atomic_read = self.is(|e| e.reads.is_some() && e.order != Order::Plain);
        let read = compose(&compose(&released, &self.rf), &atomic_read);
        let acquired = compose(&read, &optional(&compose(&self.po, &fence)));
        let sw = compose(&acquired, &self.is(|e| e.order.acquires()));
        closure(&union(&self.before(), &sw))
    }

    fn is_atomic(&self) -> bool {
        let between = filter(&compose(&self.rb(), &self.mo), |a, b| a == b && self.events[a].writes.is_some());
        between.iter().all(|row| *row == 0)
    }

    fn rc11(&self) -> bool {
        let (hb, eco, rb) = (self.hb(), self.eco(), self.rb());
        // A read-modify-write is one event here, not two in program order, so `eco` itself must have no cycle.
        if !is_irreflexive(&eco) || !is_irreflexive(&compose(&hb, &optional(&eco))) || !is_acyclic(&union(&self.before(), &self.rf)) {
            return false;
        }
        let sc = |e: &Event| e.order == Order::SeqCst;
        let (e_sc, f_sc) = (self.is(sc), self.is(|e| sc(e) && e.fence));
        let po_elsewhere = filter(&self.po, |a, b| !self.same_location(a, b));
        let round = compose(&compose(&po_elsewhere, &hb), &po_elsewhere);
        let hb_here = filter(&hb, |a, b| self.same_location(a, b));
        let scb = [&round, &hb_here, &self.mo, &rb]
            .into_iter()
            .fold(self.po.clone(), |all, r| union(&all, r));
        let left = union(&e_sc, &compose(&f_sc, &optional(&hb)));
        let right = union(&e_sc, &compose(&optional(&hb), &f_sc));
        let base = compose(&compose(&left, &scb), &right);
        let far = union(&hb, &compose(&compose(&hb, &eco), &hb));
        let fences = compose(&compose(&f_sc, &far), &f_sc);
        is_acyclic(&union(&base, &fences))
    }

    fn sc(&self) -> bool {
        let all = [&self.rf, &self.mo, &self.rb()]
            .into_iter()
            .fold(self.before(), |all, r| union(&all, r));
        is_acyclic(&all)
    }

    fn tso(&self) -> bool {
        let communication = union(&union(&self.rf, &self.mo), &self.rb());
        let here = filter(&self.before(), |a, b| self.same_location(a, b));
        if !is_acyclic(&union(&here, &communication)) {
            return false;
        }
        let drains = |e: &Event| {
            e.locked || e.fence && e.order == Order::SeqCst || e.reads.is_none() && e.writes.is_some() && e.order == Order::SeqCst
        };
        let kept = filter(&self.before(), |a, b| {
            let (x, y) = (&self.events[a], &self.events[b]);
            let delayed = x.writes.is_some() && !x.locked && y.writes.is_none() && !y.locked && self.thread[a].is_some();
            !delayed || self.thread[a] != self.thread[b]
        });
        let full = self.is(drains);
        let order = self.before();
        let fenced = compose(&compose(&optional(&order), &full), &optional(&order));
        let fenced = filter(&fenced, |a, b| a != b && order[a] >> b & 1 == 1);
        let rfe = filter(&self.rf, |a, b| self.thread[a] != self.thread[b]);
        let all = [&fenced, &rfe, &self.mo, &self.rb()]
            .into_iter()
            .fold(kept, |all, r| union(&all, r));
        is_acyclic(&all)
    }

    fn races(&self) -> bool {
        let hb = self.hb();
        let n = self.n();
        (0..n).any(|a| {
            (0..n).any(|b| {
                let (x, y) = (&self.events[a], &self.events[b]);
                self.thread[a].is_some()
                    && self.thread[b].is_some()
                    && self.thread[a] != self.thread[b]
                    && self.same_location(a, b)
                    && (x.writes.is_some() || y.writes.is_some())
                    && (x.order == Order::Plain || y.order == Order::Plain)
                    && hb[a] >> b & 1 == 0
                    && hb[b] >> a & 1 == 0
            })
        })
    }
}

/// All executions of a program, whether one of them has a data race, and whether an assertion fails in one; `None` if there are too many candidates.
pub fn executions(program: &Small, model: &str, budget: u64) -> Option<(BTreeMap<Shape, Outcome>, bool, bool)> {
    let domain = domain(program)?;
    let choices: Vec<Vec<Local>> = program.threads.iter().map(|code| locals(code, &domain)).collect();
    let mut found = Collector {
        model,
        found: BTreeMap::new(),
        races: false,
        faults: false,
        left: budget,
    };
    let mut picked = Vec::new();
    found.pick(&choices, &mut picked)?;
    Some((found.found, found.races, found.faults))
}

struct Collector<'a> {
    model: &'a str,
    found: BTreeMap<Shape, Outcome>,
    races: bool,
    faults: bool,
    left: u64,
}

impl Collector<'_> {
    fn pick<'l>(&mut self, choices: &'l [Vec<Local>], picked: &mut Vec<&'l Local>) -> Option<()> {
        if picked.len() == choices.len() {
            return self.assign(picked);
        }
        for local in &choices[picked.len()] {
            picked.push(local);
            self.pick(choices, picked)?;
            picked.pop();
        }
        Some(())
    }

    /// All assignments for one run of each thread.
    fn assign(&mut self, picked: &[&Local]) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let ended = |t: u32| {
            let local = picked[t as usize];
            local.stuck.is_none() && !local.events.last().is_some_and(|e| e.waits)
        };
        for local in picked {
            let joins = local.events.iter().filter_map(|e| e.joins);
            if joins.into_iter().any(|t| !ended(t)) || local.stuck.is_some_and(ended) {
                return Some(());
            }
        }
        let locations: BTreeSet<u32> = picked
            .iter()
            .flat_map(|l| &l.events)
            .filter(|e| e.reads.is_some() || e.writes.is_some())
            .map(|e| e.location)
            .collect();
        let initial = |location: &u32| Event {
            reads: None,
            writes: Some(0),
            location: *location,
            order: Order::Plain,
            fence: false,
            joins: None,
            waits: false,
            locked: false,
        };
        let mut events: Vec<Event> = locations.iter().map(initial).collect();
        let mut thread = vec![None; events.len()];
        for (t, local) in picked.iter().enumerate() {
            events.extend(&local.events);
            thread.resize(events.len(), Some(t));
        }
        let n = events.len();
        if n > 30 {
            return None;
        }
        let po = (0..n)
            .map(|a| {
                (a + 1..n)
                    .filter(|b| thread[a].is_some() && thread[a] == thread[*b])
                    .fold(0, |all, b| all | 1 << b)
            })
            .collect();
        let mut candidate = Candidate {
            rf: vec![0; n],
            mo: vec![0; n],
            events,
            thread,
            po,
        };
        let reads: Vec<usize> = (0..n).filter(|i| candidate.events[*i].reads.is_some()).collect();
        self.reads_from(&mut candidate, &reads, picked, &locations)
    }

    fn reads_from(&mut self, c: &mut Candidate, reads: &[usize], picked: &[&Local], locations: &BTreeSet<u32>) -> Option<()> {
        let Some((&read, rest)) = reads.split_first() else {
            let locations: Vec<u32> = locations.iter().copied().collect();
            return self.modification_order(c, &locations, picked);
        };
        for write in 0..c.n() {
            let (w, r) = (c.events[write], c.events[read]);
            if write != read && w.writes.is_some() && w.writes == r.reads && w.location == r.location {
                c.rf[write] |= 1 << read;
                self.reads_from(c, rest, picked, locations)?;
                c.rf[write] &= !(1 << read);
            }
        }
        Some(())
    }

    fn modification_order(&mut self, c: &mut Candidate, locations: &[u32], picked: &[&Local]) -> Option<()> {
        let Some((&location, rest)) = locations.split_first() else {
            self.left = self.left.checked_sub(1)?;
            self.judge(c, picked);
            return Some(());
        };
        let writes: Vec<usize> = (0..c.n())
            .filter(|i| c.events[*i].writes.is_some() && c.events[*i].location == location)
            .collect();
        // The initial write comes first.
        let (first, others) = writes.split_first()?;
        let mut order = vec![*first];
        self.permute(c, &mut order, others, rest, picked)
    }

    fn permute(&mut self, c: &mut Candidate, order: &mut Vec<usize>, left: &[usize], rest: &[u32], picked: &[&Local]) -> Option<()> {
        if left.is_empty() {
            for (i, a) in order.iter().enumerate() {
                c.mo[*a] = order[i + 1..].iter().fold(0, |all, b| all | 1 << b);
            }
            return self.modification_order(c, rest, picked);
        }
        for (i, write) in left.iter().enumerate() {
            let mut others = left.to_vec();
            others.remove(i);
            order.push(*write);
            self.permute(c, order, &others, rest, picked)?;
            order.pop();
        }
        Some(())
    }

    fn judge(&mut self, c: &Candidate, picked: &[&Local]) {
        // Who waits has seen the last value.
        let last = |i: usize| (0..c.n()).find(|w| c.rf[*w] >> i & 1 == 1).is_some_and(|w| c.mo[w] == 0);
        if !c.is_atomic() {
            return;
        }
        let consistent = match self.model {
            "sc" => c.sc(),
            "tso" => c.tso(),
            _ => c.rc11(),
        };
        if !consistent {
            return;
        }
        // Who waits reads again and again, so what it reads meanwhile can race as well.
        self.races |= c.races();
        self.faults |= picked.iter().any(|l| l.end.failed);
        if !(0..c.n()).all(|i| !c.events[i].waits || last(i)) {
            return;
        }
        let first = c.thread.iter().filter(|t| t.is_none()).count();
        let index = |i: usize| (first..i).filter(|j| c.thread[*j] == c.thread[i]).count() as u32;
        let name = |i: usize| c.thread[i].map_or(u32::MAX, |t| (t as u32) << 16 | index(i));
        let mut shape: Shape = (first..c.n())
            .map(|i| {
                let source = (0..c.n()).find(|w| c.rf[*w] >> i & 1 == 1).map_or(0, name);
                let place = if c.events[i].writes.is_some() {
                    (0..c.n()).filter(|w| c.mo[*w] >> i & 1 == 1).count()
                } else {
                    0
                };
                (c.thread[i].map_or(0, |t| t as u32), index(i), source, place as u32)
            })
            .collect();
        shape.sort_unstable();
        self.found.insert(shape, picked.iter().map(|l| l.end.registers).collect());
    }
}

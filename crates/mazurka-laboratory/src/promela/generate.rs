//! Random Promela models as people write them.
//!
//! A model has two or three process types that are there from the start (one in ten is there twice), of one to three statements each, and
//! sometimes children that are started. It is made of two to five *themes* out of fourteen, so that few things meet often rather than
//! everything seldom: plain statements always, and rendezvous, indivisible sequences, escapes, births, timeouts, channels of channels,
//! arrays and faults, sorted sends and random receives, loops, records and `mtype`, `provided` clauses, remote labels, wide choices, labels and
//! jumps everywhere.
//! A statement is compound once in three times down to a depth of two. Assertions compare shared variables with small numbers, so that
//! about a third of the models fail; processes wait for what may never come, so that about half of them have deadlocks.

use super::labels::sprinkle;
use super::tree::{Arg, Body, Ex, Model, Proc, Stmt};
use crate::random::Numbers;

/// What a model is made of, besides plain statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theme {
    Rendezvous,
    Sequences,
    Escapes,
    Births,
    Timeouts,
    Channels,
    Arrays,
    Orders,
    Loops,
    Records,
    Provided,
    Remote,
    Choices,
    Labels,
}

const THEMES: [Theme; 14] = [
    Theme::Rendezvous,
    Theme::Sequences,
    Theme::Escapes,
    Theme::Births,
    Theme::Timeouts,
    Theme::Channels,
    Theme::Arrays,
    Theme::Orders,
    Theme::Loops,
    Theme::Records,
    Theme::Provided,
    Theme::Remote,
    Theme::Choices,
    Theme::Labels,
];

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    /// Inside of `d_step`: no rendezvous, no births, no jumps.
    deterministic: bool,
    /// The process has the parameter `v`: `byte` in a child, `chan` in a listener.
    child: bool,
    listener: bool,
}

struct Writer<'n> {
    numbers: &'n mut Numbers,
    themes: Vec<Theme>,
    processes: usize,
    labels: usize,
}

const LABELS: [&str; 8] = ["end0", "end1", "end2", "end3", "end4", "end5", "end6", "end7"];

/// A random model.
pub fn generate(numbers: &mut Numbers) -> Model {
    let mut themes = THEMES.to_vec();
    numbers.shuffle(&mut themes);
    themes.truncate(2 + numbers.below(4));
    let processes = 2 + usize::from(numbers.chance(1, 3));
    let mut writer = Writer {
        numbers,
        themes,
        processes,
        labels: 0,
    };
    let mut model = writer.model();
    if writer.has(Theme::Labels) {
        sprinkle(&mut model, writer.numbers);
    }
    model
}

fn name(name: &'static str) -> Ex {
    Ex::Name(name)
}

impl Writer<'_> {
    fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.numbers.chance(1, n)
    }

    fn model(&mut self) -> Model {
        let top = Place {
            depth: 0,
            deterministic: false,
            child: false,
            listener: false,
        };
        let mut model = Model::default();
        for n in 0..self.processes {
            let length = 1 + self.numbers.below(if self.processes == 3 { 2 } else { 3 });
            self.labels = 0;
            let mut body = self.body(length, top);
            if self.has(Theme::Loops) && self.one_in(4) {
                body = self.jumping(body);
            }
            if self.has(Theme::Remote) && (n == 0 || self.one_in(2)) {
                let at = self.numbers.below(body.len() + 1);
                body.insert(at, Stmt::Label("here", Box::new(Stmt::Skip)));
            }
            let guard = self.has(Theme::Provided) && self.one_in(3);
            model.processes.push(Proc {
                copies: if self.one_in(10) { 2 } else { 1 },
                provided: guard.then(|| self.global_condition()),
                body,
            });
        }
        self.labels = 0;
        let length = 1 + self.numbers.below(2);
        model.child = self.body(
            length,
            Place {
                child: true,
                depth: 1,
                ..top
            },
        );
        self.labels = 0;
        let length = 1 + self.numbers.below(2);
        let place = Place {
            listener: true,
            depth: 1,
            ..top
        };
        model.listener = self.body(length, place);
        if !self.has(Theme::Remote) {
            return model;
        }
        // A label to look at must be there.
        let has_label = |p: &Proc| p.body.iter().any(|s| matches!(s, Stmt::Label("here", _)));
        let labelled: Vec<usize> = (0..model.processes.len()).filter(|&p| has_label(&model.processes[p])).collect();
        for p in 0..model.processes.len() {
            let to = labelled[p % labelled.len()];
            if to != p && self.one_in(2) {
                let look = Stmt::Condition(Ex::At(to, "here"));
                let at = self.numbers.below(model.processes[p].body.len() + 1);
                model.processes[p].body.insert(at, look);
            }
        }
        model
    }

    fn body(&mut self, length: usize, place: Place) -> Body {
        (0..length).map(|_| self.statement(place)).collect()
    }

    /// A loop that a counter ends, by a jump backwards.
    fn jumping(&mut self, mut body: Body) -> Body {
        let first = if body.is_empty() { Stmt::Skip } else { body.remove(0) };
        let again = Ex::binary("<", name("n"), Ex::Number(1 + self.numbers.below(2) as i32));
        let count = Stmt::Assign(name("n"), Ex::binary("+", name("n"), Ex::Number(1)));
        body.insert(0, Stmt::Label("again", Box::new(Stmt::Skip)));
        body.insert(1, first);
        let back = vec![Stmt::Condition(again), count, Stmt::Goto("again")];
        body.push(Stmt::If(vec![back, vec![Stmt::Else]]));
        body
    }

    fn statement(&mut self, place: Place) -> Stmt {
        if place.depth < 2 && self.one_in(3) {
            return self.compound(Place {
                depth: place.depth + 1,
                ..place
            });
        }
        let stmt = self.simple(place);
        let waits = matches!(stmt, Stmt::Receive(..) | Stmt::Condition(_) | Stmt::Send(..));
        if waits && place.depth == 0 && self.labels < LABELS.len() && self.one_in(4) {
            self.labels += 1;
            return Stmt::Label(LABELS[self.labels - 1], Box::new(stmt));
        }
        stmt
    }

    fn compound(&mut self, place: Place) -> Stmt {
        let length = 1 + self.numbers.below(2);
        match self.numbers.below(8) {
            0 | 1 if self.has(Theme::Sequences) && !place.deterministic => {
                let mut body = self.body(length + 1, place);
                if self.one_in(4) {
                    body.push(self.ending_in_d_step());
                }
                if self.has(Theme::Loops) && self.one_in(6) {
                    body.insert(0, self.rounds());
                }
                Stmt::Atomic(body)
            }
            2 if self.has(Theme::Sequences) => {
                let place = Place {
                    deterministic: true,
                    ..place
                };
                let mut body = self.body(length, place);
                if self.has(Theme::Arrays) && self.one_in(2) {
                    let element = Ex::Element("a", Box::new(self.index()));
                    body.insert(
                        0,
                        Stmt::Condition(Ex::binary("==", element, Ex::Number(self.numbers.below(2) as i32))),
                    );
                }
                Stmt::DStep(body)
            }
            3 | 4 if self.has(Theme::Escapes) && !place.deterministic => {
                let main = self.body(length, place);
                let mut escape = vec![self.guard(place)];
                escape.extend(self.body(1, place));
                Stmt::Unless(main, escape)
            }
            5 if self.has(Theme::Loops) && !place.deterministic => self.counting(place),
            6 if self.has(Theme::Loops) => Stmt::For(self.body(1, place)),
            _ => self.choice(place),
        }
    }

    /// A choice or an escape whose parts end in a `d_step`.
    fn ending_in_d_step(&mut self) -> Stmt {
        let part = |writer: &mut Self| {
            let guard = Stmt::Condition(Ex::binary(
                "==",
                name(writer.numbers.pick(&["x", "y"])),
                Ex::Number(writer.numbers.below(2) as i32),
            ));
            let set = |writer: &mut Self| Stmt::Assign(name(writer.numbers.pick(&["x", "y"])), Ex::Number(writer.numbers.below(3) as i32));
            match writer.one_in(2) {
                true => vec![guard, Stmt::DStep(vec![set(writer), set(writer)])],
                false => vec![Stmt::DStep(vec![guard, set(writer)])],
            }
        };
        let (first, second) = (part(self), part(self));
        match (self.has(Theme::Escapes), self.one_in(2)) {
            (true, true) => Stmt::Unless(first, second),
            (_, true) => Stmt::If(vec![first, second]),
            (_, false) => Stmt::If(vec![first, vec![Stmt::Else]]),
        }
    }

    /// A loop inside of a sequence, some rounds of which change nothing.
    fn rounds(&mut self) -> Stmt {
        let change = match self.one_in(2) {
            true => Stmt::Skip,
            false => Stmt::Assign(self.variable(), Ex::Number(self.numbers.below(2) as i32)),
        };
        Stmt::Do(vec![vec![change], vec![Stmt::Break]])
    }

    fn choice(&mut self, place: Place) -> Stmt {
        let ways = if self.has(Theme::Choices) {
            2 + self.numbers.below(4)
        } else {
            1 + self.numbers.below(3)
        };
        let mut options: Vec<Body> = Vec::new();
        let mut talks = false;
        for _ in 0..ways {
            let guard = if self.one_in(3) { self.simple(place) } else { self.guard(place) };
            talks |= matches!(guard, Stmt::Send(..) | Stmt::Receive(..));
            let mut option = vec![guard];
            if !self.one_in(3) {
                option.extend(self.body(1, place));
            }
            options.push(option);
        }
        match self.numbers.below(4) {
            0 if !talks => options.push(vec![Stmt::Else, self.simple(place)]),
            1 if !talks => options.push(vec![Stmt::Else]),
            2 if self.has(Theme::Timeouts) => {
                let then = self.simple(place);
                options.push(vec![Stmt::Condition(name("timeout")), then]);
            }
            _ => {}
        }
        Stmt::If(options)
    }

    /// A loop that a counter ends.
    fn counting(&mut self, place: Place) -> Stmt {
        let bound = 1 + self.numbers.below(2) as i32;
        let guard = Stmt::Condition(Ex::binary("<", name("n"), Ex::Number(bound)));
        let count = Stmt::Assign(name("n"), Ex::binary("+", name("n"), Ex::Number(1)));
        let mut again = vec![guard, count];
        again.extend(self.body(1, place));
        let leave = match self.numbers.below(3) {
            0 => vec![Stmt::Condition(Ex::binary(">=", name("n"), Ex::Number(bound))), Stmt::Break],
            _ => vec![Stmt::Else, Stmt::Break],
        };
        let mut options = vec![again, leave];
        if self.one_in(4) {
            options.push(vec![self.guard(place), Stmt::Break]);
            options.swap(1, 2);
            // `else` does not go with operations on channels.
            if matches!(options[1][0], Stmt::Send(..) | Stmt::Receive(..)) {
                options[2] = vec![Stmt::Condition(Ex::binary(">=", name("n"), Ex::Number(bound))), Stmt::Break];
            }
        }
        Stmt::Do(options)
    }

    /// A statement that may have to wait.
    fn guard(&mut self, place: Place) -> Stmt {
        match self.numbers.below(4) {
            0 => self.talk(place),
            _ => Stmt::Condition(self.condition(place)),
        }
    }

    fn simple(&mut self, place: Place) -> Stmt {
        match self.numbers.below(12) {
            0..=3 => Stmt::Assign(self.variable(), self.value(place)),
            4 | 5 => self.talk(place),
            6 => Stmt::Condition(self.condition(place)),
            7 => Stmt::Assert(self.assertion(place)),
            8 if self.has(Theme::Births) && !place.deterministic && !place.child && !place.listener => {
                let result = self.one_in(3).then(|| name("i"));
                match self.has(Theme::Channels) && self.one_in(2) {
                    true => Stmt::Run(result, "D", vec![self.some_channel()]),
                    false => Stmt::Run(result, "C", vec![self.value(place)]),
                }
            }
            9 if self.has(Theme::Channels) => self.pass_channel(place),
            10 if self.has(Theme::Records) => match self.numbers.below(3) {
                0 => Stmt::Inline("grow", name("x")),
                1 if !place.deterministic => Stmt::Inline("await", name("y")),
                _ => Stmt::Assign(name("m"), name(self.numbers.pick(&["red", "green"]))),
            },
            11 if self.has(Theme::Choices) && !place.deterministic => Stmt::Select(name("i")),
            _ => Stmt::Assign(name(self.numbers.pick(&["x", "y"])), Ex::Number(self.numbers.below(3) as i32)),
        }
    }

    fn some_channel(&mut self) -> Ex {
        if self.has(Theme::Rendezvous) && self.one_in(4) {
            return name("h");
        }
        name(self.numbers.pick(&["q", "q", "c", "u", "own"]))
    }

    fn pass_channel(&mut self, place: Place) -> Stmt {
        match self.numbers.below(6) {
            0 | 1 => Stmt::Assign(name(self.numbers.pick(&["c", "u"])), self.some_channel()),
            2 | 3 => Stmt::Send("k", false, vec![self.some_channel()]),
            4 => Stmt::Receive("k", "?", vec![Arg::Store(name("c"))]),
            _ => self.talk(place),
        }
    }

    /// A send or receive.
    fn talk(&mut self, place: Place) -> Stmt {
        if self.has(Theme::Rendezvous) && !place.deterministic && self.one_in(2) {
            let send = self.one_in(2);
            return match (send, self.one_in(3)) {
                (true, true) => Stmt::Send("t", false, vec![self.value(place), self.value(place)]),
                (true, false) => Stmt::Send("h", false, vec![self.value(place)]),
                (false, true) => Stmt::Receive("t", "?", self.fields(place)),
                (false, false) => Stmt::Receive("h", "?", vec![self.field(place)]),
            };
        }
        if self.has(Theme::Orders) && self.one_in(2) {
            let how = self.numbers.pick(&["?", "??", "??", "?<", "??<"]);
            return match self.one_in(2) {
                true => Stmt::Send(
                    "w",
                    self.one_in(2),
                    vec![self.value(place), Ex::Number(self.numbers.below(2) as i32)],
                ),
                false => Stmt::Receive("w", how, self.fields(place)),
            };
        }
        let channel = match self.has(Theme::Channels) {
            true if place.listener => self.numbers.pick(&["v", "v", "q"]),
            true => self.numbers.pick(&["q", "c", "c", "u", "own"]),
            false => "q",
        };
        match self.one_in(2) {
            true => Stmt::Send(channel, false, vec![self.value(place)]),
            false => Stmt::Receive(channel, "?", vec![self.field(place)]),
        }
    }

    /// Two fields, which cannot go to the same variable.
    fn fields(&mut self, place: Place) -> Vec<Arg> {
        let (first, second) = (self.field(place), self.field(place));
        let same = matches!((&first, &second), (Arg::Store(a), Arg::Store(b)) if a.root() == b.root());
        vec![first, if same { Arg::Store(name("_")) } else { second }]
    }

    fn field(&mut self, place: Place) -> Arg {
        match self.numbers.below(6) {
            0 => Arg::Match(Ex::Number(self.numbers.below(3) as i32)),
            1 => Arg::Match(self.value(place)),
            2 => Arg::Store(name("_")),
            3 => Arg::Store(self.variable()),
            _ => Arg::Store(name(self.numbers.pick(&["i", "l"]))),
        }
    }

    /// Something that can be assigned to.
    fn variable(&mut self) -> Ex {
        match self.numbers.below(8) {
            0 if self.has(Theme::Arrays) => Ex::Element("b", Box::new(name("l"))),
            0..=2 if self.has(Theme::Arrays) => Ex::Element("a", Box::new(self.index())),
            3 if self.has(Theme::Records) => name("r.f"),
            4 if self.has(Theme::Records) => Ex::Element("r.g", Box::new(name("l"))),
            5 => name("i"),
            6 => name("l"),
            _ => name(self.numbers.pick(&["x", "x", "y", "s"])),
        }
    }

    fn index(&mut self) -> Ex {
        match self.numbers.below(6) {
            0 => Ex::Number(0),
            1 => Ex::Number(1),
            2 => name("l"),
            3 => name("i"),
            4 => name("x"),
            _ => Ex::binary("%", name(self.numbers.pick(&["x", "_pid", "y"])), Ex::Number(2)),
        }
    }

    fn value(&mut self, place: Place) -> Ex {
        match self.numbers.below(12) {
            0..=3 => Ex::Number(self.numbers.below(3) as i32),
            4 => name("i"),
            5 if self.has(Theme::Arrays) => Ex::Element("a", Box::new(self.index())),
            6 if self.has(Theme::Arrays) => Ex::binary(
                self.numbers.pick(&["/", "%"]),
                Ex::Number(2),
                name(self.numbers.pick(&["x", "y", "i"])),
            ),
            7 => Ex::binary(self.numbers.pick(&["+", "-", "*"]), name("x"), Ex::Number(1)),
            8 if place.child => name("v"),
            8 if self.has(Theme::Births) => name("_nr_pr"),
            9 => Ex::Conditional(Box::new((self.comparison(), Ex::Number(0), name("y")))),
            10 if self.has(Theme::Records) => name(self.numbers.pick(&["r.f", "m"])),
            10 if self.has(Theme::Arrays) => Ex::Element("e", Box::new(Ex::Element("a", Box::new(self.index())))),
            11 => name("_pid"),
            _ => name(self.numbers.pick(&["x", "y", "s"])),
        }
    }

    fn comparison(&mut self) -> Ex {
        let left = name(self.numbers.pick(&["x", "y", "x", "y", "i", "s"]));
        let op = self.numbers.pick(&["==", "!=", "<", ">"]);
        Ex::binary(op, left, Ex::Number(self.numbers.below(3) as i32))
    }

    /// A condition about globals alone: what `provided` can look at.
    fn global_condition(&mut self) -> Ex {
        let left = name(self.numbers.pick(&["x", "y"]));
        let op = self.numbers.pick(&["==", "!=", "<"]);
        Ex::binary(op, left, Ex::Number(self.numbers.below(2) as i32 + 1))
    }

    fn condition(&mut self, place: Place) -> Ex {
        match self.numbers.below(11) {
            0 => Ex::Probe(self.numbers.pick(&["nempty", "nfull", "full", "empty", "len"]), "q"),
            1 => Ex::Poll("q", false, vec![Ex::Number(self.numbers.below(3) as i32)]),
            2 if self.has(Theme::Orders) => Ex::Poll("w", true, vec![Ex::Number(self.numbers.below(3) as i32), Ex::Number(1)]),
            3 => Ex::binary("&&", self.comparison(), self.comparison()),
            4 => Ex::binary("||", self.comparison(), self.comparison()),
            5 => Ex::Not(Box::new(self.comparison())),
            6 if self.has(Theme::Births) => Ex::binary(self.numbers.pick(&["<", "==", ">"]), name("_nr_pr"), Ex::Number(3)),
            7 if self.has(Theme::Arrays) => Ex::binary("==", Ex::Element("a", Box::new(self.index())), Ex::Number(1)),
            8 if self.has(Theme::Records) => Ex::binary("==", name("m"), name("red")),
            9 => self.value(place),
            _ => self.comparison(),
        }
    }

    fn assertion(&mut self, place: Place) -> Ex {
        match self.numbers.below(4) {
            0 => self.condition(place),
            1 => Ex::binary("||", self.comparison(), self.comparison()),
            _ => Ex::binary("!=", name(self.numbers.pick(&["x", "y"])), Ex::Number(self.numbers.below(3) as i32)),
        }
    }
}

//! Random Promela models: small, finite, and with a taste of everything.

/// A deterministic source of choices.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Where a statement stands, which decides what it may be.
#[derive(Clone, Copy)]
struct Around {
    depth: u32,
    atomic: bool,
    /// A label that can be jumped to.
    label: bool,
}

struct Writer {
    dice: Dice,
    out: String,
    indent: usize,
}

/// The model of this seed.
pub fn model(seed: u64) -> String {
    let mut w = Writer {
        dice: Dice::new(seed),
        out: String::new(),
        indent: 0,
    };
    w.model();
    w.out
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn model(&mut self) {
        self.line("byte g0, g1 = 1;");
        self.line("short g2;");
        self.line("bit b[2];");
        let capacity = 1 + self.dice.below(2);
        self.line(&format!("chan c0 = [{capacity}] of {{ byte }};"));
        self.line("chan r0 = [0] of { byte };");
        let processes = 2 + self.dice.below(2);
        let started = self.dice.once_in(4);
        for p in 0..processes {
            self.line("");
            let copies = if !started && self.dice.once_in(5) { "[2] " } else { "" };
            let active = if started { String::new() } else { format!("active {copies}") };
            self.line(&format!("{active}proctype p{p}() {{"));
            self.indent += 1;
            self.line("byte l0, l1;");
            if self.dice.once_in(3) {
                self.line("l1 = _pid;");
            }
            let label = self.dice.once_in(4);
            if label {
                self.out.push_str(if self.dice.once_in(3) { "endagain:\n" } else { "again:\n" });
                let label = if self.out.ends_with("endagain:\n") { "endagain" } else { "again" };
                self.body(
                    2,
                    Around {
                        depth: 0,
                        atomic: false,
                        label: false,
                    },
                );
                let guard = self.condition();
                self.line(&format!("if :: {guard} -> goto {label} :: true fi;"));
            }
            let length = if processes == 3 { 2 } else { 3 };
            self.body(
                length,
                Around {
                    depth: 0,
                    atomic: false,
                    label,
                },
            );
            self.line("skip");
            self.indent -= 1;
            self.line("}");
        }
        if started {
            self.line("");
            self.line("init {");
            self.indent += 1;
            let atomic = self.dice.once_in(2);
            if atomic {
                self.line("atomic {");
            }
            for p in 0..processes {
                self.line(&format!("run p{p}();"));
            }
            self.line("skip");
            if atomic {
                self.line("}");
            }
            self.indent -= 1;
            self.line("}");
        }
    }

    fn body(&mut self, statements: u64, around: Around) {
        for _ in 0..=self.dice.below(statements) {
            self.statement(around);
        }
    }

    fn statement(&mut self, around: Around) {
        let compound = around.depth < 2;
        match self.dice.below(20) {
            0..=5 => {
                let text = self.assignment();
                self.line(&format!("{text};"));
            }
            6 | 7 => {
                let text = self.condition();
                self.line(&format!("{text};"));
            }
            8..=10 => {
                let text = self.channel();
                self.line(&format!("{text};"));
            }
            11 | 12 if compound => self.choice("if", "fi", around),
            13 if compound && !around.atomic => self.choice("do", "od", around),
            14 if compound && !around.atomic => {
                self.line("atomic {");
                self.block(2, Around { atomic: true, ..around });
                self.line("};");
            }
            15 => self.d_step(),
            16 => {
                let (g, k) = (self.global(), self.dice.below(4));
                self.line(&format!("assert({g} != {k} || g0 != 3);"));
            }
            17 if compound && !around.atomic => {
                self.line("{");
                self.block(2, around);
                let guard = self.condition();
                let then = self.assignment();
                self.line(&format!("}} unless {{ {guard} -> {then} }};"));
            }
            18 if compound => {
                self.line("for (l0 : 0 .. 1) {");
                self.block(1, around);
                self.line("};");
            }
            19 if around.label => {
                let guard = self.condition();
                self.line(&format!("if :: {guard} -> skip :: else -> l1 = 0 fi;"));
            }
            _ => {
                let text = self.assignment();
                self.line(&format!("{text};"));
            }
        }
    }

    fn block(&mut self, statements: u64, around: Around) {
        self.indent += 1;
        self.body(
            statements,
            Around {
                depth: around.depth + 1,
                ..around
            },
        );
        self.line("skip");
        self.indent -= 1;
    }

    fn choice(&mut self, open: &str, close: &str, around: Around) {
        self.line(open);
        let looping = open == "do";
        let options = 1 + self.dice.below(3);
        let mut talks = false;
        for _ in 0..options {
            let guard = match self.dice.below(6) {
                0 | 1 => self.assignment(),
                2 if !looping || !around.atomic => {
                    talks = true;
                    self.channel()
                }
                _ => self.condition(),
            };
            self.line(&format!(":: {guard} ->"));
            self.block(2, around);
        }
        match self.dice.below(4) {
            0 if looping => self.line(":: break"),
            1 if !talks => self.line(if looping { ":: else -> break" } else { ":: else" }),
            2 if self.dice.once_in(3) && !around.atomic => self.line(if looping { ":: timeout -> break" } else { ":: timeout" }),
            _ if looping => {
                let guard = self.condition();
                self.line(&format!(":: {guard} -> break"));
            }
            _ => {}
        }
        self.line(&format!("{close};"));
    }

    fn d_step(&mut self) {
        self.line("d_step {");
        self.indent += 1;
        let first = self.assignment();
        self.line(&format!("{first};"));
        if self.dice.once_in(2) {
            let (guard, then) = (self.condition(), self.assignment());
            self.line(&format!("if :: {guard} -> {then} :: else fi;"));
        }
        let last = self.assignment();
        self.line(&last);
        self.indent -= 1;
        self.line("};");
    }

    fn global(&mut self) -> &'static str {
        ["g0", "g1", "g2", "b[0]", "b[_pid % 2]"][self.dice.below(5) as usize]
    }

    fn local(&mut self) -> &'static str {
        ["l0", "l1"][self.dice.below(2) as usize]
    }

    fn assignment(&mut self) -> String {
        let k = self.dice.below(3);
        match self.dice.below(5) {
            0 => format!("{} = {k}", self.global()),
            1 => format!("{} = ({} + 1) % 3", self.global(), self.global()),
            2 => format!("{} = {} % 4", self.local(), self.global()),
            3 => format!("{} = {}", self.global(), self.local()),
            _ => format!("{} = {k}", self.local()),
        }
    }

    fn condition(&mut self) -> String {
        let k = self.dice.below(3);
        match self.dice.below(6) {
            0 => format!("({} == {k})", self.global()),
            1 => format!("({} != {})", self.global(), self.local()),
            2 => format!("({} < {k} || {} == 1)", self.local(), self.global()),
            3 => "(len(c0) < 1)".to_owned(),
            4 => "nempty(c0)".to_owned(),
            _ => "true".to_owned(),
        }
    }

    fn channel(&mut self) -> String {
        let k = self.dice.below(3);
        match self.dice.below(9) {
            0 | 1 => format!("c0!{}", self.local()),
            2 => format!("c0?{}", self.local()),
            3 => format!("c0?{k}"),
            4 => format!("c0!!{k}"),
            5 => format!("c0??{k}"),
            6 => format!("r0!{k}"),
            7 => format!("r0?{}", self.local()),
            _ => format!("c0?<{}>", self.local()),
        }
    }
}

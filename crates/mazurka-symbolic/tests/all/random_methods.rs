//! Random methods of a class, as text.

/// The splitmix64 generator.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// What a random method has to do with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shapes {
    /// Numbers alone.
    Numbers,
    /// Another call waits.
    Calls,
    /// Two references, to nothing or to the one other object.
    References,
    /// A truth value, and a value that may be missing.
    Data,
}

struct Writer<'r> {
    random: &'r mut Random,
    shapes: Shapes,
    /// The number that is a parameter here.
    parameter: &'static str,
    /// Whether this is the tested method, which has the other parameters too.
    first: bool,
    loops: u32,
}

impl Writer<'_> {
    fn number(&mut self, depth: u32) -> String {
        let more = if depth == 0 { 5 } else { 9 };
        match self.random.below(more) {
            0 => (self.random.below(7) as i64 - 3).to_string().replace('-', "0 - "),
            1 | 2 => self.parameter.to_owned(),
            3 => "f".to_owned(),
            4 => "r".to_owned(),
            5 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            6 => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            7 => format!("({} * {})", self.number(depth - 1), 1 + self.random.below(3)),
            _ => format!("({} % {})", self.number(depth - 1), 2 + self.random.below(2)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..=3 => {
                let operator = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({}) {operator} ({})", self.number(1), self.number(0))
            }
            4 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            6 if self.first && self.shapes == Shapes::Data => "b".to_owned(),
            6 if self.first && self.shapes == Shapes::References => self.random.of(&["c == d", "c != null", "d == null"]).to_owned(),
            _ => format!("!({})", self.condition(depth - 1)),
        }
    }

    fn block(&mut self, depth: u32, most: u64) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 7 } else { 12 }) {
            0 => format!("f = {}; ", self.number(2)),
            1 => format!("r = {}; ", self.number(2)),
            2 => match self.random.below(3) {
                0 => format!("assert {}; ", self.condition(0)),
                1 => "suspend; ".to_owned(),
                _ => format!("await {}; ", self.condition(0).replace(" r", " f")),
            },
            3 | 4 if self.first && self.shapes == Shapes::References => {
                let cell = self.random.of(&["c", "d"]);
                match self.random.below(4) {
                    0 => format!("{cell}.put({}); ", self.number(1)),
                    1 => format!("r = {cell}.take(); "),
                    2 => format!("if ({cell} != null) {{ {cell}!put({}); }} ", self.number(1)),
                    _ => format!("if ({cell} != null) {{ r = await {cell}!take(); }} "),
                }
            }
            3 if self.first && self.shapes == Shapes::Data => {
                let (some, none) = (self.number(1), self.number(1));
                format!("r = case o {{ Just(v) => v + ({some}); Nothing => {none}; }}; ")
            }
            4 if self.first && self.shapes == Shapes::Data => format!("if (b) {{ {} }} ", self.statement(0)),
            3 | 4 if self.first && self.shapes == Shapes::Calls => match self.random.below(2) {
                0 => format!("this!n({}); ", self.number(1)),
                _ => format!("await this!n({}); ", self.number(1)),
            },
            5 => format!("r = truncate(7 / ({})); ", self.number(1)),
            6 => format!("r = truncate(max({}, {})); ", self.number(1), self.number(0)),
            3 | 4 => format!("f = f + ({}); ", self.number(0)),
            7..=9 => {
                let condition = self.condition(1);
                let then = self.block(depth - 1, 2);
                match self.random.below(2) {
                    0 => format!("if ({condition}) {{ {then}}} "),
                    _ => format!("if ({condition}) {{ {then}}} else {{ {}}} ", self.block(depth - 1, 2)),
                }
            }
            10 => {
                self.loops += 1;
                let i = format!("i{}", self.loops);
                let (rounds, condition) = (1 + self.random.below(2), self.condition(0));
                format!(
                    "Int {i} = 0; while ({i} < {rounds} && {condition}) {{ {i} = {i} + 1; {}}} ",
                    self.block(0, 2)
                )
            }
            _ => format!("try {{ {}}} catch {{ DivisionByZeroException => r = 9; }} ", self.block(0, 2)),
        }
    }
}

const CELLS: &str = "interface Cell { Unit put(Int v); Int take(); }\n\
                     class CellImpl implements Cell { Int value = 0; Unit put(Int v) { value = v; } Int take() { Int old = value; value = 0; return old; } }\n";

/// A random class with a method to test.
pub fn model(random: &mut Random, shapes: Shapes) -> String {
    let parameters = match shapes {
        Shapes::Numbers | Shapes::Calls => "Int x",
        Shapes::References => "Int x, Cell c, Cell d",
        Shapes::Data => "Int x, Bool b, Maybe<Int> o",
    };
    let mut write = |parameter, first, most| {
        let mut writer = Writer {
            random: &mut *random,
            shapes,
            parameter,
            first,
            loops: 0,
        };
        writer.block(1, most)
    };
    let body = write("x", true, 3);
    let other = if shapes == Shapes::Calls {
        write("y", false, 2)
    } else {
        String::new()
    };
    let (interface, method) = match shapes {
        Shapes::Calls => (" Unit n(Int y);", format!(" Unit n(Int y) {{ Int r = 0; {other}}}")),
        _ => ("", String::new()),
    };
    format!(
        "module M;\n{CELLS}interface I {{ Int m({parameters});{interface} }}\nclass C implements I {{\n Int f = 0;\n Int m({parameters}) {{ Int r = 0; {body}return r; }}\n{method}\n}}\n"
    )
}

//! Random models with what is hard to tell the searches: references and futures in fields that race, futures chosen by conditions, `destiny`,
//! objects that share a cog or not, initialisers that call and block, re-entrance, exceptions across objects, `die` and `recover`.

use crate::run::common::Random;

const METHODS: u64 = 4;

/// A model whose methods call only methods with higher numbers, so that every execution ends.
pub fn program(seed: u64) -> String {
    let mut r = Random(seed.wrapping_mul(2) + 1);
    let heads: String = (0..METHODS)
        .map(|m| format!("Int m{m}(I a, I b, Fut<Int> f, Destiny d); "))
        .collect();
    let classes = class(&mut r, "C") + &class(&mut r, "D");
    let mut main = "  Fut<Int> f0 = null;\n".to_owned();
    let first = r.pick(&["new C(null)", "new D(null)", "new local C(null)"]);
    let second = r.pick(&["new C(a)", "new D(a)", "new local D(a)", "a"]);
    main.push_str(&format!("  I a = {first};\n  I b = {second};\n"));
    let calls = 2 + r.below(3);
    for call in 1..=calls {
        let receiver = r.pick(&["a", "b"]);
        let method = r.below(METHODS);
        let args = format!(
            "{}, {}, f{}, {}",
            r.pick(&["a", "b"]),
            r.pick(&["a", "b", "null"]),
            r.below(call),
            r.pick(&["destiny", "f0"])
        );
        match r.below(6) {
            0 => main.push_str(&format!(
                "  Fut<Int> f{call} = {receiver}!m{method}({args});\n  try {{ Int r{call} = f{call}.get; }} catch {{ _ => skip; }}\n"
            )),
            1 => main.push_str(&format!("  Fut<Int> f{call} = null;\n  {receiver}!m{method}({args});\n")),
            2 => main.push_str(&format!("  Fut<Int> f{call} = {receiver}!m{method}({args});\n  await f{call}?;\n")),
            _ => main.push_str(&format!("  Fut<Int> f{call} = {receiver}!m{method}({args});\n")),
        }
    }
    format!("module W;\nexception Oops(Int n);\nexception Carry(Fut<Int> q);\ninterface I {{ {heads}}}\n{classes}{{\n{main}}}\n")
}

fn class(r: &mut Random, name: &str) -> String {
    let mut init = String::new();
    for _ in 0..r.below(3) {
        init.push_str(r.pick(&[
            "    if (r != null) { x = r.m3(this, this, null, null); }\n",
            "    this!m3(this, peer, null, null);\n",
            "    this!m2(peer, this, null, null);\n",
            "    x = random(2);\n",
            "    x = foldr((Int e, Int sum) => sum + random(2))(list[1], 0);\n",
            "    if (peer == null) { r = new local D(this); }\n",
        ]));
    }
    // A class that makes itself in its initialiser would never end.
    if name == "D" {
        init = init.replace("new local D(this)", "this");
    }
    let recover = r.pick(&["", "", "", "  recover { Oops(n) => x = n; }\n"]);
    let mut methods = String::new();
    for method in 0..METHODS {
        let mut body = String::new();
        for s in 0..1 + r.below(4) {
            body.push_str(&statement(r, method, s, 0));
        }
        let result = r.pick(&["x", "y", "x + y"]);
        methods.push_str(&format!(
            "  Int m{method}(I a, I b, Fut<Int> f, Destiny d) {{\n{body}    return {result};\n  }}\n"
        ));
    }
    format!(
        "class {name}(I peer) implements I {{\n  Int x = 0;\n  Int y = 0;\n  I r = peer;\n  Fut<Int> g;\n  List<Int> l = Nil;\n  {{\n{init}  }}\n{recover}{methods}}}\n"
    )
}

/// An object that a method knows.
fn object(r: &mut Random) -> &'static str {
    r.pick(&["a", "b", "r", "this", "peer"])
}

fn call(r: &mut Random, method: u64) -> Option<String> {
    let callee = method + 1 + r.below(METHODS - method);
    (callee < METHODS).then(|| {
        format!(
            "m{callee}({}, {}, {}, {})",
            object(r),
            object(r),
            r.pick(&["f", "g"]),
            r.pick(&["destiny", "d", "f"])
        )
    })
}

fn statement(r: &mut Random, method: u64, s: u64, depth: u64) -> String {
    let n = format!("{depth}{s}");
    let field = r.pick(&["x", "y"]);
    let other = r.pick(&["x", "y"]);
    let target = object(r);
    let pick = r.below(34);
    if let (24.., Some(call)) = (pick, call(r, method)) {
        return match pick {
            24 => format!("    {target}!{call};\n"),
            25 => format!("    g = {target}!{call};\n"),
            26 => format!("    Fut<Int> q{n} = {target}!{call};\n    g = when {field} > 0 then q{n} else g;\n"),
            27 => format!("    Fut<Int> q{n} = {target}!{call};\n    await q{n}?;\n    {field} = q{n}.get;\n"),
            28 => format!("    Fut<Int> q{n} = {target}!{call};\n    {field} = q{n}.get;\n"),
            29 => format!("    {field} = {target}.{call};\n"),
            30 => format!("    {field} = await {target}!{call};\n"),
            31 => format!("    await {target}!{call};\n"),
            32 => format!(
                "    Fut<Int> q{n} = {target}!{call};\n    await q{n}?;\n    Fut<Int> p{n} = when {field} == 0 then f else q{n};\n    try {{ {other} = p{n}.get; }} catch {{ _ => {other} = 4; }}\n"
            ),
            _ => format!("    {field} = this.{call};\n"),
        };
    }
    match pick {
        0 => format!("    {field} = {};\n", 1 + r.below(2)),
        1 => format!("    {field} = {other} + 1;\n"),
        2 if depth < 2 => {
            let inner = statement(r, method, s, depth + 1);
            format!("    if ({field} > 0) {{\n{inner}    }}\n")
        }
        3 => format!("    await {field} < {};\n", 1 + r.below(2)),
        4 => format!("    await {field} >= {};\n", r.below(2)),
        5 => "    suspend;\n".to_owned(),
        6 => format!("    assert {field} < {};\n", 2 + r.below(2)),
        7 => format!("    r = {};\n", r.pick(&["a", "b", "this", "null"])),
        // Initialisers start the others: they must not make objects.
        8 if method < 2 => format!("    r = new {}C(this);\n", r.pick(&["", "local "])),
        9 if method < 2 => format!("    if ({field} == 0) {{ r = new D(this); }} else {{ r = new local D(this); }}\n"),
        10 => format!("    {field} = truncate(2 / {other});\n"),
        11 => "    l = Cons(x, l);\n".to_owned(),
        12 => format!("    {field} = head(l);\n"),
        13 => format!("    if ({field} > 0) {{ throw Oops({other}); }}\n"),
        14 => format!("    if ({field} == 0) {{ die Oops({other}); }}\n"),
        15 => "    await f?;\n".to_owned(),
        16 => format!("    if (f != null) {{ {field} = f.get; }}\n"),
        17 => format!("    try {{ {field} = f.get; }} catch {{ Oops(n{n}) => {field} = n{n}; Carry(q) => g = q; _ => {other} = 3; }}\n"),
        18 => format!("    await g? & {field} >= {};\n", r.below(2)),
        19 => format!("    if (g != null) {{ {field} = g.get; }}\n"),
        20 => "    if (d != null) { await d?; }\n".to_owned(),
        21 => "    throw Carry(g);\n".to_owned(),
        22 if depth < 2 => {
            let inner = statement(r, method, s, depth + 1);
            format!("    Int i{n} = 0;\n    while (i{n} < 2) {{\n{inner}      i{n} = i{n} + 1;\n    }}\n")
        }
        23 if depth < 2 => {
            let inner = statement(r, method, s, depth + 1);
            format!("    try {{\n{inner}    }} catch {{ Oops(k{n}) => {field} = k{n}; }} finally {{ {other} = {other} + 1; }}\n")
        }
        _ => format!("    Int c{n} = random(2);\n    {field} = c{n};\n"),
    }
}

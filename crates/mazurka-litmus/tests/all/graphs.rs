//! Programs under memory models: the notation of orderings, what is refused, and that the search under `sc` finds what `optimal` finds.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::weak::{Concurrent, Run};
use mazurka_litmus::{Machine, text};
use mazurka_weak::{Counts, Ending, Graph, Limits, Search, model};
use std::collections::BTreeSet;

fn parse(source: &str) -> Concurrent {
    Concurrent::parse("test.litmus", source, &[]).unwrap_or_else(|e| panic!("{}", e.render(source, false)))
}

/// What the final values are, how many graphs there are, and whether something that may not be was seen.
fn explored(source: &str, name: &str) -> (BTreeSet<Vec<(String, i32)>>, Counts, bool) {
    let program = parse(source);
    let mut finals = BTreeSet::new();
    let mut fails = false;
    let mut search = Search::new(&program, model(name).unwrap(), Limits::default());
    search.run(&mut |graph: &Graph, run: &Run, ending: &Ending| {
        match ending {
            Ending::Complete | Ending::Deadlock => {
                finals.insert(program.finals(graph, run));
                fails |= program.never(graph, run).is_some();
            }
            Ending::Fault(_) | Ending::Race(_) => fails = true,
            _ => {}
        }
        true
    });
    (finals, search.counts(), fails)
}

#[test]
fn orderings_are_printed_as_they_are_read() {
    for source in [
        "init x=0, y=0;\np0:[x.store(1, rel)][l=y.load(acq)]\np1:[l=x.swap(2, acqrel)][fence(sc)]\nnever (p0.l==0 && y==1) \"both\"\n",
        "init a[2], x=0;\np0(l=0):[l=0; l=a[l+1].fetch_add(3, rlx); if (l==0) end][x.cas(0, 1, acq, rlx)][l=x.cas(3, 2, sc, sc)]\n",
        "init data=0;\np0:[data.store(42, na)]\n",
    ] {
        let source = source
            .replace("p1:[l=x.swap", "p1(l=0):[l=x.swap")
            .replace("p0:[x.store", "p0(l=0):[x.store");
        let model = text::parse("test.litmus", &source).unwrap_or_else(|e| panic!("{}", e.render(&source, false)));
        assert_eq!(model.to_string(), source);
    }
}

#[test]
fn errors_say_which_ordering_was_expected() {
    let messages: Vec<String> = [
        "p0:[l=x.load(rel)]",
        "p0:[x.store(1, acq)]",
        "p0:[fence(rlx)]",
        "p0:[x.cas(0, 1, sc, rel)]",
        "p0:[l=x.load(aqc)]",
        "p0:[l=x.laod(acq)]",
        "p0:[x.load(acq)]",
        "p0:[l=x.store(1, rel)]",
        "p0:[x.store(y, rel)]",
        "p0:[x.store(1)]",
        "p0:[y=x.load(acq)]",
        "p0:[x.store(1, rel); y.store(1, rel)]",
        "p0:[if (l==0) x.store(1, rel)]",
        "p0:[l=x.swap(l+1, sc)]",
        "p0:[l.store(1, sc)]",
        "p0:[x=1; y=1]",
        "p0:[x=y]",
        "p0:[if (l==0) x=1]",
        "p0:[choose l 2]",
        "p0:[spawn k] k:[x=1]",
        "p0:[x=1] never (p1.l==0)",
        "p0:[x=1] never (p0.l==0)",
    ]
    .iter()
    .map(|source| match Concurrent::parse("test.litmus", source, &[]) {
        Ok(_) => panic!("{source} is accepted"),
        Err(error) => error.render(source, false),
    })
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn the_literature_is_as_it_says() {
    let sb = "p0:[x.store(1, ST)][l=y.load(LD)] p1:[y.store(1, ST)][l=x.load(LD)] never (p0.l==0 && p1.l==0)";
    let mp = "p0:[x.store(1, rlx)][y.store(1, ST)] p1:[l1=y.load(LD)][l2=x.load(rlx)] never (p1.l1==1 && p1.l2==0)";
    let with = |source: &str, store: &str, load: &str| source.replace("ST", store).replace("LD", load);
    for (source, store, load, name, fails) in [
        (sb, "rlx", "rlx", "rc11", true),
        (sb, "rel", "acq", "rc11", true),
        (sb, "rel", "acq", "tso", true),
        (sb, "sc", "sc", "rc11", false),
        (sb, "sc", "sc", "tso", false),
        (sb, "rlx", "rlx", "sc", false),
        (mp, "rlx", "rlx", "rc11", true),
        (mp, "rel", "rlx", "rc11", true),
        (mp, "rel", "acq", "rc11", false),
        (mp, "rlx", "rlx", "tso", false),
    ] {
        let source = with(source, store, load);
        assert_eq!(explored(&source, name).2, fails, "{source} under {name}");
    }
    // The published counts: 2^n graphs of sb(n) under RC11, 4 of mp if it is relaxed, 3 if it is not.
    assert_eq!(explored(&with(sb, "rlx", "rlx"), "rc11").1.graphs, 4);
    assert_eq!(explored(&with(mp, "rlx", "rlx"), "rc11").1.graphs, 4);
    assert_eq!(explored(&with(mp, "rel", "acq"), "rc11").1.graphs, 3);
}

#[test]
fn plain_data_is_checked_for_races() {
    let guarded = "init m, x; p[2](l=0):[lock m][l=x.load(na)][x.store(l+1, na)][unlock m]";
    let (finals, counts, fails) = explored(guarded, "rc11");
    assert_eq!((finals.len(), counts.graphs, fails), (2, 2, false));
    assert!(explored("p0:[x.store(1, na)] p1:[x.store(2, rlx)]", "rc11").2);
    assert!(explored("p0:[x.store(1, na)][y.store(1, rlx)] p1:[await y==1][l=x.load(na)]", "rc11").2);
    assert!(!explored("p0:[x.store(1, na)][y.store(1, rel)] p1:[await y==1][l=x.load(na)]", "rc11").2);
}

/// What fails right after a read-modify-write that revisits another one is in no graph to which a single event was added; what fails at the start comes
/// after no event at all.
#[test]
fn failures_are_found_wherever_they_are() {
    for source in [
        "p0:[x.fetch_add(1, rlx)] p1(l=1):[l=x.cas(0, 2, rlx, rlx)][assert l!=0]",
        "p0:[x.fetch_add(1, rlx)] p1(l=1):[l=x.cas(0, 2, rlx, rlx)][if (l!=0) end][y.store(1, na)] p2:[y.store(2, na)]",
        "p0(l=0):[assert l==1] p1:[x=1]",
        "p0:[x=1] p1(l=0):[assert l==1][x=2]",
    ] {
        for name in ["sc", "tso", "rc11"] {
            assert!(explored(source, name).2, "{source} under {name}");
        }
    }
}

#[test]
fn the_families_of_the_literature_have_as_many_graphs_as_traces() {
    let family = |name: &str, n: i64| mazurka_litmus::family(name).unwrap().machine(&[("n".to_owned(), n)]).unwrap();
    for (name, n, graphs) in [("sb", 2, 3), ("sb", 3, 7), ("readers", 4, 16), ("writers", 4, 24)] {
        let machine = family(name, n);
        let program = Concurrent::new(machine.model().clone()).unwrap();
        let mut search = Search::new(&program, model("sc").unwrap(), Limits::default());
        search.run(&mut |_: &Graph, _: &Run, _: &Ending| true);
        assert_eq!(search.counts().graphs, graphs, "{name}({n})");
    }
}

/// splitmix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

fn random(numbers: &mut Numbers) -> String {
    let mut source = String::from("init m, x, y, z;\n");
    let threads = 2 + numbers.below(2);
    for thread in 0..threads {
        source += &format!("p{thread}(l=0, k=0):");
        let mut locked = false;
        for _ in 0..1 + numbers.below(if threads == 2 { 5 } else { 3 }) {
            let x = ["x", "y", "z"][numbers.below(3)];
            let value = ["1", "2", "l", "k+1"][numbers.below(4)];
            source += &match numbers.below(13) {
                0 => format!("[l={x}.load(rlx)]"),
                1 => format!("[k={x}.load(acq)]"),
                2 => format!("[{x}.store({value}, rel)]"),
                3 => format!("[{x}={value}]"),
                4 => format!("[l={x}]"),
                5 => format!("[{x} += {value}]"),
                6 => format!("[k={x}.fetch_add(1, acqrel)]"),
                7 => format!("[l={x}.cas(0, 2, sc, rlx)]"),
                8 => format!("[l={x}.swap(3, rlx)]"),
                9 => format!("[fence(sc)][{x}.store({value}, rlx)]"),
                10 => "[if (l==0) k=k+1]".to_owned(),
                11 if !locked => {
                    locked = true;
                    format!("[lock m][{x}={value}]")
                }
                _ => format!("[l={x}; if (l==1) end]").replace("end", if locked { "k=2" } else { "end" }),
            };
        }
        source += if locked { "[unlock m]\n" } else { "\n" };
    }
    source
}

/// Under sequential consistency, executions end as with `optimal`, and there are no more graphs than traces.
#[test]
fn sequential_consistency_is_the_same_for_both_searches() {
    let programs: u64 = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000);
    for n in 0..programs {
        let source = random(&mut Numbers(n.wrapping_mul(0xd134_2543_de82_ef95)));
        let machine = Machine::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let options = Options::new(Algorithm::parse("optimal").unwrap()).final_states(true);
        let mut optimal = search(&machine, &options, Unobserved).unwrap();
        while optimal.advance(1 << 20) == Status::Running {}
        let outcome = optimal.outcome();
        let (finals, counts, _) = explored(&source, "sc");
        assert_eq!(Some(finals.len() as u64), outcome.distinct_final_states, "{source}");
        assert!(
            counts.graphs <= outcome.counts.executions,
            "{} graphs, {} traces: {source}",
            counts.graphs,
            outcome.counts.executions
        );
        // What is consistent under a stronger model is so under the weaker ones.
        let (tso, rc11) = (explored(&source, "tso").0, explored(&source, "rc11").0);
        assert!(finals.is_subset(&tso) && tso.is_subset(&rc11), "{source}");
    }
}

/// On x86 only sequentially consistent fences are instructions.
#[test]
fn weak_fences_drain_nothing_under_tso() {
    for (fence, fails) in [("acq", true), ("rel", true), ("acqrel", true), ("sc", false)] {
        let source = format!(
            "init x, y;\np0:[x.store(1,rlx)][fence({fence})][l=y.load(rlx)]\np1:[y.store(1,rlx)][fence({fence})][l=x.load(rlx)]\n\
             never (p0.l==0 && p1.l==0) \"both\""
        );
        assert_eq!(explored(&source, "tso").2, fails, "{fence}");
    }
}

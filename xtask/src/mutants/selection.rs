//! Which files are changed: all places of those that tell the searches what they believe, a sample of the rest.

/// A crate whose sources are changed.
pub struct Mutated {
    /// Its name, which is also its folder under `crates`.
    pub name: &'static str,
    /// Files and folders below `src` of which every place is changed.
    pub all: &'static [&'static str],
    /// The packages whose tests have to notice.
    pub tested_by: &'static [&'static str],
    /// The modules of their integration tests (`tests/all`) that take part; unit tests always do.
    pub tests: &'static [&'static str],
    /// What the fuzzer (the test `killer` of `mazurka-laboratory`) is asked to do besides.
    pub fuzz: &'static [&'static str],
}

const LITMUS: &[&str] = &[
    "--language litmus --programs 60 --seed 1",
    "--language litmus --programs 600 --seed 2",
];

/// The engine is used by all: what litmus programs do not do, others may.
const CORE: &[&str] = &[
    LITMUS[0],
    LITMUS[1],
    "--language actors --programs 50 --seed 1",
    "--language promela --programs 40 --seed 1",
];

/// The crates, each after those that it uses.
pub const CRATES: &[Mutated] = &[
    Mutated {
        name: "mazurka-core",
        all: &[
            "footprint.rs",
            "footprints.rs",
            "dependency.rs",
            "trace.rs",
            "wakeup.rs",
            "sequence.rs",
            "cover.rs",
            "involved.rs",
            "stability.rs",
            "explore/reversals.rs",
            "explore/reversal.rs",
            "explore/open_reversals.rs",
            "explore/exploration.rs",
            "explore/source.rs",
            "explore/optimal.rs",
            "explore/backtrack.rs",
            "explore/sleep_sequences.rs",
            "explore/skipped.rs",
            "explore/known_choices.rs",
            "explore/cuts.rs",
            "explore/observed.rs",
            "explore/observers.rs",
            "explore/context.rs",
            "explore/optimal_context.rs",
        ],
        tested_by: &["mazurka-core", "mazurka-litmus", "mazurka-laboratory"],
        tests: &[
            "laws",
            "schedules",
            "stateful",
            "agree",
            "limits",
            "deep",
            "verdicts",
            "context",
            "families",
            "merging",
            "corpus",
            "counts",
            "brute_force",
            "pinned",
            "settled",
            "own_algorithm",
            "parallel",
            "saved",
            "panics",
            "defaults",
            "waiting",
        ],
        fuzz: CORE,
    },
    Mutated {
        name: "mazurka-litmus",
        all: &[
            "machine/compile.rs",
            "machine/emit.rs",
            "machine/interpreter.rs",
            "machine/may_touch.rs",
            "machine/guards.rs",
            "machine/hash.rs",
            "machine/births.rs",
            "machine/values.rs",
            "machine/origins.rs",
            "machine/addressing.rs",
        ],
        tested_by: &["mazurka-litmus", "mazurka-laboratory"],
        tests: &[
            "laws",
            "machine",
            "reference",
            "notation",
            "copies",
            "verdicts",
            "families",
            "merging",
            "context",
            "corpus",
            "expressions",
            "pinned",
        ],
        fuzz: LITMUS,
    },
    Mutated {
        name: "mazurka-promela",
        all: &[
            "program/footprints.rs",
            "program/fingerprint.rs",
            "program/locations.rs",
            "program/future.rs",
            "analysis/",
        ],
        tested_by: &["mazurka-promela", "mazurka-laboratory"],
        tests: &[
            "laws",
            "promela",
            "insights",
            "reduction",
            "promela_guards",
            "promela_random",
            "promela_fuzz",
            "pinned",
        ],
        fuzz: &[
            "--language promela --programs 40 --seed 1",
            "--language promela --programs 400 --seed 2",
        ],
    },
    Mutated {
        name: "mazurka-abs",
        all: &[
            "footprint.rs",
            "future.rs",
            "deeds.rs",
            "receivers.rs",
            "run/accesses.rs",
            "run/fingerprint.rs",
            "run/guard.rs",
            "run/identity.rs",
            "run/naming.rs",
            "run/tasks.rs",
            "run/state.rs",
            "program.rs",
            "value/hash.rs",
        ],
        tested_by: &["mazurka-abs", "mazurka-laboratory"],
        tests: &["front", "run", "abs_reference", "abs_fuzz", "pinned"],
        fuzz: &["--language abs --programs 40 --seed 1", "--language abs --programs 400 --seed 2"],
    },
    Mutated {
        name: "mazurka-actors",
        all: &[
            "faults.rs",
            "fields.rs",
            "future.rs",
            "hash.rs",
            "network.rs",
            "program.rs",
            "steps.rs",
            "subject.rs",
            "touching.rs",
        ],
        tested_by: &["mazurka-actors", "mazurka-laboratory"],
        tests: &[
            "checking",
            "declared_fields",
            "examples",
            "wrong_declarations",
            "faults",
            "promises",
            "actors_published",
            "protocols",
            "protocols_fuzz",
            "pinned",
        ],
        fuzz: &[
            "--language actors --programs 50 --seed 1",
            "--language actors --programs 500 --seed 2",
            "--language protocols --programs 60 --seed 1",
            "--language protocols --programs 400 --seed 2",
        ],
    },
];

/// The tests that notice most: they run first.
pub const FIRST: &str = "pinned::";

/// Files of which nothing is changed: what they say is for people, they are data, or, for the algorithms as they were published, nobody's verdict
/// rests on them.
pub const NEVER: &[&str] = &[
    "describe.rs",
    "print.rs",
    "printer.rs",
    "families/",
    "programs/",
    "lib.rs",
    "published_context.rs",
    "basset.rs",
];

impl Mutated {
    /// Whether every place of this file, a path below `src`, is changed; `None` if none is.
    pub fn takes(&self, path: &str) -> Option<bool> {
        let within = |pattern: &&str| match pattern.strip_suffix('/') {
            Some(_) => path.starts_with(*pattern),
            None => path == *pattern,
        };
        if self.all.iter().any(within) {
            return Some(true);
        }
        let never = NEVER.iter().any(|p| match p.strip_suffix('/') {
            Some(_) => path.starts_with(p),
            None => path.rsplit('/').next() == Some(p),
        });
        (!never).then_some(false)
    }
}

/// A number for a place that decides whether it is in the sample: the smallest are.
pub fn lot(seed: u64, key: &str) -> u64 {
    let mut h = seed ^ 0x9e37_79b9_7f4a_7c15;
    for b in key.bytes() {
        h = (h ^ u64::from(b)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h ^= h >> 29;
    }
    h
}

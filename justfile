# The commands that are typed most often; `just` lists them. https://just.systems

_default:
    @just --list

# Check a program: just check examples/bank.litmus
check *arguments:
    cargo run --release -- check {{arguments}}

# The web page in the browser: just serve examples/bank.litmus
serve *arguments:
    cargo run --release --features serve -- serve --open {{arguments}}

# Run the tests, all or those of one crate: just test -p mazurka-core
test *arguments:
    ./test {{arguments}}

# Formatting and lints
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --features mazurka-laboratory/benches -- -D warnings
    cargo clippy -- -D warnings

# Everything CI requires
ci:
    .ci/run

# Run the commands of the README and the book and write what they print into the text
docs:
    UPDATE_DOCS=1 cargo test -p mazurka-cli --test all documentation

# Compare the algorithms with brute force on random programs: just fuzz --language abs --seed 7
fuzz *arguments:
    cargo run --release --features laboratory -- fuzz {{arguments}}

# Make small errors in the sources and see whether a test notices: just mutants --only FILE
mutants *arguments:
    cargo xtask mutants {{arguments}}

# Count instructions of the searches and compare with the figures kept
instructions:
    cargo build --release
    benchmarks/instructions target/release/mazurka

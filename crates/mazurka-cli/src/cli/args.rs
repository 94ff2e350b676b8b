//! Commands and options, with the help texts that are their documentation.

use super::instead::InsteadArgs;
use super::values::{self, Setting};
use clap::{Args, Parser, Subcommand, ValueEnum};
use mazurka_core::{Observe, Order};
use std::path::PathBuf;
use std::time::Duration;

/// Finds the concurrency bugs that testing misses, and proves their absence when there are none.
///
/// Mazurka runs every interleaving of a concurrent program that can make a difference, and no others. A PROGRAM is an ABS model (*.abs), a
/// Promela model (*.pml), a shared-variable program (*.litmus), or a built-in program from `mazurka list`
/// (litmus:NAME, actors:NAME).
#[derive(Parser, Debug)]
#[command(name = "mazurka", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Wrap output at this width [default: terminal width, $COLUMNS, or 120 when piped]
    #[arg(long, value_name = "COLUMNS", global = true, allow_negative_numbers = true, value_parser = values::width)]
    pub width: Option<usize>,
}

const EXIT_CODES: &str = "Exit codes: 0 complete, 1 violation, 2 bad input or usage, 3 incomplete (a limit or Ctrl-C).\n\
Start with:  mazurka check litmus:philosophers";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check every interleaving of a program
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Check a certificate from `check --certificate` with a small checker that shares no code with the search
    #[command(after_help = EXIT_CODES)]
    Verify(VerifyArgs),
    /// Run several algorithms on a program and compare them
    Compare(CompareArgs),
    /// Go on with a search that `check --checkpoint` has kept, after a kill, a power cut or a limit
    #[command(after_help = EXIT_CODES)]
    Resume(ResumeArgs),
    /// Run a part of the searches that others submit to a cluster with `check --cluster`
    Worker(WorkerArgs),
    /// Replay a saved schedule and show it in columns
    Replay(ReplayArgs),
    /// Run one random schedule and print what the program prints
    Run(RunArgs),
    /// Explain what makes a search large, and what to try
    Explain(ExplainArgs),
    /// Walk through a program by hand: step, go back, take another step, jump to failures
    Explore(ExploreArgs),
    /// Generate tests of an ABS method under every schedule, or run a suite of them
    #[command(after_help = super::tests::EXIT_CODES)]
    Tests(Box<super::tests::TestsArgs>),
    /// Serve a web page on this machine: edit, check, compare and explore programs
    Serve(ServeArgs),
    /// Run a language server for editors, on standard input and output
    Lsp,
    /// Reproduce the papers' tables: published figures next to measured ones
    Bench(BenchArgs),
    /// Compare the algorithms with a brute-force oracle on random programs
    Fuzz(FuzzArgs),
    /// List built-in programs and algorithms
    List(ListArgs),
}

/// Which program, and what it means.
#[derive(Args, Debug, Clone, Default)]
pub struct ProgramArgs {
    /// A file (*.abs, *.pml, *.litmus) or a built-in program (litmus:NAME, actors:NAME)
    pub program: String,
    /// Set a program parameter; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// Track dependencies per actor (cog) or per field [default: field for ABS, actor for actors:NAME]
    #[arg(long, value_enum)]
    pub dependency: Option<DependencyArg>,
    /// ABS: whether `await` yields when its condition already holds (release) or not (formal) [default: release; formal in the dialect of
    /// 2014]
    #[arg(long = "await", value_enum)]
    pub await_: Option<AwaitArg>,
    /// ABS: whether a task that misses its deadline is a failure [default: ignore]
    #[arg(long, value_enum)]
    pub deadlines: Option<DeadlinesArg>,
    /// Whether a deadlock is a failure; blocked-only (ABS): only if a task is blocked in `get` or a synchronous call
    #[arg(long, value_enum)]
    pub deadlock: Option<DeadlockArg>,
    /// ABS: an expression over the main block's variables that must hold at the end of every execution
    #[arg(long, value_name = "EXPR")]
    pub property: Option<String>,
    /// ABS: the module whose main block to run, if several have one [default: the last]
    #[arg(long, value_name = "MODULE")]
    pub main: Option<String>,
    /// ABS: the product whose deltas to apply; `check` also takes `all` [default: none, the program without deltas]
    #[arg(long, value_name = "PRODUCT")]
    pub product: Option<String>,
    /// ABS: another file of the same model; may be repeated
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<String>,
    /// ABS: whether the names of tasks that nobody knows any more are given again (forget), so that endless models have few states, or never
    /// (grow) [default: forget for models with `while (True)` or `this!run()`, else grow]
    #[arg(long, value_enum)]
    pub names: Option<NamesArg>,
    /// ABS: give up on a step after this many calls and loop iterations [default: 5000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub step_budget: Option<u64>,
    /// ABS: give up on a step in which one `random` chooses from more than this many numbers [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub choices: Option<u64>,
    /// Promela: ignore `never` claims, `ltl` formulas, `trace` assertions and accept labels, and check the rest
    #[arg(long, conflicts_with_all = ["claim", "ltl", "non_progress"])]
    pub ignore_claims: bool,
    /// Promela: check this claim of the model alone, as SPIN does with -N; may be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    pub claim: Vec<String>,
    /// Promela: check this formula too, as in `ltl { FORMULA }`; may be repeated
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Promela: look for executions that go on for ever without progress labels, as SPIN does with -l
    #[arg(long)]
    pub non_progress: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependencyArg {
    Actor,
    Field,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AwaitArg {
    Release,
    Formal,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamesArg {
    Grow,
    Forget,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadlinesArg {
    Error,
    Ignore,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadlockArg {
    Error,
    Ignore,
    BlockedOnly,
}

/// When to give up.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitArgs {
    /// Stop after this many complete executions
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, help_heading = "Limits")]
    pub max_executions: Option<u64>,
    /// Cut executions after this many steps
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, help_heading = "Limits")]
    pub max_depth: Option<u64>,
    /// Stop after this time: 500ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Stop when Mazurka uses this much memory (algorithms that merge states stay within it instead): 512M, 2G
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = values::bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Search algorithm, see `mazurka list` [default: the best sound one for the program]
    #[arg(long, value_name = "A", help_heading = "Search")]
    pub algorithm: Option<String>,
    /// Explore the execution graphs of a *.litmus program under a memory model: rc11, tso or sc
    #[arg(long, value_name = "MODEL", help_heading = "Search")]
    pub model: Option<String>,
    /// With --model: find the weakest orderings with which nothing fails
    #[arg(long, requires = "model", help_heading = "Search")]
    pub relax: bool,
    /// Which process to try first: fifo, eca, lca, stable, random:SEED
    #[arg(long, value_name = "O", value_parser = values::order, default_value = "fifo", help_heading = "Search")]
    pub order: Order,
    /// Which differences merging must preserve, finest first: states, finals, outcomes or failures; coarser settings merge more [default: finals]
    #[arg(long, value_name = "WHAT", help_heading = "Search")]
    pub observe: Option<Observe>,
    /// Merging: keep at most N cones per state. Fewer save memory but cost repeated exploration; nothing is missed
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub cones: Option<usize>,
    /// Continue after the first failure and count all failures
    #[arg(long, help_heading = "Search")]
    pub keep_going: bool,
    /// Fail if no execution of the program ever ends
    #[arg(long, help_heading = "Search")]
    pub livelock: bool,
    /// Claims: only executions count in which no process can move from some time on and never does, as SPIN has it with -f
    #[arg(long, help_heading = "Search")]
    pub fair: bool,
    /// Keep no snapshots; rebuild states by replaying their schedules
    #[arg(long, help_heading = "Search")]
    pub replay: bool,
    /// Search on this many threads [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::threads, help_heading = "Search")]
    pub jobs: Option<usize>,
    /// Have the search run by the workers of this cluster, a NATS server: nats://host:4222
    #[arg(long, value_name = "URL", help_heading = "Search")]
    pub cluster: Option<String>,
    /// The credentials for the cluster, as `nsc` writes them
    #[arg(long, value_name = "FILE", requires = "cluster", help_heading = "Search")]
    pub credentials: Option<PathBuf>,
    /// Keep the search in this directory while it runs, for `mazurka resume`
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub checkpoint: Option<PathBuf>,
    /// How often to write the checkpoint [default: 30s, or less often if writing it takes more than 1% of the time]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration, requires = "checkpoint", help_heading = "Search")]
    pub every: Option<Duration>,
    /// Check the front end's promises to the search at every state visited; many times slower
    #[arg(long, help_heading = "Search")]
    pub paranoid: bool,
    /// Check the verdict with a small checker that shares no code with the search
    #[arg(long, help_heading = "Search")]
    pub verify: bool,
    /// Stateful search: store whole states instead of 128-bit fingerprints
    #[arg(long, help_heading = "Search")]
    pub exact: bool,
    /// Stateful search: search breadth first, for a shortest counterexample
    #[arg(long, help_heading = "Search")]
    pub shortest: bool,
    #[command(flatten)]
    pub instead: InsteadArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What to print and write.
#[derive(Args, Debug, Default)]
pub struct OutputArgs {
    /// Print one JSON object (schema mazurka/1) and nothing else
    #[arg(long, conflicts_with_all = ["json_lines", "ascii"], help_heading = "Output")]
    pub json: bool,
    /// Print events as JSON, one per line: start, progress, failure, verdict
    #[arg(long, conflicts_with_all = ["ascii"], help_heading = "Output")]
    pub json_lines: bool,
    /// Print only what --json or --json-lines ask for; otherwise only set the exit code
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
    /// Print ASCII characters only
    #[arg(long, help_heading = "Output")]
    pub ascii: bool,
    /// Print the distinct final states
    #[arg(long, help_heading = "Output")]
    pub final_states: bool,
    /// Print the overhead of the search as three ratios (R1, R2, R3); explores a second time
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Show failures as found, without looking for a shorter schedule
    #[arg(long, help_heading = "Output")]
    pub no_minimise: bool,
    /// Write an HTML report
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub report: Option<PathBuf>,
    /// Write a JUnit file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub junit: Option<PathBuf>,
    /// Write a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub sarif: Option<PathBuf>,
    /// Write a certificate of the verdict, for `mazurka verify`
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub certificate: Option<PathBuf>,
    /// Write the happens-before graph of the failing execution (or else the first) in Graphviz format
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub dot: Option<PathBuf>,
    /// Write the failing schedule to FILE [default: NAME.schedule.json in the current directory, when text is printed]
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub save_schedule: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The certificate written by `check --certificate`
    pub certificate: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long, conflicts_with = "ascii")]
    pub json: bool,
    /// Print nothing; only set the exit code
    #[arg(long)]
    pub quiet: bool,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// The directory that was given to `check --checkpoint`
    pub directory: PathBuf,
    /// How often to write the checkpoint [default: as before]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration)]
    pub every: Option<Duration>,
    /// Stop when the search has taken this time, all its parts together [default: as before]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration)]
    pub timeout: Option<Duration>,
}

#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// The cluster, a NATS server: nats://host:4222
    #[arg(value_name = "URL")]
    pub cluster: String,
    /// The credentials for the cluster, as `nsc` writes them
    #[arg(long, value_name = "FILE")]
    pub credentials: Option<PathBuf>,
    /// End when there was nothing to do for so long: 30s, 5m [default: wait for ever]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration)]
    pub idle: Option<Duration>,
    /// Print nothing
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The algorithms, separated by commas [default: all sound ones that fit the program]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// Which process to try first: fifo, eca, lca, stable, random:SEED
    #[arg(long, value_name = "O", value_parser = values::order, default_value = "fifo")]
    pub order: Order,
    /// Which differences merging must preserve, finest first: states, finals, outcomes or failures; coarser settings merge more [default: finals]
    #[arg(long, value_name = "WHAT")]
    pub observe: Option<Observe>,
    /// Stop each algorithm at its first failure
    #[arg(long)]
    pub stop_at_failure: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print one JSON object and nothing else
    #[arg(long, conflicts_with = "ascii")]
    pub json: bool,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Write an HTML report, with the table as a chart
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The schedule saved by `check`
    pub schedule: PathBuf,
    /// Walk through it: n next, b back, r to the race, s state, e what else was enabled, q quit
    #[arg(long)]
    pub step: bool,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Write an HTML report
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write the happens-before graph in Graphviz format
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Seed of the random schedule
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub seed: u64,
    /// Run this schedule instead of a random one
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub schedule: Option<PathBuf>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "1000000")]
    pub max_depth: u64,
    /// Stop after this time: 500ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// Show the steps in columns
    #[arg(long)]
    pub trace: bool,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How many executions to examine
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "2000")]
    pub max_executions: u64,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Start at the end of this schedule
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Models to offer on the page (*.abs, *.pml, *.litmus)
    pub files: Vec<String>,
    /// The port; 0 picks any free one
    #[arg(long, value_name = "N", default_value = "0")]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Listen on this address instead of the loopback address, which only this machine can reach
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<std::net::IpAddr>,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The table to measure; without it, list the tables
    pub table: Option<String>,
    /// Skip rows larger than this
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub max_size: Option<u64>,
    /// Leave out times, so that every run prints the same
    #[arg(long)]
    pub no_times: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct FuzzArgs {
    /// How many random programs
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "1000")]
    pub programs: u64,
    /// Seed of the random programs
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::number, default_value = "1")]
    pub seed: u64,
    /// How many mutants of programs known to be hard to add
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub mutants: u64,
    /// Only these algorithms; may be repeated [default: all that are sound]
    #[arg(long, value_name = "A")]
    pub algorithm: Vec<String>,
    /// Also try every way of merging: each equality, few cones, little memory; and on every fourth program the plain algorithm
    #[arg(long)]
    pub merging: bool,
    /// Also compare searches bounded by preemptions and delays with all schedules within the bounds
    #[arg(long)]
    pub bounds: bool,
    /// Also run `optimal` with branches and messages in random order, as parallel threads might
    #[arg(long)]
    pub any_order: bool,
    /// Make most programs small; one in eight may have the usual size
    #[arg(long)]
    pub small: bool,
    /// Start at this program, where an earlier run with the same numbers and seed stopped
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub from: u64,
    /// How many threads [default: one per core, at most 8]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Which front end's programs: litmus, abs, promela, actors, protocols or all
    #[arg(long, value_name = "L", default_value = "all")]
    pub language: String,
    /// Print how many programs had each shape
    #[arg(long)]
    pub stats: bool,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// List everything: all built-in programs, algorithms known to miss behaviours, the papers' tables
    #[arg(long)]
    pub all: bool,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
}

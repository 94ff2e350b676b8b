//! Commands and options, with the help texts that are their documentation.

use super::instead::InsteadArgs;
use super::values::{self, Setting};
use clap::{Args, Parser, Subcommand, ValueEnum};
use mazurka_core::{Observe, Order};
use std::path::PathBuf;
use std::time::Duration;

/// Finds the concurrency bugs that testing misses, and proves their absence when there are none.
///
/// Mazurka runs every interleaving of a concurrent program that can make a difference, and no other. A PROGRAM is an ABS model (*.abs), a
/// Promela model (*.pml), a shared-variable program (*.litmus), or one of the built-in programs that `mazurka list` shows
/// (litmus:NAME, actors:NAME).
#[derive(Parser, Debug)]
#[command(name = "mazurka", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Lay out text for so many columns (without it: those of the terminal or of COLUMNS, 120 on a pipe)
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
    /// Check what `check --certificate` wrote, with a small checker that shares nothing with the search
    #[command(after_help = EXIT_CODES)]
    Verify(VerifyArgs),
    /// Run every algorithm on a program, side by side
    Compare(CompareArgs),
    /// Run one schedule again and show it as columns
    Replay(ReplayArgs),
    /// Run one random schedule and print what the program prints
    Run(RunArgs),
    /// Say what makes a program's search large, and what to try
    Explain(ExplainArgs),
    /// Walk through a program by hand: step, go back, take another step, jump to failures
    Explore(ExploreArgs),
    /// Serve a web page on this machine: edit, check, compare and explore programs
    Serve(ServeArgs),
    /// Speak the language server protocol with an editor, on standard input and output
    Lsp,
    /// Reproduce the tables of the papers, published beside measured
    Bench(BenchArgs),
    /// Compare the algorithms with a brute-force oracle on random programs
    Fuzz(FuzzArgs),
    /// Show the built-in programs with their parameters, the algorithms and the tables
    List(ListArgs),
}

/// Which program, and what it means.
#[derive(Args, Debug, Clone, Default)]
pub struct ProgramArgs {
    /// A file (*.abs, *.pml, *.litmus) or a built-in program (litmus:NAME, actors:NAME)
    pub program: String,
    /// Set a parameter of the program; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = values::setting)]
    pub set: Vec<Setting>,
    /// How fine dependencies are: whole actors (cogs), or their fields [default: field for ABS, actor for actors:NAME]
    #[arg(long, value_enum)]
    pub dependency: Option<DependencyArg>,
    /// ABS: whether `await` on something that already holds gives others a turn (release) or not (formal) [default: release; formal in the
    /// dialect of 2014]
    #[arg(long = "await", value_enum)]
    pub await_: Option<AwaitArg>,
    /// ABS: whether it is a failure that a task has not ended by its deadline [default: ignore]
    #[arg(long, value_enum)]
    pub deadlines: Option<DeadlinesArg>,
    /// Whether processes that wait for ever are a failure; blocked-only: only if a task is blocked in `get` or a synchronous call (ABS)
    #[arg(long, value_enum)]
    pub deadlock: Option<DeadlockArg>,
    /// ABS: an expression over the main block's variables that must hold at the end of every execution
    #[arg(long, value_name = "EXPR")]
    pub property: Option<String>,
    /// ABS: the module whose main block is run, if several have one [default: the last]
    #[arg(long, value_name = "MODULE")]
    pub main: Option<String>,
    /// ABS: the product of a product line whose deltas are applied; `check` takes `all` [default: none, the program without deltas]
    #[arg(long, value_name = "PRODUCT")]
    pub product: Option<String>,
    /// ABS: another file of the same model; may be repeated
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<String>,
    /// ABS: how many calls and rounds of loops one step may do before it is given up [default: 5000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub step_budget: Option<u64>,
    /// ABS: how many numbers one `random` may choose from before the step is given up [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub choices: Option<u64>,
    /// Promela: leave out `never` claims, `ltl` formulas and `trace` assertions, and check the rest
    #[arg(long)]
    pub ignore_claims: bool,
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
    /// Stop when the tool holds this much memory (algorithms that merge states stay within it): 512M, 2G
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = values::bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How to search; `mazurka list` shows the algorithms [default: the best sound one for the program]
    #[arg(long, value_name = "A", help_heading = "Search")]
    pub algorithm: Option<String>,
    /// Which process to try first: fifo, eca, lca, stable, random:SEED
    #[arg(long, value_name = "O", value_parser = values::order, default_value = "fifo", help_heading = "Search")]
    pub order: Order,
    /// What merging must tell apart: states, finals, outcomes or failures; the less, the more is merged [default: finals]
    #[arg(long, value_name = "WHAT", help_heading = "Search")]
    pub observe: Option<Observe>,
    /// Merging: keep at most so many cones per state. Fewer take less memory and more explorations, and nothing is lost
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub cones: Option<usize>,
    /// Go on after the first failure and count all of them
    #[arg(long, help_heading = "Search")]
    pub keep_going: bool,
    /// Fail if no execution of the program ever ends
    #[arg(long, help_heading = "Search")]
    pub livelock: bool,
    /// Keep no snapshots: rebuild states by running their schedules again
    #[arg(long, help_heading = "Search")]
    pub replay: bool,
    /// Believe nothing: check what the program's front end promises the search at every state visited. Many times slower
    #[arg(long, help_heading = "Search")]
    pub paranoid: bool,
    /// Check the verdict with a small checker that shares nothing with the search
    #[arg(long, help_heading = "Search")]
    pub verify: bool,
    /// Stateful search: store whole states instead of 128-bit fingerprints
    #[arg(long, help_heading = "Search")]
    pub exact: bool,
    /// Stateful search: breadth first, so that the counterexample is a shortest one
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
    /// Print nothing but what --json or --json-lines ask for; the exit code tells
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
    /// Use no characters outside ASCII
    #[arg(long, help_heading = "Output")]
    pub ascii: bool,
    /// Print the distinct final states
    #[arg(long, help_heading = "Output")]
    pub final_states: bool,
    /// Print how far from the limit the run was (R1, R2, R3); explores a second time
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Show failures as they were found, without looking for a shorter schedule
    #[arg(long, help_heading = "Output")]
    pub no_minimise: bool,
    /// Write a report that opens in a browser
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub report: Option<PathBuf>,
    /// Write a JUnit file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub junit: Option<PathBuf>,
    /// Write a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub sarif: Option<PathBuf>,
    /// Write what proves the verdict, for `mazurka verify`
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub certificate: Option<PathBuf>,
    /// Write the happens-before graph of the failing (or else the first) execution for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub dot: Option<PathBuf>,
    /// Write the failing schedule here [default: NAME.schedule.json in the current directory, when text is printed]
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub save_schedule: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The certificate, as `check --certificate` wrote it
    pub certificate: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long, conflicts_with = "ascii")]
    pub json: bool,
    /// Print nothing; the exit code tells
    #[arg(long)]
    pub quiet: bool,
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Which algorithms, separated by commas [default: all sound ones that fit the program]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// Which process to try first: fifo, eca, lca, stable, random:SEED
    #[arg(long, value_name = "O", value_parser = values::order, default_value = "fifo")]
    pub order: Order,
    /// What merging must tell apart: states, finals, outcomes or failures; the less, the more is merged [default: finals]
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
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
    /// Write a report that opens in a browser, with the table as a chart
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The schedule, as `check` saved it
    pub schedule: PathBuf,
    /// Go through it step by step: n next, b back, r to the race, s the state, e what else was enabled, q quit
    #[arg(long)]
    pub step: bool,
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
    /// Write a report that opens in a browser
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write the happens-before graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Which random schedule
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub seed: u64,
    /// Run this schedule instead of a random one
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub schedule: Option<PathBuf>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "1000000")]
    pub max_depth: u64,
    /// Show the steps as columns
    #[arg(long)]
    pub trace: bool,
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// How many executions to look at
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "2000")]
    pub max_executions: u64,
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Begin at the end of this schedule
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Use no characters outside ASCII
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Models that the page offers (*.abs, *.pml, *.litmus)
    pub files: Vec<String>,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value = "0")]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Listen on this address instead of the loopback address, where only this machine can reach it
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<std::net::IpAddr>,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Which table; without one, all of them are listed
    pub table: Option<String>,
    /// Skip rows that are larger than this
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub max_size: Option<u64>,
    /// Leave out the columns of times: the rest is the same in every run
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
    /// Which random programs
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::number, default_value = "1")]
    pub seed: u64,
    /// How many mutants of programs known to be hard, besides
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub mutants: u64,
    /// Only these algorithms; may be repeated [default: all that are sound]
    #[arg(long, value_name = "A")]
    pub algorithm: Vec<String>,
    /// Also every way of merging: each equality, few cones, little memory; and for every fourth program the plain algorithm
    #[arg(long)]
    pub merging: bool,
    /// Also searches within bounds on preemptions and delays, against all schedules within them
    #[arg(long)]
    pub bounds: bool,
    /// Also `optimal` in random orders of branches and messages, as threads may come to them
    #[arg(long)]
    pub any_order: bool,
    /// Many small programs: one in eight may be as large as usual
    #[arg(long)]
    pub small: bool,
    /// Start at this program, where an earlier run with the same numbers and seed was stopped
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number, default_value = "0")]
    pub from: u64,
    /// How many threads [default: one for each core, at most 8]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Whose programs: litmus, abs, promela, actors or all
    #[arg(long, value_name = "L", default_value = "all")]
    pub language: String,
    /// Print how many programs had which shape
    #[arg(long)]
    pub stats: bool,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// Everything: all built-in programs, algorithms that are known to miss behaviours, tables of papers
    #[arg(long)]
    pub all: bool,
    /// Print JSON: everything
    #[arg(long)]
    pub json: bool,
}

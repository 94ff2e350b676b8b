//! `mazurka tests`: its options, with the help texts that are their documentation.

use super::ProgramArgs;
use super::values;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// How `tests` ends.
pub const EXIT_CODES: &str = "Exit codes: 0 no test shows a failure, 1 a test shows a failure, 2 bad input or usage, 3 no failure, but a bound cut something off.\n\
It needs an SMT solver: `apt-get install z3`, `brew install z3` or `pip install z3-solver`.\n\
Start with:  mazurka tests examples/bank.abs --method AccountImpl.withdraw --requires 'log != null'";

#[derive(Args, Debug)]
pub struct TestsArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The method to test; all that it gets, the fields of its object and the objects behind them are inputs
    #[arg(long, value_name = "CLASS.METHOD", required_unless_present_any = ["symbolic", "run"])]
    pub method: Option<String>,
    /// Test the main block instead, with this parameter of the model as an input, perhaps within a range (n=1..5); may be repeated
    #[arg(long, value_name = "NAME[=FROM..TO]", conflicts_with_all = ["method", "run", "requires"])]
    pub symbolic: Vec<String>,
    /// Run this suite instead, which --json has written: every test under every interleaving
    #[arg(long, value_name = "SUITE.json", conflicts_with_all = ["method", "requires", "json", "absunit", "criterion"])]
    pub run: Option<PathBuf>,
    /// A condition over the parameters of the method and the fields of its object that holds at the start
    #[arg(long, value_name = "EXPR")]
    pub requires: Option<String>,
    /// What the tests have to cover [default: branches]
    #[arg(long, value_enum)]
    pub criterion: Option<CriterionArg>,
    /// So many other calls may wait at the start, of any method that the object's interfaces have
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number, default_value = "1")]
    pub calls: u64,
    /// How often one step may ask about inputs at one place: rounds of loops, levels of recursion
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "8")]
    pub unroll: u64,
    /// How deep data may be: elements of lists, sets and maps, levels of trees
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "3")]
    pub size: u64,
    /// How many objects there may be at the start
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "3")]
    pub objects: u64,
    /// Steps of one execution
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "1000")]
    pub max_depth: u64,
    /// Classes of inputs
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "1000")]
    pub max_classes: u64,
    /// Executions of one class, or of one test
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive, default_value = "100000")]
    pub max_executions: u64,
    /// Stop after this time (30s, 5m)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// The algorithm that explores the schedules
    #[arg(long, value_name = "NAME", default_value = "optimal")]
    pub algorithm: String,
    /// The solver: z3, cvc5, or the path of a program that reads SMT-LIB [default: the first of z3 and cvc5 that is installed]
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// How long the solver may think about one question
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "2s")]
    pub solver_timeout: Duration,
    /// Write the suite as JSON, for --run
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the suite as an ABSUnit suite, with a delta that opens the classes to it; `mazurka check` runs it
    #[arg(long, value_name = "FILE.abs")]
    pub absunit: Option<PathBuf>,
    /// Count classes and executions only, and make no tests
    #[arg(long, conflicts_with_all = ["run", "json", "absunit", "criterion"])]
    pub count: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CriterionArg {
    /// Every statement of the method and of what it calls, and every failure
    Statements,
    /// Every way out of every branch, and every failure
    Branches,
    /// Every assignment to a field with every place that reads it, and every failure
    DefUse,
    /// Every class of inputs with every different outcome
    Paths,
    /// Every class of inputs with every interleaving
    Traces,
}

//! From what the user wrote to a program. One file per front end.

pub mod abs;
mod actors;
pub mod list;
mod litmus;
mod promela;

use crate::cli::{ProgramArgs, Setting};
use crate::refusal::{Refusal, did_you_mean};
use crate::session::Session;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The prefixes of built-in programs.
const PREFIXES: [&str; 2] = ["litmus", "actors"];
/// The extensions of model files.
const EXTENSIONS: [&str; 3] = ["abs", "pml", "litmus"];

/// Loads the program that `args` name.
pub fn load(args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    load_paranoid(args, false)
}

/// Loads the program that `args` name; if `paranoid`, one that checks what it says about itself at every step, where it can.
pub fn load_paranoid(args: &ProgramArgs, paranoid: bool) -> Result<Session<'static>, Refusal> {
    let target = args.program.as_str();
    if let Some((prefix, name)) = target.split_once(':')
        && !Path::new(target).exists()
    {
        return match prefix {
            "litmus" => litmus::built_in(name, args),
            "actors" => actors::built_in(name, args, paranoid),
            _ => Err(Refusal::new(format!(
                "unknown kind of built-in program `{prefix}:`{}; expected litmus:NAME or actors:NAME",
                did_you_mean(prefix, PREFIXES)
            ))),
        };
    }
    match Language::of(target) {
        Some(Language::Abs) => abs::file(target, args),
        Some(Language::Promela) => promela::file(target, args),
        Some(Language::Litmus) => litmus::file(target, args),
        None => Err(unknown(target)),
    }
}

/// Loads a program for a search over execution graphs.
pub fn load_for_graphs(args: &ProgramArgs) -> Result<mazurka_litmus::weak::Concurrent, Refusal> {
    let target = args.program.as_str();
    let is_built_in = target.starts_with("litmus:");
    if is_built_in || Language::of(target) == Some(Language::Litmus) {
        return litmus::concurrent(args);
    }
    load(args)?;
    Err(Refusal::new(format!(
        "`{target}` has no memory model: `--model` is for shared-variable programs (*.litmus, litmus:NAME), and for threads in Rust (`Check::model`)"
    )))
}

/// Loads a program that `args` name and whose text is not read from there.
#[cfg(any(feature = "serve", feature = "lsp"))]
pub fn load_text(args: &ProgramArgs, text: String) -> Result<Session<'static>, Refusal> {
    let name = args.program.as_str();
    match Language::of(name) {
        Some(Language::Abs) => abs::text(name, text, args, |_| {}),
        Some(Language::Promela) => promela::text(name, text, args, |_| {}),
        Some(Language::Litmus) => litmus::text(name, text, args),
        None => Err(unknown(name)),
    }
}

/// The languages that programs are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Abs,
    Promela,
    Litmus,
}

impl Language {
    /// By the name of a file.
    fn of(name: &str) -> Option<Self> {
        match extension(name).as_str() {
            "abs" => Some(Language::Abs),
            "pml" | "promela" | "prom" | "prm" | "spin" => Some(Language::Promela),
            "litmus" => Some(Language::Litmus),
            _ => None,
        }
    }
}

fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    extension.to_ascii_lowercase()
}

fn unknown(target: &str) -> Refusal {
    if let Some(built_in) = list::nearest(target) {
        return Refusal::new(format!("no file `{target}` (did you mean the built-in program `{built_in}`?)"));
    }
    let near = did_you_mean(&extension(target), EXTENSIONS);
    Refusal::new(format!(
        "`{target}` is neither a model file (*.abs, *.pml, *.litmus) nor a built-in program (litmus:NAME, actors:NAME){near}; `mazurka list` shows the latter"
    ))
}

/// The settings as numbers.
fn numbers(args: &ProgramArgs) -> Result<Vec<(String, i64)>, Refusal> {
    let number = |s: &Setting| match s.value.parse() {
        Ok(value) => Ok((s.name.clone(), value)),
        Err(_) => Err(Refusal::new(format!("`{}` needs a whole number, not `{}`", s.name, s.value))),
    };
    args.set.iter().map(number).collect()
}

/// Reads a text: a model or a schedule.
pub fn read(path: &str) -> Result<String, Refusal> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        Refusal::new(format!("{path}:{line}: not UTF-8 text"))
    })
}

/// Larger files are no programs, and would fill the memory.
const LARGEST: u64 = 32 << 20;

/// Reads a file without the byte order mark that some editors put in front of a text.
fn read_bytes(path: &str) -> Result<Vec<u8>, Refusal> {
    match contents(path) {
        Ok(bytes) if bytes.len() as u64 > LARGEST => Err(Refusal::new(format!(
            "cannot read `{path}`: it has more than {} MB; expected a program or a schedule",
            LARGEST >> 20
        ))),
        Ok(bytes) => Ok(match bytes.strip_prefix("\u{feff}".as_bytes()) {
            Some(text) => text.to_vec(),
            None => bytes,
        }),
        Err(error) => Err(Refusal::new(format!("cannot read `{path}`: {}", reason(&error)))),
    }
}

/// The contents of a file, or the beginning of one that is too large: some have no end.
fn contents(path: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether messages on standard error may have colours.
fn wants_color() -> bool {
    mazurka_report::Paint::detect(std::io::stderr().is_terminal(), false).color
}

/// What the system says, without its error number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// The options of [`ProgramArgs`] that only some front ends know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Dependency,
    Await,
    Deadlines,
    BlockedOnly,
    Property,
    Main,
    Product,
    With,
    Names,
    StepBudget,
    Choices,
    Claims,
}

/// Refuses options that this kind of program does not have.
pub fn refuse_others(kind: &str, args: &ProgramArgs, known: &[Known]) -> Result<(), Refusal> {
    let blocked_only = args.deadlock == Some(crate::cli::DeadlockArg::BlockedOnly);
    let given = [
        (Known::Dependency, args.dependency.is_some(), "--dependency"),
        (Known::Await, args.await_.is_some(), "--await"),
        (Known::Deadlines, args.deadlines.is_some(), "--deadlines"),
        (Known::BlockedOnly, blocked_only, "--deadlock blocked-only"),
        (Known::Property, args.property.is_some(), "--property"),
        (Known::Main, args.main.is_some(), "--main"),
        (Known::Product, args.product.is_some(), "--product"),
        (Known::With, !args.with.is_empty(), "--with"),
        (Known::Names, args.names.is_some(), "--names"),
        (Known::StepBudget, args.step_budget.is_some(), "--step-budget"),
        (Known::Choices, args.choices.is_some(), "--choices"),
        (Known::Claims, args.ignore_claims, "--ignore-claims"),
        (Known::Claims, !args.claim.is_empty(), "--claim"),
        (Known::Claims, !args.ltl.is_empty(), "--ltl"),
        (Known::Claims, args.non_progress, "--non-progress"),
    ];
    match given.iter().find(|(option, given, _)| *given && !known.contains(option)) {
        Some((_, _, name)) => Err(Refusal::new(format!("`{name}` means nothing for {kind}"))),
        None => Ok(()),
    }
}

/// The options that change what the program does, as on the command line.
fn arguments(args: &ProgramArgs) -> Vec<String> {
    use clap::ValueEnum;
    let mut list = Vec::new();
    let mut add = |flag: &str, value: String| {
        list.push(flag.to_owned());
        list.push(value);
    };
    for setting in &args.set {
        add("--set", format!("{}={}", setting.name, setting.value));
    }
    let name = |value: Option<clap::builder::PossibleValue>| value.map_or(String::new(), |v| v.get_name().to_owned());
    if let Some(dependency) = args.dependency {
        add("--dependency", name(dependency.to_possible_value()));
    }
    if let Some(await_) = args.await_ {
        add("--await", name(await_.to_possible_value()));
    }
    if let Some(deadlines) = args.deadlines {
        add("--deadlines", name(deadlines.to_possible_value()));
    }
    if let Some(deadlock) = args.deadlock {
        add("--deadlock", name(deadlock.to_possible_value()));
    }
    if let Some(property) = &args.property {
        add("--property", property.clone());
    }
    if let Some(main) = &args.main {
        add("--main", main.clone());
    }
    if let Some(product) = &args.product {
        add("--product", product.clone());
    }
    for file in &args.with {
        add("--with", file.clone());
    }
    if let Some(names) = args.names {
        add("--names", name(names.to_possible_value()));
    }
    if let Some(budget) = args.step_budget {
        add("--step-budget", budget.to_string());
    }
    if let Some(choices) = args.choices {
        add("--choices", choices.to_string());
    }
    for name in &args.claim {
        add("--claim", name.clone());
    }
    for formula in &args.ltl {
        add("--ltl", formula.clone());
    }
    if args.ignore_claims {
        list.push("--ignore-claims".to_owned());
    }
    if args.non_progress {
        list.push("--non-progress".to_owned());
    }
    list
}

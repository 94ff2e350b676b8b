//! `mazurka serve`: the answers to what the page asks.
//!
//! A question names a program, perhaps with a text that is being edited, and the options of the command line. Every answer loads the program
//! anew: programs belong to one thread, and loading one takes less time than drawing what it does.

mod graph;
mod includes;
mod programs;
mod searches;
mod walks;

use crate::cli::{CheckArgs, Cli, Command, ServeArgs};
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::frontends::{load, load_text};
use crate::output::print;
use crate::refusal::Refusal;
use crate::session::Session;
use clap::Parser;
use includes::included;
use mazurka_serve::{Host, Reply, Server, Token};
use programs::Programs;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};

/// Serves the page until Ctrl-C.
pub fn run(args: &ServeArgs) -> Result<Exit, Refusal> {
    let programs = Programs::with(&args.files)?;
    let address = args.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let cannot = |e: std::io::Error| {
        Refusal::new(format!(
            "cannot serve at {address}, port {}: {}",
            args.port,
            crate::frontends::reason(&e)
        ))
    };
    let server = Server::bind(address, args.port, Token::random().map_err(cannot)?).map_err(cannot)?;
    let url = server.url();
    listen();
    print(&format!("the page is at {url}\nCtrl-C ends it\n"));
    if !address.is_loopback() {
        print("others can reach this address: whoever knows it can run programs here\n");
    }
    if args.open {
        open(&url);
    }
    server.run(Answers { programs }, interrupted).map_err(cannot)?;
    Ok(Exit::Complete)
}

/// Opens the page in the browser of the system; that it is printed is enough where there is none.
fn open(url: &str) {
    let (command, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let started = std::process::Command::new(command)
        .args(before)
        .arg(url)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if started.is_err() {
        print(&format!("there is no `{command}` to open it with\n"));
    }
}

struct Answers {
    programs: Programs,
}

impl Host for Answers {
    fn answer(&self, what: &str, asked: &Value, reply: &Reply) -> Result<(), String> {
        let question = Question {
            asked,
            programs: &self.programs,
        };
        let answered = match what {
            "programs" => {
                reply.say(&self.programs.list());
                Ok(())
            }
            "program" => self.programs.show(&question, reply),
            "check" => searches::check(&question, reply),
            "compare" => searches::compare(&question, reply),
            "walk" => walks::walk(&question, reply),
            "graph" => graph::graph(&question, reply),
            _ => Err(Refusal::new(format!("there is no question `{what}`"))),
        };
        answered.map_err(|refusal| refusal.to_string())
    }
}

/// What the page asks, in its own words.
struct Question<'q> {
    asked: &'q Value,
    programs: &'q Programs,
}

impl Question<'_> {
    /// The name of the program.
    fn name(&self) -> Result<&str, Refusal> {
        let name = self.asked.get("name").and_then(Value::as_str);
        name.ok_or_else(|| Refusal::new("`name` must say which program, such as `litmus:philosophers` or `edited.litmus`"))
    }

    /// Its text, if it has one. What it includes is what the file of the command line that it comes from includes.
    fn text(&self) -> Result<Option<&str>, Refusal> {
        let Some(text) = self.asked.get("text").and_then(Value::as_str) else {
            return Ok(None);
        };
        let known = self.programs.file(self.name()?).map_or(Vec::new(), included);
        match included(text).into_iter().find(|file| !known.contains(file)) {
            None => Ok(Some(text)),
            Some(file) => Err(Refusal::new(format!(
                "the page does not read {file}: only files named on the command line include others, and only those that they include there"
            ))),
        }
    }

    /// The options, as on the command line.
    fn options(&self) -> Result<Vec<String>, Refusal> {
        let wrong = || Refusal::new("`options` must be a list of words, as on the command line");
        match self.asked.get("options") {
            None => Ok(Vec::new()),
            Some(list) => {
                let words = list.as_array().ok_or_else(wrong)?.iter();
                words.map(|word| word.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
        }
    }

    /// The arguments of `mazurka COMMAND NAME OPTIONS`.
    fn arguments(&self, command: &str) -> Result<Command, Refusal> {
        let words = ["mazurka".to_owned(), command.to_owned()].into_iter();
        let words = words.chain(self.options()?).chain(["--".to_owned(), self.name()?.to_owned()]);
        match Cli::try_parse_from(words) {
            Ok(cli) => Ok(cli.command),
            Err(error) => Err(Refusal::new(crate::cli::usage::line(&error))),
        }
    }

    /// The arguments of `check`. The page reads and writes no files.
    fn check(&self) -> Result<CheckArgs, Refusal> {
        let Command::Check(args) = self.arguments("check")? else {
            return Err(Refusal::new("options of `check` are expected"));
        };
        let out = &args.output;
        let files = [&out.report, &out.junit, &out.sarif, &out.certificate, &out.dot, &out.save_schedule];
        let others = [&args.checkpoint, &args.credentials];
        if files.into_iter().chain(others).any(|file| file.is_some()) || !args.program.with.is_empty() {
            return Err(Refusal::new("options that name files belong to the command line"));
        }
        if args.cluster.is_some() {
            return Err(Refusal::new(
                "`--cluster` belongs to the command line: the page asks this machine only",
            ));
        }
        if let Some(model) = &args.model {
            return Err(Refusal::new(format!(
                "the page shows interleavings only; the execution graphs of a memory model are shown by `mazurka check {} --model {model}`",
                args.program.program
            )));
        }
        if args.program.product.as_deref() == Some("all") {
            return Err(Refusal::new("the page checks one product at a time: `--product NAME`"));
        }
        Ok(*args)
    }

    /// The program that the arguments name, with the text that is being edited.
    fn session(&self, args: &crate::cli::ProgramArgs) -> Result<Session<'static>, Refusal> {
        match self.text()? {
            Some(text) => load_text(args, text.to_owned()),
            None if is_built_in(&args.program) => load(args),
            None => Err(Refusal::new(format!("the page has no text of `{}`", args.program))),
        }
    }
}

/// Whether the name stands for a program that is part of this tool.
fn is_built_in(name: &str) -> bool {
    crate::frontends::list::all().iter().any(|built_in| built_in.name == name)
}

/// JSON that a report wrote.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("reports write JSON")
}

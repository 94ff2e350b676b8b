//! ABS models: `*.abs`.

use super::{Known, arguments, read, refuse_others, wants_color};
use crate::cli::{AwaitArg, DeadlinesArg, DeadlockArg, DependencyArg, NamesArg, ProgramArgs};
use crate::output::print_error;
use crate::refusal::Refusal;
use crate::session::Session;
#[cfg(feature = "symbolic")]
use mazurka_abs::model::Opened;
use mazurka_abs::model::{Options, open_texts};
#[cfg(feature = "symbolic")]
use mazurka_abs::requires::Requirement;
use mazurka_abs::run::{AwaitSemantics, DeadlockPolicy, Naming, Settings};
use mazurka_abs::suites::{self, LIBRARY, SuiteTest};
use mazurka_core::Dependency;
use mazurka_diagnostics::{Diagnostics, SourceMap};
use mazurka_report::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// What ABS models know of the options of programs.
const KNOWN: [Known; 11] = [
    Known::Dependency,
    Known::Await,
    Known::Deadlines,
    Known::BlockedOnly,
    Known::Property,
    Known::Main,
    Known::Product,
    Known::With,
    Known::Names,
    Known::StepBudget,
    Known::Choices,
];

/// A model in a file.
pub fn file(path: &str, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    text(path, read(path)?, args, print_error)
}

/// A model that is not read from a file, or was read already; `warn` hears what there is to say about it.
pub fn text(path: &str, text: String, args: &ProgramArgs, warn: impl FnOnce(&str)) -> Result<Session<'static>, Refusal> {
    refuse_others("ABS models", args, &KNOWN)?;
    let mut sources = Vec::with_capacity(1 + args.with.len());
    for path in &args.with {
        sources.push(Source {
            name: path.clone(),
            text: read(path)?,
        });
    }
    sources.push(Source {
        name: path.to_owned(),
        text,
    });
    session(sources, options(args), args, warn)
}

/// A test of a suite.
pub fn suite_test(args: &ProgramArgs, test: &SuiteTest, library: bool) -> Result<Session<'static>, Refusal> {
    refuse_others("suites of ABS tests", args, &KNOWN)?;
    let mut sources = texts(&args.program, args)?;
    if library {
        let at = sources.len() - 1;
        sources.insert(
            at,
            Source {
                name: "<AbsUnit>".to_owned(),
                text: LIBRARY.to_owned(),
            },
        );
    }
    let options = options(args).block(test.module.as_str(), test.block.as_str());
    let mut session = session(sources, options, args, |_| {})?;
    session.name = format!("{}: {}", args.program, test.name());
    // A schedule file does not say which test it is of.
    session.replays = false;
    Ok(session)
}

/// The tests of the suites in a model, and whether they need the library of ABSUnit.
///
/// # Errors
/// It cannot be read or parsed.
pub fn suites(args: &ProgramArgs) -> Result<(Vec<SuiteTest>, bool), Refusal> {
    let mut map = SourceMap::new();
    let (mut trees, mut messages) = (Vec::new(), Diagnostics::new());
    for source in texts(&args.program, args)? {
        if !source.text.contains("[Suite]") && !source.text.contains("TestClass") && args.with.is_empty() {
            return Ok((Vec::new(), false));
        }
        let file = map.add(source.name, source.text).map_err(Refusal::new)?;
        let (tree, said) = mazurka_abs::parse(&map, file);
        trees.push(tree);
        messages.extend(said);
    }
    if messages.has_errors() {
        // Whoever opens the model says what is wrong.
        return Ok((Vec::new(), false));
    }
    Ok((suites::tests(&trees, &map), suites::needs_library(&trees)))
}

/// The model that these texts are.
fn session(mut sources: Vec<Source>, options: Options, args: &ProgramArgs, warn: impl FnOnce(&str)) -> Result<Session<'static>, Refusal> {
    let color = wants_color();
    let mut opened = match open_texts(sources.iter().map(|source| (&*source.name, &*source.text)), &options) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return Err(Refusal::diagnostics(diagnostics.render(&sources, color))),
    };
    let texts: Vec<(String, String)> = sources.iter().map(|source| (source.name.clone(), source.text.clone())).collect();
    let again = options.clone();
    let halt = Arc::<AtomicBool>::default();
    opened.machine.halt = Arc::clone(&halt);
    let halted = Arc::clone(&halt);
    let crew = opened.machine.crew(move || {
        let texts = texts.iter().map(|(name, text)| (&**name, &**text));
        let mut machine = open_texts(texts, &again).map_or_else(|_| unreachable!("it was opened before"), |opened| opened.machine);
        machine.halt = Arc::clone(&halted);
        machine
    });
    // The file that was named first is the one that people want to see.
    sources.rotate_right(1);
    if !opened.diagnostics.is_empty() {
        let rendered = opened.diagnostics.render(&opened.machine.sources, color);
        warn(&format!("{}\n", rendered.trim_end()));
    }
    let notes = opened.machine.await_note().into_iter().collect();
    Ok(Session {
        program: opened.machine.boxed(),
        name: args.program.clone(),
        arguments: arguments(args),
        sources,
        notes,
        unchecked: Vec::new(),
        checks: mazurka_core::Checks::Everything,
        dependency: options.settings.dependency.name(),
        deadlock_is_error: options.settings.deadlock != DeadlockPolicy::Ignore,
        preferred: PREFERRED,
        replays: true,
        crew: Some(crew),
        halt: Some(halt),
    })
}

/// The files of a model, the one that was named first last.
fn texts(path: &str, args: &ProgramArgs) -> Result<Vec<Source>, Refusal> {
    let paths = args.with.iter().map(String::as_str).chain([path]);
    paths
        .map(|path| {
            Ok(Source {
                name: path.to_owned(),
                text: read(path)?,
            })
        })
        .collect()
}

/// The products that a model names.
///
/// # Errors
/// It cannot be read or parsed.
pub fn products(args: &ProgramArgs) -> Result<Vec<String>, Refusal> {
    let mut sources = SourceMap::new();
    let (mut trees, mut messages) = (Vec::new(), Diagnostics::new());
    for source in texts(&args.program, args)? {
        let file = sources.add(source.name, source.text).map_err(Refusal::new)?;
        let (tree, said) = mazurka_abs::parse(&sources, file);
        trees.push(tree);
        messages.extend(said);
    }
    if messages.has_errors() {
        return Err(Refusal::diagnostics(messages.sorted().render(&sources, wants_color())));
    }
    Ok(mazurka_abs::products::names(&trees))
}

/// The model as it was opened, for those who do something else with it than search its main block; with a main block that does nothing if
/// `method` is what they are interested in.
#[cfg(feature = "symbolic")]
pub fn open(args: &ProgramArgs, method: bool, requires: Option<Requirement>, warn: impl FnOnce(&str)) -> Result<Opened, Refusal> {
    refuse_others("tests of ABS models", args, &KNOWN)?;
    let mut sources = texts(&args.program, args)?;
    let mut options = options(args).requires(requires);
    if method {
        sources.push(Source {
            name: "<no main block>".to_owned(),
            text: "module MazurkaTests; { }".to_owned(),
        });
        options = options.main("MazurkaTests".to_owned());
    }
    let opened = open_texts(sources.iter().map(|source| (&*source.name, &*source.text)), &options);
    let opened = opened.map_err(|(sources, diagnostics)| Refusal::diagnostics(diagnostics.render(&sources, wants_color())))?;
    if !opened.diagnostics.is_empty() {
        let rendered = opened.diagnostics.render(&opened.machine.sources, wants_color());
        warn(&format!("{}\n", rendered.trim_end()));
    }
    Ok(opened)
}

fn options(args: &ProgramArgs) -> Options {
    let settings = Settings {
        dependency: match args.dependency {
            Some(DependencyArg::Actor) => Dependency::Actor,
            Some(DependencyArg::Field) | None => Dependency::Field,
        },
        await_semantics: match args.await_ {
            Some(AwaitArg::Release) => AwaitSemantics::Release,
            Some(AwaitArg::Formal) => AwaitSemantics::Formal,
            None => AwaitSemantics::Release,
        },
        deadlock: match args.deadlock {
            Some(DeadlockArg::Ignore) => DeadlockPolicy::Ignore,
            Some(DeadlockArg::BlockedOnly) => DeadlockPolicy::BlockedOnly,
            Some(DeadlockArg::Error) | None => DeadlockPolicy::Error,
        },
        missed_deadlines: args.deadlines == Some(DeadlinesArg::Error),
        step_budget: args.step_budget.unwrap_or(Settings::default().step_budget),
        choices: args
            .choices
            .map_or(Settings::default().choices, |most| u32::try_from(most).unwrap_or(u32::MAX)),
        names: match args.names {
            Some(NamesArg::Forget) => Naming::Forget,
            Some(NamesArg::Grow) | None => Naming::Grow,
        },
    };
    Options::default()
        .settings(settings)
        .property(args.property.clone())
        .await_by_dialect(args.await_.is_none())
        .names_by_loops(args.names.is_none())
        .parameters(args.set.iter().map(|s| (s.name.clone(), s.value.clone())).collect())
        .main(args.main.clone())
        .product(args.product.clone())
}

//! Opening a model: from source files and options to a machine that can be searched.
//!
//! # Parameters of a model
//! A function without parameters is a parameter of the model: `def Int n() = 5;` can be given another value from outside, `n=7`. The value
//! is any pure expression of the function's type. The function is looked for in the module of the main block first, then in all others.

use crate::analyse::{self, parse};
use crate::checked::{CheckedModel, Expr, RightSideKind, StmtKind};
use crate::lower::{Request, lower, unchosen};
use crate::products;
use crate::requires::{self, Requirement};
use crate::run::naming::endless;
use crate::run::{AwaitSemantics, Machine, Naming, Settings};
use crate::syntax::ast;
use mazurka_diagnostics::{Diagnostic, Diagnostics, FileId, SourceMap};
use std::rc::Rc;

/// What is asked of a model.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// How it is run.
    pub settings: Settings,
    /// A `Bool` expression over the main block's variables that must hold at the end of every execution.
    pub property: Option<String>,
    /// Values for functions without parameters: name and expression.
    pub parameters: Vec<(String, String)>,
    /// The module whose main block is run; without it the last one is.
    pub main: Option<String>,
    /// The product of a product line; without it the program is taken without its deltas.
    pub product: Option<String>,
    /// Whether `await` goes on at once if its condition holds, whatever the settings say, in models of the dialect of 2014: the tools that
    /// they were written for did.
    pub await_by_dialect: bool,
    /// What is required of the state in which a method is called. It is no part of what is run, but can be found under
    /// [`requires::NAME`](crate::requires::NAME).
    pub requires: Option<Requirement>,
    /// A module and the text of a main block that is run instead of its own.
    pub block: Option<(String, String)>,
    /// Whether names are given again, whatever the settings say, in models that plainly go on for ever.
    pub names_by_loops: bool,
}

impl Options {
    /// Sets [`Options::settings`].
    #[must_use]
    pub fn settings(self, settings: Settings) -> Self {
        Options { settings, ..self }
    }

    /// Sets [`Options::property`].
    #[must_use]
    pub fn property(self, property: impl Into<Option<String>>) -> Self {
        Options {
            property: property.into(),
            ..self
        }
    }

    /// Sets [`Options::parameters`].
    #[must_use]
    pub fn parameters(self, parameters: Vec<(String, String)>) -> Self {
        Options { parameters, ..self }
    }

    /// Sets [`Options::product`].
    #[must_use]
    pub fn product(self, product: impl Into<Option<String>>) -> Self {
        Options {
            product: product.into(),
            ..self
        }
    }

    /// Sets [`Options::block`].
    #[must_use]
    pub fn block(self, module: impl Into<String>, text: impl Into<String>) -> Self {
        Options {
            main: None,
            block: Some((module.into(), text.into())),
            ..self
        }
    }

    /// Sets [`Options::requires`].
    #[must_use]
    pub fn requires(self, requires: impl Into<Option<Requirement>>) -> Self {
        Options {
            requires: requires.into(),
            ..self
        }
    }

    /// Sets [`Options::await_by_dialect`].
    #[must_use]
    pub fn await_by_dialect(self, await_by_dialect: bool) -> Self {
        Options { await_by_dialect, ..self }
    }

    /// Sets [`Options::names_by_loops`].
    #[must_use]
    pub fn names_by_loops(self, names_by_loops: bool) -> Self {
        Options { names_by_loops, ..self }
    }

    /// Sets [`Options::main`].
    #[must_use]
    pub fn main(self, main: impl Into<Option<String>>) -> Self {
        Options { main: main.into(), ..self }
    }
}

/// A model that can be run, with what there is to say about it.
#[derive(Debug)]
pub struct Opened {
    /// The model, ready to run.
    pub machine: Machine,
    /// Names and types, as the checker found them.
    pub model: CheckedModel,
    /// Warnings and notes.
    pub diagnostics: Diagnostics,
}

/// Opens the model that `files` of `sources` make together. What the options say is added to the sources, so that messages can point at it.
///
/// # Errors
/// All that is wrong with the model or with the options.
pub fn open(mut sources: SourceMap, files: &[FileId], options: &Options) -> Result<Opened, (SourceMap, Diagnostics)> {
    match build(&mut sources, files, options) {
        Ok((model, request, old, diagnostics)) => match lower(&model, &request) {
            Some(program) => {
                let wrong = unchosen(&program);
                if wrong.has_errors() {
                    return Err((sources, wrong.sorted()));
                }
                let mut settings = options.settings;
                if options.await_by_dialect && old {
                    settings.await_semantics = AwaitSemantics::Formal;
                }
                if options.names_by_loops && endless(&program) {
                    settings.names = Naming::Forget;
                }
                let machine = Machine::new(program, settings, Rc::new(sources), options.property.clone());
                Ok(Opened {
                    machine,
                    model,
                    diagnostics,
                })
            }
            None => {
                let diagnostics = no_main(&sources, files).into();
                Err((sources, diagnostics))
            }
        },
        Err(diagnostics) => Err((sources, diagnostics)),
    }
}

/// Opens a model given as one text.
///
/// # Errors
/// As [`open`].
pub fn open_text(name: &str, text: &str, options: &Options) -> Result<Opened, (SourceMap, Diagnostics)> {
    open_texts([(name, text)], options)
}

/// Opens a model given as several texts, each with the name of its file.
///
/// # Errors
/// As [`open`].
pub fn open_texts<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>, options: &Options) -> Result<Opened, (SourceMap, Diagnostics)> {
    let mut sources = SourceMap::new();
    let mut files = Vec::new();
    for (name, text) in texts {
        match sources.add(name, text) {
            Ok(file) => files.push(file),
            Err(too_large) => return Err((sources, Diagnostic::error("too-large", too_large.to_string()).into())),
        }
    }
    open(sources, &files, options)
}

fn no_main(sources: &SourceMap, files: &[FileId]) -> Diagnostic {
    let names: Vec<String> = files.iter().map(|&file| format!("`{}`", sources.file(file).name())).collect();
    let message = format!("there is no main block in {}: there is nothing to run", names.join(", "));
    Diagnostic::error("no-main-block", message).with_help("a main block is a block of statements at the end of a module: `{ … }`")
}

/// The model, what to lower of it, whether it is of the old dialect, and what there is to say.
type Built = (CheckedModel, Request, bool, Diagnostics);

fn build(sources: &mut SourceMap, files: &[FileId], options: &Options) -> Result<Built, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut trees = Vec::with_capacity(files.len());
    for &file in files {
        let (tree, messages) = parse(sources, file);
        trees.push(tree);
        diagnostics.extend(messages);
    }
    if diagnostics.has_errors() {
        return Err(diagnostics.sorted());
    }
    match &options.product {
        Some(product) => products::apply(&mut trees, product)?,
        None => core_note(&trees).into_iter().for_each(|note| diagnostics.push(note)),
    }
    if let Some((module, text)) = &options.block {
        set_main(sources, &mut trees, module, text)?;
    }
    let wanted = options.block.as_ref().map(|(module, _)| module).or(options.main.as_ref());
    let (main, note) = match choose_main(&trees, wanted.map(String::as_str))? {
        Some(chosen) => chosen,
        // What is wrong besides is worth knowing first.
        None => {
            analyse::check_trees(sources, &trees, diagnostics)?;
            return Err(no_main(sources, files).into());
        }
    };
    if let Some(note) = note {
        diagnostics.push(note);
    }
    for (name, value) in &options.parameters {
        set_parameter(sources, &mut trees, main, name, value)?;
    }
    if let Some(requirement) = &options.requires {
        let statement = expression(sources, "--requires".to_owned(), &requirement.text)?;
        requires::add(&mut trees, requirement, statement)?;
    }
    if let Some(property) = &options.property {
        add_property(sources, &mut trees, main, property)?;
    }
    let analysis = analyse::check_trees(sources, &trees, diagnostics)?;
    let mut model = analysis.model;
    let number = main_number(&trees, main);
    let property = match &options.property {
        Some(_) => take_property(&mut model, number),
        None => None,
    };
    let request = Request { main: number, property };
    let old = trees.iter().any(|tree| tree.dialect == ast::Dialect::Old);
    Ok((model, request, old, analysis.diagnostics))
}

/// Gives a module another main block.
fn set_main(sources: &mut SourceMap, trees: &mut [ast::File], module: &str, text: &str) -> Result<(), Diagnostics> {
    let file = sources
        .add("main block", format!("module Option;\n{text}"))
        .map_err(|too_large| Diagnostics::from(Diagnostic::error("too-large", too_large.to_string())))?;
    let (mut tree, messages) = parse(sources, file);
    if messages.has_errors() {
        return Err(messages.sorted());
    }
    let block = tree.modules.pop().and_then(|module| module.main);
    let mut modules = trees.iter_mut().flat_map(|file| &mut file.modules);
    match modules.find(|it| &*it.name.text == module) {
        Some(found) => found.main = block,
        None => return Err(Diagnostic::error("unknown-name", format!("there is no module `{module}`")).into()),
    }
    Ok(())
}

/// What there is to say if a product line is opened without a product.
fn core_note(trees: &[ast::File]) -> Option<Diagnostic> {
    let delta = trees.iter().find_map(|tree| tree.variants.deltas.first())?;
    let names = products::names(trees);
    let note = Diagnostic::note("no-product", "the program is taken without its deltas").label(delta.name.span, "not applied");
    Some(match names.is_empty() {
        true => note.with_note("no products are declared"),
        false => note.with_help(format!("`--product` chooses one of the products: {}", names.join(", "))),
    })
}

/// A main block's file and module, and what there is to say about the choice.
type Main = ((usize, usize), Option<Diagnostic>);

/// The main block to run, if there is one.
fn choose_main(trees: &[ast::File], wanted: Option<&str>) -> Result<Option<Main>, Diagnostics> {
    let mut mains = Vec::new();
    for (f, file) in trees.iter().enumerate() {
        for (m, module) in file.modules.iter().enumerate() {
            if let Some(block) = &module.main {
                mains.push((&*module.name.text, (f, m), block.span));
            }
        }
    }
    let names = || mains.iter().map(|(name, ..)| *name);
    match (wanted, mains.as_slice()) {
        (_, []) => Ok(None),
        (Some(wanted), _) => match mains.iter().find(|(name, ..)| *name == wanted) {
            Some((_, at, _)) => Ok(Some((*at, None))),
            None => {
                let list: Vec<String> = names().map(|name| format!("`{name}`")).collect();
                Err(
                    Diagnostic::error("no-main-block", format!("no module `{wanted}` with a main block"))
                        .did_you_mean(wanted, names())
                        .with_note(format!("these modules have one: {}", list.join(", ")))
                        .into(),
                )
            }
        },
        (None, [(_, at, _)]) => Ok(Some((*at, None))),
        // As the reference does, the last one wins: files are given with the program last.
        (None, [others @ .., (name, at, span)]) => {
            let list: Vec<String> = others.iter().map(|(name, ..)| format!("`{name}`")).collect();
            let note = Diagnostic::note("several-main-blocks", format!("the main block of module `{name}` is run"))
                .label(*span, "this one")
                .with_note(format!("other modules have one too: {}; `--main` chooses", list.join(", ")));
            Ok(Some((*at, Some(note))))
        }
    }
}

/// Which of the model's main blocks the module's is.
fn main_number(trees: &[ast::File], (file, module): (usize, usize)) -> usize {
    let before: usize = trees[..file]
        .iter()
        .map(|f| f.modules.iter().filter(|m| m.main.is_some()).count())
        .sum();
    before + trees[file].modules[..module].iter().filter(|m| m.main.is_some()).count()
}

/// Parses an expression that does not stand in a file, by putting it into a main block of its own.
fn expression(sources: &mut SourceMap, name: String, text: &str) -> Result<ast::Stmt, Diagnostics> {
    let wrapped = format!("module Option; {{ Bool holds =\n{text}\n; }}");
    let file = sources
        .add(name, wrapped)
        .map_err(|too_large| Diagnostics::from(Diagnostic::error("too-large", too_large.to_string())))?;
    let (mut tree, messages) = parse(sources, file);
    if messages.has_errors() {
        return Err(messages.sorted());
    }
    let statement = tree.modules.pop().and_then(|m| m.main).and_then(|mut block| {
        let only = block.stmts.pop()?;
        block.stmts.is_empty().then_some(only)
    });
    match statement {
        Some(statement) if matches!(statement.kind, ast::StmtKind::Declare(_, _, Some(_))) => Ok(statement),
        _ => Err(Diagnostic::error("not-an-expression", format!("`{text}` is not one expression")).into()),
    }
}

fn set_parameter(
    sources: &mut SourceMap,
    trees: &mut [ast::File],
    main: (usize, usize),
    name: &str,
    value: &str,
) -> Result<(), Diagnostics> {
    let statement = expression(sources, format!("--set {name}"), value)?;
    let ast::StmtKind::Declare(_, _, Some(value)) = statement.kind else {
        return Ok(());
    };
    let mut candidates: Vec<&mut ast::FunctionDecl> = Vec::new();
    for (f, file) in trees.iter_mut().enumerate() {
        for (m, module) in file.modules.iter_mut().enumerate() {
            let named = parameters(&mut module.decls).filter(|f| &*f.name.text == name);
            if (f, m) == main {
                candidates.splice(0..0, named);
            } else {
                candidates.extend(named);
            }
        }
    }
    if let Some(function) = candidates.into_iter().next() {
        function.body = ast::FunctionBody::Expr(value);
        return Ok(());
    }
    let known: Vec<String> = trees
        .iter_mut()
        .flat_map(|f| &mut f.modules)
        .flat_map(|m| parameters(&mut m.decls))
        .map(|f| f.name.text.to_string())
        .collect();
    let help = if known.is_empty() {
        "the model has no parameters: a parameter is a function without parameters, such as `def Int n() = 5;`".to_owned()
    } else {
        format!("the parameters are the functions without parameters: {}", known.join(", "))
    };
    Err(
        Diagnostic::error("unknown-parameter", format!("the model has no parameter `{name}`"))
            .did_you_mean(name, known.iter().map(String::as_str))
            .with_help(help)
            .into(),
    )
}

/// The functions without parameters.
fn parameters(decls: &mut [ast::Decl]) -> impl Iterator<Item = &mut ast::FunctionDecl> {
    decls.iter_mut().filter_map(|decl| match &mut decl.kind {
        ast::DeclKind::Function(f) if f.params.is_empty() && f.functions.is_none() && f.type_params.is_empty() => Some(f),
        _ => None,
    })
}

/// Puts the property at the end of the main block, so that it is checked where all the variables are known.
fn add_property(sources: &mut SourceMap, trees: &mut [ast::File], (file, module): (usize, usize), text: &str) -> Result<(), Diagnostics> {
    let mut statement = expression(sources, "--property".to_owned(), text)?;
    if let ast::StmtKind::Declare(_, name, _) = &mut statement.kind {
        // No variable of the model can have this name.
        name.text = PROPERTY.into();
    }
    if let Some(main) = &mut trees[file].modules[module].main {
        main.stmts.push(statement);
    }
    Ok(())
}

const PROPERTY: &str = "%property";

/// Takes the checked property out of the main block again.
fn take_property(model: &mut CheckedModel, main: usize) -> Option<Expr> {
    let main = model.mains.get_mut(main)?;
    let statement = main.code.stmts.pop()?;
    main.visible.retain(|local| &*main.body.locals[local.index()].name != PROPERTY);
    match statement.kind {
        StmtKind::Declare(_, Some(value)) => match value.kind {
            RightSideKind::Pure(e) => Some(e),
            _ => None,
        },
        _ => None,
    }
}

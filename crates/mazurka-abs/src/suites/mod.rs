//! ABSUnit suites: the tests that a model has, and a main block for each.
//!
//! A `[Fixture]` interface names the tests (`[Test]`), a `[Suite]` class that implements it has their code. `[Before]` and `[After]` methods run around
//! each test, a test with a parameter runs for every element that the `[DataPoint]` method of its fixture returns, `[Ignored]` ones do not run.

use crate::syntax::ast::{Annotation, ClassDecl, DeclKind, File, InterfaceDecl, MethodSig, Module};
use mazurka_diagnostics::SourceMap;

/// The assertion library, for models that import it and do not bring it.
pub const LIBRARY: &str = include_str!("absunit.abs");

/// The module that the library is.
const MODULE: &str = "AbsUnit";

/// A test of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteTest {
    /// The module of the suite.
    pub module: String,
    /// The class.
    pub suite: String,
    /// The test method.
    pub method: String,
    /// Whether it is not to be run.
    pub ignored: bool,
    /// The main block that runs it.
    pub block: String,
}

impl SuiteTest {
    /// `Suite.method`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.suite, self.method)
    }
}

fn has(annotations: &[Annotation], words: &[&str]) -> bool {
    annotations
        .iter()
        .any(|annotation| annotation.word().is_some_and(|word| words.contains(&word)))
}

/// Whether the files need [`LIBRARY`].
pub fn needs_library(files: &[File]) -> bool {
    let modules = || files.iter().flat_map(|file| &file.modules);
    let brings = modules().any(|module| &*module.name.text == MODULE);
    !brings && !find_suites(files).is_empty()
}

fn find_suites(files: &[File]) -> Vec<(&Module, &ClassDecl)> {
    let modules = files.iter().flat_map(|file| &file.modules);
    let all = modules.flat_map(|module| module.decls.iter().map(move |decl| (module, decl)));
    let suites = all.filter(|(_, decl)| has(&decl.annotations, &["Suite", "TestClassImpl"]));
    suites
        .filter_map(|(module, decl)| match &decl.kind {
            DeclKind::Class(class) => Some((module, class)),
            _ => None,
        })
        .collect()
}

/// The tests of all suites, in the order of the text.
pub fn tests(files: &[File], sources: &SourceMap) -> Vec<SuiteTest> {
    let mut found = Vec::new();
    for (module, class) in find_suites(files) {
        for fixture in fixtures(files, class) {
            found.extend(of_fixture(module, class, fixture, sources));
        }
    }
    found
}

fn fixtures<'f>(files: &'f [File], class: &'f ClassDecl) -> impl Iterator<Item = &'f InterfaceDecl> {
    let decls = files.iter().flat_map(|file| &file.modules).flat_map(|module| &module.decls);
    let fixtures = decls.filter(|decl| has(&decl.annotations, &["Fixture", "TestClass"]));
    fixtures.filter_map(move |decl| match &decl.kind {
        DeclKind::Interface(interface) if class.implements.iter().any(|name| name.name == interface.name.text) => Some(interface),
        _ => None,
    })
}

fn of_fixture(module: &Module, class: &ClassDecl, fixture: &InterfaceDecl, sources: &SourceMap) -> Vec<SuiteTest> {
    let marked = |word: &str| -> Vec<&MethodSig> {
        let is = |method: &&MethodSig| has(&method.annotations, &[word]);
        fixture.methods.iter().filter(is).collect()
    };
    let calls = |methods: &[&MethodSig]| -> String { methods.iter().map(|method| format!("suite.{}(); ", method.name.text)).collect() };
    let (before, after, data) = (calls(&marked("Before")), calls(&marked("After")), marked("DataPoint"));
    let test = |method: &MethodSig| {
        let name = &method.name.text;
        let call = match (method.params.as_slice(), data.first()) {
            ([], _) | (_, None) => format!("{before}Fut<Unit> ended = suite!{name}(); ended.get; {after}"),
            ([_, ..], Some(points)) => {
                let ty = sources.text(points.result.span);
                format!(
                    "{ty} points = suite.{}(); foreach (point in elements(points)) {{ {before}Fut<Unit> ended = suite!{name}(point); ended.get; {after}}}",
                    points.name.text
                )
            }
        };
        SuiteTest {
            module: module.name.text.to_string(),
            suite: class.name.text.to_string(),
            method: name.to_string(),
            ignored: has(&method.annotations, &["Ignored"]),
            block: format!("{{ {} suite = new {}(); {call} }}", fixture.name.text, class.name.text),
        }
    };
    marked("Test").into_iter().map(test).collect()
}

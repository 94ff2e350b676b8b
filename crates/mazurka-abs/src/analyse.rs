//! The front door: from source files to a checked model.

use mazurka_diagnostics::{Diagnostic, Diagnostics, FileId, SourceMap};

use crate::check;
use crate::checked::CheckedModel;
use crate::stdlib;
use crate::syntax::{ast, parse_file};

/// A model that can be used, with what there is to say about it.
#[derive(Debug)]
pub struct Analysis {
    /// The model.
    pub model: CheckedModel,
    /// Warnings and notes.
    pub diagnostics: Diagnostics,
}

/// Parses one file. The tree covers all that could be understood, whatever the messages say.
#[must_use]
pub fn parse(sources: &SourceMap, file: FileId) -> (ast::File, Diagnostics) {
    let file = sources.file(file);
    on_a_large_stack(|| parse_file(file.text(), file.span().start))
}

/// Parses and checks files that together make a model. The standard library joins `sources`, so that positions in it can be shown.
///
/// # Errors
/// All that is wrong with the model, with warnings and notes in between, in the order of the text. A file that cannot be parsed is not
/// checked further: what follows from a syntax error would only distract.
pub fn analyse(sources: &mut SourceMap, files: &[FileId]) -> Result<Analysis, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut parsed = Vec::with_capacity(files.len());
    for &file in files {
        let (tree, messages) = parse(sources, file);
        parsed.push(tree);
        diagnostics.extend(messages);
    }
    if diagnostics.has_errors() {
        return Err(diagnostics.sorted());
    }
    check_trees(sources, &parsed, diagnostics)
}

/// Checks parsed files that together make a model; `diagnostics` is what parsing had to say.
///
/// # Errors
/// As [`analyse`].
pub(crate) fn check_trees(sources: &mut SourceMap, parsed: &[ast::File], mut diagnostics: Diagnostics) -> Result<Analysis, Diagnostics> {
    let library = match sources.add(stdlib::NAME, stdlib::text()) {
        Ok(library) => library,
        Err(too_large) => return Err(Diagnostic::error("too-large", too_large.to_string()).into()),
    };
    let (library, messages) = parse(sources, library);
    diagnostics.extend(messages);
    let (model, messages) = on_a_large_stack(|| check::check(&library, parsed));
    diagnostics.extend(messages);
    let diagnostics = diagnostics.sorted();
    if diagnostics.has_errors() {
        Err(diagnostics)
    } else {
        Ok(Analysis { model, diagnostics })
    }
}

/// Parsing and checking recurse as deeply as the text nests. The parser bounds that, but the caller's stack may be a small one.
const STACK: usize = 64 << 20;

/// Runs `work` on a thread with a large stack, or right here when there can be no thread.
fn on_a_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let result = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, &work)
            .ok()
            .map(std::thread::ScopedJoinHandle::join)
    });
    match result {
        None => work(),
        Some(Ok(value)) => value,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
    }
}

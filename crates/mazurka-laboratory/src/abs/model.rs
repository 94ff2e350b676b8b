//! A checked model, from which both the reference and the machine of the searches are made.

use super::reference::{Truth, World};
use mazurka_abs::analyse;
use mazurka_abs::checked::CheckedModel;
use mazurka_abs::lower::{Request, lower};
use mazurka_abs::run::{AwaitSemantics, Machine, Settings};
use mazurka_abs::syntax::ast;
use mazurka_diagnostics::{SourceMap, Span};
use std::rc::Rc;

/// A model free of errors.
#[derive(Debug)]
pub struct Model {
    sources: Rc<SourceMap>,
    tree: ast::File,
    checked: CheckedModel,
}

impl Model {
    /// Parses and checks a model in one file.
    ///
    /// # Errors
    /// What is wrong with it, as a text.
    pub fn parse(text: &str) -> Result<Model, String> {
        let mut sources = SourceMap::new();
        let file = sources.add("model.abs", text).map_err(|e| e.to_string())?;
        let (tree, _) = mazurka_abs::parse(&sources, file);
        match analyse(&mut sources, &[file]) {
            Ok(analysis) => Ok(Model {
                sources: Rc::new(sources),
                tree,
                checked: analysis.model,
            }),
            Err(diagnostics) => Err(diagnostics.render(&sources, false)),
        }
    }

    /// The whole text.
    pub(super) fn whole_text(&self) -> String {
        self.sources
            .files()
            .next()
            .map_or(String::new(), |(_, file)| file.text().to_string())
    }

    /// The syntax tree.
    pub fn tree(&self) -> &ast::File {
        &self.tree
    }

    /// Where the text starts in the spans of the tree.
    pub(super) fn start(&self) -> u32 {
        self.sources.files().next().map_or(0, |(_, file)| file.span().start)
    }

    /// A piece of the text.
    pub(super) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// The piece with all up to the semicolon that ends it.
    pub(super) fn with_semicolon(&self, span: Span) -> Span {
        let rest = self.sources.files().next().map_or("", |(_, file)| {
            file.text().get((span.end - file.span().start) as usize..).unwrap_or_default()
        });
        let more = rest.find(';').map_or(0, |at| at as u32 + 1);
        let own = self.text(span).ends_with(';');
        Span {
            end: if own { span.end } else { span.end + more },
            ..span
        }
    }

    /// What the searches run. `None` without a main block.
    pub fn machine(&self, settings: Settings) -> Option<Machine> {
        let program = lower(&self.checked, &Request::default())?;
        Some(Machine::new(program, settings, self.sources.clone(), None))
    }

    /// What there is to find, according to the reference.
    ///
    /// # Errors
    /// As [`World::explore`].
    pub fn truth(&self, await_semantics: AwaitSemantics, most: usize) -> Result<Truth, &'static str> {
        let world = World {
            model: &self.checked,
            sources: &self.sources,
            await_semantics,
            tells_time: lower(&self.checked, &Request::default()).is_some_and(|program| program.timed && program.reads_clock),
        };
        world.explore(most)
    }
}

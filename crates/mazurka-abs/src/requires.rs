//! What is required of the state in which a method is called: an expression over its parameters and the fields of its class, put into the class as a
//! method of its own, so that it is checked and lowered like everything else.

use crate::syntax::ast;
use mazurka_diagnostics::{Diagnostic, Diagnostics};

/// The name of the method; no method of a model can have it.
pub const NAME: &str = "requires%";

/// What is required of calls of a method.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The method: `Class.method` or `Module.Class.method`.
    pub method: String,
    /// The expression.
    pub text: String,
}

/// Puts the requirement, whose parsed form is `statement` (`Bool holds = …;`), into the class of the method.
///
/// # Errors
/// There is no such method. Whoever looks for it later says so better.
pub fn add(trees: &mut [ast::File], requirement: &Requirement, statement: ast::Stmt) -> Result<(), Diagnostics> {
    let ast::StmtKind::Declare(ty, _, Some(value)) = statement.kind else {
        return Ok(());
    };
    let (class, method) = requirement.method.rsplit_once('.').unwrap_or(("", &requirement.method));
    let (module, class) = class
        .rsplit_once('.')
        .map_or((None, class), |(module, class)| (Some(module), class));
    let modules = trees.iter_mut().flat_map(|file| &mut file.modules);
    let modules = modules.filter(|it| module.is_none_or(|module| &*it.name.text == module));
    let mut classes = modules
        .flat_map(|module| &mut module.decls)
        .filter_map(|decl| match &mut decl.kind {
            ast::DeclKind::Class(it) if &*it.name.text == class => Some(it),
            _ => None,
        });
    let found = classes.find_map(|class| {
        let of = class.methods.iter().find(|it| &*it.sig.name.text == method)?.clone();
        Some((class, of))
    });
    let Some((class, mut copy)) = found else {
        return Err(Diagnostic::error(
            "unknown-method",
            format!("there is no method `{}` that something could be required of", requirement.method),
        )
        .into());
    };
    copy.sig.name.text = NAME.into();
    copy.sig.result = ty;
    copy.sig.annotations.clear();
    copy.body.stmts = vec![ast::Stmt {
        annotations: Vec::new(),
        kind: ast::StmtKind::Return(value),
        span: statement.span,
    }];
    class.methods.push(copy);
    Ok(())
}

//! Modules: header, exports, imports, declarations, main block.

use mazurka_diagnostics::Diagnostic;

use super::super::ast::{Export, Import, Module, Name, Variants};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// All modules of the file, and what it says about products.
    pub(super) fn modules(&mut self) -> (Vec<Module>, Variants) {
        let mut modules = Vec::new();
        let mut variants = Variants::default();
        while !self.at_end() {
            let before = self.at;
            if self.variant(&mut variants) || self.skip_product_line() {
                continue;
            }
            modules.push(self.module());
            if self.at == before {
                self.bump();
            }
        }
        (modules, variants)
    }

    fn module(&mut self) -> Module {
        let start = self.span();
        let name = match self.module_header() {
            Ok(name) => name,
            Err(_) => {
                self.skip_to_declaration();
                Name {
                    text: "?".into(),
                    span: start,
                }
            }
        };
        let mut module = Module {
            name,
            ..Module::empty(start)
        };
        while !self.at_end() && self.word() != "module" && !self.product_line_starts() {
            let before = self.at;
            if self.module_item(&mut module).is_err() {
                self.skip_to_declaration();
                if self.at == before {
                    self.bump();
                    self.skip_to_declaration();
                }
            }
        }
        module.span = self.since(start);
        module
    }

    fn product_line_starts(&self) -> bool {
        matches!(
            self.word(),
            "delta" | "productline" | "product" | "root" | "extension" | "stateupdate" | "update" | "objectupdate"
        ) || (self.word() == "features" && self.kind_ahead(1) == TokenKind::TypeIdent)
    }

    fn module_header(&mut self) -> Parse<Name> {
        if self.word() != "module" {
            return Err(self.unexpected_with_help("`module`", "every file starts with `module Name;`"));
        }
        self.bump();
        let name = self.module_name()?;
        self.semicolon()?;
        Ok(name)
    }

    pub(super) fn module_item(&mut self, module: &mut Module) -> Parse<()> {
        let start = self.span();
        match self.word() {
            "export" => {
                self.bump();
                let names = self.names_or_star()?;
                let from = if self.eat_word("from") { Some(self.module_name()?) } else { None };
                self.semicolon()?;
                module.exports.push(Export {
                    names,
                    from,
                    span: self.since(start),
                });
            }
            "import" => {
                self.bump();
                let names = self.names_or_star()?;
                let from = if self.eat_word("from") { Some(self.module_name()?) } else { None };
                if names.is_none() && from.is_none() {
                    return Err(self.unexpected_with_help("`from`", "write `import * from Module;`"));
                }
                self.semicolon()?;
                module.imports.push(Import {
                    names,
                    from,
                    span: self.since(start),
                });
            }
            _ => {
                let annotations = self.annotations()?;
                if self.word() == "base" && matches!(self.word_ahead(1), "class" | "interface") {
                    let span = self.bump().span;
                    self.unsupported("product lines inside a module (`base`)", span);
                }
                if self.kind() != TokenKind::LeftBrace {
                    let decl = self.decl(annotations, start)?;
                    module.decls.push(decl);
                    return Ok(());
                }
                let block = self.block()?;
                if let Some(first) = &module.main {
                    let diagnostic = Diagnostic::error("two-main-blocks", format!("module {} has two main blocks", module.name.text))
                        .label(block.span, "the second")
                        .label(first.span, "the first");
                    self.diagnostics.push(diagnostic);
                }
                module.main = Some(block);
            }
        }
        Ok(())
    }

    fn names_or_star(&mut self) -> Parse<Option<Vec<super::super::ast::QName>>> {
        if self.eat(TokenKind::Star) {
            return Ok(None);
        }
        let mut names = vec![self.qualified_any_name("a name or `*`")?];
        while self.eat(TokenKind::Comma) {
            names.push(self.qualified_any_name("a name")?);
        }
        Ok(Some(names))
    }

    /// After an error: goes to the next place where a declaration may start. Braces are skipped in pairs, but words that are reserved for
    /// declarations stop at any depth: after a missing brace they are the best guess.
    pub(super) fn skip_to_declaration(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                _ if self.declaration_keyword() => return,
                TokenKind::Ident
                    if depth == 0
                        && matches!(
                            self.word(),
                            "type" | "exception" | "trait" | "delta" | "productline" | "product" | "root"
                        )
                        && self.kind_ahead(1) == TokenKind::TypeIdent =>
                {
                    return;
                }
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }
}

//! Product lines: deltas, configurations, products. Feature models are read over.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::super::ast::{
    ClassModifier, Decl, Delta, DeltaClause, Feature, FieldDecl, InterfaceModifier, Kind, Method, Modifier, ModifierKind, Module, Product,
    ProductExpr, ProductLine, QName, Variants,
};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// If a delta, product line, product or feature model starts here: reads it.
    pub(super) fn variant(&mut self, variants: &mut Variants) -> bool {
        if self.kind_ahead(1) != TokenKind::TypeIdent {
            return false;
        }
        let start = self.span();
        let read = match self.word() {
            "delta" => self.delta().map(|delta| variants.deltas.push(delta)),
            "productline" => self.product_line().map(|line| variants.lines.push(line)),
            "product" => self.product().map(|product| variants.products.push(product)),
            "root" | "extension" => self.feature_model().map(|()| {
                let span = self.since(start);
                variants.feature_model.get_or_insert(span);
            }),
            _ => return false,
        };
        if read.is_err() {
            while !self.at_end() && !self.module_ahead() && !self.variant_ahead() {
                self.bump();
            }
        }
        true
    }

    pub(super) fn variant_ahead(&self) -> bool {
        matches!(self.word(), "delta" | "productline" | "product" | "root" | "extension") && self.kind_ahead(1) == TokenKind::TypeIdent
    }

    fn delta(&mut self) -> Parse<Delta> {
        self.bump();
        let name = self.type_ident("the name of a delta")?;
        let mut params = Vec::new();
        if self.kind() == TokenKind::LeftParen {
            let open = self.bump().span;
            params = self.comma_list(TokenKind::RightParen, |p| {
                Ok((p.plain_type()?, p.ident("the name of a parameter")?))
            })?;
            self.close(TokenKind::RightParen, open)?;
        }
        self.semicolon()?;
        let mut uses = None;
        if self.eat_word("uses") {
            uses = Some(self.module_name()?);
            self.semicolon()?;
        }
        let mut modifiers = Vec::new();
        while matches!(self.word(), "adds" | "modifies" | "removes") {
            let start = self.span();
            let kind = self.modifier()?;
            modifiers.push(Modifier {
                kind,
                span: self.since(start),
            });
        }
        if !self.at_end() && !self.module_ahead() && !self.variant_ahead() {
            return Err(self.unexpected("`adds`, `modifies`, `removes`, or the end of the delta"));
        }
        Ok(Delta {
            name,
            params,
            uses,
            modifiers,
        })
    }

    fn modifier(&mut self) -> Parse<ModifierKind> {
        let what = self.word();
        self.bump();
        match (what, self.word()) {
            ("removes", "class") => Ok(ModifierKind::Remove(Kind::Class, self.removed("the name of a class")?)),
            ("removes", "interface") => Ok(ModifierKind::Remove(Kind::Interface, self.removed("the name of an interface")?)),
            ("modifies", "class") => self.modified_class(),
            ("modifies", "interface") => self.modified_interface(),
            ("modifies", "data" | "type") => {
                let (module, decl) = self.changed_decl()?;
                Ok(ModifierKind::Replace(module, Box::new(decl)))
            }
            ("adds", "import" | "export") => {
                let mut module = Module::empty(self.span());
                self.module_item(&mut module)?;
                Ok(match (module.imports.pop(), module.exports.pop()) {
                    (Some(import), _) => ModifierKind::Import(import),
                    (None, Some(export)) => ModifierKind::Export(export),
                    (None, None) => return Err(self.unexpected("an import or export")),
                })
            }
            ("adds", _) => {
                let (module, decl) = self.changed_decl()?;
                Ok(ModifierKind::Add(module, Box::new(decl)))
            }
            _ => Err(self.unexpected("`class` or `interface`")),
        }
    }

    /// A declaration whose name may say to which module it belongs.
    fn changed_decl(&mut self) -> Parse<(Option<Arc<str>>, Decl)> {
        let start = self.span();
        let annotations = self.annotations()?;
        let named = matches!(self.word(), "class" | "interface" | "data" | "type");
        let module = if named { self.skip_module_of_name() } else { None };
        Ok((module, self.decl(annotations, start)?))
    }

    /// Takes `M.` out of `class M.C`, so that the rest is an ordinary declaration.
    fn skip_module_of_name(&mut self) -> Option<Arc<str>> {
        let first = self.at + 1;
        let mut end = first;
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        while kind(end) == Some(TokenKind::TypeIdent)
            && kind(end + 1) == Some(TokenKind::Dot)
            && kind(end + 2) == Some(TokenKind::TypeIdent)
        {
            end += 2;
        }
        if end == first {
            return None;
        }
        let module = self.text_at(Span::new(self.tokens[first].span.start, self.tokens[end - 2].span.end));
        let module: Arc<str> = module.split_whitespace().collect::<String>().into();
        self.tokens.drain(first..end);
        Some(module)
    }

    fn removed(&mut self, what: &str) -> Parse<QName> {
        self.bump();
        let name = self.qualified_type_name(what)?;
        self.semicolon()?;
        Ok(name)
    }

    fn modified_class(&mut self) -> Parse<ModifierKind> {
        self.bump();
        let name = self.qualified_type_name("the name of a class")?;
        let mut modifiers = Vec::new();
        loop {
            let add = match self.word() {
                "adds" => ClassModifier::AddInterface as fn(QName) -> ClassModifier,
                "removes" => ClassModifier::RemoveInterface,
                _ => break,
            };
            self.bump();
            modifiers.push(add(self.qualified_type_name("the name of an interface")?));
            while self.eat(TokenKind::Comma) {
                modifiers.push(add(self.qualified_type_name("the name of an interface")?));
            }
        }
        let open = self.want(TokenKind::LeftBrace)?.span;
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            match self.class_modifier() {
                Ok(modifier) => modifiers.push(modifier),
                Err(_) => self.skip_item(),
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        self.eat(TokenKind::Semicolon);
        Ok(ModifierKind::Class(name, modifiers))
    }

    fn class_modifier(&mut self) -> Parse<ClassModifier> {
        let what = self.word();
        match what {
            "adds" | "modifies" | "removes" => self.bump(),
            _ => return Err(self.unexpected("`adds`, `modifies`, `removes` or `}`")),
        };
        if self.method_ahead() || self.kind() == TokenKind::LeftBracket {
            return match what {
                "removes" => {
                    let sig = self.method_sig()?;
                    self.semicolon()?;
                    Ok(ClassModifier::RemoveMethod(sig))
                }
                "adds" => Ok(ClassModifier::AddMethod(self.changed_method()?)),
                _ => Ok(ClassModifier::ModifyMethod(self.changed_method()?)),
            };
        }
        if what == "modifies" {
            return Err(self.unexpected("a method: fields can be removed and added"));
        }
        let ty = self.plain_type()?;
        let name = self.ident("the name of a field or method")?;
        let init = if self.eat(TokenKind::Assign) { Some(self.expr()?) } else { None };
        self.semicolon()?;
        if what == "removes" {
            return Ok(ClassModifier::RemoveField(name));
        }
        Ok(ClassModifier::AddField(FieldDecl {
            annotations: Vec::new(),
            ty,
            name,
            init,
        }))
    }

    fn changed_method(&mut self) -> Parse<Method> {
        let method = self.method()?;
        self.eat(TokenKind::Semicolon);
        Ok(method)
    }

    fn modified_interface(&mut self) -> Parse<ModifierKind> {
        self.bump();
        let name = self.qualified_type_name("the name of an interface")?;
        let open = self.want(TokenKind::LeftBrace)?.span;
        let mut modifiers = Vec::new();
        while self.kind() != TokenKind::RightBrace && !self.at_end() {
            let add = match self.word() {
                "adds" => InterfaceModifier::Add as fn(_) -> InterfaceModifier,
                "removes" => InterfaceModifier::Remove,
                _ => return Err(self.unexpected("`adds`, `removes` or `}`")),
            };
            self.bump();
            modifiers.push(add(self.method_sig()?));
            self.semicolon()?;
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(ModifierKind::Interface(name, modifiers))
    }

    fn product_line(&mut self) -> Parse<ProductLine> {
        self.bump();
        let name = self.type_ident("the name of a product line")?;
        self.semicolon()?;
        let mut features = Vec::new();
        self.want_word("features")?;
        loop {
            features.push(self.type_ident("the name of a feature")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.semicolon()?;
        let mut clauses = Vec::new();
        // A delta itself looks the same as a clause without anything: but what comes next is then a change.
        while self.word() == "delta" && !self.delta_ahead() {
            clauses.push(self.delta_clause()?);
        }
        Ok(ProductLine { name, features, clauses })
    }

    /// Whether what starts here is a delta and not a clause of a product line.
    fn delta_ahead(&self) -> bool {
        let mut n = 0;
        while !matches!(self.kind_ahead(n), TokenKind::Semicolon | TokenKind::End) {
            n += 1;
        }
        matches!(self.word_ahead(n + 1), "uses" | "adds" | "modifies" | "removes")
    }

    fn delta_clause(&mut self) -> Parse<DeltaClause> {
        self.bump();
        let delta = self.type_ident("the name of a delta")?;
        let mut args = Vec::new();
        if self.kind() == TokenKind::LeftParen {
            let open = self.bump().span;
            args = self.comma_list(TokenKind::RightParen, Self::expr)?;
            self.close(TokenKind::RightParen, open)?;
        }
        let (mut after, mut when) = (Vec::new(), None);
        loop {
            if self.eat_word("after") {
                after.push(self.type_ident("the name of a delta")?);
                while self.eat(TokenKind::Comma) {
                    after.push(self.type_ident("the name of a delta")?);
                }
            } else if self.eat_word("when") {
                when = Some(self.expr()?);
            } else {
                break;
            }
        }
        self.semicolon()?;
        Ok(DeltaClause { delta, args, after, when })
    }

    fn product(&mut self) -> Parse<Product> {
        self.bump();
        let name = self.type_ident("the name of a product")?;
        let expr = if self.eat(TokenKind::Assign) {
            self.product_expr()?
        } else {
            let open = self.want(TokenKind::LeftParen)?.span;
            let features = self.comma_list(TokenKind::RightParen, Self::feature)?;
            self.close(TokenKind::RightParen, open)?;
            ProductExpr::Features(features)
        };
        self.semicolon()?;
        Ok(Product { name, expr })
    }

    /// From left to right; `&&` binds tighter than `||` and `-`.
    fn product_expr(&mut self) -> Parse<ProductExpr> {
        let mut left = self.product_term()?;
        loop {
            let join = match self.kind() {
                TokenKind::OrOr => ProductExpr::Or as fn(_, _) -> ProductExpr,
                TokenKind::Minus => ProductExpr::Minus,
                _ => return Ok(left),
            };
            self.bump();
            left = join(Box::new(left), Box::new(self.product_term()?));
        }
    }

    fn product_term(&mut self) -> Parse<ProductExpr> {
        let mut left = self.product_factor()?;
        while self.eat(TokenKind::AndAnd) {
            left = ProductExpr::And(Box::new(left), Box::new(self.product_factor()?));
        }
        Ok(left)
    }

    fn product_factor(&mut self) -> Parse<ProductExpr> {
        let end = match self.kind() {
            TokenKind::LeftBrace => TokenKind::RightBrace,
            TokenKind::LeftParen => TokenKind::RightParen,
            _ => return Ok(ProductExpr::Product(self.type_ident("a product or `{`")?)),
        };
        let open = self.bump().span;
        let inner = if end == TokenKind::RightBrace {
            ProductExpr::Features(self.comma_list(end, Self::feature)?)
        } else {
            self.nested(Self::product_expr)?
        };
        self.close(end, open)?;
        Ok(inner)
    }

    fn feature(&mut self) -> Parse<Feature> {
        let name = self.type_ident("the name of a feature")?;
        let mut attributes = Vec::new();
        if self.kind() == TokenKind::LeftBrace {
            let open = self.bump().span;
            attributes = self.comma_list(TokenKind::RightBrace, |p| {
                let name = p.ident("the name of an attribute")?;
                p.want(TokenKind::Assign)?;
                Ok((name, p.expr()?))
            })?;
            self.close(TokenKind::RightBrace, open)?;
        }
        Ok(Feature { name, attributes })
    }

    /// `root F { … }` and `extension F { … }`, up to the closing brace.
    fn feature_model(&mut self) -> Parse<()> {
        self.bump();
        self.bump();
        let mut depth = 0_u32;
        while self.kind() == TokenKind::LeftBrace || depth > 0 {
            match self.kind() {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::End => return Err(self.unexpected("`}`")),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn module_ahead(&self) -> bool {
        self.word() == "module" && self.kind_ahead(1) == TokenKind::TypeIdent
    }
}

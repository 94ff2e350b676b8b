//! `select!` and `join!` of `mazurka-tokio`.

use crate::Error;
use crate::template::Template;
use proc_macro::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use std::iter::Peekable;
use std::vec::IntoIter;

type Tokens = Peekable<IntoIter<TokenTree>>;

/// `PATTERN = FUTURE, if CONDITION => HANDLER`.
struct Branch {
    pattern: TokenStream,
    future: TokenStream,
    condition: Option<TokenStream>,
    handler: TokenStream,
}

/// The crate, whether it is biased, and what comes then.
fn beginning(tokens: TokenStream) -> (TokenStream, bool, Tokens) {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let end = tokens.iter().position(|t| is(t, ';')).unwrap_or(0);
    let krate: TokenStream = tokens.drain(..=end).take(end).collect();
    let biased = matches!(&tokens[..], [TokenTree::Ident(word), semicolon, ..] if word.to_string() == "biased" && is(semicolon, ';'));
    if biased {
        tokens.drain(..2);
    }
    (krate, biased, tokens.into_iter().peekable())
}

/// The code of `select!`.
pub(crate) fn select(tokens: TokenStream) -> Result<TokenStream, Error> {
    let (krate, biased, mut tokens) = beginning(tokens);
    let mut branches = Vec::new();
    let mut otherwise = None;
    while tokens.peek().is_some() {
        if matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word.to_string() == "else") {
            tokens.next();
            arrow(&mut tokens)?;
            otherwise = Some(handler(&mut tokens));
            continue;
        }
        branches.push(branch(&mut tokens)?);
    }
    if branches.is_empty() && otherwise.is_none() {
        return Err(Error::new(Span::call_site(), "`select!` needs a branch"));
    }
    let mut template = Template::new().hole("KRATE", krate);
    let (mut types, mut variants, mut prepare, mut polls, mut arms) =
        (String::new(), String::new(), String::new(), String::new(), String::new());
    for (n, branch) in branches.iter().enumerate() {
        template = template
            .hole(format!("PATTERN{n}"), branch.pattern.clone())
            .hole(format!("CLEAN{n}"), clean(branch.pattern.clone()))
            .expression(format!("FUTURE{n}"), branch.future.clone())
            .expression(format!("HANDLER{n}"), branch.handler.clone());
        types.push_str(&format!("T{n},"));
        variants.push_str(&format!("B{n}(T{n}),"));
        if let Some(condition) = &branch.condition {
            template = template.expression(format!("CONDITION{n}"), condition.clone());
            prepare.push_str(&format!("if !(CONDITION{n}) {{ __mazurka_off |= 1u64 << {n}; }}"));
        }
        polls.push_str(&format!(
            "{n} => match ::core::future::Future::poll(__mazurka_f{n}.as_mut(), __mazurka_context) {{
                ::core::task::Poll::Pending => KRATE::macros::Branch::Pending,
                ::core::task::Poll::Ready(__mazurka_output) => {{
                    #[allow(unused_variables, unreachable_patterns)]
                    match &__mazurka_output {{
                        CLEAN{n} => KRATE::macros::Branch::Ready(MazurkaOutput::B{n}(__mazurka_output)),
                        _ => {{ __mazurka_off |= 1u64 << {n}; KRATE::macros::Branch::Off }}
                    }}
                }}
            }},"
        ));
        arms.push_str(&format!("MazurkaOutput::B{n}(PATTERN{n}) => HANDLER{n},"));
    }
    let futures: String = (0..branches.len())
        .map(|n| format!("let mut __mazurka_f{n} = ::core::pin::pin!(::core::future::IntoFuture::into_future(FUTURE{n}));"))
        .collect();
    match otherwise {
        Some(handler) => {
            template = template.expression("OTHERWISE", handler);
            arms.push_str("MazurkaOutput::Off => OTHERWISE,");
        }
        None => arms.push_str("MazurkaOutput::Off => ::core::panic!(\"all branches are disabled and there is no else branch\"),"),
    }
    let count = branches.len();
    Ok(template.fill(&format!(
        "{{
            enum MazurkaOutput<{types}> {{ {variants} Off }}
            #[allow(unused_mut)]
            let mut __mazurka_off: u64 = 0;
            {prepare}
            let __mazurka_selected = {{
                {futures}
                let mut __mazurka_select = KRATE::macros::Select::new({biased});
                ::core::future::poll_fn(|__mazurka_context| {{
                    let __mazurka_polled = __mazurka_select.poll({count}, |__mazurka_nth| {{
                        if __mazurka_off & 1u64 << __mazurka_nth != 0 {{
                            return KRATE::macros::Branch::Off;
                        }}
                        match __mazurka_nth {{ {polls} _ => KRATE::macros::Branch::Off }}
                    }});
                    __mazurka_polled.map(|output| output.unwrap_or(MazurkaOutput::Off))
                }})
                .await
            }};
            #[allow(unreachable_patterns)]
            match __mazurka_selected {{ {arms} _ => ::core::unreachable!(\"the pattern was looked at\") }}
        }}"
    )))
}

/// The code of `join!`, or of `try_join!`.
pub(crate) fn join(tokens: TokenStream, tries: bool) -> TokenStream {
    let (krate, _, mut tokens) = beginning(tokens);
    let mut template = Template::new().hole("KRATE", krate);
    let mut count = 0;
    while tokens.peek().is_some() {
        let future = until_comma(&mut tokens);
        template = template.expression(format!("FUTURE{count}"), future);
        count += 1;
    }
    let all = |f: fn(usize) -> String| (0..count).map(f).collect::<String>();
    let parts = all(|n| format!("let mut __mazurka_p{n} = KRATE::macros::Part::new(FUTURE{n});"));
    let polls = if tries {
        all(|n| {
            format!(
                "__mazurka_done &= __mazurka_p{n}.poll(__mazurka_context);
                if let ::core::option::Option::Some(error) = __mazurka_p{n}.take_error() {{
                    return ::core::task::Poll::Ready(::core::result::Result::Err(error));
                }}"
            )
        })
    } else {
        all(|n| format!("__mazurka_done &= __mazurka_p{n}.poll(__mazurka_context);"))
    };
    let outputs = if tries {
        format!("::core::result::Result::Ok(({}))", all(|n| format!("__mazurka_p{n}.take_ok(),")))
    } else {
        format!("({})", all(|n| format!("__mazurka_p{n}.take(),")))
    };
    template.fill(&format!(
        "{{
            {parts}
            ::core::future::poll_fn(move |__mazurka_context| {{
                let mut __mazurka_done = true;
                {polls}
                if __mazurka_done {{ ::core::task::Poll::Ready({outputs}) }} else {{ ::core::task::Poll::Pending }}
            }})
            .await
        }}"
    ))
}

fn branch(tokens: &mut Tokens) -> Result<Branch, Error> {
    let mut pattern = TokenStream::new();
    let mut before = ' ';
    loop {
        let Some(token) = tokens.next() else {
            return Err(Error::new(Span::call_site(), "expected `pattern = future => handler`"));
        };
        // Not the end of `..=`.
        if is(&token, '=') && before != '.' {
            break;
        }
        before = if let TokenTree::Punct(p) = &token { p.as_char() } else { ' ' };
        pattern.extend([token]);
    }
    let mut future = TokenStream::new();
    let mut condition: Option<TokenStream> = None;
    while !at_arrow(tokens) {
        let Some(token) = tokens.next() else {
            return Err(Error::new(Span::call_site(), "expected `=> handler` after a future"));
        };
        let is_if = is(&token, ',') && matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word.to_string() == "if");
        if is_if && condition.is_none() {
            tokens.next();
            condition = Some(TokenStream::new());
        } else {
            condition.as_mut().unwrap_or(&mut future).extend([token]);
        }
    }
    arrow(tokens)?;
    Ok(Branch {
        pattern,
        future,
        condition,
        handler: handler(tokens),
    })
}

/// A block, or an expression up to a comma.
fn handler(tokens: &mut Tokens) -> TokenStream {
    if matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace) {
        let block = tokens.next().into_iter().collect();
        tokens.next_if(|t| is(t, ','));
        return block;
    }
    until_comma(tokens)
}

/// An expression, without the comma after it. Those between `::<` and `>` belong to it.
fn until_comma(tokens: &mut Tokens) -> TokenStream {
    let mut out = TokenStream::new();
    let (mut depth, mut colons, mut before) = (0, 0, ' ');
    for token in tokens.by_ref() {
        if let TokenTree::Punct(p) = &token {
            match p.as_char() {
                ',' if depth == 0 => break,
                '<' if depth > 0 || colons == 2 => depth += 1,
                '>' if depth > 0 && before != '-' => depth -= 1,
                _ => {}
            }
            before = p.as_char();
            colons = if before == ':' { colons + 1 } else { 0 };
        } else {
            (before, colons) = (' ', 0);
        }
        out.extend([token]);
    }
    out
}

/// Whether `=>` comes next.
fn at_arrow(tokens: &mut Tokens) -> bool {
    let equals = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '=' && p.spacing() == Spacing::Joint);
    if !tokens.peek().is_some_and(equals) {
        return false;
    }
    let mut ahead = tokens.clone();
    ahead.next();
    ahead.peek().is_some_and(|t| is(t, '>'))
}

fn arrow(tokens: &mut Tokens) -> Result<(), Error> {
    if !at_arrow(tokens) {
        let at = tokens.peek().map_or_else(Span::call_site, TokenTree::span);
        return Err(Error::new(at, "expected `=>`"));
    }
    tokens.next();
    tokens.next();
    Ok(())
}

/// A pattern that only looks: without `ref` and `mut`.
fn clean(pattern: TokenStream) -> TokenStream {
    let keep = |token: &TokenTree| !matches!(token, TokenTree::Ident(word) if matches!(word.to_string().as_str(), "ref" | "mut"));
    let cleaned = pattern.into_iter().filter(keep).map(|token| match token {
        TokenTree::Group(group) => Group::new(group.delimiter(), clean(group.stream())).into(),
        token => token,
    });
    cleaned.collect()
}

fn is(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == c)
}

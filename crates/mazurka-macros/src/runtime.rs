//! `#[test]` and `#[main]` of `mazurka-tokio`: async functions.

use crate::Error;
use crate::function::Function;
use crate::options::Options;
use crate::template::Template;
use proc_macro::{Literal, TokenStream, TokenTree};

/// What tokio's attributes say that makes no difference to a check: there, every runtime has as many threads as it has tasks.
const RUNTIME: [&str; 4] = ["flavor", "worker_threads", "start_paused", "unhandled_panic"];

/// The path of the crate, and the options of the check.
fn options(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let mut krate: TokenStream = "::tokio".parse().unwrap_or_default();
    let mut rest = TokenStream::new();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for part in tokens.split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ',')) {
        let name = part.first().map(ToString::to_string).unwrap_or_default();
        match (name.as_str(), part) {
            ("crate", [_, _, TokenTree::Literal(path)]) => krate = unquoted(path),
            ("crate", [_, _, path @ ..]) => krate = path.iter().cloned().collect(),
            (name, _) if RUNTIME.contains(&name) || name.is_empty() => {}
            _ => {
                rest.extend(part.iter().cloned());
                rest.extend(",".parse::<TokenStream>());
            }
        }
    }
    (krate, rest)
}

fn unquoted(literal: &Literal) -> TokenStream {
    literal.to_string().trim_matches('"').parse().unwrap_or_default()
}

/// The code of `#[test]`.
pub(crate) fn test(attribute: TokenStream, function: TokenStream) -> Result<TokenStream, Error> {
    let (krate, rest) = options(attribute);
    let mut options = Options::parse(rest)?;
    options.krate = Template::new().hole("KRATE", krate.clone()).fill("KRATE::__check");
    crate::expand::expand(&options, blocking(Function::parse(function)?, krate)?)
}

/// The code of `#[main]`: the same function, which blocks.
pub(crate) fn main(attribute: TokenStream, function: TokenStream) -> Result<TokenStream, Error> {
    let (krate, _) = options(attribute);
    let function = blocking(Function::parse(function)?, krate)?;
    let template = Template::new()
        .hole("BEFORE", function.before)
        .hole("NAME", TokenTree::from(function.name).into())
        .hole("RETURNS", function.returns)
        .hole("BODY", function.body.into());
    Ok(template.fill("BEFORE fn NAME() RETURNS BODY"))
}

/// The function that runs an async one to its end.
fn blocking(mut function: Function, krate: TokenStream) -> Result<Function, Error> {
    if !function.is_async {
        return Err(Error::new(function.name.span(), "the `async` keyword is missing"));
    }
    let template = Template::new().hole("KRATE", krate).hole("BODY", function.body.into());
    let body = template.fill("{ KRATE::__check::block_on(async BODY) }");
    let Some(body) = body.into_iter().next() else {
        return Err(Error::new(function.name.span(), "a test needs a body"));
    };
    function.body = body;
    function.is_async = false;
    Ok(function)
}

//! `#[mazurka::test]`: an ordinary test whose body is run once for every interleaving of its threads that can make a difference.
//!
//! Nothing but the compiler's own tokens is used: the grammar of a function without arguments is small, and this crate is compiled before
//! everything that is tested with it.

mod expand;
mod function;
mod options;
mod runtime;
mod select;
mod template;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A test that is checked: its body is run once for every interleaving of its threads that can make a difference.
///
/// It is an ordinary test otherwise: `#[ignore]` and `#[should_panic]` mean what they always do, and it may return a `Result`. A test that
/// fails shows the counterexample and writes its schedule to a file; `MAZURKA_REPLAY=FILE cargo test NAME` runs it again.
///
/// # Options
/// `#[mazurka::test(seconds = 60, executions = 10_000)]`:
/// - `seconds`, `executions`: ends the check after that. What was not covered then is not held against the test.
/// - `depth`: follows no execution further than so many steps.
/// - `algorithm`: another algorithm, such as `"source"`.
/// - `preemptions`, `delays`: covers the executions with at most so many only.
/// - `random`, `pct`, `pos`, `urw`: runs so many random executions instead; `seed` says which.
/// - `complete`: the test fails if one of its limits ends it before everything is covered.
/// - `ignore_deadlocks`, `allow_panics`, `keep_going`: as the methods of `Check`.
/// - `crate`: the path of the crate `mazurka`, if it is not `::mazurka`.
#[proc_macro_attribute]
pub fn test(options: TokenStream, function: TokenStream) -> TokenStream {
    let expanded =
        options::Options::parse(options).and_then(|options| expand::expand(&options, function::Function::parse(function.clone())?));
    // The function stays as it is beside an error, so that nothing else seems to be wrong.
    expanded.unwrap_or_else(|error| [error.tokens(), function].into_iter().collect())
}

/// `#[tokio::test]` of `mazurka-tokio`: an async test that is checked. It has the options of [`macro@test`]; those of tokio make no difference.
#[proc_macro_attribute]
pub fn async_test(options: TokenStream, function: TokenStream) -> TokenStream {
    let expanded = runtime::test(options, function.clone());
    expanded.unwrap_or_else(|error| [error.tokens(), function].into_iter().collect())
}

/// `#[tokio::main]` of `mazurka-tokio`: an async function that runs to its end.
#[proc_macro_attribute]
pub fn async_main(options: TokenStream, function: TokenStream) -> TokenStream {
    let expanded = runtime::main(options, function.clone());
    expanded.unwrap_or_else(|error| [error.tokens(), function].into_iter().collect())
}

/// `select!` of `mazurka-tokio`, after the path of that crate and a semicolon.
#[proc_macro]
pub fn select(tokens: TokenStream) -> TokenStream {
    select::select(tokens).unwrap_or_else(|error| error.tokens())
}

/// `join!` of `mazurka-tokio`, after the path of that crate and a semicolon.
#[proc_macro]
pub fn join(tokens: TokenStream) -> TokenStream {
    select::join(tokens, false)
}

/// `try_join!` of `mazurka-tokio`, after the path of that crate and a semicolon.
#[proc_macro]
pub fn try_join(tokens: TokenStream) -> TokenStream {
    select::join(tokens, true)
}

/// What is wrong, and where.
struct Error {
    message: String,
    at: Span,
}

impl Error {
    fn new(at: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Error { message, at }
    }

    /// `compile_error!` at the place.
    fn tokens(&self) -> TokenStream {
        let text = TokenTree::from(Literal::string(&self.message));
        let tokens: [TokenTree; 3] = [
            Ident::new("compile_error", self.at).into(),
            Punct::new('!', Spacing::Alone).into(),
            Group::new(Delimiter::Brace, text.into()).into(),
        ];
        let at = |mut token: TokenTree| {
            token.set_span(self.at);
            token
        };
        tokens.into_iter().map(at).collect()
    }
}

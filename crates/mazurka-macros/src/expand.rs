//! The test that the attribute makes of a function.

use crate::Error;
use crate::function::Function;
use crate::options::Options;
use proc_macro::{Delimiter, Group, TokenStream};

/// ```text
/// #[::core::prelude::v1::test]
/// ATTRIBUTES fn NAME() {
///     fn body() -> RETURNS { BODY }
///     ::mazurka::testing::run(TEST, ::mazurka::Check::new()OPTIONS, || ::mazurka::testing::Returned::assert_good(body()));
/// }
/// ```
pub(crate) fn expand(options: &Options, function: Function) -> Result<TokenStream, Error> {
    if function.is_async {
        return Err(Error::new(
            function.name.span(),
            "async tests are not supported; run the future inside a plain one",
        ));
    }
    let name = function.name.to_string();
    let plain = name.strip_prefix("r#").unwrap_or(&name).to_owned();
    let mut inner = text("fn body()");
    inner.extend(function.returns);
    inner.extend([function.body]);
    inner.extend(options.krate.clone());
    inner.extend(text("::testing::run"));
    let mut arguments = options.krate.clone();
    arguments.extend(text("::testing::Test"));
    arguments.extend([brace(text(&format!(
        "module: ::core::module_path!(), name: {plain:?}, time: {}, may_be_incomplete: {}",
        options.time,
        options.limited && !options.complete
    )))]);
    arguments.extend(text(","));
    arguments.extend(options.krate.clone());
    arguments.extend(text(&format!("::Check::new(){}{}, ||", options.calls, options.last_calls)));
    arguments.extend(options.krate.clone());
    arguments.extend(text("::testing::Returned::assert_good(body())"));
    inner.extend([proc_macro::TokenTree::from(Group::new(Delimiter::Parenthesis, arguments))]);
    inner.extend(text(";"));

    let mut outer = text("#[::core::prelude::v1::test]");
    outer.extend(function.before);
    outer.extend(text("fn"));
    outer.extend([proc_macro::TokenTree::from(function.name)]);
    outer.extend(text("()"));
    outer.extend([brace(inner)]);
    Ok(outer)
}

fn text(source: &str) -> TokenStream {
    source.parse().unwrap_or_default()
}

fn brace(tokens: TokenStream) -> proc_macro::TokenTree {
    Group::new(Delimiter::Brace, tokens).into()
}

//! The files of the page. They are part of the program: nothing is read from disk, and nothing is loaded from elsewhere.

use mazurka_report::html;

/// A file by its name: its type and its contents.
pub(crate) fn find(name: &str) -> Option<(&'static str, String)> {
    let script = "text/javascript; charset=utf-8";
    Some(match name {
        "" => ("text/html; charset=utf-8", include_str!("../assets/index.html").to_owned()),
        // Reports and the page share their style, and what shows an execution.
        "style.css" => ("text/css; charset=utf-8", [html::STYLE, include_str!("../assets/app.css")].concat()),
        "report.js" => (script, format!("\"use strict\";\n{}", html::SCRIPTS.concat())),
        "editor.js" => (script, include_str!("../assets/editor.js").to_owned()),
        "app.js" => (script, APP.concat()),
        _ => return None,
    })
}

const APP: [&str; 7] = [
    "\"use strict\";\n",
    include_str!("../assets/ask.js"),
    include_str!("../assets/walk.js"),
    include_str!("../assets/map.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/divider.js"),
    include_str!("../assets/app.js"),
];

/// What the page may do: nothing but use the files above and ask this server.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

//! The frame of the page: what can be read without scripts, and where the scripts put the rest.

use super::data;
use crate::paint::{Paint, visible};
use crate::summary::Summary;
use crate::verdict;
use mazurka_core::Verdict;

/// The style of all pages.
pub const STYLE: &str = include_str!("report.css");
/// What shows executions, trees and tables, for pages that get their data later: `showReport` and `showFailure` are what they call.
pub const SCRIPTS: [&str; 7] = [
    include_str!("dom.js"),
    include_str!("theme.js"),
    include_str!("diagram.js"),
    include_str!("failure.js"),
    include_str!("tree.js"),
    include_str!("tables.js"),
    include_str!("report.js"),
];

/// Shows the data that is in the page.
const START: &str = include_str!("start.js");

/// The whole file.
pub fn render(summary: &Summary) -> String {
    let title = escape(&summary.title());
    let outcome = &summary.outcome;
    let mut body = String::new();
    let badge = match outcome.verdict {
        Verdict::Complete => "good",
        Verdict::Violation => "bad",
        Verdict::Incomplete => "warn",
    };
    let headline = verdict::headline(summary, Paint::default());
    let headline = headline.trim_end().split_once(": ").map_or("", |(_, rest)| rest);
    body.push_str(&format!(
        "<header><h1>{title}</h1><button id=\"theme\" type=\"button\">theme: auto</button></header>\n<main>\n\
         <section aria-labelledby=\"verdict\"><h2 id=\"verdict\"><span class=\"badge {badge}\">{}</span> {}</h2>\n",
        outcome.verdict.name(),
        escape(headline)
    ));
    body.push_str("<dl class=\"facts\">");
    for (name, value) in data::coverage(summary) {
        body.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value)));
    }
    body.push_str("</dl>\n");
    if let Some(proven) = verdict::proven(summary) {
        body.push_str(&format!("<p>{}</p>\n", escape(&proven)));
    }
    for note in verdict::notes(summary) {
        body.push_str(&format!("<p class=\"note\">{}</p>\n", escape(&note)));
    }
    body.push_str(
        "</section>\n<div id=\"failures\"></div>\n<div id=\"samples\"></div>\n<div id=\"comparison\"></div>\n<div id=\"tree\"></div>\n<div id=\"finals\"></div>\n",
    );
    // Without scripts the text of the terminal is still there.
    body.push_str("<noscript>");
    for counterexample in &summary.counterexamples {
        let text = verdict::failure(counterexample, Paint::default());
        body.push_str(&format!("<pre>{}</pre>", escape(&text)));
    }
    body.push_str("</noscript>\n</main>\n");
    if let Some(made) = &summary.made {
        body.push_str(&format!(
            "<footer><p class=\"note\"><code>{}</code></p><p class=\"note\">mazurka {} <span id=\"made-at\" data-seconds=\"{}\"></span></p></footer>\n",
            escape(&made.command),
            env!("CARGO_PKG_VERSION"),
            made.at
        ));
    }
    // `</script>` or `<!--` inside the data would end or hide the script.
    let data = data::of(summary).to_string().replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{}: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n\"use strict\";\n{}</script>\n</body>\n</html>\n",
        outcome.verdict.name(),
        [&SCRIPTS.concat(), START].concat()
    )
}

fn escape(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

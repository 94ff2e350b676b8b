//! What differs between two values of the same structure, field by field.

/// Deeper structures are compared as a whole.
const DEEPEST: usize = 4;

/// Which fields of two structures differ: the path to each (`.holder`, `.0.left`), and both values. Nothing unless both are structures of the
/// same shape: `Fork { holder: None, uses: 12 }`, `Fork(None, 12)`, `(1, 2)`.
pub(crate) fn differing(before: &str, after: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    if before == after || !compare(before, after, String::new(), 0, &mut found) {
        return Vec::new();
    }
    found
}

/// Adds what differs; false if the two have not the same shape.
fn compare(before: &str, after: &str, path: String, depth: usize, found: &mut Vec<(String, String, String)>) -> bool {
    let (Some(b), Some(a)) = (Structure::of(before), Structure::of(after)) else {
        return false;
    };
    let names = |s: &Structure<'_>| s.fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if b.head != a.head || b.fields.is_empty() || names(&b) != names(&a) {
        return false;
    }
    for ((name, before), (_, after)) in b.fields.iter().zip(&a.fields) {
        let path = format!("{path}.{name}");
        if before != after && (depth == DEEPEST || !compare(before, after, path.clone(), depth + 1, found)) {
            found.push((path, (*before).to_owned(), (*after).to_owned()));
        }
    }
    true
}

/// `head { name: value, … }` or `head(value, …)`.
struct Structure<'t> {
    head: &'t str,
    fields: Vec<(String, &'t str)>,
}

impl<'t> Structure<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let open = text.find(['{', '('])?;
        let (head, rest) = (text[..open].trim(), &text[open..]);
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let close = if rest.starts_with('{') { '}' } else { ')' };
        // Braces without a name are a map or a set.
        let is_map = head.is_empty() && close == '}';
        if is_map || !head.chars().all(is_name) || !rest.ends_with(close) {
            return None;
        }
        let inner = rest[1..rest.len() - 1].trim();
        let parts = split(inner)?;
        let named = close == '}';
        let mut fields = Vec::with_capacity(parts.len());
        for (at, part) in parts.into_iter().enumerate() {
            fields.push(match part.split_once(':') {
                Some((name, value)) if named && name.chars().all(|c| c.is_alphanumeric() || c == '_') => (name.to_owned(), value.trim()),
                // A set or a map has no fields.
                _ if named => return None,
                _ => (at.to_string(), part),
            });
        }
        Some(Structure { head, fields })
    }
}

/// The parts between the commas that are in no brackets and no string; nothing if the brackets do not match.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0usize);
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            '"' => loop {
                match letters.next()?.1 {
                    '\\' => drop(letters.next()),
                    '"' => break,
                    _ => {}
                }
            },
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let rest = text[from..].trim();
    if !rest.is_empty() {
        parts.push(rest);
    }
    (depth == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(before: &str, after: &str) -> String {
        let list = differing(before, after);
        let list: Vec<String> = list.into_iter().map(|(path, b, a)| format!("{path}: {b} → {a}")).collect();
        list.join(", ")
    }

    #[test]
    fn only_the_fields_that_differ_are_named_however_deep_they_are() {
        assert_eq!(
            said("Fork { holder: None, uses: 12 }", "Fork { holder: Some(1), uses: 12 }"),
            ".holder: None → Some(1)"
        );
        assert_eq!(
            said(
                "Node { id: 1, next: Link { to: 2, up: (3, true) } }",
                "Node { id: 2, next: Link { to: 2, up: (4, true) } }"
            ),
            ".id: 1 → 2, .next.up.0: 3 → 4"
        );
        assert_eq!(said("Some(3)", "Some(4)"), ".0: 3 → 4");
        assert_eq!(
            said("S { text: \"a, b }\", n: 1 }", "S { text: \"a, c }\", n: 1 }"),
            ".text: \"a, b }\" → \"a, c }\""
        );
    }

    #[test]
    fn what_has_no_common_shape_is_compared_as_a_whole() {
        for (before, after) in [
            ("None", "Some(1)"),
            ("[1, 2]", "[1, 3]"),
            ("{1: 2}", "{1: 3}"),
            ("{1, 2}", "{1, 3}"),
            ("A { x: 1 }", "B { x: 1 }"),
            ("A(1)", "A(1, 2)"),
            ("f(1) + 2", "f(2) + 2"),
            ("A(1", "A(2"),
            ("a(1]", "a(2]"),
            ("\"a(1)", "\"a(2)"),
            ("5", "6"),
            ("", "x"),
        ] {
            assert_eq!(said(before, after), "", "{before} and {after}");
        }
    }
}

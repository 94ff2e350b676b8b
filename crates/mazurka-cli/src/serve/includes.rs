//! Which files a text includes: the page must not be a way to read files, other than those that a file of the command line includes anyway.

/// What stands behind `#include`, once for each. A comment may be taken for one; one that is one is never missed.
pub fn included(text: &str) -> Vec<String> {
    // Lines may be continued anywhere, and comments may stand between the sign and the word.
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let directives = text.match_indices("include").filter(|(at, _)| {
        let before = text[..*at].trim_end();
        before.ends_with('#') || before.ends_with("*/")
    });
    let behind = directives.map(|(at, word)| text[at + word.len()..].lines().next().unwrap_or_default());
    behind.map(|rest| rest.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_it_is_found() {
        for text in [
            "#include \"x.h\"",
            "byte a;\n  #  include  \"x.h\"  \r\nbyte b;",
            "#\\\ninc\\\nlude \"x.h\"",
            "#/* why */include \"x.h\"",
            "# /* \n */ /**/\tinclude \"x.h\"",
        ] {
            assert_eq!(included(text), ["\"x.h\""], "{text}");
        }
        assert_eq!(included("// these include all\nbyte include; #define x"), Vec::<String>::new());
        assert_eq!(included("#include \"a\"\n#include <b>"), ["\"a\"", "<b>"]);
    }
}

//! A strict reader of the XML that we write: elements, attributes, text, the five entities. Anything else is an error.

/// An element with what is in it.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Calls `look` with this element and all below it.
    pub fn visit(&self, look: &mut dyn FnMut(&Element)) {
        look(self);
        self.children.iter().for_each(|c| c.visit(look));
    }
}

/// Reads a whole document.
pub fn parse(text: &str) -> Result<Element, String> {
    let body = text
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .ok_or("no declaration")?;
    let (root, rest) = element(body.trim_start())?;
    if rest.trim().is_empty() {
        Ok(root)
    } else {
        Err(format!("text after the end: {rest:.40}"))
    }
}

fn element(text: &str) -> Result<(Element, &str), String> {
    let rest = text
        .strip_prefix('<')
        .ok_or_else(|| format!("an element is expected: {text:.40}"))?;
    let end = rest.find(['>', '/', ' ']).ok_or("an endless tag")?;
    let mut found = Element {
        name: rest[..end].to_owned(),
        ..Element::default()
    };
    let mut rest = &rest[end..];
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((found, after));
        }
        if let Some(after) = rest.strip_prefix('>') {
            rest = after;
            break;
        }
        let (name, after) = rest
            .split_once("=\"")
            .ok_or_else(|| format!("an attribute is expected: {rest:.40}"))?;
        let (value, after) = after.split_once('"').ok_or("an endless attribute")?;
        if found.attribute(name).is_some() {
            return Err(format!("{name} twice"));
        }
        found.attributes.push((name.to_owned(), unescape(value)?));
        rest = after;
    }
    loop {
        let at = rest.find('<').ok_or_else(|| format!("{} does not end", found.name))?;
        found.text.push_str(&unescape(&rest[..at])?);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("</") {
            let (name, after) = after.split_once('>').ok_or("an endless tag")?;
            return if name == found.name {
                Ok((found, after))
            } else {
                Err(format!("{name} ends {}", found.name))
            };
        }
        let (child, after) = element(rest)?;
        found.children.push(child);
        rest = after;
    }
}

fn unescape(text: &str) -> Result<String, String> {
    if text.contains(['<', '>']) || text.chars().any(|c| (c as u32) < 0x20 && c != '\n' && c != '\t') {
        return Err(format!("not allowed in text: {text:.40}"));
    }
    let mut out = String::new();
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (entity, rest) = part.split_once(';').ok_or("a lonely &")?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            other => return Err(format!("unknown entity {other}")),
        });
        out.push_str(rest);
    }
    Ok(out)
}

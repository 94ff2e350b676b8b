//! What a function could plausibly return without doing anything.

use syn::{ReturnType, Type};

/// Values of the type, as code. Whether they compile is found out by compiling them.
pub fn defaults(output: &ReturnType) -> Vec<&'static str> {
    match output {
        ReturnType::Default => vec![""],
        ReturnType::Type(_, ty) => of_type(ty),
    }
}

fn of_type(ty: &Type) -> Vec<&'static str> {
    match ty {
        Type::Paren(inner) => of_type(&inner.elem),
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![""],
        Type::Tuple(_) | Type::Array(_) => vec!["Default::default()"],
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Slice(_) => vec!["&[]"],
            Type::Path(path) if path.path.is_ident("str") => vec!["\"\""],
            _ => Vec::new(),
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            match last.ident.to_string().as_str() {
                "bool" => vec!["true", "false"],
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => vec!["0", "1"],
                "Option" => vec!["None", "Some(Default::default())"],
                "Result" => vec!["Ok(Default::default())"],
                _ => vec!["Default::default()"],
            }
        }
        _ => Vec::new(),
    }
}

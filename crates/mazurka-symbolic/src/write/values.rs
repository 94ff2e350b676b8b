//! Known values as JSON and as ABS expressions.

use mazurka_abs::code::Symbols;
use mazurka_abs::value::{Ctor, Value, known};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::{Value as Json, json};

/// The name of a constructor; a second one of that name has a number.
fn name(symbols: &Symbols, ctor: Ctor) -> String {
    let own = symbols.ctor_name(ctor);
    let before = symbols.ctors[..ctor.0 as usize].iter().filter(|other| *other == own).count();
    match before {
        0 => own.to_owned(),
        n => format!("{own}#{n}"),
    }
}

fn ctor(symbols: &Symbols, text: &str) -> Option<Ctor> {
    let (own, before) = text.split_once('#').map_or((text, 0), |(own, n)| (own, n.parse().unwrap_or(0)));
    let mut all = symbols.ctors.iter().enumerate().filter(|(_, other)| *other == own);
    all.nth(before).map(|(number, _)| Ctor(number as u32))
}

/// A known value. Objects are those of the test's heap, by their places.
pub(super) fn to_json(value: &Value, symbols: &Symbols) -> Json {
    match value {
        Value::Int(n) => json!(n),
        Value::Big(n) => json!({ "int": n.to_string() }),
        Value::Rat(r) => json!({ "rat": r.to_string() }),
        Value::Float(x) => json!({ "float": x.to_string() }),
        Value::Str(text) => json!(text.as_str()),
        Value::Atom(known::TRUE) => json!(true),
        Value::Atom(known::FALSE) => json!(false),
        Value::Atom(ctor) => json!({ "constructor": name(symbols, *ctor) }),
        Value::Data(node) => {
            let args: Vec<Json> = node.args.iter().map(|arg| to_json(arg, symbols)).collect();
            json!({ "constructor": name(symbols, node.ctor), "args": args })
        }
        Value::Object(r) => json!({ "object": r.slot }),
        Value::Null | Value::Future(_) | Value::Term(_) => Json::Null,
    }
}

/// The value that a JSON value stands for; `object` says which object has a place.
pub(super) fn from_json(json: &Json, symbols: &Symbols, object: &dyn Fn(u32) -> Option<Value>) -> Option<Value> {
    match json {
        Json::Null => Some(Value::Null),
        Json::Bool(b) => Some(Value::bool(*b)),
        Json::Number(n) => n.as_i64().map(Value::Int),
        Json::String(text) => Some(Value::string(text.as_str())),
        Json::Array(_) => None,
        Json::Object(map) => {
            if let Some(n) = map.get("int").and_then(Json::as_str) {
                return n.parse::<BigInt>().ok().map(Value::from);
            }
            if let Some(r) = map.get("rat").and_then(Json::as_str) {
                let (above, below) = r.split_once('/').unwrap_or((r, "1"));
                let below: BigInt = below.parse().ok()?;
                let above: BigInt = above.parse().ok()?;
                return (below != BigInt::from(0)).then(|| Value::from(BigRational::new(above, below)));
            }
            if let Some(x) = map.get("float").and_then(Json::as_str) {
                return x.parse().ok().map(Value::float);
            }
            if let Some(place) = map.get("object").and_then(Json::as_u64) {
                return object(u32::try_from(place).ok()?);
            }
            let ctor = ctor(symbols, map.get("constructor")?.as_str()?)?;
            let args = map.get("args").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            let args: Option<_> = args.iter().map(|arg| from_json(arg, symbols, object)).collect();
            Some(Value::data(ctor, args?))
        }
    }
}

/// A known value as an ABS expression; `object` names the objects of the heap. `None` for what no expression stands for.
pub(super) fn to_abs(value: &Value, symbols: &Symbols, object: &dyn Fn(u32) -> Option<String>) -> Option<String> {
    Some(match value {
        Value::Int(n) if *n < 0 => format!("({n})"),
        Value::Int(n) => n.to_string(),
        Value::Big(n) => format!("({n})"),
        Value::Rat(r) => format!("({}/{})", r.numer(), r.denom()),
        Value::Float(x) => mazurka_abs::value::print::float(*x),
        Value::Str(text) => {
            let text = text
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
                .replace('\t', "\\t")
                .replace('\r', "\\r");
            format!("\"{text}\"")
        }
        Value::Atom(ctor) => symbols.ctor_name(*ctor).to_owned(),
        Value::Data(node) => {
            let args: Option<Vec<String>> = node.args.iter().map(|arg| to_abs(arg, symbols, object)).collect();
            format!("{}({})", symbols.ctor_name(node.ctor), args?.join(", "))
        }
        Value::Null => "null".to_owned(),
        Value::Object(r) => object(r.slot)?,
        Value::Future(_) | Value::Term(_) => return None,
    })
}

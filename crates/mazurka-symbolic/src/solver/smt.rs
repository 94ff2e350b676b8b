//! Terms and conditions in SMT-LIB.

use super::Answer;
use super::text::quoted;
use crate::inputs::Inputs;
use mazurka_abs::value::Value;
use mazurka_abs::value::term::{self, Kind, Operation, Sort, Test};
use num_bigint::BigInt;
use num_traits::Signed;

/// The name of a sort, if the solver has to know its values.
pub(super) fn sort(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::Int => Some("Int"),
        Sort::Rat => Some("Real"),
        Sort::String => Some("String"),
        Sort::Shape => None,
    }
}

/// The inputs that are numbers and occur in these answers.
pub(super) fn numbers(answers: &[Answer]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut todo: Vec<&Value> = answers.iter().flat_map(|a| [&a.condition.left, &a.condition.right]).collect();
    while let Some(value) = todo.pop() {
        let Value::Term(term) = value else { continue };
        match term.kind() {
            Kind::Input(number, _) if matches!(term.sort(), Sort::Int | Sort::Rat) => found.push(*number),
            Kind::Input(..) => {}
            Kind::Apply(_, args) => todo.extend(args),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// An answer as an assertion.
pub(super) fn condition(_: &Inputs, answer: &Answer) -> String {
    let it = &answer.condition;
    let sorts = [term::sort(&it.left), term::sort(&it.right)];
    let common = match sorts {
        [Some(Sort::String), _] => Sort::String,
        sorts if sorts.contains(&Some(Sort::Rat)) => Sort::Rat,
        _ => Sort::Int,
    };
    let word = match (it.test, common) {
        (Test::Equal, _) => "=",
        (Test::Less, Sort::String) => "str.<",
        (Test::Less, _) => "<",
    };
    let text = format!("({word} {} {})", write(&it.left, common), write(&it.right, common));
    match answer.holds {
        true => text,
        false => format!("(not {text})"),
    }
}

fn whole(n: &BigInt, suffix: &str) -> String {
    match n.is_negative() {
        true => format!("(- {}{suffix})", n.abs()),
        false => format!("{n}{suffix}"),
    }
}

/// A value where one of this sort is wanted.
fn write(value: &Value, wanted: Sort) -> String {
    let suffix = if wanted == Sort::Rat { ".0" } else { "" };
    match value {
        Value::Int(n) => whole(&BigInt::from(*n), suffix),
        Value::Big(n) => whole(n, suffix),
        Value::Rat(r) => format!("(/ {} {}.0)", whole(r.numer(), ".0"), r.denom()),
        Value::Str(text) => quoted(text),
        Value::Term(term) => {
            let text = match term.kind() {
                Kind::Input(number, _) => format!("i{number}"),
                Kind::Apply(operation, args) => apply(*operation, args, term.sort()),
            };
            match (term.sort(), wanted) {
                (Sort::Int, Sort::Rat) => format!("(to_real {text})"),
                _ => text,
            }
        }
        // Nothing else is an operand.
        _ => "0".to_owned(),
    }
}

fn apply(operation: Operation, args: &[Value], sort: Sort) -> String {
    let of = |wanted: Sort| -> Vec<String> { args.iter().map(|arg| write(arg, wanted)).collect() };
    let all = |word: &str, wanted: Sort| format!("({word} {})", of(wanted).join(" "));
    // Divisions of SMT-LIB round down or leave a remainder that is not negative; those of ABS round towards zero.
    let remainder = |a: &str, b: &str| format!("(ite (>= {a} 0) (mod {a} {b}) (- (mod (- {a}) {b})))");
    match operation {
        Operation::Add => all("+", sort),
        Operation::Sub | Operation::Neg => all("-", sort),
        Operation::Mul => all("*", sort),
        Operation::Div => all("/", Sort::Rat),
        Operation::Concat if args.len() == 1 => write(&args[0], Sort::String),
        Operation::Concat => all("str.++", Sort::String),
        Operation::Floor => all("to_int", Sort::Rat),
        Operation::Truncate => {
            let x = of(Sort::Rat).concat();
            format!("(ite (>= {x} 0.0) (to_int {x}) (- (to_int (- {x}))))")
        }
        Operation::Rem | Operation::DivTruncated => match of(Sort::Int).as_slice() {
            [a, b] if operation == Operation::Rem => remainder(a, b),
            [a, b] => format!("(div (- {a} {}) {b})", remainder(a, b)),
            _ => "0".to_owned(),
        },
    }
}

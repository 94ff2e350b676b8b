//! Which operators and methods stand in for which.

use syn::BinOp;

/// What an operator is replaced by: the nearest mistakes, and for comparisons the opposite.
pub fn operators(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["+"],
        BinOp::Div(_) => &["*"],
        BinOp::Rem(_) => &["/"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::BitAnd(_) => &["|"],
        BinOp::BitXor(_) => &["|"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) => &["+="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitAndAssign(_) => &["|="],
        BinOp::BitXorAssign(_) => &["|="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// Whether the operator compares, so that its opposite is among its replacements.
pub fn compares(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// The method that is easily confused with this one.
pub fn method(name: &str) -> Option<&'static str> {
    Some(match name {
        "any" => "all",
        "all" => "any",
        "min" => "max",
        "max" => "min",
        "is_some" => "is_none",
        "is_none" => "is_some",
        "first" => "last",
        "last" => "first",
        _ => return None,
    })
}

/// Methods that only save time or memory: without a call of them, everything is as before.
pub const ONLY_FASTER: &[&str] = &["reserve", "reserve_exact", "shrink_to_fit"];

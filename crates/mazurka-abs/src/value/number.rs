//! Exact arithmetic: `Int` without bounds, `Rat` in lowest terms, `Float` apart from both.
//!
//! Integers that fit 64 bits take the fast path; the others become [`BigInt`]s and come back as soon as they fit again, so that equal
//! numbers always have equal representations.

use super::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::rc::Rc;

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// The divisor was zero.
    DivisionByZero,
    /// The operands are not numbers of one kind; a checked model never does this.
    NotNumbers,
    /// The result would fill the memory. A limit of this tool, which no model may take for something that ABS does.
    TooLarge,
    /// Computing it takes more than is left of the step's budget: a limit as well.
    TooLong,
    /// It is done to a value that is not known, and symbolic execution has no term for it.
    Opaque(&'static str),
}

/// The longest numbers, in bits. Repeated squaring would otherwise end the whole tool, not the task.
const MOST_BITS: u64 = 1 << 20;

/// The longest numbers, in words.
pub const MOST_WORDS: u64 = MOST_BITS / 64;

type Result = std::result::Result<Value, NumberError>;

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<BigInt> for Value {
    fn from(n: BigInt) -> Value {
        match n.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::Big(Rc::new(n)),
        }
    }
}

impl From<BigRational> for Value {
    fn from(r: BigRational) -> Value {
        if r.is_integer() {
            Value::from(r.to_integer())
        } else {
            Value::Rat(Rc::new(r))
        }
    }
}

/// The exact number that an `Int` or `Rat` value is.
pub fn rational(v: &Value) -> Option<BigRational> {
    match v {
        Value::Int(n) => Some(BigRational::from_integer((*n).into())),
        Value::Big(n) => Some(BigRational::from_integer((**n).clone())),
        Value::Rat(r) => Some((**r).clone()),
        _ => None,
    }
}

/// The integer that an `Int` value is.
pub fn integer(v: &Value) -> Option<BigInt> {
    match v {
        Value::Int(n) => Some((*n).into()),
        Value::Big(n) => Some((**n).clone()),
        _ => None,
    }
}

/// The nearest floating-point number of any numeric value.
pub fn float(v: &Value) -> Option<f64> {
    match v {
        Value::Int(n) => Some(*n as f64),
        Value::Big(n) => n.to_f64(),
        Value::Rat(r) => r.to_f64(),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

fn exact(a: &Value, b: &Value, on_ints: fn(BigInt, BigInt) -> BigInt, on_rats: fn(BigRational, BigRational) -> BigRational) -> Result {
    match (integer(a), integer(b)) {
        (Some(x), Some(y)) => Ok(on_ints(x, y).into()),
        _ => match (rational(a), rational(b)) {
            (Some(x), Some(y)) => Ok(on_rats(x, y).into()),
            _ => Err(NumberError::NotNumbers),
        },
    }
}

/// Either operand is a `Float`: a mixed operation is done in floating point.
fn floats(a: &Value, b: &Value) -> Option<(f64, f64)> {
    match (a, b) {
        (Value::Float(_), _) | (_, Value::Float(_)) => Some((float(a)?, float(b)?)),
        _ => None,
    }
}

/// `a + b`.
pub fn add(a: &Value, b: &Value) -> Result {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && let Some(sum) = x.checked_add(*y)
    {
        return Ok(Value::Int(sum));
    }
    if let Some((x, y)) = floats(a, b) {
        return Ok(Value::float(x + y));
    }
    sum_fits(a, b)?;
    exact(a, b, |x, y| x + y, |x, y| x + y)
}

/// `a - b`.
pub fn sub(a: &Value, b: &Value) -> Result {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && let Some(difference) = x.checked_sub(*y)
    {
        return Ok(Value::Int(difference));
    }
    if let Some((x, y)) = floats(a, b) {
        return Ok(Value::float(x - y));
    }
    sum_fits(a, b)?;
    exact(a, b, |x, y| x - y, |x, y| x - y)
}

/// `a * b`.
pub fn mul(a: &Value, b: &Value) -> Result {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && let Some(product) = x.checked_mul(*y)
    {
        return Ok(Value::Int(product));
    }
    if let Some((x, y)) = floats(a, b) {
        return Ok(Value::float(x * y));
    }
    fits(a, b)?;
    exact(a, b, |x, y| x * y, |x, y| x * y)
}

/// How long a number is.
fn bits(v: &Value) -> u64 {
    match v {
        Value::Big(n) => n.bits(),
        Value::Rat(r) => r.numer().bits() + r.denom().bits(),
        _ => 64,
    }
}

/// How many words a number has: what it costs to look at it.
pub fn words(v: &Value) -> u64 {
    match v {
        Value::Big(_) | Value::Rat(_) => bits(v) / 64 + 1,
        _ => 1,
    }
}

/// Whether the sum of these two is short enough: that of fractions has the product of their denominators.
fn sum_fits(a: &Value, b: &Value) -> std::result::Result<(), NumberError> {
    match (a, b) {
        (Value::Rat(_), _) | (_, Value::Rat(_)) => fits(a, b),
        _ if bits(a).max(bits(b)) >= MOST_BITS => Err(NumberError::TooLarge),
        _ => Ok(()),
    }
}

/// Whether the product or quotient of these two is short enough.
fn fits(a: &Value, b: &Value) -> std::result::Result<(), NumberError> {
    if bits(a) + bits(b) > MOST_BITS {
        return Err(NumberError::TooLarge);
    }
    Ok(())
}

fn is_zero(v: &Value) -> bool {
    match v {
        Value::Int(n) => *n == 0,
        Value::Float(x) => *x == 0.0,
        _ => false,
    }
}

/// `a / b`: exact on `Int` and `Rat`.
pub fn div(a: &Value, b: &Value) -> Result {
    if is_zero(b) {
        return Err(NumberError::DivisionByZero);
    }
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && let (Some(0), Some(quotient)) = (x.checked_rem(*y), x.checked_div(*y))
    {
        return Ok(Value::Int(quotient));
    }
    if let Some((x, y)) = floats(a, b) {
        return Ok(Value::float(x / y));
    }
    fits(a, b)?;
    match (rational(a), rational(b)) {
        (Some(x), Some(y)) => Ok((x / y).into()),
        _ => Err(NumberError::NotNumbers),
    }
}

/// `a / b` cut towards zero: what `/` means between integers in the dialect of 2014.
pub fn div_truncated(a: &Value, b: &Value) -> Result {
    div(a, b).and_then(|quotient| truncate(&quotient))
}

/// `a % b`: the remainder of the division cut towards zero; it has the sign of `a`.
pub fn rem(a: &Value, b: &Value) -> Result {
    if is_zero(b) {
        return Err(NumberError::DivisionByZero);
    }
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        return Ok(Value::Int(x.wrapping_rem(*y)));
    }
    if let Some((x, y)) = floats(a, b) {
        return Ok(Value::float(x % y));
    }
    sum_fits(a, b)?;
    exact(
        a,
        b,
        |x, y| x % y,
        |x, y| {
            let quotient = (&x / &y).trunc();
            x - y * quotient
        },
    )
}

/// `-a`.
pub fn neg(a: &Value) -> Result {
    match a {
        Value::Float(x) => Ok(Value::float(-x)),
        _ => sub(&Value::Int(0), a),
    }
}

/// Compares two numbers; a `Float` with an exact one by value.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        _ => match floats(a, b) {
            Some((x, y)) => Some(x.partial_cmp(&y).unwrap_or_else(|| x.total_cmp(&y))),
            None => Some(rational(a)?.cmp(&rational(b)?)),
        },
    }
}

fn from_float(x: f64) -> Result {
    BigRational::from_float(x).map(Value::from).ok_or(NumberError::NotNumbers)
}

/// The integer between 0 and `a` that is nearest to `a`.
pub fn truncate(a: &Value) -> Result {
    match a {
        Value::Int(_) | Value::Big(_) => Ok(a.clone()),
        Value::Rat(r) => Ok(r.to_integer().into()),
        Value::Float(x) => from_float(x.trunc()),
        _ => Err(NumberError::NotNumbers),
    }
}

/// The greatest integer that is not above `a`.
pub fn floor(a: &Value) -> Result {
    match a {
        Value::Rat(r) => Ok(r.floor().into()),
        Value::Float(x) => from_float(x.floor()),
        _ => truncate(a),
    }
}

/// The least integer that is not below `a`.
pub fn ceil(a: &Value) -> Result {
    match a {
        Value::Rat(r) => Ok(r.ceil().into()),
        Value::Float(x) => from_float(x.ceil()),
        _ => truncate(a),
    }
}

/// The exact value of a `Float`.
pub fn to_rat(a: &Value) -> Result {
    match a {
        Value::Float(x) => from_float(*x),
        _ => Ok(a.clone()),
    }
}

/// The numerator in lowest terms.
pub fn numerator(a: &Value) -> Result {
    match a {
        Value::Rat(r) => Ok(r.numer().clone().into()),
        _ => truncate(a),
    }
}

/// The denominator in lowest terms, above zero.
pub fn denominator(a: &Value) -> Result {
    match a {
        Value::Rat(r) => Ok(r.denom().clone().into()),
        Value::Int(_) | Value::Big(_) => Ok(Value::Int(1)),
        _ => Err(NumberError::NotNumbers),
    }
}

/// The distance from zero.
pub fn abs(a: &Value) -> Result {
    match a {
        Value::Float(x) => Ok(Value::float(x.abs())),
        _ => match rational(a) {
            Some(r) => Ok(r.abs().into()),
            None => Err(NumberError::NotNumbers),
        },
    }
}

/// `base` to the integer power `exponent`.
pub fn pow(base: &Value, exponent: i64) -> Result {
    if let Value::Float(x) = base {
        return Ok(Value::float(x.powf(exponent as f64)));
    }
    let mut b = rational(base).ok_or(NumberError::NotNumbers)?;
    let longest = b.numer().bits() + b.denom().bits();
    if longest > 2 && longest.saturating_mul(exponent.unsigned_abs()) > MOST_BITS {
        return Err(NumberError::TooLarge);
    }
    if exponent < 0 {
        if b.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        b = b.recip();
    }
    // Powers of what is in lowest terms are in lowest terms: looking for common factors would take far longer than multiplying.
    let n = exponent.unsigned_abs();
    Ok(BigRational::new_raw(power(b.numer(), n), power(b.denom(), n)).into())
}

fn power(base: &BigInt, mut n: u64) -> BigInt {
    let (mut base, mut result) = (base.clone(), BigInt::one());
    while n > 0 {
        if n.is_odd() {
            result *= &base;
        }
        n /= 2;
        if n > 0 {
            base = &base * &base;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rat(n: i64, d: i64) -> Value {
        BigRational::new(n.into(), d.into()).into()
    }

    fn same(a: Result, b: Value) {
        let a = a.expect("a number");
        assert_eq!(compare(&a, &b), Some(Ordering::Equal), "{a:?} {b:?}");
        assert_eq!(
            std::mem::discriminant(&a),
            std::mem::discriminant(&b),
            "one number, one representation"
        );
    }

    #[test]
    fn integers_grow_beyond_64_bits_and_come_back() {
        let big = add(&Value::Int(i64::MAX), &Value::Int(1)).expect("a sum");
        assert!(matches!(big, Value::Big(_)));
        same(sub(&big, &Value::Int(1)), Value::Int(i64::MAX));
        same(div(&Value::Int(i64::MIN), &Value::Int(-1)), big.clone());
        same(rem(&Value::Int(i64::MIN), &Value::Int(-1)), Value::Int(0));
    }

    #[test]
    fn division_is_exact_and_normalised() {
        same(div(&Value::Int(4), &Value::Int(2)), Value::Int(2));
        same(div(&Value::Int(1), &Value::Int(3)), rat(1, 3));
        same(mul(&rat(1, 3), &Value::Int(3)), Value::Int(1));
        assert_eq!(div(&Value::Int(1), &Value::Int(0)).err(), Some(NumberError::DivisionByZero));
        same(div_truncated(&Value::Int(-7), &Value::Int(2)), Value::Int(-3));
    }

    #[test]
    fn the_remainder_has_the_sign_of_the_dividend() {
        same(rem(&Value::Int(-7), &Value::Int(3)), Value::Int(-1));
        same(rem(&Value::Int(7), &Value::Int(-3)), Value::Int(1));
        same(rem(&rat(7, 2), &Value::Int(2)), rat(3, 2));
    }

    #[test]
    fn powers_are_exact_and_in_lowest_terms() {
        same(pow(&rat(-2, 3), 3), rat(-8, 27));
        same(pow(&rat(-2, 3), -3), rat(-27, 8));
        same(pow(&Value::Int(-1), i64::MAX), Value::Int(-1));
        same(pow(&Value::Int(7), 0), Value::Int(1));
        same(pow(&Value::Int(0), 5), Value::Int(0));
        assert_eq!(pow(&Value::Int(0), -1).err(), Some(NumberError::DivisionByZero));
        assert_eq!(pow(&Value::Int(2), i64::MAX).err(), Some(NumberError::TooLarge));
    }

    #[test]
    fn rounding() {
        same(truncate(&rat(-7, 2)), Value::Int(-3));
        same(floor(&rat(-7, 2)), Value::Int(-4));
        same(ceil(&rat(-7, 2)), Value::Int(-3));
        same(truncate(&Value::Float(2.9)), Value::Int(2));
    }
}

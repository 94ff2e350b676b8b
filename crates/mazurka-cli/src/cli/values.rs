//! Values on the command line: durations, sizes, orders, settings. Each parser says what it expected.

use crate::refusal::did_you_mean;
use mazurka_core::{Bound, Order};
use std::time::Duration;

/// A parameter of a program and the value it is given: `n=8`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// `name=value`.
pub fn setting(text: &str) -> Result<Setting, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => Ok(Setting {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
        }),
        _ => Err("expected NAME=VALUE, for example n=8".to_owned()),
    }
}

/// `500ms`, `30s`, `5m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a positive number with a unit: 500ms, 30s, 5m or 2h".to_owned();
    let (number, unit) = split(text).ok_or_else(expected)?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(expected()),
    };
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| expected())?;
    if duration.is_zero() { Err(expected()) } else { Ok(duration) }
}

/// `512M`, `2G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a positive number with a unit: 500K, 512M, 2G or 1T (or B for bytes)".to_owned();
    let (number, unit) = split(text).ok_or_else(expected)?;
    let unit = unit.to_ascii_uppercase();
    let factor = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" if unit == "B" => 1.0,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    let total = number * factor;
    if (1.0..1e18).contains(&total) {
        Ok(total as u64)
    } else {
        Err(expected())
    }
}

/// `fifo`, `eca`, `lca`, `stable`, `random:SEED`.
pub fn order(text: &str) -> Result<Order, String> {
    let names = ["fifo", "eca", "lca", "stable", "random"];
    match text.split_once(':') {
        Some(("random", seed)) => match seed.parse() {
            Ok(seed) => Ok(Order::Random(seed)),
            Err(_) => Err("expected a whole number as seed: random:7".to_owned()),
        },
        None if text == "random" => Ok(Order::Random(0)),
        None if text == "fifo" => Ok(Order::Fifo),
        None if text == "eca" => Ok(Order::Eca),
        None if text == "lca" => Ok(Order::Lca),
        None if text == "stable" => Ok(Order::Stable),
        _ => Err(format!(
            "unknown order{}; expected fifo, eca, lca, stable or random:SEED",
            did_you_mean(text, names)
        )),
    }
}

/// The order as the user writes it.
pub fn order_name(order: Order) -> String {
    match order {
        Order::Fifo => "fifo".to_owned(),
        Order::Eca => "eca".to_owned(),
        Order::Lca => "lca".to_owned(),
        Order::Stable => "stable".to_owned(),
        Order::Random(seed) => format!("random:{seed}"),
    }
}

/// A bound on how often a schedule departs from the simplest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within {
    most: u32,
    /// Every smaller bound first.
    deepening: bool,
}

impl Within {
    /// As the engine takes it.
    pub fn of(self, bound: fn(u32) -> Bound) -> Bound {
        let bound = bound(self.most);
        if self.deepening { bound.deepening() } else { bound }
    }
}

/// `2`, or `..3` for 0, 1, 2 and 3 in turn.
pub fn within(text: &str) -> Result<Within, String> {
    let (deepening, number) = text.strip_prefix("..").map_or((false, text), |rest| (true, rest));
    match number.parse() {
        Ok(most @ 0..=1_000_000) => Ok(Within { most, deepening }),
        _ => Err("expected a whole number up to a million, as in 2, or ..3 for 0, 1, 2 and 3 in turn".to_owned()),
    }
}

/// A positive whole number.
pub fn positive(text: &str) -> Result<u64, String> {
    whole(text, 1)
}

/// A whole number.
pub fn number(text: &str) -> Result<u64, String> {
    whole(text, 0)
}

fn whole(text: &str, least: u64) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(n) if n >= least => Ok(n),
        _ => Err(format!("expected a whole number from {least} to {}", u64::MAX)),
    }
}

/// A number of threads that a machine can be asked for.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=256).contains(&n) => Ok(n),
        _ => Err("expected a number of threads from 1 to 256".to_owned()),
    }
}

/// A number of columns that text can be laid out for.
pub fn width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (20..=400).contains(&n) => Ok(n),
        _ => Err("expected a number of columns from 20 to 400".to_owned()),
    }
}

fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    (number > 0.0).then_some((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for bad in ["", "5", "1.5", "s", "-3s", "0s", "3 weeks", "1e400s", "99999999999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("1000B"), Ok(1000));
        assert_eq!(bytes("64kB"), Ok(64 << 10));
        for bad in ["", "5", "1000", "G", "0G", "-1M", "2X", "2BB", "2I", "2IB", "9999999999T"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn orders_are_read_back() {
        for text in ["fifo", "eca", "lca", "stable", "random:7"] {
            assert_eq!(order_name(order(text).unwrap()), text);
        }
        assert!(order("fifoo").unwrap_err().contains("did you mean `fifo`?"));
        assert!(order("random:x").is_err());
    }

    #[test]
    fn settings_are_names_and_values() {
        assert_eq!(
            setting(" n = 8 "),
            Ok(Setting {
                name: "n".to_owned(),
                value: "8".to_owned()
            })
        );
        assert!(setting("n").is_err());
        assert!(setting("=8").is_err());
        assert!(setting("n=").is_err());
    }
}

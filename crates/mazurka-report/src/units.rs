//! Numbers as people read them.

use std::time::Duration;

/// `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 step`, `2 steps`, `1,000 steps`.
pub fn counted(n: u64, one: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else if one.ends_with("switch") || one.ends_with("process") {
        format!("{} {one}es", count(n))
    } else {
        format!("{} {one}s", count(n))
    }
}

/// Three significant digits: `950`, `12.3k`, `4.56M`.
pub fn approximate(n: f64) -> String {
    let steps = [(1e18, "e18"), (1e15, "e15"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    if !n.is_finite() {
        return "very many".to_owned();
    }
    for (unit, name) in steps {
        if n >= unit {
            return format!("{}{name}", three_digits(n / unit));
        }
    }
    format!("{n:.0}")
}

/// `7.3 MB`.
pub fn bytes(n: u64) -> String {
    let units = [(1u64 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")];
    for (unit, name) in units {
        if n >= unit {
            return format!("{} {name}", three_digits(n as f64 / unit as f64));
        }
    }
    format!("{n} B")
}

/// `0.3 ms`, `45 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`, `3 days`.
pub fn duration(d: Duration) -> String {
    let seconds = d.as_secs();
    if d < Duration::from_millis(10) {
        format!("{:.1} ms", d.as_secs_f64() * 1e3)
    } else if d < Duration::from_secs(1) {
        format!("{} ms", d.as_millis())
    } else if seconds < 60 {
        format!("{:.1} s", d.as_secs_f64())
    } else if seconds < 3600 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else if seconds < 48 * 3600 {
        format!("{} h {} min", seconds / 3600, seconds / 60 % 60)
    } else {
        format!("{} days", count(seconds / 86_400))
    }
}

fn three_digits(n: f64) -> String {
    if n < 10.0 {
        format!("{n:.2}")
    } else if n < 100.0 {
        format!("{n:.1}")
    } else {
        format!("{n:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(3, "context switch"), "3 context switches");
        assert_eq!(approximate(12_345.0), "12.3k");
        assert_eq!(approximate(950.0), "950");
        assert_eq!(approximate(f64::INFINITY), "very many");
        assert_eq!(bytes(7_340_032), "7.00 MB");
        assert_eq!(bytes(12), "12 B");
        assert_eq!(duration(Duration::from_micros(300)), "0.3 ms");
        assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(duration(Duration::from_secs(7_500)), "2 h 5 min");
    }
}

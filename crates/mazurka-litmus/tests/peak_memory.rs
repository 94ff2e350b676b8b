//! The memory of `optimal` does not grow with the number of executions.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::families;

#[test]
fn ten_writers_fit_into_64_megabytes() {
    let machine = families::machine("writers", &[10]);
    let mut search = search(&machine, &Options::new(Algorithm::parse("optimal").unwrap()), Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    assert_eq!(search.outcome().counts.executions, 3_628_800);
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        eprintln!("the peak memory is not checked: this system does not tell it");
        return;
    };
    let peak = status
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:"))
        .and_then(|l| l.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    assert!(peak.is_some_and(|kilobytes| kilobytes < 64 * 1024), "peak memory: {peak:?} kB");
}

//! How much memory the process holds.

/// Resident bytes, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    #[test]
    fn whole_pages_are_held() {
        if let Some(bytes) = super::resident_bytes() {
            assert!(bytes > 0 && bytes.is_multiple_of(4096), "{bytes}");
        }
    }
}

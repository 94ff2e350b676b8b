//! The compiler at hand.

use crate::failure::Failure;
use std::ffi::OsString;
use std::process::Command;

/// The oldest compiler that builds the façades.
const OLDEST: (u32, u32) = (1, 90);

/// A compiler.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// All that `rustc -vV` says: two that say the same are the same.
    pub version: String,
    /// The triple of the machine.
    pub host: String,
}

/// The cargo that has called this program, or the one in the path.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

impl Toolchain {
    /// That of the current folder.
    pub fn detect() -> Result<Self, Failure> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc).arg("-vV").output();
        let output = output.map_err(|e| Failure::new(format!("cannot run {}: {e}", rustc.display())))?;
        Toolchain::parse(&String::from_utf8_lossy(&output.stdout))
    }

    fn parse(version: &str) -> Result<Self, Failure> {
        let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let (Some(host), Some(release)) = (field("host:"), field("release:")) else {
            return Err(Failure::new(format!("cannot read the output of `rustc -vV`: {version}")));
        };
        let mut numbers = release.split(['.', '-']).map_while(|part| part.parse().ok());
        let found: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        if found < OLDEST {
            let (major, minor) = OLDEST;
            return Err(Failure::new(format!(
                "this is rustc {release}; the façades of `std` need {major}.{minor} or later. With an older compiler, use `mazurka::thread` and \
                 `mazurka::sync` instead"
            )));
        }
        Ok(Toolchain {
            version: version.to_owned(),
            host: host.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_read_and_old_compilers_are_refused() {
        let said = |release: &str| format!("rustc {release} (0 2026-01-01)\nhost: x86_64-unknown-linux-gnu\nrelease: {release}\n");
        let toolchain = Toolchain::parse(&said("1.97.0-nightly")).unwrap();
        assert_eq!(toolchain.host, "x86_64-unknown-linux-gnu");
        let refused = Toolchain::parse(&said("1.70.0")).unwrap_err().to_string();
        assert!(
            refused.starts_with("this is rustc 1.70.0; the façades of `std` need 1.90 or later"),
            "{refused}"
        );
        assert!(Toolchain::parse("clang version 17").is_err());
    }
}

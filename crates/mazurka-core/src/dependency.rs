//! `--dependency actor|field`: how finely steps on one actor or object are told apart.

use std::fmt;
use std::str::FromStr;

/// When two steps on the same actor depend on each other. Steps on different actors never do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dependency {
    /// Always: a whole actor is one location. The race relation is transitive then, which TransDPOR and sleep sets on persistent sets need.
    #[default]
    Actor,
    /// Only if they touch a common field and one of them writes it.
    Field,
}

impl Dependency {
    /// As the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Dependency::Actor => "actor",
            Dependency::Field => "field",
        }
    }
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dependency {
    type Err = String;

    /// ```
    /// use mazurka_core::Dependency;
    /// assert_eq!("field".parse(), Ok(Dependency::Field));
    /// assert_eq!("fields".parse::<Dependency>(), Err("unknown dependency `fields`; expected `actor` or `field`".to_owned()));
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "actor" => Ok(Dependency::Actor),
            "field" => Ok(Dependency::Field),
            _ => Err(format!("unknown dependency `{name}`; expected `actor` or `field`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (dependency, name) in [(Dependency::Actor, "actor"), (Dependency::Field, "field")] {
            assert_eq!(dependency.to_string(), name);
            assert_eq!(name.parse(), Ok(dependency));
        }
        assert!("actors".parse::<Dependency>().is_err());
    }
}

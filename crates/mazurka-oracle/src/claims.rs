//! What each algorithm claims to find. The comparison tests exactly this.

/// The claims of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// One execution for each interleaving.
    pub interleavings: bool,
    /// Every trace.
    pub traces: bool,
    /// No trace twice.
    pub once: bool,
    /// No execution abandoned because everything sleeps.
    pub unblocked: bool,
    /// Every final state, and every deadlocked one.
    pub finals: bool,
    /// Everything that the processes can know in the end.
    pub outcomes: bool,
    /// Every failure.
    pub failures: bool,
    /// Every set of values with which something fails, too. A failure that leaves the state the same whatever the values were can be met
    /// once for all of them.
    pub failure_values: bool,
    /// As many executions as there are final states.
    pub one_per_final: bool,
}

impl Claims {
    /// The claims of the algorithm of that name; none for published readings that are known to miss executions.
    pub fn of(algorithm: &str) -> Option<Claims> {
        if !mazurka_core::Algorithm::parse(algorithm).is_ok_and(|a| a.about().sound) {
            return None;
        }
        let combination = algorithm.split(':').next().unwrap_or_default();
        let mut parts = combination.split('+');
        let base = parts.next().unwrap_or_default();
        let modifiers: Vec<&str> = parts.collect();
        let mut claims = Claims {
            traces: true,
            finals: true,
            outcomes: true,
            failures: true,
            failure_values: true,
            ..Claims::default()
        };
        match base {
            "naive" => claims.interleavings = true,
            "source" => claims.once = true,
            "optimal" => (claims.once, claims.unblocked) = (true, true),
            _ => {}
        }
        claims.once |= modifiers.contains(&"sleep");
        if modifiers.contains(&"observers") {
            (claims.traces, claims.finals, claims.once) = (false, false, true);
        }
        if modifiers.iter().any(|m| ["context", "merge"].contains(m)) || base == "stateful" {
            (claims.traces, claims.unblocked, claims.failure_values) = (false, false, false);
            claims.one_per_final = modifiers.contains(&"merge");
        }
        Some(claims)
    }
}

//! Schedulers, as in `shuttle::scheduler`. They only say how many executions there may be: all are explored in the same way.

/// Says how many executions there may be. Schedulers of one's own cannot choose what runs next.
pub trait Scheduler {
    /// How many; `None` for all.
    fn iterations(&self) -> Option<usize>;

    /// A schedule to run instead.
    fn schedule(&self) -> Option<&str> {
        None
    }
}

macro_rules! limited {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone)]
            pub struct $name(usize);

            impl $name {
                /// For so many executions.
                pub fn new($($argument: $type,)* max_iterations: usize) -> Self {
                    let _ = ($($argument,)*);
                    $name(max_iterations)
                }

                /// The same: there is nothing random.
                pub fn new_from_seed(_: u64, $($argument: $type,)* max_iterations: usize) -> Self {
                    $name::new($($argument,)* max_iterations)
                }
            }

            impl Scheduler for $name {
                fn iterations(&self) -> Option<usize> {
                    Some(self.0)
                }
            }
        )*
    };
}

limited! {
    /// As shuttle's random scheduler.
    RandomScheduler();
    /// As shuttle's scheduler with few preemptions.
    PctScheduler(max_depth: usize);
    /// As shuttle's uniform random walk.
    UrwRandomScheduler();
    /// As shuttle's scheduler that takes turns.
    RoundRobinScheduler();
}

/// As shuttle's scheduler that tries all schedules.
#[derive(Debug, Clone)]
pub struct DfsScheduler(Option<usize>);

impl DfsScheduler {
    /// For so many executions, or all.
    pub fn new(max_iterations: Option<usize>, _allow_random_data: bool) -> Self {
        DfsScheduler(max_iterations)
    }
}

impl Scheduler for DfsScheduler {
    fn iterations(&self) -> Option<usize> {
        self.0
    }
}

/// Runs one schedule, as a failure has printed it.
#[derive(Debug, Clone)]
pub struct ReplayScheduler(String);

impl ReplayScheduler {
    /// This one.
    pub fn new_from_encoded(encoded_schedule: &str) -> Self {
        ReplayScheduler(encoded_schedule.to_owned())
    }

    /// The one in a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new_from_file(path: impl AsRef<std::path::Path>) -> std::io::Result<Self> {
        std::fs::read_to_string(path).map(ReplayScheduler)
    }
}

impl Scheduler for ReplayScheduler {
    fn iterations(&self) -> Option<usize> {
        Some(1)
    }

    fn schedule(&self) -> Option<&str> {
        Some(&self.0)
    }
}

/// As shuttle's scheduler that looks for nondeterminism, which every check does.
#[derive(Debug, Clone)]
pub struct UncontrolledNondeterminismCheckScheduler<S>(S);

impl<S: Scheduler> UncontrolledNondeterminismCheckScheduler<S> {
    /// With the executions of another one.
    pub fn new(scheduler: S) -> Self {
        UncontrolledNondeterminismCheckScheduler(scheduler)
    }
}

impl<S: Scheduler> Scheduler for UncontrolledNondeterminismCheckScheduler<S> {
    fn iterations(&self) -> Option<usize> {
        self.0.iterations()
    }
}

//! The floor under a search: the same new steps, run with all bookkeeping off.
//!
//! A [`Tape`] records which steps a search took and at which depth. Playing it copies states and takes steps, nothing else: no search can
//! be faster with these states. The ratio R1 of a search to its floor says how much the bookkeeping costs.

use mazurka_core::{Algorithm, Effects, Observer, Options, Program, SearchError, Status, Transition, search};

/// The steps of a search, each with the depth at which it was taken.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    steps: Vec<(u32, Transition)>,
}

struct Recorder<'a>(&'a mut Tape);

impl<S> Observer<S> for Recorder<'_> {
    fn step(&mut self, depth: usize, transition: Transition) {
        self.0.steps.push((depth as u32, transition));
    }
}

impl Tape {
    /// Runs a whole search and records its steps.
    pub fn record<P: Program>(program: &P, algorithm: &str) -> Result<Tape, SearchError>
    where
        P::State: Clone,
    {
        let mut tape = Tape::default();
        let options = Options::new(Algorithm::parse(algorithm)?).keep_going(true);
        let mut search = search(program, &options, Recorder(&mut tape))?;
        while search.advance(1 << 20) == Status::Running {}
        drop(search);
        Ok(tape)
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Runs the steps again, and nothing else. Returns a number that depends on all of them, so that none can be left out.
    pub fn play<P: Program>(&self, program: &P) -> u128
    where
        P::State: Clone,
    {
        let mut runs = vec![program.start()];
        let mut effects = Effects::default();
        let mut sum = 0;
        for &(depth, transition) in &self.steps {
            let depth = depth as usize;
            if runs.len() == depth + 1 {
                runs.push(runs[depth].clone());
            } else {
                let (now, later) = runs.split_at_mut(depth + 1);
                later[0].clone_from(&now[depth]);
            }
            effects.clear();
            program.step(&mut runs[depth + 1], transition, &mut effects);
            sum ^= program.fingerprint(&runs[depth + 1]);
        }
        sum
    }
}

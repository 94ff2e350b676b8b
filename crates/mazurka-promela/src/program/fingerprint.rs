//! 128 bits for a whole state.

const SEEDS: [u64; 2] = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];
const FACTORS: [u64; 2] = [0xA409_3822_299F_31D1, 0x082E_FA98_EC4E_6C89];

/// A product of two words, both halves folded into one.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes words into two lanes that share nothing but the input.
pub(crate) struct Hasher([u64; 2]);

impl Hasher {
    pub fn new() -> Self {
        Hasher(SEEDS)
    }

    #[inline]
    pub fn word(&mut self, word: u64) {
        self.0[0] = fold(self.0[0] ^ word, FACTORS[0]).wrapping_add(word.rotate_left(29));
        self.0[1] = fold(self.0[1] ^ word.rotate_left(32), FACTORS[1]).wrapping_add(word);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let (chunks, rest) = bytes.as_chunks();
        chunks.iter().for_each(|&chunk| self.word(u64::from_le_bytes(chunk)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub fn finish(&self) -> u128 {
        let a = fold(self.0[0] ^ SEEDS[1], FACTORS[1]);
        let b = fold(self.0[1] ^ SEEDS[0], FACTORS[0]);
        u128::from(a ^ self.0[1].rotate_left(17)) << 64 | u128::from(b ^ self.0[0].rotate_left(41))
    }

    /// The first lane alone.
    pub fn short(&self) -> u32 {
        (fold(self.0[0] ^ SEEDS[1], FACTORS[1]) >> 20) as u32
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::State;
    use crate::program::{Promela, PromelaStates, Run};
    use crate::{FaultKind, parse_text};
    use mazurka_core::{Effects, Pending, Program, States};

    /// Every kind of thing that a state is made of: scalars, arrays, records, channels of processes and of none, messages, priorities,
    /// hidden variables of which one is read, processes that were started.
    const MODEL: &str = "typedef R { short f; bit g[2] }
        byte x = 1, a[2]; R r; hidden int h; hidden byte seen; mtype = { red }; mtype m = red;
        chan q = [2] of { byte, short }; chan k = [1] of { chan };
        proctype C(byte v; chan w) priority 2 { byte z; chan own = [1] of { byte }; w!v,3; own!1; set_priority(0, 3); z == 1 }
        init { byte i = 7; h = 1; k!q; run C(5, q); run C(6, q); i == 8 + seen }";

    fn promela(text: &str) -> Promela {
        let parsed = parse_text("model.pml", text, &[]);
        let Some(machine) = parsed.machine else {
            panic!("{}", parsed.diagnostics.render(&parsed.sources, false))
        };
        Promela::new(machine, parsed.sources)
    }

    /// The states on the way that always takes the first step.
    fn way(promela: &Promela) -> Vec<Run> {
        let mut runs = vec![promela.start()];
        loop {
            let mut next = runs[runs.len() - 1].clone();
            let mut pending: Vec<Pending> = Vec::new();
            promela.pending(&next, &mut pending);
            let Some(first) = pending.iter().find(|p| p.enabled) else {
                return runs;
            };
            promela.step(&mut next, first.transition, &mut Effects::default());
            runs.push(next);
        }
    }

    fn encoding(states: &PromelaStates<'_>, state: &State) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(states.encode(state, &mut out));
        out
    }

    #[test]
    fn every_byte_of_a_state_is_noticed_but_those_of_hidden_variables() {
        let promela = promela(MODEL);
        let states = PromelaStates::new(&promela);
        let hidden = &promela.machine().model().hidden;
        assert_eq!(hidden.iter().map(|range| range.len()).sum::<usize>(), 4, "`h`, and not `seen`");
        for run in way(&promela) {
            for at in 0..run.state.bytes().len() {
                let mut other = run.clone();
                other.state.bytes_mut()[at] ^= 1;
                let noticed = [
                    promela.fingerprint(&run) != promela.fingerprint(&other),
                    states.fingerprint(&run.state) != states.fingerprint(&other.state),
                    encoding(&states, &run.state) != encoding(&states, &other.state),
                ];
                // Hidden variables that nothing reads are no part of what tells states apart: that is what `hidden` asks for.
                let expected = !hidden.iter().any(|range| range.contains(&(at as u32)));
                assert_eq!(noticed, [expected; 3], "byte {at}");
            }
        }
    }

    #[test]
    fn the_rest_of_a_state_follows_from_its_bytes() {
        let promela = promela(MODEL);
        for run in way(&promela) {
            let mut loaded = State::default();
            promela.machine().load(run.state.bytes(), &mut loaded);
            assert_eq!(loaded, run.state);
        }
    }

    #[test]
    fn who_a_process_is_and_what_it_started_are_noticed_and_failures_too() {
        let promela = promela(MODEL);
        for run in way(&promela) {
            let Run {
                state: _,
                names,
                children,
                // A model that cannot start has one state only: there is nothing to tell it from.
                fault: _,
                failed: _,
            } = &run;
            let fingerprint = promela.fingerprint(&run);
            for slot in 0..names.len() {
                let mut other = run.clone();
                other.names[slot] += 1;
                assert_ne!(promela.fingerprint(&other), fingerprint);
            }
            for slot in 0..children.len() {
                let mut other = run.clone();
                other.children[slot] += 1;
                assert_ne!(promela.fingerprint(&other), fingerprint);
            }
            let mut other = run.clone();
            other.failed ^= 1;
            assert_ne!(promela.fingerprint(&other), fingerprint);
        }
    }

    #[test]
    fn a_model_that_cannot_start_has_one_state() {
        let promela = promela("byte z; byte x = 1 / z; active proctype p() { x = 1 }");
        let run = promela.start();
        assert_eq!(run.fault.as_ref().map(|f| f.kind.clone()), Some(FaultKind::DivisionByZero));
        let mut pending = Vec::new();
        promela.pending(&run, &mut pending);
        assert_eq!(pending, []);
        let mut failures = Vec::new();
        promela.failures_at_end(&run, &mut failures);
        assert_eq!(failures.len(), 1);
        let mut successors = 0;
        PromelaStates::new(&promela).successors(&run.state, |_| successors += 1);
        assert_eq!(successors, 0);
    }

    #[test]
    fn different_failed_assertions_are_different_states() {
        let promela = promela("active proctype p() { if :: assert(0 == 1) :: assert(0 == 2) fi }");
        let mut after = Vec::new();
        for choice in 0..2 {
            let mut run = promela.start();
            let mut pending = Vec::new();
            promela.pending(&run, &mut pending);
            promela.step(&mut run, pending[choice].transition, &mut Effects::default());
            after.push(promela.fingerprint(&run));
        }
        assert_ne!(after[0], after[1]);
    }
}

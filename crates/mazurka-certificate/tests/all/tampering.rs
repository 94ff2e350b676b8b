//! Certificates that are incomplete, changed or of something else are refused.

use crate::programs::HARD;
use crate::support::{check, claims, explore, write};
use mazurka_certificate::{Claims, Compressed, Rejection};
use mazurka_litmus::{Machine, family};
use std::io::Write;

/// As many changes as there is time for: `CHANGES=1000000` looks at more.
fn changes() -> u64 {
    std::env::var("CHANGES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000)
}

/// A small generator of random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn programs() -> Vec<Machine> {
    let mut list: Vec<Machine> = HARD.iter().map(|(text, _)| Machine::parse(text).unwrap()).collect();
    for (name, n) in [("readers", 5), ("lastzero", 5), ("philosophers", 4)] {
        list.push(family(name).unwrap().machine(&[("n".to_owned(), n)]).unwrap());
    }
    list
}

#[test]
fn each_missing_execution_is_noticed() {
    for machine in programs() {
        let (executions, outcome) = explore(&machine, "optimal");
        for left_out in 0..executions.len() {
            let mut fewer = executions.clone();
            fewer.remove(left_out);
            let claims = Claims {
                executions: fewer.len() as u64,
                ..claims(&outcome)
            };
            // Where a final state or a failure is lost, the claims alone tell; so every count is tried.
            for final_states in 0..=claims.final_states {
                for deadlocks in 0..=claims.deadlocks {
                    let claims = Claims {
                        final_states,
                        deadlocks,
                        ..claims.clone()
                    };
                    let refused = check(&machine, &write(&machine, &fewer, &claims));
                    assert!(matches!(refused, Err(Rejection::Refused(_))), "{left_out}: {refused:?}");
                }
            }
        }
    }
}

#[test]
fn changed_claims_are_noticed() {
    for machine in programs() {
        let (executions, outcome) = explore(&machine, "optimal");
        let right = claims(&outcome);
        check(&machine, &write(&machine, &executions, &right)).unwrap();
        let mut wrong = vec![
            Claims {
                executions: right.executions + 1,
                ..right.clone()
            },
            Claims {
                final_states: right.final_states + 1,
                ..right.clone()
            },
            Claims {
                deadlocks: right.deadlocks + 1,
                ..right.clone()
            },
        ];
        if !right.failures.is_empty() {
            wrong.push(Claims {
                failures: Vec::new(),
                ..right.clone()
            });
        }
        for claims in wrong {
            assert!(matches!(
                check(&machine, &write(&machine, &executions, &claims)),
                Err(Rejection::Refused(_))
            ));
        }
    }
}

/// Bytes are changed, left out and added, and the sum made right again: what is accepted must say what the original says.
#[test]
fn whatever_is_changed_nothing_false_is_accepted() {
    let mut random = Random(1);
    let programs = programs();
    let certificates: Vec<Vec<u8>> = programs
        .iter()
        .map(|machine| {
            let (executions, outcome) = explore(machine, "optimal");
            write(machine, &executions, &claims(&outcome))
        })
        .collect();
    let rights: Vec<_> = programs
        .iter()
        .zip(&certificates)
        .map(|(m, c)| check(m, c).unwrap().proved)
        .collect();
    for change in 0..changes() {
        let which = random.below(programs.len());
        let mut bytes = certificates[which].clone();
        bytes.truncate(bytes.len() - 8);
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.next() as u8,
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, random.next() as u8),
                4 => bytes.truncate(at),
                _ => {
                    let other = &certificates[random.below(certificates.len())];
                    let from = random.below(other.len());
                    let piece = other[from..(from + random.below(12)).min(other.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, b| {
            (sum ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        bytes.extend_from_slice(&sum.to_le_bytes());
        if let Ok(verified) = check(&programs[which], &bytes) {
            assert_eq!(verified.proved, rights[which], "change {change}");
        }
    }
}

#[test]
fn truncated_anywhere_it_is_refused() {
    let machine = &programs()[3];
    let (executions, outcome) = explore(machine, "optimal");
    let certificate = write(machine, &executions, &claims(&outcome));
    for length in 0..certificate.len() {
        assert!(check(machine, &certificate[..length]).is_err(), "{length}");
    }
    let mut longer = certificate.clone();
    longer.push(0);
    assert!(check(machine, &longer).is_err());
}

#[test]
fn certificates_of_other_programs_prove_nothing() {
    let programs = programs();
    for (i, one) in programs.iter().enumerate() {
        let (executions, outcome) = explore(one, "optimal");
        let certificate = write(one, &executions, &claims(&outcome));
        for (j, other) in programs.iter().enumerate() {
            assert_eq!(check(other, &certificate).is_ok(), i == j, "{i} {j}");
        }
    }
}

/// Lengths that are not true cost neither time nor memory, compressed or not.
#[test]
fn endless_claims_and_executions_are_refused_at_once() {
    let machine = Machine::parse("p0:[x=1] p1:[x=2]").unwrap();
    let (executions, outcome) = explore(&machine, "optimal");
    let claims = claims(&outcome);
    let whole = write(&machine, &executions, &claims);
    // Each of the four numbers of the claims takes a byte, and the sum eight.
    let list = &whole[..whole.len() - 12];
    let counts = [claims.executions, claims.final_states, claims.deadlocks].map(|n| n as u8);
    assert_eq!(&whole[list.len()..list.len() + 3], counts);
    let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    // All failures that there can be; and an execution that goes back one step and on for ever.
    let endless = [[list, &counts, &most].concat(), [&list[..list.len() - 1], &[2], &most].concat()];
    for mut bytes in endless {
        bytes.resize(bytes.len() + (8 << 20), 0);
        let mut small = Compressed::new(Vec::new());
        small.write_all(&bytes).unwrap();
        assert!(check(&machine, &small.finish().unwrap()).is_err());
        assert!(check(&machine, &bytes).is_err());
    }
    let mut small = Compressed::new(Vec::new());
    small.write_all(&whole).unwrap();
    check(&machine, &small.finish().unwrap()).unwrap();
}

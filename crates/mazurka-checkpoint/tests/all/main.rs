//! What is kept is found again, and what was damaged is never taken for it.

use mazurka_checkpoint::{Asked, Store, Why};
use std::path::Path;

fn asked() -> Asked {
    Asked {
        directory: "/home/me".to_owned(),
        arguments: ["check", "bank.litmus", "--checkpoint", "d"].map(str::to_owned).to_vec(),
        digest: 7 << 100,
    }
}

/// So many bytes that tell where they belong.
fn state(len: usize, seed: u8) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8 ^ seed).collect()
}

fn file(dir: &Path) -> std::path::PathBuf {
    dir.join("checkpoint.redb")
}

#[test]
fn the_last_state_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("a/b");
    let mut store = Store::create(&dir, &asked(), &state(10, 0)).unwrap();
    assert_eq!(Store::open(&dir).err().unwrap().why, Why::InUse);
    for len in [0, 100_000, 3_000_000, 5] {
        store.save(&state(len, 1)).unwrap();
        drop(store);
        let (again, question, kept) = Store::open(&dir).unwrap();
        assert_eq!((question, kept), (asked(), state(len, 1)));
        store = again;
    }
    drop(store);
    assert_eq!(Store::create(&dir, &asked(), &[]).err().unwrap().why, Why::Occupied);
}

#[test]
fn what_was_not_finished_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Store::open(dir.path()).err().unwrap().why, Why::Missing);
    assert_eq!(Store::open(&dir.path().join("nowhere")).err().unwrap().why, Why::Missing);
    std::fs::write(dir.path().join("checkpoint.redb.new"), "half of it").unwrap();
    assert_eq!(Store::open(dir.path()).err().unwrap().why, Why::Missing);
    Store::create(dir.path(), &asked(), b"state").unwrap();
    assert_eq!(Store::open(dir.path()).unwrap().2, b"state");
}

#[test]
fn what_is_no_checkpoint_is_foreign() {
    let dir = tempfile::tempdir().unwrap();
    for text in ["", "not a database", &"not a database".repeat(10_000)] {
        std::fs::write(file(dir.path()), text).unwrap();
        let why = Store::open(dir.path()).err().unwrap().why;
        assert!(matches!(why, Why::Foreign | Why::Torn), "{why:?}");
    }
    let plain = dir.path().join("plain");
    std::fs::write(&plain, "a file").unwrap();
    assert_eq!(Store::create(&plain, &asked(), &[]).err().unwrap().why, Why::Foreign);
}

#[test]
fn damage_is_noticed_or_does_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::create(dir.path(), &asked(), &state(500, 0)).unwrap();
    store.save(&state(9_000, 1)).unwrap();
    drop(store);
    let good = std::fs::read(file(dir.path())).unwrap();
    let mut noticed = 0;
    let mut check = |bytes: &[u8]| {
        std::fs::write(file(dir.path()), bytes).unwrap();
        match Store::open(dir.path()) {
            // The state before may still be there, and be what the store goes back to.
            Ok((_, question, kept)) => assert!(question == asked() && [state(9_000, 1), state(500, 0)].contains(&kept)),
            Err(unusable) => {
                noticed += 1;
                assert!(!matches!(unusable.why, Why::Missing | Why::Occupied | Why::InUse), "{unusable}");
            }
        }
    };
    for at in (0..good.len()).step_by(good.len() / 25) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        check(&bytes);
        check(&good[..at]);
    }
    let holes = good.iter().enumerate().filter(|(_, byte)| **byte != 0).map(|(at, _)| at);
    for at in holes.step_by(1499) {
        let mut bytes = good.clone();
        bytes[at] = !bytes[at];
        check(&bytes);
    }
    assert!(noticed > 20, "{noticed}");
}

//! Two threads count hits, and one hit gets lost: `cargo run -p mazurka-native --example lost_update`.

use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, thread};

fn main() {
    let lost = Check::new().run(|| {
        let hits = Arc::new(AtomicU32::new(0));
        let handles: Vec<_> = (0..2)
            .map(|_| {
                let hits = Arc::clone(&hits);
                thread::spawn(move || hits.store(hits.load(SeqCst) + 1, SeqCst))
            })
            .collect();
        handles.into_iter().for_each(|h| h.join().unwrap());
        assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
    });
    println!("{}", lost.report());
    let deadlock = Check::new().run(|| {
        let accounts = Arc::new([Mutex::new(10), Mutex::new(20)]);
        let transfer = |from: usize, to: usize| {
            let accounts = Arc::clone(&accounts);
            thread::Builder::new()
                .name(format!("{from} to {to}"))
                .spawn(move || {
                    let mut source = accounts[from].lock().unwrap();
                    let mut target = accounts[to].lock().unwrap();
                    *source -= 1;
                    *target += 1;
                })
                .unwrap()
        };
        let (one, two) = (transfer(0, 1), transfer(1, 0));
        one.join().unwrap();
        two.join().unwrap();
    });
    println!("{}", deadlock.report());
}

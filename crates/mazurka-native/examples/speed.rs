//! How fast executions of threads are: `cargo run --release -p mazurka-native --example speed`.

use mazurka_native::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_native::sync::mpsc::channel;
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, thread};
use std::time::Instant;

fn writers(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    for i in 0..n {
        let x = Arc::clone(&x);
        thread::spawn(move || x.store(i, SeqCst));
    }
}

fn registry(n: u64) {
    let (sender, receiver) = channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap());
    }
    drop(sender);
    assert_eq!(receiver.iter().sum::<u64>(), n * (n - 1) / 2);
}

fn philosophers(n: usize) {
    let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..n).map(|_| Mutex::new(())).collect());
    for i in 0..n {
        let forks = Arc::clone(&forks);
        thread::spawn(move || {
            let _left = forks[i].lock().unwrap();
            let _right = forks[(i + 1) % n].lock().unwrap();
        });
    }
}

fn measure(name: &str, f: fn()) {
    let (mut executions, start) = (0, Instant::now());
    while start.elapsed().as_millis() < 1_000 {
        executions += Check::new().ignore_deadlocks().run(f).executions();
    }
    let rate = executions as f64 / start.elapsed().as_secs_f64();
    println!("{name:<20} {:>9.0} executions per second", rate);
}

fn main() {
    measure("writers(8)", || writers(8));
    measure("registry(7)", || registry(7));
    measure("philosophers(8)", || philosophers(8));
}

//! The programs, written once and compiled against each tool.

/// What a tool calls `std`.
macro_rules! programs {
    ($tool:ident, $std:path $(, $door:ident)?) => {
        pub mod $tool {
            use $std as tool;
            use tool::sync::atomic::{AtomicUsize, Ordering::SeqCst};
            use tool::sync::mpsc::channel;
            use tool::sync::{Arc, Mutex};
            use tool::thread::{self, JoinHandle};

            fn join(threads: Vec<JoinHandle<()>>) {
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }

            /// `n` threads write one variable.
            pub fn writers(n: usize) {
                let x = Arc::new(AtomicUsize::new(0));
                let write = |i| {
                    let x = x.clone();
                    thread::spawn(move || x.store(i, SeqCst))
                };
                join((0..n).map(write).collect());
            }

            /// One thread writes `n` variables, each of which another one reads.
            pub fn readers(n: usize) {
                let cells: Arc<Vec<AtomicUsize>> = Arc::new((0..n).map(|_| AtomicUsize::new(0)).collect());
                let mut threads: Vec<_> = (0..n)
                    .map(|i| {
                        let cells = cells.clone();
                        thread::spawn(move || assert!(cells[i].load(SeqCst) < 2))
                    })
                    .collect();
                threads.push(thread::spawn(move || (0..n).for_each(|i| cells[i].store(1, SeqCst))));
                join(threads);
            }

            /// `n` threads count under a lock.
            pub fn counter(n: usize) {
                let count = Arc::new(Mutex::new(0));
                let add = |_| {
                    let count = count.clone();
                    thread::spawn(move || *count.lock().unwrap() += 1)
                };
                join((0..n).map(add).collect());
                assert_eq!(*count.lock().unwrap(), n);
            }

            /// `n` threads send to one that receives.
            pub fn registry(n: usize) {
                let (sender, receiver) = channel();
                let send = |i| {
                    let sender = sender.clone();
                    thread::spawn(move || sender.send(i).unwrap())
                };
                let threads = (0..n).map(send).collect();
                let sum: usize = (0..n).map(|_| receiver.recv().unwrap()).sum();
                assert_eq!(sum, n * (n - 1) / 2);
                join(threads);
            }

            /// `n` philosophers take their forks in order, so that nobody waits for ever.
            pub fn philosophers(n: usize) {
                let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..n).map(|_| Mutex::new(())).collect());
                let dine = |i: usize| {
                    let forks = forks.clone();
                    thread::spawn(move || {
                        let (first, second) = (i.min((i + 1) % n), i.max((i + 1) % n));
                        let _one = forks[first].lock().unwrap();
                        let _other = forks[second].lock().unwrap();
                    })
                };
                join((0..n).map(dine).collect());
            }

            /// The program of this name.
            pub fn named(name: &str) -> Option<fn(usize)> {
                Some(match name {
                    "writers" => writers,
                    "readers" => readers,
                    "counter" => counter,
                    "registry" => registry,
                    "philosophers" => philosophers,
                    $("door" => super::$door::open,)?
                    _ => return None,
                })
            }
        }
    };
}

/// `n` threads wait until another one opens the door: for tools with condition variables.
macro_rules! door {
    ($name:ident, $std:path) => {
        mod $name {
            use tool::sync::{Arc, Condvar, Mutex};
            use tool::thread;
            use $std as tool;

            pub fn open(n: usize) {
                let door = Arc::new((Mutex::new(false), Condvar::new()));
                let wait = |_| {
                    let door = door.clone();
                    thread::spawn(move || {
                        let mut open = door.0.lock().unwrap();
                        while !*open {
                            open = door.1.wait(open).unwrap();
                        }
                    })
                };
                let threads: Vec<_> = (0..n).map(wait).collect();
                *door.0.lock().unwrap() = true;
                door.1.notify_all();
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }
        }
    };
}

door!(door_of_loom, ::loom);
door!(door_of_mazurka, ::mazurka);
door!(door_of_shuttle, ::shuttle);
programs!(loom, ::loom, door_of_loom);
programs!(mazurka, ::mazurka, door_of_mazurka);
programs!(shuttle, ::shuttle, door_of_shuttle);
programs!(traceforge, crate::traceforge);

//! The programs, written once and compiled against each tool, and as shared variables.

macro_rules! programs {
    ($tool:ident, $std:path) => {
        pub mod $tool {
            use tool::sync::atomic::{
                AtomicUsize,
                Ordering::{Acquire, Relaxed, Release},
            };
            use tool::sync::{Arc, Mutex};
            use tool::thread;
            use $std as tool;

            type Cells = Arc<Vec<AtomicUsize>>;

            fn run(n: usize, cells: usize, each: fn(usize, usize, &Cells)) {
                let shared: Cells = Arc::new((0..cells).map(|_| AtomicUsize::new(0)).collect());
                let threads: Vec<_> = (0..n)
                    .map(|i| {
                        let shared = shared.clone();
                        thread::spawn(move || each(i, n, &shared))
                    })
                    .collect();
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }

            /// The program of this name.
            pub fn named(name: &str) -> Option<fn(usize)> {
                Some(match name {
                    "sb" => |n| {
                        run(n, n, |i, n, x| {
                            x[i].store(1, Relaxed);
                            x[(i + 1) % n].load(Relaxed);
                        })
                    },
                    "lb" => |n| {
                        run(n, n, |i, n, x| {
                            x[(i + 1) % n].load(Relaxed);
                            x[i].store(1, Relaxed);
                        })
                    },
                    "2+2W" => |n| {
                        run(n, n, |i, n, x| {
                            x[i].store(1, Relaxed);
                            x[(i + 1) % n].store(2, Relaxed);
                        })
                    },
                    "mp" => |n| {
                        run(n, 2, |i, _, x| {
                            if i == 0 {
                                x[0].store(1, Relaxed);
                                x[1].store(1, Release);
                            } else {
                                x[1].load(Acquire);
                                x[0].load(Relaxed);
                            }
                        })
                    },
                    "writers" => |n| run(n, 1, |i, _, x| x[0].store(i + 1, Relaxed)),
                    "readers" => |n| {
                        run(n + 1, 1, |i, _, x| {
                            if i == 0 {
                                x[0].store(1, Relaxed);
                            } else {
                                x[0].load(Relaxed);
                            }
                        })
                    },
                    "ainc" => |n| {
                        run(n, 1, |_, _, x| {
                            x[0].fetch_add(1, Relaxed);
                        })
                    },
                    "mutex" => |n| {
                        let count = Arc::new(Mutex::new(0));
                        let threads: Vec<_> = (0..n)
                            .map(|_| {
                                let count = count.clone();
                                thread::spawn(move || *count.lock().unwrap() += 1)
                            })
                            .collect();
                        threads.into_iter().for_each(|thread| thread.join().unwrap());
                    },
                    _ => return None,
                })
            }
        }
    };
}

programs!(loom, ::loom);
programs!(mazurka, ::mazurka);

/// The program as shared variables.
pub fn text(name: &str, n: usize) -> Option<String> {
    let each = |threads: usize, cells: usize, body: &dyn Fn(usize) -> String| {
        let mut out = format!("init c[{cells}], m;\n");
        (0..threads).for_each(|i| out += &format!("p{i}:{}\n", body(i)));
        out
    };
    let next = |i: usize| (i + 1) % n;
    Some(match name {
        "sb" => each(n, n, &|i| format!("[c[{i}].store(1, rlx)][l=c[{}].load(rlx)]", next(i))),
        "lb" => each(n, n, &|i| format!("[l=c[{}].load(rlx)][c[{i}].store(1, rlx)]", next(i))),
        "2+2W" => each(n, n, &|i| format!("[c[{i}].store(1, rlx)][c[{}].store(2, rlx)]", next(i))),
        "mp" => each(n, 2, &|i| match i {
            0 => "[c[0].store(1, rlx)][c[1].store(1, rel)]".to_owned(),
            _ => "[l=c[1].load(acq)][l2=c[0].load(rlx)]".to_owned(),
        }),
        "writers" => each(n, 1, &|i| format!("[c[0].store({}, rlx)]", i + 1)),
        "readers" => each(n + 1, 1, &|i| match i {
            0 => "[c[0].store(1, rlx)]".to_owned(),
            _ => "[l=c[0].load(rlx)]".to_owned(),
        }),
        "ainc" => each(n, 1, &|_| "[c[0].fetch_add(1, rlx)]".to_owned()),
        "mutex" => each(n, 1, &|_| "[lock m][l=c[0].load(na)][c[0].store(l+1, na)][unlock m]".to_owned()),
        _ => return None,
    })
}

//! Random programs over the interface of `std`.

/// A statement. Objects are few, so that threads meet.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Load(usize),
    Store(usize, i64),
    Add(usize),
    Swap(usize, i64),
    CompareExchange(usize, i64, i64),
    Lock(usize, Body),
    TryLock(usize, Body),
    IsPoisoned(usize),
    ClearPoison(usize),
    Read(Body),
    Write(Body),
    TryRead(Body),
    TryWrite(Body),
    RwIsPoisoned,
    RwClearPoison,
    /// Sets the flag, and notifies one or all.
    Notify(bool),
    Wait,
    /// Waits for the flag no longer than a moment.
    WaitTimeout,
    Once(Body),
    OnceForce(Body),
    OnceIsCompleted,
    CellGet,
    CellSet(i64),
    CellInit(Body, i64),
    Lazy(Body),
    Send(i64),
    Receive,
    TryReceive,
    ReceiveTimeout,
    DropSender,
    DropReceiver,
    SyncSend(i64),
    SyncTrySend(i64),
    SyncReceive,
    SyncTryReceive,
    SyncReceiveTimeout,
    SyncDropSender,
    SyncDropReceiver,
    Barrier,
    Park,
    ParkTimeout,
    Unpark,
    Yield,
    IsFinished,
    Join,
    Scope(Vec<Body>),
    Catch(Body),
    Panic(i64),
    /// A guard that is dropped while a panic unwinds.
    Guarded(Body),
    Upgrade,
    DropShared,
    StrongCount,
    TryUnwrap,
    /// Every iteration over a channel.
    Drain,
}

pub(super) type Body = Vec<Statement>;

/// What the threads do; the first is the one that starts the others. And how much the bounded channel holds.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub threads: Vec<Body>,
    pub bound: usize,
}

/// Small, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

struct Generator {
    random: Random,
    threads: u64,
    /// What is drawn from: each program has a few kinds of statements, so that they meet.
    kinds: Vec<u64>,
}

impl Generator {
    fn body(&mut self, depth: u32, me: u64) -> Body {
        let n = if depth == 0 { 0 } else { self.random.below(3) };
        (0..n).map(|_| self.statement(depth - 1, me)).collect()
    }

    fn statement(&mut self, depth: u32, me: u64) -> Statement {
        use Statement::*;
        let x = self.random.below(2) as usize;
        let v = self.random.below(3) as i64;
        let flag = self.random.below(2) == 0;
        let alone = self.threads == 1;
        let kind = self.kinds[self.random.below(self.kinds.len() as u64) as usize];
        match (kind, self.random.below(6)) {
            (0, 0) => Load(x),
            (0, 1) => Store(x, v),
            (0, 2) => Add(x),
            (0, 3) => Swap(x, v),
            (0, _) => CompareExchange(x, v, self.random.below(3) as i64),
            (1, 0..=2) => Lock(x, self.body(depth, me)),
            (1, 3) => TryLock(x, self.body(depth, me)),
            (1, 4) => IsPoisoned(x),
            (1, _) => ClearPoison(x),
            (2, 0) => Read(self.body(depth, me)),
            (2, 1) => Write(self.body(depth, me)),
            (2, 2) => TryRead(self.body(depth, me)),
            (2, 3) => TryWrite(self.body(depth, me)),
            (2, 4) => RwIsPoisoned,
            (2, _) => RwClearPoison,
            (3, 0..=2) => Notify(flag),
            (3, 3) => WaitTimeout,
            (3, _) => Wait,
            (4, 0 | 1) => Once(self.body(depth, me)),
            (4, 2) => OnceForce(self.body(depth, me)),
            (4, 3) => OnceIsCompleted,
            (4, _) => Lazy(self.body(depth, me)),
            (5, 0) => CellGet,
            (5, 1 | 2) => CellSet(v),
            (5, _) => CellInit(self.body(depth, me), v),
            (6, 0..=2) => Send(v),
            (6, 3) if me == 0 => Receive,
            (6, 4) if me == 0 => TryReceive,
            (6, 5) if me == 0 => [ReceiveTimeout, DropReceiver, Drain][self.random.below(3) as usize].clone(),
            (6, _) => DropSender,
            (7, 0) => SyncSend(v),
            (7, 1) => SyncTrySend(v),
            (7, 2) if me == 0 => SyncReceive,
            (7, 3) if me == 0 => SyncTryReceive,
            (7, 4) if me == 0 && flag => SyncReceiveTimeout,
            (7, 5) if me == 0 => SyncDropReceiver,
            (7, 5) => SyncDropSender,
            (7, _) => SyncSend(v),
            (8, 0 | 1) if me == 0 => Park,
            (8, 2) if me == 0 => ParkTimeout,
            (8, _) => Unpark,
            (9, 0) => Barrier,
            (9, 1) => Yield,
            (9, 2 | 3) if me == 0 => IsFinished,
            (9, _) if me == 0 => Join,
            (9, _) => Yield,
            (10, _) if depth > 0 => {
                let n = self.random.below(if alone { 2 } else { 3 });
                Scope((0..n).map(|_| if alone { Vec::new() } else { self.body(depth, me + 10) }).collect())
            }
            (11, 0 | 1) => Catch(self.body(depth, me)),
            (11, 2) => Guarded(self.body(depth, me)),
            (11, _) => Panic(v),
            (12, 0 | 1) => Upgrade,
            (12, 2) => DropShared,
            (12, 3) => StrongCount,
            (12, _) => TryUnwrap,
            _ => Load(x),
        }
    }
}

/// The program of this number, with so many threads at most.
pub(super) fn random(seed: u64, threads: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.below(2);
    let threads = if threads == 1 { 1 } else { 2 + random.below(threads - 1) };
    let mut kinds: Vec<u64> = (0..3).map(|_| random.below(13)).collect();
    // Panics show what others are made of.
    if random.below(2) == 0 {
        kinds.push(11);
    }
    // Channels and scopes of `std` may take the token that `park` waits for.
    if kinds.contains(&8) {
        kinds.retain(|kind| ![6, 7, 10].contains(kind));
    }
    let longest = if threads == 1 { 8 } else { 6 / threads };
    let mut generator = Generator { random, threads, kinds };
    let threads = (0..threads)
        .map(|me| {
            let n = 1 + generator.random.below(longest);
            (0..n).map(|_| generator.statement(if threads == 1 { 3 } else { 2 }, me)).collect()
        })
        .collect();
    Program {
        threads,
        bound: generator.random.below(3) as usize,
    }
}

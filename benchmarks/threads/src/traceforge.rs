//! What the programs need of `std`, on TraceForge's terms: it checks threads that send messages, so an atomic or a lock is a thread that answers
//! requests, as TraceForge's own `sync` has it. It has no condition variables.

pub mod thread {
    pub use ::traceforge::thread::{JoinHandle, spawn};
}

pub mod sync {
    pub use std::sync::Arc;

    pub mod atomic {
        pub use ::traceforge::sync::atomic::AtomicUsize;
        pub use std::sync::atomic::Ordering;
    }

    /// A lock with the interface of `std`: nothing poisons it.
    pub struct Mutex<T>(::traceforge::sync::mutex::Mutex<T>);

    impl<T> Mutex<T> {
        pub fn new(value: T) -> Self {
            Self(::traceforge::sync::mutex::Mutex::new(value))
        }

        pub fn lock(&self) -> Result<::traceforge::sync::mutex::MutexGuard<'_, T>, std::convert::Infallible> {
            Ok(self.0.blocking_lock())
        }
    }

    pub mod mpsc {
        use std::convert::Infallible;

        #[derive(Clone)]
        pub struct Sender(::traceforge::channel::Sender<usize>);
        pub struct Receiver(::traceforge::channel::Receiver<usize>);

        pub fn channel() -> (Sender, Receiver) {
            let (sender, receiver) = ::traceforge::channel::Builder::new().build();
            (Sender(sender), Receiver(receiver))
        }

        impl Sender {
            pub fn send(&self, value: usize) -> Result<(), Infallible> {
                self.0.send_msg(value);
                Ok(())
            }
        }

        impl Receiver {
            pub fn recv(&self) -> Result<usize, Infallible> {
                Ok(self.0.recv_msg_block())
            }
        }
    }
}

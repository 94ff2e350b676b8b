//! Every engine keeps the same promises, and a search over any of them finds what one on one machine finds, whoever is killed.

mod promises;
mod searches;
mod server;

/// A fresh engine for a test, of which there may be several handles.
macro_rules! for_every_engine {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[test] fn $test() {
                let memory = mazurka_cluster::Memory::new(std::time::Duration::from_millis(300));
                super::$test(&mut || memory.clone());
            })*
        }
        mod nats {
            $(#[test] fn $test() {
                // Without the server there is nothing to test; `./test --setup` installs it.
                let Some(server) = crate::server::Server::start() else { return };
                super::$test(&mut || server.connect());
            })*
        }
    };
}
pub(crate) use for_every_engine;

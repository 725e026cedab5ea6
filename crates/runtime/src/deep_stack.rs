//! A thread whose stack is deep: programs nest deeply, and threads of clients, of Python and of tests do not have that much.

use std::thread::{self, ScopedJoinHandle};

/// Bytes of stack. The front end bounds how deeply programs nest, and this holds it.
pub const STACK: usize = 512 << 20;

/// Why work has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The system gave no thread: its words.
    NoThread(String),
    /// The work panicked, which has been printed.
    Panicked,
}

/// Does `work` on a thread of that name with a deep stack, and waits for it.
///
/// # Errors
/// There is no result.
pub fn run<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Result<T, Lost> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|error| Lost::NoThread(format!("cannot start a thread: {error}")))?;
        ScopedJoinHandle::join(thread).map_err(|_| Lost::Panicked)
    })
}

//! Asking a run to end: from a signal, or from another thread.

use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, shared between whoever makes it and the run that heeds it.
#[derive(Debug, Clone)]
pub struct Stop(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raised: Arc<AtomicBool>,
    /// Whether a signal ends the process instead.
    ends: Arc<AtomicBool>,
    /// One byte from here to there ends a wait for packets at once.
    sender: UnixStream,
    receiver: UnixStream,
}

/// While it lives, a signal that would raise the request ends the process with status 1 instead:
/// what is being done, such as the compilation of a program, does not look at the request.
#[derive(Debug)]
pub struct Ends(Arc<AtomicBool>);

/// Keeps the signal handlers of [`Stop::on_signals`] in place. Once it is dropped
/// both signals do nothing, so keep it until the process ends.
#[derive(Debug)]
pub struct SignalGuard(Vec<SigId>);

impl Stop {
    /// A request nobody has made yet. Fails when the process is out of descriptors.
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = UnixStream::pair()?;
        sender.set_nonblocking(true)?;
        receiver.set_nonblocking(true)?;
        Ok(Self(Arc::new(Inner {
            raised: Arc::new(AtomicBool::new(false)),
            ends: Arc::new(AtomicBool::new(false)),
            sender,
            receiver,
        })))
    }

    /// Makes SIGINT and SIGTERM raise the request as long as the guard lives. A
    /// second signal ends the process at once, as it would have without us.
    pub fn on_signals(&self) -> io::Result<SignalGuard> {
        let mut guard = SignalGuard(Vec::new());
        for signal in [SIGINT, SIGTERM] {
            let ends = Arc::clone(&self.0.ends);
            guard.0.push(signal_hook::flag::register_conditional_shutdown(signal, 1, ends)?);
            let raised = &self.0.raised;
            let second =
                signal_hook::flag::register_conditional_default(signal, Arc::clone(raised))?;
            guard.0.push(second);
            guard.0.push(signal_hook::flag::register(signal, Arc::clone(raised))?);
            let sender = self.0.sender.try_clone()?;
            guard.0.push(signal_hook::low_level::pipe::register(signal, sender)?);
        }
        Ok(guard)
    }

    /// Has the signals of [`on_signals`](Self::on_signals) end the process with status 1 while
    /// the result lives. Nothing is done at the end: no file may be half written meanwhile.
    pub fn ends(&self) -> Ends {
        self.0.ends.store(true, Ordering::SeqCst);
        Ends(Arc::clone(&self.0.ends))
    }

    /// Makes the request.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        // A full pipe means that the wait ends anyway.
        let _ = (&self.0.sender).write(&[1]);
    }

    /// Whether the request was made.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }

    /// A descriptor that becomes readable when the request is made.
    pub(crate) fn descriptor(&self) -> RawFd {
        self.0.receiver.as_raw_fd()
    }

    /// Empties the descriptor.
    pub(crate) fn acknowledge(&self) {
        let mut bytes = [0; 64];
        while matches!((&self.0.receiver).read(&mut bytes), Ok(n) if n > 0) {}
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        for id in self.0.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_once_and_for_all() {
        let stop = Stop::new().unwrap();
        assert!(!stop.is_raised());
        let other = stop.clone();
        std::thread::spawn(move || other.raise()).join().unwrap();
        assert!(stop.is_raised());
        stop.acknowledge();
        assert!(stop.is_raised());
    }

    #[test]
    fn a_signal_raises_it() {
        let stop = Stop::new().unwrap();
        let guard = stop.on_signals().unwrap();
        signal_hook::low_level::raise(SIGTERM).unwrap();
        assert!(stop.is_raised());
        drop(guard);
    }
}

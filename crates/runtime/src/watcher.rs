//! Who hears what happens while a dataplane runs.

use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Hears what happens while a dataplane runs, from any of its threads. By default nobody listens.
pub trait Watcher: Send + Sync {
    /// A sentence that the user should know: how an interface is reached and why, a core that is not available.
    fn note(&self, _text: &str) {}

    /// About a client of the control socket.
    fn control(&self, _message: &str) {}

    /// Warnings about a file that is accepted.
    fn warn(&self, _diagnostics: &Diagnostics, _sources: &SourceMap) {}

    /// So many packets of capture files have come in.
    fn packets(&self, _count: u64) {}
}

/// Nobody.
impl Watcher for () {}

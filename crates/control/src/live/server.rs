//! The server: clients of a dataplane, and the digests that they have subscribed to.

use super::Replaceable;
use super::client::Client;
use super::connection::Common;
use super::digests::Hub;
use super::plane::Plane;
use crate::line_server::LineServer;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread::{self, JoinHandle};

/// Why a server could not start.
#[derive(Debug)]
pub struct ServerError(String);

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServerError {}

/// Serves clients until it is dropped, which also removes its socket.
pub struct Server {
    hub: Arc<Hub>,
    fetching: Option<JoinHandle<()>>,
    /// Dropped after the thread that fetches has ended.
    lines: LineServer,
}

impl Server {
    /// Listens at `path` and serves whoever connects; only the owner of the process may.
    ///
    /// # Errors
    /// The socket cannot be made, or no thread.
    pub fn start<C: Replaceable + 'static>(
        path: &Path,
        plane: Plane<C>,
    ) -> Result<Self, ServerError> {
        Self::serve(Some(path), plane)
    }

    /// Serves the clients of [`Server::client`] alone.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn local<C: Replaceable + 'static>(plane: Plane<C>) -> Result<Self, ServerError> {
        Self::serve(None, plane)
    }

    fn serve<C: Replaceable + 'static>(
        path: Option<&Path>,
        plane: Plane<C>,
    ) -> Result<Self, ServerError> {
        let hub = Arc::new(Hub::default());
        let common = Arc::new(Common { plane, hub: Arc::clone(&hub), queued: AtomicUsize::new(0) });
        let lines = LineServer::start(path, Arc::clone(&common)).map_err(ServerError)?;
        let mut server = Self { hub, fetching: None, lines };
        let thread = thread::Builder::new().name("ww fetch".into());
        let thread = thread.spawn(move || common.hub.fetch(&common));
        let thread =
            thread.map_err(|error| ServerError(format!("cannot start a thread: {error}")))?;
        server.fetching = Some(thread);
        Ok(server)
    }

    /// A client in the own process.
    ///
    /// # Errors
    /// There are too many clients, or the system refused.
    pub fn client(&self) -> Result<Client, ServerError> {
        self.lines.client().map(Client::of).map_err(ServerError)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hub.close();
        if let Some(thread) = self.fetching.take() {
            let _ = thread.join();
        }
    }
}

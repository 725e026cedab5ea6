//! The server: takes in clients, each with a thread of its own.

use super::Replaceable;
use super::connection::{self, Common};
use super::digests::Hub;
use super::plane::Plane;
use super::socket::{self, Socket};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Clients at a time.
const MOST_CLIENTS: usize = 64;

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
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    socket: Socket,
    closing: AtomicBool,
    /// The clients' streams, to end their threads by.
    clients: Mutex<BTreeMap<u64, Connected>>,
}

/// A client that is served.
struct Connected {
    stream: UnixStream,
    thread: JoinHandle<()>,
}

impl Server {
    /// Listens at `path` and serves whoever connects. Only the owner of the process may.
    pub fn start<C: Replaceable + 'static>(
        path: &Path,
        plane: Plane<C>,
    ) -> Result<Self, ServerError> {
        let socket = socket::listen(path).map_err(ServerError)?;
        let clients = Mutex::new(BTreeMap::new());
        let shared = Arc::new(Shared { socket, closing: AtomicBool::new(false), clients });
        let hub = Arc::new(Hub::default());
        let queued = AtomicUsize::new(0);
        let common = Arc::new(Common { plane, hub: Arc::clone(&hub), queued });
        let mut server = Self { shared, hub, threads: Vec::new() };
        let fetching = Arc::clone(&common);
        server.spawn("ww fetch", move || fetching.hub.fetch(&fetching))?;
        let shared = Arc::clone(&server.shared);
        server.spawn("ww control", move || accept(&shared, &common))?;
        Ok(server)
    }

    fn spawn(
        &mut self,
        name: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), ServerError> {
        let thread = thread::Builder::new().name(name.into()).spawn(work);
        let thread =
            thread.map_err(|error| ServerError(format!("cannot start a thread: {error}")))?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        self.shared.socket.shut();
        self.hub.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        // No further client comes in now.
        let clients = std::mem::take(&mut *self.shared.clients.lock());
        for Connected { stream, thread } in clients.into_values() {
            let _ = stream.shutdown(Shutdown::Both);
            let _ = thread.join();
        }
    }
}

fn accept<C: Replaceable + 'static>(shared: &Arc<Shared>, common: &Arc<Common<C>>) {
    for number in 1_u64.. {
        let accepted = shared.socket.listener.accept();
        if shared.closing.load(Ordering::SeqCst) {
            return;
        }
        match accepted {
            Ok((stream, _)) => {
                if let Err(problem) = admit(shared, common, number, stream) {
                    common.plane.log(&format!("client {number} is turned away: {problem}"));
                }
            }
            // Out of descriptors, or a client that left at once: others may do better.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn admit<C: Replaceable + 'static>(
    shared: &Arc<Shared>,
    common: &Arc<Common<C>>,
    number: u64,
    mut stream: UnixStream,
) -> Result<(), String> {
    let mut clients = shared.clients.lock();
    if clients.len() >= MOST_CLIENTS {
        let message = format!("there are {MOST_CLIENTS} clients already");
        let line = serde_json::json!({ "id": null, "ok": false, "error": { "message": message } });
        let _ = stream.set_write_timeout(Some(Duration::from_millis(100)));
        let _ = stream.write_all(format!("{line}\n").as_bytes());
        return Err(message);
    }
    let ours = stream.try_clone().map_err(|error| error.to_string())?;
    let (shared, common) = (Arc::clone(shared), Arc::clone(common));
    let work = move || {
        if let Err(reason) = connection::serve(&common, stream) {
            common.plane.log(&format!("client {number} is dropped: {reason}"));
        }
        // The copy that is kept here would hold the connection open.
        if let Some(client) = shared.clients.lock().remove(&number) {
            let _ = client.stream.shutdown(Shutdown::Both);
        }
    };
    let thread = thread::Builder::new().name(format!("ww client {number}")).spawn(work);
    let thread = thread.map_err(|error| error.to_string())?;
    // The lock is held: the thread cannot have removed itself before it is in the list.
    clients.insert(number, Connected { stream: ours, thread });
    Ok(())
}

//! Takes in clients, each with a thread of its own.

use super::plane::Plane;
use super::request::parse;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use ww_control::live::{MAX_MESSAGE, Socket, listen};

/// Clients at a time.
const MOST_CLIENTS: usize = 64;

/// A client that does not read its answers for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves clients until it is dropped, which also removes its socket.
pub struct Server {
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    socket: Socket,
    closing: AtomicBool,
    plane: Mutex<Plane>,
    clients: Mutex<BTreeMap<u64, (UnixStream, JoinHandle<()>)>>,
}

impl Server {
    /// Listens at `path`.
    ///
    /// # Errors
    /// A sentence: the socket cannot be made, or no thread.
    pub fn start(path: &Path, plane: Plane) -> Result<Self, String> {
        let socket = listen(path)?;
        let (closing, clients) = (AtomicBool::new(false), Mutex::new(BTreeMap::new()));
        let shared = Arc::new(Shared { socket, closing, plane: Mutex::new(plane), clients });
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("ww tpp control".into());
        let accepting = thread
            .spawn(move || accept(&own))
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { shared, accepting: Some(accepting) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        self.shared.socket.shut();
        if let Some(thread) = self.accepting.take() {
            let _ = thread.join();
        }
        // No further client comes in now.
        let clients = std::mem::take(&mut *self.shared.clients.lock());
        for (stream, thread) in clients.into_values() {
            let _ = stream.shutdown(Shutdown::Both);
            let _ = thread.join();
        }
    }
}

fn accept(shared: &Arc<Shared>) {
    for number in 1_u64.. {
        let accepted = shared.socket.listener.accept();
        if shared.closing.load(Ordering::SeqCst) {
            return;
        }
        match accepted {
            // A client that cannot be served sees its connection end.
            Ok((stream, _)) => drop(admit(shared, number, stream)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            // Out of descriptors: it may be better later.
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn admit(shared: &Arc<Shared>, number: u64, mut stream: UnixStream) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut clients = shared.clients.lock();
    if clients.len() >= MOST_CLIENTS {
        let message = format!("there are {MOST_CLIENTS} clients already");
        return stream.write_all(refusal(&Value::Null, &message).as_bytes());
    }
    let ours = stream.try_clone()?;
    let own = Arc::clone(shared);
    let work = move || {
        // Whatever its reason, it has left.
        let _ = serve(&own.plane, stream);
        if let Some((stream, _)) = own.clients.lock().remove(&number) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    };
    let thread = thread::Builder::new().name(format!("ww tpp client {number}")).spawn(work)?;
    // The lock is held: the thread cannot have removed itself before it is in the list.
    clients.insert(number, (ours, thread));
    Ok(())
}

fn refusal(id: &Value, message: &str) -> String {
    format!("{}\n", json!({ "id": id, "ok": false, "error": { "message": message } }))
}

fn serve(plane: &Mutex<Plane>, stream: UnixStream) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.by_ref().take(MAX_MESSAGE as u64 + 1).read_until(b'\n', &mut line)?;
        if line.len() > MAX_MESSAGE {
            let message = format!("a message is longer than {MAX_MESSAGE} bytes");
            return writer.write_all(refusal(&Value::Null, &message).as_bytes());
        }
        // Part of a message is no message.
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (id, request) = parse(&line);
        let answer = match request.and_then(|request| plane.lock().carry_out(request)) {
            Ok(result) => format!("{}\n", json!({ "id": id, "ok": true, "result": result })),
            Err(message) => refusal(&id, &message),
        };
        writer.write_all(answer.as_bytes())?;
    }
}

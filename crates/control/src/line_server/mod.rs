//! A server on a Unix socket whose messages are lines of JSON: framing, limits, the socket's file, a thread for each
//! client, and shutdown. What the messages mean is for a [`Service`].

mod socket;

pub use socket::{Socket, listen};

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longest message that a server takes, in bytes.
pub const MAX_MESSAGE: usize = 4 << 20;

/// Clients at a time.
const MOST_CLIENTS: usize = 64;

/// A client that does not read its answers for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client that is turned away may take to read why.
const FAREWELL: Duration = Duration::from_millis(100);

/// How long the server waits after it could not take a client in.
const PAUSE: Duration = Duration::from_millis(20);

/// What a server does for its clients.
pub trait Service: Send + Sync + 'static {
    /// One client.
    type Session: Session;

    /// A client has connected; `writer` brings it its answers.
    fn open(self: &Arc<Self>, writer: Writer) -> Self::Session;

    /// Hears about clients that are dropped or turned away.
    fn log(&self, _message: &str) {}
}

/// A client's state. It is dropped when the connection ends.
pub trait Session {
    /// A message came, in a line that is not blank.
    ///
    /// # Errors
    /// Why the client is dropped.
    fn message(&mut self, line: &[u8]) -> Result<(), String>;
}

/// The writing side of a connection, which answers and events share.
#[derive(Clone)]
pub struct Writer(Arc<Mutex<UnixStream>>);

impl Writer {
    /// Writes one line; `text` is without its end.
    ///
    /// # Errors
    /// The client does not read, or has left; its connection is shut then.
    pub fn line(&self, mut text: String) -> io::Result<()> {
        text.push('\n');
        let mut stream = self.0.lock();
        let written = stream.write_all(text.as_bytes());
        if written.is_err() {
            // A line that is there in part makes all that follow worthless.
            let _ = stream.shutdown(Shutdown::Both);
        }
        written
    }

    /// Writes an answer, or an error in the words for why a client is dropped.
    ///
    /// # Errors
    /// A clause about the client.
    pub fn answer(&self, text: String) -> Result<(), String> {
        self.line(text).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                "it does not read its answers".to_owned()
            }
            _ => "it left before its answer".to_owned(),
        })
    }
}

/// The answer to a message that is refused.
pub fn refusal(id: &Value, message: &str) -> Value {
    json!({ "id": id, "ok": false, "error": { "message": message } })
}

/// Serves clients until it is dropped, which also removes its socket.
pub struct LineServer {
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    service: Box<dyn Serve>,
    /// `None`: only the own process has clients.
    socket: Option<Socket>,
    closing: AtomicBool,
    /// The number of the next client, from 1.
    next: AtomicU64,
    /// The clients' streams, to end their threads by.
    clients: Mutex<BTreeMap<u64, Connected>>,
}

/// A service, whatever its sessions are.
trait Serve: Send + Sync {
    /// Serves a client to its end. The error says why it was dropped.
    fn serve(&self, stream: UnixStream) -> Result<(), String>;
    fn log(&self, message: &str);
}

impl<S: Service> Serve for Arc<S> {
    fn serve(&self, stream: UnixStream) -> Result<(), String> {
        serve(self, stream)
    }

    fn log(&self, message: &str) {
        Service::log(&**self, message);
    }
}

/// A client that is served.
struct Connected {
    stream: UnixStream,
    thread: JoinHandle<()>,
}

impl LineServer {
    /// Listens at `path` and serves whoever connects; only the owner of the process may. Without a path there are the clients of
    /// [`LineServer::client`] alone.
    ///
    /// # Errors
    /// A sentence: the socket cannot be made, or no thread.
    pub fn start<S: Service>(path: Option<&Path>, service: Arc<S>) -> Result<Self, String> {
        let socket = path.map(listen).transpose()?;
        let listens = socket.is_some();
        let shared = Arc::new(Shared {
            service: Box::new(service),
            socket,
            closing: AtomicBool::new(false),
            next: AtomicU64::new(1),
            clients: Mutex::new(BTreeMap::new()),
        });
        let mut server = Self { shared, accepting: None };
        if listens {
            let shared = Arc::clone(&server.shared);
            let thread = thread::Builder::new().name("ww control".into());
            let thread = thread.spawn(move || accept(&shared));
            let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
            server.accepting = Some(thread);
        }
        Ok(server)
    }

    /// A connection for the own process.
    ///
    /// # Errors
    /// A sentence: there are too many clients, or the system refused.
    pub fn client(&self) -> Result<UnixStream, String> {
        let (ours, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
        admit(&self.shared, self.shared.number(), theirs)?;
        Ok(ours)
    }
}

impl Shared {
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

impl Drop for LineServer {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        if let Some(socket) = &self.shared.socket {
            socket.shut();
        }
        if let Some(thread) = self.accepting.take() {
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

fn accept(shared: &Arc<Shared>) {
    let Some(socket) = &shared.socket else { return };
    loop {
        let accepted = socket.listener.accept();
        if shared.closing.load(Ordering::SeqCst) {
            return;
        }
        match accepted {
            Ok((stream, _)) => {
                let number = shared.number();
                if let Err(problem) = admit(shared, number, stream) {
                    shared.service.log(&format!("client {number} is turned away: {problem}"));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            // Out of descriptors, or a client that left at once: others may do better.
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

fn admit(shared: &Arc<Shared>, number: u64, mut stream: UnixStream) -> Result<(), String> {
    let mut clients = shared.clients.lock();
    if clients.len() >= MOST_CLIENTS {
        let message = format!("there are {MOST_CLIENTS} clients already");
        let _ = stream.set_write_timeout(Some(FAREWELL));
        let _ = stream.write_all(format!("{}\n", refusal(&Value::Null, &message)).as_bytes());
        return Err(message);
    }
    let ours = stream.try_clone().map_err(|error| error.to_string())?;
    let own = Arc::clone(shared);
    let work = move || {
        if let Err(reason) = own.service.serve(stream) {
            own.service.log(&format!("client {number} is dropped: {reason}"));
        }
        // The copy that is kept here would hold the connection open.
        if let Some(client) = own.clients.lock().remove(&number) {
            let _ = client.stream.shutdown(Shutdown::Both);
        }
    };
    let thread = thread::Builder::new().name(format!("ww client {number}")).spawn(work);
    let thread = thread.map_err(|error| error.to_string())?;
    // The lock is held: the thread cannot have removed itself before it is in the list.
    clients.insert(number, Connected { stream: ours, thread });
    Ok(())
}

/// Serves a client to its end. The error says why it was dropped.
fn serve<S: Service>(service: &Arc<S>, stream: UnixStream) -> Result<(), String> {
    let failed = |error: io::Error| format!("its connection failed: {error}");
    stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
    let mut reader = BufReader::new(stream.try_clone().map_err(failed)?);
    let writer = Writer(Arc::new(Mutex::new(stream)));
    let mut session = service.open(writer.clone());
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = MAX_MESSAGE as u64 + 1;
        if reader.by_ref().take(limit).read_until(b'\n', &mut line).is_err() {
            return Ok(());
        }
        if line.len() > MAX_MESSAGE {
            let message = format!("a message is longer than {MAX_MESSAGE} bytes");
            let _ = writer.line(refusal(&Value::Null, &message).to_string());
            return Err(message);
        }
        // The client has left; part of a message is no message.
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            session.message(&line)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the number of messages so far; drops a client that says `leave`.
    struct Counting(Mutex<Vec<String>>);

    struct Count(Writer, u32);

    impl Service for Counting {
        type Session = Count;

        fn open(self: &Arc<Self>, writer: Writer) -> Count {
            Count(writer, 0)
        }

        fn log(&self, message: &str) {
            self.0.lock().push(message.to_owned());
        }
    }

    impl Session for Count {
        fn message(&mut self, line: &[u8]) -> Result<(), String> {
            if line == b"leave\n" {
                return Err("it asked for it".to_owned());
            }
            self.1 += 1;
            self.0.answer(self.1.to_string())
        }
    }

    fn lines(stream: &UnixStream) -> std::io::Lines<BufReader<UnixStream>> {
        BufReader::new(stream.try_clone().unwrap()).lines()
    }

    #[test]
    fn messages_are_lines() {
        let service = Arc::new(Counting(Mutex::default()));
        let server = LineServer::start(None, Arc::clone(&service)).unwrap();
        let mut client = server.client().unwrap();
        let mut answers = lines(&client);
        client.write_all(b"a\n \n\nb\nc").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "1");
        assert_eq!(answers.next().unwrap().unwrap(), "2");
        client.write_all(b"c\nleave\n").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "3");
        assert!(answers.next().is_none(), "the connection has ended");
        drop(server);
        assert_eq!(*service.0.lock(), ["client 1 is dropped: it asked for it"]);
    }

    #[test]
    fn a_message_that_is_too_long_is_refused() {
        let server = LineServer::start(None, Arc::new(Counting(Mutex::default()))).unwrap();
        let mut client = server.client().unwrap();
        let mut answers = lines(&client);
        let writing = thread::spawn(move || client.write_all(&vec![b'x'; MAX_MESSAGE + 1]));
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains("longer than 4194304 bytes"), "{answer}");
        let _ = writing.join().unwrap();
    }

    #[test]
    fn one_client_too_many_hears_why() {
        let server = LineServer::start(None, Arc::new(Counting(Mutex::default()))).unwrap();
        let clients: Vec<_> = (0..MOST_CLIENTS).map(|_| server.client().unwrap()).collect();
        assert_eq!(server.client().unwrap_err(), "there are 64 clients already");
        drop(clients);
    }
}

//! The control plane of a shim as a service of a line server.

use super::plane::Plane;
use super::request::parse;
use parking_lot::Mutex;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use ww_control::line_server::{LineServer, Service, Session, Writer, refusal};

/// Serves clients until it is dropped, which also removes its socket.
pub struct Server {
    _lines: LineServer,
}

/// Requests take turns.
struct Shared(Mutex<Plane>);

struct Client {
    shared: Arc<Shared>,
    writer: Writer,
}

impl Server {
    /// Listens at `path`.
    ///
    /// # Errors
    /// A sentence: the socket cannot be made, or no thread.
    pub fn start(path: &Path, plane: Plane) -> Result<Self, String> {
        let lines = LineServer::start(Some(path), Arc::new(Shared(Mutex::new(plane))))?;
        Ok(Self { _lines: lines })
    }
}

impl Service for Shared {
    type Session = Client;

    fn open(self: &Arc<Self>, writer: Writer) -> Client {
        Client { shared: Arc::clone(self), writer }
    }
}

impl Session for Client {
    fn message(&mut self, line: &[u8]) -> Result<(), String> {
        let (id, request) = parse(line);
        let done = request.and_then(|request| self.shared.0.lock().carry_out(request));
        let answer = match done {
            Ok(result) => json!({ "id": id, "ok": true, "result": result }),
            Err(message) => refusal(&id, &message),
        };
        self.writer.answer(answer.to_string())
    }
}

//! The client's side.

use serde_json::{Map, Value};
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Why a request was not carried out.
#[derive(Debug)]
pub enum CallError {
    /// The server refused it: its message, and which change of a transaction it is about.
    Refused {
        /// What was wrong.
        message: String,
        /// Position of the change, from 0.
        change: Option<u64>,
    },
    /// There is no connection (any more), or the other side does not speak the protocol.
    Connection(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { message, change: None } => f.write_str(message),
            Self::Refused { message, change: Some(n) } => write!(f, "change {n}: {message}"),
            Self::Connection(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CallError {}

/// A connection to a server.
pub struct Client {
    reader: BufReader<UnixStream>,
    next: u64,
}

fn lost(error: &io::Error) -> CallError {
    CallError::Connection(format!("the connection failed: {error}"))
}

impl Client {
    /// Connects to the server at `path`.
    pub fn connect(path: &Path) -> io::Result<Self> {
        UnixStream::connect(path).map(Self::of)
    }

    /// A client with a connection to a server.
    pub fn of(stream: UnixStream) -> Self {
        Self { reader: BufReader::new(stream), next: 1 }
    }

    /// Makes a request, an object with `request` and its fields, and waits for the answer. Answers
    /// of several lines are put together.
    pub fn call(&mut self, mut request: Value) -> Result<Value, CallError> {
        let id = self.next;
        self.next += 1;
        if let Some(object) = request.as_object_mut() {
            object.insert("id".to_owned(), id.into());
        }
        let line = format!("{request}\n");
        self.reader.get_mut().write_all(line.as_bytes()).map_err(|error| lost(&error))?;
        let mut whole = Map::new();
        loop {
            let mut answer = self.line()?;
            if answer.get("event").is_some() {
                continue;
            }
            if answer["id"] != id && !answer["id"].is_null() {
                return Err(CallError::Connection("the answer is for another request".to_owned()));
            }
            if answer["ok"] != true {
                let message = answer["error"]["message"].as_str().unwrap_or("no reason given");
                let change = answer["error"]["change"].as_u64();
                return Err(CallError::Refused { message: message.to_owned(), change });
            }
            let Value::Object(result) = answer["result"].take() else {
                return Err(CallError::Connection("an answer without a result".to_owned()));
            };
            for (name, value) in result {
                match (whole.get_mut(&name), value) {
                    (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
                    (_, value) => drop(whole.insert(name, value)),
                }
            }
            if answer["more"] != true {
                return Ok(Value::Object(whole));
            }
        }
    }

    /// Waits for the next line that the server sends by itself: a digest.
    pub fn event(&mut self) -> Result<Value, CallError> {
        loop {
            let line = self.line()?;
            if line.get("event").is_some() {
                return Ok(line);
            }
        }
    }

    fn line(&mut self) -> Result<Value, CallError> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => Err(CallError::Connection("the server has closed the connection".to_owned())),
            Ok(_) => serde_json::from_str(&line)
                .map_err(|error| CallError::Connection(format!("no answer but: {error}"))),
            Err(error) => Err(lost(&error)),
        }
    }
}

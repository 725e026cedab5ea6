//! Takes records of many hosts' [`crate::aggregator`]s and writes them to one file, a line of JSON each: the record with
//! the host that it comes from and where it was in that host's file.
//!
//! Several collectors can listen at one address and port of a machine, and the kernel spreads connections over them
//! (SO_REUSEPORT); each has a file of its own. Over several machines a virtual address does the same. An aggregator that
//! loses its collector comes to another one.

use crate::aggregator::{Hello, MAX_LINE, Sent, Taken};
use crate::record::Record;
use parking_lot::Mutex;
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket_with, sockopt};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

/// How long an aggregator may take to read an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Aggregators at once.
const CONNECTIONS: usize = 1024;

/// A line of the file.
#[derive(Serialize)]
struct Line<'r> {
    host: &'r str,
    offset: u64,
    #[serde(flatten)]
    record: &'r Record,
}

/// What it has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records written.
    pub records: u64,
    /// Connections that were ended for what came over them, or because there were too many.
    pub refused: u64,
}

/// See the module.
pub struct Collector {
    listener: TcpListener,
    out: Mutex<File>,
    records: AtomicU64,
    refused: AtomicU64,
    connections: AtomicUsize,
}

impl Collector {
    /// Listens at an address, and appends to a file.
    ///
    /// # Errors
    /// Either cannot be done, with which one it is.
    pub fn new(at: SocketAddr, out: &Path) -> io::Result<Self> {
        let listener = shared(at).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen at {at}: {error}"))
        })?;
        let file = OpenOptions::new().create(true).append(true).open(out);
        let file = file.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write '{}': {error}", out.display()))
        })?;
        Ok(Self {
            listener,
            out: Mutex::new(file),
            records: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            connections: AtomicUsize::new(0),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The socket is of no use.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Works until `stop` says so, which is asked ten times a second.
    ///
    /// # Errors
    /// The socket is of no use any more, or the file cannot be written.
    pub fn run(&self, stop: impl Fn() -> bool + Sync) -> io::Result<Counters> {
        let failed: Mutex<Option<io::Error>> = Mutex::new(None);
        let ends = || stop() || failed.lock().is_some();
        std::thread::scope(|scope| {
            while !ends() {
                let stream = match self.listener.accept() {
                    Ok((stream, _)) => stream,
                    Err(error) if is_passing(&error) => {
                        std::thread::sleep(LOOK);
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                if self.connections.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                    self.connections.fetch_sub(1, Ordering::Relaxed);
                    self.refused.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                let (failed, ends) = (&failed, &ends);
                scope.spawn(move || {
                    match self.serve(&stream, ends) {
                        Ok(()) => {}
                        Err(Ended::File(error)) => *failed.lock() = Some(error),
                        Err(Ended::Peer(reason)) => {
                            self.refused.fetch_add(1, Ordering::Relaxed);
                            // If it does not listen, it does not matter.
                            let _ = (&stream).write_all(format!("{reason}\n").as_bytes());
                        }
                    }
                    self.connections.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Ok(())
        })?;
        match failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(Counters {
                records: self.records.load(Ordering::Relaxed),
                refused: self.refused.load(Ordering::Relaxed),
            }),
        }
    }

    /// One aggregator, until it goes.
    fn serve(&self, stream: &TcpStream, ends: impl Fn() -> bool) -> Result<(), Ended> {
        let settings = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_read_timeout(Some(LOOK)))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
            .and_then(|()| stream.set_nodelay(true));
        settings.map_err(|error| Ended::Peer(error.to_string()))?;
        let (mut from, mut host): (&TcpStream, Option<Hello>) = (stream, None);
        let (mut waiting, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
        while !ends() {
            let length = match from.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if is_passing(&error) => continue,
                // It has gone.
                Err(_) => return Ok(()),
            };
            waiting.extend_from_slice(&chunk[..length]);
            let whole = waiting.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if waiting.len() - whole > MAX_LINE {
                return Err(Ended::Peer(format!("a line has at most {MAX_LINE} bytes")));
            }
            let (mut lines, mut count, mut last) = (Vec::new(), 0, None);
            for line in
                waiting[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
            {
                let Some(Hello { host }) = &host else {
                    host = Some(parse(line, "{\"host\": NAME}")?);
                    continue;
                };
                let Sent { offset, record } = parse(line, "{\"offset\": N, \"record\": {...}}")?;
                let line = Line { host, offset, record: &record };
                serde_json::to_writer(&mut lines, &line).map_err(|e| Ended::Peer(e.to_string()))?;
                lines.push(b'\n');
                (count, last) = (count + 1, Some(offset));
            }
            waiting.drain(..whole);
            let Some(offset) = last else { continue };
            // In one piece, so that lines of several hosts do not mix.
            self.out.lock().write_all(&lines).map_err(Ended::File)?;
            self.records.fetch_add(count, Ordering::Relaxed);
            let Ok(mut answer) = serde_json::to_vec(&Taken { offset }) else { return Ok(()) };
            answer.push(b'\n');
            if from.write_all(&answer).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Why a connection ends.
enum Ended {
    /// What came over it is wrong.
    Peer(String),
    /// The file cannot be written.
    File(io::Error),
}

fn parse<T: serde::de::DeserializeOwned>(line: &[u8], expected: &str) -> Result<T, Ended> {
    serde_json::from_slice(line)
        .map_err(|error| Ended::Peer(format!("expected {expected}: {error}")))
}

/// A socket at an address that others may listen at, too.
fn shared(at: SocketAddr) -> io::Result<TcpListener> {
    let family = if at.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(family, SocketType::STREAM, flags, None)?;
    sockopt::set_socket_reuseaddr(&socket, true)?;
    sockopt::set_socket_reuseport(&socket, true)?;
    bind(&socket, &at)?;
    listen(&socket, 128)?;
    Ok(TcpListener::from(socket))
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock
            | ErrorKind::TimedOut
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionAborted
    )
}

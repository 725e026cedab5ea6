//! `crate::executor` on UDP sockets. No root is needed: a standalone TPP is an ordinary datagram.
//!
//! Each TPP under way has a socket of its own, whose port the kernel chooses: the port identifies the TPP that an answer is
//! for, and a late answer meets a closed one.

use crate::executor::{Call, Executor as Core, Outcome, Outgoing, Patience};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::{Duration, Instant};
use ww_tpp::header::{TPP_NUMBER, flag};
use ww_tpp::packet::{Repr, Tpp};

/// TPPs that are under way at a time; more wait for their turn.
const MOST: usize = 256;

/// How often the caller is asked whether it still waits.
const LOOK: Duration = Duration::from_millis(50);

/// The longest datagram that can have a TPP as an answer, and more than that.
const ROOM: usize = 2048;

/// A TPP and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The TPP; the executor marks it as standalone.
    pub tpp: Repr,
    /// The host, or the switch.
    pub to: Ipv4Addr,
}

/// A returned TPP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// As it was sent.
    pub sent: Repr,
    /// As it came back.
    pub tpp: Repr,
    /// Since the last time that it was sent. The answer may be to an earlier time.
    pub round_trip: Duration,
    /// How often it was sent.
    pub tries: u32,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was sent so often, and nothing came back but so many datagrams that are not this TPP, done.
    Lost {
        /// How often it was sent.
        tries: u32,
        /// Datagrams that were no answer.
        others: u32,
    },
    /// The host has nobody who answers TPPs.
    Refused,
    /// There is no way there: the kernel's reason.
    Unreachable(String),
    /// The socket failed otherwise: the kernel's reason.
    Failed(String),
    /// The caller has stopped waiting.
    Interrupted,
}

/// A TPP that has not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer {
    /// Where it went.
    pub to: Ipv4Addr,
    /// Why.
    pub why: Why,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = self.to;
        match &self.why {
            Why::Lost { tries, others } => {
                let times = if *tries == 1 { "time" } else { "times" };
                write!(f, "nothing came back from {to}, sent {tries} {times}")?;
                match others {
                    0 => f.write_str(
                        "; is there a shim or `ww tpp echo`, and does a firewall let UDP port 26214 pass?",
                    ),
                    _ => write!(f, "; {others} datagrams came that are not this TPP"),
                }
            }
            Why::Refused => write!(
                f,
                "{to} refuses datagrams to UDP port 26214: nobody answers TPPs there; start `ww tpp echo` or a shim"
            ),
            Why::Unreachable(reason) => write!(f, "there is no way to {to}: {reason}"),
            Why::Failed(reason) => write!(f, "cannot send to {to}: {reason}"),
            Why::Interrupted => write!(f, "interrupted before {to} answered"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// A TPP under way.
struct Way {
    socket: UdpSocket,
    request: usize,
    tries: u32,
    last: Instant,
    others: u32,
}

/// Sends TPPs and waits for them.
pub struct Executor {
    patience: Patience,
    interrupted: Box<dyn FnMut() -> bool + Send + Sync>,
}

impl Executor {
    /// Sends as often as `tries` says, 1 or more, and waits `timeout` each time.
    pub fn new(tries: u32, timeout: Duration) -> Self {
        let timeout = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000);
        Self { patience: Patience { tries, timeout }, interrupted: Box::new(|| false) }
    }

    /// While it waits it asks every 50 ms whether to give up.
    pub fn interrupted_by(self, interrupted: impl FnMut() -> bool + Send + Sync + 'static) -> Self {
        Self { interrupted: Box::new(interrupted), ..self }
    }

    /// Sends a TPP until it comes back.
    ///
    /// # Errors
    /// It has not.
    pub fn reliable(&mut self, tpp: &Repr, to: Ipv4Addr) -> Result<Answer, NoAnswer> {
        let mut answers = self.all(&[Request { tpp: tpp.clone(), to }]);
        answers.pop().unwrap_or(Err(NoAnswer { to, why: Why::Interrupted }))
    }

    /// Sends all at once, each until it comes back. Answers are in the order of requests.
    pub fn all(&mut self, requests: &[Request]) -> Vec<Result<Answer, NoAnswer>> {
        let marked =
            |tpp: &Repr| Repr { marks: tpp.marks | flag::STANDALONE, protocol: 0, ..tpp.clone() };
        let requests: Vec<Request> =
            requests.iter().map(|r| Request { tpp: marked(&r.tpp), to: r.to }).collect();
        Run {
            core: Core::new(),
            calls: BTreeMap::new(),
            ways: BTreeMap::new(),
            results: vec![None; requests.len()],
            begin: Instant::now(),
            requests: &requests,
        }
        .finish(self)
    }
}

/// All requests of a call.
struct Run<'r> {
    core: Core,
    calls: BTreeMap<Call, usize>,
    ways: BTreeMap<u16, Way>,
    results: Vec<Option<Result<Answer, Why>>>,
    begin: Instant,
    requests: &'r [Request],
}

impl Run<'_> {
    fn finish(mut self, executor: &mut Executor) -> Vec<Result<Answer, NoAnswer>> {
        let mut out = Vec::new();
        let mut asked = Instant::now();
        let mut coming = 0;
        loop {
            while coming < self.requests.len() && self.core.open() < MOST {
                let Request { tpp, to } = &self.requests[coming];
                let call = self.core.reliable(tpp, *to, executor.patience);
                self.calls.insert(call, coming);
                coming += 1;
            }
            let next = self.core.poll(self.now(), &mut out);
            for outgoing in out.drain(..) {
                self.send(&outgoing);
            }
            self.settle();
            if self.core.open() == 0 && coming == self.requests.len() {
                break;
            }
            let until = next.map_or(LOOK, |next| {
                // Rounded up: a wait that is too short is another turn of this loop.
                Duration::from_nanos((next.saturating_sub(self.now())).div_ceil(1000))
            });
            self.wait(until.min(LOOK));
            if asked.elapsed() >= LOOK {
                asked = Instant::now();
                if (executor.interrupted)() {
                    break;
                }
            }
        }
        let ended = self.results.into_iter().zip(self.requests);
        ended
            .map(|(result, request)| {
                let why = |why| NoAnswer { to: request.to, why };
                result.unwrap_or(Err(Why::Interrupted)).map_err(why)
            })
            .collect()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000)
    }

    fn send(&mut self, outgoing: &Outgoing) {
        let Outgoing { call, port, to, tpp } = outgoing;
        let Some(&request) = self.calls.get(call) else { return };
        let sent = match self.ways.get_mut(port) {
            Some(way) => Ok(way),
            None => connect(*to).map(|socket| {
                let way = Way { socket, request, tries: 0, last: Instant::now(), others: 0 };
                self.ways.entry(*port).or_insert(way)
            }),
        };
        let sent = sent.and_then(|way| {
            way.tries += 1;
            way.last = Instant::now();
            way.socket.send(tpp)
        });
        if let Err(error) = sent {
            self.failed(*port, request, &error);
        }
    }

    /// A socket has said that something is wrong. What may be better next time is no end.
    fn failed(&mut self, port: u16, request: usize, error: &io::Error) {
        let why = match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::Interrupted => return,
            ErrorKind::ConnectionRefused => Why::Refused,
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
                Why::Unreachable(error.to_string())
            }
            // A queue is full: as if it were lost on the way.
            _ if error.raw_os_error() == Some(rustix::io::Errno::NOBUFS.raw_os_error()) => return,
            _ => Why::Failed(error.to_string()),
        };
        self.results[request] = Some(Err(why));
        self.core.give_up(port);
    }

    /// Calls that have ended without an answer.
    fn settle(&mut self) {
        let (core, results, ways) = (&mut self.core, &mut self.results, &mut self.ways);
        self.calls.retain(|call, request| {
            let Some(outcome) = core.outcome(*call) else { return true };
            let (mut tries, mut others) = (0, 0);
            ways.retain(|_, way| {
                let is_its = way.request == *request;
                if is_its {
                    (tries, others) = (way.tries, way.others);
                }
                !is_its
            });
            if outcome == Outcome::Lost && results[*request].is_none() {
                results[*request] = Some(Err(Why::Lost { tries, others }));
            }
            false
        });
    }

    /// Waits for answers.
    fn wait(&mut self, longest: Duration) {
        let ready: Vec<u16> = {
            let mut sockets: Vec<PollFd<'_>> =
                self.ways.values().map(|way| PollFd::new(&way.socket, PollFlags::IN)).collect();
            let time = Timespec {
                tv_sec: longest.as_secs() as i64,
                tv_nsec: longest.subsec_nanos().into(),
            };
            // An interruption by a signal is a short wait.
            if poll(&mut sockets, Some(&time)).is_err() {
                return;
            }
            let ports = self.ways.keys().zip(&sockets);
            ports.filter(|(_, fd)| !fd.revents().is_empty()).map(|(port, _)| *port).collect()
        };
        for port in ready {
            self.receive(port);
        }
    }

    fn receive(&mut self, port: u16) {
        let mut bytes = [0; ROOM];
        while let Some(way) = self.ways.get_mut(&port) {
            let request = way.request;
            match way.socket.recv(&mut bytes) {
                Ok(length) => {
                    // One that is not done has not been at its goal.
                    let bytes = &bytes[..length];
                    let tpp = Tpp::new(bytes).ok().filter(Tpp::is_done);
                    if tpp.is_some_and(|tpp| self.core.returned(port, tpp.as_bytes())) {
                        self.answered(port, bytes);
                        return;
                    }
                    way.others += 1;
                }
                Err(error) => return self.failed(port, request, &error),
            }
        }
    }

    fn answered(&mut self, port: u16, bytes: &[u8]) {
        let (Some(way), Ok(tpp)) = (self.ways.remove(&port), Tpp::new(bytes)) else { return };
        self.results[way.request] = Some(Ok(Answer {
            sent: self.requests[way.request].tpp.clone(),
            tpp: Repr::parse(&tpp),
            round_trip: way.last.elapsed(),
            tries: way.tries,
        }));
    }
}

/// A socket that sends to UDP port 0x6666 of a host and takes what comes from there.
fn connect(to: Ipv4Addr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(SocketAddrV4::new(to, TPP_NUMBER))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

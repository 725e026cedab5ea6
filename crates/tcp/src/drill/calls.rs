//! System calls of a script.

use super::script::{Call, Value};
use super::sockets::{Settings, Socket, SocketState, Sockets, readiness, seconds};
use super::symbols;
use crate::engine::endpoint::{Endpoint, Setting};
use crate::engine::{SessionId, Unopened};
use crate::session::State;
use crate::settings::{Behaviour, MILLISECOND, Nanoseconds};
use std::net::{Ipv4Addr, SocketAddrV4};

/// The port that `...` binds and connects to.
pub(super) const PORT: u16 = 8_080;

/// What a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// It returns a number.
    Returned(i64),
    /// It returns -1 and sets this error.
    Failed(&'static str),
    /// It waits.
    Waits,
    /// It has left something else in its arguments than the script says: what was expected, and what there is.
    Left(String, String),
    /// It is not supported.
    Unsupported(String),
    /// It makes no sense.
    Broken(String),
}

/// What calls work on.
pub(super) struct Machine<'m> {
    pub engine: &'m mut dyn Endpoint,
    pub sockets: &'m mut Sockets,
    pub now: Nanoseconds,
    /// When the call began.
    pub began: Nanoseconds,
    pub remote: Ipv4Addr,
    /// What the script's packets belong to from now on, if the call has changed it.
    pub subject: Option<Subject>,
}

/// What packets of a script belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A port that listens.
    Listener(u16),
    /// A connection: our port, the peer's.
    Connection(u16, u16),
    /// Datagrams: our port, the peer's.
    Datagrams(u16, u16),
}

macro_rules! socket {
    ($machine:expr, $call:expr) => {
        match $call.arguments.first().and_then(Value::number) {
            None => return Did::Broken("expected a descriptor as the first argument".into()),
            Some(descriptor) => match $machine.sockets.get(descriptor) {
                None => return Did::Failed("EBADF"),
                Some(socket) => socket,
            },
        }
    };
}

impl Machine<'_> {
    /// Carries out a call, or a part of it: a call that waits is carried out again when something has happened.
    pub(super) fn carry_out(&mut self, call: &Call) -> Did {
        match call.name.as_str() {
            "socket" => self.socket(call),
            "bind" => self.bind(call),
            "listen" => self.listen(call),
            "accept" => self.accept(call),
            "connect" => self.connect(call),
            "read" | "recv" | "recvfrom" | "recvmsg" | "readv" => self.read(call),
            "write" | "send" | "sendto" | "sendmsg" | "writev" => self.write(call),
            "close" => self.close(call),
            "shutdown" => self.shutdown(call),
            "fcntl" => self.fcntl(call),
            "ioctl" => self.ioctl(call),
            "poll" => self.poll(call),
            "setsockopt" => self.set_option(call),
            "getsockopt" => self.get_option(call),
            name => Did::Unsupported(format!("call `{name}`")),
        }
    }

    fn argument<'c>(&self, call: &'c Call, index: usize) -> &'c Value {
        call.arguments.get(index).unwrap_or(&Value::Ellipsis)
    }

    fn number(&self, call: &Call, index: usize) -> Result<i64, Did> {
        match self.argument(call, index) {
            Value::Number(number) => Ok(*number),
            Value::Name(name) => Err(Did::Unsupported(format!("`{name}` in {}", call.name))),
            _ => Err(Did::Broken(format!(
                "expected a number as argument {} of {}",
                index + 1,
                call.name
            ))),
        }
    }

    fn socket(&mut self, call: &Call) -> Did {
        let kind = match self.number(call, 1) {
            Ok(kind) => kind,
            Err(did) => return did,
        };
        if self.argument(call, 0).number() == Some(10) {
            return Did::Unsupported("IPv6".into());
        }
        match kind & 0xf {
            1 => Did::Returned(self.sockets.open(false, kind & 0o4000 != 0)),
            2 => Did::Returned(self.sockets.open(true, kind & 0o4000 != 0)),
            _ => Did::Unsupported(format!("sockets of type {kind}")),
        }
    }

    /// The port of an address, or the one that `...` stands for.
    fn port(&self, address: &Value) -> u16 {
        address.field("sin_port").and_then(Value::number).map_or(PORT, |port| port as u16)
    }

    fn bind(&mut self, call: &Call) -> Did {
        let port = self.port(self.argument(call, 1));
        let datagrams = socket!(self, call).datagrams;
        let reuse = socket!(self, call).reuse;
        if !reuse && self.sockets.port_in_use(port, datagrams) {
            return Did::Failed("EADDRINUSE");
        }
        let socket = socket!(self, call);
        if socket.port.is_some() {
            return Did::Failed("EINVAL");
        }
        socket.port = Some(port);
        if datagrams {
            self.engine.bind_datagrams(port);
            self.subject = Some(Subject::Datagrams(port, PORT));
        }
        Did::Returned(0)
    }

    fn listen(&mut self, call: &Call) -> Did {
        if let Err(did) = self.number(call, 1) {
            return did;
        }
        let socket = socket!(self, call);
        if socket.datagrams {
            return Did::Failed("EOPNOTSUPP");
        }
        if !matches!(socket.state, SocketState::Fresh | SocketState::Listening(..)) {
            return Did::Failed("EINVAL");
        }
        let port = *socket.port.get_or_insert(PORT);
        if matches!(socket.state, SocketState::Fresh) {
            socket.state = SocketState::Listening(Default::default());
        }
        let mss = socket.settings.mss;
        self.engine.listen(port, mss);
        self.subject = Some(Subject::Listener(port));
        Did::Returned(0)
    }

    fn accept(&mut self, call: &Call) -> Did {
        let socket = socket!(self, call);
        let nonblocking = socket.nonblocking;
        let settings = socket.settings;
        let port = socket.port;
        let SocketState::Listening(ready) = &mut socket.state else {
            return Did::Failed("EINVAL");
        };
        let Some(id) = ready.pop_front() else {
            return if nonblocking { Did::Failed("EAGAIN") } else { Did::Waits };
        };
        let descriptor = self.sockets.open(false, false);
        if let Some(new) = self.sockets.get(descriptor) {
            new.port = port;
            new.settings = settings;
            new.state = SocketState::Session(id, true);
        }
        Sockets::apply(self.engine, id, &settings, self.now);
        Did::Returned(descriptor)
    }

    fn connect(&mut self, call: &Call) -> Did {
        let port = self.port(self.argument(call, 1));
        let socket = socket!(self, call);
        if socket.datagrams {
            let own = *socket.port.get_or_insert(PORT);
            self.engine.bind_datagrams(own);
            self.subject = Some(Subject::Datagrams(own, port));
            return Did::Returned(0);
        }
        match &socket.state {
            SocketState::Listening(..) => return Did::Failed("EISCONN"),
            SocketState::Session(_, true) if self.began < self.now => return Did::Returned(0),
            SocketState::Session(_, true) => return Did::Failed("EISCONN"),
            SocketState::Session(_, false) if socket.nonblocking => return Did::Failed("EALREADY"),
            SocketState::Session(_, false) => return Did::Waits,
            SocketState::Over => {
                return Did::Failed(socket.error.take().unwrap_or("ECONNABORTED"));
            }
            SocketState::Fresh => {}
        }
        let (settings, own, nonblocking) = (socket.settings, socket.port, socket.nonblocking);
        let usual = self.engine.behaviour();
        let mss = settings.mss.unwrap_or(usual.mss).min(usual.mss);
        self.engine.set_behaviour(Behaviour { mss, ..usual });
        let opened = self.engine.connect(SocketAddrV4::new(self.remote, port), own, self.now);
        self.engine.set_behaviour(usual);
        let id = match opened {
            Ok(id) => id,
            Err(Unopened::NoPort | Unopened::NoSession) => return Did::Failed("EADDRNOTAVAIL"),
        };
        Sockets::apply(self.engine, id, &settings, self.now);
        let own = self.engine.standing(id, self.now).map_or(0, |standing| standing.own_port);
        let socket = socket!(self, call);
        socket.port = Some(own);
        socket.state = SocketState::Session(id, false);
        self.subject = Some(Subject::Connection(own, port));
        if nonblocking { Did::Failed("EINPROGRESS") } else { Did::Waits }
    }

    /// How many bytes a call is to read or write.
    fn length(&self, call: &Call) -> Result<usize, Did> {
        let pieces = |value: &Value| -> Option<i64> {
            let Value::List(list) = value else { return None };
            list.iter()
                .map(|piece| match piece {
                    Value::Structure(fields) => {
                        fields.iter().rev().find_map(|(_, value)| value.number())
                    }
                    _ => None,
                })
                .sum()
        };
        let length = match call.name.as_str() {
            "readv" | "writev" => pieces(self.argument(call, 1)),
            "recvmsg" | "sendmsg" => self.argument(call, 1).field("msg_iov").and_then(pieces),
            _ => self.argument(call, 2).number(),
        };
        length
            .and_then(|length| usize::try_from(length).ok())
            .filter(|length| *length < 1 << 30)
            .ok_or_else(|| {
                Did::Broken(format!("expected a number of bytes in the arguments of {}", call.name))
            })
    }

    fn flags(&self, call: &Call) -> i64 {
        let index = match call.name.as_str() {
            "recvmsg" | "sendmsg" => 2,
            "recv" | "recvfrom" | "send" | "sendto" => 3,
            _ => return 0,
        };
        self.argument(call, index).number().unwrap_or(0)
    }

    fn read(&mut self, call: &Call) -> Did {
        const PEEK: i64 = 2;
        const DO_NOT_WAIT: i64 = 0x40;
        const WAIT_FOR_ALL: i64 = 0x100;
        let (length, flags) = match self.length(call) {
            Ok(length) => (length, self.flags(call)),
            Err(did) => return did,
        };
        let socket = socket!(self, call);
        let waits = if socket.nonblocking || flags & DO_NOT_WAIT != 0 {
            Did::Failed("EAGAIN")
        } else {
            Did::Waits
        };
        if socket.datagrams {
            let Some(datagram) = socket.incoming.front() else { return waits };
            let count = datagram.data.len().min(length);
            if flags & PEEK == 0 {
                socket.incoming.pop_front();
            }
            return Did::Returned(count as i64);
        }
        let id = match &socket.state {
            SocketState::Session(id, _) => *id,
            SocketState::Over => {
                return socket.error.take().map_or(Did::Returned(0), Did::Failed);
            }
            SocketState::Fresh | SocketState::Listening(..) => return Did::Failed("ENOTCONN"),
        };
        let closed = socket.no_reading;
        let Some(standing) = self.engine.standing(id, self.now) else { return Did::Returned(0) };
        let count = (standing.readable as usize).min(length);
        let at_end = standing.peer_closed || closed;
        if count == 0 || (flags & WAIT_FOR_ALL != 0 && count < length && !at_end) {
            return if at_end || length == 0 { Did::Returned(count as i64) } else { waits };
        }
        if flags & PEEK == 0 {
            self.engine.read(id, count as u32, self.now);
        }
        Did::Returned(count as i64)
    }

    fn write(&mut self, call: &Call) -> Did {
        const DO_NOT_WAIT: i64 = 0x40;
        const MORE: i64 = 0x8000;
        let (length, flags) = match self.length(call) {
            Ok(length) => (length, self.flags(call)),
            Err(did) => return did,
        };
        let port = match call.name.as_str() {
            "sendto" => self.port(self.argument(call, 4)),
            _ => PORT,
        };
        if flags & 1 != 0 {
            return Did::Unsupported("urgent data".into());
        }
        let (remote, now) = (self.remote, self.now);
        let socket = socket!(self, call);
        if socket.datagrams {
            let own = *socket.port.get_or_insert(PORT);
            if length > 8_972 {
                return Did::Failed("EMSGSIZE");
            }
            self.engine.send_datagram(own, SocketAddrV4::new(remote, port), &vec![0; length]);
            self.engine.bind_datagrams(own);
            self.subject = Some(Subject::Datagrams(own, port));
            return Did::Returned(length as i64);
        }
        let waits = if socket.nonblocking || flags & DO_NOT_WAIT != 0 {
            Did::Failed("EAGAIN")
        } else {
            Did::Waits
        };
        if socket.no_writing {
            return Did::Failed(socket.error.take().unwrap_or("EPIPE"));
        }
        let id = match &socket.state {
            SocketState::Session(id, _) => *id,
            SocketState::Over => return Did::Failed(socket.error.take().unwrap_or("EPIPE")),
            SocketState::Fresh | SocketState::Listening(..) => return Did::Failed("EPIPE"),
        };
        let (nonblocking, cork) = (waits != Did::Waits, socket.settings.cork);
        let Some(standing) = self.engine.standing(id, now) else { return Did::Failed("EPIPE") };
        if matches!(standing.state, State::SynSent | State::SynReceived) {
            return waits;
        }
        let room = standing.room as usize;
        if room == 0 || (!nonblocking && room < length) {
            // A call that waits takes all at once, when there is room: the segments are the same.
            return waits;
        }
        let count = length.min(room);
        // What has waited goes out with the bytes that it has waited for.
        let corks = cork || flags & MORE != 0;
        if corks {
            self.engine.set(id, Setting::Cork(true), now);
        }
        self.engine.write(id, &vec![0; count], now);
        if !corks {
            self.engine.set(id, Setting::Cork(false), now);
        }
        Did::Returned(count as i64)
    }

    fn close(&mut self, call: &Call) -> Did {
        let descriptor = match self.number(call, 0) {
            Ok(descriptor) => descriptor,
            Err(did) => return did,
        };
        let Some(socket) = self.sockets.remove(descriptor) else { return Did::Failed("EBADF") };
        let close = |engine: &mut dyn Endpoint, id: SessionId, now| {
            if socket.settings.linger == Some(0) {
                engine.abort(id, now);
            } else {
                engine.close(id, now);
            }
        };
        match &socket.state {
            SocketState::Session(id, _) => {
                close(self.engine, *id, self.now);
            }
            SocketState::Listening(ready) => {
                for id in ready {
                    self.engine.abort(*id, self.now);
                }
                if let Some(port) = socket.port {
                    self.engine.unlisten(port);
                }
            }
            SocketState::Fresh | SocketState::Over => {}
        }
        Did::Returned(0)
    }

    fn shutdown(&mut self, call: &Call) -> Did {
        let how = match self.number(call, 1) {
            Ok(how) => how,
            Err(did) => return did,
        };
        let now = self.now;
        let socket = socket!(self, call);
        let SocketState::Session(id, _) = socket.state else { return Did::Failed("ENOTCONN") };
        socket.no_reading |= how != 1;
        socket.no_writing |= how != 0;
        if how != 0 {
            self.engine.shut_down(id, now);
        }
        Did::Returned(0)
    }

    fn fcntl(&mut self, call: &Call) -> Did {
        const GET: i64 = 3;
        const SET: i64 = 4;
        const NONBLOCK: i64 = 0o4000;
        let command = match self.number(call, 1) {
            Ok(command) => command,
            Err(did) => return did,
        };
        let flags = self.argument(call, 2).number().unwrap_or(0);
        let socket = socket!(self, call);
        match command {
            GET => Did::Returned(2 | if socket.nonblocking { NONBLOCK } else { 0 }),
            SET => {
                socket.nonblocking = flags & NONBLOCK != 0;
                Did::Returned(0)
            }
            _ => Did::Unsupported(format!("fcntl command {command}")),
        }
    }

    /// Compares a number that a call leaves in a list with what the script says.
    fn left(&self, value: &Value, number: i64) -> Did {
        let expected = match value {
            Value::List(list) => match list.as_slice() {
                [Value::Number(expected)] => *expected,
                _ => return Did::Returned(0),
            },
            _ => return Did::Returned(0),
        };
        if expected == number {
            return Did::Returned(0);
        }
        Did::Left(format!("[{expected}]"), format!("[{number}]"))
    }

    fn ioctl(&mut self, call: &Call) -> Did {
        const INPUT: i64 = 0x541b;
        const OUTPUT: i64 = 0x5411;
        const NOT_SENT: i64 = 0x894b;
        let request = match self.number(call, 1) {
            Ok(request) => request,
            Err(did) => return did,
        };
        let socket = socket!(self, call);
        if socket.datagrams && request == INPUT {
            let waiting = socket.incoming.front().map_or(0, |datagram| datagram.data.len());
            return self.left(self.argument(call, 2), waiting as i64);
        }
        let SocketState::Session(id, _) = socket.state else {
            let listens = matches!(socket.state, SocketState::Listening(..));
            return if listens {
                Did::Failed("EINVAL")
            } else {
                self.left(self.argument(call, 2), 0)
            };
        };
        let Some(standing) = self.engine.standing(id, self.now) else {
            return Did::Failed("EINVAL");
        };
        let number = match request {
            INPUT => i64::from(standing.readable),
            OUTPUT => i64::from(standing.unacknowledged),
            NOT_SENT => i64::from(standing.unsent),
            _ => return Did::Unsupported(format!("ioctl request {request:#x}")),
        };
        self.left(self.argument(call, 2), number)
    }

    fn poll(&mut self, call: &Call) -> Did {
        const ALWAYS: i64 = 8 | 0x10 | 0x20;
        let timeout = match self.number(call, 2) {
            Ok(timeout) => timeout,
            Err(did) => return did,
        };
        let Value::List(list) = self.argument(call, 0) else {
            return Did::Broken("expected a list of {fd=, events=, revents=}".into());
        };
        let mut count = 0;
        let mut differs = None;
        for entry in list {
            let number = |name: &str| entry.field(name).and_then(Value::number);
            let (Some(descriptor), Some(events)) = (number("fd"), number("events")) else {
                return Did::Broken("expected {fd=, events=, revents=} with numbers".into());
            };
            let found = match self.sockets.get(descriptor) {
                None => 0x20,
                Some(socket) => readiness(socket, self.engine, self.now) & (events | ALWAYS),
            };
            count += i64::from(found != 0);
            if let Some(expected) = number("revents")
                && expected != found
            {
                differs = Some((descriptor, expected, found));
            }
        }
        let waited = self.now - self.began;
        let over = timeout >= 0 && waited >= timeout as u64 * MILLISECOND;
        if count == 0 && !over {
            return Did::Waits;
        }
        match differs {
            None => Did::Returned(count),
            Some((descriptor, expected, found)) => Did::Left(
                format!("revents {expected:#x} of descriptor {descriptor}"),
                format!("{found:#x}"),
            ),
        }
    }

    fn set_option(&mut self, call: &Call) -> Did {
        let (level, option) = match (self.number(call, 1), self.number(call, 2)) {
            (Ok(level), Ok(option)) => (level, option),
            (Err(did), _) | (_, Err(did)) => return did,
        };
        let value = self.argument(call, 3);
        let number = match value {
            Value::List(list) => list.first().and_then(Value::number),
            Value::Structure(fields) => {
                // A linger structure that is off sets nothing.
                let on = fields.first().and_then(|(_, value)| value.number()).unwrap_or(0);
                let time = fields.get(1).and_then(|(_, value)| value.number()).unwrap_or(0);
                Some(if on != 0 { time } else { -1 })
            }
            Value::Text(_) => Some(0),
            _ => None,
        };
        let number = match (number, value) {
            (Some(number), _) => number,
            (None, Value::Ellipsis) => 0,
            _ => return Did::Broken("expected a value as [number]".into()),
        };
        let now = self.now;
        let socket = socket!(self, call);
        let session = match socket.state {
            SocketState::Session(id, _) => Some(id),
            _ => None,
        };
        if let Err(did) = store(level, option, number, value, socket) {
            return did;
        }
        let settings = socket.settings;
        if let Some(id) = session {
            Sockets::apply(self.engine, id, &settings, now);
            if (level, option) == (6, 12) {
                self.engine.set(id, Setting::Quick(number != 0), now);
            }
        }
        Did::Returned(0)
    }

    fn get_option(&mut self, call: &Call) -> Did {
        let (level, option) = match (self.number(call, 1), self.number(call, 2)) {
            (Ok(level), Ok(option)) => (level, option),
            (Err(did), _) | (_, Err(did)) => return did,
        };
        let default = i64::from(self.engine.behaviour().mss);
        let socket = socket!(self, call);
        let Settings { no_delay, cork, keep_alive, .. } = socket.settings;
        let number = match (level, option) {
            (1, 4) => socket.error.take().map_or(0, error_number),
            (1, 2) => i64::from(socket.reuse),
            (1, 9) => i64::from(keep_alive),
            (6, 1) => i64::from(no_delay),
            (6, 3) => i64::from(cork),
            (6, 2) => match socket.state {
                SocketState::Session(id, _) => self
                    .engine
                    .standing(id, self.now)
                    .map_or(default, |standing| i64::from(standing.mss)),
                _ => 536,
            },
            (6, 11) => return Did::Unsupported("TCP_INFO".into()),
            _ => return Did::Unsupported(format!("option {option} of level {level}")),
        };
        self.left(self.argument(call, 3), number)
    }
}

fn store(
    level: i64,
    option: i64,
    number: i64,
    value: &Value,
    socket: &mut Socket,
) -> Result<(), Did> {
    let settings = &mut socket.settings;
    match (level, option) {
        (1, 2 | 15) => socket.reuse = number != 0,
        (1, 7 | 32) => settings.send_buffer = Some(number.clamp(2_304, 1 << 29) as u32 * 2),
        (1, 9) => settings.keep_alive = number != 0,
        (1, 13) => settings.linger = (number >= 0).then_some(number),
        (6, 1) => settings.no_delay = number != 0,
        (6, 2) => {
            if !(88..=32_767).contains(&number) {
                return Err(Did::Failed("EINVAL"));
            }
            settings.mss = Some(number as u16);
        }
        (6, 3) => settings.cork = number != 0,
        (6, 4) => settings.keep_idle = Some(seconds(number)),
        (6, 5) => settings.keep_interval = Some(seconds(number)),
        (6, 6) => settings.keep_count = Some(number.clamp(1, 127) as u8),
        (6, 7) => settings.syn_retries = Some(number.clamp(1, 127) as u8),
        (6, 12) => {}
        (6, 13) => match value {
            Value::Text(name) if name == "reno" => {}
            _ => return Err(Did::Unsupported("congestion control other than reno".into())),
        },
        (6, 18) => {
            settings.user_timeout = Some(number.clamp(0, 1 << 31) as u64 * MILLISECOND);
        }
        _ => return Err(Did::Unsupported(format!("option {option} of level {level}"))),
    }
    Ok(())
}

/// An error's number, as SO_ERROR tells it.
fn error_number(name: &str) -> i64 {
    match name {
        "EPIPE" => 32,
        "ECONNRESET" => 104,
        "ETIMEDOUT" => 110,
        "ECONNREFUSED" => 111,
        _ => 5,
    }
}

/// A call's result in the script's words.
pub(super) fn show(did: &Did) -> String {
    match did {
        Did::Returned(number) => number.to_string(),
        Did::Failed(name) => format!("-1 {name} ({})", symbols::error(name).unwrap_or("unknown")),
        Did::Waits => "no return: it waits".into(),
        Did::Left(_, got) => got.clone(),
        Did::Unsupported(what) | Did::Broken(what) => what.clone(),
    }
}

//! Sockets over the engine, as a script's application has them.

use crate::engine::endpoint::{Endpoint, Setting};
use crate::engine::{Datagram, SessionId};
use crate::session::{End, State};
use crate::settings::{KeepAlive, Nanoseconds, SECOND};
use std::collections::{BTreeMap, VecDeque};

/// The first descriptor that a script gets.
const FIRST: i64 = 3;

/// A socket.
#[derive(Clone, Debug)]
pub(super) struct Socket {
    pub datagrams: bool,
    pub nonblocking: bool,
    pub reuse: bool,
    pub port: Option<u16>,
    pub state: SocketState,
    /// What went wrong, until it is asked for.
    pub error: Option<&'static str>,
    /// Nothing is read or written any more.
    pub no_reading: bool,
    pub no_writing: bool,
    /// The peer has closed its side.
    pub peer_closed: bool,
    pub incoming: VecDeque<Datagram>,
    pub settings: Settings,
}

/// What was set before there was a session, and is handed on to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settings {
    pub no_delay: bool,
    pub cork: bool,
    pub keep_alive: bool,
    pub keep_idle: Option<Nanoseconds>,
    pub keep_interval: Option<Nanoseconds>,
    pub keep_count: Option<u8>,
    pub mss: Option<u16>,
    pub syn_retries: Option<u8>,
    pub send_buffer: Option<u32>,
    pub linger: Option<i64>,
    pub user_timeout: Option<Nanoseconds>,
}

/// What a socket is.
#[derive(Clone, Debug)]
pub(super) enum SocketState {
    /// Nothing yet.
    Fresh,
    /// It takes connections, which wait here.
    Listening(VecDeque<SessionId>),
    /// It has a session; whether it has been open.
    Session(SessionId, bool),
    /// It had one.
    Over,
}

/// The descriptors.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    sockets: BTreeMap<i64, Socket>,
}

impl Sockets {
    pub(super) fn open(&mut self, datagrams: bool, nonblocking: bool) -> i64 {
        let descriptor =
            (FIRST..).find(|number| !self.sockets.contains_key(number)).unwrap_or(FIRST);
        self.sockets.insert(
            descriptor,
            Socket {
                datagrams,
                nonblocking,
                reuse: false,
                port: None,
                state: SocketState::Fresh,
                error: None,
                no_reading: false,
                no_writing: false,
                peer_closed: false,
                incoming: VecDeque::new(),
                settings: Settings::default(),
            },
        );
        descriptor
    }

    pub(super) fn get(&mut self, descriptor: i64) -> Option<&mut Socket> {
        self.sockets.get_mut(&descriptor)
    }

    pub(super) fn remove(&mut self, descriptor: i64) -> Option<Socket> {
        self.sockets.remove(&descriptor)
    }

    /// A free port for a socket that has none.
    pub(super) fn port_in_use(&self, port: u16, datagrams: bool) -> bool {
        self.sockets.values().any(|socket| {
            socket.port == Some(port) && socket.datagrams == datagrams && !socket.reuse
        })
    }

    /// Takes in what the engine tells.
    pub(super) fn follow(&mut self, engine: &mut dyn Endpoint) {
        while let Some(notification) = engine.notification() {
            let id = notification.session;
            let events = notification.events;
            let place = self.sockets.values_mut().find(|socket| {
                matches!(&socket.state, SocketState::Session(session, _) if *session == id)
            });
            if let Some(socket) = place {
                if events.opened
                    && let SocketState::Session(_, open) = &mut socket.state
                {
                    *open = true;
                }
                socket.peer_closed |= events.peer_closed;
                if let Some(end) = events.ended {
                    socket.error = match end {
                        End::Closed | End::Aborted => None,
                        // Behind the peer's FIN it is a broken pipe.
                        End::Reset if socket.peer_closed => Some("EPIPE"),
                        End::Reset => Some("ECONNRESET"),
                        End::Refused => Some("ECONNREFUSED"),
                        End::TimedOut => Some("ETIMEDOUT"),
                    };
                    socket.state = SocketState::Over;
                }
                continue;
            }
            if events.opened && notification.passive {
                let listener = self.sockets.values_mut().find(|socket| {
                    socket.port == Some(notification.own_port)
                        && matches!(socket.state, SocketState::Listening(..))
                });
                if let Some(Socket { state: SocketState::Listening(ready), .. }) = listener {
                    ready.push_back(id);
                }
            }
            if events.ended.is_some() {
                for socket in self.sockets.values_mut() {
                    if let SocketState::Listening(ready) = &mut socket.state {
                        ready.retain(|other| *other != id);
                    }
                }
            }
        }
        while let Some(datagram) = engine.datagram() {
            let place = self
                .sockets
                .values_mut()
                .find(|socket| socket.datagrams && socket.port == Some(datagram.own_port));
            if let Some(socket) = place {
                socket.incoming.push_back(datagram);
            }
        }
    }

    /// Hands on to a session what was set on its socket.
    pub(super) fn apply(
        engine: &mut dyn Endpoint,
        id: SessionId,
        settings: &Settings,
        now: Nanoseconds,
    ) {
        let defaults = KeepAlive::default();
        let keep = settings.keep_alive.then(|| KeepAlive {
            idle: settings.keep_idle.unwrap_or(defaults.idle),
            interval: settings.keep_interval.unwrap_or(defaults.interval),
            probes: settings.keep_count.unwrap_or(defaults.probes),
        });
        let mut set = |setting| engine.set(id, setting, now);
        set(Setting::Nagle(!settings.no_delay));
        set(Setting::Cork(settings.cork));
        settings.syn_retries.map(Setting::SynRetries).map(&mut set);
        settings.send_buffer.map(Setting::SendLimit).map(&mut set);
        settings.user_timeout.map(Setting::UserTimeout).map(&mut set);
        set(Setting::KeepAlive(keep));
    }
}

/// What poll would say of a socket.
pub(super) fn readiness(socket: &Socket, engine: &mut dyn Endpoint, now: Nanoseconds) -> i64 {
    const IN: i64 = 1;
    const OUT: i64 = 4;
    const ERROR: i64 = 8;
    const HANG_UP: i64 = 0x10;
    const READ_NORMAL: i64 = 0x40;
    const WRITE_NORMAL: i64 = 0x100;
    const PEER_CLOSED: i64 = 0x2000;
    let mut ready = if socket.error.is_some() { ERROR } else { 0 };
    match &socket.state {
        SocketState::Fresh if socket.datagrams => {
            ready |= OUT | WRITE_NORMAL;
            if !socket.incoming.is_empty() {
                ready |= IN | READ_NORMAL;
            }
        }
        SocketState::Fresh => ready |= OUT | HANG_UP,
        SocketState::Listening(queue) => {
            if !queue.is_empty() {
                ready |= IN | READ_NORMAL;
            }
        }
        SocketState::Over => {
            ready |= IN | READ_NORMAL | OUT | WRITE_NORMAL | HANG_UP | PEER_CLOSED;
        }
        SocketState::Session(id, _) => {
            let Some(standing) = engine.standing(*id, now) else { return ready };
            if matches!(standing.state, State::SynSent | State::SynReceived) {
                return ready;
            }
            if standing.readable > 0 || standing.peer_closed {
                ready |= IN | READ_NORMAL;
            }
            if standing.peer_closed {
                ready |= PEER_CLOSED;
            }
            if standing.peer_closed && socket.no_writing {
                ready |= HANG_UP;
            }
            // Linux wants a third of the buffer free; ours is so large that any room will do.
            if standing.room > 0 || socket.no_writing {
                ready |= OUT | WRITE_NORMAL;
            }
        }
    }
    ready
}

/// Seconds as a script gives them to an option.
pub(super) fn seconds(number: i64) -> Nanoseconds {
    number.clamp(0, 1 << 24) as u64 * SECOND
}

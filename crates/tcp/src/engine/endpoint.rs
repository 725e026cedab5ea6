//! What a host's applications and its port ask of a TCP/IP engine, be it the model or hardware.

use super::counters::Counters;
use super::{Datagram, Engine, Notification, SessionId, Unopened};
use crate::session::State;
use crate::settings::{Behaviour, KeepAlive, Nanoseconds};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its state.
    pub state: State,
    /// Our port.
    pub own_port: u16,
    /// Bytes that can be read.
    pub readable: u32,
    /// Bytes that can be written.
    pub room: u32,
    /// Bytes that were written and not sent.
    pub unsent: u32,
    /// Bytes that were written and not acknowledged.
    pub unacknowledged: u32,
    /// The peer has closed.
    pub peer_closed: bool,
    /// Longest payload of our segments.
    pub mss: u16,
}

impl Standing {
    /// Whether the peer has closed, and all is read.
    pub fn is_at_end(&self) -> bool {
        self.peer_closed && self.readable == 0
    }
}

/// An option of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Small segments wait for acknowledgements, or do not (`TCP_NODELAY`).
    Nagle(bool),
    /// Acknowledgements do not wait, or may (`TCP_QUICKACK`).
    Quick(bool),
    /// Segments that are not full wait (`TCP_CORK`).
    Cork(bool),
    /// How often a SYN is sent again (`TCP_SYNCNT`).
    SynRetries(u8),
    /// Bytes that are kept for sending at most (`SO_SNDBUF`).
    SendLimit(u32),
    /// It is given up when nothing was acknowledged for so long (`TCP_USER_TIMEOUT`); 0: never.
    UserTimeout(Nanoseconds),
    /// It is probed when it is idle (`SO_KEEPALIVE`).
    KeepAlive(Option<KeepAlive>),
}

/// A TCP/IP engine. Times never go back.
pub trait Endpoint {
    /// How connections behave that are opened from now on. In hardware these are registers, which those that are open
    /// obey too.
    fn behaviour(&self) -> Behaviour;
    /// Changes how they behave.
    fn set_behaviour(&mut self, behaviour: Behaviour);
    /// Takes for given who has an address.
    fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds);
    /// Takes connections on a port, with segments of at most `mss` bytes if it is given. False: too many ports listen.
    fn listen(&mut self, port: u16, mss: Option<u16>) -> bool;
    /// Takes connections on a port no more. Sessions live on.
    fn unlisten(&mut self, port: u16);
    /// Takes datagrams for a port. False: too many ports listen.
    fn bind_datagrams(&mut self, port: u16) -> bool;
    /// The next datagram.
    fn datagram(&mut self) -> Option<Datagram>;
    /// Sends a datagram of up to 8,972 bytes.
    fn send_datagram(&mut self, own_port: u16, peer: SocketAddrV4, data: &[u8]);
    /// Asks for the way to a peer, and says whether a connection to it can be opened.
    fn find(&mut self, peer: Ipv4Addr, now: Nanoseconds) -> bool;
    /// Whether a connection to a peer can be opened, without asking.
    fn knows(&self, peer: Ipv4Addr, now: Nanoseconds) -> bool;
    /// Opens a connection from a port of ours, or from a free one.
    ///
    /// # Errors
    /// There is no place, or no port.
    fn connect(
        &mut self,
        peer: SocketAddrV4,
        own_port: Option<u16>,
        now: Nanoseconds,
    ) -> Result<SessionId, Unopened>;
    /// How a session stands; none if it is gone.
    fn standing(&mut self, id: SessionId, now: Nanoseconds) -> Option<Standing>;
    /// Writes bytes, and says how many there was room for; 0 if the session is gone.
    fn write(&mut self, id: SessionId, bytes: &[u8], now: Nanoseconds) -> usize;
    /// Reads up to `most` bytes.
    fn read(&mut self, id: SessionId, most: u32, now: Nanoseconds) -> Vec<u8>;
    /// Reads all that can be read, and forgets it.
    fn skip(&mut self, id: SessionId, now: Nanoseconds) {
        self.read(id, u32::MAX, now);
    }
    /// Reads all that can be read, in pieces.
    fn read_into(&mut self, id: SessionId, now: Nanoseconds, take: &mut dyn FnMut(&[u8])) {
        take(&self.read(id, u32::MAX, now));
    }
    /// The application sends no more.
    fn shut_down(&mut self, id: SessionId, now: Nanoseconds);
    /// The session is closed, with or without what was not read.
    fn close(&mut self, id: SessionId, now: Nanoseconds);
    /// The session ends with a reset.
    fn abort(&mut self, id: SessionId, now: Nanoseconds);
    /// Sets an option of a session.
    fn set(&mut self, id: SessionId, setting: Setting, now: Nanoseconds);
    /// The next news. A session whose end is told is gone.
    fn notification(&mut self) -> Option<Notification>;
    /// Takes a frame in, without FCS.
    fn receive(&mut self, frame: &[u8], now: Nanoseconds);
    /// The next frame that leaves, without FCS. False: there is none.
    fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool;
    /// Lets time pass up to `now`.
    fn tick(&mut self, now: Nanoseconds);
    /// When [`Self::tick`] is due, if nothing comes in between.
    fn wakes(&mut self) -> Option<Nanoseconds>;
    /// What was counted.
    fn counters(&self) -> Counters;
    /// Clocks of the hardware; 0 for the model.
    fn clocks(&self) -> u64 {
        0
    }
    /// What has stopped the engine: from then on it does nothing. The model is never stopped.
    fn failure(&self) -> Option<String> {
        None
    }
    /// Connections that are open: neither in their handshake nor over.
    fn live_sessions(&self) -> u64 {
        let counters = self.counters();
        counters.opened - counters.closed
    }
}

impl Endpoint for Engine {
    fn behaviour(&self) -> Behaviour {
        self.settings().tcp
    }

    fn set_behaviour(&mut self, behaviour: Behaviour) {
        self.settings_mut().tcp = behaviour;
    }

    fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds) {
        Engine::learn(self, ip, mac, now);
    }

    fn listen(&mut self, port: u16, mss: Option<u16>) -> bool {
        Engine::listen(self, port);
        self.set_listener_mss(port, mss);
        true
    }

    fn unlisten(&mut self, port: u16) {
        Engine::unlisten(self, port);
    }

    fn bind_datagrams(&mut self, port: u16) -> bool {
        Engine::bind_datagrams(self, port);
        true
    }

    fn datagram(&mut self) -> Option<Datagram> {
        Engine::datagram(self)
    }

    fn send_datagram(&mut self, own_port: u16, peer: SocketAddrV4, data: &[u8]) {
        Engine::send_datagram(self, own_port, peer, data);
    }

    fn find(&mut self, peer: Ipv4Addr, now: Nanoseconds) -> bool {
        Engine::find(self, peer, now)
    }

    fn knows(&self, peer: Ipv4Addr, now: Nanoseconds) -> bool {
        Engine::knows(self, peer, now)
    }

    fn connect(
        &mut self,
        peer: SocketAddrV4,
        own_port: Option<u16>,
        now: Nanoseconds,
    ) -> Result<SessionId, Unopened> {
        Engine::connect(self, peer, own_port, now)
    }

    fn standing(&mut self, id: SessionId, _: Nanoseconds) -> Option<Standing> {
        self.session(id).map(|session| Standing {
            state: session.state(),
            own_port: session.own_port,
            readable: session.readable() as u32,
            room: session.room() as u32,
            unsent: session.not_sent(),
            unacknowledged: session.unacknowledged(),
            peer_closed: session.peer_has_closed(),
            mss: session.mss() as u16,
        })
    }

    fn write(&mut self, id: SessionId, bytes: &[u8], now: Nanoseconds) -> usize {
        Engine::write(self, id, bytes, now)
    }

    fn read(&mut self, id: SessionId, most: u32, now: Nanoseconds) -> Vec<u8> {
        let bytes = self.with(id, now, |session| {
            let (first, second) = session.peek();
            let head = first.len().min(most as usize);
            let tail = second.len().min(most as usize - head);
            let bytes = [&first[..head], &second[..tail]].concat();
            session.consume(most as usize);
            bytes
        });
        bytes.unwrap_or_default()
    }

    /// Without a copy.
    fn read_into(&mut self, id: SessionId, now: Nanoseconds, take: &mut dyn FnMut(&[u8])) {
        if self.session(id).is_none_or(|session| session.readable() == 0) {
            return;
        }
        self.with(id, now, |session| {
            let (first, second) = session.peek();
            take(first);
            take(second);
            session.consume(session.readable());
        });
    }

    fn skip(&mut self, id: SessionId, now: Nanoseconds) {
        self.with(id, now, |session| session.consume(session.readable()));
    }

    fn shut_down(&mut self, id: SessionId, now: Nanoseconds) {
        self.with(id, now, |session| session.shut_down());
    }

    fn close(&mut self, id: SessionId, now: Nanoseconds) {
        Engine::close(self, id, now);
    }

    fn abort(&mut self, id: SessionId, now: Nanoseconds) {
        self.with(id, now, |session| session.abort());
    }

    fn set(&mut self, id: SessionId, setting: Setting, now: Nanoseconds) {
        self.with(id, now, |session| match setting {
            Setting::Nagle(on) => session.set_nagle(on),
            Setting::Quick(on) => session.set_quick(on),
            Setting::Cork(on) => session.set_cork(on),
            Setting::SynRetries(retries) => session.set_syn_retries(retries),
            Setting::SendLimit(bytes) => session.set_send_limit(bytes),
            Setting::UserTimeout(time) => session.set_user_timeout(time),
            Setting::KeepAlive(keep) => session.set_keep_alive(keep, now),
        });
    }

    fn notification(&mut self) -> Option<Notification> {
        Engine::notification(self)
    }

    fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        Engine::receive(self, frame, now);
    }

    fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        Engine::transmit(self, frame, now)
    }

    fn tick(&mut self, now: Nanoseconds) {
        Engine::tick(self, now);
    }

    fn wakes(&mut self) -> Option<Nanoseconds> {
        Engine::wakes(self)
    }

    fn counters(&self) -> Counters {
        Engine::counters(self)
    }
}

//! The application's side of an engine: ports, connections, datagrams, news.

use super::cookie::Connection;
use super::inbound::LONGEST_FRAME;
use super::{Datagram, EPHEMERAL, Engine, Notification, SessionId, Unopened, outbound};
use crate::session::{Session, State};
use crate::settings::Nanoseconds;
use std::net::SocketAddrV4;

impl Engine {
    /// Listens on a port.
    pub fn listen(&mut self, port: u16) {
        self.listening.entry(port).or_default();
    }

    /// Connections that a port takes have segments of at most so many bytes (`TCP_MAXSEG`).
    pub fn set_listener_mss(&mut self, port: u16, mss: Option<u16>) {
        if let Some(listener) = self.listening.get_mut(&port) {
            listener.mss = mss;
        }
    }

    /// Listens on a port no more. Sessions live on.
    pub fn unlisten(&mut self, port: u16) {
        self.listening.remove(&port);
    }

    /// Takes datagrams for a port.
    pub fn bind_datagrams(&mut self, port: u16) {
        if !self.datagram_ports.contains(&port) {
            self.datagram_ports.push(port);
        }
    }

    /// The next datagram.
    pub fn datagram(&mut self) -> Option<Datagram> {
        self.datagrams.pop_front()
    }

    /// Sends a datagram of up to 8,972 bytes.
    pub fn send_datagram(&mut self, own_port: u16, peer: SocketAddrV4, data: &[u8]) {
        let ends = self.towards(*peer.ip());
        let data = &data[..data.len().min(LONGEST_FRAME - 42)];
        self.answer(|out| outbound::datagram(ends, (own_port, peer.port()), data, out));
    }

    /// Opens a connection from a port of ours, or from a free one.
    pub fn connect(
        &mut self,
        peer: SocketAddrV4,
        own_port: Option<u16>,
        now: Nanoseconds,
    ) -> Result<SessionId, Unopened> {
        let own_port = match own_port {
            Some(port) => Some(port).filter(|&port| self.port_is_free(peer, port)),
            None => self.free_port(peer),
        };
        let own_port = own_port.ok_or(Unopened::NoPort)?;
        if let Some(&index) = self.table.get(&(peer, own_port)) {
            self.release(index);
        }
        let index = self.take_slot().ok_or(Unopened::NoSession)?;
        let connection = Connection { own: self.settings.ip, own_port, peer };
        let session = Session::connect(self.settings.tcp, &self.opening(&connection, now));
        self.occupy(index, session, now);
        Ok(SessionId { index, generation: self.slots[index as usize].generation })
    }

    fn port_is_free(&self, peer: SocketAddrV4, port: u16) -> bool {
        self.table.get(&(peer, port)).is_none_or(|&index| {
            self.slots[index as usize]
                .session
                .as_ref()
                .is_none_or(|session| session.state() == State::TimeWait)
        })
    }

    fn free_port(&mut self, peer: SocketAddrV4) -> Option<u16> {
        for _ in EPHEMERAL {
            let port = self.next_port;
            self.next_port = if port == *EPHEMERAL.end() { *EPHEMERAL.start() } else { port + 1 };
            if !self.table.contains_key(&(peer, port)) && !self.listening.contains_key(&port) {
                return Some(port);
            }
        }
        None
    }

    /// A session, to look at.
    pub fn session(&self, id: SessionId) -> Option<&Session> {
        let slot = self.slots.get(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        slot.session.as_deref()
    }

    /// Does something to a session as its application.
    pub fn with<T>(
        &mut self,
        id: SessionId,
        now: Nanoseconds,
        act: impl FnOnce(&mut Session) -> T,
    ) -> Option<T> {
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let result = act(slot.session.as_mut()?);
        self.follow(id.index, now);
        Some(result)
    }

    /// Writes bytes, and says how many there was room for; 0 if the session is gone.
    pub fn write(&mut self, id: SessionId, bytes: &[u8], now: Nanoseconds) -> usize {
        self.with(id, now, |session| session.write(bytes, true)).unwrap_or(0)
    }

    /// The session is closed, with or without what was not read.
    pub fn close(&mut self, id: SessionId, now: Nanoseconds) {
        self.with(id, now, |session| session.close(now));
    }

    /// The next news. A session whose end is told is gone.
    pub fn notification(&mut self) -> Option<Notification> {
        // Of those whose session has gone meanwhile there is none.
        let (index, events) = loop {
            let index = self.news.pop_front()?;
            let slot = &mut self.slots[index as usize];
            slot.announced = false;
            if let Some(events) = slot.news.take() {
                break (index, events);
            }
        };
        let slot = &mut self.slots[index as usize];
        let session = slot.session.as_ref()?;
        let notification = Notification {
            session: SessionId { index, generation: slot.generation },
            own_port: session.own_port,
            peer: session.peer,
            passive: session.passive,
            events,
        };
        slot.end_told |= events.ended.is_some();
        if slot.end_told && !session.is_due() {
            self.release(index);
        }
        Some(notification)
    }
}

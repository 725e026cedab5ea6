//! An engine, be it the model or hardware, as a stack of a pair.

use super::Plan;
use super::stack::{News, Stack};
use crate::engine::SessionId;
use crate::engine::endpoint::{Endpoint, Standing};
use crate::settings::{Nanoseconds, Settings};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;

/// Addresses of the two ends.
pub const IP: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)];
/// Ethernet addresses of the two ends.
pub const MAC: [[u8; 6]; 2] = [[2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2]];
/// Where the second end listens.
pub const PORT: u16 = 5_001;
/// The first end's port of connection 0; the others follow.
pub const FIRST_PORT: u16 = 10_000;

/// Bytes that are written ahead of what is sent, at most: enough for the line, and none to copy in vain.
const AHEAD: u32 = 256 << 10;

/// The host at one end.
pub fn settings(plan: &Plan, end: usize) -> Settings {
    Settings {
        mac: MacAddress(MAC[end]),
        ip: IP[end],
        prefix: 24,
        gateway: None,
        sessions: plan.sessions,
        backlog: plan.sessions,
        seed: plan.seed.wrapping_mul(2).wrapping_add(end as u64),
        scan: false,
        tcp: plan.tcp,
    }
}

/// An engine as a stack.
pub(super) struct EngineStack {
    engine: Box<dyn Endpoint>,
    sessions: Vec<Option<SessionId>>,
    gone: VecDeque<usize>,
}

impl EngineStack {
    /// An engine with the [`settings`] of this end.
    pub(super) fn new(mut engine: Box<dyn Endpoint>, plan: &Plan, end: usize) -> Self {
        // As known for longer than any run takes, and any clock of hardware counts.
        engine.learn(IP[1 - end], MacAddress(MAC[1 - end]), 1 << 47);
        Self { engine, sessions: vec![None; plan.sessions], gone: VecDeque::new() }
    }

    fn standing(&mut self, connection: usize, now: Nanoseconds) -> Option<Standing> {
        self.engine.standing(self.sessions[connection]?, now)
    }
}

impl Stack for EngineStack {
    fn listen(&mut self) {
        self.engine.listen(PORT, None);
    }

    fn connect(&mut self, connection: usize, now: Nanoseconds) {
        let peer = SocketAddrV4::new(IP[1], PORT);
        let port = FIRST_PORT + connection as u16;
        self.sessions[connection] = self.engine.connect(peer, Some(port), now).ok();
    }

    fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        self.engine.receive(frame, now);
    }

    fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        self.engine.transmit(frame, now)
    }

    fn advance(&mut self, now: Nanoseconds) {
        self.engine.tick(now);
    }

    fn wakes(&mut self, _: Nanoseconds) -> Option<Nanoseconds> {
        self.engine.wakes()
    }

    fn news(&mut self, _: Nanoseconds) -> Option<News> {
        if let Some(gone) = self.gone.pop_front() {
            return Some(News::Gone(gone));
        }
        loop {
            let notification = self.engine.notification()?;
            let port =
                if notification.passive { notification.peer.port() } else { notification.own_port };
            let connection = usize::from(port.wrapping_sub(FIRST_PORT));
            if connection >= self.sessions.len() {
                continue;
            }
            self.sessions[connection] = Some(notification.session);
            if notification.events.ended.is_some() {
                self.gone.push_back(connection);
            }
            return Some(News::Look(connection));
        }
    }

    fn room(&mut self, connection: usize, now: Nanoseconds) -> usize {
        self.standing(connection, now).map_or(0, |standing| {
            let sends = standing.state.may_send() && standing.unsent < AHEAD;
            if sends { standing.room as usize } else { 0 }
        })
    }

    fn write(&mut self, connection: usize, bytes: &[u8], now: Nanoseconds) {
        if let Some(id) = self.sessions[connection] {
            self.engine.write(id, bytes, now);
        }
    }

    fn read(&mut self, connection: usize, now: Nanoseconds, take: &mut dyn FnMut(&[u8])) {
        if let Some(id) = self.sessions[connection] {
            self.engine.read_into(id, now, take);
        }
    }

    fn is_at_end(&mut self, connection: usize, now: Nanoseconds) -> bool {
        self.standing(connection, now).is_some_and(|standing| standing.is_at_end())
    }

    fn close(&mut self, connection: usize, now: Nanoseconds) {
        if let Some(id) = self.sessions[connection] {
            self.engine.shut_down(id, now);
        }
    }

    fn resent(&self) -> u64 {
        self.engine.counters().resent
    }

    fn timeouts(&self) -> u64 {
        self.engine.counters().timeouts
    }

    fn failure(&self) -> Option<String> {
        self.engine.failure()
    }
}

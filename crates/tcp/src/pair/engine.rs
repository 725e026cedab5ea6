//! The model as a stack of a pair.

use super::Plan;
use super::stack::{News, Stack};
use crate::engine::{Engine, SessionId};
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

pub(super) struct ModelStack {
    engine: Engine,
    sessions: Vec<Option<SessionId>>,
    gone: VecDeque<usize>,
    resent: u64,
}

impl ModelStack {
    pub(super) fn new(plan: &Plan, end: usize) -> Self {
        let mut engine = Engine::new(settings(plan, end));
        engine.learn(IP[1 - end], MacAddress(MAC[1 - end]), Nanoseconds::MAX / 4);
        Self { engine, sessions: vec![None; plan.sessions], gone: VecDeque::new(), resent: 0 }
    }
}

impl Stack for ModelStack {
    fn listen(&mut self) {
        self.engine.listen(PORT);
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
        let notification = self.engine.notification()?;
        let port =
            if notification.passive { notification.peer.port() } else { notification.own_port };
        let connection = usize::from(port.wrapping_sub(FIRST_PORT));
        if connection >= self.sessions.len() {
            return self.news(0);
        }
        self.sessions[connection] = Some(notification.session);
        if notification.events.ended.is_some() {
            self.gone.push_back(connection);
        }
        Some(News::Look(connection))
    }

    fn room(&self, connection: usize) -> usize {
        self.sessions[connection].and_then(|id| self.engine.session(id)).map_or(0, |session| {
            let sends = session.state().may_send() && session.not_sent() < AHEAD;
            if sends { session.room() } else { 0 }
        })
    }

    fn write(&mut self, connection: usize, bytes: &[u8], now: Nanoseconds) {
        if let Some(id) = self.sessions[connection] {
            self.engine.write(id, bytes, now);
        }
    }

    fn read(&mut self, connection: usize, now: Nanoseconds, take: &mut dyn FnMut(&[u8])) {
        let Some(id) = self.sessions[connection] else { return };
        if self.engine.session(id).is_none_or(|session| session.readable() == 0) {
            return;
        }
        self.engine.with(id, now, |session| {
            let (first, second) = session.peek();
            take(first);
            take(second);
            session.consume(session.readable());
        });
    }

    fn is_at_end(&self, connection: usize) -> bool {
        self.sessions[connection]
            .and_then(|id| self.engine.session(id))
            .is_some_and(|session| session.is_at_end())
    }

    fn close(&mut self, connection: usize, now: Nanoseconds) {
        if let Some(id) = self.sessions[connection] {
            self.engine.with(id, now, |session| session.shut_down());
        }
    }

    fn resent(&self) -> u64 {
        self.resent + self.engine.counters().resent
    }

    fn timeouts(&self) -> u64 {
        self.engine.counters().timeouts
    }
}

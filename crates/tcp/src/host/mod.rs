//! A host with applications: what `ww tcp host` runs.
//!
//! Like the engine it reads no clock and no socket: frames and the time come in, frames go out.

mod applications;
mod iperf;
mod report;

use crate::engine::endpoint::Endpoint;
use crate::engine::{Notification, SessionId};
use crate::settings::{MILLISECOND, Nanoseconds, SECOND};
use applications::Service;
pub use applications::{Application, Protocol};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};

/// A peer whose address is not known is asked for so often.
const ASK_INTERVAL: Nanoseconds = 100 * MILLISECOND;

/// How long connections may take to close when the host is to stop.
const DRAIN: Nanoseconds = 2 * SECOND;

/// A connection that the host opens.
#[derive(Clone, Copy, Debug)]
struct Pending {
    peer: SocketAddrV4,
    application: Application,
    /// When the way was last asked for.
    asked: Option<Nanoseconds>,
}

/// How long a client of iperf sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Time from the opening to the close.
    pub duration: Nanoseconds,
}

impl Default for Load {
    /// 10 s, as iperf.
    fn default() -> Self {
        Self { duration: 10 * SECOND }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Host<E> {
    engine: E,
    /// What listens where.
    listening: BTreeMap<(Protocol, u16), Application>,
    pending: Vec<Pending>,
    services: BTreeMap<SessionId, Service>,
    load: Load,
    /// Set when the host is to stop: no later than then.
    drained_by: Option<Nanoseconds>,
    datagrams: iperf::Datagrams,
}

impl<E: Endpoint> Host<E> {
    /// A host without applications.
    pub fn new(engine: E, load: Load) -> Self {
        Self {
            engine,
            listening: BTreeMap::new(),
            pending: Vec::new(),
            services: BTreeMap::new(),
            load,
            drained_by: None,
            datagrams: iperf::Datagrams::default(),
        }
    }

    /// Has an application listen. False: something listens there, or too many ports listen.
    pub fn listen(&mut self, protocol: Protocol, port: u16, application: Application) -> bool {
        if self.listening.contains_key(&(protocol, port)) {
            return false;
        }
        self.listening.insert((protocol, port), application);
        match protocol {
            Protocol::Tcp => self.engine.listen(port, None),
            Protocol::Udp => self.engine.bind_datagrams(port),
        }
    }

    /// Opens a connection as soon as the way is known.
    pub fn connect(&mut self, peer: SocketAddrV4, application: Application) {
        self.pending.push(Pending { peer, application, asked: None });
    }

    /// The engine, to look at.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// Takes a frame in, without FCS.
    pub fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        self.engine.tick(now);
        self.engine.receive(frame, now);
        self.serve(now);
    }

    /// The next frame that leaves, without FCS. False: there is none.
    pub fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        if self.engine.transmit(frame, now) {
            return true;
        }
        // There may be room for more now.
        self.serve(now);
        self.engine.transmit(frame, now)
    }

    /// Lets time pass up to `now`.
    pub fn advance(&mut self, now: Nanoseconds) {
        self.engine.tick(now);
        self.open_pending(now);
        self.serve(now);
        if self.drained_by.is_some_and(|by| by <= now) {
            let left: Vec<SessionId> = self.services.keys().copied().collect();
            for id in left {
                self.engine.abort(id, now);
                self.services.remove(&id);
            }
        }
    }

    /// When [`Self::advance`] is due.
    pub fn wakes(&mut self) -> Option<Nanoseconds> {
        let pending = self
            .pending
            .iter()
            .map(|pending| pending.asked.map_or(0, |asked| asked + ASK_INTERVAL))
            .min();
        let loads = self.services.values().filter_map(Service::wakes).min();
        [self.engine.wakes(), pending, loads, self.drained_by].into_iter().flatten().min()
    }

    /// Begins to stop: nothing new is opened, connections are closed.
    pub fn drain(&mut self, now: Nanoseconds) {
        if self.drained_by.is_some() {
            return;
        }
        self.drained_by = Some(now + DRAIN);
        self.pending.clear();
        for (protocol, port) in self.listening.keys() {
            if *protocol == Protocol::Tcp {
                self.engine.unlisten(*port);
            }
        }
        let all: Vec<SessionId> = self.services.keys().copied().collect();
        for id in all {
            if let Some(service) = self.services.get_mut(&id) {
                service.finish(&mut self.engine, id, now);
            }
        }
    }

    /// Whether nothing is left to do after [`Self::drain`].
    pub fn is_drained(&self) -> bool {
        self.drained_by.is_some() && self.services.is_empty() && self.engine.live_sessions() == 0
    }

    fn open_pending(&mut self, now: Nanoseconds) {
        let Self { engine, pending, services, load, .. } = self;
        pending.retain_mut(|connection| {
            if connection.asked.is_some_and(|asked| now < asked + ASK_INTERVAL) {
                return true;
            }
            connection.asked = Some(now);
            if !engine.find(*connection.peer.ip(), now) {
                return true;
            }
            match engine.connect(connection.peer, None, now) {
                Ok(id) => {
                    services.insert(id, Service::client(connection.application, *load));
                    false
                }
                Err(_) => true,
            }
        });
    }

    /// A frame may have told the way to a peer: its connection is opened at once.
    fn hasten(&mut self) {
        self.pending.iter_mut().for_each(|pending| pending.asked = None);
    }

    /// Carries out what the applications do.
    fn serve(&mut self, now: Nanoseconds) {
        let waits = |ip: Ipv4Addr, engine: &E| engine.knows(ip, now);
        if self.pending.iter().any(|pending| waits(*pending.peer.ip(), &self.engine)) {
            self.hasten();
            self.open_pending(now);
        }
        while let Some(notification) = self.engine.notification() {
            self.notice(&notification, now);
        }
        while let Some(datagram) = self.engine.datagram() {
            let Some(application) = self.listening.get(&(Protocol::Udp, datagram.own_port)) else {
                continue;
            };
            let answer = self.datagrams.answer(*application, &datagram, now);
            if let Some(answer) = answer {
                self.engine.send_datagram(datagram.own_port, datagram.peer, &answer);
            }
        }
        let timed: Vec<SessionId> = self
            .services
            .iter()
            .filter(|(_, service)| service.wakes().is_some_and(|at| at <= now))
            .map(|(id, _)| *id)
            .collect();
        for id in timed {
            self.work(id, now);
        }
    }

    fn notice(&mut self, notification: &Notification, now: Nanoseconds) {
        let id = notification.session;
        let events = notification.events;
        if events.opened
            && notification.passive
            && let Some(application) =
                self.listening.get(&(Protocol::Tcp, notification.own_port)).copied()
        {
            self.services.insert(id, Service::server(application));
        }
        if events.opened
            && let Some(service) = self.services.get_mut(&id)
        {
            service.opened(now);
        }
        if events.ended.is_some() {
            self.services.remove(&id);
            return;
        }
        self.work(id, now);
        if self.drained_by.is_some()
            && let Some(service) = self.services.get_mut(&id)
        {
            service.finish(&mut self.engine, id, now);
        }
    }

    fn work(&mut self, id: SessionId, now: Nanoseconds) {
        if let Some(service) = self.services.get_mut(&id)
            && service.work(&mut self.engine, id, now)
        {
            self.services.remove(&id);
        }
    }
}

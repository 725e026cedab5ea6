//! The host in hardware as the engine of a host's applications.

use super::host::{HardwareHost, HostShape};
use crate::runner::Error;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::counters::Counters;
use ww_tcp::engine::endpoint::{Endpoint, Setting, Standing};
use ww_tcp::engine::{Datagram, Notification, SessionId, Unopened};
use ww_tcp::settings::{Behaviour, Nanoseconds, Settings};

/// A host in simulation that an assertion may stop: the first failure is kept, and nothing is done any more.
pub struct HardwareEndpoint {
    host: HardwareHost,
    failure: Option<Error>,
}

impl HardwareEndpoint {
    /// A host that runs, built if it is not there.
    ///
    /// # Errors
    /// The tools are missing, or Verilator refuses the shape.
    pub fn new(shape: HostShape, settings: Settings) -> Result<Self, Error> {
        Ok(Self { host: HardwareHost::new(shape, settings)?, failure: None })
    }

    /// Does something if nothing has failed.
    fn attempt<T: Default>(
        &mut self,
        act: impl FnOnce(&mut HardwareHost) -> Result<T, Error>,
    ) -> T {
        if self.failure.is_some() {
            return T::default();
        }
        act(&mut self.host).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            T::default()
        })
    }
}

impl Endpoint for HardwareEndpoint {
    fn behaviour(&self) -> Behaviour {
        self.host.settings().tcp
    }

    fn set_behaviour(&mut self, behaviour: Behaviour) {
        self.host.set_behaviour(behaviour);
    }

    fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds) {
        self.attempt(|host| host.learn(ip, mac, now));
    }

    fn listen(&mut self, port: u16, mss: Option<u16>) -> bool {
        self.attempt(|host| host.listen(port, mss))
    }

    fn unlisten(&mut self, port: u16) {
        self.attempt(|host| host.unlisten(port));
    }

    fn bind_datagrams(&mut self, port: u16) -> bool {
        self.host.bind_datagrams(port)
    }

    fn datagram(&mut self) -> Option<Datagram> {
        self.host.datagram()
    }

    fn send_datagram(&mut self, own_port: u16, peer: SocketAddrV4, data: &[u8]) {
        self.attempt(|host| host.send_datagram(own_port, peer, data));
    }

    /// The SYN itself asks for the way; it goes out again a second later.
    fn find(&mut self, _: Ipv4Addr, _: Nanoseconds) -> bool {
        true
    }

    fn knows(&self, _: Ipv4Addr, _: Nanoseconds) -> bool {
        true
    }

    fn connect(
        &mut self,
        peer: SocketAddrV4,
        own_port: Option<u16>,
        now: Nanoseconds,
    ) -> Result<SessionId, Unopened> {
        self.attempt(|host| host.connect(peer, own_port, now).map(Some))
            .unwrap_or(Err(Unopened::NoSession))
    }

    fn standing(&mut self, id: SessionId, now: Nanoseconds) -> Option<Standing> {
        self.attempt(|host| host.standing(id, now))
    }

    fn write(&mut self, id: SessionId, bytes: &[u8], now: Nanoseconds) -> usize {
        self.attempt(|host| host.write(id, bytes, now))
    }

    fn read(&mut self, id: SessionId, most: u32, now: Nanoseconds) -> Vec<u8> {
        self.attempt(|host| host.read(id, most, now))
    }

    fn shut_down(&mut self, id: SessionId, now: Nanoseconds) {
        self.attempt(|host| host.shut_down(id, now));
    }

    fn close(&mut self, id: SessionId, now: Nanoseconds) {
        self.attempt(|host| host.close(id, now));
    }

    fn abort(&mut self, id: SessionId, now: Nanoseconds) {
        self.attempt(|host| host.abort(id, now));
    }

    fn set(&mut self, id: SessionId, setting: Setting, now: Nanoseconds) {
        self.attempt(|host| host.set(id, setting, now));
    }

    fn notification(&mut self) -> Option<Notification> {
        self.attempt(HardwareHost::notification)
    }

    fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        self.attempt(|host| host.receive(frame, now));
    }

    fn transmit(&mut self, frame: &mut Vec<u8>, _: Nanoseconds) -> bool {
        self.host.transmit(frame)
    }

    fn tick(&mut self, now: Nanoseconds) {
        // All else takes the time with it.
        if self.wakes().is_none_or(|at| at > now) {
            return;
        }
        self.attempt(|host| host.tick(now));
    }

    fn wakes(&mut self) -> Option<Nanoseconds> {
        self.host.wakes()
    }

    fn counters(&self) -> Counters {
        self.host.counters()
    }

    fn clocks(&self) -> u64 {
        self.host.clocks()
    }

    fn failure(&self) -> Option<String> {
        self.failure.as_ref().map(ToString::to_string)
    }
}

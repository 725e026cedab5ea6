//! smoltcp as a stack of a pair: the crate as it is, with the buffers of a session.

use super::Plan;
use super::engine::{FIRST_PORT, IP, MAC, PORT};
use super::stack::{News, Stack};
use crate::settings::Nanoseconds;
use smoltcp::iface::{Config, Interface, PollIngressSingleResult, SocketHandle, SocketSet};
use smoltcp::phy::{self, DeviceCapabilities, Medium};
use smoltcp::socket::tcp;
use smoltcp::time::Instant;
use smoltcp::wire::{
    EthernetAddress, HardwareAddress, IpCidr, IpEndpoint, IpListenEndpoint, Ipv4Cidr,
};
use std::collections::VecDeque;

/// Frames are padded to so many bytes.
const SHORTEST: usize = 60;

/// Which end it is.
const END: usize = 1;

struct Device {
    incoming: VecDeque<Vec<u8>>,
    outgoing: VecDeque<Vec<u8>>,
    longest: usize,
}

struct Incoming(Vec<u8>);

struct Outgoing<'d>(&'d mut VecDeque<Vec<u8>>);

impl phy::RxToken for Incoming {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

impl phy::TxToken for Outgoing<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, f: F) -> R {
        let mut frame = vec![0; length];
        let result = f(&mut frame);
        frame.resize(length.max(SHORTEST), 0);
        self.0.push_back(frame);
        result
    }
}

impl phy::Device for Device {
    type RxToken<'a> = Incoming;
    type TxToken<'a> = Outgoing<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Incoming, Outgoing<'_>)> {
        let frame = self.incoming.pop_front()?;
        Some((Incoming(frame), Outgoing(&mut self.outgoing)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Outgoing<'_>> {
        Some(Outgoing(&mut self.outgoing))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = self.longest;
        capabilities
    }
}

pub(super) struct SmoltcpStack {
    interface: Interface,
    device: Device,
    sockets: SocketSet<'static>,
    handles: Vec<SocketHandle>,
    /// Which connection a socket has, once that is known.
    connections: Vec<Option<usize>>,
    /// Sockets that are to be looked at.
    looks: VecDeque<usize>,
    gone: Vec<bool>,
    data_frames: u64,
    highest: Vec<Option<u32>>,
    resent: u64,
}

impl SmoltcpStack {
    pub(super) fn new(plan: &Plan) -> Self {
        let mtu = usize::from(plan.segment) + 40;
        let longest = mtu.max(576) + 14;
        let mut device = Device { incoming: VecDeque::new(), outgoing: VecDeque::new(), longest };
        let mut config = Config::new(HardwareAddress::Ethernet(EthernetAddress(MAC[END])));
        config.random_seed = plan.seed;
        let mut interface = Interface::new(config, &mut device, Instant::ZERO);
        interface.update_ip_addrs(|list| {
            let _ = list.push(IpCidr::Ipv4(Ipv4Cidr::new(IP[END], 24)));
        });
        let buffer = plan.tcp.buffer() as usize;
        let mut sockets = SocketSet::new(Vec::new());
        let handles: Vec<SocketHandle> = (0..plan.sessions)
            .map(|_| {
                let buffers = || tcp::SocketBuffer::new(vec![0; buffer]);
                sockets.add(tcp::Socket::new(buffers(), buffers()))
            })
            .collect();
        let mut stack = Self {
            interface,
            device,
            sockets,
            connections: vec![None; handles.len()],
            looks: VecDeque::new(),
            gone: vec![false; handles.len()],
            highest: vec![None; handles.len()],
            data_frames: 0,
            resent: 0,
            handles,
        };
        stack.learn();
        stack
    }

    /// The other end's address, told by an ARP request of it.
    fn learn(&mut self) {
        use ww_packet::arp::{Operation, Repr};
        use ww_packet::ethernet::MacAddress;
        let message = Repr {
            operation: Operation::Request,
            sender_mac: MacAddress(MAC[0]),
            sender_ip: IP[0],
            target_mac: MacAddress([0; 6]),
            target_ip: IP[END],
        };
        let mut frame = Vec::new();
        crate::engine::outbound::arp_frame(&message, &mut frame);
        self.receive(&frame, 0);
        self.device.outgoing.clear();
    }

    fn socket_of(&self, connection: usize) -> Option<SocketHandle> {
        let index = self.connections.iter().position(|known| *known == Some(connection))?;
        Some(self.handles[index])
    }

    /// Which connection each socket has that is not known yet.
    fn identify(&mut self) {
        for (index, handle) in self.handles.iter().enumerate() {
            if self.connections[index].is_none()
                && let Some(peer) = self.sockets.get::<tcp::Socket<'_>>(*handle).remote_endpoint()
            {
                self.connections[index] = Some(usize::from(peer.port.wrapping_sub(FIRST_PORT)));
            }
        }
    }

    fn look_at_all(&mut self) {
        self.identify();
        self.looks.clear();
        self.looks.extend(0..self.handles.len());
    }

    /// Counts data that was sent before.
    fn count(&mut self, frame: &[u8]) {
        let (ip, tcp) = (14, 34);
        if frame[12..14] != [8, 0] || frame[ip + 9] != 6 {
            return;
        }
        let total = usize::from(u16::from_be_bytes([frame[ip + 2], frame[ip + 3]]));
        let header = usize::from(frame[tcp + 12] >> 4) * 4;
        let length = (total - 20 - header) as u32;
        if length == 0 {
            return;
        }
        self.data_frames += 1;
        let port = u16::from_be_bytes([frame[tcp + 2], frame[tcp + 3]]);
        let connection = usize::from(port.wrapping_sub(FIRST_PORT));
        let word = [4, 5, 6, 7].map(|at| frame[tcp + at]);
        let end = u32::from_be_bytes(word).wrapping_add(length);
        let Some(highest) = self.highest.get_mut(connection) else { return };
        match highest {
            Some(highest) if (end.wrapping_sub(*highest) as i32) <= 0 => self.resent += 1,
            _ => *highest = Some(end),
        }
    }
}

/// smoltcp counts microseconds.
fn instant(now: Nanoseconds) -> Instant {
    Instant::from_micros((now / 1_000) as i64)
}

impl Stack for SmoltcpStack {
    fn listen(&mut self) {
        for handle in &self.handles {
            let socket = self.sockets.get_mut::<tcp::Socket<'_>>(*handle);
            let here = IpListenEndpoint { addr: None, port: PORT };
            // A fresh socket can always listen.
            let _ = socket.listen(here);
        }
    }

    fn connect(&mut self, connection: usize, _: Nanoseconds) {
        let handle = self.handles[connection];
        let socket = self.sockets.get_mut::<tcp::Socket<'_>>(handle);
        let peer = IpEndpoint::new(IP[0].into(), PORT);
        let _ = socket.connect(self.interface.context(), peer, FIRST_PORT + connection as u16);
        self.connections[connection] = Some(connection);
    }

    fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        self.device.incoming.push_back(frame.to_vec());
        let Self { interface, device, sockets, .. } = self;
        while interface.poll_ingress_single(instant(now), device, sockets)
            != PollIngressSingleResult::None
        {}
        self.look_at_all();
    }

    fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        if self.device.outgoing.is_empty() {
            let Self { interface, device, sockets, .. } = self;
            interface.poll_egress(instant(now), device, sockets);
            self.look_at_all();
        }
        let Some(next) = self.device.outgoing.pop_front() else { return false };
        self.count(&next);
        *frame = next;
        true
    }

    fn advance(&mut self, now: Nanoseconds) {
        self.interface.poll_maintenance(instant(now));
    }

    fn wakes(&mut self, now: Nanoseconds) -> Option<Nanoseconds> {
        let at = self.interface.poll_at(instant(now), &self.sockets)?;
        // What is due now has just been tried: it waits for the line.
        Some((at.total_micros().max(0) as u64 * 1_000).max(now + 1_000))
    }

    fn news(&mut self, _: Nanoseconds) -> Option<News> {
        while let Some(index) = self.looks.pop_front() {
            let Some(connection) = self.connections[index] else { continue };
            if self.gone[index] {
                continue;
            }
            let socket = self.sockets.get::<tcp::Socket<'_>>(self.handles[index]);
            if !socket.is_open() && !socket.can_recv() {
                self.gone[index] = true;
                return Some(News::Gone(connection));
            }
            return Some(News::Look(connection));
        }
        None
    }

    fn room(&mut self, connection: usize, _: Nanoseconds) -> usize {
        self.socket_of(connection).map_or(0, |handle| {
            let socket = self.sockets.get::<tcp::Socket<'_>>(handle);
            if socket.can_send() { socket.send_capacity() - socket.send_queue() } else { 0 }
        })
    }

    fn write(&mut self, connection: usize, bytes: &[u8], _: Nanoseconds) {
        if let Some(handle) = self.socket_of(connection) {
            let _ = self.sockets.get_mut::<tcp::Socket<'_>>(handle).send_slice(bytes);
        }
    }

    fn read(&mut self, connection: usize, _: Nanoseconds, take: &mut dyn FnMut(&[u8])) {
        let Some(handle) = self.socket_of(connection) else { return };
        let socket = self.sockets.get_mut::<tcp::Socket<'_>>(handle);
        while socket.can_recv() {
            let read = socket.recv(|bytes| {
                take(bytes);
                (bytes.len(), bytes.len())
            });
            if read.is_err() {
                break;
            }
        }
    }

    fn is_at_end(&mut self, connection: usize, _: Nanoseconds) -> bool {
        self.socket_of(connection).is_some_and(|handle| {
            let socket = self.sockets.get::<tcp::Socket<'_>>(handle);
            !socket.may_recv()
                && socket.state() != tcp::State::SynSent
                && socket.state() != tcp::State::SynReceived
                && socket.state() != tcp::State::Listen
        })
    }

    fn close(&mut self, connection: usize, _: Nanoseconds) {
        if let Some(handle) = self.socket_of(connection) {
            self.sockets.get_mut::<tcp::Socket<'_>>(handle).close();
        }
    }

    fn resent(&self) -> u64 {
        self.resent
    }

    fn timeouts(&self) -> u64 {
        0
    }
}

//! Applications over a stack: what sends a flow's bytes, what takes them in and looks at them, and ping.

use super::pattern;
use super::{Congestion, Flow, Report, Settings, Stack};
use crate::pending::Time;
use smoltcp::iface::SocketHandle;
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::socket::{icmp, tcp, udp};
use smoltcp::time::Duration;
use smoltcp::wire::{Icmpv4Packet, Icmpv4Repr, IpAddress};
use std::net::Ipv4Addr;

/// Sockets that a stack may have at one time. Each costs its buffers.
const MOST: usize = 1_024;
/// Bytes of the buffer for the way on which a flow sends nothing.
const UNUSED: usize = 1_024;
/// Packets and bytes that wait in a UDP or ICMP socket, each way.
const WAITING: (usize, usize) = (64, 128 << 10);
/// Bytes in front of a UDP packet's data: its number (4) and when it was sent (8), as hosts without a stack have them.
pub const STAMP: usize = 12;
/// Bytes of an ICMP echo's header.
const ECHO: usize = 8;
/// Positions in a flow's pattern from one packet to the next.
const STRIDE: u64 = 1 << 14;

/// There are too many sockets, or one cannot be opened like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// A socket and what uses it.
#[derive(Debug)]
pub(super) struct Application {
    socket: SocketHandle,
    role: Role,
}

#[derive(Debug)]
enum Role {
    /// Writes a flow's bytes, and closes.
    Sender { flow: Flow, written: u64, bytes: u64 },
    /// Waits for a connection; then it reads what comes until the other end closes.
    Receiver { flow: Option<Flow>, read: u64 },
    /// Sends a flow's UDP packets.
    Datagrams { flow: Flow, leaving: bool },
    /// Takes in all UDP packets for its port.
    Port(u16),
    /// Asks for echoes.
    Ping { flow: Flow, identifier: u16, number: u32 },
}

impl Stack {
    fn add(&mut self, socket: SocketHandle, role: Role) {
        self.applications.push(Application { socket, role });
    }

    fn is_full(&self) -> bool {
        self.applications.len() >= MOST
    }

    fn tcp_socket(settings: &Settings, receives: usize, sends: usize) -> tcp::Socket<'static> {
        let buffer = |bytes| tcp::SocketBuffer::new(vec![0; bytes]);
        let mut socket = tcp::Socket::new(buffer(receives), buffer(sends));
        socket.set_congestion_control(match settings.congestion {
            Congestion::None => tcp::CongestionControl::None,
            Congestion::Reno => tcp::CongestionControl::Reno,
            Congestion::Cubic => tcp::CongestionControl::Cubic,
        });
        let micros = |time: Time| Duration::from_micros(time.div_ceil(super::MICROSECOND));
        socket.set_ack_delay(settings.acknowledge_within.map(micros));
        socket.set_nagle_enabled(settings.nagle);
        socket
    }

    /// Opens a connection and sends so many bytes through it.
    ///
    /// # Errors
    /// There are too many sockets.
    pub fn connect(
        &mut self,
        flow: Flow,
        bytes: u64,
        (to, port): (Ipv4Addr, u16),
        own_port: u16,
        settings: &Settings,
    ) -> Result<(), Refused> {
        if self.is_full() {
            return Err(Refused);
        }
        let mut socket = Self::tcp_socket(settings, UNUSED, settings.send_buffer as usize);
        let remote = (IpAddress::Ipv4(to), port);
        socket.connect(self.interface.context(), remote, own_port).map_err(|_| Refused)?;
        let socket = self.sockets.add(socket);
        self.add(socket, Role::Sender { flow, written: 0, bytes });
        Ok(())
    }

    /// Takes in one connection at `port`; it is the flow's if it comes from this address and port.
    ///
    /// # Errors
    /// There are too many sockets.
    pub fn listen(
        &mut self,
        flow: Flow,
        (from, from_port): (Ipv4Addr, u16),
        port: u16,
        settings: &Settings,
    ) -> Result<(), Refused> {
        if self.is_full() {
            return Err(Refused);
        }
        let mut socket = Self::tcp_socket(settings, settings.receive_buffer as usize, UNUSED);
        socket.listen(port).map_err(|_| Refused)?;
        let socket = self.sockets.add(socket);
        self.add(socket, Role::Receiver { flow: None, read: 0 });
        self.expected.insert((from, from_port, port), flow);
        Ok(())
    }

    fn datagram_socket(&mut self, port: u16) -> Result<SocketHandle, Refused> {
        if self.is_full() {
            return Err(Refused);
        }
        let buffer = || {
            udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; WAITING.0], vec![0; WAITING.1])
        };
        let mut socket = udp::Socket::new(buffer(), buffer());
        socket.bind(port).map_err(|_| Refused)?;
        Ok(self.sockets.add(socket))
    }

    /// Opens a socket for a flow's UDP packets.
    ///
    /// # Errors
    /// There are too many sockets.
    pub fn bind(&mut self, flow: Flow, own_port: u16) -> Result<(), Refused> {
        let socket = self.datagram_socket(own_port)?;
        self.add(socket, Role::Datagrams { flow, leaving: false });
        Ok(())
    }

    /// Takes in UDP packets at `port`; those from this address and port are the flow's.
    ///
    /// # Errors
    /// There are too many sockets.
    pub fn expect(
        &mut self,
        flow: Flow,
        (from, from_port): (Ipv4Addr, u16),
        port: u16,
    ) -> Result<(), Refused> {
        let is_there =
            |application: &Application| matches!(application.role, Role::Port(own) if own == port);
        if !self.applications.iter().any(is_there) {
            let socket = self.datagram_socket(port)?;
            self.add(socket, Role::Port(port));
        }
        self.expected.insert((from, from_port, port), flow);
        Ok(())
    }

    /// Sends a UDP packet of a flow: [`STAMP`], then its bytes, `length` in all.
    ///
    /// # Errors
    /// There is no room in the socket, as packets wait for the link or for an address.
    pub fn send(
        &mut self,
        flow: Flow,
        number: u32,
        now: Time,
        length: usize,
        (to, port): (Ipv4Addr, u16),
    ) -> Result<(), Refused> {
        let own = |application: &&Application| matches!(&application.role, Role::Datagrams { flow: other, .. } if *other == flow);
        let socket = self.applications.iter().find(own).ok_or(Refused)?.socket;
        let socket = self.sockets.get_mut::<udp::Socket<'_>>(socket);
        let data =
            socket.send(length.max(STAMP), (IpAddress::Ipv4(to), port)).map_err(|_| Refused)?;
        data[..4].copy_from_slice(&number.to_be_bytes());
        data[4..STAMP].copy_from_slice(&now.to_be_bytes());
        pattern::fill(flow.serial, u64::from(number) * STRIDE, &mut data[STAMP..]);
        Ok(())
    }

    /// Opens a socket for echoes with this identifier.
    ///
    /// # Errors
    /// There are too many sockets.
    pub fn open_ping(&mut self, flow: Flow, identifier: u16) -> Result<(), Refused> {
        if self.is_full() {
            return Err(Refused);
        }
        let buffer = || {
            icmp::PacketBuffer::new(
                vec![icmp::PacketMetadata::EMPTY; WAITING.0],
                vec![0; WAITING.1],
            )
        };
        let mut socket = icmp::Socket::new(buffer(), buffer());
        socket.bind(icmp::Endpoint::Ident(identifier)).map_err(|_| Refused)?;
        let socket = self.sockets.add(socket);
        self.add(socket, Role::Ping { flow, identifier, number: 0 });
        Ok(())
    }

    /// Asks for an echo of `length` bytes (12 or more): its number, the time, and the flow's bytes.
    ///
    /// # Errors
    /// There is no room in the socket.
    pub fn ping(
        &mut self,
        flow: Flow,
        now: Time,
        length: usize,
        to: Ipv4Addr,
    ) -> Result<(), Refused> {
        for Application { socket, role } in &mut self.applications {
            let Role::Ping { flow: own, identifier, number } = role else { continue };
            if *own != flow {
                continue;
            }
            let mut data = vec![0; length.max(STAMP)];
            data[..4].copy_from_slice(&number.to_be_bytes());
            data[4..STAMP].copy_from_slice(&now.to_be_bytes());
            pattern::fill(flow.serial, u64::from(*number) * STRIDE, &mut data[STAMP..]);
            let request =
                Icmpv4Repr::EchoRequest { ident: *identifier, seq_no: *number as u16, data: &data };
            let socket = self.sockets.get_mut::<icmp::Socket<'_>>(*socket);
            let bytes = socket.send(ECHO + data.len(), IpAddress::Ipv4(to)).map_err(|_| Refused)?;
            let checksums = ChecksumCapabilities::default();
            request.emit(&mut Icmpv4Packet::new_unchecked(bytes), &checksums);
            *number = number.wrapping_add(1);
            return Ok(());
        }
        Err(Refused)
    }

    /// A flow is over: its UDP socket goes when it is empty, what comes from its address and port to this port is
    /// nobody's, and if its connection has never come, nobody waits for it any more.
    pub fn forget(&mut self, serial: u64, (from, from_port): (Ipv4Addr, u16), port: u16) {
        for application in &mut self.applications {
            if let Role::Datagrams { flow, leaving } = &mut application.role {
                *leaving |= flow.serial == serial;
            }
        }
        let key = (from, from_port, port);
        if self.expected.get(&key).is_none_or(|flow| flow.serial != serial) {
            return;
        }
        self.expected.remove(&key);
        let waits = |Application { socket, role }: &Application| {
            let Role::Receiver { flow: None, .. } = role else { return false };
            let socket = self.sockets.get::<tcp::Socket<'_>>(*socket);
            socket.is_listening() && socket.listen_endpoint().port == port
        };
        if let Some(place) = self.applications.iter().position(waits) {
            let application = self.applications.remove(place);
            self.sockets.remove(application.socket);
        }
    }

    /// All applications do what they can. False if that was nothing.
    pub(super) fn work(&mut self, now: Time) -> bool {
        let mut done = false;
        let Self { sockets, applications, expected, reports, .. } = self;
        applications.retain_mut(|Application { socket: handle, role }| {
            let (worked, stays) = match role {
                Role::Sender { flow, written, bytes } => {
                    let socket = sockets.get_mut::<tcp::Socket<'_>>(*handle);
                    let worked = write(socket, *flow, written, *bytes);
                    let over = socket.state() == tcp::State::Closed;
                    if over {
                        reports.push(Report::Ended(*flow));
                    }
                    (worked, !over)
                }
                Role::Receiver { flow, read } => {
                    let socket = sockets.get_mut::<tcp::Socket<'_>>(*handle);
                    if flow.is_none()
                        && let (Some(there), Some(here)) =
                            (socket.remote_endpoint(), socket.local_endpoint())
                        && let IpAddress::Ipv4(address) = there.addr
                    {
                        *flow = expected.remove(&(address, there.port, here.port));
                    }
                    let worked = take_in(socket, *flow, read, reports);
                    (worked, socket.state() != tcp::State::Closed)
                }
                Role::Datagrams { leaving, .. } => {
                    let socket = sockets.get_mut::<udp::Socket<'_>>(*handle);
                    (false, !*leaving || socket.send_queue() > 0)
                }
                Role::Port(port) => {
                    let socket = sockets.get_mut::<udp::Socket<'_>>(*handle);
                    while let Ok((data, from)) = socket.recv() {
                        let IpAddress::Ipv4(address) = from.endpoint.addr;
                        let flow = expected.get(&(address, from.endpoint.port, *port));
                        if let Some(flow) = flow {
                            let wrong = wrong_in(*flow, data);
                            let right = data.len() as u64 - wrong;
                            reports.push(Report::Datagram(*flow, right, wrong));
                        }
                    }
                    (false, true)
                }
                Role::Ping { flow, identifier, .. } => {
                    let socket = sockets.get_mut::<icmp::Socket<'_>>(*handle);
                    while let Ok((bytes, _)) = socket.recv() {
                        if let Some((sent, wrong)) = echo(*flow, *identifier, bytes) {
                            reports.push(Report::Echo(*flow, now.saturating_sub(sent), wrong));
                        }
                    }
                    (false, true)
                }
            };
            done |= worked;
            if !stays {
                sockets.remove(*handle);
            }
            stays
        });
        done
    }
}

/// How many bytes of a stamped packet are wrong. Of the stamp itself the number says what the others must be.
fn wrong_in(flow: Flow, data: &[u8]) -> u64 {
    let Some((number, _)) = data.split_first_chunk() else { return data.len() as u64 };
    let number = u64::from(u32::from_be_bytes(*number));
    pattern::wrong(flow.serial, number * STRIDE, data.get(STAMP..).unwrap_or_default())
}

/// When an echo that has come back was sent, and how many of its bytes are wrong.
fn echo(flow: Flow, identifier: u16, bytes: &[u8]) -> Option<(Time, u64)> {
    let packet = Icmpv4Packet::new_checked(bytes).ok()?;
    let Ok(Icmpv4Repr::EchoReply { ident, data, .. }) =
        Icmpv4Repr::parse(&packet, &ChecksumCapabilities::default())
    else {
        return None;
    };
    let (_, rest) = data.split_first_chunk::<4>()?;
    let (sent, _) = rest.split_first_chunk()?;
    (ident == identifier).then(|| (Time::from_be_bytes(*sent), wrong_in(flow, data)))
}

/// A sender writes what there is room for, and closes behind the last byte.
fn write(socket: &mut tcp::Socket<'_>, flow: Flow, written: &mut u64, bytes: u64) -> bool {
    let mut worked = false;
    while *written < bytes && socket.can_send() {
        let sent = socket.send(|room| {
            let length = usize::try_from(bytes - *written).unwrap_or(usize::MAX).min(room.len());
            pattern::fill(flow.serial, *written, &mut room[..length]);
            (length, length as u64)
        });
        let Ok(sent) = sent else { break };
        *written += sent;
        worked = true;
    }
    if *written == bytes && socket.may_send() {
        socket.close();
        worked = true;
    }
    worked
}

/// A receiver reads what there is, and closes when the other end has.
fn take_in(
    socket: &mut tcp::Socket<'_>,
    flow: Option<Flow>,
    read: &mut u64,
    reports: &mut Vec<Report>,
) -> bool {
    let mut worked = false;
    while socket.can_recv() {
        let taken = socket.recv(|data| {
            let wrong = flow.map(|flow| pattern::wrong(flow.serial, *read, data));
            (data.len(), (data.len() as u64, wrong))
        });
        let Ok((length, wrong)) = taken else { break };
        *read += length;
        worked = true;
        if let (Some(flow), Some(wrong)) = (flow, wrong) {
            reports.push(Report::Received(flow, length - wrong, wrong));
        }
    }
    if socket.state() == tcp::State::CloseWait {
        socket.close();
        worked = true;
    }
    worked
}

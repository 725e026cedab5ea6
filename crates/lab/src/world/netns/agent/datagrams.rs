//! UDP: streams and what arrives.

use super::super::clock::{monotonic, sleep_until};
use super::super::spec::{Carrier, FlowSpec, ListenSpec, StreamSpec};
use super::super::wires::LISTENING;
use super::{Host, sockets, thread};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use ww_sim::frame::{SHORTEST, UDP_HEADERS};
use ww_sim::measure::Delivery;

/// The flow number of streams.
const STREAM: u32 = u32::MAX;

/// Where packets that arrive are noted.
#[derive(Clone, Debug)]
pub struct Packets(Arc<Mutex<Option<BufWriter<File>>>>);

const PACKET: usize = 8 + 8 + 4 + 4 + 8;

impl Packets {
    pub fn create(path: Option<&Path>) -> Result<Self, String> {
        let file = match path {
            None => None,
            Some(path) => {
                let file = File::create(path);
                Some(BufWriter::new(
                    file.map_err(|error| format!("cannot write '{}': {error}", path.display()))?,
                ))
            }
        };
        Ok(Self(Arc::new(Mutex::new(file))))
    }

    fn note(&self, delivery: &Delivery) {
        let mut bytes = [0; PACKET];
        bytes[..8].copy_from_slice(&delivery.at.to_le_bytes());
        bytes[8..16].copy_from_slice(&delivery.sent.to_le_bytes());
        bytes[16..20].copy_from_slice(&delivery.traffic.to_le_bytes());
        bytes[20..24].copy_from_slice(&delivery.bytes.to_le_bytes());
        bytes[24..].copy_from_slice(&delivery.flow.to_le_bytes());
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(out) = &mut *file
            && out.write_all(&bytes).is_err()
        {
            // The run goes on; `finish` finds that the file is not there.
            *file = None;
        }
    }

    /// Nothing more is noted.
    pub fn finish(&self) -> Result<(), String> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match file.take() {
            Some(mut out) => {
                out.flush().map_err(|error| format!("packets cannot be written: {error}"))
            }
            None => Ok(()),
        }
    }
}

/// Reads packets that a host has noted.
///
/// # Errors
/// They cannot be read.
pub fn packets(path: &Path, mut take: impl FnMut(&Delivery)) -> Result<(), String> {
    use std::io::BufRead;
    let wrong = |error: std::io::Error| format!("cannot read '{}': {error}", path.display());
    let mut input = BufReader::new(File::open(path).map_err(wrong)?);
    let mut bytes = [0; PACKET];
    while !input.fill_buf().map_err(wrong)?.is_empty() {
        input.read_exact(&mut bytes).map_err(wrong)?;
        let long = |at: usize| bytes[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        let short = |at: usize| bytes[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
        take(&Delivery {
            at: long(0),
            sent: long(8),
            traffic: short(16),
            bytes: short(20),
            flow: long(24),
            marked: false,
        });
    }
    Ok(())
}

/// Receives packets of a piece of traffic, on a thread of its own.
pub(super) fn listen(
    host: &Arc<Host>,
    listen: ListenSpec,
    packets: &Packets,
) -> Result<(), String> {
    let port = LISTENING.wrapping_add(listen.traffic as u16);
    let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, port));
    let socket = socket.map_err(|error| format!("cannot listen at port {port}: {error}"))?;
    sockets::prepare_receiver(&socket)
        .map_err(|error| format!("cannot prepare a socket: {error}"))?;
    let (host, packets) = (Arc::clone(host), packets.clone());
    let traffic = listen.traffic;
    thread(move || {
        let mut buffer = vec![0; 16 << 10];
        while let Ok((length, age)) = sockets::receive(&socket, &mut buffer) {
            let at = host.now().saturating_sub(age.saturating_mul(1000));
            let bytes = length as u64;
            host.goodput(traffic, at, bytes);
            let Some(head) = buffer.get(4..16).filter(|_| length >= 16) else { continue };
            let sent = head[..8].try_into().map_or(0, u64::from_be_bytes);
            let flow = head[8..].try_into().map_or(STREAM, u32::from_be_bytes);
            let delivery = Delivery {
                at,
                sent,
                flow: flow.into(),
                traffic,
                bytes: length as u32 + UDP_HEADERS,
                marked: false,
            };
            packets.note(&delivery);
            if flow != STREAM {
                let mut state = host.state();
                let received = state.received.entry(flow.into()).or_default();
                received.serial = flow.into();
                received.bytes += bytes;
                received.end = Some(at);
            }
        }
    })
}

fn open(class: u8, to: Ipv4Addr, traffic: u32) -> Result<UdpSocket, String> {
    let wrong = |error: std::io::Error| format!("cannot open a socket to {to}: {error}");
    let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)).map_err(wrong)?;
    sockets::class(socket.as_fd(), class).map_err(wrong)?;
    socket.connect(SocketAddrV4::new(to, LISTENING.wrapping_add(traffic as u16))).map_err(wrong)?;
    Ok(socket)
}

/// Sends a packet now; false if the kernel did not take it.
fn send(
    host: &Host,
    socket: &UdpSocket,
    payload: &mut [u8],
    number: u32,
    flow: u32,
    traffic: u32,
) -> bool {
    let now = host.now();
    payload[..4].copy_from_slice(&number.to_be_bytes());
    payload[4..12].copy_from_slice(&now.to_be_bytes());
    payload[12..16].copy_from_slice(&flow.to_be_bytes());
    if now >= host.spec.warmup {
        host.state().tallies.entry(traffic).or_default().sent += 1;
    }
    socket.send(payload).is_ok()
}

/// A stream that waits for the start.
pub(super) struct Stream {
    host: Arc<Host>,
    spec: StreamSpec,
    socket: UdpSocket,
}

impl Stream {
    pub fn open(host: &Arc<Host>, place: usize) -> Result<Self, String> {
        let spec = host.spec.streams[place].clone();
        let to = spec.to.ok_or("a stream to nobody")?;
        let socket = open(spec.class, to, spec.traffic)?;
        Ok(Self { host: Arc::clone(host), spec, socket })
    }

    /// Sends all its packets, on a thread of its own.
    pub fn start(self) -> Result<(), String> {
        let Self { host, spec, socket } = self;
        thread(move || {
            let mut payload = vec![0; 16 << 10];
            let mut at = 0u64;
            let mut refused = 0u64;
            for (number, gap) in spec.gaps.iter().enumerate() {
                at = at.saturating_add(*gap);
                sleep_until(host.clock(at));
                let bytes =
                    spec.bytes.get(number).or(spec.bytes.first()).copied().unwrap_or(SHORTEST);
                let length = bytes.saturating_sub(UDP_HEADERS) as usize;
                let length = length.clamp(16, payload.len());
                let taken = send(
                    &host,
                    &socket,
                    &mut payload[..length],
                    number as u32,
                    STREAM,
                    spec.traffic,
                );
                refused += u64::from(!taken);
            }
            if refused > 0 {
                host.problem(format!("{refused} UDP packets were refused by the kernel"));
            }
        })
    }
}

/// Sends a flow of UDP packets; returns when the last one has been sent.
pub(super) fn flow(host: &Host, spec: &FlowSpec) -> Result<(), String> {
    let Carrier::Udp { frame, rate } = spec.carrier else { return Ok(()) };
    let socket = open(spec.class, spec.to, spec.traffic)?;
    let mut payload = vec![0; 16 << 10];
    let (mut rest, mut number) = (spec.bytes, 0u32);
    let mut due = u128::from(monotonic()) * 1000;
    while rest > 0 {
        sleep_until((due / 1000) as u64);
        let data = rest.min(u64::from(frame.saturating_sub(UDP_HEADERS)).max(16));
        rest -= data;
        let length = (data as usize).clamp(16, payload.len());
        send(host, &socket, &mut payload[..length], number, spec.serial as u32, spec.traffic);
        number = number.wrapping_add(1);
        due += (u128::from(data) + u128::from(UDP_HEADERS)) * 8_000_000_000_000
            / u128::from(rate.max(1));
    }
    Ok(())
}

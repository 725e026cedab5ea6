//! TCP: flows, requests and their answers. Each is one connection that carries bytes one way.

use super::super::clock::{monotonic, sleep_until};
use super::super::spec::{
    Asked, Carrier, ClientSpec, FlowSpec, ListenSpec, Received, Sent, TcpSpec,
};
use super::super::wires::LISTENING;
use super::sockets::{self, Info};
use super::{Host, datagrams, thread};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use ww_sim::random::Stream;

/// What a connection is for, in the two high bits of its number.
const REQUEST: u64 = 1 << 62;
const RESPONSE: u64 = 1 << 63;
/// Bytes of its head.
pub const HEAD: u64 = 16;
/// The kind of component that draws times of thinking; world sim has others.
const CLIENT: u32 = 64;

/// Numbers of connections of requests.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// Accepts connections of a piece of traffic, on a thread of its own.
pub(super) fn listen(host: &Arc<Host>, spec: ListenSpec) -> Result<(), String> {
    let port = LISTENING.wrapping_add(spec.traffic as u16);
    let wrong = |error: io::Error| format!("cannot listen at port {port}: {error}");
    let listener =
        TcpListener::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, port)).map_err(wrong)?;
    let tcp = spec.tcp.clone().unwrap_or_default();
    // Accepted connections inherit these.
    prepare(listener.as_fd(), &tcp, spec.class).map_err(wrong)?;
    let host = Arc::clone(host);
    thread(move || {
        for stream in listener.incoming().flatten() {
            let (host, spec) = (Arc::clone(&host), spec.clone());
            let teller = Arc::clone(&host);
            if let Err(error) = thread(move || accept(&host, &spec, stream)) {
                teller.problem(error);
            }
        }
    })
}

fn prepare(fd: std::os::fd::BorrowedFd<'_>, tcp: &TcpSpec, class: u8) -> io::Result<()> {
    sockets::congestion(fd, tcp)?;
    sockets::class(fd, class)
}

/// Receives what a connection brings.
fn accept(host: &Arc<Host>, spec: &ListenSpec, mut stream: TcpStream) {
    let mut head = [0; HEAD as usize];
    if stream.read_exact(&mut head).is_err() {
        return;
    }
    let [number, size] = [0, 8].map(|at| head[at..at + 8].try_into().map_or(0, u64::from_be_bytes));
    let is_request = number & REQUEST != 0;
    // A request says how long its answer shall be.
    let (bytes, answer) = if is_request { (size & 0xffff_ffff, size >> 32) } else { (size, 0) };
    let mut come = HEAD.min(bytes);
    host.goodput(spec.traffic, host.now(), come);
    let rest = bytes.saturating_sub(HEAD);
    let mut buffer = vec![0; 64 << 10];
    let mut left = rest;
    let mut end = (left == 0).then(|| host.now());
    let is_flow = number & (REQUEST | RESPONSE) == 0;
    if is_flow {
        host.state().received.insert(number, Received { serial: number, bytes: come, end });
    }
    while left > 0 {
        let want = left.min(buffer.len() as u64) as usize;
        let count = match stream.read(&mut buffer[..want]) {
            Ok(0) => break,
            Ok(count) => count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        left -= count;
        come += count;
        let now = host.now();
        host.goodput(spec.traffic, now, count);
        end = (left == 0).then_some(now);
        if is_flow && let Some(received) = host.state().received.get_mut(&number) {
            (received.bytes, received.end) = (come, end);
        }
    }
    let Some(end) = end else { return };
    if is_request {
        let Ok(IpAddr::V4(peer)) = stream.peer_addr().map(|address| address.ip()) else { return };
        drop(stream);
        let tcp = spec.tcp.clone().unwrap_or_default();
        let number = number & !REQUEST | RESPONSE;
        // The client's run shows what does not arrive.
        let _ = transfer(host, peer, spec.traffic, spec.class, &tcp, number, answer, answer);
    } else if number & RESPONSE != 0
        && let Some(waiting) = host.state().waiting.remove(&number)
    {
        // Who does not wait any more does not hear it.
        let _ = waiting.send(end);
    }
}

/// Sends `bytes` bytes through a connection of its own, with this number and size in its head; waits until the other
/// side has taken them.
#[expect(clippy::too_many_arguments, reason = "what stands in a head, and who sends to whom")]
fn transfer(
    host: &Host,
    to: Ipv4Addr,
    traffic: u32,
    class: u8,
    tcp: &TcpSpec,
    number: u64,
    size: u64,
    bytes: u64,
) -> io::Result<Sent> {
    let address = SocketAddrV4::new(to, LISTENING.wrapping_add(traffic as u16));
    let mut stream = sockets::connect(address, |fd| prepare(fd, tcp, class))?;
    host.state().open.insert(number, stream.try_clone()?);
    let mut first = vec![0; (bytes.clamp(HEAD, 64 << 10)) as usize];
    first[..8].copy_from_slice(&number.to_be_bytes());
    first[8..16].copy_from_slice(&size.to_be_bytes());
    stream.write_all(&first)?;
    let mut left = bytes.saturating_sub(first.len() as u64);
    first[..16].fill(0);
    while left > 0 {
        let count = left.min(first.len() as u64);
        stream.write_all(&first[..count as usize])?;
        left -= count;
    }
    stream.shutdown(Shutdown::Write)?;
    // The other side closes when it has all.
    let mut nothing = [0; 16];
    while matches!(stream.read(&mut nothing), Ok(count) if count > 0) {}
    let sent = told(number, &stream)?;
    host.state().open.remove(&number);
    Ok(sent)
}

fn told(serial: u64, stream: &TcpStream) -> io::Result<Sent> {
    let Info { retransmitted, timeouts } = sockets::info(stream)?;
    Ok(Sent { serial, retransmitted, timeouts })
}

/// Sends what the host has to send, from the start on.
pub(super) fn start(host: &Arc<Host>) -> Result<(), String> {
    let own = Arc::clone(host);
    thread(move || {
        for spec in own.spec.flows.clone() {
            sleep_until(own.clock(spec.start));
            let host = Arc::clone(&own);
            if let Err(error) = thread(move || send(&host, &spec)) {
                own.problem(error);
            }
        }
    })?;
    for client in host.spec.clients.clone() {
        for slot in 0..client.outstanding {
            let (host, client) = (Arc::clone(host), client.clone());
            thread(move || ask(&host, &client, slot))?;
        }
    }
    Ok(())
}

fn send(host: &Host, spec: &FlowSpec) {
    let sent = match &spec.carrier {
        Carrier::Udp { .. } => {
            datagrams::flow(host, spec).map(|()| Sent { serial: spec.serial, ..Sent::default() })
        }
        Carrier::Tcp(tcp) => {
            let (serial, bytes) = (spec.serial, spec.bytes);
            transfer(host, spec.to, spec.traffic, spec.class, tcp, serial, bytes, bytes)
                .map_err(|error| format!("flow {serial} to {}: {error}", spec.to))
        }
    };
    match sent {
        Ok(sent) => drop(host.state().sent.insert(spec.serial, sent)),
        Err(error) => host.problem(error),
    }
}

/// A client's open request, one after the other.
fn ask(host: &Host, spec: &ClientSpec, slot: u32) {
    let number = spec.client.wrapping_mul(spec.outstanding).wrapping_add(slot);
    let mut stream = Stream::new(spec.seed, CLIENT + spec.traffic, number);
    let mut turn = slot as usize;
    let mut at = spec.start;
    loop {
        let think = stream.exponential(spec.think as f64);
        at = at.saturating_add(think);
        if at >= spec.stop || spec.servers.is_empty() || spec.responses.is_empty() {
            return;
        }
        sleep_until(host.clock(at));
        let server = spec.servers[stream.below(spec.servers.len() as u64) as usize];
        let bytes = spec.responses[turn % spec.responses.len()];
        turn += spec.outstanding as usize;
        // Ends of one machine's run may both be clients: the number is unique by the process, too.
        let serial = REQUESTS.fetch_add(1, Ordering::Relaxed)
            | u64::from(std::process::id() & 0x3f_ffff) << 40;
        let (sender, receiver) = channel();
        host.state().waiting.insert(serial | RESPONSE, sender);
        let start = host.now();
        let place = {
            let mut state = host.state();
            state.asked.push(Asked { traffic: spec.traffic, server, bytes, start, end: None });
            state.asked.len() - 1
        };
        let size = bytes << 32 | spec.request.max(HEAD);
        let length = spec.request.max(HEAD);
        if let Err(error) = transfer(
            host,
            server,
            spec.traffic,
            spec.class,
            &spec.tcp,
            serial | REQUEST,
            size,
            length,
        ) {
            host.problem(format!("a request to {server}: {error}"));
            return;
        }
        let Ok(end) = receiver.recv() else { return };
        if let Some(asked) = host.state().asked.get_mut(place) {
            asked.end = Some(end);
        }
        at = monotonic().saturating_sub(host.clock(0)).saturating_mul(1000);
    }
}

/// Notes what connections have done that are still open.
pub(super) fn finish(host: &Host) {
    let open = std::mem::take(&mut host.state().open);
    for (serial, stream) in open {
        if serial & (REQUEST | RESPONSE) == 0 {
            match told(serial, &stream) {
                Ok(sent) => drop(host.state().sent.insert(serial, sent)),
                Err(error) => host.problem(format!("flow {serial}: {error}")),
            }
        }
    }
}

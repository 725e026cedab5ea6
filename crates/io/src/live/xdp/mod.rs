//! A Linux interface as a port, through AF_XDP sockets.
//!
//! Each receive queue of the interface has a socket; queue Q belongs to worker Q modulo
//! their number. While the sockets are open they take all frames of their queues: the
//! kernel sees none. What the kernel leaves to network cards (checksums, VLAN tags beside
//! the frame) is not told to AF_XDP, so senders on veth must do it themselves.

mod program;
mod umem;

use super::device::{BATCH, Deliver, Opened, Receiver, Transmitter};
use super::intake::empty_batch;
use super::interface::PacketSender;
use super::socket::{Epoll, get_option, interface_index};
use super::tap::{control, datagram_socket, named_request};
use crate::world::PortCounters;
use libc::{c_int, xdp_desc};
use program::Program;
use std::ffi::CStr;
use std::io;
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use umem::{CHUNK, CHUNKS, Ring, Socket};
use ww_dataplane::{Picoseconds, PortId};

/// How often a full send queue is tried again.
const TRIES: u32 = 1000;

/// The XDP program of an interface, shared by the workers' sockets.
#[derive(Default)]
pub(super) struct Shared(Mutex<Weak<Program>>);

/// `struct ethtool_channels` of linux/ethtool.h.
#[repr(C)]
#[derive(Default)]
struct Channels {
    command: u32,
    maxima: [u32; 4],
    receive: u32,
    send: u32,
    other: u32,
    combined: u32,
}

/// `struct ethtool_drvinfo`.
#[repr(C)]
struct DriverInfo {
    command: u32,
    driver: [u8; 32],
    rest: [u8; 160],
}

const ETHTOOL_GDRVINFO: u32 = 3;
const ETHTOOL_GCHANNELS: u32 = 0x3c;

/// Asks an interface's driver; the argument begins with the question.
fn ethtool<T>(name: &str, argument: &mut T) -> io::Result<()> {
    let mut request = named_request(name);
    request.ifr_ifru.ifru_data = std::ptr::from_mut(argument).cast();
    control(&datagram_socket()?, libc::SIOCETHTOOL as libc::Ioctl, &mut request)
}

/// Number of receive queues; drivers that cannot say have one.
fn queues(name: &str) -> u32 {
    let mut channels = Channels { command: ETHTOOL_GCHANNELS, ..Channels::default() };
    match ethtool(name, &mut channels) {
        Ok(()) => (channels.receive + channels.combined).max(1),
        Err(_) => 1,
    }
}

fn driver(name: &str) -> String {
    let mut info = DriverInfo { command: ETHTOOL_GDRVINFO, driver: [0; 32], rest: [0; 160] };
    let text = ethtool(name, &mut info).ok().and_then(|()| {
        CStr::from_bytes_until_nul(&info.driver).ok().map(|text| text.to_string_lossy())
    });
    text.filter(|text| !text.is_empty()).map_or("unknown".into(), |text| text.into_owned())
}

/// Whether AF_XDP suits an interface better than AF_PACKET, and why.
pub(super) fn suits(name: &str, workers: usize) -> (bool, String) {
    let Some(index) = interface_index(name) else { return (false, "it does not exist".into()) };
    let driver = driver(name);
    match umem::open(index, 0, libc::XDP_ZEROCOPY) {
        Ok(_) => {
            let queues = queues(name);
            if queues as usize >= workers {
                let why = format!(
                    "its driver {driver} does without copying; the kernel sees no frames of it \
                     meanwhile, with packet:{name} it does"
                );
                (true, why)
            } else {
                (false, format!("it has {queues} receive queues for {workers} workers"))
            }
        }
        Err(_) => (
            false,
            format!(
                "its driver {driver} has no AF_XDP without copying, and with it AF_PACKET is faster"
            ),
        ),
    }
}

/// Opens one worker's queues of an interface, which must exist.
pub(super) fn open(
    name: &str,
    port: PortId,
    (worker, workers): (usize, usize),
    shared: &Shared,
    counters: Arc<PortCounters>,
) -> Result<Opened, String> {
    let index = interface_index(name).ok_or("no such interface")?;
    open_queues(name, index, port, (worker, workers), shared, counters).map_err(|e| {
        match e.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => {
                "not permitted: AF_XDP needs root or CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF".into()
            }
            Some(libc::EBUSY | libc::EEXIST) => {
                "another XDP program or AF_XDP socket has the interface".into()
            }
            Some(libc::EOPNOTSUPP) => "its driver has no AF_XDP".into(),
            _ => format!("cannot open AF_XDP sockets: {e}"),
        }
    })
}

fn open_queues(
    name: &str,
    index: c_int,
    port: PortId,
    (worker, workers): (usize, usize),
    shared: &Shared,
    counters: Arc<PortCounters>,
) -> io::Result<Opened> {
    let count = queues(name);
    let program = {
        let mut weak = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        match weak.upgrade() {
            Some(program) => program,
            None => {
                let program = Arc::new(Program::attach(index, count)?);
                *weak = Arc::downgrade(&program);
                program
            }
        }
    };
    let epoll = Epoll::new()?;
    let (mut own, mut transmitter) = (Vec::new(), None);
    for queue in (worker as u32..count).step_by(workers) {
        let (socket, mut rings) = umem::open(index, queue, libc::XDP_ZEROCOPY)
            .or_else(|_| umem::open(index, queue, libc::XDP_COPY))?;
        for chunk in 0..CHUNKS {
            rings.fill.put(u64::from(chunk) * CHUNK as u64);
        }
        rings.fill.submit();
        program.redirect(queue, &socket.fd)?;
        epoll.add(&socket.fd)?;
        let socket = Arc::new(socket);
        if transmitter.is_none() {
            let free = (CHUNKS..2 * CHUNKS).map(|chunk| u64::from(chunk) * CHUNK as u64).collect();
            transmitter = Some(XdpTransmitter {
                socket: Arc::clone(&socket),
                send: rings.send,
                completion: rings.completion,
                free,
                queued: (0, 0),
                counters: Arc::clone(&counters),
            });
        }
        own.push(Queue { socket, fill: rings.fill, receive: rings.receive, drops: 0 });
    }
    let transmitter: Box<dyn Transmitter> = match transmitter {
        Some(transmitter) => Box::new(transmitter),
        // A worker without a queue still sends.
        None => Box::new(PacketSender::open(index, Arc::clone(&counters))?),
    };
    let receiver = XdpReceiver {
        queues: own,
        next: 0,
        epoll,
        name: name.into(),
        index,
        port,
        counters,
        _program: program,
    };
    Ok(Opened { receiver: Box::new(receiver), transmitter })
}

/// One receive queue.
struct Queue {
    socket: Arc<Socket>,
    fill: Ring<u64>,
    receive: Ring<xdp_desc>,
    /// Dropped frames as counted so far.
    drops: u64,
}

/// Where a worker's frames come from.
struct XdpReceiver {
    queues: Vec<Queue>,
    /// The queue to begin with.
    next: usize,
    epoll: Epoll,
    name: String,
    index: c_int,
    port: PortId,
    counters: Arc<PortCounters>,
    _program: Arc<Program>,
}

impl Receiver for XdpReceiver {
    fn descriptor(&self) -> Option<RawFd> {
        Some(self.epoll.descriptor())
    }

    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize {
        for _ in 0..self.queues.len() {
            self.next = (self.next + 1) % self.queues.len();
            let queue = &mut self.queues[self.next];
            let count = queue.receive.ready().min(BATCH as u32);
            if count == 0 {
                continue;
            }
            let mut frames = empty_batch(self.port);
            let mut ready = 0;
            for ahead in 0..count {
                let entry = queue.receive.entry(ahead);
                // SAFETY: the chunk is ours until the fill ring has it again.
                match unsafe { queue.socket.frame(entry.addr, entry.len as usize) } {
                    Some(bytes) => {
                        frames[ready].bytes = bytes;
                        ready += 1;
                    }
                    None => self.counters.rx_errors.add(1),
                }
            }
            self.counters.received(&frames[..ready]);
            deliver(None, &mut frames[..ready]);
            for ahead in 0..count {
                let chunk = queue.receive.entry(ahead).addr & !(CHUNK as u64 - 1);
                queue.fill.put(chunk);
            }
            queue.receive.consume(count);
            queue.fill.submit();
            if queue.fill.needs_wakeup() {
                queue.socket.kick_receive();
            }
            return count as usize;
        }
        0
    }

    fn is_alive(&mut self) -> bool {
        interface_index(&self.name) == Some(self.index)
    }

    fn count(&mut self) {
        for queue in &mut self.queues {
            let statistics = get_option::<libc::xdp_statistics>(
                &queue.socket.fd,
                libc::SOL_XDP,
                libc::XDP_STATISTICS,
            );
            if let Ok(statistics) = statistics {
                let drops = statistics.rx_dropped + statistics.rx_ring_full;
                self.counters.rx_drops.add(drops.saturating_sub(queue.drops));
                queue.drops = drops;
            }
        }
    }
}

/// Where a worker's frames go.
struct XdpTransmitter {
    socket: Arc<Socket>,
    send: Ring<xdp_desc>,
    completion: Ring<u64>,
    /// Chunks that hold no frame.
    free: Vec<u64>,
    /// Frames and bytes that wait for the next flush.
    queued: (u64, u64),
    counters: Arc<PortCounters>,
}

impl XdpTransmitter {
    /// Takes back the chunks of frames that have left.
    fn reap(&mut self) {
        let count = self.completion.ready();
        for ahead in 0..count {
            self.free.push(self.completion.entry(ahead) & !(CHUNK as u64 - 1));
        }
        self.completion.consume(count);
    }
}

impl Transmitter for XdpTransmitter {
    fn send(&mut self, _: Picoseconds, frame: &[u8]) {
        if frame.len() > CHUNK {
            self.counters.tx_errors.add(1);
            return;
        }
        if self.free.is_empty() {
            self.flush();
        }
        let Some(chunk) = self.free.pop() else {
            self.counters.tx_drops.add(1);
            return;
        };
        // SAFETY: free chunks are ours.
        if let Some(room) = unsafe { self.socket.frame(chunk, frame.len()) } {
            room.copy_from_slice(frame);
        }
        self.send.put(xdp_desc { addr: chunk, len: frame.len() as u32, options: 0 });
        self.queued.0 += 1;
        self.queued.1 += frame.len() as u64;
        if self.queued.0 >= BATCH as u64 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let (packets, bytes) = std::mem::take(&mut self.queued);
        if packets > 0 {
            self.send.submit();
            self.counters.sent(packets, bytes);
        }
        for _ in 0..TRIES {
            if !self.send.needs_wakeup() {
                break;
            }
            // Copies are made some at a time; what fails otherwise (the interface is down)
            // leaves the frames where they are.
            match self.socket.kick_send() {
                Err(e)
                    if matches!(
                        e.raw_os_error(),
                        Some(libc::EAGAIN | libc::EBUSY | libc::EINTR)
                    ) => {}
                _ => break,
            }
        }
        self.reap();
    }
}

impl Drop for XdpTransmitter {
    fn drop(&mut self) {
        self.flush();
    }
}

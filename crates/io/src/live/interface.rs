//! A Linux interface as a port, through packet sockets.
//!
//! Every worker has a receiving socket with a ring and a sending one. The kernel
//! spreads what arrives over the workers' rings by flow (PACKET_FANOUT_HASH; both
//! directions of a connection come to one worker).

use super::device::{BATCH, Deliver, Opened, Receiver, Transmitter};
use super::intake::{Intake, empty_batch};
use super::queue::FrameQueue;
use super::ring::Ring;
use super::socket::{
    bind, bound_to, get_option, interface_index, packet_socket, promiscuous, receive_split,
    send_frames, set_option, wait_writable,
};
use super::vnet::{HEADER_LENGTH, Offload};
use crate::world::PortCounters;
use libc::c_int;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ww_dataplane::{Picoseconds, PortId};

/// The longest frame taken in, in bytes: segmentation offload makes up to 64 KiB,
/// with "BIG TCP" more.
const LONGEST: usize = 512 * 1024;

/// Bytes the kernel may queue for frames that do not fit a slot, and for sending.
const SOCKET_BUFFER: c_int = 32 * 1024 * 1024;

/// How long a full send queue may hold the world up.
const SEND_PATIENCE: Duration = Duration::from_millis(1);

/// `PACKET_FANOUT_FLAG_IGNORE_OUTGOING` of linux/if_packet.h.
const IGNORE_OUTGOING: u32 = 0x4000;

/// The group in which the receivers of one interface share what arrives: the
/// interface's index and the group's number. `None` before the first one is there.
#[derive(Debug, Default)]
pub(super) struct Fanout(Mutex<Option<(c_int, u16)>>);

impl Fanout {
    /// Joins the group of the interface, which the first one to come founds.
    fn join(&self, receiver: &OwnedFd, index: c_int) -> io::Result<()> {
        /// Without the frames that we send: the sockets' own option does not reach the group.
        const HASH: u32 = libc::PACKET_FANOUT_HASH | IGNORE_OUTGOING;
        /// The kernel picks a number that nobody uses.
        const UNIQUE: u32 = libc::PACKET_FANOUT_FLAG_UNIQUEID;
        let set = |argument: u32| {
            set_option(receiver, libc::SOL_PACKET, libc::PACKET_FANOUT, &(argument as c_int))
        };
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, number)) = *group
            && of == index
        {
            return set(u32::from(number) | HASH << 16);
        }
        set((HASH | UNIQUE) << 16)?;
        let argument = get_option::<c_int>(receiver, libc::SOL_PACKET, libc::PACKET_FANOUT)?;
        *group = Some((index, argument as u16));
        Ok(())
    }
}

/// Opens an interface, which must exist; it may be down. With a `fanout` it shares
/// what arrives with the other receivers there.
pub(super) fn open(
    name: &str,
    port: PortId,
    fanout: Option<&Fanout>,
    counters: Arc<PortCounters>,
) -> Result<Opened, String> {
    let index = interface_index(name).ok_or("no such interface")?;
    let receiver = InterfaceReceiver::open(name, index, port, fanout, Arc::clone(&counters));
    let pair = receiver.and_then(|receiver| Ok((receiver, PacketSender::open(index, counters)?)));
    let (receiver, transmitter) = pair.map_err(|e| describe(&e))?;
    Ok(Opened { receiver: Box::new(receiver), transmitter: Box::new(transmitter) })
}

/// Why packet sockets cannot be opened.
pub(super) fn describe(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => {
            "not permitted: packet sockets need root or CAP_NET_RAW".into()
        }
        Some(libc::ENODEV | libc::ENXIO) => "no such interface".into(),
        _ => format!("cannot open: {error}"),
    }
}

/// Enlarges a socket buffer as far as we are allowed to; a smaller one works too.
fn buffer_size(fd: &OwnedFd, forced: c_int, polite: c_int) {
    if set_option(fd, libc::SOL_SOCKET, forced, &SOCKET_BUFFER).is_err() {
        let _ = set_option(fd, libc::SOL_SOCKET, polite, &SOCKET_BUFFER);
    }
}

/// Where frames of an interface come from.
struct InterfaceReceiver {
    // Unmapped before its socket closes.
    ring: Ring,
    socket: OwnedFd,
    name: String,
    index: c_int,
    intake: Intake,
    /// For frames too long for a slot.
    buffer: Vec<u8>,
}

impl InterfaceReceiver {
    fn open(
        name: &str,
        index: c_int,
        port: PortId,
        fanout: Option<&Fanout>,
        counters: Arc<PortCounters>,
    ) -> io::Result<Self> {
        let socket = packet_socket()?;
        // The ring takes the header's size into account, so this goes first.
        set_option(&socket, libc::SOL_PACKET, libc::PACKET_VNET_HDR, &1)?;
        set_option(&socket, libc::SOL_PACKET, libc::PACKET_IGNORE_OUTGOING, &1)?;
        buffer_size(&socket, libc::SO_RCVBUFFORCE, libc::SO_RCVBUF);
        let mut ring = Ring::new(&socket)?;
        bind(&socket, index, libc::ETH_P_ALL)?;
        let (_, hardware) = bound_to(&socket)?;
        if !matches!(hardware, libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK) {
            return Err(io::Error::other(format!(
                "it is not an Ethernet interface (hardware type {hardware})"
            )));
        }
        promiscuous(&socket, index)?;
        if let Some(fanout) = fanout {
            fanout.join(&socket, index)?;
            // What arrived before went to every socket.
            loop {
                let taken = ring.take(BATCH).count();
                if taken == 0 {
                    break;
                }
                ring.release(taken);
            }
        }
        let (name, intake) = (name.into(), Intake::new(port, counters));
        Ok(Self { ring, socket, name, index, intake, buffer: Vec::new() })
    }
}

impl Receiver for InterfaceReceiver {
    fn descriptor(&self) -> Option<RawFd> {
        Some(self.socket.as_raw_fd())
    }

    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize {
        let Self { ring, socket, intake, buffer, .. } = self;
        let mut frames = empty_batch(intake.port);
        let (mut ready, mut taken, mut latest) = (0, 0, None);
        for slot in ring.take(BATCH) {
            taken += 1;
            let Some(slot) = slot else {
                intake.counters.rx_errors.add(1);
                continue;
            };
            if slot.is_whole() && !slot.offload.is_large() {
                match slot.offload.complete(slot.memory, HEADER_LENGTH) {
                    Ok(start) => {
                        frames[ready].bytes = &mut slot.memory[start..];
                        ready += 1;
                        latest = Some(slot.time);
                    }
                    Err(_) => intake.counters.rx_errors.add(1),
                }
                continue;
            }
            // Not so simple. What came before it goes first.
            intake.deliver(latest, &mut frames[..ready], deliver);
            ready = 0;
            let time = Some(slot.time);
            if slot.is_whole() {
                intake.restore(time, &slot.offload, &slot.memory[HEADER_LENGTH..], deliver);
            } else if slot.queued {
                buffer.resize(LONGEST, 0);
                let mut header = [0; HEADER_LENGTH];
                match receive_split(socket, &mut header, buffer) {
                    Ok(Some(length)) => {
                        let mut offload = Offload::parse(&header);
                        offload.vlan = slot.offload.vlan;
                        intake.restore(time, &offload, &buffer[..length], deliver);
                    }
                    _ => intake.counters.rx_errors.add(1),
                }
            } else {
                // No room was left for the whole of it.
                intake.counters.rx_drops.add(1);
            }
        }
        intake.deliver(latest, &mut frames[..ready], deliver);
        ring.release(taken);
        taken
    }

    fn clear_error(&mut self) {
        // Reading the pending error (the interface went down) clears it.
        let _ = get_option::<c_int>(&self.socket, libc::SOL_SOCKET, libc::SO_ERROR);
    }

    fn is_alive(&mut self) -> bool {
        let bound = bound_to(&self.socket).map(|(bound, _)| bound);
        interface_index(&self.name) == Some(self.index)
            && bound.is_ok_and(|bound| bound == self.index)
    }

    fn count(&mut self) {
        // Reading the kernel's count of dropped frames sets it to zero.
        let statistics = get_option::<libc::tpacket_stats>(
            &self.socket,
            libc::SOL_PACKET,
            libc::PACKET_STATISTICS,
        );
        if let Ok(statistics) = statistics {
            self.intake.counters.rx_drops.add(u64::from(statistics.tp_drops));
        }
    }
}

/// Sends through a packet socket that never receives, so that it needs no virtio-net header.
pub(super) struct PacketSender {
    socket: OwnedFd,
    queue: FrameQueue,
    counters: Arc<PortCounters>,
}

impl PacketSender {
    pub fn open(index: c_int, counters: Arc<PortCounters>) -> io::Result<Self> {
        let socket = packet_socket()?;
        buffer_size(&socket, libc::SO_SNDBUFFORCE, libc::SO_SNDBUF);
        bind(&socket, index, 0)?;
        Ok(Self { socket, queue: FrameQueue::default(), counters })
    }
}

impl Transmitter for PacketSender {
    fn send(&mut self, _: Picoseconds, frame: &[u8]) {
        if self.queue.push(frame) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let Self { socket, queue, counters } = self;
        let (mut next, mut patient) = (0, true);
        while next < queue.len() {
            match send_frames(socket, queue, next) {
                Ok(sent) => {
                    let bytes = (next..next + sent).map(|n| queue.frame(n).len() as u64).sum();
                    counters.sent(sent as u64, bytes);
                    next += sent;
                    continue;
                }
                Err(e) => match e.raw_os_error() {
                    Some(libc::EINTR) => continue,
                    Some(libc::EAGAIN | libc::ENOBUFS) if patient => {
                        patient = false;
                        wait_writable(socket.as_raw_fd(), SEND_PATIENCE);
                        continue;
                    }
                    Some(libc::EAGAIN | libc::ENOBUFS) => counters.tx_drops.add(1),
                    Some(libc::ENETDOWN | libc::ENXIO | libc::ENODEV) => {
                        // Down, or gone: the rest would fare no better. Reading the
                        // pending error clears it.
                        let _ = get_option::<c_int>(socket, libc::SOL_SOCKET, libc::SO_ERROR);
                        counters.tx_drops.add((queue.len() - next) as u64);
                        break;
                    }
                    // The frame's fault, for example longer than the MTU allows.
                    _ => counters.tx_errors.add(1),
                },
            }
            next += 1;
        }
        queue.clear();
    }
}

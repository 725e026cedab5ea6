//! A Linux interface as a port, through packet sockets.

use super::device::{Deliver, Device};
use super::ring::Ring;
use super::socket::{
    bind, bound_to, get_option, interface_index, packet_socket, receive_split, send_frames,
    set_option, wait_writable,
};
use super::vnet::{HEADER_LENGTH, Offload, Restorer, Unusable};
use crate::world::PortReport;
use libc::c_int;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;
use ww_engine::dataplane::PortId;

/// The longest frame taken in, in bytes: segmentation offload makes up to 64 KiB,
/// with "BIG TCP" more.
const LONGEST: usize = 512 * 1024;

/// Bytes the kernel may queue for frames that do not fit a slot, and for sending.
const SOCKET_BUFFER: c_int = 32 * 1024 * 1024;

/// How long a full send queue may hold the world up.
const SEND_PATIENCE: Duration = Duration::from_millis(1);

/// A port on an interface that exists now or has existed.
pub(super) struct InterfacePort {
    name: String,
    open: Option<Open>,
    report: PortReport,
    queue: Vec<Vec<u8>>,
    restorer: Restorer,
    buffer: Vec<u8>,
}

/// The sockets of an interface that exists.
struct Open {
    // Unmapped before its socket closes.
    ring: Ring,
    receiver: OwnedFd,
    /// Sends and never receives, so that it needs no virtio-net header.
    sender: OwnedFd,
    index: c_int,
}

impl Open {
    fn new(name: &str) -> Result<Self, String> {
        let index = interface_index(name).ok_or("no such interface")?;
        Self::on(index).map_err(|e| match e.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => {
                "not permitted: packet sockets need root or CAP_NET_RAW".into()
            }
            Some(libc::ENODEV | libc::ENXIO) => "no such interface".into(),
            _ => format!("cannot open: {e}"),
        })
    }

    fn on(index: c_int) -> io::Result<Self> {
        let receiver = packet_socket()?;
        // The ring takes the header's size into account, so this goes first.
        set_option(&receiver, libc::SOL_PACKET, libc::PACKET_VNET_HDR, &1)?;
        set_option(&receiver, libc::SOL_PACKET, libc::PACKET_IGNORE_OUTGOING, &1)?;
        buffer_size(&receiver, libc::SO_RCVBUFFORCE, libc::SO_RCVBUF);
        let ring = Ring::new(&receiver)?;
        bind(&receiver, index, libc::ETH_P_ALL)?;
        let (_, hardware) = bound_to(&receiver)?;
        if !matches!(hardware, libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK) {
            return Err(io::Error::other(format!(
                "it is not an Ethernet interface (hardware type {hardware})"
            )));
        }
        let membership = libc::packet_mreq {
            mr_ifindex: index,
            mr_type: libc::PACKET_MR_PROMISC as u16,
            mr_alen: 0,
            mr_address: [0; 8],
        };
        set_option(&receiver, libc::SOL_PACKET, libc::PACKET_ADD_MEMBERSHIP, &membership)?;
        let sender = packet_socket()?;
        buffer_size(&sender, libc::SO_SNDBUFFORCE, libc::SO_SNDBUF);
        bind(&sender, index, 0)?;
        Ok(Self { ring, receiver, sender, index })
    }

    /// Adds the kernel's count of dropped frames, which reading sets to zero.
    fn count_drops(&self, report: &mut PortReport) {
        let statistics = get_option::<libc::tpacket_stats>(
            &self.receiver,
            libc::SOL_PACKET,
            libc::PACKET_STATISTICS,
        );
        if let Ok(statistics) = statistics {
            report.rx_drops += u64::from(statistics.tp_drops);
        }
    }
}

/// Enlarges a socket buffer as far as we are allowed to; a smaller one works too.
fn buffer_size(fd: &OwnedFd, forced: c_int, polite: c_int) {
    if set_option(fd, libc::SOL_SOCKET, forced, &SOCKET_BUFFER).is_err() {
        let _ = set_option(fd, libc::SOL_SOCKET, polite, &SOCKET_BUFFER);
    }
}

impl InterfacePort {
    /// Opens an interface, which must exist; it may be down.
    pub fn open(name: &str, report: PortReport) -> Result<Self, String> {
        Ok(Self {
            name: name.into(),
            open: Some(Open::new(name)?),
            report,
            queue: Vec::new(),
            restorer: Restorer::default(),
            buffer: Vec::new(),
        })
    }
}

impl Device for InterfacePort {
    fn port(&self) -> PortId {
        self.report.port
    }

    fn descriptor(&self) -> Option<RawFd> {
        self.open.as_ref().map(|open| open.receiver.as_raw_fd())
    }

    fn receive(&mut self, budget: usize, deliver: &mut Deliver<'_>) {
        let Self { open: Some(open), report, restorer, buffer, .. } = self else { return };
        for _ in 0..budget {
            let Some(slot) = open.ring.peek() else { return };
            let Some(slot) = slot else {
                report.rx_errors += 1;
                open.ring.release();
                continue;
            };
            let time = Some(slot.time);
            report.rx_segmented += u64::from(slot.offload.is_large());
            let mut count = |frame: &[u8]| {
                report.rx.count(frame.len());
                deliver(time, frame);
            };
            let result = if slot.data.len() >= slot.length {
                restorer.restore(&slot.offload, slot.data, &mut count)
            } else if slot.queued {
                buffer.resize(LONGEST, 0);
                let mut header = [0; HEADER_LENGTH];
                match receive_split(&open.receiver, &mut header, buffer) {
                    Ok(Some(length)) => {
                        let mut offload = Offload::parse(&header);
                        offload.vlan = slot.offload.vlan;
                        restorer.restore(&offload, &buffer[..length], &mut count)
                    }
                    _ => Err(Unusable),
                }
            } else {
                // No room was left for the whole of it.
                report.rx_drops += 1;
                Ok(())
            };
            if result.is_err() {
                report.rx_errors += 1;
            }
            open.ring.release();
        }
    }

    fn send(&mut self, frame: Vec<u8>) {
        self.queue.push(frame);
    }

    fn flush(&mut self) {
        let Self { open, report, queue, .. } = self;
        let mut frames = &queue[..];
        let mut patient = true;
        while let (false, Some(open)) = (frames.is_empty(), open.as_ref()) {
            match send_frames(&open.sender, frames) {
                Ok(sent) => {
                    for frame in &frames[..sent] {
                        report.tx.count(frame.len());
                    }
                    frames = &frames[sent..];
                    continue;
                }
                Err(e) => match e.raw_os_error() {
                    Some(libc::EINTR) => continue,
                    Some(libc::EAGAIN | libc::ENOBUFS) if patient => {
                        patient = false;
                        wait_writable(open.sender.as_raw_fd(), SEND_PATIENCE);
                        continue;
                    }
                    Some(libc::EAGAIN | libc::ENOBUFS) => report.tx_drops += 1,
                    // Down, or gone: the rest would fare no better.
                    Some(libc::ENETDOWN | libc::ENXIO | libc::ENODEV) => break,
                    // The frame's fault, for example longer than the MTU allows.
                    _ => report.tx_errors += 1,
                },
            }
            frames = &frames[1..];
        }
        report.tx_drops += frames.len() as u64;
        queue.clear();
    }

    fn clear_error(&mut self) {
        if let Some(open) = &self.open {
            // Reading the pending error (the interface went down) clears it.
            let _ = get_option::<c_int>(&open.receiver, libc::SOL_SOCKET, libc::SO_ERROR);
            let _ = get_option::<c_int>(&open.sender, libc::SOL_SOCKET, libc::SO_ERROR);
        }
    }

    fn check(&mut self) {
        let index = interface_index(&self.name);
        if let Some(open) = &self.open {
            let bound = bound_to(&open.receiver).map(|(bound, _)| bound);
            if index == Some(open.index) && bound.is_ok_and(|bound| bound == open.index) {
                return;
            }
            open.count_drops(&mut self.report);
            self.open = None;
        }
        if index.is_some() {
            self.open = Open::new(&self.name).ok();
            self.report.reopened += u64::from(self.open.is_some());
        }
    }

    fn report(&mut self) -> PortReport {
        if let Some(open) = &self.open {
            open.count_drops(&mut self.report);
        }
        self.report.clone()
    }
}

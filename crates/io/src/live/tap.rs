//! A TAP device as a port: what the kernel sends through the device comes in here,
//! and the other way round (Documentation/networking/tuntap.rst of Linux).

use super::device::{BATCH, Deliver, Opened, Receiver, Transmitter};
use super::intake::{Intake, empty_batch};
use super::queue::FrameQueue;
use super::socket::{interface_index, wait_writable};
use super::vnet::{HEADER_LENGTH, Offload};
use crate::world::PortCounters;
use libc::{c_int, c_uint, ifreq};
use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;
use std::time::Duration;
use ww_dataplane::{Picoseconds, PortId};

/// Bytes in the longest message: a frame with segmentation left to us, its header.
const LONGEST: usize = 128 * 1024;

/// What the kernel may leave to us. UDP came later than the rest (Linux 6.2).
const OFFLOADS: c_uint =
    libc::TUN_F_CSUM | libc::TUN_F_TSO4 | libc::TUN_F_TSO6 | libc::TUN_F_TSO_ECN;
const UDP_OFFLOADS: c_uint = libc::TUN_F_USO4 | libc::TUN_F_USO6;

/// How long a full send queue may hold the world up.
const SEND_PATIENCE: Duration = Duration::from_millis(1);

/// Room for a batch of ordinary messages and the longest one behind them, in bytes.
const BUFFER: usize = BATCH * 2048 + LONGEST;

/// Attaches to the TAP device `name`. One that does not exist is created and brought
/// up; it goes away with the port. With `shared` the device has a queue for each
/// worker, over which the kernel spreads what it sends by flow.
pub(super) fn open(
    name: &str,
    port: PortId,
    shared: bool,
    counters: Arc<PortCounters>,
) -> Result<Opened, String> {
    let file = Arc::new(attach(name, shared)?);
    let receiver = TapReceiver {
        name: name.into(),
        file: Arc::clone(&file),
        gone: false,
        intake: Intake::new(port, Arc::clone(&counters)),
        buffer: vec![0; BUFFER],
    };
    let transmitter = TapTransmitter { file, queue: FrameQueue::default(), counters };
    Ok(Opened { receiver: Box::new(receiver), transmitter: Box::new(transmitter) })
}

fn attach(name: &str, shared: bool) -> Result<File, String> {
    let existed = interface_index(name).is_some();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open("/dev/net/tun")
        .map_err(|e| format!("cannot open /dev/net/tun: {}", crate::capture::describe(&e)))?;
    let mut request = named_request(name);
    let queues = if shared { libc::IFF_MULTI_QUEUE } else { 0 };
    request.ifr_ifru.ifru_flags =
        (libc::IFF_TAP | libc::IFF_NO_PI | libc::IFF_VNET_HDR | queues) as i16;
    control(&file, libc::TUNSETIFF, &mut request).map_err(|e| match e.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => {
            "not permitted: TAP devices need root or CAP_NET_ADMIN".into()
        }
        Some(libc::EBUSY) => "it is in use by another program".into(),
        Some(libc::EINVAL) if existed && shared => {
            "it exists and is not a TAP device with several queues".into()
        }
        Some(libc::EINVAL) if existed => "it exists and is not a TAP device".into(),
        _ => format!("cannot attach: {e}"),
    })?;
    let fail = |e: io::Error| format!("cannot configure: {e}");
    control(&file, libc::TUNSETVNETHDRSZ, &mut (HEADER_LENGTH as c_int)).map_err(fail)?;
    // The offloads are passed by value. Without any, the kernel does the work.
    for offloads in [OFFLOADS | UDP_OFFLOADS, OFFLOADS] {
        // SAFETY: the request takes a number and touches no memory of ours.
        let result = unsafe {
            libc::ioctl(file.as_raw_fd(), libc::TUNSETOFFLOAD, libc::c_ulong::from(offloads))
        };
        if result == 0 {
            break;
        }
    }
    if !existed {
        bring_up(name).map_err(|e| format!("cannot bring it up: {e}"))?;
    }
    Ok(file)
}

/// An interface request with its name filled in.
pub(super) fn named_request(name: &str) -> ifreq {
    // SAFETY: a request of zeros is valid.
    let mut request: ifreq = unsafe { std::mem::zeroed() };
    let room = request.ifr_name.len() - 1;
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes().take(room)) {
        *to = from as libc::c_char;
    }
    request
}

/// An ioctl that reads or writes one `T`, which must be what the request expects.
pub(super) fn control<T>(
    fd: &impl AsRawFd,
    request: libc::Ioctl,
    argument: &mut T,
) -> io::Result<()> {
    // SAFETY: the callers pair each request with its type; it lives through the call.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request, std::ptr::from_mut(argument)) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A socket for requests about interfaces.
pub(super) fn datagram_socket() -> io::Result<OwnedFd> {
    // SAFETY: plain system call; the result is a fresh descriptor that we own.
    unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(OwnedFd::from_raw_fd(fd)) }
    }
}

fn bring_up(name: &str) -> io::Result<()> {
    let socket = datagram_socket()?;
    let mut request = named_request(name);
    control(&socket, libc::SIOCGIFFLAGS as libc::Ioctl, &mut request)?;
    // SAFETY: the kernel filled in the flags.
    unsafe { request.ifr_ifru.ifru_flags |= libc::IFF_UP as i16 };
    control(&socket, libc::SIOCSIFFLAGS as libc::Ioctl, &mut request)
}

/// Where frames of a TAP device come from.
struct TapReceiver {
    name: String,
    file: Arc<File>,
    /// Whether the device was deleted.
    gone: bool,
    intake: Intake,
    buffer: Vec<u8>,
}

impl Receiver for TapReceiver {
    fn descriptor(&self) -> Option<RawFd> {
        (!self.gone).then(|| self.file.as_raw_fd())
    }

    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize {
        let Self { file, gone, intake, buffer, .. } = self;
        let mut frames = empty_batch(intake.port);
        let (mut ready, mut taken) = (0, 0);
        let mut rest = &mut buffer[..];
        while !*gone && taken < BATCH && rest.len() >= LONGEST {
            let length = match (&**file).read(rest) {
                Ok(length) => length,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => {
                    *gone = true;
                    break;
                }
            };
            taken += 1;
            let (message, behind) = std::mem::take(&mut rest).split_at_mut(length);
            rest = behind;
            let Some(header) = message.first_chunk() else {
                intake.counters.rx_errors.add(1);
                continue;
            };
            let offload = Offload::parse(header);
            if offload.is_large() {
                intake.deliver(None, &mut frames[..ready], deliver);
                ready = 0;
                intake.restore(None, &offload, &message[HEADER_LENGTH..], deliver);
                continue;
            }
            match offload.complete(message, HEADER_LENGTH) {
                Ok(start) => {
                    frames[ready].bytes = &mut message[start..];
                    ready += 1;
                }
                Err(_) => intake.counters.rx_errors.add(1),
            }
        }
        intake.deliver(None, &mut frames[..ready], deliver);
        taken
    }

    fn clear_error(&mut self) {
        // Only a device that was deleted reports one, until its descriptor closes.
        self.gone = true;
    }

    fn is_alive(&mut self) -> bool {
        !self.gone && interface_index(&self.name).is_some()
    }
}

/// Where frames to a TAP device go.
struct TapTransmitter {
    file: Arc<File>,
    queue: FrameQueue,
    counters: Arc<PortCounters>,
}

impl Transmitter for TapTransmitter {
    fn send(&mut self, _: Picoseconds, frame: &[u8]) {
        if self.queue.push(frame) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let Self { file, queue, counters } = self;
        let mut patient = true;
        for index in 0..queue.len() {
            let frame = queue.frame(index);
            let parts = [IoSlice::new(&[0; HEADER_LENGTH]), IoSlice::new(frame)];
            let mut result = (&**file).write_vectored(&parts);
            if patient && result.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::WouldBlock) {
                patient = false;
                wait_writable(file.as_raw_fd(), SEND_PATIENCE);
                result = (&**file).write_vectored(&parts);
            }
            match result {
                Ok(_) => counters.sent(1, frame.len() as u64),
                Err(e) => match e.raw_os_error() {
                    // EIO: the interface is down. EBADFD: it was deleted.
                    Some(libc::EAGAIN | libc::EIO | libc::ENOBUFS | libc::EBADFD) => {
                        counters.tx_drops.add(1);
                    }
                    _ => counters.tx_errors.add(1),
                },
            }
        }
        queue.clear();
    }
}

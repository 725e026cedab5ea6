//! A TAP device as a port: what the kernel sends through the device comes in here,
//! and the other way round (Documentation/networking/tuntap.rst of Linux).

use super::device::{Deliver, Device};
use super::socket::{interface_index, wait_writable};
use super::vnet::{HEADER_LENGTH, Offload, Restorer};
use crate::world::PortReport;
use libc::{c_int, c_uint, ifreq};
use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, Read, Write};
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;
use ww_engine::dataplane::PortId;

/// Bytes in the longest message: a frame with segmentation left to us, its header.
const LONGEST: usize = 128 * 1024;

/// What the kernel may leave to us. UDP came later than the rest (Linux 6.2).
const OFFLOADS: c_uint =
    libc::TUN_F_CSUM | libc::TUN_F_TSO4 | libc::TUN_F_TSO6 | libc::TUN_F_TSO_ECN;
const UDP_OFFLOADS: c_uint = libc::TUN_F_USO4 | libc::TUN_F_USO6;

/// How long a full send queue may hold the world up.
const SEND_PATIENCE: Duration = Duration::from_millis(1);

/// A port on a TAP device.
pub(super) struct TapPort {
    name: String,
    file: Option<File>,
    report: PortReport,
    queue: Vec<Vec<u8>>,
    restorer: Restorer,
    buffer: Vec<u8>,
}

impl TapPort {
    /// Attaches to the TAP device `name`. One that does not exist is created and
    /// brought up; it goes away with the port.
    pub fn open(name: &str, report: PortReport) -> Result<Self, String> {
        let file = Some(attach(name)?);
        let buffer = vec![0; LONGEST];
        let (name, queue) = (name.into(), Vec::new());
        Ok(Self { name, file, report, queue, restorer: Restorer::default(), buffer })
    }
}

fn attach(name: &str) -> Result<File, String> {
    let existed = interface_index(name).is_some();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open("/dev/net/tun")
        .map_err(|e| format!("cannot open /dev/net/tun: {}", crate::capture::describe(&e)))?;
    let mut request = named_request(name);
    request.ifr_ifru.ifru_flags = (libc::IFF_TAP | libc::IFF_NO_PI | libc::IFF_VNET_HDR) as i16;
    control(&file, libc::TUNSETIFF, &mut request).map_err(|e| match e.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => {
            "not permitted: TAP devices need root or CAP_NET_ADMIN".into()
        }
        Some(libc::EBUSY) => "it is in use by another program".into(),
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
fn named_request(name: &str) -> ifreq {
    // SAFETY: a request of zeros is valid.
    let mut request: ifreq = unsafe { mem::zeroed() };
    let room = request.ifr_name.len() - 1;
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes().take(room)) {
        *to = from as libc::c_char;
    }
    request
}

/// An ioctl that reads or writes one `T`, which must be what the request expects.
fn control<T>(fd: &impl AsRawFd, request: libc::Ioctl, argument: &mut T) -> io::Result<()> {
    // SAFETY: the callers pair each request with its type; it lives through the call.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request, std::ptr::from_mut(argument)) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn bring_up(name: &str) -> io::Result<()> {
    // SAFETY: plain system call; the result is a fresh descriptor that we own.
    let socket = unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd)
    };
    let mut request = named_request(name);
    control(&socket, libc::SIOCGIFFLAGS as libc::Ioctl, &mut request)?;
    // SAFETY: the kernel filled in the flags.
    unsafe { request.ifr_ifru.ifru_flags |= libc::IFF_UP as i16 };
    control(&socket, libc::SIOCSIFFLAGS as libc::Ioctl, &mut request)
}

impl Device for TapPort {
    fn port(&self) -> PortId {
        self.report.port
    }

    fn descriptor(&self) -> Option<RawFd> {
        self.file.as_ref().map(AsRawFd::as_raw_fd)
    }

    fn receive(&mut self, budget: usize, deliver: &mut Deliver<'_>) {
        let Self { file, report, restorer, buffer, .. } = self;
        for _ in 0..budget {
            let Some(open) = file else { return };
            let length = match open.read(buffer) {
                Ok(length) => length,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    // The device was deleted.
                    *file = None;
                    return;
                }
            };
            let Some((header, data)) = buffer[..length].split_first_chunk::<HEADER_LENGTH>() else {
                report.rx_errors += 1;
                continue;
            };
            let offload = Offload::parse(header);
            report.rx_segmented += u64::from(offload.is_large());
            let mut count = |frame: &[u8]| {
                report.rx.count(frame.len());
                deliver(None, frame);
            };
            if restorer.restore(&offload, data, &mut count).is_err() {
                report.rx_errors += 1;
            }
        }
    }

    fn send(&mut self, frame: Vec<u8>) {
        self.queue.push(frame);
    }

    fn flush(&mut self) {
        let Self { file, report, queue, .. } = self;
        let mut patient = true;
        for frame in queue.drain(..) {
            let Some(open) = file else {
                report.tx_drops += 1;
                continue;
            };
            let parts = [IoSlice::new(&[0; HEADER_LENGTH]), IoSlice::new(&frame)];
            let mut result = open.write_vectored(&parts);
            if patient && result.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::WouldBlock) {
                patient = false;
                wait_writable(open.as_raw_fd(), SEND_PATIENCE);
                result = open.write_vectored(&parts);
            }
            match result {
                Ok(_) => report.tx.count(frame.len()),
                Err(e) => match e.raw_os_error() {
                    // EIO: the interface is down.
                    Some(libc::EAGAIN | libc::EIO | libc::ENOBUFS) => report.tx_drops += 1,
                    Some(libc::EBADFD) => {
                        report.tx_drops += 1;
                        *file = None;
                    }
                    _ => report.tx_errors += 1,
                },
            }
        }
    }

    fn clear_error(&mut self) {
        // Only a device that was deleted reports one, until its descriptor closes.
        self.file = None;
    }

    fn check(&mut self) {
        if self.file.is_some() && interface_index(&self.name).is_none() {
            self.file = None;
        }
        if self.file.is_none() {
            self.file = attach(&self.name).ok();
            self.report.reopened += u64::from(self.file.is_some());
        }
    }

    fn report(&mut self) -> PortReport {
        self.report.clone()
    }
}

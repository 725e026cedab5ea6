//! When frames leave and come, by the kernel's clock: frames that are sent at their times, frames that are heard with a stamp, and
//! datagrams with both stamps.
//!
//! Stamps are the kernel's own (`CLOCK_REALTIME`, nanoseconds since 1970), taken as a frame is given to the driver and as it comes
//! out of it.

use super::socket::{bind, interface_index, packet_socket, set_option, wait, wait_writable};
use libc::{c_int, c_void, iovec, msghdr, pollfd, sockaddr_in};
use std::io;
use std::mem;
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::{Duration, Instant};

/// Nanoseconds since 1970 (or since whenever, where a clock was set back).
pub type Nanoseconds = i64;

const SECOND: i64 = 1_000_000_000;
/// The last stretch before a frame's time is waited for without sleeping.
const SPIN: Duration = Duration::from_micros(200);

/// Sends frames on an interface at their times.
#[derive(Debug)]
pub struct Sender(OwnedFd);

impl Sender {
    /// On an interface.
    ///
    /// # Errors
    /// There is none of that name; the process may not use raw sockets.
    pub fn open(interface: &str) -> io::Result<Self> {
        let fd = packet_socket()?;
        bind(&fd, index(interface)?, 0)?;
        Ok(Self(fd))
    }

    /// Sends a frame without FCS at a time, or as soon after it as can be; gives by how much it was too late as it was given to the kernel.
    ///
    /// # Errors
    /// The kernel refuses it.
    pub fn send_at(&self, at: Instant, frame: &[u8]) -> io::Result<Duration> {
        if let Some(sleep) = at.saturating_duration_since(Instant::now()).checked_sub(SPIN) {
            std::thread::sleep(sleep);
        }
        while Instant::now() < at {
            std::hint::spin_loop();
        }
        loop {
            let late = at.elapsed();
            // SAFETY: pointer and length describe the frame, which is only read.
            let sent = unsafe {
                let flags = libc::MSG_DONTWAIT;
                libc::send(self.0.as_raw_fd(), frame.as_ptr().cast(), frame.len(), flags)
            };
            if sent >= 0 {
                return Ok(late);
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                // There is no room in the device's queue.
                Some(libc::EAGAIN | libc::ENOBUFS) => {
                    wait_writable(self.0.as_raw_fd(), Duration::from_millis(1));
                }
                Some(libc::EINTR) => {}
                _ => return Err(error),
            }
        }
    }
}

/// Hears the frames that come to an interface.
#[derive(Debug)]
pub struct Listener(OwnedFd);

impl Listener {
    /// On an interface.
    ///
    /// # Errors
    /// There is none of that name; the process may not use raw sockets.
    pub fn open(interface: &str) -> io::Result<Self> {
        let fd = packet_socket()?;
        let (on, room): (c_int, c_int) = (1, 8 << 20);
        set_option(&fd, libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, &on)?;
        set_option(&fd, libc::SOL_SOCKET, libc::SO_RCVBUF, &room)?;
        // What the interface sends itself is not what came.
        set_option(&fd, libc::SOL_PACKET, libc::PACKET_IGNORE_OUTGOING, &on)?;
        bind(&fd, index(interface)?, libc::ETH_P_ALL)?;
        Ok(Self(fd))
    }

    /// The next frame: its stamp and its length; `buffer` has what fits into it. `None` if none comes in this time.
    ///
    /// # Errors
    /// The interface is gone.
    pub fn next(
        &self,
        buffer: &mut [u8],
        timeout: Duration,
    ) -> io::Result<Option<(Nanoseconds, usize)>> {
        readable(self.0.as_raw_fd(), timeout)?;
        let Some(message) = receive(self.0.as_raw_fd(), buffer, libc::MSG_TRUNC)? else {
            return Ok(None);
        };
        Ok(message.stamp.map(|stamp| (stamp, message.length)))
    }
}

fn index(interface: &str) -> io::Result<c_int> {
    interface_index(interface).ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "there is none of this name; `ip link` lists them")
    })
}

/// A UDP socket whose datagrams are stamped.
#[derive(Debug)]
pub struct StampedUdp(UdpSocket);

/// A datagram that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Came {
    /// From whom.
    pub from: SocketAddrV4,
    /// Bytes of its data.
    pub length: usize,
    /// When.
    pub stamp: Nanoseconds,
}

impl StampedUdp {
    /// On a port of an interface's address, also for these multicast groups.
    ///
    /// # Errors
    /// The port is in use, or the address is not this host's.
    pub fn open(own: Ipv4Addr, port: u16, groups: &[Ipv4Addr]) -> io::Result<Self> {
        // Datagrams for groups do not come to a socket that is bound to an address of the host.
        let any = if groups.is_empty() { own } else { Ipv4Addr::UNSPECIFIED };
        let socket = UdpSocket::bind(SocketAddrV4::new(any, port))?;
        socket.set_nonblocking(true)?;
        for group in groups {
            socket.join_multicast_v4(group, &own)?;
        }
        socket.set_multicast_loop_v4(false)?;
        let fd = socket.as_raw_fd();
        let interface = libc::in_addr { s_addr: u32::from_ne_bytes(own.octets()) };
        option(fd, libc::IPPROTO_IP, libc::IP_MULTICAST_IF, &interface)?;
        let flags = libc::SOF_TIMESTAMPING_TX_SOFTWARE
            | libc::SOF_TIMESTAMPING_RX_SOFTWARE
            | libc::SOF_TIMESTAMPING_SOFTWARE
            | libc::SOF_TIMESTAMPING_OPT_TSONLY;
        option(fd, libc::SOL_SOCKET, libc::SO_TIMESTAMPING, &(flags as c_int))?;
        Ok(Self(socket))
    }

    /// Sends a datagram and gives the stamp of its leaving; `None` if the driver takes none, or not within a few milliseconds.
    ///
    /// # Errors
    /// The kernel refuses it.
    pub fn send(&self, to: SocketAddrV4, payload: &[u8]) -> io::Result<Option<Nanoseconds>> {
        let fd = self.0.as_raw_fd();
        // A stamp of before is of another datagram.
        while receive(fd, &mut [], libc::MSG_ERRQUEUE)?.is_some() {}
        self.0.send_to(payload, to)?;
        for _ in 0..5 {
            if let Some(message) = receive(fd, &mut [], libc::MSG_ERRQUEUE)? {
                return Ok(message.stamp);
            }
            let mut descriptors = [pollfd { fd, events: 0, revents: 0 }];
            wait(&mut descriptors, Duration::from_millis(1))?;
        }
        Ok(None)
    }

    /// The next datagram, if one is there. One without a stamp is left out.
    ///
    /// # Errors
    /// The kernel's.
    pub fn receive(&self, buffer: &mut [u8]) -> io::Result<Option<Came>> {
        let message = receive(self.0.as_raw_fd(), buffer, 0)?;
        Ok(message.and_then(|message| {
            let (from, stamp) = (message.from?, message.stamp?);
            Some(Came { from, length: message.length.min(buffer.len()), stamp })
        }))
    }

    /// Waits until something comes to one of some sockets, at most so long.
    ///
    /// # Errors
    /// The kernel's.
    pub fn wait(sockets: &[&Self], timeout: Duration) -> io::Result<()> {
        let descriptor =
            |socket: &&Self| pollfd { fd: socket.0.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let mut descriptors: Vec<pollfd> = sockets.iter().map(descriptor).collect();
        wait(&mut descriptors, timeout)
    }
}

/// What the kernel says of a message.
struct Message {
    /// Bytes, also those for which there was no room where that was asked for.
    length: usize,
    stamp: Option<Nanoseconds>,
    from: Option<SocketAddrV4>,
}

/// Receives a message without waiting; `None` if there is none.
fn receive(fd: RawFd, buffer: &mut [u8], flags: c_int) -> io::Result<Option<Message>> {
    let mut control = [0u64; 32];
    let mut vector =
        iovec { iov_base: buffer.as_mut_ptr().cast::<c_void>(), iov_len: buffer.len() };
    // SAFETY: headers and addresses of zeros are valid; all pointers are to what lives through the call, and lengths describe it.
    unsafe {
        let mut from: sockaddr_in = mem::zeroed();
        let mut header: msghdr = mem::zeroed();
        header.msg_name = ptr::from_mut(&mut from).cast();
        header.msg_namelen = mem::size_of::<sockaddr_in>() as _;
        header.msg_iov = &mut vector;
        header.msg_iovlen = 1;
        header.msg_control = control.as_mut_ptr().cast();
        header.msg_controllen = mem::size_of_val(&control) as _;
        let length = libc::recvmsg(fd, &mut header, flags | libc::MSG_DONTWAIT);
        let Ok(length) = usize::try_from(length) else {
            let error = io::Error::last_os_error();
            return match error.raw_os_error() {
                Some(libc::EAGAIN | libc::EINTR) => Ok(None),
                _ => Err(error),
            };
        };
        let from = (from.sin_family == libc::AF_INET as u16).then(|| {
            let address = Ipv4Addr::from(from.sin_addr.s_addr.to_ne_bytes());
            SocketAddrV4::new(address, u16::from_be(from.sin_port))
        });
        Ok(Some(Message { length, stamp: stamp(&header), from }))
    }
}

/// The stamp among the control messages.
///
/// # Safety
/// The header is one that the kernel has filled in, with its buffers still there.
unsafe fn stamp(header: &msghdr) -> Option<Nanoseconds> {
    // SAFETY: the caller's; the data of these messages begin with a timespec, wherever it is aligned.
    unsafe {
        let mut control = libc::CMSG_FIRSTHDR(header);
        while !control.is_null() {
            let kind = (*control).cmsg_type;
            if (*control).cmsg_level == libc::SOL_SOCKET
                && [libc::SCM_TIMESTAMPNS, libc::SCM_TIMESTAMPING].contains(&kind)
            {
                let time: libc::timespec = ptr::read_unaligned(libc::CMSG_DATA(control).cast());
                return Some(time.tv_sec * SECOND + time.tv_nsec);
            }
            control = libc::CMSG_NXTHDR(header, control);
        }
    }
    None
}

/// Waits until there is something to read, at most so long.
fn readable(fd: RawFd, timeout: Duration) -> io::Result<()> {
    wait(&mut [pollfd { fd, events: libc::POLLIN, revents: 0 }], timeout)
}

/// Sets an option of a socket that is not ours alone.
fn option<T: Copy>(fd: RawFd, level: c_int, name: c_int, value: &T) -> io::Result<()> {
    let length = mem::size_of::<T>() as libc::socklen_t;
    // SAFETY: the pointer and length describe `value`, which lives through the call.
    let result = unsafe { libc::setsockopt(fd, level, name, ptr::from_ref(value).cast(), length) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

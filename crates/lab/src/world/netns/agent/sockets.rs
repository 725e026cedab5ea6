//! Options of sockets that the standard library does not have, each in a safe wrapper.

use super::super::spec::TcpSpec;
use std::io;
use std::mem;
use std::net::{SocketAddrV4, TcpStream, UdpSocket};
use std::os::fd::{AsRawFd, BorrowedFd};

/// `SO_MAX_PACING_RATE` of asm-generic/socket.h.
const SO_MAX_PACING_RATE: libc::c_int = 47;

fn set(fd: BorrowedFd<'_>, level: i32, name: i32, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: pointer and length describe the bytes, which live through the call.
    let result = unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            level,
            name,
            bytes.as_ptr().cast(),
            bytes.len() as libc::socklen_t,
        )
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn set_number(fd: BorrowedFd<'_>, level: i32, name: i32, value: i32) -> io::Result<()> {
    set(fd, level, name, &value.to_ne_bytes())
}

/// The DSCP field of what a socket sends.
pub fn class(fd: BorrowedFd<'_>, class: u8) -> io::Result<()> {
    set_number(fd, libc::IPPROTO_IP, libc::IP_TOS, i32::from(class) << 2)
}

/// What a connection is to do; before it is there, so that its first segment says it.
pub fn congestion(fd: BorrowedFd<'_>, tcp: &TcpSpec) -> io::Result<()> {
    set(fd, libc::IPPROTO_TCP, libc::TCP_CONGESTION, tcp.congestion.as_bytes())?;
    // Time stamps take 12 bytes of a segment (RFC 7323, appendix A), which the kernel counts as part of it.
    set_number(fd, libc::IPPROTO_TCP, libc::TCP_MAXSEG, i32::from(tcp.segment) + 12)?;
    if let Some(window) = tcp.window {
        // What a receiver allows is what may be outstanding.
        let window = i32::try_from(window).unwrap_or(i32::MAX);
        set_number(fd, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, window)?;
    }
    if tcp.pacing {
        // Any bound turns pacing on; this one bounds nothing.
        set(fd, libc::SOL_SOCKET, SO_MAX_PACING_RATE, &(1u64 << 40).to_ne_bytes())?;
    }
    Ok(())
}

/// Large buffers, as far as is permitted, and the kernel's time stamps.
pub fn prepare_receiver(socket: &UdpSocket) -> io::Result<()> {
    use std::os::fd::AsFd;
    let size = 8 << 20;
    if set_number(socket.as_fd(), libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, size).is_err() {
        set_number(socket.as_fd(), libc::SOL_SOCKET, libc::SO_RCVBUF, size)?;
    }
    set_number(socket.as_fd(), libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, 1)
}

/// Receives a packet: its bytes, and how long ago the kernel had it, ns.
pub fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<(usize, u64)> {
    #[repr(C, align(8))]
    struct Control([u8; 128]);
    let mut control = Control([0; 128]);
    let mut vector = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    // SAFETY: a header of zeros is valid; its pointers are to buffers that live through the calls, with their lengths.
    // The control messages are walked as cmsg(3) has it, within what the kernel has written.
    unsafe {
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &mut vector;
        message.msg_iovlen = 1;
        message.msg_control = control.0.as_mut_ptr().cast();
        message.msg_controllen = control.0.len() as _;
        let received = libc::recvmsg(socket.as_raw_fd(), &mut message, 0);
        let received = usize::try_from(received).map_err(|_| io::Error::last_os_error())?;
        let mut age = 0;
        let mut at = libc::CMSG_FIRSTHDR(&message);
        while !at.is_null() {
            if (*at).cmsg_level == libc::SOL_SOCKET && (*at).cmsg_type == libc::SO_TIMESTAMPNS {
                let stamp: libc::timespec = std::ptr::read_unaligned(libc::CMSG_DATA(at).cast());
                let mut now: libc::timespec = mem::zeroed();
                libc::clock_gettime(libc::CLOCK_REALTIME, &mut now);
                let nanoseconds = |time: libc::timespec| time.tv_sec * 1_000_000_000 + time.tv_nsec;
                age = u64::try_from(nanoseconds(now) - nanoseconds(stamp)).unwrap_or(0);
            }
            at = libc::CMSG_NXTHDR(&message, at);
        }
        Ok((received, age))
    }
}

/// A connection with these settings. Blocks until it is there.
pub fn connect(
    to: SocketAddrV4,
    prepare: impl FnOnce(BorrowedFd<'_>) -> io::Result<()>,
) -> io::Result<TcpStream> {
    use std::os::fd::{AsFd, FromRawFd, OwnedFd};
    // SAFETY: plain system call; the result is a fresh descriptor that we own.
    let socket = unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd)
    };
    prepare(socket.as_fd())?;
    let address = libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: to.port().to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(*to.ip()).to_be() },
        sin_zero: [0; 8],
    };
    let length = mem::size_of_val(&address) as libc::socklen_t;
    // SAFETY: the pointer and length describe the address.
    let result =
        unsafe { libc::connect(socket.as_raw_fd(), std::ptr::from_ref(&address).cast(), length) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(TcpStream::from(socket))
}

/// What the kernel has counted of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Info {
    /// Segments that were sent again.
    pub retransmitted: u64,
    /// How often the retransmission timer expired; 0 before Linux 6.8.
    pub timeouts: u64,
}

/// `struct tcp_info` of linux/tcp.h.
///
/// # Errors
/// The kernel gives none, or one without retransmitted segments.
pub fn info(stream: &TcpStream) -> io::Result<Info> {
    let mut bytes = [0u8; 256];
    let mut length = bytes.len() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes into the array.
    let result = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            bytes.as_mut_ptr().cast(),
            &mut length,
        )
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    info_of(bytes.get(..length as usize).unwrap_or(&bytes))
}

fn info_of(tcp_info: &[u8]) -> io::Result<Info> {
    let word = |at: usize| Some(u32::from_ne_bytes(*tcp_info.get(at..)?.first_chunk()?));
    // tcpi_total_retrans, tcpi_total_rto.
    let Some(retransmitted) = word(100) else {
        return Err(io::Error::other(format!(
            "the kernel's tcp_info has {} bytes and no retransmitted segments, which begin at byte 100",
            tcp_info.len()
        )));
    };
    let timeouts = word(240).unwrap_or(0) & 0xffff;
    Ok(Info { retransmitted: retransmitted.into(), timeouts: timeouts.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tcp_info_without_retransmitted_segments_is_an_error() {
        let mut bytes = [0; 248];
        (bytes[100], bytes[240]) = (3, 2);
        let counts = |bytes: &[u8]| info_of(bytes).map(|info| (info.retransmitted, info.timeouts));
        assert_eq!(counts(&bytes).expect("all of it"), (3, 2));
        assert_eq!(counts(&bytes[..232]).expect("that of Linux 6.6"), (3, 0));
        let error = counts(&bytes[..102]).expect_err("too short").to_string();
        assert!(error.contains("has 102 bytes and no retransmitted segments"), "{error}");
    }
}

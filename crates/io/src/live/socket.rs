//! The system calls behind the live ports, each in a safe wrapper.

use super::device::BATCH;
use super::queue::FrameQueue;
use libc::{c_int, c_void, iovec, mmsghdr, msghdr, pollfd, sockaddr_ll, socklen_t};
use std::ffi::CString;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

/// Types that consist of integers alone: all bit patterns are values, and there is
/// no padding to leak.
///
/// # Safety
/// Implement it for such types only.
pub(super) unsafe trait Plain: Copy {}

unsafe impl Plain for c_int {}
unsafe impl Plain for libc::tpacket_req {}
unsafe impl Plain for libc::tpacket_stats {}
unsafe impl Plain for libc::packet_mreq {}

/// Turns the -1 of a system call into its error.
fn checked(result: c_int) -> io::Result<c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A raw packet socket that takes in frames of `protocol` (0: none) once bound.
pub(super) fn packet_socket() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_RAW | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
    // SAFETY: plain system call; the result is a fresh descriptor that we own.
    unsafe { checked(libc::socket(libc::AF_PACKET, kind, 0)).map(|fd| OwnedFd::from_raw_fd(fd)) }
}

/// Sets a socket option.
pub(super) fn set_option<T: Plain>(
    fd: &OwnedFd,
    level: c_int,
    name: c_int,
    value: &T,
) -> io::Result<()> {
    let length = mem::size_of::<T>() as socklen_t;
    // SAFETY: the pointer and length describe `value`, which lives through the call.
    let result = unsafe {
        libc::setsockopt(fd.as_raw_fd(), level, name, ptr::from_ref(value).cast(), length)
    };
    checked(result).map(drop)
}

/// Reads a socket option that fills a `T`.
pub(super) fn get_option<T: Plain>(fd: &OwnedFd, level: c_int, name: c_int) -> io::Result<T> {
    let mut length = mem::size_of::<T>() as socklen_t;
    // SAFETY: `Plain` types may be all zeros, the kernel writes at most `length`
    // bytes into the value, and whatever it writes is a value of the type.
    unsafe {
        let mut value: T = mem::zeroed();
        let to = ptr::from_mut(&mut value).cast();
        checked(libc::getsockopt(fd.as_raw_fd(), level, name, to, &mut length))?;
        Ok(value)
    }
}

/// Binds a packet socket to an interface; `protocol` 0 receives nothing.
pub(super) fn bind(fd: &OwnedFd, index: c_int, protocol: c_int) -> io::Result<()> {
    // SAFETY: an address of zeros is valid, and the pointer describes it.
    unsafe {
        let mut address: sockaddr_ll = mem::zeroed();
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = (protocol as u16).to_be();
        address.sll_ifindex = index;
        let length = mem::size_of::<sockaddr_ll>() as socklen_t;
        checked(libc::bind(fd.as_raw_fd(), ptr::from_ref(&address).cast(), length)).map(drop)
    }
}

/// Has an interface take in all frames, whatever their address, while the packet socket lives.
pub(super) fn promiscuous(fd: &OwnedFd, index: c_int) -> io::Result<()> {
    let membership = libc::packet_mreq {
        mr_ifindex: index,
        mr_type: libc::PACKET_MR_PROMISC as u16,
        mr_alen: 0,
        mr_address: [0; 8],
    };
    set_option(fd, libc::SOL_PACKET, libc::PACKET_ADD_MEMBERSHIP, &membership)
}

/// Several descriptors as one that is ready when one of them is.
pub(super) struct Epoll(OwnedFd);

impl Epoll {
    pub fn new() -> io::Result<Self> {
        // SAFETY: plain system call; the result is a fresh descriptor that we own.
        unsafe {
            checked(libc::epoll_create1(libc::EPOLL_CLOEXEC))
                .map(|fd| Self(OwnedFd::from_raw_fd(fd)))
        }
    }

    /// Adds a descriptor to wait on for input.
    pub fn add(&self, fd: &OwnedFd) -> io::Result<()> {
        let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 0 };
        // SAFETY: the event lives through the call.
        let result = unsafe {
            libc::epoll_ctl(self.0.as_raw_fd(), libc::EPOLL_CTL_ADD, fd.as_raw_fd(), &mut event)
        };
        checked(result).map(drop)
    }

    pub fn descriptor(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// The interface a packet socket is bound to (-1 once it was deleted) and its
/// hardware type (`ARPHRD_*`).
pub(super) fn bound_to(fd: &OwnedFd) -> io::Result<(c_int, u16)> {
    // SAFETY: the kernel writes at most `length` bytes into the address.
    unsafe {
        let mut address: sockaddr_ll = mem::zeroed();
        let mut length = mem::size_of::<sockaddr_ll>() as socklen_t;
        let to = ptr::from_mut(&mut address).cast();
        checked(libc::getsockname(fd.as_raw_fd(), to, &mut length))?;
        Ok((address.sll_ifindex, address.sll_hatype))
    }
}

/// The index of an interface by name; `None` when there is none.
pub(super) fn interface_index(name: &str) -> Option<c_int> {
    let name = CString::new(name).ok()?;
    // SAFETY: the pointer is to a string that ends in zero.
    let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
    c_int::try_from(index).ok().filter(|index| *index > 0)
}

/// Sends the frames of a queue from number `first` on in one call; returns how many
/// went. The error is that of the first frame.
pub(super) fn send_frames(fd: &OwnedFd, queue: &FrameQueue, first: usize) -> io::Result<usize> {
    let count = (queue.len() - first).min(BATCH);
    // SAFETY: headers of zeros are valid; each points to one vector, which points
    // to a frame that lives through the call and is only read.
    let sent = unsafe {
        let mut vectors: [iovec; BATCH] = mem::zeroed();
        let mut headers: [mmsghdr; BATCH] = mem::zeroed();
        let places = vectors.iter_mut().zip(&mut headers).take(count);
        for ((vector, header), index) in places.zip(first..) {
            let frame = queue.frame(index);
            vector.iov_base = frame.as_ptr().cast_mut().cast::<c_void>();
            vector.iov_len = frame.len();
            header.msg_hdr.msg_iov = vector;
            header.msg_hdr.msg_iovlen = 1;
        }
        let flags = libc::MSG_DONTWAIT;
        libc::sendmmsg(fd.as_raw_fd(), headers.as_mut_ptr(), count as u32, flags as _)
    };
    checked(sent).map(|sent| sent as usize)
}

/// Receives one message into a header and a buffer; returns the bytes in the
/// buffer, or `None` when the message was longer than both.
pub(super) fn receive_split(
    fd: &OwnedFd,
    header: &mut [u8],
    buffer: &mut [u8],
) -> io::Result<Option<usize>> {
    let header_length = header.len();
    let mut vectors = [
        iovec { iov_base: header.as_mut_ptr().cast(), iov_len: header.len() },
        iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() },
    ];
    // SAFETY: a header of zeros is valid; the vectors describe the two buffers.
    let (received, flags) = unsafe {
        let mut message: msghdr = mem::zeroed();
        message.msg_iov = vectors.as_mut_ptr();
        message.msg_iovlen = vectors.len() as _;
        let received = libc::recvmsg(fd.as_raw_fd(), &mut message, libc::MSG_DONTWAIT);
        (received, message.msg_flags)
    };
    let received = usize::try_from(received).map_err(|_| io::Error::last_os_error())?;
    let whole = flags & libc::MSG_TRUNC == 0 && received >= header_length;
    Ok(whole.then(|| received - header_length))
}

/// Waits until a descriptor is ready, a signal arrives or the time is up.
pub(crate) fn wait(descriptors: &mut [pollfd], timeout: Duration) -> io::Result<()> {
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs().min(1 << 30) as libc::time_t,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    let count = descriptors.len() as libc::nfds_t;
    // SAFETY: pointer and count describe the slice; no signal mask is given.
    let ready = unsafe { libc::ppoll(descriptors.as_mut_ptr(), count, &timeout, ptr::null()) };
    match checked(ready) {
        Err(e) if e.kind() != io::ErrorKind::Interrupted => Err(e),
        _ => Ok(()),
    }
}

/// Waits until `fd` takes frames again, at most `timeout`.
pub(super) fn wait_writable(fd: RawFd, timeout: Duration) {
    let mut descriptors = [pollfd { fd, events: libc::POLLOUT, revents: 0 }];
    // Whether it worked shows when the frame is sent.
    let _ = wait(&mut descriptors, timeout);
}

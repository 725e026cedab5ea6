//! An AF_XDP socket: the memory it shares with the kernel, and its four rings
//! (Documentation/networking/af_xdp.rst of Linux).

use crate::live::socket::{Plain, get_option, set_option};
use libc::{c_int, c_void, sockaddr_xdp, socklen_t, xdp_desc, xdp_ring_offset};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of a chunk, which holds a frame behind 256 bytes that the kernel keeps free.
pub(super) const CHUNK: usize = 4096;
/// Chunks for each direction, and entries of each ring: a power of two.
pub(super) const CHUNKS: u32 = 2048;

// SAFETY: integers without padding.
unsafe impl Plain for libc::xdp_umem_reg {}
// SAFETY: as above.
unsafe impl Plain for libc::xdp_mmap_offsets {}
// SAFETY: as above.
unsafe impl Plain for libc::xdp_statistics {}
// SAFETY: as above.
unsafe impl Plain for u32 {}

/// Mapped memory.
pub(super) struct Mapping {
    pub memory: NonNull<u8>,
    length: usize,
}

impl Mapping {
    fn new(length: usize, flags: c_int, fd: c_int, offset: i64) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice.
        let memory = unsafe { libc::mmap(ptr::null_mut(), length, access, flags, fd, offset) };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory, length })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this length.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.length) };
    }
}

/// One ring, of which we are the producer or the consumer, with entries of type `T`.
pub(super) struct Ring<T> {
    _mapping: Mapping,
    producer: *const AtomicU32,
    consumer: *const AtomicU32,
    flags: *const AtomicU32,
    entries: *mut T,
    /// Our own position: entries below it have been produced or consumed.
    position: u32,
}

// SAFETY: the mapping is the ring's own; the other side is the kernel.
unsafe impl<T> Send for Ring<T> {}

impl<T: Copy> Ring<T> {
    fn new(fd: &OwnedFd, offsets: &xdp_ring_offset, page: i64) -> io::Result<Self> {
        let length = offsets.desc as usize + CHUNKS as usize * size_of::<T>();
        let flags = libc::MAP_SHARED | libc::MAP_POPULATE;
        let mapping = Mapping::new(length, flags, fd.as_raw_fd(), page)?;
        let base = mapping.memory.as_ptr();
        // SAFETY: the kernel says where in the mapping each part is.
        let (producer, consumer, flags, entries) = unsafe {
            (
                base.add(offsets.producer as usize).cast::<AtomicU32>(),
                base.add(offsets.consumer as usize).cast::<AtomicU32>(),
                base.add(offsets.flags as usize).cast::<AtomicU32>(),
                base.add(offsets.desc as usize).cast::<T>(),
            )
        };
        Ok(Self { _mapping: mapping, producer, consumer, flags, entries, position: 0 })
    }

    /// Entries that the kernel has produced for us.
    pub fn ready(&self) -> u32 {
        // SAFETY: the pointer is into the mapping.
        unsafe { (*self.producer).load(Ordering::Acquire) }.wrapping_sub(self.position)
    }

    /// Entry number `ahead` of those that are [`ready`](Self::ready).
    pub fn entry(&self, ahead: u32) -> T {
        let index = self.position.wrapping_add(ahead) % CHUNKS;
        // SAFETY: the index is within the ring.
        unsafe { self.entries.add(index as usize).read() }
    }

    /// Gives entries back to the kernel.
    pub fn consume(&mut self, count: u32) {
        self.position = self.position.wrapping_add(count);
        // SAFETY: the pointer is into the mapping.
        unsafe { (*self.consumer).store(self.position, Ordering::Release) };
    }

    /// Writes an entry that [`submit`](Self::submit) hands over. There are no more chunks
    /// than entries, so there is room.
    pub fn put(&mut self, entry: T) {
        let index = self.position % CHUNKS;
        // SAFETY: the index is within the ring, and the kernel has consumed what was there.
        unsafe { self.entries.add(index as usize).write(entry) };
        self.position = self.position.wrapping_add(1);
    }

    /// Hands over what was put.
    pub fn submit(&mut self) {
        // SAFETY: the pointer is into the mapping.
        unsafe { (*self.producer).store(self.position, Ordering::Release) };
    }

    /// Whether the kernel wants to be called to go on.
    pub fn needs_wakeup(&self) -> bool {
        // SAFETY: the pointer is into the mapping.
        unsafe { (*self.flags).load(Ordering::Relaxed) & libc::XDP_RING_NEED_WAKEUP != 0 }
    }
}

/// The socket and the memory, which both directions share.
pub(super) struct Socket {
    pub fd: OwnedFd,
    pub memory: Mapping,
}

// SAFETY: each chunk has one user at a time: the kernel, the receiver or the transmitter.
unsafe impl Send for Socket {}
// SAFETY: as above.
unsafe impl Sync for Socket {}

/// The rings of a new socket.
pub(super) struct Rings {
    pub fill: Ring<u64>,
    pub receive: Ring<xdp_desc>,
    pub send: Ring<xdp_desc>,
    pub completion: Ring<u64>,
}

/// Opens a socket on a queue of an interface. `flags`: `XDP_COPY` or `XDP_ZEROCOPY`.
pub(super) fn open(interface: c_int, queue: u32, flags: u16) -> io::Result<(Socket, Rings)> {
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: plain system call; the result is a fresh descriptor that we own.
    let fd = unsafe {
        let fd = libc::socket(libc::AF_XDP, kind, 0);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd)
    };
    let length = 2 * CHUNKS as usize * CHUNK;
    let memory = Mapping::new(length, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)?;
    // SAFETY: zeros are a value of the type.
    let mut region: libc::xdp_umem_reg = unsafe { std::mem::zeroed() };
    region.addr = memory.memory.as_ptr() as u64;
    region.len = length as u64;
    region.chunk_size = CHUNK as u32;
    set_option(&fd, libc::SOL_XDP, libc::XDP_UMEM_REG, &region)?;
    for ring in [
        libc::XDP_UMEM_FILL_RING,
        libc::XDP_UMEM_COMPLETION_RING,
        libc::XDP_RX_RING,
        libc::XDP_TX_RING,
    ] {
        set_option(&fd, libc::SOL_XDP, ring, &CHUNKS)?;
    }
    let offsets = get_option::<libc::xdp_mmap_offsets>(&fd, libc::SOL_XDP, libc::XDP_MMAP_OFFSETS)?;
    let rings = Rings {
        fill: Ring::new(&fd, &offsets.fr, libc::XDP_UMEM_PGOFF_FILL_RING as i64)?,
        receive: Ring::new(&fd, &offsets.rx, libc::XDP_PGOFF_RX_RING)?,
        send: Ring::new(&fd, &offsets.tx, libc::XDP_PGOFF_TX_RING)?,
        completion: Ring::new(&fd, &offsets.cr, libc::XDP_UMEM_PGOFF_COMPLETION_RING as i64)?,
    };
    let address = sockaddr_xdp {
        sxdp_family: libc::AF_XDP as u16,
        sxdp_flags: flags | libc::XDP_USE_NEED_WAKEUP,
        sxdp_ifindex: interface as u32,
        sxdp_queue_id: queue,
        sxdp_shared_umem_fd: 0,
    };
    let length = size_of::<sockaddr_xdp>() as socklen_t;
    // SAFETY: pointer and length describe the address.
    let result = unsafe { libc::bind(fd.as_raw_fd(), ptr::from_ref(&address).cast(), length) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((Socket { fd, memory }, rings))
}

impl Socket {
    /// A frame in the shared memory.
    ///
    /// # Safety
    /// The chunk must be the caller's, by what the rings say, as long as the slice lives.
    #[allow(clippy::mut_from_ref)] // many chunks of one memory are in use at a time
    pub unsafe fn frame(&self, address: u64, length: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(address).ok()?;
        if start.checked_add(length)? > self.memory.length {
            return None;
        }
        // SAFETY: within the mapping; nobody else uses it, says the caller.
        Some(unsafe {
            std::slice::from_raw_parts_mut(self.memory.memory.as_ptr().add(start), length)
        })
    }

    /// Has the kernel look at the send ring. `WouldBlock`: call again.
    pub fn kick_send(&self) -> io::Result<()> {
        // SAFETY: an empty message.
        let result = unsafe {
            libc::sendto(self.fd.as_raw_fd(), ptr::null(), 0, libc::MSG_DONTWAIT, ptr::null(), 0)
        };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Has the kernel look at the fill ring.
    pub fn kick_receive(&self) {
        let nothing: *mut c_void = ptr::null_mut();
        // SAFETY: an empty message. What goes wrong shows when nothing comes in.
        unsafe {
            let fd = self.fd.as_raw_fd();
            libc::recvfrom(fd, nothing, 0, libc::MSG_DONTWAIT, ptr::null_mut(), ptr::null_mut())
        };
    }
}

//! A receive ring shared with the kernel (PACKET_RX_RING, TPACKET_V2).
//!
//! Version 2 hands every frame over at once. Version 3 collects them in blocks,
//! which it hands over when full or after a millisecond at the earliest: too long
//! for a switch. Slots take an ordinary frame; the kernel queues longer ones on the
//! socket as well (PACKET_COPY_THRESH), where they are fetched one by one, so that
//! 64 KiB frames need no 64 KiB slots.

use super::socket::set_option;
use super::vnet::{HEADER_LENGTH, Offload};
use crate::time::UtcTime;
use libc::{c_int, tpacket_req, tpacket2_hdr};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes in a slot: room for a frame of 1500 bytes of payload, its headers and ours.
const SLOT: usize = 2048;
/// Bytes the kernel allocates at a time.
const BLOCK: usize = 64 * 1024;
/// Blocks asked for: 2048 slots, 4 MiB. Halved while memory does not suffice.
const BLOCKS: usize = 64;

/// The mapped ring and the slot to look at next.
pub(super) struct Ring {
    memory: NonNull<u8>,
    slots: usize,
    next: usize,
}

/// One frame in the ring.
pub(super) struct Slot<'a> {
    /// The virtio-net header's place, and behind it ([`HEADER_LENGTH`]) the frame's
    /// bytes: fewer than `length` when the slot was too small. Free to be written to.
    pub memory: &'a mut [u8],
    /// The frame's length.
    pub length: usize,
    /// Whether the whole frame waits on the socket.
    pub queued: bool,
    pub offload: Offload,
    pub time: UtcTime,
}

impl Slot<'_> {
    /// Whether all of the frame is here.
    pub fn is_whole(&self) -> bool {
        self.memory.len() - HEADER_LENGTH >= self.length
    }
}

impl Ring {
    /// Sets up a ring on an unbound packet socket with PACKET_VNET_HDR on.
    pub fn new(fd: &OwnedFd) -> io::Result<Self> {
        set_option(fd, libc::SOL_PACKET, libc::PACKET_VERSION, &(TPACKET_V2 as c_int))?;
        set_option(fd, libc::SOL_PACKET, libc::PACKET_COPY_THRESH, &1)?;
        let mut blocks = BLOCKS;
        loop {
            let request = tpacket_req {
                tp_block_size: BLOCK as u32,
                tp_block_nr: blocks as u32,
                tp_frame_size: SLOT as u32,
                tp_frame_nr: (blocks * BLOCK / SLOT) as u32,
            };
            match set_option(fd, libc::SOL_PACKET, libc::PACKET_RX_RING, &request) {
                Ok(()) => break,
                Err(e) if e.raw_os_error() == Some(libc::ENOMEM) && blocks > 1 => blocks /= 2,
                Err(e) => return Err(e),
            }
        }
        let length = blocks * BLOCK;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping of the ring, at an address of the kernel's choice.
        let memory = unsafe {
            libc::mmap(ptr::null_mut(), length, access, libc::MAP_SHARED, fd.as_raw_fd(), 0)
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory, slots: length / SLOT, next: 0 })
    }

    /// The slot `ahead` places from the one to look at next.
    fn slot(&self, ahead: usize) -> *mut u8 {
        let index = (self.next + ahead) % self.slots;
        // SAFETY: `index` is below `slots`, so this stays inside the mapping.
        unsafe { self.memory.as_ptr().add(index * SLOT) }
    }

    fn status(&self, ahead: usize) -> &AtomicU32 {
        // SAFETY: the status is the first field of the slot's header, aligned to
        // 2048 bytes; kernel and program both access it as one word.
        unsafe { AtomicU32::from_ptr(self.slot(ahead).cast()) }
    }

    /// Looks at the slots that the kernel has handed over, `limit` at most. `None` in
    /// place of a slot that makes no sense. [`release`](Self::release) must follow, with
    /// the number of slots that were looked at.
    pub fn take(&mut self, limit: usize) -> impl Iterator<Item = Option<Slot<'_>>> {
        let (ring, limit) = (&*self, limit.min(self.slots));
        (0..limit).map_while(move |ahead| {
            let status = ring.status(ahead).load(Ordering::Acquire);
            if status & libc::TP_STATUS_USER == 0 {
                return None;
            }
            // SAFETY: while the status says "user" the kernel leaves the slot alone. The
            // iterator holds the ring exclusively and comes by each slot once.
            let bytes = unsafe { std::slice::from_raw_parts_mut(ring.slot(ahead), SLOT) };
            Some(parse(bytes, status))
        })
    }

    /// Gives the slots that were looked at back to the kernel.
    pub fn release(&mut self, count: usize) {
        for ahead in 0..count {
            self.status(ahead).store(libc::TP_STATUS_KERNEL, Ordering::Release);
        }
        self.next = (self.next + count) % self.slots;
    }
}

/// Reads the header of a slot.
fn parse(bytes: &mut [u8], status: u32) -> Option<Slot<'_>> {
    // SAFETY: the kernel wrote a header at the start of the slot, which is larger.
    let header = unsafe { ptr::read(bytes.as_ptr().cast::<tpacket2_hdr>()) };
    let at = usize::from(header.tp_mac);
    let start = at.checked_sub(HEADER_LENGTH)?;
    let memory = bytes.get_mut(start..at + header.tp_snaplen as usize)?;
    let mut offload = memory.first_chunk().map(Offload::parse)?;
    if status & libc::TP_STATUS_VLAN_VALID != 0 {
        let protocol = if status & libc::TP_STATUS_VLAN_TPID_VALID != 0 {
            header.tp_vlan_tpid
        } else {
            ww_packet::protocol::ethertype::VLAN
        };
        offload.vlan = Some((protocol, header.tp_vlan_tci));
    }
    Some(Slot {
        memory,
        length: header.tp_len as usize,
        queued: status & libc::TP_STATUS_COPY != 0,
        offload,
        time: UtcTime::from_seconds(i64::from(header.tp_sec), header.tp_nsec),
    })
}

// SAFETY: the mapping belongs to the ring alone and may be used from any one thread.
unsafe impl Send for Ring {}

const TPACKET_V2: libc::tpacket_versions = libc::tpacket_versions::TPACKET_V2;

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this length.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.slots * SLOT) };
    }
}

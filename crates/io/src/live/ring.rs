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
    /// The bytes, fewer than `length` when the slot was too small.
    pub data: &'a [u8],
    /// The frame's length.
    pub length: usize,
    /// Whether the whole frame waits on the socket.
    pub queued: bool,
    pub offload: Offload,
    pub time: UtcTime,
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

    fn slot(&self) -> *mut u8 {
        // SAFETY: `next` is below `slots`, so this stays inside the mapping.
        unsafe { self.memory.as_ptr().add(self.next * SLOT) }
    }

    fn status(&self) -> &AtomicU32 {
        // SAFETY: the status is the first field of the slot's header, aligned to
        // 2048 bytes; kernel and program both access it as one word.
        unsafe { AtomicU32::from_ptr(self.slot().cast()) }
    }

    /// The next frame, if the kernel has handed one over. The inner `None` is a
    /// slot that makes no sense. [`release`](Self::release) must follow.
    pub fn peek(&mut self) -> Option<Option<Slot<'_>>> {
        let status = self.status().load(Ordering::Acquire);
        if status & libc::TP_STATUS_USER == 0 {
            return None;
        }
        // SAFETY: while the status says "user" the kernel leaves the slot alone,
        // and `&mut self` keeps `release` away while the slice lives.
        let bytes = unsafe { std::slice::from_raw_parts(self.slot(), SLOT) };
        // SAFETY: the kernel wrote a header at the start of the slot.
        let header = unsafe { ptr::read(self.slot().cast::<tpacket2_hdr>()) };
        let at = usize::from(header.tp_mac);
        let vnet = at.checked_sub(HEADER_LENGTH).and_then(|start| bytes.get(start..at));
        let data = bytes.get(at..at + header.tp_snaplen as usize);
        let (Some(vnet), Some(data)) = (vnet, data) else { return Some(None) };
        let mut offload = Offload::default();
        if let Ok(vnet) = vnet.try_into() {
            offload = Offload::parse(vnet);
        }
        if status & libc::TP_STATUS_VLAN_VALID != 0 {
            let protocol = if status & libc::TP_STATUS_VLAN_TPID_VALID != 0 {
                header.tp_vlan_tpid
            } else {
                ww_packet::protocol::ethertype::VLAN
            };
            offload.vlan = Some((protocol, header.tp_vlan_tci));
        }
        Some(Some(Slot {
            data,
            length: header.tp_len as usize,
            queued: status & libc::TP_STATUS_COPY != 0,
            offload,
            time: UtcTime::from_seconds(i64::from(header.tp_sec), header.tp_nsec),
        }))
    }

    /// Gives the slot that was looked at back to the kernel.
    pub fn release(&mut self) {
        self.status().store(libc::TP_STATUS_KERNEL, Ordering::Release);
        self.next = (self.next + 1) % self.slots;
    }
}

const TPACKET_V2: libc::tpacket_versions = libc::tpacket_versions::TPACKET_V2;

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this length.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.slots * SLOT) };
    }
}

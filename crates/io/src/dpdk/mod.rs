//! DPDK devices as ports (feature `dpdk`).
//!
//! Each worker polls a queue of its own if the device spreads flows over queues (RSS).
//! If it does not, the first worker polls and hands the others their flows through
//! rings. Frames are worked on where the device put them; what leaves is copied.

mod ffi;
mod start;

pub(crate) use start::start;

use crate::flow;
use crate::live::{BATCH, Deliver, Opened, Receiver, Transmitter, empty_batch};
use crate::world::PortCounters;
use ffi::{Mbuf, Ring};
use std::ffi::{CStr, CString, c_int};
use std::os::fd::RawFd;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ww_dataplane::{Picoseconds, PortId};

/// How long an idle worker may leave a device alone. There is nothing to wait on.
const PATIENCE: Duration = Duration::from_micros(100);

/// How often a full send queue is tried again.
const TRIES: u32 = 100;

/// What DPDK calls an error.
fn reason(error: c_int) -> String {
    // SAFETY: DPDK returns a text that lives as long as the thread does not ask again.
    unsafe { CStr::from_ptr(ffi::ww_dpdk_error(error)) }.to_string_lossy().to_lowercase()
}

/// A running device, closed when dropped.
pub(crate) struct Device {
    raw: ffi::Device,
    /// To the workers but the first, if the device does not spread flows itself.
    rings: Vec<*mut Ring>,
    /// One for each send queue, which workers share if there are too few.
    senders: Vec<Mutex<()>>,
}

// SAFETY: DPDK's functions may be called from any thread. Every receive queue and both ends
// of every ring have one thread each; send queues are locked.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// Opens a device in DPDK's words for so many workers.
    pub fn open(arguments: &str, workers: usize) -> Result<Self, String> {
        let name = arguments.split(',').next().unwrap_or(arguments);
        let text = |text: &str| CString::new(text).map_err(|_| "contains a zero".to_owned());
        let (arguments, name) = (text(arguments)?, text(name)?);
        let workers = u16::try_from(workers).map_err(|_| "too many workers".to_owned())?;
        let mut raw =
            ffi::Device { port: 0, rx_queues: 0, tx_queues: 0, hashed: 0, pool: ptr::null_mut() };
        let mut step = c"opening".as_ptr();
        // SAFETY: the texts end in zeros, and the results go to memory of ours.
        let result = unsafe {
            ffi::ww_dpdk_open(arguments.as_ptr(), name.as_ptr(), workers, &mut raw, &mut step)
        };
        if result != 0 {
            // SAFETY: the step is a constant text.
            let step = unsafe { CStr::from_ptr(step) }.to_string_lossy();
            return Err(format!("DPDK: {step}: {}", reason(result)));
        }
        let senders = (0..raw.tx_queues).map(|_| Mutex::default()).collect();
        let mut device = Self { raw, rings: Vec::new(), senders };
        if workers > 1 && device.raw.hashed == 0 {
            for worker in 1..workers {
                // SAFETY: the device is open.
                let ring = unsafe { ffi::ww_dpdk_ring(&device.raw, worker) };
                if ring.is_null() {
                    return Err("DPDK: no memory for rings between the workers".into());
                }
                device.rings.push(ring);
            }
        }
        Ok(device)
    }

    /// One worker's part of the device.
    pub fn attach(
        self: &Arc<Self>,
        port: PortId,
        worker: usize,
        counters: Arc<PortCounters>,
    ) -> Opened {
        let ring = worker.checked_sub(1).and_then(|n| self.rings.get(n).copied());
        let receiver = DpdkReceiver {
            device: Arc::clone(self),
            ring,
            worker,
            port,
            registered: false,
            missed: 0,
            counters: Arc::clone(&counters),
        };
        let transmitter = DpdkTransmitter {
            device: Arc::clone(self),
            queue: worker % self.senders.len(),
            mbufs: Vec::with_capacity(BATCH),
            counters,
        };
        Opened { receiver: Box::new(receiver), transmitter: Box::new(transmitter) }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: nobody uses the device any more.
        unsafe {
            self.rings.iter().for_each(|ring| ffi::ww_dpdk_ring_free(*ring));
            ffi::ww_dpdk_close(&mut self.raw);
        }
    }
}

/// Where frames of a device come from.
struct DpdkReceiver {
    device: Arc<Device>,
    /// The ring to this worker, if another one polls the device.
    ring: Option<*mut Ring>,
    worker: usize,
    port: PortId,
    /// Whether DPDK knows the thread.
    registered: bool,
    /// Frames that the device dropped, as counted so far.
    missed: u64,
    counters: Arc<PortCounters>,
}

// SAFETY: the ring belongs to the device, which the receiver holds on to.
unsafe impl Send for DpdkReceiver {}

impl Receiver for DpdkReceiver {
    fn descriptor(&self) -> Option<RawFd> {
        None
    }

    fn receive(&mut self, deliver: &mut Deliver<'_>) -> usize {
        if !self.registered {
            self.registered = true;
            // SAFETY: plain call. Without it the thread has no cache of buffers, which is slower.
            unsafe { ffi::ww_dpdk_register_thread() };
        }
        let mut mbufs: [*mut Mbuf; BATCH] = [ptr::null_mut(); BATCH];
        let mut data: [*mut u8; BATCH] = [ptr::null_mut(); BATCH];
        let mut lengths = [0; BATCH];
        let raw = &self.device.raw;
        // SAFETY: the arrays have room for BATCH frames, and the queue is this worker's.
        let taken = unsafe {
            let (mbufs, data) = (mbufs.as_mut_ptr(), data.as_mut_ptr());
            let (lengths, count) = (lengths.as_mut_ptr(), BATCH as u16);
            match self.ring {
                Some(ring) => ffi::ww_dpdk_ring_take(ring, mbufs, data, lengths, count),
                None => {
                    let queue = if raw.hashed == 0 { 0 } else { self.worker as u16 };
                    ffi::ww_dpdk_receive(raw, queue, mbufs, data, lengths, count)
                }
            }
        };
        let taken = usize::from(taken);
        let mut frames = empty_batch(self.port);
        let (mut ready, mut kept) = (0, 0);
        for index in 0..taken {
            let mbuf = mbufs[index];
            mbufs[kept] = mbuf;
            kept += 1;
            if data[index].is_null() {
                self.counters.rx_errors.add(1);
                continue;
            }
            // SAFETY: the frame lies in a buffer that is ours until it is freed below or
            // handed on, after which the slice is not used.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut(data[index], lengths[index] as usize) };
            if self.ring.is_none() && !self.device.rings.is_empty() {
                let worker = flow::worker(bytes, self.device.rings.len() + 1);
                if let Some(ring) = worker.checked_sub(1).map(|n| self.device.rings[n]) {
                    // SAFETY: only this worker puts frames into the rings.
                    if unsafe { ffi::ww_dpdk_ring_put(ring, mbuf) } != 0 {
                        kept -= 1;
                    } else {
                        self.counters.rx_drops.add(1);
                    }
                    continue;
                }
            }
            frames[ready].bytes = bytes;
            ready += 1;
        }
        if ready > 0 {
            self.counters.received(&frames[..ready]);
            deliver(None, &mut frames[..ready]);
        }
        // SAFETY: these buffers are ours and nobody refers to them any more.
        unsafe { ffi::ww_dpdk_free(mbufs.as_mut_ptr(), kept as u16) };
        taken
    }

    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn is_alive(&mut self) -> bool {
        // SAFETY: the device is open.
        unsafe { ffi::ww_dpdk_is_removed(&self.device.raw) == 0 }
    }

    fn count(&mut self) {
        if self.worker == 0 {
            // SAFETY: the device is open.
            let missed = unsafe { ffi::ww_dpdk_missed(&self.device.raw) };
            self.counters.rx_drops.add(missed.saturating_sub(self.missed));
            self.missed = missed;
        }
    }
}

/// Where frames to a device go.
struct DpdkTransmitter {
    device: Arc<Device>,
    queue: usize,
    mbufs: Vec<(*mut Mbuf, usize)>,
    counters: Arc<PortCounters>,
}

// SAFETY: the buffers are the transmitter's own.
unsafe impl Send for DpdkTransmitter {}

impl Transmitter for DpdkTransmitter {
    fn send(&mut self, _: Picoseconds, frame: &[u8]) {
        let raw = &self.device.raw;
        // SAFETY: the device is open.
        if frame.len() > unsafe { ffi::ww_dpdk_longest(raw) } as usize {
            self.counters.tx_errors.add(1);
            return;
        }
        // SAFETY: pointer and length describe the frame, which is copied.
        let mbuf = unsafe { ffi::ww_dpdk_copy(raw, frame.as_ptr(), frame.len() as u32) };
        if mbuf.is_null() {
            self.counters.tx_drops.add(1);
            return;
        }
        self.mbufs.push((mbuf, frame.len()));
        if self.mbufs.len() == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut mbufs = [ptr::null_mut(); BATCH];
        let count = self.mbufs.len();
        for (to, (mbuf, _)) in mbufs.iter_mut().zip(&self.mbufs) {
            *to = *mbuf;
        }
        let mut sent = 0;
        {
            let lock = &self.device.senders[self.queue];
            let _guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
            for _ in 0..TRIES {
                if sent == count {
                    break;
                }
                // SAFETY: the buffers from `sent` on are ours; the device takes those it sends.
                sent += usize::from(unsafe {
                    let rest = mbufs[sent..].as_mut_ptr();
                    ffi::ww_dpdk_send(
                        &self.device.raw,
                        self.queue as u16,
                        rest,
                        (count - sent) as u16,
                    )
                });
            }
        }
        if sent < count {
            // SAFETY: the device did not take these.
            unsafe { ffi::ww_dpdk_free(mbufs[sent..].as_mut_ptr(), (count - sent) as u16) };
            self.counters.tx_drops.add((count - sent) as u64);
        }
        let bytes = self.mbufs[..sent].iter().map(|(_, length)| *length as u64).sum();
        self.counters.sent(sent as u64, bytes);
        self.mbufs.clear();
    }
}

impl Drop for DpdkTransmitter {
    fn drop(&mut self) {
        self.flush();
    }
}

//! A path of switches behind an address of this host's loopback, which loses packets: it executes what comes to UDP
//! port 0x6666 there, and answers as a host does.

use std::net::{Ipv4Addr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use ww_tpp::execute::{Settings, execute};
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::packet::Tpp;
use ww_tpp::switch_memory::PlainMemory;

/// See the module. It ends when dropped.
pub struct Network {
    /// Where its host is.
    pub address: Ipv4Addr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<PlainMemory>>>,
}

/// An address of the loopback for this test of this process alone.
pub fn address() -> Ipv4Addr {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    let process = std::process::id().to_be_bytes();
    Ipv4Addr::new(127, 128 | process[2], process[3], NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Network {
    /// A path of these switches, which loses this share of packets each way.
    pub fn new(mut switches: Vec<PlainMemory>, loss: f64, seed: u64) -> Self {
        let address = address();
        let socket = UdpSocket::bind((address, TPP_NUMBER)).expect("the port is free");
        socket.set_read_timeout(Some(Duration::from_millis(20))).expect("set");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let (mut bytes, mut draws) = ([0; 2048], fastrand::Rng::with_seed(seed));
            while !stopped.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut bytes) else { continue };
                if draws.f64() < loss {
                    continue;
                }
                let mut tpp = Tpp::new(&mut bytes[..length]).expect("a good TPP");
                for memory in &mut switches {
                    execute(&mut tpp, memory, &Settings::default());
                }
                tpp.mark_done();
                if draws.f64() >= loss {
                    socket.send_to(&bytes[..length], from).expect("sent");
                }
            }
            switches
        });
        Self { address, stop, thread: Some(thread) }
    }

    /// The switches as they are at the end.
    pub fn end(mut self) -> Vec<PlainMemory> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().expect("it runs").join().expect("it ends well")
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A switch with what programs of these tests read.
pub fn switch(id: u32) -> PlainMemory {
    let memory = PlainMemory::new().with("Switch:SwitchID", id).with("Link:AppSpecific_0", 0);
    ["PacketMetadata:InputPort", "PacketMetadata:OutputPort", "Queue:QueueOccupancy"]
        .iter()
        .zip([10, 20, 1000])
        .fold(memory, |memory, (name, base)| memory.with(name, base + id))
}

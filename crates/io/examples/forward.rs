//! Measures the ports alone, with a dataplane that only forwards between ports 0 and 1.
//!
//! - `forward run SECONDS WORKERS 0=SPEC 1=SPEC` forwards and prints packets a second and
//!   CPU time a packet.
//! - `forward bare SECONDS A B` is the yardstick: a loop of recvmmsg and sendmmsg on two
//!   packet sockets, from interface A to B, with nothing else in it.
//! - `forward send SECONDS A` sends frames of 60 bytes as fast as it can.
//! - `forward capture FILE` writes 64K UDP flows of 64 bytes, for memory ports.

use std::ffi::CString;
use std::io;
use std::time::{Duration, Instant};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_io::capture::CaptureWriter;
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::time::UtcTime;
use ww_io::world::OwnedDataplane;
use ww_io::world::live::{Options, Pinning, World};

/// Frames in one call of the bare loop and of the sender.
const BATCH: usize = 64;

struct Forward;

impl Dataplane for Forward {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {}

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        for frame in frames {
            sink.transmit(frame.port ^ 1, now, frame.bytes);
        }
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

fn cpu_seconds() -> f64 {
    // SAFETY: zeros are a value, and the kernel fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn print(what: &str, packets: u64, seconds: f64, cpu: f64) {
    let (mpps, each) = (packets as f64 / seconds / 1e6, cpu * 1e6 / packets.max(1) as f64);
    println!("{what}: {packets} packets, {mpps:.3} Mpps, {each:.3} us CPU a packet");
}

fn frame(flow: u32) -> [u8; 60] {
    let mut frame = [0; 60];
    frame[..14].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 8, 0]);
    frame[14..24].copy_from_slice(&[0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17]);
    frame[26..30].copy_from_slice(&(0x0a00_0000 | flow).to_be_bytes());
    frame[30..34].copy_from_slice(&[10, 128, 0, 1]);
    frame[34..38].copy_from_slice(&[4, 0, 0, 53]);
    frame
}

fn run(seconds: f64, workers: usize, ports: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let ports = parse_ports(ports)?;
    let stop = Stop::new()?;
    let options = Options {
        workers: workers.try_into()?,
        pinning: Pinning::Any,
        notice: std::sync::Arc::new(|text| eprintln!("note: {text}")),
        ..Options::default()
    };
    let world = World::open(&ports, &options, &stop)?;
    if !ports.iter().all(|port| port.spec.is_finite()) {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(seconds));
            stop.raise();
        });
    }
    let dataplanes = (0..workers).map(|_| Box::new(Forward) as OwnedDataplane).collect();
    let before = cpu_seconds();
    let (report, _) = world.run(dataplanes)?;
    let packets = report.ports.iter().map(|port| port.tx.packets).sum();
    let drops: u64 = report.ports.iter().map(|port| port.rx_drops + port.tx_drops).sum();
    print("forwarded", packets, report.wall_seconds, cpu_seconds() - before);
    println!("dropped: {drops}");
    Ok(())
}

fn socket(name: &str, protocol: u16) -> io::Result<libc::c_int> {
    let name = CString::new(name)?;
    // SAFETY: plain system calls; the address lives through them.
    unsafe {
        let fd = libc::socket(libc::AF_PACKET, libc::SOCK_RAW, 0);
        let mut address: libc::sockaddr_ll = std::mem::zeroed();
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = protocol.to_be();
        address.sll_ifindex = libc::if_nametoindex(name.as_ptr()) as i32;
        let length = size_of::<libc::sockaddr_ll>() as u32;
        if libc::bind(fd, std::ptr::from_ref(&address).cast(), length) < 0 {
            return Err(io::Error::last_os_error());
        }
        let size: libc::c_int = 32 << 20;
        let (level, size) = (libc::SOL_SOCKET, std::ptr::from_ref(&size).cast());
        libc::setsockopt(fd, level, libc::SO_RCVBUFFORCE, size, 4);
        libc::setsockopt(fd, level, libc::SO_SNDBUFFORCE, size, 4);
        Ok(fd)
    }
}

/// Buffers of a batch with the headers that point to them.
struct Batch {
    bytes: Vec<[u8; 2048]>,
    vectors: Vec<libc::iovec>,
    headers: Vec<libc::mmsghdr>,
}

impl Batch {
    fn new() -> Self {
        let mut bytes = vec![[0; 2048]; BATCH];
        let vector = |bytes: &mut [u8; 2048]| libc::iovec {
            iov_base: bytes.as_mut_ptr().cast(),
            iov_len: 2048,
        };
        let mut vectors: Vec<_> = bytes.iter_mut().map(vector).collect();
        let header = |vector: &mut libc::iovec| {
            // SAFETY: a header of zeros is valid.
            let mut header: libc::mmsghdr = unsafe { std::mem::zeroed() };
            header.msg_hdr.msg_iov = vector;
            header.msg_hdr.msg_iovlen = 1;
            header
        };
        let headers = vectors.iter_mut().map(header).collect();
        Self { bytes, vectors, headers }
    }
}

fn bare(seconds: f64, from: &str, to: &str) -> io::Result<()> {
    let (from, to) = (socket(from, libc::ETH_P_ALL as u16)?, socket(to, 0)?);
    let mut batch = Batch::new();
    let (began, before, mut packets) = (Instant::now(), cpu_seconds(), 0);
    while began.elapsed().as_secs_f64() < seconds {
        // SAFETY: the headers point to buffers of the batch.
        let received = unsafe {
            let mut wait = libc::pollfd { fd: from, events: libc::POLLIN, revents: 0 };
            libc::poll(&mut wait, 1, 100);
            batch.vectors.iter_mut().for_each(|vector| vector.iov_len = 2048);
            let (headers, flags) = (batch.headers.as_mut_ptr(), libc::MSG_DONTWAIT);
            libc::recvmmsg(from, headers, BATCH as u32, flags as _, std::ptr::null_mut())
        };
        for n in 0..received.max(0) as usize {
            batch.vectors[n].iov_len = batch.headers[n].msg_len as usize;
        }
        if received > 0 {
            // SAFETY: as above.
            let sent =
                unsafe { libc::sendmmsg(to, batch.headers.as_mut_ptr(), received as u32, 0) };
            packets += sent.max(0) as u64;
        }
    }
    print("bare loop", packets, began.elapsed().as_secs_f64(), cpu_seconds() - before);
    Ok(())
}

fn send(seconds: f64, to: &str) -> io::Result<()> {
    let to = socket(to, 0)?;
    let mut batch = Batch::new();
    for (flow, (bytes, vector)) in batch.bytes.iter_mut().zip(&mut batch.vectors).enumerate() {
        bytes[..60].copy_from_slice(&frame(flow as u32));
        vector.iov_len = 60;
    }
    let (began, before, mut packets) = (Instant::now(), cpu_seconds(), 0);
    while began.elapsed().as_secs_f64() < seconds {
        // SAFETY: the headers point to frames of the batch.
        let sent = unsafe { libc::sendmmsg(to, batch.headers.as_mut_ptr(), BATCH as u32, 0) };
        packets += sent.max(0) as u64;
    }
    print("sent", packets, began.elapsed().as_secs_f64(), cpu_seconds() - before);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["run", seconds, workers, ..] => run(seconds.parse()?, workers.parse()?, &arguments[3..])?,
        ["bare", seconds, from, to] => bare(seconds.parse()?, from, to)?,
        ["send", seconds, to] => send(seconds.parse()?, to)?,
        ["capture", file] => {
            let mut writer = CaptureWriter::create(file.as_ref(), &[])?;
            for flow in 0..1 << 16 {
                writer.write(0, UtcTime::from_seconds(1, flow), &frame(flow))?;
            }
            writer.finish()?;
        }
        _ => return Err("run, bare, send or capture; see the top of the file".into()),
    }
    Ok(())
}

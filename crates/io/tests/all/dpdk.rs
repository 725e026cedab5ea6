//! DPDK devices without hardware: net_null makes frames of zeros and swallows what it
//! gets, net_pcap reads and writes captures.
#![cfg(feature = "dpdk")]

use std::path::PathBuf;
use std::time::{Duration, Instant};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_io::capture::{CaptureReader, CaptureWriter};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::time::UtcTime;
use ww_io::world::live::{Options, World};
use ww_io::world::{OwnedDataplane, PortReport, RunReport};

/// Joins ports 0 and 1, and changes the last byte of each frame in place.
struct Wire;

impl Dataplane for Wire {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {
        panic!("the world gives batches");
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        for Frame { port, bytes } in frames {
            *bytes.last_mut().unwrap() ^= 0xff;
            sink.transmit(1 - *port, now, bytes);
        }
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

/// Runs until the ports' counters satisfy `done`.
fn run(ports: &[&str], workers: usize, done: impl Fn(&[PortReport]) -> bool + Send) -> RunReport {
    let ports = parse_ports(ports).unwrap();
    let options = Options { workers: workers.try_into().unwrap(), ..Options::default() };
    let world = World::open(&ports, &options, &Stop::new().unwrap()).unwrap();
    let handle = world.handle();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let deadline = Instant::now() + Duration::from_secs(30);
            while !done(&handle.port_counters()) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(10));
            }
            handle.stop();
            assert!(Instant::now() < deadline, "waited in vain");
        });
        let dataplanes = (0..workers).map(|_| Box::new(Wire) as OwnedDataplane).collect();
        let report = world.run(dataplanes).unwrap().0;
        watch.join().unwrap();
        report
    })
}

/// One test, because DPDK is started once in a process and its devices are known by name.
#[test]
fn devices() {
    for workers in [1, 2] {
        let (a, b) = (format!("0=dpdk:net_null{workers}0"), format!("1=dpdk:net_null{workers}1"));
        let report = run(&[&a, &b], workers, |ports| ports.iter().all(|p| p.rx.packets > 100_000));
        for (from, to) in [(0, 1), (1, 0)] {
            let (from, to) = (&report.ports[from], &report.ports[to]);
            assert_eq!(from.rx.packets, to.tx.packets + to.tx_drops, "{report:?}");
            assert_eq!(from.rx.bytes, from.rx.packets * 64, "net_null's frames");
        }
    }
    for workers in [1, 2] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (input, output) = (folder.join("dpdk-in.pcap"), folder.join("dpdk-out.pcap"));
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let mut writer = CaptureWriter::create(&input, &[]).unwrap();
        for n in 0..500u16 {
            let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, n as u8, 0x88, 0xb5];
            frame.extend(n.to_be_bytes());
            frame.resize(60 + usize::from(n), 0x5a);
            writer.write(0, UtcTime::from_seconds(1, u32::from(n)), &frame).unwrap();
            *frame.last_mut().unwrap() ^= 0xff;
            frames.push(frame);
        }
        writer.finish().unwrap();
        let _ = std::fs::remove_file(&output);
        let pcap = format!(
            "0=dpdk:net_pcap{workers},rx_pcap={},tx_pcap={}.back",
            input.display(),
            output.display()
        );
        let other = format!("1=dpdk:net_pcap{workers}9,tx_pcap={}", output.display());
        let report = run(&[&pcap, &other], workers, |ports| ports[1].tx.packets == 500);
        assert_eq!(report.ports[0].rx.packets, 500);
        if workers == 2 {
            assert!(report.workers.iter().all(|worker| worker.rx.packets > 50), "{report:?}");
        }
        let mut reader = CaptureReader::open(&output).unwrap();
        let (mut frame, mut found) = (Vec::new(), Vec::new());
        while reader.next_frame(&mut frame).unwrap().is_some() {
            found.push(frame.clone());
        }
        // Two workers keep the order within flows only.
        found.sort_by_key(|frame| frame[14..16].to_vec());
        assert!(found == frames, "with {workers} workers");
    }
    let ports = parse_ports(["0=dpdk:net_nonsense0"]).unwrap();
    let error = World::open(&ports, &Options::default(), &Stop::new().unwrap()).err().unwrap();
    let message = error.to_string();
    assert!(message.starts_with("port 0: interface `net_nonsense0`: DPDK: "), "{message}");
}

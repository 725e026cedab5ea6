//! Several workers on interfaces, and AF_XDP.

use crate::netns::lab::{Hosts, Running, Wire};
use std::collections::HashMap;
use std::net::UdpSocket;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_io::world::{OwnedDataplane, RunReport};

/// Flows, and datagrams in each.
const FLOWS: u16 = 40;
const DATAGRAMS: u32 = 20;

/// By UDP source port: the workers that saw it, with what they saw.
type Seen = Arc<Mutex<HashMap<u16, Vec<(usize, u32)>>>>;

/// Joins ports 0 and 1 and notes the test's datagrams.
struct Noting {
    worker: usize,
    seen: Seen,
}

impl Dataplane for Noting {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {
        panic!("the world gives batches");
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        for Frame { port, bytes } in frames {
            if bytes.len() >= 46 && bytes[12..14] == [8, 0] && bytes[23] == 17 {
                let source = u16::from_be_bytes([bytes[34], bytes[35]]);
                let number = u32::from_be_bytes(bytes[42..46].try_into().unwrap());
                self.seen.lock().unwrap().entry(source).or_default().push((self.worker, number));
            }
            sink.transmit(1 - *port, now, bytes);
        }
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

/// Sends datagrams of many flows from a to b through a world with two workers. Returns its
/// report, what the workers saw, and its notices.
fn two_workers(hosts: &Hosts, ports: [&str; 2]) -> (RunReport, Seen, String) {
    let ports = parse_ports(ports).unwrap();
    let stop = Stop::new().unwrap();
    let seen = Seen::default();
    let said = Arc::new(Mutex::new(String::new()));
    let hear = Arc::clone(&said);
    let options = Options {
        workers: 2.try_into().unwrap(),
        notice: Arc::new(move |text| hear.lock().unwrap().push_str(text)),
        ..Options::default()
    };
    let world = hosts.within("r", || World::open(&ports, &options, &stop).unwrap());
    let dataplanes =
        (0..2).map(|worker| Box::new(Noting { worker, seen: Arc::clone(&seen) }) as OwnedDataplane);
    let dataplanes = dataplanes.collect();
    let report = std::thread::scope(|scope| {
        let run = scope.spawn(|| hosts.within("r", || world.run(dataplanes).unwrap().0));
        hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
        let receiver = hosts.within("b", || UdpSocket::bind("10.9.0.2:7003").unwrap());
        receiver.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let senders: Vec<_> = (0..FLOWS)
            .map(|_| hosts.within("a", || UdpSocket::bind("10.9.0.1:0").unwrap()))
            .collect();
        let mut buffer = [0; 64];
        for number in 0..DATAGRAMS {
            for sender in &senders {
                sender.send_to(&number.to_be_bytes(), "10.9.0.2:7003").unwrap();
            }
            for _ in 0..FLOWS {
                receiver.recv(&mut buffer).expect("every datagram arrives");
            }
        }
        stop.raise();
        run.join().unwrap()
    });
    let said = said.lock().unwrap().clone();
    (report, seen, said)
}

#[test]
fn flows_stay_with_their_worker() {
    let Some(hosts) = Hosts::new() else { return };
    let (report, seen, said) = two_workers(&hosts, ["0=r0", "1=packet:r1"]);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), usize::from(FLOWS));
    for (flow, seen) in &*seen {
        let worker = seen[0].0;
        let expected: Vec<_> = (0..DATAGRAMS).map(|number| (worker, number)).collect();
        assert_eq!(*seen, expected, "flow {flow}: once each, in order, at one worker");
    }
    assert!(report.workers.iter().all(|worker| worker.rx.packets > 0), "{report:?}");
    assert_eq!(
        said,
        "port 0: interface `r0` through AF_PACKET: its driver veth has no AF_XDP without copying, \
         and with it AF_PACKET is faster"
    );
}

/// Whether an XDP program is on an interface of r.
fn has_program(hosts: &Hosts, interface: &str) -> bool {
    hosts.ip_output("r", &format!("link show {interface}")).contains("prog/xdp")
}

#[test]
fn af_xdp_forwards_and_leaves_nothing_behind() {
    let Some(hosts) = Hosts::new() else { return };
    let running = Running::start(&hosts, &["0=xdp:r0", "1=xdp:r1"], Wire::default());
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    hosts.ping_until("b", "10.9.0.1", Duration::from_secs(10));
    assert!(has_program(&hosts, "r0") && has_program(&hosts, "r1"));
    // More frames than there are chunks: they are used again.
    let mut frame = vec![0xff; 6];
    frame.extend([2, 0, 0, 0, 0, 9, 0x88, 0xb5]);
    for length in [60, 1514] {
        frame.resize(length, 0x44);
        hosts.send_raw_times("a", "a0", &frame, 3000);
    }
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    let (report, wire) = running.stop();
    assert_eq!(wire.longest, 1514);
    let ours = wire.frames.iter().filter(|frame| frame[12..14] == [0x88, 0xb5]).count();
    assert!(ours > 500, "{ours} of the first 1000 frames are ours");
    let [r0, r1] = &report.ports[..] else { panic!("{report:?}") };
    assert!(r0.rx.packets > 6000 - r0.rx_drops, "{report:?}");
    assert_eq!(r0.rx.packets, r1.tx.packets + r1.tx_drops, "{report:?}");
    assert_eq!((r0.rx_errors, r1.tx_errors), (0, 0), "{report:?}");
    assert!(!has_program(&hosts, "r0") && !has_program(&hosts, "r1"), "it goes with the run");
}

#[test]
fn af_xdp_with_fewer_queues_than_workers() {
    let Some(hosts) = Hosts::new() else { return };
    // AF_XDP is not told of checksums left to the card.
    hosts.checksums_by_sender();
    let (report, seen, _) = two_workers(&hosts, ["0=xdp:r0", "1=xdp:r1"]);
    assert_eq!(seen.lock().unwrap().len(), usize::from(FLOWS));
    assert_eq!(report.workers[1].rx.packets, 0, "one queue, one worker: {report:?}");
}

#[test]
fn an_interface_in_use_by_xdp_is_refused() {
    let Some(hosts) = Hosts::new() else { return };
    let _running = Running::start(&hosts, &["0=xdp:r0", "1=xdp:r1"], Wire::default());
    let deadline = Instant::now() + Duration::from_secs(10);
    while !has_program(&hosts, "r0") {
        assert!(Instant::now() < deadline, "no program");
    }
    let error = hosts.within("r", || {
        let ports = parse_ports(["0=xdp:r0"]).unwrap();
        World::open(&ports, &Options::default(), &Stop::new().unwrap()).err().unwrap().to_string()
    });
    assert_eq!(
        error,
        "port 0: interface `r0`: another XDP program or AF_XDP socket has the interface"
    );
}

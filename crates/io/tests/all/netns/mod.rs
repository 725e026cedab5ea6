//! Live ports between network namespaces, with the Linux stack at both ends.
//!
//! Needs root, namespaces and iproute2; says so and does nothing otherwise.

mod lab;
mod workers;

use lab::{Hosts, Running, Wire, receive_all, send_all};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;

/// Bytes in the TCP transfers.
const TRANSFER: usize = 12 << 20;

/// A TCP connection from the first host to the second, `TRANSFER` bytes each way,
/// compared byte by byte.
fn tcp_both_ways(hosts: &Hosts, client: &str, server: &str, address: &str) {
    let listener = hosts.within(server, || TcpListener::bind((address, 7001)).unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        receive_all(&mut stream, TRANSFER, 1);
        send_all(&mut stream, TRANSFER, 2);
    });
    let mut stream = hosts.within(client, || TcpStream::connect((address, 7001)).unwrap());
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    send_all(&mut stream, TRANSFER, 1);
    receive_all(&mut stream, TRANSFER, 2);
    server.join().unwrap();
}

#[test]
fn ping_and_tcp_with_default_offloads() {
    let Some(hosts) = Hosts::new() else { return };
    let running = Running::start(&hosts, &["0=r0", "1=r1"], Wire::default());
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    hosts.ping_until("b", "10.9.0.1", Duration::from_secs(10));
    tcp_both_ways(&hosts, "a", "b", "10.9.0.2");
    tcp_both_ways(&hosts, "a", "b", "fd09::2");
    let (report, wire) = running.stop();
    assert_eq!(wire.longest, 1514, "large frames were cut up, full ones kept");
    let [r0, r1] = &report.ports[..] else { panic!("two ports, got {report:?}") };
    assert_eq!((r0.port, r1.port), (0, 1));
    for (one, other) in [(r0, r1), (r1, r0)] {
        assert!(one.rx.bytes > 2 * TRANSFER as u64, "{report:?}");
        assert!(one.rx_segmented > 100, "the offloads were on: {report:?}");
        assert_eq!(one.rx_errors + other.tx_errors, 0, "{report:?}");
        assert_eq!(one.rx.packets, other.tx.packets + other.tx_drops, "{report:?}");
    }
    assert_eq!(report.unattached.packets, 0);
}

#[test]
fn udp_segmentation() {
    let Some(hosts) = Hosts::new() else { return };
    let running = Running::start(&hosts, &["0=r0", "1=r1"], Wire::default());
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    let receiver = hosts.within("b", || UdpSocket::bind("10.9.0.2:7002").unwrap());
    receiver.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let sender = hosts.within("a", || UdpSocket::bind("10.9.0.1:0").unwrap());
    lab::set_udp_segment(&sender, 1000);
    let data: Vec<u8> = (0..30_500u32).map(|i| (i / 7) as u8).collect();
    sender.send_to(&data, "10.9.0.2:7002").unwrap();
    let (mut got, mut sizes) = (Vec::new(), Vec::new());
    let mut buffer = [0; 65536];
    while got.len() < data.len() {
        let length = receiver.recv(&mut buffer).expect("every datagram arrives");
        sizes.push(length);
        got.extend_from_slice(&buffer[..length]);
    }
    assert!(got == data);
    assert_eq!(sizes[..30], [1000; 30]);
    assert_eq!(sizes[30..], [500]);
    let (report, _) = running.stop();
    assert_eq!(report.ports[0].rx_segmented, 1);
}

#[test]
fn vlan_tags_stay() {
    let Some(hosts) = Hosts::new() else { return };
    let running = Running::start(&hosts, &["0=r0", "1=r1"], Wire::default());
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    let mut single = vec![0xff; 6];
    single.extend([2, 0, 0, 0, 0, 9, 0x81, 0x00, 0xa0, 0x65, 0x88, 0xb5]);
    single.resize(1518, 0x11); // the longest tagged frame
    let mut double = vec![0xff; 6];
    double.extend([2, 0, 0, 0, 0, 9, 0x88, 0xa8, 0x00, 0x07, 0x81, 0x00, 0x20, 0x08, 0x88, 0xb5]);
    double.resize(64, 0x22);
    for frame in [&single, &double] {
        hosts.send_raw("a", "a0", frame);
    }
    let seen = running.wait_for(Duration::from_secs(5), |wire| {
        let tagged = wire.frames.iter().filter(|f| matches!(f[12..14], [0x81, 0] | [0x88, 0xa8]));
        let tagged: Vec<_> = tagged.cloned().collect();
        (tagged.len() == 2).then_some(tagged)
    });
    assert_eq!(seen, [single, double]);
    running.stop();
}

#[test]
fn interfaces_come_back() {
    let Some(hosts) = Hosts::new() else { return };
    let running = Running::start(&hosts, &["0=r0", "1=r1"], Wire::default());
    let patience = Duration::from_secs(10);
    hosts.ping_until("a", "10.9.0.2", patience);
    hosts.ip("r", "link set r0 down");
    assert!(!hosts.ping("a", "10.9.0.2"));
    hosts.ip("r", "link set r0 up");
    hosts.ping_until("a", "10.9.0.2", patience);
    hosts.ip("r", "link del r0");
    assert!(!hosts.ping("b", "10.9.0.1"));
    hosts.connect("a", "a0", "r0", 1);
    hosts.ping_until("a", "10.9.0.2", patience);
    let (report, _) = running.stop();
    assert_eq!((report.ports[0].reopened, report.ports[1].reopened), (1, 0));
}

#[test]
fn tap_device_with_offloads() {
    let Some(hosts) = Hosts::new() else { return };
    // Host r talks through its own TAP device: world: tap <-> r1 <-> b.
    let running = Running::start(&hosts, &["0=tap:t0", "1=r1"], Wire::default());
    hosts.ip("r", "addr add 10.9.0.3/24 dev t0");
    hosts.ip("r", "addr add fd09::3/64 dev t0 nodad");
    hosts.ping_until("r", "10.9.0.2", Duration::from_secs(10));
    tcp_both_ways(&hosts, "r", "b", "10.9.0.2");
    tcp_both_ways(&hosts, "r", "b", "fd09::2");
    // Deleted, it is made again.
    hosts.ip("r", "link del t0");
    let deadline = Instant::now() + Duration::from_secs(10);
    while !hosts.try_ip("r", "addr add 10.9.0.3/24 dev t0") {
        assert!(Instant::now() < deadline, "t0 was not made again");
        std::thread::sleep(Duration::from_millis(50));
    }
    hosts.ping_until("r", "10.9.0.2", Duration::from_secs(10));
    let (report, wire) = running.stop();
    assert_eq!(report.ports[0].reopened, 1);
    assert!(report.ports[0].rx_segmented > 100, "the offloads were on: {report:?}");
    assert_eq!(wire.longest, 1514);
    assert!(!hosts.try_ip("r", "link show t0"), "it goes away with the port");
}

#[test]
fn file_port_beside_a_live_one() {
    let Some(hosts) = Hosts::new() else { return };
    let folder = hosts.folder();
    let (input, output) = (folder.join("in.pcap"), folder.join("out.pcapng"));
    let mut writer = ww_io::capture::CaptureWriter::create(&input, &[]).unwrap();
    let mut frame = vec![0xff; 6];
    frame.extend([2, 0, 0, 0, 0, 9, 0x88, 0xb5]);
    frame.resize(60, 0x33);
    for second in [100, 101] {
        let time = ww_io::time::UtcTime::from_seconds(second, 0);
        writer.write(0, time, &frame).unwrap();
    }
    writer.finish().unwrap();
    let file = format!("0={}:{}", input.display(), output.display());
    let running = Running::start(&hosts, &[&file, "1=r1"], Wire::default());
    let began = Instant::now();
    running.wait_for(Duration::from_secs(10), |wire| {
        let count = wire.frames.iter().filter(|f| f[12..14] == [0x88, 0xb5]).count();
        (count == 2).then_some(())
    });
    assert!(began.elapsed() >= Duration::from_millis(900), "one second apart");
    // What b sends on its own (neighbour discovery, this frame) goes to the file.
    hosts.send_raw("b", "b0", &frame);
    running.wait_for(Duration::from_secs(10), |wire| {
        (wire.frames.iter().filter(|f| f[..] == frame[..]).count() == 3).then_some(())
    });
    assert!(!output.exists(), "the output appears at the end");
    let (report, _) = running.stop();
    assert_eq!(report.ports[0].rx.packets, 2);
    let mut reader = ww_io::capture::CaptureReader::open(&output).unwrap();
    let (mut found, mut count) = (Vec::new(), 0);
    let mut matching = 0;
    while reader.next_frame(&mut found).unwrap().is_some() {
        count += 1;
        matching += u32::from(found == frame);
    }
    assert_eq!((count, matching), (report.ports[0].tx.packets, 1));
}

#[test]
fn one_clear_message_each() {
    let Some(hosts) = Hosts::new() else { return };
    let error = |arguments: &'static [&'static str]| {
        hosts.within("r", || {
            let ports = parse_ports(arguments).unwrap();
            let stop = Stop::new().unwrap();
            ww_io::world::run(&ports, &mut Wire::default(), &stop).unwrap_err().to_string()
        })
    };
    assert_eq!(error(&["0=nowhere"]), "port 0: interface `nowhere`: no such interface");
    assert_eq!(error(&["3=tap:r0"]), "port 3: interface `r0`: it exists and is not a TAP device");
    let denied = hosts.within("r", || {
        lab::give_up_privileges();
        let fail = |argument: &str| {
            let stop = Stop::new().unwrap();
            let ports = parse_ports([argument]).unwrap();
            ww_io::world::run(&ports, &mut Wire::default(), &stop).unwrap_err().to_string()
        };
        [fail("0=r0"), fail("0=tap:mine")]
    });
    assert_eq!(
        denied[0],
        "port 0: interface `r0`: not permitted: packet sockets need root or CAP_NET_RAW"
    );
    assert!(
        denied[1].contains("not permitted") || denied[1].contains("permission denied"),
        "{}",
        denied[1]
    );
}

#[test]
fn frames_wait_for_their_time_and_unattached_ports_are_counted() {
    let Some(hosts) = Hosts::new() else { return };
    let delay = Duration::from_millis(50);
    let wire = Wire { delay: delay.as_nanos() as u64 * 1000, ..Wire::default() };
    let running = Running::start(&hosts, &["0=r0", "1=r1"], wire);
    hosts.ping_until("a", "10.9.0.2", Duration::from_secs(10));
    let began = Instant::now();
    assert!(hosts.ping("a", "10.9.0.2"));
    assert!(began.elapsed() >= 2 * delay, "there and back");
    running.stop();
    // With one end missing, everything leaves through port 1, which is nowhere.
    let running = Running::start(&hosts, &["0=r0"], Wire::default());
    assert!(!hosts.ping("a", "10.9.0.2"));
    let (report, _) = running.stop();
    assert!(report.unattached.packets > 0);
    assert_eq!(report.unattached, report.ports[0].rx);
}

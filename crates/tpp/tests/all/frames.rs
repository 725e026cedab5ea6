//! TPPs in frames: finding, executing, inserting, stripping, sending back.

use ww_packet::checksum::pseudo_header_v4;
use ww_packet::{ipv4, udp};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::Settings;
use ww_tpp::frame::{
    CannotInsert, Carriage, Outcome, execute_frame, find, insert, insert_standalone, is_reflective,
    send_back, strip,
};
use ww_tpp::packet::{Malformed, Tpp};
use ww_tpp::switch_memory::PlainMemory;

const SOURCE: [u8; 4] = [10, 0, 0, 1];
const DESTINATION: [u8; 4] = [10, 0, 0, 2];

/// Ethernet, `tags` VLAN tags, IPv4 with `options` words of options, UDP, 8 bytes of data.
fn datagram(ports: (u16, u16), tags: usize, options: usize) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    for tag in 0..tags {
        frame.extend([0x81, 0x00, 0x00, tag as u8]);
    }
    frame.extend([0x08, 0x00]);
    let length = 20 + 4 * options + 8 + 8;
    let mut ip = vec![0x45 + options as u8, 0, 0, length as u8, 0, 1, 0, 0, 64, 17, 0, 0];
    ip.extend(SOURCE);
    ip.extend(DESTINATION);
    ip.resize(20 + 4 * options, 1);
    ipv4::Packet::new(&mut ip).expect("IPv4").fill_checksum();
    frame.extend(ip);
    let repr = udp::Repr { source_port: ports.0, destination_port: ports.1, length: 16 };
    let mut datagram = repr.emit().to_vec();
    datagram.extend(b"payload!");
    let pseudo = pseudo_header_v4(SOURCE.into(), DESTINATION.into(), 17, 16);
    udp::Datagram::new(&mut datagram).expect("UDP").fill_checksum(pseudo);
    frame.extend(datagram);
    frame
}

/// Whether both checksums and both lengths of a datagram that begins at `at` are right.
fn sound(frame: &[u8], at: usize) -> bool {
    let ip = ipv4::Packet::new(&frame[at..]).expect("IPv4");
    let datagram = udp::Datagram::new(ip.payload()).expect("UDP");
    let pseudo = pseudo_header_v4(ip.source(), ip.destination(), 17, datagram.length());
    usize::from(ip.total_length()) == frame.len() - at
        && usize::from(datagram.length()) == ip.payload().len()
        && ip.checksum_valid()
        && datagram.checksum() != 0
        && datagram.checksum_valid(pseudo)
}

fn program(text: &str) -> Vec<u8> {
    assemble(text, &Options::default()).expect("a good program").emit()
}

fn collect() -> Vec<u8> {
    program(
        ".word 16\n.hops 5\nPUSH [Switch:SwitchID]\nPUSH [Switch:VendorID]\nPUSH [Switch:Version]",
    )
}

fn switch(id: u32) -> PlainMemory {
    PlainMemory::new()
        .with("Switch:SwitchID", id)
        .with("Switch:VendorID", 7)
        .with("Switch:Version", 9)
}

fn execute(frame: &mut [u8], id: u32) -> Outcome {
    execute_frame(frame, &mut switch(id), &Settings::default())
}

#[test]
fn check_3_the_inner_packet_leaves_as_it_came() {
    for tags in 0..3 {
        let original = datagram((1000, 2000), tags, 0);
        let mut frame = original.clone();
        insert(&mut frame, &collect()).expect("there is room");
        let at = 14 + 4 * tags;
        assert_eq!(frame.len(), original.len() + 54);
        assert_eq!(frame[at - 2..at], [0x66, 0x66], "the EtherType");
        assert_eq!(frame[at + 10..at + 12], [0x08, 0x00], "what was encapsulated");
        for id in 1..=5 {
            assert!(matches!(execute(&mut frame, id), Outcome::Done(report) if report.executed));
        }
        assert_eq!(frame[at + 54..], original[at..], "bit for bit");
        let bytes = strip(&mut frame).expect("a TPP");
        assert_eq!(frame, original);
        let tpp = Tpp::new(bytes.as_slice()).expect("a TPP");
        assert_eq!((tpp.hop(), tpp.stack_pointer()), (5, 30));
        assert_eq!(tpp.words().step_by(3).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(strip(&mut frame), None);
    }
}

#[test]
fn check_4_standalone_executes_and_its_echo_does_not() {
    for (tags, options) in [(0, 0), (1, 0), (0, 3)] {
        let original = datagram((1000, 0x6666), tags, options);
        let ip = 14 + 4 * tags;
        let mut frame = original.clone();
        insert_standalone(&mut frame, &collect()).expect("there is room");
        assert_eq!(frame.len(), original.len() + 54);
        assert!(sound(&frame, ip), "after insertion");
        assert_eq!(insert_standalone(&mut frame, &collect()), Err(CannotInsert::Already));
        assert!(matches!(execute(&mut frame, 1), Outcome::Done(report) if report.executed));
        assert!(sound(&frame, ip), "UDP's checksum stays right while packet memory changes");
        // The host's echo: the sender's port, from port 0x6666, marked done.
        assert!(send_back(&mut frame));
        assert!(sound(&frame, ip));
        assert_eq!(find(&frame).map(|place| place.carriage), Some(Carriage::Echo));
        assert_eq!(frame[..12], [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2], "MAC addresses");
        assert_eq!(frame[ip + 12..ip + 20], [10, 0, 0, 2, 10, 0, 0, 1], "IP addresses");
        let before = frame.clone();
        assert_eq!(execute(&mut frame, 2), Outcome::NoTpp);
        assert!(!send_back(&mut frame), "an echo has no echo");
        assert_eq!(frame, before);
        let bytes = strip(&mut frame).expect("hosts find it");
        let tpp = Tpp::new(bytes.as_slice()).expect("a TPP");
        assert_eq!((tpp.hop(), tpp.is_done(), tpp.words().next()), (1, true, Some(1)));
        assert!(sound(&frame, ip), "after stripping");
    }
    // From port 0x6666 to port 0x6666: an echo looks like a TPP, but it is done.
    let mut frame = datagram((0x6666, 0x6666), 0, 0);
    insert_standalone(&mut frame, &collect()).expect("there is room");
    assert!(send_back(&mut frame));
    assert!(matches!(execute(&mut frame, 2), Outcome::Done(report) if !report.executed));
}

#[test]
fn a_datagram_without_checksum_keeps_none() {
    let mut frame = datagram((1, 0x6666), 0, 0);
    frame[40..42].fill(0);
    insert_standalone(&mut frame, &collect()).expect("there is room");
    assert_eq!(frame[40..42], [0, 0]);
}

#[test]
fn check_2_six_instructions_are_forwarded_and_counted() {
    let mut frame = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x66, 0x66];
    // Length 36 = 12 + 6 * 4, no memory; the sum of all words is the length and 6 * 0x3000, PUSH
    // Switch:SwitchID: 0x24 + 0x12000 = 0x12024, folded 0x2025, complement 0xdfda.
    frame.extend([0, 36, 0, 0, 0, 0, 0, 0, 0xdf, 0xda, 0, 0]);
    for _ in 0..6 {
        frame.extend([0x30, 0, 0, 0]);
    }
    let before = frame.clone();
    assert_eq!(execute(&mut frame, 1), Outcome::Malformed(Malformed::TooManyInstructions));
    assert_eq!(frame, before);
    assert_eq!(strip(&mut frame), None);
}

#[test]
fn what_is_no_tpp() {
    assert_eq!(find(&datagram((0x6665, 0x6667), 0, 0)), None);
    let mut tcp = datagram((1, 0x6666), 0, 0);
    tcp[23] = 6;
    assert_eq!(find(&tcp), None);
    for flags in [[0x20, 0], [0, 1]] {
        let mut fragment = datagram((1, 0x6666), 0, 0);
        fragment[20..22].copy_from_slice(&flags);
        assert_eq!(find(&fragment), None, "fragments");
    }
    assert_eq!(find(&[]), None);
    // A UDP length beyond the packet ends where the packet does.
    let mut long = datagram((1, 0x6666), 0, 0);
    long[38..40].copy_from_slice(&[0xff, 0xff]);
    assert_eq!(find(&long).expect("a place").bytes, 42..50);
}

#[test]
fn what_cannot_be_inserted() {
    let mut frame = datagram((1, 2), 0, 0);
    let before = frame.clone();
    let wrong = |tpp: &[u8], frame: &mut Vec<u8>| insert(frame, tpp).expect_err("refused");
    assert_eq!(wrong(&[0; 12], &mut frame), CannotInsert::Malformed(Malformed::Length));
    assert_eq!(insert_standalone(&mut frame, &collect()), Err(CannotInsert::NotDatagram));
    let mut length = frame.clone();
    length[12..14].copy_from_slice(&[0, 46]);
    assert_eq!(wrong(&collect(), &mut length), CannotInsert::NotEthernet, "IEEE 802.3 length");
    assert_eq!(wrong(&collect(), &mut vec![0; 13]), CannotInsert::NotEthernet);
    assert_eq!(frame, before);
    insert(&mut frame, &collect()).expect("there is room");
    assert_eq!(wrong(&collect(), &mut frame), CannotInsert::Already);
}

#[test]
fn reflection_of_a_transparent_tpp() {
    let original = datagram((1000, 2000), 1, 0);
    let mut frame = original.clone();
    insert(&mut frame, &program(".reflect\n.hops 1\nPUSH [Switch:SwitchID]")).expect("room");
    assert!(is_reflective(&frame));
    execute(&mut frame, 1);
    assert!(send_back(&mut frame));
    assert!(!is_reflective(&frame), "once is enough");
    strip(&mut frame).expect("a TPP");
    assert_eq!(frame[..12], [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]);
    assert_eq!(frame[30..38], [10, 0, 0, 2, 10, 0, 0, 1]);
    assert!(sound(&frame, 18));
    assert_eq!(frame[38..42], original[38..42], "the ports are the packet's own");
    assert!(!is_reflective(&original));
}

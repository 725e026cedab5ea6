//! What becomes of packets with TPPs.

use super::*;
use ww_dataplane::DropReason;
use ww_tpp::header::flag;
use ww_tpp::switch::ports::PortConfig;

/// Acceptance check 3 of spec 003: five switches; 16-bit words, three values a hop.
#[test]
fn a_frame_over_five_switches_is_whole_behind_them() {
    let program = ".word 16\n.hops 5\nPUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\n\
                   PUSH [Queue:QueueOccupancy]";
    for kind in KINDS {
        let payload: Vec<u8> = (0..200).map(|n| n as u8).collect();
        let original = frame(1, 2, 0x0800, &payload);
        let mut travelling = with_tpp(original.clone(), &tpp(program));
        for switch in 1..=5 {
            let mut engine = bridge(kind, Config::new(switch));
            let out = send(&mut engine, 1, 0, &travelling);
            assert_eq!((out.len(), out[0].port), (1, 2));
            travelling = out[0].frame.clone();
        }
        let (tpp, frame) = taken(travelling);
        assert_eq!(frame, original, "{kind:?}");
        assert_eq!((tpp.hop, tpp.stack_pointer), (5, 30));
        let words: Vec<u32> = tpp.words().collect();
        let hops: Vec<[u32; 3]> =
            words.chunks(3).map(|hop| hop.try_into().expect("three")).collect();
        assert_eq!(hops, [1, 2, 3, 4, 5].map(|switch| [switch, 2, 0]));
    }
}

/// Check 7: M1 and the rewriting of PUSH and POP.
#[test]
fn the_port_that_is_read_is_the_port_that_is_taken() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        ask(&mut engine, 0, ".memory 77\nSTORE [Stage$1:Reg1], [Packet:Word[0]]");
        let words = ask(
            &mut engine,
            0,
            "PUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\n\
             PUSH [Stage$1:Reg1]\nPOP [Stage$3:Reg3]",
        );
        assert_eq!(words[..3], [2, 1, 77], "{kind:?}");
        assert_eq!(ask(&mut engine, 0, "PUSH [Stage$3:Reg3]")[0], 77, "{kind:?}");
    }
}

#[test]
fn a_links_register_is_one_whichever_way_it_is_named() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        ask(&mut engine, 0, ".memory 5\nSTORE [Link:AppSpecific_3], [Packet:Word[0]]");
        let words =
            ask(&mut engine, 0, "PUSH [Link$2:AppSpecific_3]\nPUSH [InputLink:AppSpecific_3]");
        assert_eq!(words[..2], [5, 0]);
    }
}

#[test]
fn a_tpp_changes_its_packets_way() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        for (program, ports) in [
            (".memory 9\nSTORE [PacketMetadata:OutputPort], [Packet:Word[0]]", vec![9]),
            (
                ".memory 0x31\nSTORE [PacketMetadata:OutputPortBitmap], [Packet:Word[0]]",
                vec![0, 4, 5],
            ),
            (".memory 0\nSTORE [PacketMetadata:OutputPortBitmap], [Packet:Word[0]]", vec![]),
            (
                ".memory 2, 6\nCSTORE [PacketMetadata:OutputPort], [Packet:Word[0]], [Packet:Word[1]]",
                vec![6],
            ),
            (
                ".memory 3, 6\nCSTORE [PacketMetadata:OutputPort], [Packet:Word[0]], [Packet:Word[1]]",
                vec![2],
            ),
        ] {
            let sent = with_tpp(frame(1, 2, 0x0800, &[0; 60]), &tpp(program));
            let out = send(&mut engine, 1, 0, &sent);
            let left: Vec<PortId> = out.iter().map(|transmit| transmit.port).collect();
            assert_eq!(left, ports, "{kind:?} {program}");
        }
        assert_eq!(
            engine.statistics().expect("statistics").dropped,
            [(DropReason::Ingress, 1)].into()
        );
    }
}

#[test]
fn each_copy_knows_its_own_port() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let node = engine.multicast_node_create(1, vec![3, 4]).expect("a node");
        engine.multicast_group_create(8).expect("a group");
        engine.multicast_node_associate(8, node).expect("joined");
        add(&mut engine, "I.bridge", KeyMatch::Exact(mac(99).into()), (1, 8));
        let sent =
            with_tpp(frame(1, 99, 0x0800, &[0; 60]), &tpp("PUSH [PacketMetadata:OutputPort]"));
        for (copy, port) in send(&mut engine, 1, 0, &sent).into_iter().zip([3, 4]) {
            let (tpp, _) = taken(copy.frame);
            assert_eq!((copy.port, tpp.words().next()), (port, Some(port)), "{kind:?}");
        }
    }
}

/// Spec 003 section 2.11: the first switch sends it back, done.
#[test]
fn a_reflected_tpp_comes_back() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let sent = with_tpp(frame(1, 2, 0x0800, &[0; 60]), &tpp(".reflect\nPUSH [Switch:ID]"));
        let out = send(&mut engine, 1, 0, &sent);
        assert_eq!((out.len(), out[0].port), (1, 1), "{kind:?}");
        assert_eq!(out[0].frame[..12], frame(2, 1, 0, &[])[..12], "addresses change places");
        let (back, _) = taken(out[0].frame.clone());
        assert_eq!((back.words().next(), back.hop), (Some(7), 1));
        assert_eq!(back.marks & (flag::DONE | flag::REFLECT), flag::DONE | flag::REFLECT);
        let counters = engine.tcpu().expect("a TCPU").counters();
        assert_eq!((counters.executed, counters.reflected, counters.done), (1, 1, 1));
        // Whoever gets it back does not start it again.
        let again = send(&mut engine, 2, 0, &out[0].frame);
        assert_eq!(taken(again[0].frame.clone()).0, back);
    }
}

/// A UDP datagram over IPv4 to a port, from port 1 to port 2 of the bridge.
fn datagram(ports: [u16; 2], data: &[u8]) -> Vec<u8> {
    let length = (8 + data.len()) as u16;
    let header = ww_packet::ipv4::Repr {
        source: [10, 0, 0, 1].into(),
        destination: [10, 0, 0, 2].into(),
        protocol: 17,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: true,
        payload_length: length,
    };
    let mut payload = header.emit().to_vec();
    payload.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
    payload.extend(length.to_be_bytes());
    payload.extend([0, 0]);
    payload.extend(data);
    frame(1, 2, 0x0800, &payload)
}

/// Check 4: what goes to port 0x6666 is executed, what comes from there is not.
#[test]
fn standalone_tpps_and_their_echoes() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let mut sent = datagram([5000, 0x6666], b"rest");
        ww_tpp::frame::insert_standalone(&mut sent, &tpp("PUSH [Switch:ID]")).expect("it fits");
        let out = send(&mut engine, 1, 0, &sent);
        assert_eq!(out[0].frame.len(), sent.len());
        let (executed, rest) = taken(out[0].frame.clone());
        assert_eq!((executed.hop, executed.words().next()), (1, Some(7)), "{kind:?}");
        assert_eq!(rest, datagram([5000, 0x6666], b"rest"));
        let mut echo = out[0].frame.clone();
        assert!(ww_tpp::frame::send_back(&mut echo));
        let out = send(&mut engine, 2, 0, &echo);
        assert_eq!((out[0].port, &out[0].frame), (1, &echo), "{kind:?}");
    }
}

/// Checks 2 and 30: what a switch does with TPPs that it does not want.
#[test]
fn malformed_and_foreign_tpps() {
    for kind in KINDS {
        let mut config = Config::new(7);
        config.ports.insert(3, PortConfig { outside: true, ..config.other_ports });
        let mut engine = bridge(kind, config);
        // Six instructions: header, 6 * 4 bytes, 4 bytes of memory.
        let mut six = vec![0, 12 + 24 + 4, 4, 0x40, 0, 0, 0, 0, 0, 0, 8, 0];
        six.resize(40, 0);
        let checksum = ww_packet::checksum::internet_checksum(&six);
        six[8..10].copy_from_slice(&checksum.to_be_bytes());
        let mut sent = frame(1, 2, 0x6666, &six);
        sent.extend([0xab; 30]);
        let out = send(&mut engine, 1, 0, &sent);
        assert_eq!((out[0].port, &out[0].frame), (2, &sent), "{kind:?}");
        // One that ends behind the frame's end: the program sees it as it is.
        let cut = frame(1, 2, 0x6666, &six[..30]);
        assert_eq!(send(&mut engine, 1, 0, &cut)[0].frame, cut);
        let good = with_tpp(frame(1, 2, 0x0800, &[0; 60]), &tpp("PUSH [Switch:ID]"));
        assert_eq!(send(&mut engine, 3, 0, &good), []);
        assert_eq!(send(&mut engine, 3, 0, &sent), []);
        assert_eq!(send(&mut engine, 3, 0, &frame(1, 2, 0x0800, &[1; 60])).len(), 1);
        assert_eq!(
            engine.statistics().expect("statistics").dropped,
            [(DropReason::Outside, 2)].into()
        );
        let counters = engine.tcpu().expect("a TCPU").counters();
        let counted: Vec<_> = counters.named().filter(|(_, number)| *number > 0).collect();
        let wanted = [("outside", 2), ("truncated", 1), ("too_many_instructions", 1)];
        assert_eq!(counted, wanted, "{kind:?}");
    }
}

/// Check 10: a guard lets one of five switches write.
#[test]
fn a_targeted_tpp_changes_one_switch() {
    let program = ".memory 0xffffffff, 3, 55\nCEXEC [Switch:ID], [Packet:Word[0]], [Packet:Word[1]]\n\
                   STORE [Stage$2:Reg7], [Packet:Word[2]]";
    for kind in KINDS {
        let mut engines = [1, 2, 3, 4, 5].map(|switch| bridge(kind, Config::new(switch)));
        let mut travelling = with_tpp(frame(1, 2, 0x0800, &[0; 60]), &tpp(program));
        for engine in &mut engines {
            travelling = send(engine, 1, 0, &travelling)[0].frame.clone();
        }
        let registers = engines.map(|mut engine| ask(&mut engine, 0, "PUSH [Stage$2:Reg7]")[0]);
        assert_eq!(registers, [0, 0, 55, 0, 0], "{kind:?}");
    }
}

/// Check 12: with writing off all registers stay, and reading goes on.
#[test]
fn nothing_is_written_where_writing_is_off() {
    for kind in KINDS {
        let config = Config { writes_enabled: false, ..Config::new(7) };
        let mut engine = bridge(kind, config);
        ask(
            &mut engine,
            0,
            ".memory 0, 9\nSTORE [Link:AppSpecific_0], [Packet:Word[1]]\n\
             CSTORE [Link:AppSpecific_0], [Packet:Word[0]], [Packet:Word[1]]\nPUSH [Switch:ID]\nPOP [Stage$1:Reg0]",
        );
        assert_eq!(ask(&mut engine, 0, "PUSH [Link:AppSpecific_0]\nPUSH [Switch:ID]")[..2], [0, 7]);
        assert_eq!(engine.tcpu().expect("a TCPU").counters().disabled, 3, "{kind:?}");
    }
}

/// Rows have four words, and behind the last row comes the first, as in `rtl/tpp`.
#[test]
fn a_window_into_a_stages_memory() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let set = |base: u32| {
            format!(
                ".memory {base}, 99\nSTORE [Stage$2:SramBase], [Packet:Word[0]]\nSTORE [Stage$2:Sram_5], [Packet:Word[1]]"
            )
        };
        ask(&mut engine, 0, &set(511));
        // Word 5 from row 511 on is word 1 of row 0; row 1 begins three words behind that.
        let read = "PUSH [Stage$2:Sram_1]\nPUSH [Stage$2:Sram_5]\nPUSH [Stage$1:Sram_1]";
        assert_eq!(ask(&mut engine, 0, read)[..3], [0, 99, 0], "{kind:?}");
        ask(&mut engine, 0, ".memory 512\nSTORE [Stage$2:SramBase], [Packet:Word[0]]");
        assert_eq!(ask(&mut engine, 0, read)[..2], [99, 0], "{kind:?}");
    }
}

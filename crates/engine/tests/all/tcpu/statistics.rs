//! What TPPs read of the switch, against what the test itself has done.

use super::*;
use ww_dataplane::Picoseconds;
use ww_dataplane::traffic::{Arrival, Departure, QueueFull, TrafficManager};
use ww_tpp::switch::ports::PortConfig;

const MS: u64 = 1_000_000_000;

#[test]
fn tables_and_entries() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let kinds = |value: u64, mask: u64| KeyMatch::Ternary {
            value: BigUint::from(value),
            mask: BigUint::from(mask),
        };
        let any = add(&mut engine, "I.queues", kinds(0x8800, 0xff00), (0, 5));
        add(&mut engine, "I.queues", kinds(0x0800, 0xffff), (0, 3));
        let table = engine.schema().table("I.queues").expect("it is there");
        let gone = add(&mut engine, "I.queues", kinds(0x86dd, 0xffff), (0, 2));
        engine.table_delete(table, gone).expect("it was there");
        // Two packets of other kinds; one without an entry in the bridge.
        send(&mut engine, 1, 0, &frame(1, 2, 0x0800, &[0; 86]));
        send(&mut engine, 1, 0, &frame(1, 77, 0x86dd, &[0; 186]));
        // This one: 60 bytes, as tables count what the program sees.
        let words = ask(
            &mut engine,
            0,
            "PUSH [Stage$1:Version]\nPUSH [Stage$1:ReferenceCount]\nPUSH [Stage$1:Lookup-Packets]\n\
             PUSH [Stage$1:Lookup-Bytes]\nPUSH [Stage$1:Match-Packets]",
        );
        assert_eq!(words[..5], [10, 10, 3, 100 + 200 + 60, 2], "{kind:?}");
        let words = ask(
            &mut engine,
            0,
            "PUSH [Stage$2:Version]\nPUSH [Stage$2:ReferenceCount]\nPUSH [FlowEntry$2:EntryID]\n\
             PUSH [FlowEntry$2:Match-Packets]\nPUSH [FlowEntry$2:Match-Bytes]",
        );
        let id = any.0 as u32;
        assert_eq!(words[..5], [4, 2, id, 2, 120], "{kind:?}");
        let words = ask(
            &mut engine,
            0,
            "PUSH [Switch:Version]\nPUSH [PacketMetadata:MatchedEntryID]\nPUSH [FlowEntry$1:EntryID]\n\
             PUSH [PacketMetadata:QueueID]\nPUSH [Stage$3:Version]",
        );
        assert_eq!(words[..4], [14, id, 2, 5], "{kind:?}");
        let counters = engine.tcpu().expect("a TCPU").counters();
        assert_eq!(counters.absent, 1, "there is no third table");
        // A change of an entry keeps it, and its count.
        let data = ActionData { action: 0, arguments: vec![BigUint::from(6u8)] };
        engine.table_modify(table, any, Target::Action(data)).expect("it is there");
        let words = ask(
            &mut engine,
            0,
            "PUSH [FlowEntry$2:EntryID]\nPUSH [FlowEntry$2:Match-Packets]\n\
             PUSH [PacketMetadata:QueueID]\nPUSH [Stage$2:Version]",
        );
        assert_eq!(words[..4], [id, 4, 6, 5], "{kind:?}");
    }
}

#[test]
fn links_meter_what_passes() {
    for kind in KINDS {
        let mut config = Config::new(7);
        config.other_ports.rate = 100_000_000;
        config.ports.insert(2, PortConfig { link_id: 4711, ..config.other_ports });
        let mut engine = bridge(kind, config);
        // 5 frames of 1,000 bytes in the first millisecond, of 12,500 bytes of the line.
        for n in 0..5 {
            send(&mut engine, 1, n * MS / 5, &frame(1, 2, 0x0800, &[0; 986]));
        }
        let program = "PUSH [Link:ID]\nPUSH [Link:TX-Utilization]\nPUSH [Link:TX-PacketRate]\n\
                       PUSH [Link:TX-ByteRate]\nPUSH [InputLink:RX-Bytes]";
        let asked = (60 + 12 + 5 * 4 + 5 * 4) as u32;
        let words = ask(&mut engine, MS + 1, program);
        let utilisation = (5 * 1024 * 0x8000u32) / 12_500;
        assert_eq!(words[..5], [4711, utilisation, 5000, 5_000_000, 5000 + asked], "{kind:?}");
        // The second millisecond had that one; then there is one of silence.
        let words = ask(&mut engine, 2 * MS, program);
        assert_eq!(words[1..4], [(asked + 24) * 0x8000 / 12_500, 1000, asked * 1000]);
        let words = ask(&mut engine, 4 * MS, program);
        assert_eq!(words[1..4], [0, 0, 0], "{kind:?}");
        let clock = ask(&mut engine, 5 * MS + 999, "PUSH [Switch:Clock]\nPUSH [Link:Capacity]");
        assert_eq!(clock[..2], [5_000_000, 100_000]);
    }
}

/// A port that holds packets until a time, with room for so many.
struct Held {
    until: Picoseconds,
    room: usize,
    waiting: std::collections::VecDeque<(u64, PortId)>,
}

impl TrafficManager for Held {
    fn enqueue(&mut self, _: Picoseconds, arrival: Arrival<'_>) -> Result<(), QueueFull> {
        if self.waiting.len() >= self.room {
            return Err(QueueFull);
        }
        self.waiting.push_back((arrival.packet, arrival.port));
        Ok(())
    }

    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure> {
        if now < self.until {
            return None;
        }
        let (packet, port) = self.waiting.pop_front()?;
        Some(Departure {
            packet,
            port,
            enqueued_at: 0,
            dequeued_at: now,
            depth_at_enqueue: 0,
            depth_at_dequeue: 0,
            congestion: false,
        })
    }

    fn next_event(&self) -> Option<Picoseconds> {
        (!self.waiting.is_empty()).then_some(self.until)
    }
}

/// What waits is told with the bytes of the wire, and without the packet that asks.
#[test]
fn queues_hold_what_has_not_left() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let waiting = Default::default();
        engine.set_traffic_manager(Box::new(Held { until: 50, room: 4, waiting }));
        let program = tpp("PUSH [Queue:QueueOccupancy]\nPUSH [Link:Queued-Packets]\n\
                           PUSH [Queue$2$0:Drop-Packets]\nPUSH [Link$3:QueueSize]");
        let asking = with_tpp(frame(1, 2, 0x0800, &[0; 60]), &program);
        let plain = frame(1, 2, 0x0800, &[0; 486]);
        for sent in [&plain, &asking, &plain, &asking, &plain] {
            assert_eq!(send(&mut engine, 1, 10, sent), []);
        }
        let mut out = Vec::new();
        engine.advance(60, &mut out);
        let asked: Vec<Vec<u32>> = out
            .iter()
            .filter(|transmit| transmit.frame.len() == asking.len())
            .map(|transmit| taken(transmit.frame.clone()).0.words().collect())
            .collect();
        let length = asking.len() as u32;
        assert_eq!(asked, [vec![500, 1, 0, 0], vec![500 + length + 500, 3, 0, 0]], "{kind:?}");
        let late = send(&mut engine, 1, 70, &asking);
        let words: Vec<u32> = taken(late[0].frame.clone()).0.words().collect();
        assert_eq!(words, [0, 0, 1, 0], "the fifth packet found no room, and all have left");
    }
}

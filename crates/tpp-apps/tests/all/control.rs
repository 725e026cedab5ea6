//! TPPs through switches: routes that they write, statistics of several vendors, and staged collection.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use ww_host::executor::{Executor, Patience};
use ww_packet::udp_frame::{End, datagram};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::{Settings, execute};
use ww_tpp::frame::insert;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::{Operation, Protection, Rule};
use ww_tpp::switch::routes::{NO_PORT, target};
use ww_tpp::switch::tables::NoTables;
use ww_tpp::switch::{Arrival, Carried, Config, Packet, Tcpu};
use ww_tpp::switch_memory::PlainMemory;
use ww_tpp_apps::paths::{DISCOVER, Hop, Progress, Survey};
use ww_tpp_apps::update::{Change, Outcome, outcomes, program};
use ww_tpp_apps::vendors::{Answer, Devices};

const TO: Ipv4Addr = Ipv4Addr::new(10, 1, 2, 3);

/// A frame to [`TO`].
fn frame() -> Vec<u8> {
    let end = |ip| End { mac: [2; 6], ip, port: 9 };
    datagram(end(Ipv4Addr::new(10, 0, 0, 1)), end(TO), &[0; 100])
}

/// Sends a TPP through switches, in at port 1 and out at port 2, and gives what arrives.
fn send(tpp: &Repr, switches: &mut [Tcpu]) -> Repr {
    let mut frame = frame();
    insert(&mut frame, &tpp.emit()).expect("it fits");
    for switch in switches {
        let (mut carried, length) = (Carried::default(), frame.len() as u32);
        let Arrival::Carries { begin } = switch.arrive(1, 0, &mut frame, &mut carried) else {
            panic!("a TPP");
        };
        let seen = frame.split_off(begin);
        let mut packet = Packet::new(0, (1, &seen, length), (2, 0));
        switch.execute(&mut carried, &mut packet, &NoTables);
        frame.clear();
        carried.put_back(&seen, &mut frame);
    }
    let bytes = ww_tpp::frame::strip(&mut frame).expect("a TPP");
    Repr::parse(&Tpp::new(bytes).expect("a good TPP"))
}

fn routing(id: u32) -> Config {
    Config { routes: Some(2), ..Config::new(id) }
}

/// One TPP changes all switches of the path; one that was made for what is not there any more changes nothing; one that
/// is sent again has been done; a route that is withdrawn leaves the switch's own.
#[test]
fn one_packet_updates_all_switches() {
    let mut switches: Vec<Tcpu> = (1..=4).map(|id| Tcpu::new(routing(id), 0)).collect();
    let (address, mask) = (0x0a01_0000, 0xffff_0000);
    let changes: Vec<Change> =
        (0..4).map(|port| Change { old: 0, address, mask, port: 10 + port }).collect();
    assert!(switches.iter().all(|switch| switch.route(&frame()).is_none()));
    let tpp = program(2, 3, &changes, 1).expect("a TPP");
    assert_eq!(outcomes(&send(&tpp, &mut switches), &changes), [Outcome::Done; 4]);
    let ports = |switches: &[Tcpu]| -> Vec<Option<u32>> {
        switches.iter().map(|switch| switch.route(&frame())).collect()
    };
    assert_eq!(ports(&switches), [10, 11, 12, 13].map(Some));
    // A newer one for two of the switches, then the first one again, late.
    let newer: Vec<Change> = changes
        .iter()
        .map(|change| Change { old: target(1, change.port), port: 20, ..*change })
        .collect();
    let second = program(2, 3, &newer, 1).expect("a TPP");
    assert_eq!(outcomes(&send(&second, &mut switches[..2]), &newer), [Outcome::Done; 2]);
    assert_eq!(outcomes(&send(&second, &mut switches[..2]), &newer), [Outcome::Done; 2], "again");
    let late = outcomes(&send(&tpp, &mut switches), &changes);
    let newest = Outcome::Other(target(2, 20));
    assert_eq!(late, [newest, newest, Outcome::Done, Outcome::Done]);
    assert_eq!(ports(&switches), [20, 20, 12, 13].map(Some));
    let back = [Change { old: target(2, 20), address, mask, port: NO_PORT }];
    let third = program(2, 3, &back, 1).expect("a TPP");
    assert_eq!(outcomes(&send(&third, &mut switches[..1]), &back), [Outcome::Done]);
    assert_eq!(ports(&switches)[0], None);
    assert!(program(2, 16, &back, 1).is_none() && program(99, 0, &back, 1).is_none());
    assert!(program(2, 0, &[changes[0]; 13], 1).is_none(), "no memory for 13 hops");
}

/// Applications without permission change no routes.
#[test]
fn routes_are_protected() {
    let first = ww_tpp::map::lookup("Stage2:Reg0").expect("a name");
    let rule = |app_tag, operation| Rule { app_tag, operation, first, last: first + 63 };
    let rules = [rule(1, Operation::Read), rule(1, Operation::Write), rule(2, Operation::Read)];
    let protection = Some(Protection::new(&rules));
    let mut switch = [Tcpu::new(Config { protection, ..routing(1) }, 0)];
    let changes = [Change { old: 0, address: TO.into(), mask: u32::MAX, port: 5 }];
    for (app, route) in [(3, None), (2, None), (1, Some(5))] {
        let tpp = program(2, 0, &changes, app).expect("a TPP");
        send(&tpp, &mut switch);
        assert_eq!(switch[0].route(&frame()), route, "application {app}");
    }
}

/// Two vendors have the queue's occupancy at 0xff00 and 0xfe00, as in the paper; a device in the middle is replaced.
#[test]
fn one_statistic_from_two_vendors() {
    let queue = ww_tpp::map::lookup("Queue:QueueOccupancy").expect("a name");
    let switch = |vendor: u32, address: u16, bytes: u32| {
        let mut config = Config::new(vendor);
        config.identity.vendor_id = vendor;
        config.platform.insert(address, queue);
        let mut tcpu = Tcpu::new(config, 0);
        tcpu.ports().joined(2, 0, 0, bytes);
        tcpu
    };
    let mut switches = [switch(7, 0xff00, 100), switch(8, 0xfe00, 200), switch(7, 0xff00, 300)];
    let mut devices =
        Devices { addresses: BTreeMap::from([(7, 0xff00), (8, 0xfe00)]), path: vec![7, 7, 7] };
    let tpp = devices.program(1).expect("a TPP");
    let answers = devices.answers(&send(&tpp, &mut switches));
    assert_eq!(answers, [Answer::Value(100), Answer::OtherVendor(8), Answer::Value(300)]);
    assert!(devices.met(&answers));
    let tpp = devices.program(1).expect("a TPP");
    let answers = devices.answers(&send(&tpp, &mut switches));
    assert_eq!(answers, [100, 200, 300].map(Answer::Value));
    assert!(!devices.met(&answers));
    devices.path[0] = 9;
    assert!(devices.program(1).is_none(), "nobody knows where vendor 9 has it");
}

/// A path of three switches over which three of ten packets are lost.
#[test]
fn a_survey_finds_the_path_and_asks_each_switch() {
    let switch = |id: u32| {
        PlainMemory::new()
            .with("Switch:SwitchID", id)
            .with("PacketMetadata:InputPort", 1)
            .with("PacketMetadata:OutputPort", id)
            .with("Switch:Clock", 1000 * id)
            .with("Link:QueueOccupancy", 0)
            .with(&format!("Link${id}:TX-Bytes"), 500 + id)
            .with(&format!("Link${id}:Drop-Packets"), id)
    };
    let mut path: Vec<PlainMemory> = (4..7).map(switch).collect();
    let options = Options { hops: Some(5), ..Options::default() };
    let discover = assemble(DISCOVER, &options).expect("a good program");
    let patience = Patience { tries: 20, timeout: 1000 };
    let mut survey = Survey::new(TO, &["TX-Bytes", "Drop-Packets"], patience).expect("names");
    let (mut executor, mut draws) = (Executor::new(), fastrand::Rng::with_seed(5));
    let (mut now, mut out) = (0, Vec::new());
    let found = loop {
        match survey.advance(&discover, &mut executor) {
            Progress::UnderWay => {}
            Progress::NoPath => panic!("twenty tries"),
            Progress::Done(found) => break found,
        }
        let next = executor.poll(now, &mut out);
        for outgoing in out.drain(..) {
            let mut bytes = outgoing.tpp;
            for memory in &mut path {
                let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("a good TPP");
                execute(&mut tpp, memory, &Settings::default());
            }
            if draws.f64() >= 0.3 {
                assert!(executor.returned(outgoing.port, &bytes));
            }
        }
        now = next.unwrap_or(now);
    };
    let wanted = (4..7).map(|id| {
        let hop = Hop { switch: id, input: 1, output: id, clock: 1000 * id, queued: 0 };
        let answers = [("TX-Bytes".to_owned(), 500 + id), ("Drop-Packets".to_owned(), id)];
        (hop, Some(answers.into()))
    });
    assert!(found.into_iter().eq(wanted));
    // A switch that packets do not come by any more does not answer.
    let mut survey = Survey::new(TO, &["TX-Bytes"], patience).expect("names");
    assert_eq!(survey.advance(&discover, &mut executor), Progress::UnderWay);
    for number in 0..2 {
        executor.poll(now, &mut out);
        if number == 1 {
            path.pop();
        }
        for outgoing in out.drain(..) {
            let mut bytes = outgoing.tpp;
            for memory in &mut path {
                let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("a good TPP");
                execute(&mut tpp, memory, &Settings::default());
            }
            assert!(executor.returned(outgoing.port, &bytes));
        }
        if number == 0 {
            assert_eq!(survey.advance(&discover, &mut executor), Progress::UnderWay);
        }
    }
    let Progress::Done(found) = survey.advance(&discover, &mut executor) else { panic!("done") };
    assert!(found[1].1.is_some() && found[2].1.is_none());
}

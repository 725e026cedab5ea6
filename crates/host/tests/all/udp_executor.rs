//! The executor on real sockets, over the loopback.

use crate::network;

use network::{Network, address, switch};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use ww_host::echo::Echo;
use ww_host::patterns::Unfinished;
use ww_host::trace;
use ww_host::udp_executor::{Executor, Request, Why};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::flag;
use ww_tpp::map::lookup;
use ww_tpp::packet::Repr;

fn program(text: &str, hops: u16) -> Repr {
    let options = Options { hops: Some(hops), ..Options::default() };
    assemble(text, &options).expect("a good program")
}

fn quick(tries: u32) -> Executor {
    Executor::new(tries, Duration::from_millis(30))
}

/// Acceptance check 29 of spec 003: there and back it gets through with 0.7^2, so that four tries succeed with
/// 1 - 0.51^4 = 0.9323; 4 standard deviations of 600 calls are 0.041.
#[test]
fn reliable_over_a_network_that_loses() {
    let network = Network::new(vec![switch(7)], 0.3, 1);
    let tpp = program("PUSH [Switch:SwitchID]", 1);
    let requests = vec![Request { tpp, to: network.address }; 600];
    let answers = quick(4).all(&requests);
    let good = answers.iter().flatten().count();
    assert!((good as f64 / 600.0 - 0.9323).abs() < 0.041, "{good} of 600");
    for answer in answers {
        match answer {
            Ok(answer) => {
                assert_eq!(answer.tpp.words().collect::<Vec<_>>(), [7]);
                assert!(answer.tpp.marks & flag::DONE != 0 && (1..=4).contains(&answer.tries));
            }
            Err(error) => assert_eq!(error.why, Why::Lost { tries: 4, others: 0 }, "{error}"),
        }
    }
}

/// The same check: a value that many retries write is written as if there had been one.
#[test]
fn stores_are_safe_to_repeat() {
    let network = Network::new((1..=3).map(switch).collect(), 0.3, 2);
    let register = lookup("Link:AppSpecific_0").expect("a name");
    let mut executor = quick(60);
    for round in 0..20 {
        assert_eq!(executor.store(network.address, 2, register, round + 1, 0), Ok(round));
    }
    let absent = executor.store(network.address, 9, register, 5, 0);
    assert_eq!(absent, Err(Unfinished::NotExecuted(9)));
    let read_only =
        executor.store(network.address, 2, lookup("Switch:SwitchID").expect("a name"), 5, 0);
    assert_eq!(read_only, Err(Unfinished::Changed(2)));
    let found: Vec<Option<u32>> = network.end().iter().map(|m| m.get(register)).collect();
    assert_eq!(found, [Some(0), Some(20), Some(0)]);
}

/// The same check: twenty switches, of which three are not there.
#[test]
fn scatter_and_gather() {
    let switches = (1..=20).filter(|id| ![4, 11, 20].contains(id)).map(switch).collect();
    let network = Network::new(switches, 0.3, 3);
    let all: Vec<(u32, Ipv4Addr)> = (1..=20).map(|id| (id, network.address)).collect();
    let read = program("PUSH [Queue:QueueOccupancy]", 1);
    for (id, answer) in quick(40).scatter(&read, &all).expect("there is room") {
        match answer {
            // Word 0 is the guard's.
            Ok(answer) => assert_eq!(answer.tpp.words().nth(1), Some(1000 + id)),
            Err(error) => {
                assert!([4, 11, 20].contains(&id), "{id}: {error}");
                assert_eq!(error, Unfinished::NotExecuted(id));
            }
        }
    }
}

/// 247 bytes hold 61 hops of one word, so that blocks have 32 hops.
#[test]
fn a_long_path_in_blocks() {
    let network = Network::new((100..170).map(switch).collect(), 0.0, 4);
    let read = program("PUSH [Switch:SwitchID]", 1);
    let wanted: Vec<Vec<u32>> = (100..170).map(|id| vec![id]).collect();
    let unknown = quick(5).large(&read, network.address, None).expect("it comes back");
    assert_eq!(
        (unknown.reading.rows, unknown.parts, unknown.reading.beyond),
        (wanted.clone(), 3, 0)
    );
    let known = quick(5).large(&read, network.address, Some(40)).expect("it comes back");
    assert_eq!(
        (known.reading.rows, known.parts, known.reading.beyond),
        (wanted[..40].to_vec(), 2, 30)
    );
}

#[test]
fn a_path_hop_by_hop() {
    let switches = (1..=11).map(switch).map(|memory| {
        memory
            .with("Link:TX-Utilization", 0x4000)
            .with("Link:Capacity", 1_000_000)
            .with("Switch:Clock", 77)
    });
    let network = Network::new(switches.collect(), 0.0, 5);
    let rounds: Vec<trace::Round> = (0..3)
        .map(|_| trace::round(&mut quick(5), network.address, 0).expect("it comes back"))
        .collect();
    let lines = trace::lines(&rounds);
    assert_eq!(lines.len(), 11);
    for (line, id) in lines.iter().zip(1..) {
        assert_eq!((line.hop, line.switch, line.rounds), (id as usize, id, 3));
        assert_eq!((line.input, line.output), (10 + id, 20 + id));
        assert_eq!((line.queue.min, line.queue.max), (f64::from(1000 + id), f64::from(1000 + id)));
        assert_eq!(line.utilisation.map(|share| share.mean), Some(0.5));
        assert_eq!((line.capacity, line.clock), (Some(1_000_000), Some(77)));
    }
}

/// Who answers without switches changes nothing but the mark.
#[test]
fn an_echo_answers_and_is_not_answered() {
    let address = address();
    let mut echo = Echo::bind(address).expect("the port is free");
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        let mut seen = Vec::new();
        let counters =
            echo.run(|| stopped.load(Ordering::Relaxed), |_, tpp| seen.push(tpp.clone()));
        (counters.expect("it ends well"), seen)
    });
    let tpp = program("PUSH [Switch:SwitchID]", 2);
    let answer = quick(10).reliable(&tpp, address).expect("it comes back");
    assert_eq!((answer.tpp.hop, answer.tpp.stack_pointer), (0, 0));
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket");
    for bytes in [answer.tpp.emit(), b"no TPP".to_vec(), Vec::new()] {
        socket.send_to(&bytes, SocketAddrV4::new(address, 0x6666)).expect("sent");
    }
    // Loopback delivers in order: the last answer is behind the others.
    quick(10).reliable(&tpp, address).expect("it comes back");
    stop.store(true, Ordering::Relaxed);
    let (counters, seen) = thread.join().expect("it ends well");
    assert_eq!((counters.ignored, counters.failed), (3, 0));
    assert_eq!(seen.len() as u64, counters.echoed);
    assert!(seen.iter().all(|tpp| tpp.marks == flag::STANDALONE), "{seen:?}");
}

#[test]
fn reasons_for_no_answer() {
    let tpp = program("PUSH [Switch:SwitchID]", 1);
    let refused = quick(3).reliable(&tpp, address()).expect_err("nobody is there");
    assert_eq!(refused.why, Why::Refused, "{refused}");
    // Somebody who answers with something else.
    let address = address();
    let socket = UdpSocket::bind((address, 0x6666)).expect("the port is free");
    let wrong = std::thread::spawn(move || {
        let mut bytes = [0; 2048];
        for answer in [&b"no TPP"[..], &[0; 12]] {
            let (_, from) = socket.recv_from(&mut bytes).expect("a TPP");
            socket.send_to(answer, from).expect("sent");
        }
        // As it came: it is not done.
        let (length, from) = socket.recv_from(&mut bytes).expect("a TPP");
        socket.send_to(&bytes[..length], from).expect("sent");
        socket
    });
    let lost = quick(3).reliable(&tpp, address).expect_err("no answer");
    assert_eq!(lost.why, Why::Lost { tries: 3, others: 3 }, "{lost}");
    drop(wrong.join().expect("it ends well"));
}

#[test]
fn whoever_asks_can_stop_waiting() {
    let address = address();
    let _silent = UdpSocket::bind((address, 0x6666)).expect("the port is free");
    let asked = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&asked);
    let mut executor = Executor::new(3, Duration::from_secs(100))
        .interrupted_by(move || counter.fetch_add(1, Ordering::Relaxed) >= 1);
    let begin = Instant::now();
    let error = executor.reliable(&program("PUSH [Switch:SwitchID]", 1), address);
    assert_eq!(error.expect_err("no answer").why, Why::Interrupted);
    assert!(begin.elapsed() < Duration::from_secs(50) && asked.load(Ordering::Relaxed) == 2);
}

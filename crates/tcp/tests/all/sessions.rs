//! Sessions come and go, and none is left or given twice.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::{Engine, SessionId};
use ww_tcp::settings::{Behaviour, MILLISECOND, Nanoseconds, SECOND, Settings};

const SERVER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const MACS: [MacAddress; 2] = [MacAddress([2, 0, 0, 0, 0, 1]), MacAddress([2, 0, 0, 0, 0, 2])];

pub fn hosts(sessions: usize, backlog: usize) -> [Engine; 2] {
    [SERVER, CLIENT].map(|ip| {
        let own = usize::from(ip == CLIENT);
        let mut engine = Engine::new(Settings {
            mac: MACS[own],
            ip,
            prefix: 24,
            gateway: None,
            sessions,
            backlog,
            seed: 5 + own as u64,
            scan: false,
            tcp: Behaviour { window_scale: Some(0), ..Behaviour::default() },
        });
        let other = if own == 0 { CLIENT } else { SERVER };
        engine.learn(other, MACS[1 - own], Nanoseconds::MAX / 4);
        engine
    })
}

/// Hands frames over until both are silent.
pub fn exchange(hosts: &mut [Engine; 2], now: Nanoseconds) {
    let mut frame = Vec::new();
    loop {
        let mut moved = false;
        for from in 0..2 {
            while hosts[from].transmit(&mut frame, now) {
                hosts[1 - from].receive(&frame, now);
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}

fn open_and_close(count: u32) {
    let mut hosts = hosts(16, 16);
    hosts[0].listen(80);
    let mut now = 0;
    let mut opened = 0u64;
    for round in 0..count {
        now += MILLISECOND;
        let peer = SocketAddrV4::new(SERVER, 80);
        let id = hosts[1].connect(peer, None, now).unwrap();
        exchange(&mut hosts, now);
        let server: Vec<SessionId> = hosts[0]
            .sessions()
            .filter(|(_, s)| s.state().may_receive())
            .map(|(id, _)| id)
            .collect();
        assert_eq!(server.len(), 1, "round {round}");
        opened += 1;
        // Either side closes first, or one resets.
        match round % 3 {
            0 => {
                hosts[1].close(id, now);
                exchange(&mut hosts, now);
                hosts[0].close(server[0], now);
            }
            1 => {
                hosts[0].close(server[0], now);
                exchange(&mut hosts, now);
                hosts[1].close(id, now);
            }
            _ => {
                hosts[1].with(id, now, |session| session.abort());
            }
        }
        exchange(&mut hosts, now);
        for host in &mut hosts {
            while host.notification().is_some() {}
            host.tick(now);
        }
    }
    now += 200 * SECOND;
    for host in &mut hosts {
        host.tick(now);
        while host.notification().is_some() {}
        assert_eq!(host.open_sessions(), 0);
        let counters = host.counters();
        assert_eq!((counters.opened, counters.closed), (opened, opened));
    }
}

#[test]
fn opens_and_closes_leave_no_session() {
    open_and_close(3_000);
}

#[test]
#[ignore = "a minute"]
fn a_million_opens_and_closes_leave_no_session() {
    open_and_close(1_000_000);
}

/// Hears all news; whose end is told may be gone.
fn hear(hosts: &mut [Engine; 2]) {
    for host in hosts {
        while host.notification().is_some() {}
    }
}

#[test]
fn a_connection_that_is_given_up_before_its_syn_leaves_gives_its_place_back() {
    let mut hosts = hosts(16, 16);
    let id = hosts[1].connect(SocketAddrV4::new(SERVER, 80), None, 0).unwrap();
    hosts[1].with(id, 0, |session| session.abort());
    hear(&mut hosts);
    assert_eq!(hosts[1].open_sessions(), 0);
}

#[test]
fn a_connection_that_is_reset_with_bytes_unsent_gives_its_place_back() {
    let mut hosts = hosts(16, 16);
    hosts[0].listen(80);
    let id = hosts[1].connect(SocketAddrV4::new(SERVER, 80), None, 0).unwrap();
    exchange(&mut hosts, 0);
    // More than the window, of which nobody reads anything.
    let mut now = 0;
    for _ in 0..4 {
        hosts[1].write(id, &[1; 40_000], now);
        exchange(&mut hosts, now);
        now += 100 * MILLISECOND;
        hosts.iter_mut().for_each(|host| host.tick(now));
        exchange(&mut hosts, now);
    }
    let unsent = hosts[1].session(id).map(|session| session.not_sent());
    assert!(unsent.is_some_and(|unsent| unsent > 0), "{unsent:?}");
    let server = hosts[0].sessions().map(|(id, _)| id).next().unwrap();
    hosts[0].with(server, now, |session| session.abort());
    exchange(&mut hosts, now);
    hear(&mut hosts);
    exchange(&mut hosts, now);
    assert_eq!(hosts.each_ref().map(Engine::open_sessions), [0, 0]);
}

/// No two sessions that are open at the same time have the same handle or the same ends.
#[test]
fn no_session_is_given_twice() {
    let mut hosts = hosts(64, 64);
    hosts[0].listen(80);
    let peer = SocketAddrV4::new(SERVER, 80);
    let ids: HashSet<SessionId> =
        (0..64).map(|_| hosts[1].connect(peer, None, 0).unwrap()).collect();
    assert_eq!(ids.len(), 64);
    assert!(hosts[1].connect(peer, None, 0).is_err());
    exchange(&mut hosts, 0);
    for host in &hosts {
        let ends: HashSet<_> = host.sessions().map(|(_, s)| (s.peer, s.own_port)).collect();
        assert_eq!((ends.len(), host.live_sessions()), (64, 64));
    }
}

/// A flood of SYNs takes no more sessions than the backlog; connections open by cookies, and those that are open live.
#[test]
fn a_flood_of_syns_shuts_nobody_out() {
    let mut hosts = hosts(64, 8);
    hosts[0].listen(80);
    let peer = SocketAddrV4::new(SERVER, 80);
    let first = hosts[1].connect(peer, None, 0).unwrap();
    exchange(&mut hosts, 0);
    // SYNs of somebody who never answers.
    let mut flood = sessions_of_a_flood(2_000);
    let mut frame = Vec::new();
    for syn in flood.drain(..) {
        hosts[0].receive(&syn, MILLISECOND);
        while hosts[0].transmit(&mut frame, MILLISECOND) {}
    }
    assert_eq!(hosts[0].open_sessions(), 1 + 8);
    assert!(hosts[0].counters().cookies >= 1_900);
    let second = hosts[1].connect(peer, None, 2 * MILLISECOND).unwrap();
    exchange(&mut hosts, 2 * MILLISECOND);
    for id in [first, second] {
        let data = vec![7; 10_000];
        assert_eq!(hosts[1].write(id, &data, 3 * MILLISECOND), 10_000);
    }
    exchange(&mut hosts, 3 * MILLISECOND);
    let read: usize = hosts[0].sessions().map(|(_, session)| session.readable()).sum();
    assert_eq!(read, 20_000);
}

fn sessions_of_a_flood(count: u16) -> Vec<Vec<u8>> {
    use ww_tcp::engine::outbound::{Ends, Header, finish, segment};
    use ww_tcp::options::Options;
    use ww_tcp::sequence::Sequence;
    (0..count)
        .map(|number| {
            let header = Header {
                ports: (1_000 + number, 80),
                sequence: Sequence(77),
                acknowledgement: Sequence(0),
                flags: ww_packet::tcp::flags::SYN,
                window: 1_000,
                options: Options { mss: Some(1460), ..Options::default() },
                ecn: 0,
            };
            let source = Ipv4Addr::new(10, 0, 0, 3 + (number % 200) as u8);
            let mut frame = Vec::new();
            segment(Ends { source, destination: SERVER }, &header, 0, |_| {}, &mut frame);
            finish(&mut frame, MacAddress([2, 0, 0, 0, 0, 3]), MACS[0]);
            frame
        })
        .collect()
}

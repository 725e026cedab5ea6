//! Schedules and what switches do for them, by brute force: each property is looked at in every slot, no formula of the
//! code under test is used.

use ww_fabric::schedule::{Matching, Order, Schedule, Switch, Switches};

const BOTH: [Order; 2] = [Order::Plain, Order::Reordered];

/// All fabrics of the tests: 3 to 130 hosts and 512, up to 4 channels.
fn fabrics() -> impl Iterator<Item = (usize, usize)> {
    (3..=130).chain([512]).flat_map(|hosts| (1..=4.min(hosts - 1)).map(move |c| (hosts, c)))
}

/// The slot in which an ordered pair meets, as a function of both. Fails if a slot is no partial permutation or a pair does
/// not meet exactly once.
fn meetings(schedule: &Schedule) -> impl Fn(usize, usize) -> usize + use<> {
    let hosts = schedule.hosts();
    let mut met = vec![None; hosts * hosts];
    for channel in 0..schedule.channels() {
        for slot in 0..schedule.slots() {
            let mut sources = vec![None; hosts];
            for from in 0..hosts {
                let Some(to) = schedule.peer(channel, slot, from) else { continue };
                assert_ne!(from, to, "{hosts} hosts, slot {slot}");
                assert_eq!(sources[to].replace(from), None, "{to} receives twice");
                assert_eq!(met[from * hosts + to].replace(slot), None, "{from} meets {to} twice");
            }
            for (to, source) in sources.into_iter().enumerate() {
                assert_eq!(schedule.matching(channel, slot).source(hosts, to), source);
            }
        }
    }
    assert_eq!(met.iter().flatten().count(), hosts * (hosts - 1), "every pair meets");
    move |from, to| met[from * hosts + to].expect("hosts differ")
}

#[test]
fn every_pair_meets_once_an_epoch() {
    for (hosts, channels) in fabrics() {
        for order in BOTH {
            let schedule = Schedule::new(hosts, order, channels).unwrap();
            let meetings_of_a_host = match order {
                Order::Reordered if hosts % 2 == 0 => hosts,
                _ => hosts - 1,
            };
            assert_eq!(schedule.slots(), meetings_of_a_host.div_ceil(channels));
            assert!(meetings(&schedule)(0, 1) < schedule.slots());
        }
    }
}

#[test]
fn reordered_replies_leave_half_an_epoch_later() {
    for (hosts, channels) in fabrics() {
        let schedule = Schedule::new(hosts, Order::Reordered, channels).unwrap();
        let (slots, met) = (schedule.slots(), meetings(&schedule));
        for from in 0..hosts {
            for to in (0..hosts).filter(|&to| to != from) {
                let gap = (met(to, from) + slots - met(from, to)) % slots;
                let least = slots / 2;
                assert!(
                    gap >= least && (slots - gap) >= least && (gap > 0 || least == 0),
                    "{hosts} hosts, {channels} channels: {from} to {to}, gap {gap} of {slots}"
                );
            }
        }
    }
}

/// With one channel: gap (N-1)/2 for odd N, N/2 for even N, with one idle slot for each host.
#[test]
fn one_channel_has_the_published_gaps() {
    for hosts in (3..=130).chain([512]) {
        let schedule = Schedule::new(hosts, Order::Reordered, 1).unwrap();
        let (slots, met) = (schedule.slots(), meetings(&schedule));
        for from in 0..hosts {
            for to in (0..hosts).filter(|&to| to != from) {
                assert_eq!((met(to, from) + slots - met(from, to)) % slots, hosts / 2);
            }
            let idle = (0..slots).filter(|&slot| schedule.peer(0, slot, from).is_none()).count();
            assert_eq!(idle, usize::from(hosts % 2 == 0));
        }
    }
}

/// The published orders: for odd N the last (N-1)/2 columns are reversed, for even N the two halves of shift N/2 stand at
/// the ends of the two halves of the epoch.
#[test]
fn one_channel_is_the_published_order() {
    let shifts = |hosts, order| {
        let schedule = Schedule::new(hosts, order, 1).unwrap();
        let all = (0..schedule.slots()).map(|slot| schedule.matching(0, slot));
        all.collect::<Vec<_>>()
    };
    let shift = Matching::Shift;
    let plain: Vec<_> = (1..8).map(shift).collect();
    assert_eq!(shifts(8, Order::Plain), plain);
    let odd: Vec<_> = [1, 2, 3, 6, 5, 4].map(shift).into();
    assert_eq!(shifts(7, Order::Reordered), odd);
    let (lower, upper) = (Matching::LowerHalf, Matching::UpperHalf);
    let even = [shift(1), shift(2), shift(3), lower, shift(7), shift(6), shift(5), upper];
    assert_eq!(shifts(8, Order::Reordered), even);
    // Gaps of the plain order of 8 hosts, by shift, from the paper's table: a reply to shift 4 leaves in the same slot.
    let met = meetings(&Schedule::new(8, Order::Plain, 1).unwrap());
    let gaps: Vec<_> = (1..8).map(|to| (met(to, 0) + 7 - met(0, to)) % 7).collect();
    assert_eq!(gaps, [6, 4, 2, 0, 5, 3, 1]);
}

#[test]
fn impossible_fabrics_are_refused() {
    for (hosts, channels, word) in [
        (1, 1, "found 1"),
        (0, 1, "found 0"),
        (5000, 1, "4096"),
        (8, 0, "found 0"),
        (8, 8, "1 to 7"),
    ] {
        let error = Schedule::new(hosts, Order::Plain, channels).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let schedule = Schedule::new(12, Order::Plain, 1).unwrap();
    for leaves in [0, 5, 13, 24] {
        let error = Switches::new(&schedule, 0, leaves).unwrap_err().to_string();
        assert!(error.contains("divides the 12 hosts"), "{error}");
    }
}

/// What switches of a folded Clos network do in one slot, as tables: `leaf[x][output]` and `spine[x][output]` are inputs.
struct Tables {
    leaf: Vec<Vec<Option<usize>>>,
    spine: Vec<Vec<Option<usize>>>,
}

impl Tables {
    fn of(switches: &Switches, slot: usize) -> Self {
        let (mut leaf, mut spine) = (Vec::new(), Vec::new());
        for switch in switches.all() {
            let ports = 0..switches.ports(switch);
            let inputs = ports.map(|output| switches.input(switch, slot, output)).collect();
            match switch {
                Switch::Leaf(_) => leaf.push(inputs),
                Switch::Spine(_) => spine.push(inputs),
            }
        }
        Self { leaf, spine }
    }

    /// Who is the peer of each host, found by following circuits from the receiving ends. `None` if an input is at two
    /// outputs, a circuit ends inside, or one does not cross a spine.
    fn peers(&self) -> Option<Vec<Option<usize>>> {
        for inputs in self.leaf.iter().chain(&self.spine) {
            let mut used = vec![false; inputs.len()];
            for &input in inputs.iter().flatten() {
                if std::mem::replace(used.get_mut(input)?, true) {
                    return None;
                }
            }
        }
        let local = self.spine.len();
        let mut peers = vec![None; local * self.leaf.len()];
        let mut circuits = 0;
        for (leaf, inputs) in self.leaf.iter().enumerate() {
            for (host, &input) in inputs[..local].iter().enumerate() {
                let Some(input) = input else { continue };
                let spine = input.checked_sub(local)?;
                let from = self.spine[spine][leaf]?;
                let source = self.leaf[from][local + spine].filter(|&port| port < local)?;
                peers[from * local + source] = Some(leaf * local + host);
                circuits += 1;
            }
        }
        // What is connected anywhere belongs to a circuit: three connections each.
        let connections = self.leaf.iter().chain(&self.spine).flatten().flatten().count();
        (connections == 3 * circuits).then_some(peers)
    }
}

#[test]
fn switches_compose_to_the_schedule() {
    for hosts in (3..=130).chain([512]) {
        for order in BOTH {
            for channels in [1, 4.min(hosts - 1)] {
                let schedule = Schedule::new(hosts, order, channels).unwrap();
                for leaves in (1..=hosts).filter(|leaves| hosts % leaves == 0) {
                    let switches = Switches::new(&schedule, 0, leaves).unwrap();
                    assert_eq!(switches.slots(), schedule.slots());
                    for slot in 0..schedule.slots() {
                        let peers = Tables::of(&switches, slot).peers().expect("contention-free");
                        let expected = (0..hosts).map(|host| schedule.peer(0, slot, host));
                        assert_eq!(peers, expected.collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}

/// The closed form for 4 leaves of 2 hosts and 16 of 32: spine (p + t) mod h, and from spine s host (s - t) mod h of each
/// leaf to the leaf of (host + shift) mod N. The spec counts slots from 1, where the shift is the slot: here slot + 1.
#[test]
fn switches_follow_the_closed_form() {
    for (leaves, local) in [(4, 2), (16, 32)] {
        let hosts = leaves * local;
        let schedule = Schedule::new(hosts, Order::Plain, 1).unwrap();
        let switches = Switches::new(&schedule, 0, leaves).unwrap();
        for slot in 0..hosts - 1 {
            for host in 0..hosts {
                let (leaf, port, spine) = (host / local, host % local, (host + slot) % local);
                let peer = (host + slot + 1) % hosts;
                let up = switches.input(Switch::Leaf(leaf), slot, local + spine);
                assert_eq!(up, Some(port));
                assert_eq!(switches.input(Switch::Spine(spine), slot, peer / local), Some(leaf));
                let down = switches.input(Switch::Leaf(peer / local), slot, peer % local);
                assert_eq!(down, Some(local + spine));
            }
        }
    }
}

/// The published table of switch 1 of 8 hosts: ports a, b are hosts 1 and 2, c, d the spines; in slots 1 to 7 the row of a
/// port has the port at its other side. Whether rows are inputs or outputs, the other switches can be set in every slot so
/// that all compose to the schedule: spines for the hosts of the other leaves are tried out.
#[test]
fn the_published_switch_is_a_valid_instance() {
    const ROWS: [&str; 4] = ["dcdcdcd", "cdcdcdc", "abababa", "bababab"];
    let schedule = Schedule::new(8, Order::Plain, 1).unwrap();
    let port = |letter: u8| usize::from(letter - b'a');
    for rows_are_outputs in [true, false] {
        for slot in 0..7 {
            let mut table = [None; 4];
            for (row, letters) in ROWS.iter().enumerate() {
                let other = port(letters.as_bytes()[slot]);
                let (output, input) = if rows_are_outputs { (row, other) } else { (other, row) };
                table[output] = Some(input);
            }
            let valid = (0..1 << 4).any(|choice| {
                let mut tables =
                    Tables { leaf: vec![vec![None; 4]; 4], spine: vec![vec![None; 4]; 2] };
                for host in 0..8 {
                    let leaf = host / 2;
                    // One bit a leaf: which of its hosts takes spine 0.
                    let spine = (host % 2) ^ (choice >> leaf & 1);
                    let peer = schedule.peer(0, slot, host).unwrap();
                    tables.leaf[leaf][2 + spine] = Some(host % 2);
                    tables.spine[spine][peer / 2] = Some(leaf);
                    tables.leaf[peer / 2][peer % 2] = Some(2 + spine);
                }
                let expected = (0..8).map(|host| schedule.peer(0, slot, host)).collect::<Vec<_>>();
                tables.leaf[0] == table && tables.peers().as_ref() == Some(&expected)
            });
            assert!(valid, "slot {}, rows are outputs: {rows_are_outputs}", slot + 1);
        }
    }
}

/// JSON has what the schedule has, by a reader of JSON; the table has a line for each slot of each channel and switch.
#[test]
fn json_and_table_have_the_schedule() {
    let schedule = Schedule::new(6, Order::Reordered, 2).unwrap();
    let switches = Switches::new(&schedule, 0, 3).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&schedule.json(Some(&switches))).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().map(|value| value as usize);
    for channel in 0..2 {
        for slot in 0..3 {
            for host in 0..6 {
                let value = &json["slots"][channel][slot][host];
                assert_eq!(number(value), schedule.peer(channel, slot, host));
                assert!(value.is_null() || value.is_u64());
            }
        }
    }
    let names: Vec<_> = json["switches"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["leaf0", "leaf1", "leaf2", "spine0", "spine1"]);
    let leaf = json["switches"]["leaf1"].as_array().unwrap();
    assert_eq!((leaf.len(), leaf[0].as_array().unwrap().len()), (3, 4));
    assert_eq!(number(&leaf[2][3]), switches.input(Switch::Leaf(1), 2, 3));
    let bare: serde_json::Value = serde_json::from_str(&schedule.json(None)).expect("JSON");
    assert_eq!((&bare["slots"], &bare["switches"]), (&json["slots"], &serde_json::json!({})));
    // A title, and of 2 channels and 5 switches a title and 3 slots each.
    let table = schedule.table(Some(&switches));
    assert_eq!(table.lines().count(), 1 + 7 * 4, "{table}");
    // Shift 1 first, and half of shift 3 (hosts 0 to 2) in slot 2.
    assert!(table.contains("\n    0: 1 2 3 4 5 0\n"), "{table}");
}

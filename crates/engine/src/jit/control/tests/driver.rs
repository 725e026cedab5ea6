//! Random requests, right and wrong ones.

use super::Random;
use num_bigint::BigUint;
use ww_dataplane::control::*;
use ww_packet::crc::{ARC, IEEE};

/// What an engine answers, as text. Rates are compared as text, for NaN differs from itself.
pub fn perform(control: &mut dyn Control, request: &Request) -> Result<String, Error> {
    control.handle(request.clone()).map(|answer| format!("{answer:?}"))
}

/// Everything that a control plane can read.
pub fn dump(control: &mut dyn Control) -> String {
    use std::fmt::Write;
    let schema = control.schema();
    let mut text = String::new();
    for (n, info) in schema.tables.iter().enumerate() {
        let table = TableIndex(n as u32);
        let entries = control.table_entries(table).expect("the table exists");
        let default = control.table_default(table);
        writeln!(text, "{} {default:?}\n{entries:#?}", info.name).expect("a string");
        for view in &entries {
            let handle = view.handle.0;
            let counter = info.counter.map(|c| control.counter_read(c, handle));
            let meter = info.meter.map(|m| control.meter_rates(m, handle));
            writeln!(text, "{handle}: {counter:?} {meter:?}").expect("a string");
        }
    }
    for (n, info) in schema.registers.iter().enumerate() {
        let register = RegisterIndex(n as u32);
        for cell in 0..info.size.min(9) {
            writeln!(text, "{:?}", control.register_read(register, cell)).expect("a string");
        }
    }
    for (n, info) in schema.counters.iter().enumerate() {
        for cell in 0..info.size.min(11) {
            let value = control.counter_read(CounterIndex(n as u32), cell);
            writeln!(text, "{value:?}").expect("a string");
        }
    }
    for (n, info) in schema.meters.iter().enumerate() {
        for cell in 0..info.size.min(7) {
            let value = control.meter_rates(MeterIndex(n as u32), cell);
            writeln!(text, "{value:?}").expect("a string");
        }
    }
    for n in 0..schema.profiles.len() as u32 {
        writeln!(text, "{:?}", control.profile(ProfileIndex(n))).expect("a string");
    }
    for session in 0..4 {
        writeln!(text, "{:?}", control.mirror(session)).expect("a string");
    }
    text
}

fn number(random: &mut Random, width: u32) -> BigUint {
    // Few values, so that requests meet; now and then one that is too wide.
    if random.one_in(40) {
        return BigUint::from(1u32) << width;
    }
    let ones = (BigUint::from(1u32) << width) - 1u32;
    match random.below(8) {
        0 => ones,
        1 => (BigUint::from(random.below(4)) << width.saturating_sub(2)) & ones,
        _ => BigUint::from(random.below(7)) & ones,
    }
}

fn key(random: &mut Random, info: &KeyInfo) -> KeyMatch {
    let width = info.width;
    let form = if random.one_in(25) { random.below(5) } else { 9 };
    let fitting = match info.kind {
        MatchKind::Exact => 0,
        MatchKind::Lpm => 1,
        MatchKind::Ternary => random.pick(&[2, 2, 2, 1, 0]),
        MatchKind::Range => random.pick(&[3, 3, 0, 4]),
        _ => random.pick(&[4, 4, 0]),
    };
    match if form == 9 { fitting } else { form } {
        0 => KeyMatch::Exact(number(random, width)),
        1 => {
            let prefix_len = match random.below(6) {
                0 => 0,
                1 => width,
                2 if random.one_in(8) => width + 1,
                _ => random.below(u64::from(width) + 1) as u32,
            };
            KeyMatch::Lpm { value: number(random, width), prefix_len }
        }
        2 => KeyMatch::Ternary { value: number(random, width), mask: number(random, width) },
        3 => {
            let (a, b) = (number(random, width), number(random, width));
            let ordered = a <= b || info.signed || random.one_in(8);
            if ordered {
                KeyMatch::Range { low: a, high: b }
            } else {
                KeyMatch::Range { low: b, high: a }
            }
        }
        _ => KeyMatch::Optional((!random.one_in(3)).then(|| number(random, width))),
    }
}

fn keys(random: &mut Random, infos: &[KeyInfo]) -> Vec<KeyMatch> {
    let mut keys: Vec<KeyMatch> = infos.iter().map(|info| key(random, info)).collect();
    if random.one_in(60) {
        keys.pop();
    }
    keys
}

fn action(random: &mut Random, actions: &[ActionInfo]) -> ActionData {
    let action =
        random.below(actions.len() as u64 + u64::from(random.0.is_multiple_of(30))) as usize;
    let parameters = actions.get(action).map_or(&[][..], |a| &a.parameters);
    let mut arguments: Vec<_> = parameters.iter().map(|p| number(random, p.width)).collect();
    if random.one_in(60) {
        arguments.push(BigUint::from(1u32));
    }
    ActionData { action, arguments }
}

fn target(random: &mut Random, info: &TableInfo, default: bool) -> Target {
    let by_profile = info.profile.is_some() && !(default && random.one_in(3));
    match if random.one_in(30) { random.below(3) } else { 3 } {
        0 => Target::Member(random.below(6) as u32),
        1 => Target::Group(random.below(6) as u32),
        3 if by_profile => match random.below(2) {
            0 => Target::Member(random.below(8) as u32),
            _ => Target::Group(random.below(5) as u32),
        },
        _ => Target::Action(action(random, &info.actions)),
    }
}

fn rates(random: &mut Random) -> Option<MeterRates> {
    let mut rate = || MeterRate {
        units_per_microsecond: random.pick(&[
            0.0,
            0.5,
            1e3,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            2.0,
            3.0,
        ]),
        burst: random.below(100),
    };
    let rates = MeterRates { committed: rate(), peak: rate() };
    (!random.one_in(4)).then_some(rates)
}

/// A request that fits the schema more often than not.
pub fn request(random: &mut Random, schema: &Schema) -> Request {
    let t = TableIndex(random.below(schema.tables.len() as u64) as u32);
    let t = if random.one_in(200) { TableIndex(99) } else { t };
    let any = &schema.tables[0];
    let table = schema.tables.get(t.index()).unwrap_or(any);
    let p = ProfileIndex(random.below(schema.profiles.len() as u64) as u32);
    let p = if random.one_in(200) { ProfileIndex(99) } else { p };
    let profile = schema.profiles.get(p.index()).unwrap_or(&schema.profiles[0]);
    let handle = random.below(24);
    let member = random.below(10) as u32;
    let group = random.below(5) as u32;
    let r = RegisterIndex(random.below(schema.registers.len() as u64) as u32);
    let c = CounterIndex(random.below(schema.counters.len() as u64) as u32);
    let m = MeterIndex(random.below(schema.meters.len() as u64) as u32);
    let s = ValueSetIndex(random.below(schema.value_sets.len() as u64) as u32);
    let cell = random.pick(&[0, 1, 2, 5, 7, 1_999_999, 2_000_000, 2_999_999]);
    let some_cell = (!random.one_in(8)).then_some(cell);
    let number_of_node = random.below(12) as u32;
    let (entry, node) = (EntryHandle(handle), NodeHandle(number_of_node));
    let mc = random.below(4) as u16;
    let ports: Vec<u32> = (0..random.below(4)).map(|_| random.below(6) as u32).collect();
    match random.below(100) {
        0..28 => Request::TableInsert {
            table: t,
            entry: NewEntry {
                keys: keys(random, &table.keys),
                priority: random.below(5) as i64 - 1,
                target: target(random, table, false),
            },
        },
        28..36 => Request::TableModify { table: t, entry, to: target(random, table, false) },
        36..42 => Request::TableDelete { table: t, entry },
        42 if random.one_in(3) => Request::TableClear { table: t },
        42..45 => Request::TableEntry { table: t, entry },
        45..48 => Request::TableFind {
            table: t,
            keys: keys(random, &table.keys),
            priority: random.below(5) as i64 - 1,
        },
        48..51 => Request::TableSetDefault { table: t, target: target(random, table, true) },
        51 => Request::TableResetDefault { table: t },
        52..56 => Request::MemberAdd { profile: p, data: action(random, &profile.actions) },
        56..58 => {
            Request::MemberModify { profile: p, member, to: action(random, &profile.actions) }
        }
        58..60 => Request::MemberDelete { profile: p, member },
        60..62 => Request::GroupCreate { profile: p },
        62 => Request::GroupDelete { profile: p, group },
        63..68 => Request::GroupAddMember { profile: p, group, member },
        68..70 => Request::GroupRemoveMember { profile: p, group, member },
        70 => Request::RegisterRead { register: r, index: cell },
        71 if random.one_in(20) => Request::RegisterReadAll { register: r },
        71..74 => {
            let value = number(random, schema[r].width);
            Request::RegisterWrite { register: r, index: some_cell, value }
        }
        74 if random.one_in(3) => Request::RegisterReset { register: r },
        74 => {
            let index = if random.one_in(2) { handle } else { cell };
            Request::CounterRead { counter: c, index }
        }
        75..78 => {
            let index = if random.one_in(2) { Some(handle) } else { some_cell };
            let value = CounterValue { packets: random.next(), bytes: random.below(3) };
            // Filling the large array looks at all cells.
            let index = index.or((!random.one_in(9)).then_some(1));
            Request::CounterWrite { counter: c, index, value }
        }
        78 if random.one_in(9) => Request::CounterReset { counter: c },
        78..81 => {
            let index = if random.one_in(2) { Some(handle) } else { some_cell };
            Request::MeterSetRates { meter: m, index, rates: rates(random) }
        }
        81 => Request::MeterReadRates { meter: m, index: handle },
        82..85 => Request::ValueSetAdd { set: s, member: keys(random, &schema[s].keys) },
        85 => Request::ValueSetRemove { set: s, member: keys(random, &schema[s].keys) },
        86 if random.one_in(5) => Request::ValueSetClear { set: s },
        86 | 87 => Request::MirrorSet {
            session: group,
            to: MirrorSession {
                port: Some(member),
                group: Some(mc),
                truncate: Some(number_of_node),
            },
        },
        88 => Request::MirrorDelete { session: group },
        89 => Request::Mirror { session: group },
        90 => Request::MulticastGroupCreate { group: mc },
        91 if random.one_in(2) => Request::MulticastGroupDestroy { group: mc },
        91 | 92 => Request::MulticastNodeCreate { replication_id: member as u16, ports },
        93 => Request::MulticastNodeUpdate { node, ports },
        94 => Request::MulticastNodeAssociate { group: mc, node },
        95 => Request::MulticastNodeDissociate { group: mc, node },
        96 => Request::MulticastNodeDestroy { node },
        97 => {
            let (which, all) = random.pick(&[(CustomCrc::Crc16, ARC), (CustomCrc::Crc32, IEEE)]);
            let init = if random.one_in(2) { 0x1d0f } else { all.init };
            Request::SetCustomCrc { which, parameters: CrcParameters { init, ..all } }
        }
        98 => Request::Hold {},
        _ if random.one_in(60) => Request::ResetState {},
        _ => Request::Release {},
    }
}

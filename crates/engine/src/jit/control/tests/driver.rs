//! Random requests, right and wrong ones.

use super::Random;
use num_bigint::BigUint;
use ww_dataplane::control::*;
use ww_packet::crc::{ARC, IEEE};

type Result<T> = std::result::Result<T, RuntimeError>;

/// A request with all its arguments.
#[derive(Clone, Debug)]
pub enum Request {
    Insert(TableIndex, NewEntry),
    Modify(TableIndex, u64, Target),
    Delete(TableIndex, u64),
    Clear(TableIndex),
    Entry(TableIndex, u64),
    Find(TableIndex, Vec<KeyMatch>, i64),
    SetDefault(TableIndex, Target),
    ResetDefault(TableIndex),
    MemberAdd(ProfileIndex, ActionData),
    MemberModify(ProfileIndex, u32, ActionData),
    MemberDelete(ProfileIndex, u32),
    GroupCreate(ProfileIndex),
    GroupDelete(ProfileIndex, u32),
    Join(ProfileIndex, u32, u32),
    Leave(ProfileIndex, u32, u32),
    RegisterRead(RegisterIndex, u64),
    RegisterReadAll(RegisterIndex),
    RegisterWrite(RegisterIndex, Option<u64>, BigUint),
    RegisterReset(RegisterIndex),
    CounterRead(CounterIndex, u64),
    CounterWrite(CounterIndex, Option<u64>, CounterValue),
    CounterReset(CounterIndex),
    SetRates(MeterIndex, Option<u64>, Option<MeterRates>),
    Rates(MeterIndex, u64),
    SetAdd(ValueSetIndex, Vec<KeyMatch>),
    SetRemove(ValueSetIndex, Vec<KeyMatch>),
    SetClear(ValueSetIndex),
    MirrorSet(u32, MirrorSession),
    MirrorDelete(u32),
    Mirror(u32),
    McCreate(u16),
    McDestroy(u16),
    NodeCreate(u16, Vec<u32>),
    NodeUpdate(u32, Vec<u32>),
    Associate(u16, u32),
    Dissociate(u16, u32),
    NodeDestroy(u32),
    Crc(CustomCrc, bool),
    Hold,
    Release,
    Reset,
}

/// What an engine answers, as text. Rates are compared as text, for NaN differs from itself.
pub fn perform(control: &mut dyn Control, request: &Request) -> Result<String> {
    use Request::*;
    fn show<T: std::fmt::Debug>(result: Result<T>) -> Result<String> {
        result.map(|value| format!("{value:?}"))
    }
    match request.clone() {
        Insert(t, entry) => show(control.table_insert(t, entry)),
        Modify(t, n, to) => show(control.table_modify(t, EntryHandle(n), to)),
        Delete(t, n) => show(control.table_delete(t, EntryHandle(n))),
        Clear(t) => show(control.table_clear(t)),
        Entry(t, n) => show(control.table_entry(t, EntryHandle(n))),
        Find(t, keys, priority) => show(control.table_find(t, &keys, priority)),
        SetDefault(t, to) => show(control.table_set_default(t, to)),
        ResetDefault(t) => show(control.table_reset_default(t)),
        MemberAdd(p, data) => show(control.member_add(p, data)),
        MemberModify(p, n, data) => show(control.member_modify(p, n, data)),
        MemberDelete(p, n) => show(control.member_delete(p, n)),
        GroupCreate(p) => show(control.group_create(p)),
        GroupDelete(p, n) => show(control.group_delete(p, n)),
        Join(p, group, n) => show(control.group_add_member(p, group, n)),
        Leave(p, group, n) => show(control.group_remove_member(p, group, n)),
        RegisterRead(r, n) => show(control.register_read(r, n)),
        RegisterReadAll(r) => show(control.register_read_all(r)),
        RegisterWrite(r, n, value) => show(control.register_write(r, n, &value)),
        RegisterReset(r) => show(control.register_reset(r)),
        CounterRead(c, n) => show(control.counter_read(c, n)),
        CounterWrite(c, n, value) => show(control.counter_write(c, n, value)),
        CounterReset(c) => show(control.counter_reset(c)),
        SetRates(m, n, rates) => show(control.meter_set_rates(m, n, rates)),
        Rates(m, n) => show(control.meter_rates(m, n)),
        SetAdd(s, member) => show(control.value_set_add(s, member)),
        SetRemove(s, member) => show(control.value_set_remove(s, &member)),
        SetClear(s) => show(control.value_set_clear(s)),
        MirrorSet(n, to) => show(control.mirror_set(n, to)),
        MirrorDelete(n) => show(control.mirror_delete(n)),
        Mirror(n) => show(Ok(control.mirror(n))),
        McCreate(n) => show(control.multicast_group_create(n)),
        McDestroy(n) => show(control.multicast_group_destroy(n)),
        NodeCreate(id, ports) => show(control.multicast_node_create(id, &ports)),
        NodeUpdate(n, ports) => show(control.multicast_node_update(NodeHandle(n), &ports)),
        Associate(g, n) => show(control.multicast_node_associate(g, NodeHandle(n))),
        Dissociate(g, n) => show(control.multicast_node_dissociate(g, NodeHandle(n))),
        NodeDestroy(n) => show(control.multicast_node_destroy(NodeHandle(n))),
        Crc(which, other) => {
            let all = match which {
                CustomCrc::Crc16 => ARC,
                CustomCrc::Crc32 => IEEE,
            };
            let changed = ww_packet::crc::CrcParameters { init: 0x1d0f, ..all };
            show(control.set_custom_crc(which, if other { changed } else { all }))
        }
        Hold => {
            control.hold();
            show(Ok(()))
        }
        Release => {
            control.release();
            show(Ok(()))
        }
        Reset => {
            control.reset_state();
            show(Ok(()))
        }
    }
}

/// Everything that a control plane can read.
pub fn dump(control: &dyn Control) -> String {
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
    let node = random.below(12) as u32;
    let mc = random.below(4) as u16;
    let ports: Vec<u32> = (0..random.below(4)).map(|_| random.below(6) as u32).collect();
    match random.below(100) {
        0..28 => Request::Insert(
            t,
            NewEntry {
                keys: keys(random, &table.keys),
                priority: random.below(5) as i64 - 1,
                target: target(random, table, false),
            },
        ),
        28..36 => Request::Modify(t, handle, target(random, table, false)),
        36..42 => Request::Delete(t, handle),
        42 if random.one_in(3) => Request::Clear(t),
        42..45 => Request::Entry(t, handle),
        45..48 => Request::Find(t, keys(random, &table.keys), random.below(5) as i64 - 1),
        48..51 => Request::SetDefault(t, target(random, table, true)),
        51 => Request::ResetDefault(t),
        52..56 => Request::MemberAdd(p, action(random, &profile.actions)),
        56..58 => Request::MemberModify(p, member, action(random, &profile.actions)),
        58..60 => Request::MemberDelete(p, member),
        60..62 => Request::GroupCreate(p),
        62 => Request::GroupDelete(p, group),
        63..68 => Request::Join(p, group, member),
        68..70 => Request::Leave(p, group, member),
        70 => Request::RegisterRead(r, cell),
        71 if random.one_in(20) => Request::RegisterReadAll(r),
        71..74 => {
            let value = number(random, schema[r].width);
            Request::RegisterWrite(r, some_cell, value)
        }
        74 if random.one_in(3) => Request::RegisterReset(r),
        74 => Request::CounterRead(c, if random.one_in(2) { handle } else { cell }),
        75..78 => {
            let index = if random.one_in(2) { Some(handle) } else { some_cell };
            let value = CounterValue { packets: random.next(), bytes: random.below(3) };
            // Filling the large array looks at all cells.
            let index = index.or((!random.one_in(9)).then_some(1));
            Request::CounterWrite(c, index, value)
        }
        78 if random.one_in(9) => Request::CounterReset(c),
        78..81 => {
            let index = if random.one_in(2) { Some(handle) } else { some_cell };
            Request::SetRates(m, index, rates(random))
        }
        81 => Request::Rates(m, handle),
        82..85 => Request::SetAdd(s, keys(random, &schema[s].keys)),
        85 => Request::SetRemove(s, keys(random, &schema[s].keys)),
        86 if random.one_in(5) => Request::SetClear(s),
        86 | 87 => Request::MirrorSet(
            group,
            MirrorSession { port: Some(member), group: Some(mc), truncate: Some(node) },
        ),
        88 => Request::MirrorDelete(group),
        89 => Request::Mirror(group),
        90 => Request::McCreate(mc),
        91 if random.one_in(2) => Request::McDestroy(mc),
        91 | 92 => Request::NodeCreate(member as u16, ports),
        93 => Request::NodeUpdate(node, ports),
        94 => Request::Associate(mc, node),
        95 => Request::Dissociate(mc, node),
        96 => Request::NodeDestroy(node),
        97 => Request::Crc(random.pick(&[CustomCrc::Crc16, CustomCrc::Crc32]), random.one_in(2)),
        98 => Request::Hold,
        _ if random.one_in(60) => Request::Reset,
        _ => Request::Release,
    }
}

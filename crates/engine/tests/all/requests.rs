//! Tables of good and bad requests with what they must be answered, on each engine: what engines
//! share in the validation of requests shows no mistake when they are compared with each other.

use num_bigint::BigUint;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::control::*;
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::frontend;

fn engines() -> [(&'static str, AnyEngine); 2] {
    let text = include_str!("../../src/jit/control/tests/all_kinds.p4");
    let path = Path::new("all_kinds.p4");
    let compiled = frontend::compile_text(path, text.to_owned(), &Default::default());
    assert!(!compiled.diagnostics.has_errors());
    let program = Arc::new(compiled.program);
    let interp = Interp::new(Arc::clone(&program), Options::default()).expect("supported");
    let jit = Jit::new(program, Options::default()).expect("supported");
    [("interp", AnyEngine::new(interp)), ("jit", AnyEngine::new(jit))]
}

fn n(value: u64) -> BigUint {
    value.into()
}

fn exact(value: u64) -> KeyMatch {
    KeyMatch::Exact(n(value))
}

fn lpm(value: u64, prefix_len: u32) -> KeyMatch {
    KeyMatch::Lpm { value: n(value), prefix_len }
}

fn ternary(value: u64, mask: u64) -> KeyMatch {
    KeyMatch::Ternary { value: n(value), mask: n(mask) }
}

fn range(low: u64, high: u64) -> KeyMatch {
    KeyMatch::Range { low: n(low), high: n(high) }
}

/// Finds names of the program, so that the tables below can use them.
struct Names(Arc<Schema>);

impl Names {
    fn action(&self, table: &str, action: &str, arguments: &[u64]) -> Target {
        let info = &self.0[self.0.table(table).expect("a table")];
        let action = info.action(action).expect("an action");
        Target::Action(ActionData { action, arguments: arguments.iter().map(|v| n(*v)).collect() })
    }

    fn insert(&self, table: &str, keys: Vec<KeyMatch>, priority: i64, target: Target) -> Request {
        let table = self.0.table(table).expect("a table");
        Request::TableInsert { table, entry: NewEntry { keys, priority, target } }
    }

    fn member(&self, profile: &str, action: &str, arguments: &[u64]) -> Request {
        let profile = self.0.profile(profile).expect("a profile");
        let action = self.0[profile].action(action).expect("an action");
        let arguments = arguments.iter().map(|v| n(*v)).collect();
        Request::MemberAdd { profile, data: ActionData { action, arguments } }
    }
}

/// A request and what answers it: the answer as Rust shows it, or `! ` and the message.
type Row = (Request, &'static str);

/// Makes the requests of a table on each engine, in order.
fn check(rows: impl Fn(&Names) -> Vec<Row>) {
    for (engine, mut control) in engines() {
        let names = Names(control.schema());
        for (number, (request, expected)) in rows(&names).into_iter().enumerate() {
            let shown = format!("{engine}, row {number}: {request:?}");
            let found = match Control::handle(&mut control, request) {
                Ok(answer) => format!("{answer:?}"),
                Err(error) => format!("! {error}"),
            };
            assert_eq!(found, expected, "{shown}");
        }
    }
}

#[test]
fn entries_of_tables_with_exact_keys() {
    check(|names| {
        let set = |v| names.action("exact_two", "set_a", &[v]);
        let table = names.0.table("exact_two").expect("a table");
        vec![
            (
                names.insert("exact_two", vec![exact(255), exact(65_535)], 0, set(255)),
                "Entry(EntryHandle(0))",
            ),
            (
                names.insert("exact_two", vec![exact(255), exact(65_535)], 7, set(1)),
                "! table `I.exact_two` has an entry with the same key already",
            ),
            (
                names.insert("exact_two", vec![exact(256), exact(0)], 0, set(1)),
                "! 0x100 does not fit into the 8 bit(s) of key `hdr.h.a` of `I.exact_two`",
            ),
            (
                names.insert("exact_two", vec![exact(0)], 0, set(1)),
                "! `I.exact_two` has 2 key(s), found 1",
            ),
            (
                names.insert("exact_two", vec![exact(0), lpm(0, 16)], 0, set(1)),
                "! key `hdr.h.c` of `I.exact_two` is exact, found a prefix",
            ),
            (
                names.insert("exact_two", vec![exact(0), exact(0)], 0, set(256)),
                "! 0x100 does not fit into the 8 bit(s) of parameter `v` of action `I.set_a`",
            ),
            (
                names.insert(
                    "exact_two",
                    vec![exact(0), exact(0)],
                    0,
                    names.action("exact_two", "set_a", &[]),
                ),
                "! action `I.set_a` takes 1 argument(s), found 0",
            ),
            (
                names.insert(
                    "exact_two",
                    vec![exact(0), exact(0)],
                    0,
                    names.action("exact_two", "only_default", &[1]),
                ),
                "! action `I.only_default` may not be used in an entry",
            ),
            (
                names.insert("exact_two", vec![exact(0), exact(0)], 0, Target::Member(0)),
                "! entries of table `I.exact_two` refer to actions",
            ),
            (
                Request::TableSetDefault {
                    table,
                    target: names.action("exact_two", "only_entry", &[1]),
                },
                "! action `I.only_entry` may not be used in the default action",
            ),
            (
                Request::TableDelete { table, entry: EntryHandle(1) },
                "! there is no entry 1 of table `I.exact_two`",
            ),
            (Request::TableDelete { table, entry: EntryHandle(0) }, "Done"),
            // Handles are not given out again.
            (
                names.insert("exact_two", vec![exact(1), exact(2)], 0, set(3)),
                "Entry(EntryHandle(1))",
            ),
            (
                Request::TableFind { table, keys: vec![exact(1), exact(2)], priority: 9 },
                "Found(Some(EntryHandle(1)))",
            ),
            (
                Request::TableFind { table, keys: vec![exact(2), exact(2)], priority: 0 },
                "Found(None)",
            ),
            (Request::TableClear { table: TableIndex(99) }, "! there is no table number 99"),
        ]
    });
}

#[test]
fn keys_that_leave_bits_open() {
    check(|names| {
        let route = |v| names.action("routes", "set_a", &[v]);
        let routes = names.0.table("routes").expect("a table");
        let drop = |table| names.action(table, "none", &[]);
        vec![
            // Bits behind the prefix do not count.
            (
                names.insert("routes", vec![lpm(0x0a01_02ff, 24)], 0, route(1)),
                "Entry(EntryHandle(0))",
            ),
            (
                names.insert("routes", vec![lpm(0x0a01_0200, 24)], 0, route(2)),
                "! table `I.routes` has an entry with the same key already",
            ),
            (
                names.insert("routes", vec![lpm(0x0a01_0200, 25)], 0, route(2)),
                "Entry(EntryHandle(1))",
            ),
            (names.insert("routes", vec![lpm(0, 0)], 0, route(3)), "Entry(EntryHandle(2))"),
            (
                names.insert("routes", vec![exact(0x0a01_0203)], 0, route(4)),
                "Entry(EntryHandle(3))",
            ),
            (
                names.insert("routes", vec![lpm(0x0a01_0203, 32)], 0, route(4)),
                "! table `I.routes` has an entry with the same key already",
            ),
            (
                names.insert("routes", vec![lpm(0, 33)], 0, route(4)),
                "! a prefix of 33 bits for key `hdr.h.ip` of `I.routes`, which has 32",
            ),
            // A mask that is a prefix is one.
            (
                Request::TableFind {
                    table: routes,
                    keys: vec![ternary(0x0a01_02ff, 0xffff_ff00)],
                    priority: 0,
                },
                "Found(Some(EntryHandle(0)))",
            ),
            (
                names.insert("acl", vec![ternary(1, 1), exact(5)], 3, drop("acl")),
                "Entry(EntryHandle(2))",
            ),
            // The same keys at the same priority wait behind.
            (
                names.insert("acl", vec![ternary(3, 1), exact(5)], 3, drop("acl")),
                "Entry(EntryHandle(3))",
            ),
            (
                names.insert("acl", vec![range(1, 2), exact(5)], 3, drop("acl")),
                "! key `hdr.h.a` of `I.acl` is ternary, found a range",
            ),
            (
                names.insert(
                    "ranges",
                    vec![range(9, 3), range(0, 5), KeyMatch::Optional(None), exact(1)],
                    0,
                    drop("ranges"),
                ),
                "! the range for key `hdr.h.a` of `I.ranges` ends before it starts",
            ),
            // Two's complement: -2 to 3.
            (
                names.insert(
                    "ranges",
                    vec![range(3, 9), range(0xfe, 3), KeyMatch::Optional(Some(n(4))), exact(1)],
                    0,
                    drop("ranges"),
                ),
                "Entry(EntryHandle(0))",
            ),
            (
                names.insert(
                    "ranges",
                    vec![range(3, 9), range(3, 0xfe), KeyMatch::Optional(None), exact(1)],
                    0,
                    drop("ranges"),
                ),
                "! the range for key `hdr.h.s` of `I.ranges` ends before it starts",
            ),
        ]
    });
}

#[test]
fn what_the_program_has_made_constant() {
    check(|names| {
        let inner = names.0.table("first.inner").expect("a table");
        let keyless = names.0.table("keyless").expect("a table");
        let fixed = names.0.table("fixed_default").expect("a table");
        let acl = names.0.table("acl").expect("a table");
        vec![
            (
                names.insert(
                    "first.inner",
                    vec![exact(5)],
                    0,
                    names.action("first.inner", "NoAction", &[]),
                ),
                "! entries of table `I.first.inner`: constant in the program, cannot be changed",
            ),
            (
                Request::TableDelete { table: inner, entry: EntryHandle(0) },
                "! entry 0 of table `I.first.inner`: constant in the program, cannot be changed",
            ),
            (
                Request::TableDelete { table: acl, entry: EntryHandle(1) },
                "! entry 1 of table `I.acl`: constant in the program, cannot be changed",
            ),
            (Request::TableDelete { table: acl, entry: EntryHandle(0) }, "Done"),
            (
                Request::TableSetDefault {
                    table: fixed,
                    target: names.action("fixed_default", "none", &[]),
                },
                "! default action of table `I.fixed_default`: constant in the program, cannot be changed",
            ),
            (
                names.insert("keyless", Vec::new(), 0, names.action("keyless", "none", &[])),
                "! table `I.keyless` has no keys, so it takes no entries",
            ),
            (
                Request::TableSetDefault {
                    table: keyless,
                    target: names.action("keyless", "set_a", &[7]),
                },
                "Done",
            ),
            (
                Request::TableDefault { table: keyless },
                "Target(Action(ActionData { action: 1, arguments: [7] }))",
            ),
            (Request::TableResetDefault { table: keyless }, "Done"),
            (
                Request::TableDefault { table: keyless },
                "Target(Action(ActionData { action: 1, arguments: [1] }))",
            ),
        ]
    });
}

#[test]
fn members_and_groups() {
    check(|names| {
        let pick = names.0.profile("pick").expect("a profile");
        let shared = names.0.profile("shared").expect("a profile");
        let by_group = names.0.table("by_group").expect("a table");
        vec![
            (names.member("pick", "set_a", &[4]), "Member(0)"),
            (names.member("pick", "none", &[]), "Member(1)"),
            (Request::GroupCreate { profile: pick }, "Member(0)"),
            (
                Request::GroupCreate { profile: shared },
                "! `I.shared` is no selector: it has no groups",
            ),
            (Request::GroupAddMember { profile: pick, group: 0, member: 1 }, "Done"),
            (
                Request::GroupAddMember { profile: pick, group: 0, member: 1 },
                "! member 1 of `I.pick` is in the group already",
            ),
            (
                Request::GroupAddMember { profile: pick, group: 5, member: 1 },
                "! there is no group 5 of `I.pick`",
            ),
            (
                Request::GroupAddMember { profile: pick, group: 0, member: 7 },
                "! there is no member 7 of `I.pick`",
            ),
            (
                Request::MemberDelete { profile: pick, member: 1 },
                "! member 1 of `I.pick` is still used by a group",
            ),
            (
                names.insert("by_group", vec![exact(3)], 0, names.action("by_group", "none", &[])),
                "! entries of table `I.by_group` refer to members or groups of its action profile",
            ),
            (
                names.insert("by_group", vec![exact(3)], 0, Target::Group(0)),
                "Entry(EntryHandle(0))",
            ),
            (
                names.insert("by_group", vec![exact(4)], 0, Target::Group(1)),
                "! there is no group 1 of `I.pick`",
            ),
            (
                Request::GroupDelete { profile: pick, group: 0 },
                "! group 0 of `I.pick` is still used by an entry",
            ),
            (
                Request::Profile { profile: pick },
                "Profile(ProfileView { members: {0: ActionData { action: 0, arguments: [4] }, \
                 1: ActionData { action: 1, arguments: [] }}, groups: {0: {1}} })",
            ),
            (Request::TableDelete { table: by_group, entry: EntryHandle(0) }, "Done"),
            (Request::GroupDelete { profile: pick, group: 0 }, "Done"),
            (Request::MemberDelete { profile: pick, member: 1 }, "Done"),
            (
                Request::MemberDelete { profile: pick, member: 1 },
                "! there is no member 1 of `I.pick`",
            ),
        ]
    });
}

#[test]
fn counters_meters_and_registers() {
    check(|names| {
        let cells = names.0.counter("cells").expect("a counter");
        let direct = names.0.counter("I.direct").expect("a counter");
        let meters = names.0.meter("I.meters").expect("a meter");
        let small = names.0.register("small").expect("a register");
        let sparse = names.0.register("sparse").expect("a register");
        let rate = |units_per_microsecond| MeterRate { units_per_microsecond, burst: 10 };
        let rates =
            |committed, peak| Some(MeterRates { committed: rate(committed), peak: rate(peak) });
        let value = CounterValue { packets: 2, bytes: 130 };
        vec![
            (Request::CounterWrite { counter: cells, index: Some(9), value }, "Done"),
            (
                Request::CounterRead { counter: cells, index: 9 },
                "Counter(CounterValue { packets: 2, bytes: 130 })",
            ),
            (
                Request::CounterRead { counter: cells, index: 10 },
                "! there is no counter 10 of `I.cells`",
            ),
            (
                Request::CounterRead { counter: direct, index: 0 },
                "! there is no entry 0 of table `I.counted`",
            ),
            (Request::RegisterWrite { register: small, index: Some(7), value: n(255) }, "Done"),
            (Request::RegisterRead { register: small, index: 7 }, "Cell(255)"),
            (
                Request::RegisterRead { register: small, index: 8 },
                "! there is no cell 8 of register `I.small`",
            ),
            (
                Request::RegisterWrite { register: small, index: None, value: n(256) },
                "! 0x100 does not fit into the 8 bit(s) of register `I.small`",
            ),
            (Request::RegisterReadAll { register: small }, "Cells([0, 0, 0, 0, 0, 0, 0, 255])"),
            (
                Request::RegisterReadAll { register: sparse },
                "! register `I.sparse` has 3000000 cells; at most 1048576 are read at once",
            ),
            (
                Request::MeterSetRates { meter: meters, index: Some(5), rates: rates(1.0, 2.0) },
                "Done",
            ),
            (
                Request::MeterSetRates { meter: meters, index: Some(6), rates: None },
                "! there is no meter 6 of `I.meters`",
            ),
            (
                Request::MeterSetRates { meter: meters, index: None, rates: rates(1.0, -2.0) },
                "! a meter's rate is a number from 0 on",
            ),
            (
                Request::MeterSetRates { meter: meters, index: None, rates: rates(f64::NAN, 2.0) },
                "! a meter's rate is a number from 0 on",
            ),
            (Request::MeterReadRates { meter: meters, index: 0 }, "Rates(None)"),
        ]
    });
}

#[test]
fn value_sets_sessions_and_multicast_groups() {
    check(|names| {
        let ports = names.0.value_set("ports").expect("a value set");
        let add = |value| Request::ValueSetAdd { set: ports, member: vec![exact(value)] };
        let node = NodeHandle;
        vec![
            (add(1), "Done"),
            (add(1), "! table `P.ports` has an entry with the same key already"),
            (
                add(0x1_0000),
                "! 0x10000 does not fit into the 16 bit(s) of key `value` of `P.ports`",
            ),
            (add(2), "Done"),
            (add(3), "Done"),
            (add(4), "Done"),
            (add(5), "! value set `P.ports` is full: its size is 4"),
            (
                Request::ValueSetRemove { set: ports, member: vec![exact(9)] },
                "! there is no such member of value set `P.ports`",
            ),
            (Request::MirrorDelete { session: 3 }, "! there is no mirroring session 3"),
            (Request::Mirror { session: 3 }, "Mirror(None)"),
            (Request::MulticastGroupCreate { group: 1 }, "Done"),
            (Request::MulticastGroupCreate { group: 1 }, "! multicast group 1 exists already"),
            (Request::MulticastGroupCreate { group: 0 }, "! multicast group 0 stands for no group"),
            (
                Request::MulticastNodeCreate { replication_id: 5, ports: vec![1, 2] },
                "Node(NodeHandle(0))",
            ),
            (
                Request::MulticastNodeAssociate { group: 2, node: node(0) },
                "! there is no multicast group 2",
            ),
            (
                Request::MulticastNodeAssociate { group: 1, node: node(1) },
                "! there is no multicast node 1",
            ),
            (Request::MulticastNodeAssociate { group: 1, node: node(0) }, "Done"),
            (
                Request::MulticastNodeDissociate { group: 2, node: node(0) },
                "! there is no multicast group 2",
            ),
            (Request::MulticastNodeDestroy { node: node(0) }, "Done"),
        ]
    });
}

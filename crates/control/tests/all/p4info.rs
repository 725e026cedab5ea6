//! P4Info of a program that has one of everything, against values worked out by hand.

use std::path::Path;
use ww_control::p4info::proto::{self, P4Info, match_field, p4_data_type_spec::TypeSpec};
use ww_control::p4info::{Format, encode, p4info};
use ww_p4::frontend::compile_text;

const PROGRAM: &str = r#"
#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>

@p4runtime_translation("example.org/port", string)
type bit<9> port_id_t;
@p4runtime_translation("example.org/vrf", 32)
type bit<10> vrf_t;
type bit<4> cell_t;
enum bit<8> proto_t { TCP = 6, UDP = 17 }

@controller_header("packet_in")
header packet_in_t { port_id_t ingress_port; @id(7) bit<7> pad; bit<1> more; }
header h_t { bit<32> dst; bit<16> port; proto_t proto; vrf_t vrf; bit<8> r; }
struct headers_t { h_t h; }
struct metadata_t { bit<8> m; }
struct note_t { bit<32> dst; proto_t proto; bool flag; }
struct kinds_t { @match(ternary) bit<16> port; bit<8> kind; }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    value_set<kinds_t>(4) kinds;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.port, hdr.h.r) { kinds: accept; _: accept; }
    }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Sub(inout headers_t hdr) {
    action touch() { hdr.h.r = 1; }
    table t { key = { hdr.h.r : exact; } actions = { touch; } }
    apply { t.apply(); }
}
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    counter<cell_t>(16, CounterType.packets_and_bytes) c;
    direct_counter(CounterType.bytes) dc;
    meter<bit<4>>(16, MeterType.packets) m;
    direct_meter<bit<8>>(MeterType.bytes) dm;
    register<bit<48>, bit<4>>(8) r;
    @max_group_size(64) action_selector(HashAlgorithm.crc16, 128, 14) sel;
    @brief("Sends it.") action send(@id(3) port_id_t port, vrf_t vrf) { sm.egress_spec = (bit<9>) port; }
    action drop() { mark_to_drop(sm); }
    @id(0x02000abc) @sai("x", 5) @structured[1, "two", true]
    table route {
        key = {
            hdr.h.dst : lpm;
            hdr.h.proto : exact @name("kind");
            hdr.h.vrf : ternary @id(9);
            hdr.h.port : range;
            hdr.h.r : optional;
        }
        actions = { send; @tableonly drop; @defaultonly NoAction; }
        const default_action = NoAction();
        counters = dc;
        meters = dm;
        size = 2000;
        support_timeout = true;
    }
    table ecmp {
        key = { hdr.h.dst : exact; hdr.h.port : selector; }
        actions = { send; }
        implementation = sel;
    }
    @hidden table internal { actions = { NoAction; } }
    table fixed {
        key = { hdr.h.r : exact; }
        actions = { drop; NoAction; }
        const entries = { 1 : drop(); }
    }
    Sub() one;
    Sub() two;
    apply {
        route.apply(); ecmp.apply(); internal.apply(); fixed.apply(); one.apply(hdr); two.apply(hdr);
        dm.read(meta.m);
        digest<note_t>(1, { hdr.h.dst, hdr.h.proto, true });
    }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }

@pkginfo(name="all.p4", version="1.2")
V1Switch(P(), V(), I(), E(), C(), D()) main;
"#;

fn info_of(text: &str) -> (P4Info, Vec<String>) {
    let compilation = compile_text(Path::new("all.p4"), text.to_owned(), &Default::default());
    let mut diagnostics = compilation.diagnostics;
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&compilation.sources, false));
    let info = p4info(&compilation.program, &mut diagnostics);
    let errors = diagnostics
        .iter()
        .filter(|d| d.severity == ww_p4::diagnostic::Severity::Error)
        .map(|d| d.message.clone())
        .collect();
    (info, errors)
}

fn table<'i>(info: &'i P4Info, name: &str) -> &'i proto::Table {
    let named = |t: &&proto::Table| t.preamble.as_ref().is_some_and(|p| p.name == name);
    info.tables.iter().find(named).unwrap_or_else(|| panic!("no table {name}"))
}

fn named(name: &str) -> Option<proto::P4NamedType> {
    Some(proto::P4NamedType { name: name.into() })
}

#[test]
fn tables() {
    let (info, errors) = info_of(PROGRAM);
    assert!(errors.is_empty(), "{errors:?}");
    let names: Vec<_> =
        info.tables.iter().flat_map(|t| &t.preamble).map(|p| (&*p.name, &*p.alias)).collect();
    let expected = [
        ("I.route", "route"),
        ("I.ecmp", "ecmp"),
        ("I.fixed", "fixed"),
        ("I.one.t", "one.t"),
        ("I.two.t", "two.t"),
    ];
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted);

    let route = table(&info, "I.route");
    let preamble = route.preamble.as_ref().expect("preamble");
    assert_eq!(preamble.id, 0x0200_0abc);
    assert_eq!(preamble.annotations, [r#"@sai("x", 5)"#]);
    assert_eq!(preamble.structured_annotations[0].name, "structured");
    let fields: Vec<_> = route
        .match_fields
        .iter()
        .map(|f| {
            let kind = match &f.r#match {
                Some(match_field::Match::MatchType(kind)) => *kind,
                _ => 0,
            };
            (f.id, &*f.name, f.bitwidth, kind, f.type_name.as_ref().map(|n| &*n.name))
        })
        .collect();
    // Match types: exact 2, lpm 3, ternary 4, range 5, optional 6.
    let expected = [
        (1, "hdr.h.dst", 32, 3, None),
        (2, "kind", 8, 2, None),
        (9, "hdr.h.vrf", 32, 4, Some("vrf_t")),
        (10, "hdr.h.port", 16, 5, None),
        (11, "hdr.h.r", 8, 6, None),
    ];
    assert_eq!(fields, expected);
    // Scopes: both 0, table only 1, default only 2.
    let scopes: Vec<_> = route.action_refs.iter().map(|a| (a.id, a.scope)).collect();
    let id = |name: &str| {
        let named = |a: &&proto::Action| a.preamble.as_ref().is_some_and(|p| p.name == name);
        let action = info.actions.iter().find(named).unwrap_or_else(|| panic!("no action {name}"));
        action.preamble.as_ref().map_or(0, |p| p.id)
    };
    assert_eq!(scopes, [(id("I.send"), 0), (id("I.drop"), 1), (id("NoAction"), 2)]);
    assert_eq!(id("NoAction"), 21_257_015);
    assert_eq!(route.const_default_action_id, 21_257_015);
    assert_eq!((route.size, route.idle_timeout_behavior), (2000, 1));
    assert_eq!(route.direct_resource_ids.len(), 2);
    assert!(!route.is_const_table && table(&info, "I.fixed").is_const_table);
    assert_eq!(info.direct_counters[0].direct_table_id, 0x0200_0abc);
    assert_eq!(info.direct_meters[0].direct_table_id, 0x0200_0abc);

    let ecmp = table(&info, "I.ecmp");
    assert_eq!(ecmp.match_fields.len(), 1);
    let profile = &info.action_profiles[0];
    let profile_id = profile.preamble.as_ref().map_or(0, |p| p.id);
    assert_eq!(ecmp.implementation_id, profile_id);
    assert_eq!(profile_id >> 24, 0x11);
    assert!(profile.with_selector);
    assert_eq!((profile.size, profile.max_group_size), (128, 64));
    assert_eq!(ecmp.size, 1024);

    let send =
        info.actions.iter().find(|a| a.preamble.as_ref().is_some_and(|p| p.name == "I.send"));
    let send = send.expect("I.send");
    let parameters: Vec<_> = send.params.iter().map(|p| (p.id, &*p.name, p.bitwidth)).collect();
    assert_eq!(parameters, [(3, "port", 0), (4, "vrf", 32)]);
    let doc = send.preamble.as_ref().and_then(|p| p.doc.as_ref());
    assert_eq!(doc.map(|d| &*d.brief), Some("Sends it."));
}

#[test]
fn objects() {
    let (info, _) = info_of(PROGRAM);
    let counter = &info.counters[0];
    assert_eq!((counter.size, counter.spec.as_ref().map(|s| s.unit)), (16, Some(3)));
    assert_eq!(counter.index_type_name, named("cell_t"));
    let meter = &info.meters[0];
    assert_eq!((meter.size, meter.spec.as_ref().map(|s| s.unit)), (16, Some(2)));
    assert_eq!(info.direct_meters[0].spec.as_ref().map(|s| s.unit), Some(1));
    let register = &info.registers[0];
    assert_eq!(register.size, 8);
    let Some(TypeSpec::Bitstring(_)) =
        register.type_spec.as_ref().and_then(|t| t.type_spec.clone())
    else {
        panic!("{register:?}")
    };
    let digest = &info.digests[0];
    let spec = digest.type_spec.as_ref().and_then(|t| t.type_spec.clone());
    assert_eq!(spec, named("note_t").map(TypeSpec::Struct));
    let set = &info.value_sets[0];
    assert_eq!(set.size, 4);
    let fields: Vec<_> = set.r#match.iter().map(|f| (f.id, &*f.name, f.bitwidth)).collect();
    assert_eq!(fields, [(1, "port", 16), (2, "kind", 8)]);
    let header = &info.controller_packet_metadata[0];
    let fields: Vec<_> = header.metadata.iter().map(|m| (m.id, &*m.name, m.bitwidth)).collect();
    assert_eq!(fields, [(1, "ingress_port", 0), (7, "pad", 7), (8, "more", 1)]);

    let types = info.type_info.as_ref().expect("types");
    let members = &types.serializable_enums["proto_t"].members;
    let values: Vec<_> = members.iter().map(|m| (&*m.name, m.value.as_slice())).collect();
    assert_eq!(values, [("TCP", &[6][..]), ("UDP", &[17][..])]);
    assert!(types.new_types.contains_key("cell_t") && types.new_types.contains_key("port_id_t"));
    assert_eq!(types.structs["note_t"].members.len(), 3);
    let package = info.pkg_info.as_ref().expect("package");
    assert_eq!((&*package.arch, &*package.name, &*package.version), ("v1model", "all.p4", "1.2"));
}

#[test]
fn every_format_of_every_object() {
    let (info, _) = info_of(PROGRAM);
    let text = String::from_utf8(encode(&info, Format::Text).expect("text")).expect("UTF-8");
    assert!(text.contains("name: \"I.route\"") && text.contains("match_type: LPM"), "{text}");
    encode(&info, Format::Json).expect("JSON");
    assert!(encode(&info, Format::Text) == encode(&info_of(PROGRAM).0, Format::Text));
}

#[test]
fn wrong_ids() {
    let (_, errors) = info_of(&PROGRAM.replace("0x02000abc", "0x01000abc"));
    assert!(errors.len() == 1 && errors[0].contains("`@id` of `I.route` must have 0x02"));
    let twice = PROGRAM.replace("table fixed", "@id(0xabc) table fixed");
    let (_, errors) = info_of(&twice);
    assert!(errors.len() == 1 && errors[0].contains("is used by another object"), "{errors:?}");
}

// `...` initialises members with the defaults of their types, alone or after explicit members.
#include <core.p4>
#include <v1model.p4>

enum Mode { First, Second }
enum bit<8> Level { LOW = 5, HIGH = 9 }
struct nested_t { bit<8> v; }
struct all_t {
    bit<8> u;
    bool b;
    int<8> s;
    Mode m;
    Level l;
    error err;
    tuple<bit<8>, bit<8>> t;
    nested_t n;
}
header in_t { bit<8> x; }
header out_t {
    bit<8> du; bit<8> db; int<8> ds; bit<8> dm; bit<8> dl; bit<8> derr; bit<16> dt; bit<8> dn;
    bit<8> eu; int<8> es;
    bit<8> fu; bit<8> fb; int<8> fs;
    bit<8> gu; bit<8> gn;
}

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        all_t d = ...;
        hdr.o.du = d.u;
        hdr.o.db = d.b ? 8w1 : 8w0;
        hdr.o.ds = d.s;
        hdr.o.dm = d.m == Mode.First ? 8w1 : 8w0;
        hdr.o.dl = (bit<8>)d.l;
        hdr.o.derr = d.err == error.NoError ? 8w1 : 8w0;
        hdr.o.dt = d.t[0] ++ d.t[1];
        hdr.o.dn = d.n.v;
        all_t e = { u = hdr.i.x, ... };
        hdr.o.eu = e.u;
        hdr.o.es = e.s;
        all_t f = { hdr.i.x, true, ... };
        hdr.o.fu = f.u;
        hdr.o.fb = f.b ? 8w1 : 8w0;
        hdr.o.fs = f.s;
        all_t g = { n = ..., u = 3, ... };
        hdr.o.gu = g.u;
        hdr.o.gn = g.n.v;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

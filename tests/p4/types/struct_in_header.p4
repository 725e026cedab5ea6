// A header with nested struct fields of bits, booleans and signed integers is laid out in
// declaration order.
#include <core.p4>
#include <v1model.p4>

struct flags_t { bool a; bool b; bit<2> n; }
struct addr_t { bit<8> hi; bit<8> lo; }
header in_t { bit<4> ver; flags_t flags; addr_t addr; int<8> s; }

struct headers_t {
    in_t i;
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
        flags_t f = hdr.i.flags;
        hdr.i.flags.a = f.b;
        hdr.i.flags.b = f.a;
        hdr.i.flags.n = f.n + 1;
        hdr.i.addr = { hdr.i.addr.lo, hdr.i.addr.hi };
        hdr.i.s = -hdr.i.s;
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
        pkt.emit(hdr.i);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

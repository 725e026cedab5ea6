// Struct assignment copies all fields, nested ones too; later writes to the source do not show in
// the copy.
#include <core.p4>
#include <v1model.p4>

struct point_t { bit<8> x; bit<8> y; }
struct line_t { point_t origin; point_t end; }
header in_t { bit<8> x; bit<8> y; bit<8> u; bit<8> v; }
header out_t { bit<8> ax; bit<8> ay; bit<8> px; bit<8> l2x; bit<8> l2y; bit<8> ly; }

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
        point_t p;
        p.x = hdr.i.x;
        p.y = hdr.i.y;
        point_t a = p;
        line_t l;
        l.origin = p;
        l.end = { hdr.i.u, hdr.i.v };
        line_t l2;
        l2 = l;
        p.x = 0xf0;
        l.end.y = 0x99;
        hdr.o.ax = a.x;
        hdr.o.ay = a.y;
        hdr.o.px = p.x;
        hdr.o.l2x = l2.origin.x;
        hdr.o.l2y = l2.end.y;
        hdr.o.ly = l.end.y;
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

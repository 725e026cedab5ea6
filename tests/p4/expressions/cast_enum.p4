// Casts between a serializable enum and its underlying type, explicit and implicit, also for unnamed
// values.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Color { RED = 3, GREEN = 7, BLUE = 200 }
enum int<8> Delta { DOWN = -1, UP = 1 }
header in_t { bit<8> x; }
header out_t { bit<8> g; bit<8> back; bit<8> plus; int<16> down; bit<8> sh; bit<8> hit; Color sum; }

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
        Color c = (Color)hdr.i.x;
        hdr.o.g = (bit<8>)Color.GREEN;
        hdr.o.back = (bit<8>)c;
        hdr.o.plus = Color.GREEN + hdr.i.x;
        hdr.o.down = (int<16>)(int<8>)Delta.DOWN;
        hdr.o.sh = Color.BLUE >> 3;
        hdr.o.hit = c == Color.GREEN ? 8w1 : 8w0;
        hdr.o.sum = (Color)(Color.RED + Color.GREEN);
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

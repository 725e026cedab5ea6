// A header that becomes valid again has fields of zero, of every kind.
#include <core.p4>
#include <v1model.p4>

enum bit<8> color_t { RED = 1, BLUE = 2 }
struct pair_t { bit<4> a; bit<4> b; }
header mixed_t { bool flag; bit<7> rest; pair_t pair; color_t color; varbit<32> options; }
header size_t { bit<8> bytes; }

struct headers_t {
    size_t size;
    mixed_t mixed;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.size);
        pkt.extract(hdr.mixed, (bit<32>) hdr.size.bytes * 8);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.size.bytes > 1) {
            hdr.mixed.setInvalid();
            hdr.mixed.setValid();
        }
        if (hdr.size.bytes == 3) { hdr.mixed.pair.b = 9; }
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
        pkt.emit(hdr.size);
        pkt.emit(hdr.mixed);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

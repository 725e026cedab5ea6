// Arguments of a control that overlap (a header and one of its fields): copies
// in, and copies out from left to right at the end of the call.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> x;
    bit<8> y;
    bit<8> z;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control FieldLast(inout h_t h, inout bit<8> x, in bit<8> old) {
    apply {
        h.x = 0x11;
        h.y = x;
        x = x + 0x22;
        h.z = old;
    }
}

control HeaderLast(inout bit<8> x, inout h_t h) {
    apply {
        x = 0x99;
        h.y = h.x;
        h.z = x;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    FieldLast() field_last;
    HeaderLast() header_last;
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.z == 0) {
            field_last.apply(hdr.h, hdr.h.x, hdr.h.x);
        } else {
            header_last.apply(hdr.h.x, hdr.h);
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

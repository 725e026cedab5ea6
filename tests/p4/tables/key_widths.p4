// Exact and ternary keys of 1, 9, 48 and 128 bits: every bit counts, up to the
// highest.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<1>   b1;
    bit<9>   b9;
    bit<6>   pad;
    bit<48>  b48;
    bit<128> b128;
    bit<8>   r;
    bit<8>   s;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

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
    action set_r(bit<8> v) {
        hdr.h.r = v;
    }
    action set_s(bit<8> v) {
        hdr.h.s = v;
    }
    table exacts {
        key = {
            hdr.h.b1: exact;
            hdr.h.b9: exact;
            hdr.h.b48: exact;
            hdr.h.b128: exact;
        }
        actions = {
            set_r;
        }
        default_action = set_r(0xff);
    }
    table ternaries {
        key = {
            hdr.h.b9: ternary;
            hdr.h.b128: ternary;
        }
        actions = {
            set_s;
        }
        default_action = set_s(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        exacts.apply();
        ternaries.apply();
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

// Action data of 1, 9, 48 and 128 bits and of boolean and enum type arrives
// unchanged in the action.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Kind {
    A = 5,
    B = 9
}
header h_t {
    bit<8>   k;
    bit<1>   b1;
    bit<9>   b9;
    bit<6>   pad;
    bit<48>  b48;
    bit<128> b128;
    Kind     kind;
    bit<8>   flag;
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
    action set(bit<1> b1, bit<9> b9, bit<48> b48, bit<128> b128, Kind kind, bool flag) {
        hdr.h.b1 = b1;
        hdr.h.b9 = b9;
        hdr.h.b48 = b48;
        hdr.h.b128 = b128;
        hdr.h.kind = kind;
        hdr.h.flag = flag ? 8w0xf1 : 8w0xf0;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set;
        }
        default_action = set(0, 0x1ff, 1, 2, Kind.A, true);
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
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

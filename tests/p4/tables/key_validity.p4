// The validity of a header, and of an element of a stack, as a key; fields of
// the invalid header beside it as don't care.
#include <core.p4>
#include <v1model.p4>

header sel_t {
    bit<8> k;
    bit<8> r;
}
header a_t {
    bit<8> x;
}
struct headers_t {
    sel_t  sel;
    a_t    a;
    a_t[2] s;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.sel);
        transition select(hdr.sel.k) {
            1: first;
            2: second;
            3: third;
            default: accept;
        }
    }
    state first {
        pkt.extract(hdr.a);
        transition accept;
    }
    state second {
        pkt.extract(hdr.s[1]);
        transition accept;
    }
    state third {
        pkt.extract(hdr.a);
        pkt.extract(hdr.s[1]);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(bit<8> v) {
        hdr.sel.r = v;
    }
    table t {
        key = {
            hdr.a.isValid(): exact;
            hdr.s[1].isValid(): exact;
            hdr.a.x: ternary;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
        const entries = {
            (false, false, _): set(1);
            (true, false, 0x10 &&& 0xf0): set(2);
            (true, false, _): set(3);
            (false, true, _): set(4);
            (true, true, _): set(5);
        }
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
        pkt.emit(hdr.sel);
        pkt.emit(hdr.a);
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

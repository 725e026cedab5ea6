// Keys of type bool, of an enum with underlying type, and of type error.
#include <core.p4>
#include <v1model.p4>

error {
    Odd
}
enum bit<8> Kind {
    A = 5,
    B = 9
}
header h_t {
    Kind   kind;
    bit<7> pad;
    bool   flag;
    bit<8> r;
    bit<8> q;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        verify(hdr.h.pad[0:0] == 0, error.Odd);
        transition select(hdr.h.pad) {
            0x10: reject;
            0x20 .. 0x7f: accept;
            0: accept;
        }
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(bit<8> v) {
        hdr.h.r = v;
    }
    action mark(bit<8> v) {
        hdr.h.q = v;
    }
    table kinds {
        key = {
            hdr.h.kind: exact;
            hdr.h.flag: exact;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    table errors {
        key = {
            smeta.parser_error: exact;
        }
        actions = {
            mark;
        }
        default_action = mark(0xff);
        const entries = {
            error.NoError: mark(1);
            error.NoMatch: mark(2);
            error.Odd: mark(3);
        }
    }
    apply {
        smeta.egress_spec = 1;
        kinds.apply();
        errors.apply();
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

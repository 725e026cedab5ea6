// The l-value of an out or inout argument is fixed before the call: changing
// the index during the call does not move the place of the copy-out.
#include <core.p4>
#include <v1model.p4>

header n_t {
    bit<8> i;
}
header h_t {
    bit<8> v;
}
struct headers_t {
    n_t    n;
    h_t[3] s;
}
struct meta_t { }

bit<8> next_index(inout bit<8> i) {
    i = i + 1;
    return i;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.n);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(inout bit<8> v, in bit<8> x) {
        v = v + x;
    }
    action move(out bit<8> v, inout bit<8> i) {
        i = 2;
        v = 0xee;
    }
    apply {
        smeta.egress_spec = 1;
        if (hdr.n.i == 0) {
            // s[0] is chosen before next_index makes the index 1.
            set(hdr.s[hdr.n.i].v, next_index(hdr.n.i));
        } else {
            move(hdr.s[hdr.n.i].v, hdr.n.i);
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
        pkt.emit(hdr.n);
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

// Parsers with constructor parameters: each instance has its own compile-time
// values.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
}
header opt_t {
    bit<8> v;
}
struct headers_t {
    h_t   h;
    opt_t o1;
    opt_t o2;
}
struct meta_t { }

parser Sub(packet_in p, in bit<8> k, out opt_t opt, out bit<8> r)
          (bool optional_support, bit<8> wanted, bit<8> result) {
    state start {
        r = 0;
        transition select(optional_support, k) {
            (true, wanted): option;
            default: accept;
        }
    }
    state option {
        p.extract(opt);
        r = result;
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Sub(true, 5, 0x55) five;
    Sub(wanted = 6, optional_support = true, result = 0x66) six;
    Sub(false, 7, 0x77) never;
    state start {
        pkt.extract(hdr.h);
        five.apply(pkt, hdr.h.k, hdr.o1, hdr.h.r);
        six.apply(pkt, hdr.h.k, hdr.o2, hdr.h.s);
        transition select(hdr.h.k) {
            7: seven;
            default: accept;
        }
    }
    state seven {
        never.apply(pkt, hdr.h.k, hdr.o1, hdr.h.r);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        smeta.egress_spec = 1;
        // Dropped from the packet so that extraction is visible in the bytes.
        hdr.o1.setInvalid();
        hdr.o2.setInvalid();
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
        pkt.emit(hdr.o1);
        pkt.emit(hdr.o2);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

// A header passed as out to a control starts invalid in it and comes back
// invalid when the control does not make it valid; a struct of headers
// likewise; in parameters stay as they were at the call.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct two_t {
    h_t    a;
    h_t[2] s;
}
struct headers_t {
    h_t   h;
    two_t two;
    h_t   g;
}
struct meta_t { }

control Make(in bit<8> k, out h_t g, out bit<8> was_valid) {
    apply {
        was_valid = g.isValid() ? 8w1 : 8w0;
        if (k == 1) {
            g.setValid();
            g.k = 0x61;
            g.r = 0x62;
        }
    }
}

control Nothing(out two_t t) {
    apply {
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.two.a);
        pkt.extract(hdr.two.s[0]);
        pkt.extract(hdr.two.s[1]);
        pkt.extract(hdr.g);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    Make() make;
    Nothing() nothing;
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.k <= 1) {
            make.apply(hdr.h.k, hdr.g, hdr.h.r);
        } else {
            nothing.apply(hdr.two);
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
        pkt.emit(hdr.two);
        pkt.emit(hdr.g);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

// A stack passed to a sub-parser as inout keeps its nextIndex: two calls fill
// consecutive elements.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
}
header r_t {
    bit<8> valid;
}
struct headers_t {
    r_t    r;
    h_t[4] s;
}
struct meta_t { }

parser Two(packet_in p, inout h_t[4] s) {
    state start {
        p.extract(s.next);
        transition select(s.last.k) {
            0: accept;
            _: more;
        }
    }
    state more {
        p.extract(s.next);
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Two() two;
    state start {
        two.apply(pkt, hdr.s);
        two.apply(pkt, hdr.s);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.r.setValid();
        hdr.r.valid = 4w0 ++ (bit<1>)hdr.s[3].isValid() ++ (bit<1>)hdr.s[2].isValid() ++
                      (bit<1>)hdr.s[1].isValid() ++ (bit<1>)hdr.s[0].isValid();
        smeta.egress_spec = 1;
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
        pkt.emit(hdr.r);
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

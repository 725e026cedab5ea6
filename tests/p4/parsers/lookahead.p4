// lookahead returns the next bits, first bit on the wire most significant, for
// bit strings, headers and structs, and does not move the cursor.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  b0;
    bit<8>  b1;
    bit<8>  b2;
}
header peek_t {
    bit<4>  x;
    bit<12> y;
    bit<8>  z;
}
struct part_t {
    bit<2> p;
    bool   q;
    bit<5> s;
}
header r_t {
    bit<8>  nibble;
    bit<16> twelve;
    bit<16> word;
    bit<16> y;
    bit<8>  z;
    bit<8>  valid;
    bit<8>  p;
    bit<8>  q;
    bit<8>  s;
}
struct headers_t {
    r_t r;
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        bit<4> n = pkt.lookahead<bit<4>>();
        bit<12> t = pkt.lookahead<bit<12>>();
        hdr.r.setValid();
        hdr.r.nibble = (bit<8>)n;
        hdr.r.twelve = (bit<16>)t;
        hdr.r.word = pkt.lookahead<bit<16>>();
        peek_t k = pkt.lookahead<peek_t>();
        hdr.r.y = (bit<16>)k.y;
        hdr.r.z = k.z;
        hdr.r.valid = 7w0 ++ (bit<1>)k.isValid();
        part_t part = pkt.lookahead<part_t>();
        hdr.r.p = (bit<8>)part.p;
        hdr.r.q = 7w0 ++ (bit<1>)part.q;
        hdr.r.s = (bit<8>)part.s;
        transition select(pkt.lookahead<bit<8>>()) {
            0xa5: take;
            default: accept;
        }
    }
    state take {
        pkt.extract(hdr.h);
        hdr.h.b2 = hdr.h.b2 ^ 0xff;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

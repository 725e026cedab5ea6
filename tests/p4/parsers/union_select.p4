// Header unions in a parser: extracting one member makes it and the union
// valid, the other members are invalid, and emit writes the one valid member.
#include <core.p4>
#include <v1model.p4>

header sel_t {
    bit<8> k;
    bit<8> state;
}
header small_t {
    bit<8> x;
}
header big_t {
    bit<24> y;
}
header_union u_t {
    small_t small;
    big_t   big;
}
struct headers_t {
    sel_t sel;
    u_t   u;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.sel);
        transition select(hdr.sel.k) {
            1: one;
            2: two;
            3: replace;
            default: accept;
        }
    }
    state one {
        pkt.extract(hdr.u.small);
        transition accept;
    }
    state two {
        pkt.extract(hdr.u.big);
        transition accept;
    }
    state replace {
        // The second extract replaces the member that was valid.
        pkt.extract(hdr.u.small);
        pkt.extract(hdr.u.big);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.sel.state = 5w0 ++ (bit<1>)hdr.u.isValid() ++ (bit<1>)hdr.u.big.isValid() ++
                        (bit<1>)hdr.u.small.isValid();
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
        pkt.emit(hdr.sel);
        pkt.emit(hdr.u);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

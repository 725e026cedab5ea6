// When a sub-parser rejects, the calling parser is in reject too: the
// statements behind the call are not executed and the sub-parser's error is
// the one reported.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> valid;
}
header h_t {
    bit<8> k;
}
struct headers_t {
    status_t st;
    h_t      a;
    h_t      b;
    h_t      c;
}
struct meta_t {
    bit<8> after;
}
error {
    BadOption
}

bit<8> code(in error e) {
    if (e == error.NoError) { return 0; }
    if (e == error.PacketTooShort) { return 1; }
    if (e == error.NoMatch) { return 2; }
    if (e == error.BadOption) { return 0x40; }
    return 0xee;
}

parser Inner(packet_in p, in bit<8> k) {
    state start {
        verify(k != 9, error.BadOption);
        transition select(k) {
            0 .. 7: accept;
            8: reject;
            9: accept;
        }
    }
}

parser Outer(packet_in p, in bit<8> k) {
    Inner() inner;
    state start {
        inner.apply(p, k);
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Outer() outer;
    state start {
        pkt.extract(hdr.a);
        outer.apply(pkt, hdr.a.k);
        meta.after = 1;
        pkt.extract(hdr.b);
        transition more;
    }
    state more {
        pkt.extract(hdr.c);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.st.setValid();
        hdr.st.err = code(smeta.parser_error);
        hdr.st.valid = 4w0 ++ meta.after[0:0] ++ (bit<1>)hdr.c.isValid() ++
                       (bit<1>)hdr.b.isValid() ++ (bit<1>)hdr.a.isValid();
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
        pkt.emit(hdr.st);
        pkt.emit(hdr.a);
        pkt.emit(hdr.b);
        pkt.emit(hdr.c);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

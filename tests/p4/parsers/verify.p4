// verify with a user-defined error stops the parser at once when its condition
// is false and does nothing when it is true.
#include <core.p4>
#include <v1model.p4>

error {
    BadVersion,
    BadLength
}
error {
    BadSum
}
header status_t {
    bit<8> err;
    bit<8> steps;
}
header h_t {
    bit<4> version;
    bit<4> len;
    bit<8> sum;
}
struct headers_t {
    status_t st;
    h_t      a;
    h_t      b;
}
struct meta_t {
    bit<8> steps;
}

bit<8> code(in error e) {
    if (e == error.NoError) { return 0; }
    if (e == error.BadVersion) { return 0x51; }
    if (e == error.BadLength) { return 0x52; }
    if (e == error.BadSum) { return 0x53; }
    return 0xee;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.a);
        verify(hdr.a.version == 4, error.BadVersion);
        meta.steps = meta.steps | 1;
        verify(hdr.a.len >= 5, error.BadLength);
        meta.steps = meta.steps | 2;
        transition sum;
    }
    state sum {
        error wanted = error.BadSum;
        verify(hdr.a.sum[0:0] == 0, wanted);
        meta.steps = meta.steps | 4;
        pkt.extract(hdr.b);
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
        hdr.st.steps = meta.steps | ((bit<1>)hdr.b.isValid() ++ 7w0);
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
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

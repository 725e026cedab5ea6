// A lookahead beyond the end of the packet rejects with PacketTooShort; the
// target keeps its value and the packet its bytes.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> valid;
    bit<8> seen;
}
header h_t {
    bit<8> k;
}
struct headers_t {
    status_t st;
    h_t      a;
    h_t      b;
}
struct meta_t {
    bit<8> seen;
}

// One byte per parser error, so that the error can be seen in the output.
bit<8> err_code(in error e) {
    if (e == error.NoError) { return 0; }
    if (e == error.PacketTooShort) { return 1; }
    if (e == error.NoMatch) { return 2; }
    if (e == error.StackOutOfBounds) { return 3; }
    if (e == error.HeaderTooShort) { return 4; }
    if (e == error.ParserTimeout) { return 5; }
    if (e == error.ParserInvalidArgument) { return 6; }
    return 0xee;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.a);
        meta.seen = 0x77;
        meta.seen = pkt.lookahead<bit<16>>()[7:0];
        transition more;
    }
    state more {
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
        hdr.st.err = err_code(smeta.parser_error);
        hdr.st.valid = 6w0 ++ (bit<1>)hdr.b.isValid() ++ (bit<1>)hdr.a.isValid();
        hdr.st.seen = meta.seen;
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

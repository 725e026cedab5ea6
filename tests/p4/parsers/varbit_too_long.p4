// A variable part above the declared maximum rejects with HeaderTooShort; one
// that the packet cannot fill with PacketTooShort; in both cases the header
// stays invalid and its bytes stay in the packet.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> valid;
}
header len_t {
    bit<8> n;
}
header v_t {
    bit<8>     head;
    varbit<32> body;
}
struct headers_t {
    status_t st;
    len_t    len;
    v_t      v;
}
struct meta_t { }

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
        pkt.extract(hdr.len);
        transition options;
    }
    state options {
        pkt.extract(hdr.v, (bit<32>)hdr.len.n * 8);
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
        hdr.st.valid = 6w0 ++ (bit<1>)hdr.v.isValid() ++ (bit<1>)hdr.len.isValid();
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
        pkt.emit(hdr.len);
        pkt.emit(hdr.v);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

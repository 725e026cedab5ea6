// extract<T>(_) skips a header of type T: it moves the cursor and needs the
// bytes, but stores nothing.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> valid;
}
header skip_t {
    bit<12> a;
    bit<12> b;
}
header h_t {
    bit<8> k;
}
struct headers_t {
    status_t st;
    h_t      h;
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
        pkt.extract<skip_t>(_);
        transition more;
    }
    state more {
        pkt.extract(hdr.h);
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
        hdr.st.valid = 7w0 ++ (bit<1>)hdr.h.isValid();
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

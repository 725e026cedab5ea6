// A loop without a stack: options are skipped one by one by their own length
// until the end marker.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> count;
}
header end_t {
    bit<8> marker;
    bit<8> data;
}
struct headers_t {
    status_t st;
    end_t    end;
}
struct meta_t {
    bit<8> count;
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
        transition select(pkt.lookahead<bit<8>>()) {
            0: finish;
            default: option;
        }
    }
    state option {
        bit<32> size = (bit<32>)pkt.lookahead<bit<16>>()[7:0];
        verify(size >= 2, error.ParserInvalidArgument);
        meta.count = meta.count + 1;
        pkt.advance(size * 8);
        transition start;
    }
    state finish {
        pkt.extract(hdr.end);
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
        hdr.st.count = meta.count;
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
        pkt.emit(hdr.end);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

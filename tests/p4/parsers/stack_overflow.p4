// Extracting into next of a full stack rejects with StackOutOfBounds; the
// elements extracted before stay and no byte is lost.
#include <core.p4>
#include <v1model.p4>

header status_t {
    bit<8> err;
    bit<8> valid;
}
header label_t {
    bit<7> label;
    bit<1> bos;
}
struct headers_t {
    status_t   st;
    label_t[2] labels;
    label_t    after;
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
        transition labels;
    }
    state labels {
        pkt.extract(hdr.labels.next);
        transition select(hdr.labels.last.bos) {
            0: labels;
            1: after;
        }
    }
    state after {
        pkt.extract(hdr.after);
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
        hdr.st.valid = 5w0 ++ (bit<1>)hdr.after.isValid() ++
                       (bit<1>)hdr.labels[1].isValid() ++ (bit<1>)hdr.labels[0].isValid();
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
        pkt.emit(hdr.labels);
        pkt.emit(hdr.after);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

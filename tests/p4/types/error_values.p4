// User-defined errors: verify, comparison, struct fields, function results; declarations of two
// places are merged.
#include <core.p4>
#include <v1model.p4>

error { Zero }
error { Large }
struct saved_t { error e; bit<8> n; }
header in_t { bit<8> x; }
header out_t { bit<8> code; bit<8> same; }
bit<8> code_of(in error e) {
    if (e == error.NoError) {
        return 0;
    } else if (e == error.Zero) {
        return 1;
    } else if (e == error.Large) {
        return 2;
    }
    return 0xff;
}
error expected(in bit<8> x) {
    return x == 0 ? error.Zero : error.NoError;
}

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        verify(hdr.i.x != 0, error.Zero);
        verify(hdr.i.x < 0x80, error.Large);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        saved_t s = { sm.parser_error, 1 };
        hdr.o.code = code_of(s.e);
        hdr.o.same = s.e == expected(hdr.i.x) ? 8w1 : 8w0;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

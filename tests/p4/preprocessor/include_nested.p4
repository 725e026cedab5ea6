// Includes in double quotes are found beside the including file, also from
// within an included file; an include guard makes the second inclusion empty;
// macros and types of the included file are visible after it.
#include <core.p4>
#include <v1model.p4>
#include "inc/fields.p4h"
#include "inc/consts.p4h"
# include "inc/fields.p4h"

header h_t {
    byte_t a;
    byte_t b;
    wide_t c;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
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
        smeta.egress_spec = OUT_PORT;
        hdr.h.a = FIRST;
        hdr.h.b = plus_second(hdr.h.b);
#ifdef FIELDS_INCLUDED
        hdr.h.c = (wide_t)FIELDS_INCLUDED;
#endif
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

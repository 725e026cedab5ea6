// Numbers of field lists may be written in hexadecimal, as constants and as members of an enum.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> which; bit<8> a; bit<8> b; bit<8> c; bit<8> d; }

struct headers_t {
    h_t h;
}

const bit<8> BY_NAME = 7;

enum bit<8> Lists {
    FIRST = 20,
    SECOND = 21
}

struct meta_t { 
    @field_list(0x10) bit<8> a;
    @field_list(BY_NAME) bit<8> b;
    @field_list(Lists.SECOND, BY_NAME) bit<8> c;
    @field_list(8w10) bit<8> d;
}


parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (sm.instance_type == 0) {
            meta.a = 0xa1;
            meta.b = 0xb2;
            meta.c = 0xc3;
            meta.d = 0xd4;
            if (hdr.h.which == 1) { resubmit_preserving_field_list(16); }
            if (hdr.h.which == 2) { resubmit_preserving_field_list(BY_NAME); }
            if (hdr.h.which == 3) { resubmit_preserving_field_list((bit<8>) Lists.SECOND); }
            if (hdr.h.which == 4) { resubmit_preserving_field_list(10); }
        } else {
            hdr.h.a = meta.a;
            hdr.h.b = meta.b;
            hdr.h.c = meta.c;
            hdr.h.d = meta.d;
        }
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

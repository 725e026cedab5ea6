// User and standard metadata of a fresh packet are zero, and the parser may
// already rely on that.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> p;
    bit<8> i;
    bit<8> s;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<8>   m;
    bool     flag;
    bit<100> wide;
    int<8>   s;
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        hdr.h.p = meta.m + 1;
        meta.m = meta.m + 2;
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.i = meta.m;
        hdr.h.s = 0xff;
        if (!meta.flag && meta.wide == 0 && meta.s == 0
            && sm.egress_spec == 0 && sm.egress_port == 0 && sm.instance_type == 0
            && sm.mcast_grp == 0 && sm.egress_rid == 0 && sm.checksum_error == 0
            && sm.parser_error == error.NoError && sm.priority == 0
            && sm.enq_timestamp == 0 && sm.enq_qdepth == 0
            && sm.deq_timedelta == 0 && sm.deq_qdepth == 0
            && sm.egress_global_timestamp == 0) {
            hdr.h.s = 0;
        }
        meta.m = 0xee;
        meta.flag = true;
        meta.wide = 1;
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;

// `return` inside a `for` leaves the function, action or control around it.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> f; bit<8> g; bit<8> act; bit<8> rest; }

struct headers_t {
    h_t h;
}

struct meta_t { }

bit<8> first(in bit<8> k) {
    for (bit<8> i = 0; i < 5; i = i + 1) {
        if (i == k) { return 0x40 + i; }
    }
    return 0xff;
}

bit<8> second(in bit<8> k) {
    for (bit<8> i = 1; i < 4; i = i + 1) {
        for (bit<8> j = 1; j < 4; j = j + 1) {
            if (i + j > k) { return (i << 4) + j; }
        }
    }
    return 0xee;
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
    action count_up(in bit<8> limit) {
        for (bit<8> i = 0; i < 9; i = i + 1) {
            if (i == limit) { return; }
            hdr.h.act = hdr.h.act + 1;
        }
        hdr.h.act = 0xee;
    }
    apply {
        sm.egress_spec = 1;
        hdr.h.f = first(hdr.h.k);
        hdr.h.g = second(hdr.h.k);
        count_up(hdr.h.k);
        for (bit<8> i = 0; i < 4; i = i + 1) {
            if (hdr.h.k == 2) { return; }
        }
        hdr.h.rest = 0xaa;
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

// Random numbers differ between calls, between call sites and between packets.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> flags; }

struct headers_t {
    h_t h;
}

struct meta_t { }

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
    register<bit<64>>(1) last;
    apply {
        sm.egress_spec = 1;
        bit<64> a;
        bit<64> b;
        bit<64> before;
        random(a, 64w0, 0xffffffffffffffff);
        random(b, 64w0, 0xffffffffffffffff);
        last.read(before, 0);
        last.write(0, a);
        hdr.h.flags = 0;
        if (a != b) { hdr.h.flags[0:0] = 1; }
        if (a != before) { hdr.h.flags[1:1] = 1; }
        bit<64> round_before = 0;
        for (bit<8> i in 8w0 .. 3) {
            bit<64> c;
            random(c, 64w0, 0xffffffffffffffff);
            if (c != round_before) { hdr.h.flags = hdr.h.flags + 0x10; }
            round_before = c;
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

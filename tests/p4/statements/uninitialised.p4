// Variables without initialiser start with the default value of their type, every time.
#include <core.p4>
#include <v1model.p4>

enum kind_t { RED, GREEN }
header out_t { bit<8> loop; bit<8> act; bit<8> fun; bit<8> flags; bit<16> nested; }
struct pair_t { bit<8> a; bool b; }

struct headers_t {
    out_t o;
}

struct meta_t { }

bit<8> next(in bit<8> x) {
    bit<8> v;
    v = v + 1;
    return x + v;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start { transition accept; }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    action accumulate(inout bit<8> sum) {
        bit<8> v;
        sum = sum + v;
        v = 5;
        sum = sum + v;
    }
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.loop = 0x10;
        for (bit<8> i in 8w1 .. 3) {
            bit<8> v;
            hdr.o.loop = hdr.o.loop + v;
            v = i;
        }
        hdr.o.act = 0x20;
        accumulate(hdr.o.act);
        accumulate(hdr.o.act);
        hdr.o.fun = next(0x30);
        hdr.o.fun = next(hdr.o.fun);
        out_t h;
        bool flag;
        pair_t pair;
        kind_t kind;
        hdr.o.flags = 0x80;
        if (h.isValid()) { hdr.o.flags = hdr.o.flags | 1; }
        if (flag) { hdr.o.flags = hdr.o.flags | 2; }
        if (pair.b) { hdr.o.flags = hdr.o.flags | 4; }
        if (kind != kind_t.RED) { hdr.o.flags = hdr.o.flags | 8; }
        hdr.o.nested = 0x4000 + (bit<16>) pair.a;
        // The next packet must not see these.
        h.setValid();
        flag = true;
        pair = { 7, true };
        kind = kind_t.GREEN;
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

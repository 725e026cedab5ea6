// switch on an enum, a signed integer, a serializable enum with an unnamed value, and an error.
#include <core.p4>
#include <v1model.p4>

enum Color { Red, Green, Blue }
enum bit<8> Level { LOW = 1, HIGH = 200 }
header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
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
        Color c = hdr.i.a == 0 ? Color.Red : hdr.i.a == 1 ? Color.Green : Color.Blue;
        hdr.o.r0 = 0;
        switch (c) {
            Color.Red: { hdr.o.r0 = 1; }
            Color.Blue: { hdr.o.r0 = 3; }
            Color.Green: { hdr.o.r0 = 2; }
        }
        switch ((int<8>)hdr.i.b) {
            -1: { hdr.o.r1 = 0x10; }
            127: { hdr.o.r1 = 0x20; }
            -128: { hdr.o.r1 = 0x30; }
            default: { hdr.o.r1 = 0x40; }
        }
        switch ((Level)hdr.i.a) {
            Level.LOW: { hdr.o.r2 = 4; }
            Level.HIGH: { hdr.o.r2 = 5; }
            default: { hdr.o.r2 = 6; }
        }
        switch (sm.parser_error) {
            error.NoError: { hdr.o.r3 = 7; }
            default: { hdr.o.r3 = 8; }
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
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

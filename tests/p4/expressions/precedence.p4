// Operator precedence and associativity: C's, except that &, ^ and | bind tighter than the
// comparisons, and ++ binds like +.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; bit<8> c; }
header out_t {
    bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; bit<8> r5; bit<8> r6; bit<8> r7;
    bit<8> r8; bit<8> r9; bit<8> ra; bit<8> rb; bit<8> rc; bit<8> rd; bit<8> re; bit<8> rf;
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
        bit<8> a = hdr.i.a;
        bit<8> b = hdr.i.b;
        bit<8> c = hdr.i.c;
        // p is true and q, r are false for every packet of the test; they come from the packet all the same.
        bool p = a >= 0;
        bool q = a != a;
        bool r = q;
        hdr.o.r0 = a + b * c;
        hdr.o.r1 = a - b - c;
        hdr.o.r2 = a << b + c;
        hdr.o.r3 = a & b == c ? 8w1 : 8w0;
        hdr.o.r4 = a | b ^ c & a;
        hdr.o.r5 = a |+| b - c;
        hdr.o.r6 = (bit<8>)-a[3:0];
        hdr.o.r7 = ~a & b;
        hdr.o.r8 = p || q && r ? 8w1 : 8w0;
        bit<16> t = (bit<16>)a << 4;
        hdr.o.r9 = t[15:8];
        hdr.o.ra = a >> 1 >> 1;
        bit<16> u = a + b ++ c;
        hdr.o.rb = u[15:8];
        hdr.o.rc = a & b << c;
        hdr.o.rd = a < b == b < c ? 8w1 : 8w0;
        hdr.o.re = a > b ? a : b + c;
        hdr.o.rf = a ^ b < c | 1 ? 8w1 : 8w0;
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

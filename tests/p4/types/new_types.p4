// type and typedef: header fields of new types, casts to and from, equality, chains of types.
#include <core.p4>
#include <v1model.p4>

type bit<16> Port;
type Port Port2;
typedef bit<8> Byte;
typedef Byte Octet;
type bool Flag;
type int<8> Off;
header in_t { Port p; Octet b; Flag f; bit<7> pad; Off o; }
header out_t { Port next; bit<8> eq; bit<16> same; Byte inc; bit<8> inv; int<16> off; }

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
        hdr.o.next = (Port)((bit<16>)hdr.i.p + 1);
        hdr.o.eq = hdr.i.p == (Port)0x1234 ? 8w1 : 8w0;
        Port2 p2 = (Port2)hdr.i.p;
        hdr.o.same = (bit<16>)(Port)p2;
        bit<8> plain = hdr.i.b;
        hdr.o.inc = plain + 1;
        hdr.o.inv = (bool)hdr.i.f ? 8w0 : 8w1;
        hdr.o.off = (int<16>)(int<8>)hdr.i.o;
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

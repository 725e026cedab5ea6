// One extern object of the top level given to two controls through their
// constructors is shared; objects with other type arguments beside it are
// their own.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  k;
    bit<16> a;
    bit<16> b;
    bit<8>  c;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

register<bit<16>>(4) shared;
register<bit<8>>(4) small;

control Add(out bit<16> total)(register<bit<16>> r, bit<32> slot, bit<16> n) {
    apply {
        r.read(total, slot);
        total = total + n;
        r.write(slot, total);
    }
}

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
    Add(shared, 2, 0x0100) hundreds;
    Add(shared, 2, 0x0001) ones;
    Add(shared, 3, 0x0010) other_slot;
    apply {
        smeta.egress_spec = 1;
        hundreds.apply(hdr.h.a);
        if (hdr.h.k == 0) {
            ones.apply(hdr.h.b);
        } else {
            other_slot.apply(hdr.h.b);
        }
        small.write(2, hdr.h.k);
        small.read(hdr.h.c, 2);
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

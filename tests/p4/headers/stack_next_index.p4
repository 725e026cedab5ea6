// push_front and pop_front move nextIndex, which stays between 0 and the size.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> k; }
header elem_t { bit<8> v; }
header out_t { bit<8> last_index; }

struct headers_t {
    in_t i;
    elem_t[4] s;
    out_t o;
}

struct meta_t {
    bit<8> last_index;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        hdr.s.push_front(1);
        pkt.extract(hdr.s.next);
        hdr.s.pop_front(2);
        pkt.extract(hdr.s.next);
        transition select(hdr.i.k) {
            1: clear;
            default: done;
        }
    }
    state clear {
        hdr.s.pop_front(4);
        hdr.s.push_front(9);
        transition done;
    }
    state done {
        meta.last_index = (bit<8>)hdr.s.lastIndex;
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
        hdr.o.last_index = meta.last_index;
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
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

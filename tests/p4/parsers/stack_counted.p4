// A loop over states with a counter from the packet in a local variable of the
// parser; the variable is fresh for each packet.
#include <core.p4>
#include <v1model.p4>

header n_t {
    bit<8> n;
    bit<8> rounds;
}
header item_t {
    bit<8> v;
}
struct headers_t {
    n_t       n;
    item_t[4] items;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    bit<8> left = 0;
    bit<8> rounds = 0x10;
    state start {
        pkt.extract(hdr.n);
        left = hdr.n.n;
        transition next_item;
    }
    state next_item {
        transition select(left) {
            0: done;
            default: item;
        }
    }
    state item {
        pkt.extract(hdr.items.next);
        left = left - 1;
        rounds = rounds + 1;
        transition next_item;
    }
    state done {
        hdr.n.rounds = rounds;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        smeta.egress_spec = 1;
        if (hdr.items[1].isValid()) {
            hdr.items[1].setInvalid();
        }
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
        pkt.emit(hdr.n);
        pkt.emit(hdr.items);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

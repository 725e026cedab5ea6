// Tables, actions, keys and values in all spellings that a test may use.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
header address_t {
    bit<32> net;
    bit<48> station;
    bit<128> host;
}
struct headers_t {
    h_t[2] h;
    address_t address;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h.next);
        pkt.extract(hdr.h.next);
        transition select(hdr.h.last.k) {
            0xad: address;
            default: accept;
        }
    }
    state address {
        pkt.extract(hdr.address);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set_both(bit<8> first, bit<8> second) {
        hdr.h[0].r = first;
        hdr.h[1].r = second;
    }
    action add_one(bit<8> second) {
        hdr.h[1].r = hdr.h[1].r + second;
    }
    action send(bit<9> port) {
        smeta.egress_spec = port;
    }
    table by_element {
        key = {
            hdr.h[0].k: exact;
            hdr.h[1].k: ternary;
        }
        actions = {
            set_both;
            NoAction;
        }
        default_action = NoAction;
    }
    table by_validity {
        key = {
            hdr.address.isValid(): exact;
        }
        actions = {
            add_one;
            NoAction;
        }
        default_action = NoAction;
    }
    table by_address {
        key = {
            hdr.address.net: lpm;
            hdr.address.station: exact;
            hdr.address.host: exact;
        }
        actions = {
            send;
            NoAction;
        }
        default_action = NoAction;
    }
    apply {
        smeta.egress_spec = 1;
        by_element.apply();
        by_validity.apply();
        if (hdr.address.isValid()) {
            by_address.apply();
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
        pkt.emit(hdr);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

// Large tables. Two are keyed by the two addresses: packets wait for both at one time. A third is
// keyed by what the first one found: packets wait once more, but for those that were dropped.

#include <core.p4>
#include <v1model.p4>

header frame_t {
    bit<48> destination;
    bit<48> source;
    bit<32> mark;
}

struct headers_t {
    frame_t frame;
}

struct metadata_t {
    bit<32> next;
}

parser ParserImpl(packet_in packet, out headers_t hdr, inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.frame);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control IngressImpl(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action found(bit<32> next) {
        meta.next = next;
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    table stations {
        key = { hdr.frame.destination: exact; }
        actions = { found; drop; }
        default_action = drop();
        size = 262144;
    }

    action seen(bit<32> number) {
        hdr.frame.mark = hdr.frame.mark ^ number;
    }

    table sources {
        key = { hdr.frame.source: exact; }
        actions = { seen; NoAction; }
        default_action = NoAction();
        size = 262144;
    }

    action send(bit<9> port, bit<32> mark) {
        standard_metadata.egress_spec = port;
        hdr.frame.mark = hdr.frame.mark ^ mark ^ meta.next;
    }

    table routes {
        key = { meta.next: lpm; }
        actions = { send; drop; }
        default_action = send(7, 1);
        size = 262144;
    }

    apply {
        bit<32> before = hdr.frame.mark;
        bool known = stations.apply().hit;
        sources.apply();
        if (known) {
            routes.apply();
            hdr.frame.mark = hdr.frame.mark + before;
            if (before == 0) {
                hdr.frame.source = 1;
            }
        }
    }
}

control EgressImpl(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {}
}

control ComputeImpl(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control DeparserImpl(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.frame);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

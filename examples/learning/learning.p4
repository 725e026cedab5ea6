// A learning Ethernet switch. It tells its controller which addresses it sees at which ports;
// the controller (controller.py) enters them. Frames to unknown addresses go to all other ports.

#include <core.p4>
#include <v1model.p4>

const bit<16> ALL_PORTS = 1; // the multicast group of all ports

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}

struct headers_t {
    ethernet_t ethernet;
}

struct metadata_t {}

// What the controller hears of.
struct seen_t {
    bit<48> address;
    bit<9>  port;
}

parser LearningParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                      inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}

control LearningIngress(inout headers_t hdr, inout metadata_t meta,
                        inout standard_metadata_t std) {
    action tell() {
        digest<seen_t>(1, { hdr.ethernet.src, std.ingress_port });
    }

    action forward(bit<9> port) {
        std.egress_spec = port;
    }

    action flood() {
        std.mcast_grp = ALL_PORTS;
    }

    // Where an address is known to be: a frame from there is no news.
    table sources {
        key = {
            hdr.ethernet.src: exact;
            std.ingress_port: exact;
        }
        actions = { tell; NoAction; }
        default_action = tell();
        size = 4096;
    }

    table destinations {
        key = {
            hdr.ethernet.dst: exact;
        }
        actions = { forward; flood; }
        default_action = flood();
        size = 4096;
    }

    apply {
        if (!hdr.ethernet.isValid()) {
            mark_to_drop(std);
        } else {
            sources.apply();
            destinations.apply();
        }
    }
}

control LearningEgress(inout headers_t hdr, inout metadata_t meta,
                       inout standard_metadata_t std) {
    apply {
        // Never back to where it came from.
        if (std.egress_port == std.ingress_port) {
            mark_to_drop(std);
        }
    }
}

control LearningDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
    }
}

control NoVerify(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control NoUpdate(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

V1Switch(LearningParser(), NoVerify(), LearningIngress(), LearningEgress(), NoUpdate(),
         LearningDeparser()) main;

// Sends a packet where its destination says: to the port in the last byte, or to everybody but where
// it came from if the first bit says that it is a group's.
#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> kind;
}

struct headers_t {
    ethernet_t ethernet;
}

struct metadata_t {
}

parser Read(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard) {
    state start {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}

control Check(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control Forward(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    counter(32, CounterType.packets_and_bytes) arrived;

    apply {
        arrived.count((bit<32>) standard.ingress_port);
        hdr.ethernet.kind = (bit<16>) standard.ingress_port;
#ifdef GROUPS
        if (hdr.ethernet.destination[40:40] == 1) {
            standard.mcast_grp = 1;
        } else {
            standard.egress_spec = (bit<9>) hdr.ethernet.destination[7:0];
        }
#else
        standard.egress_spec = (bit<9>) hdr.ethernet.destination[7:0];
#endif
    }
}

control Leave(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
#ifdef GROUPS
    counter(32, CounterType.packets_and_bytes) departed;
#endif

    apply {
#ifdef GROUPS
        if (standard.egress_port == standard.ingress_port) {
            mark_to_drop(standard);
        } else {
            departed.count((bit<32>) standard.egress_port);
        }
#endif
    }
}

control Sums(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control Emit(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

V1Switch(Read(), Check(), Forward(), Leave(), Sums(), Emit()) main;

// Counts UDP packets by destination port.
//
// The program sits in a wire: what enters by port 0 leaves by port 1 and the
// other way round (2 and 3 likewise). Packets whose Ethernet, IPv4 and UDP
// headers are all present are looked up by destination port; an entry counts
// them in a cell of counter `c1` or drops them. IPv4 options and fragments
// after the first hide the UDP header, so such packets pass uncounted.

#include <core.p4>
#include <v1model.p4>

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<8>  PROTOCOL_UDP   = 17;
const bit<4>  IHL_NO_OPTIONS = 5;

#define N_CELLS 1024

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  diffserv;
    bit<16> totalLen;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragOffset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> hdrChecksum;
    bit<32> srcAddr;
    bit<32> dstAddr;
}

header udp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<16> length;
    bit<16> checksum;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
    udp_t      udp;
}

struct metadata_t {}

parser UdpCountParser(packet_in packet,
                      out headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            ETHERTYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.fragOffset, hdr.ipv4.protocol) {
            (IHL_NO_OPTIONS, 0, PROTOCOL_UDP): parse_udp;
            default: accept;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        transition accept;
    }
}

control UdpCountVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(N_CELLS, CounterType.packets) c1;

    action count(bit<10> cell) {
        c1.count((bit<32>) cell);
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    table udp_ports {
        key = { hdr.udp.dstPort: exact; }
        actions = { count; drop; NoAction; }
        default_action = NoAction();
        size = 1024;
    }

    apply {
        // The other end of the wire.
        standard_metadata.egress_spec = standard_metadata.ingress_port ^ 1;
        if (hdr.ethernet.isValid() && hdr.ipv4.isValid() && hdr.udp.isValid()) {
            udp_ports.apply();
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {}
}

control UdpCountComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control UdpCountDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
    }
}

V1Switch(UdpCountParser(),
         UdpCountVerifyChecksum(),
         ingress(),
         egress(),
         UdpCountComputeChecksum(),
         UdpCountDeparser()) main;

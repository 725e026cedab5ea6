// An IPv4 router with two tables.
//
// The destination address gives the next hop by longest prefix, the next hop
// gives the port and the two MAC addresses of the link behind it. TTL and
// header checksum are updated. Everything else is dropped: what is not IPv4
// without options, what arrives with TTL 0 or 1, what has no route or no
// next hop.

#include <core.p4>
#include <v1model.p4>

typedef bit<48> mac_addr_t;
typedef bit<32> ipv4_addr_t;
typedef bit<9>  port_t;

const bit<16> ETHERTYPE_IPV4 = 0x0800;

header ethernet_t {
    mac_addr_t dstAddr;
    mac_addr_t srcAddr;
    bit<16>    etherType;
}

header ipv4_t {
    bit<4>      version;
    bit<4>      ihl;
    bit<8>      diffserv;
    bit<16>     totalLen;
    bit<16>     identification;
    bit<3>      flags;
    bit<13>     fragOffset;
    bit<8>      ttl;
    bit<8>      protocol;
    bit<16>     hdrChecksum;
    ipv4_addr_t srcAddr;
    ipv4_addr_t dstAddr;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
}

struct metadata_t {
    ipv4_addr_t nexthop;
}

parser RouterParser(packet_in packet,
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
        transition accept;
    }
}

control RouterVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action drop() {
        mark_to_drop(standard_metadata);
    }

    // A route over a router, whose address is the next hop.
    action via(ipv4_addr_t router) {
        meta.nexthop = router;
    }

    // A network that is attached: the destination is its own next hop.
    action attached() {
        meta.nexthop = hdr.ipv4.dstAddr;
    }

    table ipv4_lpm {
        key = { hdr.ipv4.dstAddr: lpm; }
        actions = { via; attached; drop; }
        default_action = drop();
        size = 1024;
    }

    action forward(port_t port, mac_addr_t srcAddr, mac_addr_t dstAddr) {
        standard_metadata.egress_spec = port;
        hdr.ethernet.srcAddr = srcAddr;
        hdr.ethernet.dstAddr = dstAddr;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    // The MAC addresses of next hops.
    table dmac {
        key = { meta.nexthop: exact; }
        actions = { forward; drop; }
        default_action = drop();
        size = 256;
    }

    apply {
        // A packet that arrives with TTL 1 would leave with 0 (RFC 1812,
        // 5.3.1).
        if (hdr.ipv4.isValid() && hdr.ipv4.version == 4 && hdr.ipv4.ihl == 5
            && hdr.ipv4.ttl > 1) {
            switch (ipv4_lpm.apply().action_run) {
                drop: { return; }
            }
            dmac.apply();
        } else {
            drop();
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {}
}

control RouterComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(
            hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control RouterDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(RouterParser(),
         RouterVerifyChecksum(),
         ingress(),
         egress(),
         RouterComputeChecksum(),
         RouterDeparser()) main;

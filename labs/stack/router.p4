// An IPv4 router that tells who asks by ARP (RFC 826) what its addresses are.

#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}

// RFC 826, for IPv4 over Ethernet.
header arp_t {
    bit<16> hardware;
    bit<16> protocol;
    bit<8>  hardware_length;
    bit<8>  protocol_length;
    bit<16> operation;
    bit<48> sender_mac;
    bit<32> sender_ip;
    bit<48> target_mac;
    bit<32> target_ip;
}

// RFC 791 section 3.1, without options.
header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  tos;
    bit<16> total_length;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragment_offset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> checksum;
    bit<32> src;
    bit<32> dst;
}

struct headers_t {
    ethernet_t ethernet;
    arp_t      arp;
    ipv4_t     ipv4;
}

struct metadata_t { }

const bit<16> REQUEST = 1;
const bit<16> REPLY = 2;

parser RouterRead(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            0x0800: ipv4;
            0x0806: arp;
            default: accept;
        }
    }

    state arp {
        packet.extract(hdr.arp);
        transition accept;
    }

    state ipv4 {
        packet.extract(hdr.ipv4);
        transition accept;
    }
}

control RouterVerify(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.tos, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control RouterIngress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    action drop() {
        mark_to_drop(std);
    }

    // Back to who asked: the address that was asked for is at `mac`.
    action tell(bit<48> mac) {
        bit<32> asked = hdr.arp.target_ip;
        hdr.ethernet.dst = hdr.arp.sender_mac;
        hdr.ethernet.src = mac;
        hdr.arp.operation = REPLY;
        hdr.arp.target_mac = hdr.arp.sender_mac;
        hdr.arp.target_ip = hdr.arp.sender_ip;
        hdr.arp.sender_mac = mac;
        hdr.arp.sender_ip = asked;
        std.egress_spec = std.ingress_port;
    }

    // Out of `port`, from our own address to the next hop's.
    action forward(bit<9> port, bit<48> own, bit<48> next_hop) {
        std.egress_spec = port;
        hdr.ethernet.src = own;
        hdr.ethernet.dst = next_hop;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    table own {
        key = { hdr.arp.target_ip : exact; }
        actions = { tell; drop; }
        default_action = drop();
        size = 64;
    }

    table routes {
        key = { hdr.ipv4.dst : lpm; }
        actions = { forward; drop; }
        default_action = drop();
        size = 1024;
    }

    apply {
        if (hdr.arp.isValid() && hdr.arp.operation == REQUEST) {
            own.apply();
        } else if (hdr.ipv4.isValid() && hdr.ipv4.ttl > 1 && std.checksum_error == 0) {
            routes.apply();
        } else {
            drop();
        }
    }
}

control RouterEgress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t std) {
    apply { }
}

control RouterUpdate(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.tos, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control RouterWrite(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.arp);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(RouterRead(), RouterVerify(), RouterIngress(), RouterEgress(), RouterUpdate(),
         RouterWrite()) main;

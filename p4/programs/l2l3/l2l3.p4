// An L2/L3 switch.
//
// Every frame belongs to a VLAN: the one in its 802.1Q tag, or the port's own.
// Frames sent to the router's MAC address are routed (IPv4 and IPv6, longest
// prefix, next-hop indirection, TTL, checksum); all others are bridged inside
// their VLAN, and flooded when the destination is unknown or a group. Two
// ternary access lists come first. ARP requests for the router's own addresses
// are answered by the program itself, so hosts find it without further help.
//
// Why a packet was dropped is counted in `drops`, by DropReason.

#include <core.p4>
#include <v1model.p4>

typedef bit<48>  mac_addr_t;
typedef bit<32>  ipv4_addr_t;
typedef bit<128> ipv6_addr_t;
typedef bit<9>   port_t;
typedef bit<12>  vid_t;
typedef bit<16>  nexthop_id_t;

// Routes for which there is certainly room.
#ifndef IPV4_ROUTES
#define IPV4_ROUTES 4096
#endif
#ifndef IPV6_ROUTES
#define IPV6_ROUTES 2048
#endif
// Stations of the bridge, by VLAN and MAC address, and entries of each access list.
#ifndef STATIONS
#define STATIONS 4096
#endif
#ifndef ACL_IPV4_ENTRIES
#define ACL_IPV4_ENTRIES 512
#endif
#ifndef ACL_IPV6_ENTRIES
#define ACL_IPV6_ENTRIES 256
#endif

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<16> ETHERTYPE_ARP  = 0x0806;
const bit<16> ETHERTYPE_VLAN = 0x8100;
const bit<16> ETHERTYPE_IPV6 = 0x86dd;

const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;

// IPv4 without options (RFC 791: the header length is in 32-bit words).
const bit<4> IHL_NO_OPTIONS = 5;

const bit<16> ARP_REQUEST = 1;
const bit<16> ARP_REPLY   = 2;

// 01-80-C2-00-00-00 to -0F: frames that a bridge never forwards (IEEE 802.1Q,
// Reserved addresses): spanning tree, pause, LACP, LLDP.
const bit<44> RESERVED_GROUP_PREFIX = 0x0180c200000;

// Receivers of digests with these numbers know how to read them.
const bit<32> LEARN_RECEIVER = 1;

// Cells of counter `drops`.
enum bit<8> DropReason {
    PORT_UNKNOWN   = 0,  // no entry in port_config
    VLAN_INGRESS   = 1,  // the port is not a member of the frame's VLAN
    RESERVED_GROUP = 2,  // destination 01-80-C2-00-00-0x
    SOURCE_GROUP   = 3,  // a group address as source
    ACL            = 4,
    NOT_IP         = 5,  // sent to the router, but neither IPv4 nor IPv6
    IP_MALFORMED   = 6,  // wrong version, IHL below 5, wrong header checksum
    IP_OPTIONS     = 7,  // the slow path, which this program does not have
    TTL            = 8,  // TTL or hop limit 0 or 1
    NO_ROUTE       = 9,  // no prefix matches, or the best one says discard
    NO_NEXTHOP     = 10,
    SAME_PORT      = 11, // bridged back to where it came from
    NO_FLOOD       = 12, // the VLAN has no flood group
    VLAN_EGRESS    = 13  // the port it should leave by is not in the VLAN
}

header ethernet_t {
    mac_addr_t dstAddr;
    mac_addr_t srcAddr;
    bit<16>    etherType;
}

header vlan_t {
    bit<3>  pcp;
    bit<1>  dei;
    vid_t   vid;
    bit<16> etherType;
}

header arp_t {
    bit<16>     htype;
    bit<16>     ptype;
    bit<8>      hlen;
    bit<8>      plen;
    bit<16>     oper;
    mac_addr_t  sha;
    ipv4_addr_t spa;
    mac_addr_t  tha;
    ipv4_addr_t tpa;
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

header ipv6_t {
    bit<4>      version;
    bit<8>      trafficClass;
    bit<20>     flowLabel;
    bit<16>     payloadLen;
    bit<8>      nextHdr;
    bit<8>      hopLimit;
    ipv6_addr_t srcAddr;
    ipv6_addr_t dstAddr;
}

// The first four bytes of TCP and of UDP.
header l4_ports_t {
    bit<16> srcPort;
    bit<16> dstPort;
}

struct headers_t {
    ethernet_t ethernet;
    vlan_t     vlan;
    arp_t      arp;
    ipv4_t     ipv4;
    ipv6_t     ipv6;
    l4_ports_t l4;
}

struct metadata_t {
    vid_t        vid;          // the frame's VLAN; changed by routing
    bit<3>       pcp;
    bit<1>       dei;
    bit<1>       routed;
    bit<1>       flooded;
    nexthop_id_t nexthop;
    port_t       station_port; // where the source address was learnt
    bit<16>      l4_src;       // TCP or UDP ports; 0 where there are none
    bit<16>      l4_dst;
}

// Sent to the control plane when a source address is new or has moved.
struct learn_t {
    vid_t      vid;
    mac_addr_t srcAddr;
    port_t     port;
}

parser SwitchParser(packet_in packet,
                    out headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            ETHERTYPE_VLAN: parse_vlan;
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            ETHERTYPE_ARP:  parse_arp;
            default: accept;
        }
    }

    // One tag. A second one is payload: the frame is bridged as it is.
    state parse_vlan {
        packet.extract(hdr.vlan);
        transition select(hdr.vlan.etherType) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            ETHERTYPE_ARP:  parse_arp;
            default: accept;
        }
    }

    state parse_arp {
        packet.extract(hdr.arp);
        transition accept;
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.fragOffset, hdr.ipv4.protocol) {
            (IHL_NO_OPTIONS, 0, PROTOCOL_TCP): parse_l4;
            (IHL_NO_OPTIONS, 0, PROTOCOL_UDP): parse_l4;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.nextHdr) {
            PROTOCOL_TCP: parse_l4;
            PROTOCOL_UDP: parse_l4;
            default: accept;
        }
    }

    state parse_l4 {
        packet.extract(hdr.l4);
        meta.l4_src = hdr.l4.srcPort;
        meta.l4_dst = hdr.l4.dstPort;
        transition accept;
    }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(
            hdr.ipv4.isValid() && hdr.ipv4.ihl == IHL_NO_OPTIONS,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(16, CounterType.packets) drops;
    direct_counter(CounterType.packets_and_bytes) acl_ipv4_hits;
    direct_counter(CounterType.packets_and_bytes) acl_ipv6_hits;

    action drop(DropReason reason) {
        mark_to_drop(standard_metadata);
        drops.count((bit<32>) (bit<8>) reason);
    }

    // ---- Ports and VLANs ----------------------------------------------

    action set_port(vid_t pvid) {
        meta.vid = pvid;
    }

    table port_config {
        key = { standard_metadata.ingress_port: exact; }
        actions = { set_port; NoAction; }
        default_action = NoAction();
        size = 512;
    }

    // Members of a VLAN, as seen from the port of arrival.
    table vlan_ingress {
        key = {
            standard_metadata.ingress_port: exact;
            meta.vid: exact;
        }
        actions = { NoAction; }
        default_action = NoAction();
        size = 4096;
    }

    // ---- Access lists -------------------------------------------------

    action permit() {}

    action deny() {
        drop(DropReason.ACL);
    }

    table acl_ipv4 {
        key = {
            standard_metadata.ingress_port: ternary;
            hdr.ipv4.srcAddr: ternary;
            hdr.ipv4.dstAddr: ternary;
            hdr.ipv4.protocol: ternary;
            meta.l4_src: ternary;
            meta.l4_dst: ternary;
        }
        actions = { permit; deny; }
        default_action = permit();
        counters = acl_ipv4_hits;
        size = ACL_IPV4_ENTRIES;
    }

    table acl_ipv6 {
        key = {
            standard_metadata.ingress_port: ternary;
            hdr.ipv6.srcAddr: ternary;
            hdr.ipv6.dstAddr: ternary;
            hdr.ipv6.nextHdr: ternary;
            meta.l4_dst: ternary;
        }
        actions = { permit; deny; }
        default_action = permit();
        counters = acl_ipv6_hits;
        size = ACL_IPV6_ENTRIES;
    }

    // ---- Bridging -----------------------------------------------------

    action station(port_t port) {
        meta.station_port = port;
    }

    table smac {
        key = {
            meta.vid: exact;
            hdr.ethernet.srcAddr: exact;
        }
        actions = { station; NoAction; }
        default_action = NoAction();
        size = STATIONS;
    }

    action forward(port_t port) {
        standard_metadata.egress_spec = port;
    }

    table dmac {
        key = {
            meta.vid: exact;
            hdr.ethernet.dstAddr: exact;
        }
        actions = { forward; NoAction; }
        default_action = NoAction();
        size = STATIONS;
    }

    action broadcast(bit<16> group) {
        standard_metadata.mcast_grp = group;
        meta.flooded = 1;
    }

    action no_flood() {
        drop(DropReason.NO_FLOOD);
    }

    table flood {
        key = { meta.vid: exact; }
        actions = { broadcast; no_flood; }
        default_action = no_flood();
        size = 4096;
    }

    // ---- The router ---------------------------------------------------

    // Answers in place of the router's interface `mac`, whose address is
    // being asked for (RFC 826).
    action arp_reply(mac_addr_t mac) {
        ipv4_addr_t asked = hdr.arp.tpa;
        hdr.ethernet.dstAddr = hdr.arp.sha;
        hdr.ethernet.srcAddr = mac;
        hdr.arp.oper = ARP_REPLY;
        hdr.arp.tha = hdr.arp.sha;
        hdr.arp.tpa = hdr.arp.spa;
        hdr.arp.sha = mac;
        hdr.arp.spa = asked;
        standard_metadata.egress_spec = standard_metadata.ingress_port;
    }

    table arp_responder {
        key = {
            meta.vid: exact;
            hdr.arp.tpa: exact;
        }
        actions = { arp_reply; NoAction; }
        default_action = NoAction();
        size = 256;
    }

    // The router's own MAC addresses, by VLAN.
    table router_mac {
        key = {
            meta.vid: exact;
            hdr.ethernet.dstAddr: exact;
        }
        actions = { NoAction; }
        default_action = NoAction();
        size = 256;
    }

    action set_nexthop(nexthop_id_t id) {
        meta.nexthop = id;
    }

    action discard() {
        drop(DropReason.NO_ROUTE);
    }

    table ipv4_lpm {
        key = { hdr.ipv4.dstAddr: lpm; }
        actions = { set_nexthop; discard; }
        default_action = discard();
        size = IPV4_ROUTES;
    }

    table ipv6_lpm {
        key = { hdr.ipv6.dstAddr: lpm; }
        actions = { set_nexthop; discard; }
        default_action = discard();
        size = IPV6_ROUTES;
    }

    action route(port_t port, vid_t vid, mac_addr_t srcAddr, mac_addr_t dstAddr) {
        standard_metadata.egress_spec = port;
        meta.vid = vid;
        meta.routed = 1;
        hdr.ethernet.srcAddr = srcAddr;
        hdr.ethernet.dstAddr = dstAddr;
    }

    action no_nexthop() {
        drop(DropReason.NO_NEXTHOP);
    }

    table nexthop {
        key = { meta.nexthop: exact; }
        actions = { route; no_nexthop; }
        default_action = no_nexthop();
        size = 1024;
    }

    apply {
        // The port and the VLAN. From here on the tag is gone; egress puts
        // one on where the port of departure wants it.
        if (!port_config.apply().hit) {
            drop(DropReason.PORT_UNKNOWN);
            return;
        }
        if (hdr.vlan.isValid()) {
            meta.pcp = hdr.vlan.pcp;
            meta.dei = hdr.vlan.dei;
            // VID 0 is a priority tag: it says nothing about the VLAN.
            if (hdr.vlan.vid != 0) {
                meta.vid = hdr.vlan.vid;
            }
            hdr.ethernet.etherType = hdr.vlan.etherType;
            hdr.vlan.setInvalid();
        }
        if (!vlan_ingress.apply().hit) {
            drop(DropReason.VLAN_INGRESS);
            return;
        }

        if (hdr.ethernet.dstAddr[47:4] == RESERVED_GROUP_PREFIX) {
            drop(DropReason.RESERVED_GROUP);
            return;
        }
        if (hdr.ethernet.srcAddr[40:40] == 1) {
            drop(DropReason.SOURCE_GROUP);
            return;
        }

        if (hdr.ipv4.isValid()) {
            switch (acl_ipv4.apply().action_run) {
                deny: { return; }
            }
        } else if (hdr.ipv6.isValid()) {
            switch (acl_ipv6.apply().action_run) {
                deny: { return; }
            }
        }

        if (!smac.apply().hit || meta.station_port != standard_metadata.ingress_port) {
            digest<learn_t>(LEARN_RECEIVER,
                            { meta.vid, hdr.ethernet.srcAddr, standard_metadata.ingress_port });
        }

        if (hdr.arp.isValid() && hdr.arp.oper == ARP_REQUEST
            && hdr.arp.htype == 1 && hdr.arp.ptype == ETHERTYPE_IPV4
            && hdr.arp.hlen == 6 && hdr.arp.plen == 4) {
            if (arp_responder.apply().hit) {
                return;
            }
        }

        if (router_mac.apply().hit) {
            if (hdr.ipv4.isValid()) {
                if (hdr.ipv4.version != 4 || hdr.ipv4.ihl < IHL_NO_OPTIONS) {
                    drop(DropReason.IP_MALFORMED);
                    return;
                }
                if (hdr.ipv4.ihl > IHL_NO_OPTIONS) {
                    drop(DropReason.IP_OPTIONS);
                    return;
                }
                if (standard_metadata.checksum_error == 1) {
                    drop(DropReason.IP_MALFORMED);
                    return;
                }
                // A packet that arrives with TTL 1 would leave with 0
                // (RFC 1812, 5.3.1).
                if (hdr.ipv4.ttl <= 1) {
                    drop(DropReason.TTL);
                    return;
                }
                switch (ipv4_lpm.apply().action_run) {
                    set_nexthop: { hdr.ipv4.ttl = hdr.ipv4.ttl - 1; }
                    default: { return; }
                }
            } else if (hdr.ipv6.isValid()) {
                if (hdr.ipv6.version != 6) {
                    drop(DropReason.IP_MALFORMED);
                    return;
                }
                if (hdr.ipv6.hopLimit <= 1) {
                    drop(DropReason.TTL);
                    return;
                }
                switch (ipv6_lpm.apply().action_run) {
                    set_nexthop: { hdr.ipv6.hopLimit = hdr.ipv6.hopLimit - 1; }
                    default: { return; }
                }
            } else {
                drop(DropReason.NOT_IP);
                return;
            }
            nexthop.apply();
        } else if (hdr.ethernet.dstAddr[40:40] == 1) {
            flood.apply();
        } else if (dmac.apply().hit) {
            if (standard_metadata.egress_spec == standard_metadata.ingress_port) {
                drop(DropReason.SAME_PORT);
            }
        } else {
            flood.apply();
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    counter(512, CounterType.packets_and_bytes) port_out;
    counter(16, CounterType.packets) drops;

    action untagged() {}

    action tagged() {
        hdr.vlan.setValid();
        hdr.vlan.pcp = meta.pcp;
        hdr.vlan.dei = meta.dei;
        hdr.vlan.vid = meta.vid;
        hdr.vlan.etherType = hdr.ethernet.etherType;
        hdr.ethernet.etherType = ETHERTYPE_VLAN;
    }

    action not_member() {
        mark_to_drop(standard_metadata);
        drops.count((bit<32>) (bit<8>) DropReason.VLAN_EGRESS);
    }

    table vlan_egress {
        key = {
            standard_metadata.egress_port: exact;
            meta.vid: exact;
        }
        actions = { untagged; tagged; not_member; }
        default_action = not_member();
        size = 4096;
    }

    apply {
        // A flooded frame does not go back to where it came from.
        if (meta.flooded == 1
            && standard_metadata.egress_port == standard_metadata.ingress_port) {
            mark_to_drop(standard_metadata);
            return;
        }
        switch (vlan_egress.apply().action_run) {
            not_member: { return; }
        }
        port_out.count((bit<32>) standard_metadata.egress_port);
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        // Bridged packets keep what they came with, right or wrong.
        update_checksum(
            hdr.ipv4.isValid() && meta.routed == 1,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.vlan);
        packet.emit(hdr.arp);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.l4);
    }
}

V1Switch(SwitchParser(),
         SwitchVerifyChecksum(),
         ingress(),
         egress(),
         SwitchComputeChecksum(),
         SwitchDeparser()) main;

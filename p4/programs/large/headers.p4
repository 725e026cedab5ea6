// Types, constants and headers of the data-centre switch.

#ifndef LARGE_HEADERS_P4
#define LARGE_HEADERS_P4

typedef bit<48>  mac_addr_t;
typedef bit<32>  ipv4_addr_t;
typedef bit<128> ipv6_addr_t;
typedef bit<9>   port_t;
typedef bit<12>  vid_t;

// Identifiers that the control plane gives out.
typedef bit<16> ifindex_t;       // a port, a bundle of ports or a tunnel
typedef bit<16> bd_t;            // bridge domain
typedef bit<14> vrf_t;           // routing table
typedef bit<16> nexthop_t;
typedef bit<16> ecmp_group_t;
typedef bit<16> tunnel_index_t;
typedef bit<8>  rmac_group_t;    // set of router MAC addresses
typedef bit<10> stp_group_t;
typedef bit<16> acl_label_t;
typedef bit<10> mirror_session_t;
typedef bit<8>  traffic_class_t;
typedef bit<2>  color_t;

// ---------------------------------------------------------------------------
// Ports
// ---------------------------------------------------------------------------

// 511 means drop in v1model, so the control plane has the last real port.
const port_t CPU_PORT  = 510;
const port_t DROP_PORT = 511;

const ifindex_t IFINDEX_NONE  = 0;
const ifindex_t IFINDEX_FLOOD = 0xffff;

// ---------------------------------------------------------------------------
// EtherTypes, protocols and UDP ports
// ---------------------------------------------------------------------------

const bit<16> ETHERTYPE_IPV4      = 0x0800;
const bit<16> ETHERTYPE_ARP       = 0x0806;
const bit<16> ETHERTYPE_TEB       = 0x6558;  // Ethernet in GRE (RFC 1701)
const bit<16> ETHERTYPE_VLAN      = 0x8100;  // IEEE 802.1Q, customer tag
const bit<16> ETHERTYPE_IPV6      = 0x86dd;
const bit<16> ETHERTYPE_PAUSE     = 0x8808;
const bit<16> ETHERTYPE_SLOW      = 0x8809;  // LACP
const bit<16> ETHERTYPE_MPLS      = 0x8847;
const bit<16> ETHERTYPE_EAPOL     = 0x888e;
const bit<16> ETHERTYPE_QINQ      = 0x88a8;  // IEEE 802.1Q, service tag
const bit<16> ETHERTYPE_LLDP      = 0x88cc;
const bit<16> ETHERTYPE_ERSPAN_II = 0x88be;

const bit<8> PROTOCOL_ICMP   = 1;
const bit<8> PROTOCOL_IGMP   = 2;
const bit<8> PROTOCOL_IPV4   = 4;
const bit<8> PROTOCOL_TCP    = 6;
const bit<8> PROTOCOL_UDP    = 17;
const bit<8> PROTOCOL_IPV6   = 41;
const bit<8> PROTOCOL_GRE    = 47;
const bit<8> PROTOCOL_ICMPV6 = 58;
const bit<8> PROTOCOL_OSPF   = 89;

const bit<16> UDP_PORT_DHCP_SERVER = 67;
const bit<16> UDP_PORT_DHCP_CLIENT = 68;
const bit<16> UDP_PORT_VXLAN       = 4789;
const bit<16> UDP_PORT_INT         = 5432;
const bit<16> TCP_PORT_BGP         = 179;

const bit<4> IHL_NO_OPTIONS   = 5;
const bit<8> ENCAP_TTL        = 64;

// Bytes.
const bit<16> PACKET_OUT_LEN      = 4;
const bit<16> ETHERNET_HEADER_LEN = 14;
const bit<16> VLAN_TAG_LEN        = 4;
const bit<16> MPLS_LABEL_LEN      = 4;
const bit<16> IPV4_HEADER_LEN     = 20;
const bit<16> IPV6_HEADER_LEN     = 40;
const bit<16> UDP_HEADER_LEN      = 8;
const bit<16> VXLAN_HEADER_LEN    = 8;
const bit<16> GRE_HEADER_LEN      = 4;
const bit<16> GRE_KEY_LEN         = 4;
const bit<16> ERSPAN_HEADER_LEN   = 8;
const bit<16> INT_HOP_LEN         = 16;

// 01-80-C2-00-00-00 to -0F, never forwarded (IEEE 802.1Q, Reserved addresses).
const bit<44> RESERVED_GROUP_PREFIX = 0x0180c200000;
const mac_addr_t BROADCAST_MAC      = 0xffffffffffff;

// ---------------------------------------------------------------------------
// Values of the program's own fields
// ---------------------------------------------------------------------------

// v1model: instance_type of a packet.
const bit<32> INSTANCE_NORMAL      = 0;
const bit<32> INSTANCE_CLONE_I2E   = 1;
const bit<32> INSTANCE_CLONE_E2E   = 2;
const bit<32> INSTANCE_REPLICATION = 5;

enum bit<4> TunnelType {
    NONE      = 0,
    VXLAN     = 1,
    GRE       = 2,
    GRE_TAP   = 3,
    IP_IN_IP  = 4,
    MPLS_L2   = 5,
    MPLS_L3   = 6
}

enum bit<2> StpState {
    DISABLED   = 0,
    BLOCKING   = 1,
    LEARNING   = 2,
    FORWARDING = 3
}

enum bit<2> PacketClass {
    UNICAST   = 0,
    MULTICAST = 1,
    BROADCAST = 2
}

enum bit<2> IpType {
    NONE = 0,
    IPV4 = 1,
    IPV6 = 2
}

enum bit<2> Color {
    GREEN  = 0,
    YELLOW = 1,
    RED    = 2
}

enum bit<3> UrpfMode {
    OFF    = 0,
    LOOSE  = 1,
    STRICT = 2
}

enum bit<8> DropReason {
    NONE                = 0,
    PARSER              = 1,
    PORT_UNKNOWN        = 2,
    PORT_VLAN_MISS      = 3,
    SOURCE_MAC_ZERO     = 4,
    SOURCE_MAC_GROUP    = 5,
    RESERVED_GROUP      = 6,
    STP_BLOCKED         = 7,
    STORM_CONTROL       = 8,
    IP_VERSION          = 9,
    IP_HEADER_LENGTH    = 10,
    IP_CHECKSUM         = 11,
    IP_SOURCE_LOOPBACK  = 12,
    IP_SOURCE_MULTICAST = 13,
    IP_TTL              = 14,
    TUNNEL_SOURCE       = 15,
    TUNNEL_VNI          = 16,
    MPLS_LABEL          = 17,
    MPLS_TTL            = 18,
    URPF                = 19,
    NO_ROUTE            = 20,
    NO_NEXTHOP          = 21,
    BLACKHOLE           = 22,
    MAC_ACL             = 23,
    IPV4_ACL            = 24,
    IPV6_ACL            = 25,
    ROUTED_ACL          = 26,
    SYSTEM_ACL          = 27,
    POLICER             = 28,
    SAME_INTERFACE      = 29,
    SPLIT_HORIZON       = 30,
    NO_LAG_MEMBER       = 31,
    UNKNOWN_UNICAST     = 32,
    EGRESS_VLAN         = 33,
    EGRESS_ACL          = 34,
    MTU                 = 35,
    NESTED_TUNNEL       = 36
}

// Why a packet goes to the control plane.
enum bit<16> CpuReason {
    NONE        = 0,
    PROTOCOL    = 1,   // BPDU, LACP, LLDP, EAPOL
    ARP         = 2,
    TTL         = 3,
    GLEAN       = 4,   // a directly connected host without neighbour entry
    LOCAL       = 5,   // one of our own addresses
    ACL_COPY    = 6,
    DHCP        = 7,
    IGMP        = 8,
    MTU         = 9,
    BGP         = 10
}

error {
    BadIpv4Version,
    BadIpv4HeaderLength,
    BadIpv6Version,
    TooManyLabels
}

// ---------------------------------------------------------------------------
// The control plane's own header, on CPU_PORT in both directions
// ---------------------------------------------------------------------------

header packet_out_t {
    port_t   egress_port;
    bit<5>   queue;
    bit<1>   bypass;      // leave by egress_port without looking at tables
    bit<1>   reserved;
    bd_t     bd;
}

header packet_in_t {
    port_t    ingress_port;
    bit<7>    reserved;
    ifindex_t ifindex;
    bd_t      bd;
    CpuReason reason;
}

// ---------------------------------------------------------------------------
// Layer 2
// ---------------------------------------------------------------------------

header ethernet_t {
    mac_addr_t dstAddr;
    mac_addr_t srcAddr;
    bit<16>    etherType;
}

header vlan_tag_t {
    bit<3>  pcp;
    bit<1>  dei;
    vid_t   vid;
    bit<16> etherType;
}

header mpls_t {
    bit<20> label;
    bit<3>  tc;
    bit<1>  bos;
    bit<8>  ttl;
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

// ---------------------------------------------------------------------------
// Layer 3
// ---------------------------------------------------------------------------

header ipv4_t {
    bit<4>      version;
    bit<4>      ihl;
    bit<6>      dscp;
    bit<2>      ecn;
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

// Up to ten words (RFC 791, 3.1).
header ipv4_options_t {
    varbit<320> options;
}

header ipv6_t {
    bit<4>      version;
    bit<6>      dscp;
    bit<2>      ecn;
    bit<20>     flowLabel;
    bit<16>     payloadLen;
    bit<8>      nextHdr;
    bit<8>      hopLimit;
    ipv6_addr_t srcAddr;
    ipv6_addr_t dstAddr;
}

// ---------------------------------------------------------------------------
// Layer 4
// ---------------------------------------------------------------------------

header icmp_t {
    bit<8>  type;
    bit<8>  code;
    bit<16> checksum;
}

header tcp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<32> seqNo;
    bit<32> ackNo;
    bit<4>  dataOffset;
    bit<4>  reserved;
    bit<8>  flags;
    bit<16> window;
    bit<16> checksum;
    bit<16> urgentPtr;
}

header udp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<16> length;
    bit<16> checksum;
}

// ---------------------------------------------------------------------------
// Tunnels
// ---------------------------------------------------------------------------

// RFC 7348.
header vxlan_t {
    bit<8>  flags;
    bit<24> reserved;
    bit<24> vni;
    bit<8>  reserved2;
}

// RFC 2784; with the key of RFC 2890 behind it when `k` is set.
header gre_t {
    bit<1>  c;
    bit<1>  r;
    bit<1>  k;
    bit<1>  s;
    bit<9>  reserved;
    bit<3>  version;
    bit<16> protocol;
}

header gre_key_t {
    bit<24> vsid;
    bit<8>  flow;
}

// Mirrored frames to a remote analyser.
header erspan_t {
    bit<4>  version;
    vid_t   vid;
    bit<3>  cos;
    bit<2>  encapType;
    bit<1>  truncated;
    bit<10> session;
    bit<12> reserved;
    bit<20> index;
}

// ---------------------------------------------------------------------------
// In-band telemetry: a shim, an instruction header, one record a hop
// ---------------------------------------------------------------------------

header int_shim_t {
    bit<8> type;
    bit<8> reserved;
    bit<8> length;        // words of shim, header and records
    bit<8> reserved2;
}

header int_header_t {
    bit<4>  version;
    bit<2>  rep;
    bit<1>  c;
    bit<1>  e;            // a hop had no room
    bit<5>  reserved;
    bit<3>  instructionCount;
    bit<8>  maxHops;
    bit<8>  hopCount;
    bit<16> instructions;
    bit<16> reserved2;
}

header int_hop_t {
    bit<32> switchId;
    bit<16> ingressPort;
    bit<16> egressPort;
    bit<8>  queue;
    bit<24> queueDepth;
    bit<32> hopLatency;   // microseconds
}

// ---------------------------------------------------------------------------
// All of them, in wire order
// ---------------------------------------------------------------------------

#define MAX_VLAN_TAGS 2
#define MAX_MPLS_LABELS 3
#define MAX_INT_HOPS 4

struct headers_t {
    packet_out_t                packet_out;
    packet_in_t                 packet_in;

    // In front of everything when a copy travels to a remote analyser.
    ethernet_t                  mirror_ethernet;
    ipv4_t                      mirror_ipv4;
    gre_t                       mirror_gre;
    erspan_t                    mirror_erspan;

    ethernet_t                  ethernet;
    vlan_tag_t[MAX_VLAN_TAGS]   vlan_tag;
    mpls_t[MAX_MPLS_LABELS]     mpls;
    arp_t                       arp;
    ipv4_t                      ipv4;
    ipv4_options_t              ipv4_options;
    ipv6_t                      ipv6;
    icmp_t                      icmp;
    tcp_t                       tcp;
    udp_t                       udp;
    gre_t                       gre;
    gre_key_t                   gre_key;
    vxlan_t                     vxlan;
    int_shim_t                  int_shim;
    int_header_t                int_header;
    int_hop_t[MAX_INT_HOPS]     int_hop;

    ethernet_t                  inner_ethernet;
    vlan_tag_t                  inner_vlan_tag;
    arp_t                       inner_arp;
    ipv4_t                      inner_ipv4;
    ipv4_options_t              inner_ipv4_options;
    ipv6_t                      inner_ipv6;
    icmp_t                      inner_icmp;
    tcp_t                       inner_tcp;
    udp_t                       inner_udp;
}

#endif

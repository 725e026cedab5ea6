// What the switch knows about a packet, by subject.

#ifndef LARGE_METADATA_P4
#define LARGE_METADATA_P4

// The port of arrival and what is configured on it.
struct port_metadata_t {
    ifindex_t   ifindex;
    bit<1>      trust_dscp;
    bit<1>      trust_pcp;
    bit<6>      default_dscp;
    bit<3>      default_pcp;
    acl_label_t label;
}

// The frame as the tables see it: outer headers first, inner ones once a
// tunnel ended here.
struct lookup_metadata_t {
    PacketClass packet_class;
    IpType      ip_type;
    mac_addr_t  mac_src;
    mac_addr_t  mac_dst;
    bit<16>     mac_type;
    bit<3>      pcp;
    ipv4_addr_t ipv4_src;
    ipv4_addr_t ipv4_dst;
    ipv6_addr_t ipv6_src;
    ipv6_addr_t ipv6_dst;
    bit<6>      dscp;
    bit<2>      ecn;
    bit<8>      ip_protocol;
    bit<8>      ip_ttl;
    bit<1>      ip_fragment;       // not the first fragment
    bit<16>     l4_src;
    bit<16>     l4_dst;
    bit<8>      tcp_flags;
}

// The bridge domain and what is configured on it.
struct bridge_metadata_t {
    bd_t         bd;
    vid_t        outer_vid;
    vid_t        inner_vid;
    bit<2>       tag_count;
    stp_group_t  stp_group;
    StpState     stp_state;
    bit<1>       learning;
    bit<16>      flood_group;
    bit<1>       flood_unknown;
    acl_label_t  label;
    ifindex_t    station_ifindex;  // where the source address was learnt
    bit<1>       station_known;
}

struct route_metadata_t {
    vrf_t        vrf;
    rmac_group_t rmac_group;
    bit<1>       rmac_hit;
    bit<1>       ipv4_enabled;
    bit<1>       ipv6_enabled;
    bit<1>       mcast_ipv4_enabled;
    UrpfMode     urpf_mode;
    bd_t         urpf_bd;
    bit<1>       urpf_hit;
    bit<1>       routed;
    bit<1>       fib_hit;
    nexthop_t    nexthop;
    bit<1>       nexthop_is_ecmp;
    bd_t         out_bd;
}

struct tunnel_metadata_t {
    TunnelType     ingress_type;
    bit<24>        ingress_vni;
    bit<1>         terminate;      // one of our tunnel addresses
    bit<1>         source_known;
    ifindex_t      source_ifindex;
    bit<1>         decapsulated;
    tunnel_index_t egress_index;
    TunnelType     egress_type;
    bit<24>        egress_vni;
    bit<16>        frame_length;   // bytes of the frame as it is by now
    bit<8>         inner_protocol;
    bit<16>        flow_entropy;   // source port of encapsulated flows
}

struct multicast_metadata_t {
    bit<16> bridge_group;
    bit<16> route_group;
    bit<1>  bridge_hit;
    bit<1>  route_hit;
    bd_t    rpf_bd;
}

struct acl_metadata_t {
    acl_label_t label;
    bit<1>      deny;
    bit<1>      copy;
    bit<1>      redirect;
    nexthop_t   redirect_nexthop;
    bit<16>     stats_index;
    bit<16>     policer_index;
    bit<8>      src_range;         // port ranges, as bits of a set
    bit<8>      dst_range;
    DropReason  drop_reason;
}

struct qos_metadata_t {
    traffic_class_t traffic_class;
    color_t         color;
    bit<6>          dscp;
    bit<3>          pcp;
    bit<3>          queue;
    bit<1>          remark_dscp;
    bit<1>          remark_pcp;
}

struct hash_metadata_t {
    bit<16> flow;
    bit<16> flow2;
}

struct egress_metadata_t {
    ifindex_t   ifindex;
    bd_t        bd;
    bit<1>      routed;
    mac_addr_t  mac_dst;
    bit<8>      smac_index;
    bit<16>     mtu_left;          // bytes; top bit set: too long
    acl_label_t label;
    bit<1>      from_cpu;
    bit<1>      bypass;
    bit<1>      ipv4_changed;       // the checksum has to follow
    bit<1>      inner_ipv4_changed;
    DropReason  drop_reason;
}

struct int_metadata_t {
    bit<32> switch_id;
    bit<1>  transit;
}

// Kept by clones: what a mirrored or punted copy has to know.
struct copy_metadata_t {
    @field_list(1, 2)
    port_t           ingress_port;
    @field_list(1, 2)
    bd_t             bd;
    @field_list(1)
    ifindex_t        ifindex;
    @field_list(1)
    CpuReason        reason;
    @field_list(2)
    mirror_session_t session;
    @field_list(1, 2)
    bit<2>           kind;
}

// copy_metadata_t.kind
const bit<2> COPY_NONE   = 0;
const bit<2> COPY_TO_CPU = 1;
const bit<2> COPY_MIRROR = 2;

// Field lists above.
const bit<8> FIELDS_TO_CPU = 1;
const bit<8> FIELDS_MIRROR = 2;

// The clone session whose port is the control plane.
const bit<32> CPU_SESSION = 250;

struct metadata_t {
    port_metadata_t      port;
    lookup_metadata_t    lookup;
    bridge_metadata_t    bridge;
    route_metadata_t     route;
    tunnel_metadata_t    tunnel;
    multicast_metadata_t multicast;
    acl_metadata_t       acl;
    qos_metadata_t       qos;
    hash_metadata_t      hash;
    egress_metadata_t    egress;
    int_metadata_t       telemetry;
    copy_metadata_t      copy;
}

// Digests.
struct learn_digest_t {
    bd_t       bd;
    mac_addr_t srcAddr;
    ifindex_t  ifindex;
}

const bit<32> LEARN_RECEIVER = 1;

#endif

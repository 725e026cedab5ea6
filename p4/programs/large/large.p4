// A data-centre switch, leaf or spine.
//
// Bridging with VLANs, double tags, spanning tree and storm control; routing of
// IPv4 and IPv6 in many routing tables with reverse-path check, equal-cost
// paths and bundles of ports; multicast; VXLAN, GRE, IP in IP and MPLS, where
// they end and where they begin; access lists, policers, queues and marking;
// mirroring, local and remote; telemetry in the packets; a control plane behind
// CPU_PORT. A packet passes the controls in the order of the two apply blocks
// below; each control says in its first lines what it is for.
//
// The front end's speed is measured on this program.

#include <core.p4>
#include <v1model.p4>

#include "headers.p4"
#include "metadata.p4"
#include "parser.p4"
#include "checksum.p4"
#include "ports.p4"
#include "tunnel_ingress.p4"
#include "l2.p4"
#include "l3.p4"
#include "acl.p4"
#include "qos.p4"
#include "forwarding.p4"
#include "mirror.p4"
#include "tunnel_egress.p4"
#include "telemetry.p4"
#include "egress.p4"

control SwitchIngress(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    PortMapping() port_mapping;
    RemoveTags() remove_tags;
    ValidatePacket() validate_packet;
    SpanningTree() spanning_tree;
    StormControl() storm_control;
    RouterMac() router_mac;
    TunnelTermination() tunnel_termination;
    RouterMac() tenant_mac;
    IngressAcl() ingress_acl;
    Classify() classify;
    Route() route;
    Bridge() bridge;
    Police() police;
    FlowHash() flow_hash;
    NextHop() next_hop;
    ChoosePort() choose_port;
    ChooseQueue() choose_queue;
    SystemAcl() system_acl;

    apply {
        meta.tunnel.frame_length = (bit<16>) standard_metadata.packet_length;
        if (hdr.packet_out.isValid()) {
            meta.tunnel.frame_length = meta.tunnel.frame_length - PACKET_OUT_LEN;
            // The control plane knows what it wants.
            if (meta.egress.bypass == 1) {
                standard_metadata.egress_spec = hdr.packet_out.egress_port;
                hdr.packet_out.setInvalid();
                return;
            }
        }

        port_mapping.apply(hdr, meta, standard_metadata);
        hdr.packet_out.setInvalid();
        remove_tags.apply(hdr, meta);

        if (meta.acl.drop_reason == DropReason.NONE) {
            validate_packet.apply(hdr, meta, standard_metadata);
        }
        if (meta.acl.drop_reason == DropReason.NONE) {
            spanning_tree.apply(meta);
        }
        if (meta.acl.drop_reason == DropReason.NONE) {
            storm_control.apply(meta, standard_metadata);
        }
        if (meta.acl.drop_reason == DropReason.NONE) {
            router_mac.apply(meta);
            tunnel_termination.apply(hdr, meta);
            // Inside a frame that came by a tunnel there is another address.
            if (meta.tunnel.decapsulated == 1
                && (meta.tunnel.ingress_type == TunnelType.VXLAN
                    || meta.tunnel.ingress_type == TunnelType.GRE_TAP
                    || meta.tunnel.ingress_type == TunnelType.MPLS_L2)) {
                tenant_mac.apply(meta);
            }
        }
        if (meta.acl.drop_reason == DropReason.NONE) {
            classify.apply(meta);
            ingress_acl.apply(meta);
        }
        if (meta.acl.drop_reason == DropReason.NONE) {
            route.apply(meta);
        }
        if (meta.acl.drop_reason == DropReason.NONE && meta.acl.deny == 0) {
            bridge.apply(hdr, meta, standard_metadata);
        }
        if (meta.acl.drop_reason == DropReason.NONE && meta.acl.deny == 0) {
            police.apply(meta);
        }
        if (meta.acl.drop_reason == DropReason.NONE && meta.acl.deny == 0) {
            flow_hash.apply(meta);
            next_hop.apply(meta, standard_metadata);
        }
        if (meta.acl.drop_reason == DropReason.NONE && meta.acl.deny == 0) {
            choose_port.apply(meta, standard_metadata);
            choose_queue.apply(meta, standard_metadata);
        }
        system_acl.apply(meta, standard_metadata);
    }
}

control SwitchEgress(inout headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    counter(512, CounterType.packets_and_bytes) port_out;
    counter(64, CounterType.packets) drop_stats;

    CopyToCpu() copy_to_cpu;
    MirrorCopy() mirror_copy;
    EgressPort() egress_port;
    Replica() replica;
    EgressBridgeDomain() egress_bridge_domain;
    Rewrite() rewrite;
    IntTransit() int_transit;
    TunnelEncapsulation() tunnel_encapsulation;
    EgressVlan() egress_vlan;
    EgressAcl() egress_acl;
    MarkQos() mark_qos;

    apply {
        if (standard_metadata.instance_type == INSTANCE_CLONE_I2E
            || standard_metadata.instance_type == INSTANCE_CLONE_E2E) {
            hdr.packet_out.setInvalid();
            if (meta.copy.kind == COPY_TO_CPU) {
                copy_to_cpu.apply(hdr, meta);
            } else {
                mirror_copy.apply(hdr, meta, standard_metadata);
            }
        } else if (meta.egress.bypass == 0) {
            egress_port.apply(meta, standard_metadata);
            if (standard_metadata.instance_type == INSTANCE_REPLICATION) {
                replica.apply(meta, standard_metadata);
            } else {
                meta.egress.bd = meta.route.out_bd;
            }
            egress_bridge_domain.apply(meta);
            if (meta.egress.drop_reason == DropReason.NONE) {
                rewrite.apply(hdr, meta);
                int_transit.apply(hdr, meta, standard_metadata);
                tunnel_encapsulation.apply(hdr, meta, standard_metadata);
                mark_qos.apply(hdr, meta, standard_metadata);
            }
            if (meta.egress.drop_reason == DropReason.NONE) {
                egress_vlan.apply(hdr, meta);
            }
            if (meta.egress.drop_reason == DropReason.NONE) {
                egress_acl.apply(meta, standard_metadata);
            }
            if (meta.egress.drop_reason != DropReason.NONE) {
                drop_stats.count((bit<32>) (bit<8>) meta.egress.drop_reason);
                mark_to_drop(standard_metadata);
                return;
            }
        }
        port_out.count((bit<32>) standard_metadata.egress_port);
    }
}

control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.mirror_ethernet);
        packet.emit(hdr.mirror_ipv4);
        packet.emit(hdr.mirror_gre);
        packet.emit(hdr.mirror_erspan);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.vlan_tag);
        packet.emit(hdr.mpls);
        packet.emit(hdr.arp);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv4_options);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.icmp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.udp);
        packet.emit(hdr.gre);
        packet.emit(hdr.gre_key);
        packet.emit(hdr.vxlan);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_header);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.inner_ethernet);
        packet.emit(hdr.inner_vlan_tag);
        packet.emit(hdr.inner_arp);
        packet.emit(hdr.inner_ipv4);
        packet.emit(hdr.inner_ipv4_options);
        packet.emit(hdr.inner_ipv6);
        packet.emit(hdr.inner_icmp);
        packet.emit(hdr.inner_tcp);
        packet.emit(hdr.inner_udp);
    }
}

V1Switch(SwitchParser(),
         SwitchVerifyChecksum(),
         SwitchIngress(),
         SwitchEgress(),
         SwitchComputeChecksum(),
         SwitchDeparser()) main;

// Copies made by ingress: to the control plane with its header in front, or to
// an analyser, local or remote.

#ifndef LARGE_MIRROR_P4
#define LARGE_MIRROR_P4

control CopyToCpu(inout headers_t hdr, inout metadata_t meta) {
    apply {
        hdr.packet_in.setValid();
        hdr.packet_in.ingress_port = meta.copy.ingress_port;
        hdr.packet_in.reserved = 0;
        hdr.packet_in.ifindex = meta.copy.ifindex;
        hdr.packet_in.bd = meta.copy.bd;
        hdr.packet_in.reason = meta.copy.reason;
    }
}

control MirrorCopy(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) session_packets;

    // The analyser is on this port: the frame goes as it came.
    action local() {}

    action local_truncated(bit<32> bytes) {
        truncate(bytes);
    }

    // In GRE to an analyser somewhere else. What the mirrored frame was long
    // is the payload, whatever its tags.
    action remote(mac_addr_t smac, mac_addr_t dmac,
                  ipv4_addr_t src, ipv4_addr_t dst, bit<6> dscp) {
        hdr.mirror_ethernet.setValid();
        hdr.mirror_ethernet.dstAddr = dmac;
        hdr.mirror_ethernet.srcAddr = smac;
        hdr.mirror_ethernet.etherType = ETHERTYPE_IPV4;

        hdr.mirror_ipv4.setValid();
        hdr.mirror_ipv4.version = 4;
        hdr.mirror_ipv4.ihl = IHL_NO_OPTIONS;
        hdr.mirror_ipv4.dscp = dscp;
        hdr.mirror_ipv4.ecn = 0;
        hdr.mirror_ipv4.totalLen = IPV4_HEADER_LEN + GRE_HEADER_LEN + ERSPAN_HEADER_LEN
            + (bit<16>) standard_metadata.packet_length;
        hdr.mirror_ipv4.identification = 0;
        hdr.mirror_ipv4.flags = 2;
        hdr.mirror_ipv4.fragOffset = 0;
        hdr.mirror_ipv4.ttl = ENCAP_TTL;
        hdr.mirror_ipv4.protocol = PROTOCOL_GRE;
        hdr.mirror_ipv4.hdrChecksum = 0;
        hdr.mirror_ipv4.srcAddr = src;
        hdr.mirror_ipv4.dstAddr = dst;

        hdr.mirror_gre.setValid();
        hdr.mirror_gre = { 0, 0, 0, 0, 0, 0, ETHERTYPE_ERSPAN_II };

        hdr.mirror_erspan.setValid();
        hdr.mirror_erspan.version = 1;
        hdr.mirror_erspan.vid = (vid_t) meta.copy.bd[11:0];
        hdr.mirror_erspan.cos = 0;
        hdr.mirror_erspan.encapType = 3;
        hdr.mirror_erspan.truncated = 0;
        hdr.mirror_erspan.session = meta.copy.session;
        hdr.mirror_erspan.reserved = 0;
        hdr.mirror_erspan.index = (bit<20>) meta.copy.ingress_port;
    }

    table mirror_session {
        key = { meta.copy.session: exact; }
        actions = { local; local_truncated; remote; }
        const default_action = local();
        counters = session_packets;
        size = 1024;
    }

    apply {
        mirror_session.apply();
    }
}

#endif

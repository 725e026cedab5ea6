// Checksums of IPv4 headers, outer and inner.

#ifndef LARGE_CHECKSUM_P4
#define LARGE_CHECKSUM_P4

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(
            hdr.ipv4.isValid() && !hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
              hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
        verify_checksum(
            hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
              hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.srcAddr, hdr.ipv4.dstAddr, hdr.ipv4_options.options },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        // Bridged packets keep what they came with, right or wrong.
        update_checksum(
            hdr.ipv4.isValid() && !hdr.ipv4_options.isValid()
                && meta.egress.ipv4_changed == 1,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
              hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
        update_checksum(
            hdr.ipv4_options.isValid() && meta.egress.ipv4_changed == 1,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
              hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.srcAddr, hdr.ipv4.dstAddr, hdr.ipv4_options.options },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
        update_checksum(
            hdr.inner_ipv4.isValid() && meta.egress.inner_ipv4_changed == 1,
            { hdr.inner_ipv4.version, hdr.inner_ipv4.ihl, hdr.inner_ipv4.dscp,
              hdr.inner_ipv4.ecn, hdr.inner_ipv4.totalLen,
              hdr.inner_ipv4.identification, hdr.inner_ipv4.flags,
              hdr.inner_ipv4.fragOffset, hdr.inner_ipv4.ttl,
              hdr.inner_ipv4.protocol, hdr.inner_ipv4.srcAddr,
              hdr.inner_ipv4.dstAddr },
            hdr.inner_ipv4.hdrChecksum, HashAlgorithm.csum16);
        update_checksum(
            hdr.mirror_ipv4.isValid(),
            { hdr.mirror_ipv4.version, hdr.mirror_ipv4.ihl, hdr.mirror_ipv4.dscp,
              hdr.mirror_ipv4.ecn, hdr.mirror_ipv4.totalLen,
              hdr.mirror_ipv4.identification, hdr.mirror_ipv4.flags,
              hdr.mirror_ipv4.fragOffset, hdr.mirror_ipv4.ttl,
              hdr.mirror_ipv4.protocol, hdr.mirror_ipv4.srcAddr,
              hdr.mirror_ipv4.dstAddr },
            hdr.mirror_ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

#endif

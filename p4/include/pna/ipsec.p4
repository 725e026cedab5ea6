// SPDX-License-Identifier: Apache-2.0
//
// The IPsec accelerator of the DPDK variant of the Portable NIC Architecture.

enum ipsec_status {
    IPSEC_SUCCESS,
    IPSEC_ERROR
}

// Works on the deparsed packet by the security association chosen here and
// hands the packet back to the pipeline.
extern ipsec_accelerator {
    ipsec_accelerator();
    void set_sa_index<T>(in T sa_index);
    void set_ip_header_offset<T>(in T offset);
    void enable();
    void disable();
    bool from_ipsec(out ipsec_status status);
}

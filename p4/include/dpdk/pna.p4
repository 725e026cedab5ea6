// SPDX-License-Identifier: Apache-2.0
//
// The Portable NIC Architecture as programs for the DPDK software switch use
// it: with an IPsec accelerator.

#ifndef __DPDK_PNA_P4__
#define __DPDK_PNA_P4__

#include "../pna.p4"
#include "../pna/ipsec.p4"

#endif

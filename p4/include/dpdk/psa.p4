// SPDX-License-Identifier: Apache-2.0
//
// The Portable Switch Architecture by the name that programs for the DPDK software switch
// use. Our declarations serve both.

#include "../psa.p4"

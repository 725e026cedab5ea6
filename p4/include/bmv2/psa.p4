// SPDX-License-Identifier: Apache-2.0
//
// The Portable Switch Architecture by the name that programs for the BMv2 psa_switch program
// use. Our declarations serve both.

#include "../psa.p4"

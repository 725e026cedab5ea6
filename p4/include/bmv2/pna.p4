// SPDX-License-Identifier: Apache-2.0
//
// The Portable NIC Architecture as programs for the BMv2 pna_nic program use
// it: one main block, no pre-control.

#ifndef __PNA_P4__
#define __PNA_P4__

#define PNA_ADD_ENTRY_STATUS

#include "../pna/types.p4"
#include "../pna/externs.p4"
#include "../pna/ports.p4"
#include "../pna/functions.p4"

parser MainParserT<MH, MM>(
    packet_in pkt,
    out MH main_hdr,
    inout MM main_user_meta,
    in pna_main_parser_input_metadata_t istd);

control MainControlT<MH, MM>(
    inout MH main_hdr,
    inout MM main_user_meta,
    in pna_main_input_metadata_t istd,
    inout pna_main_output_metadata_t ostd);

control MainDeparserT<MH, MM>(
    packet_out pkt,
    inout MH main_hdr,
    in MM main_user_meta,
    in pna_main_output_metadata_t ostd);

package PNA_NIC<MH, MM>(
    MainParserT<MH, MM> main_parser,
    MainControlT<MH, MM> main_control,
    MainDeparserT<MH, MM> main_deparser);

#endif

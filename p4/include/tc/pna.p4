// SPDX-License-Identifier: Apache-2.0
//
// The Portable NIC Architecture as programs for the Linux traffic control
// subsystem use it: the kernel's packet metadata is a parameter of the blocks.

#ifndef __PNA_P4__
#define __PNA_P4__

#define PNA_ADD_ENTRY_STATUS

#include "../pna/types.p4"
#include "../pna/externs.p4"
#include "../pna/ports.p4"
#include "../pna/functions.p4"

// Metadata that the kernel keeps with the packet: get() fetches a copy, set()
// writes it back, the rest reads and changes the copy.
extern tc_skb_metadata {
    void get();
    void set();
    bit<64> get_tstamp();
    bit<32> get_mark();
    bit<16> get_tc_classid();
    bit<16> get_tc_index();
    bit<16> get_queue_mapping();
    bit<16> get_protocol();
    bit<1> get_tc_at_ingress();
    bit<1> get_from_ingress();
    void set_tstamp(in bit<64> ts);
    void set_mark(in bit<32> m);
    void set_tc_classid(in bit<16> cid);
    void set_tc_index(in bit<16> x);
    void set_queue_mapping(in bit<16> m);
    void set_protocol(in bit<16> p);
}

parser MainParserT<MH, MM>(
    packet_in pkt,
    out MH main_hdr,
    inout MM main_user_meta,
    in pna_main_parser_input_metadata_t istd);

control MainControlT<MH, MM>(
    inout MH main_hdr,
    inout MM main_user_meta,
    in pna_main_input_metadata_t istd,
    inout pna_main_output_metadata_t ostd,
    tc_skb_metadata skb_meta);

control MainDeparserT<MH, MM>(
    packet_out pkt,
    inout MH main_hdr,
    in MM main_user_meta,
    in pna_main_output_metadata_t ostd,
    tc_skb_metadata skb_meta);

package PNA_NIC<MH, MM>(
    MainParserT<MH, MM> main_parser,
    MainControlT<MH, MM> main_control,
    MainDeparserT<MH, MM> main_deparser);

#endif

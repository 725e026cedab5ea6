// SPDX-License-Identifier: Apache-2.0
//
// The v1model architecture: the switch that users of the BMv2 simple_switch
// program, with the names that published programs use.
//
//   parser -> verify checksums -> ingress -> queues -> egress
//          -> compute checksums -> deparser
//
// V1MODEL_VERSION selects between two published faces of the model. Below
// 20200408 ports are plain bit<9> and counter, meter and register take bit<32>
// indices; from 20200408 on the type PortId_t exists and the index type is a
// type parameter. A program chooses by defining the macro before the include.

#ifndef _V1_MODEL_P4_
#define _V1_MODEL_P4_

#ifndef V1MODEL_VERSION
#define V1MODEL_VERSION 20180101
#endif

#include <core.p4>

match_kind {
    range,     // lo..hi inclusive; overlaps are decided by priority
    optional,  // one exact value or don't care; decided by priority
    selector   // not matched: input to the hash of an action_selector
}

const bit<32> __v1model_version = V1MODEL_VERSION;

#if V1MODEL_VERSION >= 20200408
typedef bit<9> PortId_t;
#endif

// What the switch and the program tell each other about one packet.
@metadata @name("standard_metadata")
struct standard_metadata_t {
#if V1MODEL_VERSION >= 20200408
    PortId_t ingress_port;  // where the packet came in
    PortId_t egress_spec;   // written by ingress: output port, 511 drops
    PortId_t egress_port;   // egress only: the port the packet is bound for
#else
    bit<9>   ingress_port;
    bit<9>   egress_spec;
    bit<9>   egress_port;
#endif

    // 0 normal, 1 clone made by ingress, 2 clone made by egress, 3 coalesced,
    // 4 recirculated, 5 multicast replica, 6 resubmitted.
    bit<32>  instance_type;

    bit<32>  packet_length;  // bytes

    // Set between ingress and egress. Times in microseconds.
    @alias("queueing_metadata.enq_timestamp")
    bit<32>  enq_timestamp;
    @alias("queueing_metadata.enq_qdepth")
    bit<19>  enq_qdepth;     // packets in the queue when this one joined it
    @alias("queueing_metadata.deq_timedelta")
    bit<32>  deq_timedelta;  // time spent in the queue
    @alias("queueing_metadata.deq_qdepth")
    bit<19>  deq_qdepth;     // packets in the queue when this one left it

    // Microseconds since the switch started.
    @alias("intrinsic_metadata.ingress_global_timestamp")
    bit<48>  ingress_global_timestamp;
    @alias("intrinsic_metadata.egress_global_timestamp")
    bit<48>  egress_global_timestamp;

    @alias("intrinsic_metadata.mcast_grp")
    bit<16>  mcast_grp;      // written by ingress: multicast group, 0 is none
    @alias("intrinsic_metadata.egress_rid")
    bit<16>  egress_rid;     // egress only: replication id of a replica

    bit<1>   checksum_error; // a verify_checksum found a difference
    error    parser_error;   // how the parser ended

    @alias("intrinsic_metadata.priority")
    bit<3>   priority;       // which of the port's queues to use
}

enum CounterType {
    packets,
    bytes,
    packets_and_bytes
}

enum MeterType {
    packets,
    bytes
}

#define V1MODEL_METER_COLOR_GREEN  0
#define V1MODEL_METER_COLOR_YELLOW 1
#define V1MODEL_METER_COLOR_RED    2

// An array of counters. count() of an index beyond the size does nothing.
#if V1MODEL_VERSION >= 20200408
extern counter<I> {
    counter(bit<32> size, CounterType type);
    void count(in I index);
}
#else
extern counter {
    counter(bit<32> size, CounterType type);
    void count(in bit<32> index);
}
#endif

// One counter per entry of the table whose property `counters` names it. A
// matching entry counts by itself; calling count() adds nothing.
extern direct_counter {
    direct_counter(CounterType type);
    void count();
}

// An array of two-rate three-colour meters (RFC 2698, colour-blind). result
// becomes 0 green, 1 yellow or 2 red; T is bit<W> with W >= 2.
#if V1MODEL_VERSION >= 20200408
extern meter<I> {
    meter(bit<32> size, MeterType type);
    void execute_meter<T>(in I index, out T result);
}
#else
extern meter {
    meter(bit<32> size, MeterType type);
    void execute_meter<T>(in bit<32> index, out T result);
}
#endif

// One meter per entry of the table whose property `meters` names it. It runs
// when the entry matches; read() gives the colour that came out.
extern direct_meter<T> {
    direct_meter(MeterType type);
    void read(out T result);
}

// An array of values that outlive the packet, zero at the start.
#if V1MODEL_VERSION >= 20200408
extern register<T, I> {
    register(bit<32> size);
    @noSideEffects
    void read(out T result, in I index);
    void write(in I index, in T value);
}
#else
extern register<T> {
    register(bit<32> size);
    @noSideEffects
    void read(out T result, in bit<32> index);
    void write(in bit<32> index, in T value);
}
#endif

// Table property `implementation`: entries refer to shared members, each an
// action with its arguments.
extern action_profile {
    action_profile(bit<32> size);
}

// A number in lo..hi, both ends included.
extern void random<T>(out T result, in T lo, in T hi);

// Sends data to the control plane's learning client `receiver`.
extern void digest<T>(in bit<32> receiver, in T data);

enum HashAlgorithm {
    crc32,         // CRC-32 of IEEE 802.3
    crc32_custom,  // CRC-32 with parameters from the control plane
    crc16,         // CRC-16/ARC
    crc16_custom,  // CRC-16 with parameters from the control plane
    random,
    identity,      // the bits themselves
    csum16,        // the Internet checksum of RFC 1071
    xor16          // exclusive or of 16-bit words
}

// Drops the packet at the end of the control unless later code chooses
// otherwise: egress_spec becomes 511 and mcast_grp 0.
@deprecated("use mark_to_drop(standard_metadata)")
extern void mark_to_drop();
@pure
extern void mark_to_drop(inout standard_metadata_t standard_metadata);

// result = base + H(data) mod max; only base when max is 0.
@pure
extern void hash<O, T, D, M>(out O result, in HashAlgorithm algo, in T base, in D data, in M max);

// Table property `implementation`: entries refer to groups of members; the
// keys of kind selector, hashed, choose the member.
extern action_selector {
    action_selector(HashAlgorithm algorithm, bit<32> size, bit<32> outputWidth);
}

enum CloneType {
    I2E,  // from the end of ingress to the start of egress
    E2E   // from the end of egress to the start of egress
}

@deprecated("use verify_checksum or update_checksum")
extern Checksum16 {
    Checksum16();
    bit<16> get<D>(in D data);
}

// While condition holds, compares checksum with the checksum over data; a
// difference sets checksum_error.
extern void verify_checksum<T, O>(in bool condition, in T data, in O checksum, HashAlgorithm algo);

// While condition holds, replaces checksum by the checksum over data.
@pure
extern void update_checksum<T, O>(in bool condition, in T data, inout O checksum, HashAlgorithm algo);

// The same two over data followed by all bytes that the parser left alone.
extern void verify_checksum_with_payload<T, O>(in bool condition, in T data, in O checksum, HashAlgorithm algo);
@noSideEffects
extern void update_checksum_with_payload<T, O>(in bool condition, in T data, inout O checksum, HashAlgorithm algo);

// A copy of the packet to the port or group of a mirroring session; made when
// the control ends. The copy's metadata starts from zero.
extern void clone(in CloneType type, in bit<32> session);

// The same, and user metadata fields annotated @field_list(index) keep the
// value they have when the control ends.
extern void clone_preserving_field_list(in CloneType type, in bit<32> session, bit<8> index);
@deprecated("use clone_preserving_field_list")
extern void clone3<T>(in CloneType type, in bit<32> session, in T data);

// At the end of ingress: the packet as it came in starts at the parser again.
extern void resubmit_preserving_field_list(bit<8> index);
@deprecated("use resubmit_preserving_field_list")
extern void resubmit<T>(in T data);

// At the end of egress: the deparsed packet starts at the parser again.
extern void recirculate_preserving_field_list(bit<8> index);
@deprecated("use recirculate_preserving_field_list")
extern void recirculate<T>(in T data);

// Cuts the packet to that many bytes, headers included, when it is sent.
extern void truncate(in bit<32> length);

// Statements about the program for testing and for verification tools.
extern void assert(in bool check);
extern void assume(in bool check);

// Writes a message to the log; each {} stands for the next element of data.
extern void log_msg(string msg);
extern void log_msg<T>(string msg, in T data);

// The programmable blocks. M is the user's metadata, H a struct of headers,
// header stacks and header unions.
parser Parser<H, M>(packet_in b,
                    out H parsedHdr,
                    inout M meta,
                    inout standard_metadata_t standard_metadata);

control VerifyChecksum<H, M>(inout H hdr,
                             inout M meta);

@pipeline
control Ingress<H, M>(inout H hdr,
                      inout M meta,
                      inout standard_metadata_t standard_metadata);

@pipeline
control Egress<H, M>(inout H hdr,
                     inout M meta,
                     inout standard_metadata_t standard_metadata);

control ComputeChecksum<H, M>(inout H hdr,
                              inout M meta);

@deparser
control Deparser<H>(packet_out b, in H hdr);

package V1Switch<H, M>(Parser<H, M> p,
                       VerifyChecksum<H, M> vr,
                       Ingress<H, M> ig,
                       Egress<H, M> eg,
                       ComputeChecksum<H, M> ck,
                       Deparser<H> dep
                       );

#endif

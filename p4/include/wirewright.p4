// SPDX-License-Identifier: Apache-2.0
//
// Wirewright's own architecture: v1model, and a block for packet scheduling.
//
// A scheduling policy orders the children of a node. Children are flows or
// classes; those that have packets are elements of an ordered list (PIEO), each
// with a rank and a time from which on it is eligible. The node sends the
// eligible child of the smallest rank. A policy is controls that the scheduler
// calls; their state is a struct N of the node and a struct C of each child, zero
// at the start. Fields of N and C are bit<W>, int<W> or bool.
//
//   Scheduler(MyPreEnqueue(), MyPostDequeue()) main;
//
// Times are picoseconds. Virtual time and tags are units of 2^-8 ps, so that
// nothing is divided when a packet passes: a rate comes as its reciprocal, a pace,
// in units of 2^-16 ps a byte, and tag(bytes, pace) is a product.

#ifndef _WIREWRIGHT_P4_
#define _WIREWRIGHT_P4_

#include <v1model.p4>

// Eligible at all times.
const bit<64> ALWAYS = 0;

// What the control plane sets for a child.
struct parameters_t {
    bit<32> weight;     // share beside its siblings, 1 or more
    bit<64> priority;   // smaller is better
    bit<64> pace;       // of the child's rate limit; the link's if it has none
    bit<64> share;      // pace of the child's share of the node's rate, by weight
    bit<64> node_pace;  // of the node's rate
    bit<32> burst;      // bytes that may pass at once
    bit<32> quantum;    // bytes a round
}

// The packet for which a child is in the list. Of a class only bytes (those of its
// last packet) and arrival are meaningful; the others are of a flow's packet.
struct head_t {
    bit<64> now;
    bit<32> bytes;
    bool    fresh;      // it entered an empty queue
    bit<64> arrival;
    bit<64> size;       // bytes of the whole job
    bit<64> remaining;  // bytes of the job that are still to be sent
    bit<64> slack;      // how long it may wait
    bit<64> deadline;   // when it must have left
    bit<64> release;    // when a regulator releases it
}

// A packet that has left.
struct sent_t {
    bit<64> now;
    bit<32> bytes;
    bit<32> stamped;    // the length that Pre-Enqueue was told
}

// Where a child goes in the list.
struct stamp_t {
    bit<64> rank;       // smaller leaves first
    bit<64> eligible;   // in the node's clock
}

// The child enters the list.
control PreEnqueue<N, C>(inout N node, inout C child, in parameters_t parameters,
                         in head_t head, out stamp_t stamp);

// A packet of the child has left.
control PostDequeue<N, C>(inout N node, inout C child, in parameters_t parameters,
                          in sent_t sent);

// What eligible times are compared with. Without this control it is the wall clock;
// with it the node has a virtual one, which must reach `least`, the least eligible
// time in the list, if there is `any`. Called when the list has changed, and before
// every choice.
control Clock<N>(inout N node, in bit<64> now, in bool any, in bit<64> least,
                 out bit<64> clock);

// For rounds. May the child that was chosen send this packet? If not, it enters the
// list anew. And does a child that has just sent go on without a look at the list?
control Round<N, C>(inout N node, inout C child, in parameters_t parameters,
                    in head_t head, out bool yes);

// The child leaves the list without sending (pause): what Pre-Enqueue charged for so
// many bytes is taken back.
control Withdraw<N, C>(inout N node, inout C child, in parameters_t parameters,
                       in bit<32> bytes);

// The child has no packet any more, or was paused.
control Emptied<N, C>(inout N node, inout C child);

package Scheduler<N, C>(
    PreEnqueue<N, C> pre_enqueue,
    @optional PostDequeue<N, C> post_dequeue,
    @optional Clock<N> clock,
    @optional Round<N, C> may_send,
    @optional Round<N, C> stays,
    @optional Withdraw<N, C> withdraw,
    @optional Emptied<N, C> emptied);

// Virtual time that so many bytes take at a pace, rounded down; the largest value if
// it does not fit. Two products of 64 bits do for a pace of any size.
bit<64> tag(in bit<32> bytes, in bit<64> pace) {
    bit<64> low = (bit<64>) bytes * (bit<64>) pace[31:0];
    bit<64> high = (bit<64>) bytes * (bit<64>) pace[63:32];
    if (high[63:40] != 0) {
        return ~64w0;
    }
    return (high << 24) |+| (low >> 8);
}

// The larger of two numbers.
bit<64> largest(in bit<64> a, in bit<64> b) {
    return a > b ? a : b;
}

#endif

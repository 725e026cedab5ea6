// SPDX-License-Identifier: Apache-2.0
//
// WF2Q+ (Bennett and Zhang 1997). Of the children whose fluid service would have
// begun, the one that finishes first: rank is the finish time, eligible from the start
// time on. Virtual time is what the node has served, but never behind all starts.

#include <wirewright.p4>

struct node_t {
    bit<64> virtual_time;
}

struct flow_t {
    bit<64> finish;
}

control Enter(inout node_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        bit<64> start = head.fresh ? largest(flow.finish, node.virtual_time) : flow.finish;
        flow.finish = start |+| tag(head.bytes, parameters.share);
        stamp = { flow.finish, start };
    }
}

control Sent(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in sent_t sent) {
    apply {
        // The length of a class's packet is certain only now.
        flow.finish = flow.finish |+| tag(sent.bytes, parameters.share)
                                  |-| tag(sent.stamped, parameters.share);
        node.virtual_time = node.virtual_time |+| tag(sent.bytes, parameters.node_pace);
    }
}

control Advance(inout node_t node, in bit<64> now, in bool any, in bit<64> least,
                out bit<64> clock) {
    apply {
        if (any) {
            node.virtual_time = largest(node.virtual_time, least);
        }
        clock = node.virtual_time;
    }
}

control Back(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in bit<32> bytes) {
    apply {
        flow.finish = flow.finish |-| tag(bytes, parameters.share);
    }
}

Scheduler(
    pre_enqueue = Enter(),
    post_dequeue = Sent(),
    clock = Advance(),
    withdraw = Back()
) main;

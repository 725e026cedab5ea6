// SPDX-License-Identifier: Apache-2.0
//
// Start-time fair queueing (Goyal, Vin and Cheng 1996). Rank is the start time;
// virtual time is the start of the packet in service.

#include <wirewright.p4>

struct node_t {
    bit<64> virtual_time;
}

struct flow_t {
    bit<64> start;
    bit<64> finish;
}

control Enter(inout node_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        flow.start = head.fresh ? largest(flow.finish, node.virtual_time) : flow.finish;
        flow.finish = flow.start |+| tag(head.bytes, parameters.share);
        stamp = { flow.start, ALWAYS };
    }
}

control Sent(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in sent_t sent) {
    apply {
        // The length of a class's packet is certain only now.
        flow.finish = flow.start |+| tag(sent.bytes, parameters.share);
        node.virtual_time = largest(node.virtual_time, flow.start);
    }
}

control Back(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in bit<32> bytes) {
    apply {
        flow.finish = flow.start;
    }
}

Scheduler(pre_enqueue = Enter(), post_dequeue = Sent(), withdraw = Back()) main;

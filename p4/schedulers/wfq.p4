// SPDX-License-Identifier: Apache-2.0
//
// Weighted fair queueing by finish times of a clock of its own: virtual time is what
// the link has served, not that of the fluid system.

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
        flow.finish = largest(flow.finish, node.virtual_time)
                      |+| tag(head.bytes, parameters.share);
        stamp = { flow.finish, ALWAYS };
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

control Back(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in bit<32> bytes) {
    apply {
        flow.finish = flow.finish |-| tag(bytes, parameters.share);
    }
}

Scheduler(pre_enqueue = Enter(), post_dequeue = Sent(), withdraw = Back()) main;

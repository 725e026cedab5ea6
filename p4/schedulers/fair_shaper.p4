// SPDX-License-Identifier: Apache-2.0
//
// Shaping and fairness in one list. Each child has a token bucket (token_bucket.p4); of
// those that may send, start-time fair queueing (stfq.p4) chooses. The wall clock says
// who is eligible, virtual time says the order.

#include <wirewright.p4>

typedef int<80> tokens_t;

struct node_t {
    bit<64> virtual_time;
}

struct flow_t {
    tokens_t tokens;
    bit<64>  last;
    bool     is_used;
    bit<64>  start;
    bit<64>  finish;
}

tokens_t cost(in bit<32> bytes, in parameters_t parameters) {
    return (tokens_t) (bit<80>) tag(bytes, parameters.pace);
}

control Enter(inout node_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        tokens_t burst = cost(parameters.burst, parameters);
        tokens_t tokens = flow.tokens + (tokens_t) ((bit<80>) (head.now |-| flow.last) << 8);
        if (!flow.is_used || tokens > burst) {
            tokens = burst;
        }
        flow.tokens = tokens - cost(head.bytes, parameters);
        flow.last = head.now;
        flow.is_used = true;
        bit<80> wait = flow.tokens < 0 ? ((bit<80>) -flow.tokens + 255) >> 8 : 0;
        bit<64> send = wait[79:64] == 0 ? head.now |+| wait[63:0] : ~64w0;

        // A child that its limit held back has no claim on what it did not take.
        bool fresh = head.fresh || send > head.now;
        flow.start = fresh ? largest(flow.finish, node.virtual_time) : flow.finish;
        flow.finish = flow.start |+| tag(head.bytes, parameters.share);
        stamp = { flow.start, send };
    }
}

control Sent(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in sent_t sent) {
    apply {
        flow.finish = flow.start |+| tag(sent.bytes, parameters.share);
        node.virtual_time = largest(node.virtual_time, flow.start);
        flow.tokens = flow.tokens - (cost(sent.bytes, parameters)
                                     - cost(sent.stamped, parameters));
    }
}

control Back(inout node_t node, inout flow_t flow, in parameters_t parameters,
             in bit<32> bytes) {
    apply {
        flow.finish = flow.start;
        flow.tokens = flow.tokens + cost(bytes, parameters);
    }
}

Scheduler(pre_enqueue = Enter(), post_dequeue = Sent(), withdraw = Back()) main;

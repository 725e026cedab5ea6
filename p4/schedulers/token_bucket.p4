// SPDX-License-Identifier: Apache-2.0
//
// Token bucket: no child sends more than its rate and burst allow. Tokens are kept as
// the time in which they come, in 2^-8 ps. They are taken at once, and may become a
// debt, which is over at the time that is rank and eligible time.

#include <wirewright.p4>

struct none_t { }

typedef int<80> tokens_t;

struct flow_t {
    tokens_t tokens;
    bit<64>  last;    // when they were counted
    bool     is_used;  // a new bucket is full
}

tokens_t cost(in bit<32> bytes, in parameters_t parameters) {
    return (tokens_t) (bit<80>) tag(bytes, parameters.pace);
}

control Enter(inout none_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        tokens_t burst = cost(parameters.burst, parameters);
        tokens_t tokens = flow.tokens + (tokens_t) ((bit<80>) (head.now |-| flow.last) << 8);
        if (!flow.is_used || tokens > burst) {
            tokens = burst;
        }
        tokens = tokens - cost(head.bytes, parameters);
        flow = { tokens, head.now, true };
        // Rounded up: never too early.
        bit<80> wait = tokens < 0 ? ((bit<80>) -tokens + 255) >> 8 : 0;
        bit<64> send = wait[79:64] == 0 ? head.now |+| wait[63:0] : ~64w0;
        stamp = { send, send };
    }
}

control Sent(inout none_t node, inout flow_t flow, in parameters_t parameters,
             in sent_t sent) {
    apply {
        // The length of a class's packet is certain only now.
        flow.tokens = flow.tokens - (cost(sent.bytes, parameters)
                                     - cost(sent.stamped, parameters));
    }
}

control Back(inout none_t node, inout flow_t flow, in parameters_t parameters,
             in bit<32> bytes) {
    apply {
        flow.tokens = flow.tokens + cost(bytes, parameters);
    }
}

Scheduler(pre_enqueue = Enter(), post_dequeue = Sent(), withdraw = Back()) main;

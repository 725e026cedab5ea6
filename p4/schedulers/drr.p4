// SPDX-License-Identifier: Apache-2.0
//
// Deficit round robin (Shreedhar and Varghese 1995). All ranks are equal, so ties
// give the round. A visit adds the quantum to the deficit and lasts while the next
// packet fits it.

#include <wirewright.p4>

struct none_t { }

struct flow_t {
    int<64> deficit;  // bytes that it may send; a class may owe some
    bool    visited;
}

control Enter(inout none_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { 1, ALWAYS };
    }
}

control Visit(inout none_t node, inout flow_t flow, in parameters_t parameters,
              in head_t head, out bool yes) {
    apply {
        if (!flow.visited) {
            bit<32> quantum = parameters.quantum == 0 ? 1 : parameters.quantum;
            flow.deficit = flow.deficit |+| (int<64>) (bit<64>) quantum;
        }
        flow.visited = (int<64>) (bit<64>) head.bytes <= flow.deficit;
        yes = flow.visited;
    }
}

control Sent(inout none_t node, inout flow_t flow, in parameters_t parameters,
             in sent_t sent) {
    apply {
        flow.deficit = flow.deficit - (int<64>) (bit<64>) sent.bytes;
    }
}

control GoOn(inout none_t node, inout flow_t flow, in parameters_t parameters,
             in head_t head, out bool yes) {
    apply {
        flow.visited = (int<64>) (bit<64>) head.bytes <= flow.deficit;
        yes = flow.visited;
    }
}

control Leave(inout none_t node, inout flow_t flow) {
    apply {
        if (flow.deficit > 0) {
            flow.deficit = 0;
        }
        flow.visited = false;
    }
}

Scheduler(
    pre_enqueue = Enter(),
    may_send = Visit(),
    post_dequeue = Sent(),
    stays = GoOn(),
    emptied = Leave()
) main;

// SPDX-License-Identifier: Apache-2.0
//
// First in, first out, over all flows of a node. Of classes, those that have waited
// longest go first, which takes them in turn.

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { head.arrival, ALWAYS };
    }
}

Scheduler(Enter()) main;

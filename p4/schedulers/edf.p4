// SPDX-License-Identifier: Apache-2.0
//
// Earliest deadline first.

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { head.deadline, ALWAYS };
    }
}

Scheduler(Enter()) main;

// SPDX-License-Identifier: Apache-2.0
//
// Shortest job first: by the bytes of the whole job.

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { head.size, ALWAYS };
    }
}

Scheduler(Enter()) main;

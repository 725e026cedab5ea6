// SPDX-License-Identifier: Apache-2.0
//
// Shortest remaining time first: by the bytes of the job that are left (the order of
// pFabric).

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { head.remaining, ALWAYS };
    }
}

Scheduler(Enter()) main;

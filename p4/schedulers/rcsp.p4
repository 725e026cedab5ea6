// SPDX-License-Identifier: Apache-2.0
//
// Rate-controlled static priority (Zhang and Ferrari 1993): a fixed priority, from
// the time on that a regulator gave the packet.

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { parameters.priority, head.release };
    }
}

Scheduler(Enter()) main;

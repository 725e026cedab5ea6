// SPDX-License-Identifier: Apache-2.0
//
// Least slack time first. Everybody's slack shrinks alike while waiting, so the order
// is that of arrival plus slack.

#include <wirewright.p4>

struct none_t { }

control Enter(inout none_t node, inout none_t flow, in parameters_t parameters,
              in head_t head, out stamp_t stamp) {
    apply {
        stamp = { head.arrival |+| head.slack, ALWAYS };
    }
}

Scheduler(Enter()) main;

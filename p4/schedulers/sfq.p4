// SPDX-License-Identifier: Apache-2.0
//
// Stochastic fair queueing (McKenney 1990): deficit round robin over a few queues.
// The hash that sends a flow to its queue is the classifier's: give a child a `count`,
// and all children the same quantum.

#include "drr.p4"

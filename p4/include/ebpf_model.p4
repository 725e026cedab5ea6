// SPDX-License-Identifier: Apache-2.0
//
// A packet filter in the Linux kernel: accept says whether the packet lives.

#ifndef _EBPF_MODEL_P4_
#define _EBPF_MODEL_P4_

#include <core.p4>

// Counters of 32 bits, in an array or, if sparse, in a hash map.
extern CounterArray {
    CounterArray(bit<32> max_index, bool sparse);
    void increment(in bit<32> index);
    void add(in bit<32> index, in bit<32> value);
}

// Table property `implementation`: the kind of map behind a table.
extern array_table {
    array_table(bit<32> size);
}

extern hash_table {
    hash_table(bit<32> size);
}

parser parse<H>(packet_in packet, out H headers);

control filter<H>(inout H headers, out bool accept);

package ebpfFilter<H>(parse<H> prs, filter<H> filt);

#endif

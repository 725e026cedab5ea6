// A switch with a control behind the queue, copies and second passes, whose names and numbers are
// its own. relay.arch.toml describes it.
#ifndef RELAY_P4
#define RELAY_P4

#include <core.p4>

struct relay_t {
    bit<8>  origin; // the port on which the packet came in
    bit<8>  outlet; // the port that it goes to; 0 drops it
    bit<16> kind;   // 0 received, 1 queued, 3 resubmitted, 2 recirculated, 40 and 41 copied, 9 replica
    bit<16> group;  // the group that replicas are made for; 0 for none
    bit<16> member; // the replica's number
    bit<1>  kill;   // 1 drops the packet behind the queue
}

enum Place { FRONT, BEHIND }
extern void copy(in Place place, in bit<32> session);
extern void retry(bit<8> list);
extern void again(bit<8> list);

parser Read<H, M>(packet_in packet, out H headers, inout M meta, inout relay_t relay);
control Decide<H, M>(inout H headers, inout M meta, inout relay_t relay);
control Behind<H, M>(inout H headers, inout M meta, inout relay_t relay);
control Write<H>(packet_out packet, in H headers);
package Relay<H, M>(Read<H, M> read, Decide<H, M> decide, Behind<H, M> behind, Write<H> write);

#endif

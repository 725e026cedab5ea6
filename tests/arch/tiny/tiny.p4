// A switch with a parser, one control, a deparser and one output port: the smallest architecture
// that forwards packets. tiny.arch.toml describes it.
#ifndef TINY_P4
#define TINY_P4

#include <core.p4>

struct tiny_t {
    bit<16> in_port;  // where the packet came in
    bit<16> bytes;    // its length
    bit<16> out_port; // where it goes; 65535 drops it
}

// Sends the packet nowhere.
extern void discard(inout tiny_t tiny);

extern register<T> {
    register(bit<32> size);
    void read(out T result, in bit<32> index);
    void write(in bit<32> index, in T value);
}

enum HashAlgorithm { crc32, crc16, identity, csum16 }
extern void fold<O, T, D, M>(out O result, in HashAlgorithm algorithm, in T base, in D data,
                             in M max);

parser Parse<H>(packet_in packet, out H headers, inout tiny_t tiny);
control Process<H>(inout H headers, inout tiny_t tiny);
control Write<H>(packet_out packet, in H headers);
package Tiny<H>(Parse<H> parse, Process<H> process, Write<H> write);

#endif

// Sends packets back to where they came from, with two fields exchanged and their length.
#include <tiny.p4>

header pair_t { bit<8> to; bit<8> from; }
header size_t { bit<16> bytes; }

struct headers_t {
    pair_t pair;
    size_t size;
}

parser P(packet_in packet, out headers_t headers, inout tiny_t tiny) {
    state start {
        packet.extract(headers.pair);
        transition accept;
    }
}

control C(inout headers_t headers, inout tiny_t tiny) {
    apply {
        bit<8> to = headers.pair.to;
        headers.pair.to = headers.pair.from;
        headers.pair.from = to;
        headers.size.setValid();
        headers.size.bytes = tiny.bytes;
        tiny.out_port = tiny.in_port;
        if (to == 0xff) {
            discard(tiny);
        }
    }
}

control W(packet_out packet, in headers_t headers) {
    apply {
        packet.emit(headers);
    }
}

Tiny(P(), C(), W()) main;

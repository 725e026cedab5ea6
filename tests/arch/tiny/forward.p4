// A table chooses the port; a register counts the packets of each port; a hash goes with them.
#include <tiny.p4>

header frame_t { bit<8> to; bit<8> count; bit<16> mark; }

struct headers_t { frame_t frame; }

parser P(packet_in packet, out headers_t headers, inout tiny_t tiny) {
    state start {
        packet.extract(headers.frame);
        transition accept;
    }
}

control C(inout headers_t headers, inout tiny_t tiny) {
    register<bit<8>>(16) seen;

    action forward(bit<16> port) {
        tiny.out_port = port;
    }
    action drop() {
        discard(tiny);
    }
    table routes {
        key = { headers.frame.to : exact; }
        actions = { forward; drop; }
        default_action = drop();
        size = 64;
    }

    apply {
        routes.apply();
        bit<8> count;
        seen.read(count, (bit<32>) tiny.in_port);
        count = count + 1;
        seen.write((bit<32>) tiny.in_port, count);
        headers.frame.count = count;
        fold(headers.frame.mark, HashAlgorithm.identity, 16w0,
             { headers.frame.to, headers.frame.count }, 32w0x10000);
    }
}

control W(packet_out packet, in headers_t headers) {
    apply {
        packet.emit(headers.frame);
    }
}

Tiny(P(), C(), W()) main;

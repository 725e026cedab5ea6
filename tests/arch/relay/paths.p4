// Each packet says which path it takes, and leaves with what it met on the way.
#include <relay.p4>

header step_t { bit<8> path; bit<8> first; bit<8> second; bit<8> kept; }

struct headers_t { step_t step; }
struct meta_t { @field_list(1) bit<8> kept; }

parser P(packet_in packet, out headers_t headers, inout meta_t meta, inout relay_t relay) {
    state start {
        packet.extract(headers.step);
        transition accept;
    }
}

control D(inout headers_t headers, inout meta_t meta, inout relay_t relay) {
    apply {
        headers.step.first = relay.kind[7:0];
        headers.step.kept = meta.kept;
        meta.kept = 0x77;
        relay.outlet = 2;
        bool is_new = relay.kind == 0;
        if (headers.step.path == 0) { relay.outlet = 0; }
        if (headers.step.path == 2 && is_new) { retry(1); }
        if (headers.step.path == 3) { copy(Place.FRONT, 5); }
        if (headers.step.path == 4) { relay.group = 6; }
        if (headers.step.path == 5 && is_new) { again(1); }
    }
}

control B(inout headers_t headers, inout meta_t meta, inout relay_t relay) {
    apply {
        headers.step.second = relay.kind[7:0] + relay.member[7:0];
        if (headers.step.path == 7 && relay.kind == 1) { copy(Place.BEHIND, 5); }
        if (headers.step.path == 8) { relay.kill = 1; }
    }
}

control W(packet_out packet, in headers_t headers) {
    apply {
        packet.emit(headers.step);
    }
}

Relay(P(), D(), B(), W()) main;

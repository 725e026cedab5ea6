#include <v1model.p4>
header H { bit<8> a; bit<8> b; }
struct Headers { H h; }
struct Meta { bit<8> x; }
parser P(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout Headers h, inout Meta m) { apply { } }
control Inner(inout standard_metadata_t meta) {
    apply { meta.egress_port = 3; } //~ WARN what is written to `egress_port` here is lost
}
control Both(inout standard_metadata_t meta) {
    apply { meta.egress_port = 4; }
}
control I(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    Inner() inner;
    Both() both;
    register<bit<9>>(4) ports;
    action to(bit<9> port) { s.egress_port = port; } //~ WARN what is written to `egress_port` here is lost
    table t {
        key = { h.h.a : exact; }
        actions = { to; }
    }
    apply {
        t.apply();
        s.egress_spec = 1;
        ports.read(s.egress_port, 0); //~ WARN what is written to `egress_port` here is lost
        inner.apply(s);
        both.apply(s);
    }
}
control E(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    Both() both;
    apply { both.apply(s); s.egress_port = 2; }
}
control C(inout Headers h, inout Meta m) { apply { } }
control D(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

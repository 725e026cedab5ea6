// Registers of structs, objects given as arguments, exit from within actions and nested
// controls, and results of calls inside conditions.
#include <core.p4>
#include <v1model.p4>


header h_t { bit<8> a; bit<8> b; int<8> c; bit<8> d; }
struct cell_t { bit<4> hi; int<12> lo; bool flag; }
struct headers_t { h_t h; h_t g; }
struct meta_t { bit<8> n; cell_t cell; }

control Count(register<cell_t> r, inout bit<8> index, inout cell_t cell) {
    action step(in bit<4> by, out cell_t old) {
        r.read(old, (bit<32>)index);
        cell.hi = old.hi + by;
        cell.lo = old.lo - 3;
        cell.flag = !old.flag;
        if (index == 3) { exit; }
        r.write((bit<32>)index, cell);
    }
    apply {
        cell_t before;
        step(index[3:0], before);
        index = index + (bit<8>)before.hi;
    }
}

parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start { pkt.extract(hdr.h); transition accept; }
}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    register<cell_t>(4) cells;
    register<bit<8>>(2) last;
    Count() first;
    Count() second;
    action keep(bit<8> v) { last.write(0, v); if (v == 0x44) { exit; } hdr.h.d = v; }
    action take() { bit<8> v; last.read(v, (bit<32>)hdr.h.b); hdr.h.d = v; return; }
    table t {
        key = { hdr.h.a: range; hdr.h.c: optional; hdr.g.isValid(): exact; }
        actions = { keep; take; }
        const entries = {
            (0 .. 10, _, false): keep(0x11);
            (5 .. 20, -1, false): keep(0x44);
            (_, 5, false): take();
        }
        const default_action = take();
    }
    apply {
        sm.egress_spec = 1;
        first.apply(cells, hdr.h.a, meta.cell);
        if (t.apply().miss && meta.cell.flag) {
            hdr.g.setValid();
            hdr.g = { hdr.h.b, hdr.h.a, hdr.h.c >> 1, 8w1 };
        }
        second.apply(cells, hdr.h.b, meta.cell);
        hdr.h.c = (int<8>)meta.cell.lo[7:0] |+| 100;
        switch (hdr.h.c) {
            8s127: { hdr.h.d = 1; }
            -8s3:
            8s97: { hdr.h.d = 2; }
            default: { if (hdr.h.c < -10 || hdr.h.a / 3 == 2) { hdr.h.d = 3; } }
        }
    }
}

control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }

control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

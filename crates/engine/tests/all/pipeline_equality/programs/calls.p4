// Parameters that share storage with each other, with what the callee reaches, or with invalid
// headers; exit in the middle of calls; the same control applied with different arguments.
#include <core.p4>
#include <v1model.p4>


header h_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; }
struct pair_t { bit<8> x; bit<8> y; }
struct headers_t { h_t h; h_t i; h_t j; }
struct meta_t { pair_t p; pair_t q; bit<8> n; }

bit<8> bump(inout bit<8> v, in bit<8> by) {
    v = v + by;
    return v ^ by;
}
void swap(inout pair_t p) {
    p = { p.y, p.x };
}
bit<8> early(in bit<8> v, out bit<8> o) {
    o = 1;
    if (v > 100) { return 7; }
    for (bit<8> i in 0 .. 5) {
        if (i == v) { return i + 20; }
        o = o + i;
    }
    return v;
}
void both(inout h_t x, inout h_t y) {
    x.a = x.a + 1;
    y.b = x.a + y.b;
    x = y;
    y.setInvalid();
}

control Inner(inout bit<8> v, in bit<8> w, inout meta_t meta) {
    action add(bit<8> k) { v = v + w + k; }
    action leave() { v = v - w; exit; }
    action twist() { bump(v, v); bump(meta.n, w); }
    table t {
        key = { v: exact; w & 3: ternary; }
        actions = { add; leave; twist; }
        const entries = {
            (0x01, _): leave();
            (0x02, 1): twist();
            (0x03, 2 &&& 2): add(0x50);
        }
        default_action = add(1);
    }
    apply {
        if (w == 0xee) { v = 9; return; }
        switch (t.apply().action_run) {
            twist: { v = v | 0x80; }
            add: { meta.n = meta.n + 1; }
        }
        v = v + 1;
    }
}

control Pair(inout pair_t p) {
    action up() { p.x = p.x + 1; }
    action down(bit<8> k) { p.y = p.y - k; }
    table t {
        key = { p.x: exact; }
        actions = { up; down; }
        const entries = { 1: up(); 2: down(3); }
        default_action = down(1);
    }
    apply { t.apply(); }
}

parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.d) { 0 .. 127: second; _: accept; }
    }
    state second {
        pkt.extract(hdr.i);
        transition accept;
    }
}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    Inner() inner;
    Pair() pair;
    bit<8> local = 3;
    action outer(inout bit<8> v, bit<8> k) {
        hdr.h.b = hdr.h.b + k;
        v = v + hdr.h.b;
        local = local + v;
    }
    action direct(inout bit<8> a, inout bit<8> b, in bit<8> c) {
        a = b + c;
        hdr.i.c = a;
        b = a + c;
    }
    action copies(out h_t to, in h_t from) {
        to = from;
        to.a = to.a + 1;
    }
    table u {
        key = { bump(hdr.h.c, 1): exact @name("c"); hdr.h.c: exact @name("d"); }
        actions = { outer(hdr.h.b); NoAction; }
        default_action = outer(hdr.h.b, 5);
    }
    apply {
        sm.egress_spec = 1;
        direct(hdr.h.a, hdr.i.b, hdr.i.c);
        direct(hdr.h.a, hdr.h.a, hdr.h.b);
        bump(hdr.j.a, 4);
        hdr.h.d = bump(hdr.j.b, 3) + hdr.j.b;
        meta.p = { hdr.h.a, hdr.h.b };
        swap(meta.p);
        meta.q = { meta.p.y, meta.p.x };
        hdr.h.c = meta.q.x + early(hdr.h.a, hdr.h.d) + bump(meta.n, early(hdr.h.b, meta.n));
        if (u.apply().hit || bump(hdr.h.a, 2) > 8w200) { hdr.h.a = local; }
        both(hdr.h, hdr.i);
        both(hdr.i, hdr.i);
        copies(hdr.j, hdr.h);
        inner.apply(hdr.h.a, hdr.h.b, meta);
        inner.apply(hdr.h.b, hdr.h.a, meta);
        inner.apply(meta.n, 0xee, meta);
        hdr.h.d = meta.n;
        meta.p = { hdr.h.a & 3, hdr.h.b };
        pair.apply(meta.p);
        pair.apply(meta.q);
        hdr.h.a = meta.p.x ^ meta.q.x;
        hdr.h.b = meta.p.y ^ meta.q.y;
    }
}

control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }

control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

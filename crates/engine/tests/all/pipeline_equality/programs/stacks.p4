// Indices computed at run time; stacks of unions; shifts; copies of
// stacks onto themselves; loops over stacks whose elements change meanwhile.
#include <core.p4>
#include <v1model.p4>


header e_t { bit<8> v; }
header f_t { bit<4> x; bit<12> y; }
header_union u_t { e_t e; f_t f; }
header c_t { bit<8> i; bit<8> j; bit<8> k; bit<8> l; }
struct headers_t { c_t c; e_t[4] s; u_t[3] u; e_t[4] t; }
struct meta_t { e_t[2] rows; f_t[3] more; bit<8> sum; }

parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.c);
        transition select(hdr.c.l) {
            0 .. 15: stack;
            16 .. 100: union_;
            _: accept;
        }
    }
    state stack {
        pkt.extract(hdr.s.next);
        transition select(hdr.s.last.v) {
            0x80 &&& 0x80: stack;
            1: push;
            2: pop;
            3: union_;
            _: accept;
        }
    }
    state push { hdr.s.push_front(1); transition stack; }
    state pop { hdr.s.pop_front(2); transition stack; }
    state union_ {
        transition select(pkt.lookahead<bit<8>>()) {
            0 .. 9: one;
            10 .. 19: two;
            20: indexed;
            _: accept;
        }
    }
    state one { pkt.extract(hdr.u.next.e); transition union_; }
    state two { pkt.extract(hdr.u.next.f); transition union_; }
    state indexed { pkt.extract(hdr.u[hdr.c.k & 3].e); transition accept; }
}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.s[hdr.c.i].v = hdr.s[hdr.c.j].v + 1;
        hdr.s[hdr.s[0].v & 3] = hdr.s[hdr.c.k];
        meta.rows[hdr.c.i & 1].setValid();
        meta.rows[hdr.c.i & 1].v = hdr.c.k;
        meta.more[2].setValid();
        meta.more[meta.rows[hdr.c.j & 3].v & 3].y = 5;
        meta.more[hdr.c.k & 3] = meta.more[hdr.c.i & 1 | 2];
        meta.more[hdr.c.k & 3].y[7:4] = hdr.c.l[3:0];
        meta.rows[hdr.c.j & 1] = meta.rows[hdr.c.i & 1];
        hdr.u[hdr.c.i & 3].e.setValid();
        hdr.u[hdr.c.i & 3].e.v = 0x33;
        hdr.u[hdr.c.j & 3].f = { 4w3, 12w0x456 };
        if (hdr.c.k[0:0] == 1) { hdr.u[hdr.c.k & 3].f.setInvalid(); }
        hdr.t = hdr.s;
        if (hdr.c.l[0:0] == 1) {
            hdr.t[hdr.c.i] = hdr.t[1];
            hdr.t.push_front(1);
            hdr.t[0] = hdr.t[2];
        } else {
            hdr.t.pop_front(3);
        }
        bit<8> n = 0;
        for (e_t e in hdr.s) {
            if (!e.isValid()) { continue; }
            n = n + 1;
            hdr.s[2].v = hdr.s[2].v + e.v;
            if (e.v == 7) { break; }
        }
        for (bit<8> i = 0; i < 6; i = i + 2) {
            for (bit<3> k in 5 .. 7) {
                if (k == hdr.c.k[2:0]) { continue; }
                meta.sum = meta.sum + i + (bit<8>)k;
            }
            meta.rows[i[0:0]].v = meta.sum;
        }
        hdr.c.i = n;
        hdr.c.j = meta.rows[0].v + meta.rows[1].v + meta.more[0].y[7:0] + meta.more[hdr.c.l].y[7:0];
        hdr.c.k[3:0] = hdr.c.k[5:2];
        hdr.c.k[7:4] += 3;
        if (hdr.s == hdr.t) { hdr.c.l = 0xff; }
        if (hdr.u[0] == hdr.u[1]) { hdr.c.l = 0xfe; }
    }
}

control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }

control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

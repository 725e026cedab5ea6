// Enums without underlying type: assignment, equality, parameters, results, struct fields and
// default value.
#include <core.p4>
#include <v1model.p4>

enum Suit { Clubs, Diamonds, Hearts, Spades }
struct card_t { Suit suit; bit<8> rank; }
header in_t { bit<8> x; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; }
Suit suit(in bit<8> x) {
    if (x == 0) {
        return Suit.Clubs;
    }
    return x == 1 ? Suit.Diamonds : Suit.Spades;
}
Suit other(in Suit s) {
    return s == Suit.Clubs ? Suit.Spades : Suit.Clubs;
}

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        Suit s = suit(hdr.i.x);
        Suit d = ...;
        card_t card = { s, 5 };
        hdr.o.r0 = s == Suit.Diamonds ? 8w1 : 8w0;
        hdr.o.r1 = s != Suit.Spades ? 8w1 : 8w0;
        hdr.o.r2 = other(s) == Suit.Spades ? 8w1 : 8w0;
        hdr.o.r3 = d == Suit.Clubs ? 8w1 : 8w0;
        hdr.o.r4 = card == (card_t){ Suit.Diamonds, 5 } ? 8w1 : 8w0;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

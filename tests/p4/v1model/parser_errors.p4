// Every standard parser error reaches ingress in parser_error and drops nothing;
// what was extracted before stays valid, what was not read is payload.

#include <core.p4>
#include <v1model.p4>

header code_t {
    bit<8> c;
}

header h_t {
    bit<8> k;
}

header word_t {
    bit<32> w;
}

header byte_t {
    bit<8> b;
}

header var_t {
    varbit<16> v;
}

struct headers_t {
    code_t    code;
    h_t       h;
    word_t    word;
    byte_t[2] s;
    var_t     var;
}

struct metadata_t { }

error {
    Mine
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            1: short;
            2: no_match;
            3: stack;
            4: varying;
            5: checked;
            6: peek;
            7: skip;
            default: accept;
        }
    }
    state short {
        pkt.extract(hdr.word);
        transition accept;
    }
    state no_match {
        pkt.extract(hdr.s.next);
        transition select(hdr.s.last.b) {
            0x10: accept;
        }
    }
    state stack {
        pkt.extract(hdr.s.next);
        transition select(hdr.s.last.b) {
            0: accept;
            default: stack;
        }
    }
    state varying {
        pkt.extract(hdr.var, (bit<32>)pkt.lookahead<bit<8>>());
        transition accept;
    }
    state checked {
        pkt.extract(hdr.s.next);
        verify(hdr.s[0].b == 0x20, error.Mine);
        pkt.extract(hdr.s.next);
        transition accept;
    }
    state peek {
        bit<32> w = pkt.lookahead<bit<32>>();
        transition select(w) {
            default: accept;
        }
    }
    state skip {
        pkt.advance(16);
        pkt.extract(hdr.s.next);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.code.setValid();
        hdr.code.c = 0xff;
        if (sm.parser_error == error.NoError) {
            hdr.code.c = 0;
        } else if (sm.parser_error == error.PacketTooShort) {
            hdr.code.c = 1;
        } else if (sm.parser_error == error.NoMatch) {
            hdr.code.c = 2;
        } else if (sm.parser_error == error.StackOutOfBounds) {
            hdr.code.c = 3;
        } else if (sm.parser_error == error.HeaderTooShort) {
            hdr.code.c = 4;
        } else if (sm.parser_error == error.Mine) {
            hdr.code.c = 5;
        }
        if (hdr.word.isValid()) {
            hdr.word.w = 0;
        }
        if (hdr.s[0].isValid()) {
            hdr.s[0].b = 0xa0;
        }
        if (hdr.s[1].isValid()) {
            hdr.s[1].b = 0xa1;
        }
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;

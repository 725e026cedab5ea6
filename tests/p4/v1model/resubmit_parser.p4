// The parser sees the instance type of the resubmitted packet and may take
// another way.

#include <core.p4>
#include <v1model.p4>

header a_t {
    bit<8> x;
}

header b_t {
    bit<16> y;
}

struct headers_t {
    a_t a;
    b_t b;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        transition select(sm.instance_type) {
            0: first;
            default: second;
        }
    }
    state first {
        pkt.extract(hdr.a);
        transition accept;
    }
    state second {
        pkt.extract(hdr.b);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 2;
        if (hdr.a.isValid() && hdr.a.x == 1) {
            resubmit_preserving_field_list(0);
        }
        if (hdr.b.isValid()) {
            hdr.b.y = hdr.b.y + 1;
        }
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

// A varbit field in the data of a hash counts with the bits it has.

#include <core.p4>
#include <v1model.p4>

header len_t {
    bit<8> n;
}

header v_t {
    varbit<64> v;
}

header r_t {
    bit<32> r;
}

struct headers_t {
    len_t len;
    v_t   v;
    r_t   r;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.len);
        pkt.extract(hdr.v, (bit<32>)hdr.len.n * 8);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.r.setValid();
        hash(hdr.r.r, HashAlgorithm.crc32, 32w0, { hdr.len.n, hdr.v.v }, 64w0x100000000);
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

// Named arguments of extern functions and methods, in another order than the parameters.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> d; bit<8> i; bit<16> hash; bit<16> reg; bit<8> rand; }

struct headers_t {
    h_t h;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    register<bit<16>>(8) r;
    apply {
        sm.egress_spec = 1;
        hash(max = 16w0x20, data = { hdr.h.d }, base = 16w0x100, algo = HashAlgorithm.identity,
             result = hdr.h.hash);
        r.write(value = hdr.h.reg, index = (bit<32>) hdr.h.i);
        r.read(index = 32w5, result = hdr.h.reg);
        random(hi = 8w7, result = hdr.h.rand, lo = 8w7);
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

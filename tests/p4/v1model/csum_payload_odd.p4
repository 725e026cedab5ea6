// Checksums over the payload where the parser stops at odd and even bytes, and the data in front of
// the payload change their length.
#include <core.p4>
#include <v1model.p4>

header tag_t {
    bit<8>  kind;
    bit<16> sum;
}
header opt_t { bit<8> a; }
header var_t {
    bit<8>     n;
    varbit<64> v;
}
header end_t { bit<16> x; }
struct headers_t {
    tag_t tag;
    opt_t opt;
    var_t var;
    end_t end;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.tag);
        transition select(hdr.tag.kind) {
            1: optional;
            2: variable;
            3: both;
            default: accept;
        }
    }
    state optional {
        pkt.extract(hdr.opt);
        transition accept;
    }
    state both {
        pkt.extract(hdr.opt);
        transition variable;
    }
    state variable {
        pkt.extract(hdr.var, (bit<32>) pkt.lookahead<bit<8>>() << 3);
        pkt.extract(hdr.end);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        verify_checksum_with_payload(hdr.tag.kind < 4, { hdr.tag.kind, hdr.opt, hdr.var, hdr.end },
                                     hdr.tag.sum, HashAlgorithm.csum16);
    }
}

// A correct packet leaves through port 2, any other through port 3, with its sum updated in egress
// in both cases, behind one new byte.
control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = sm.checksum_error == 0 ? 9w2 : 9w3;
        if (hdr.tag.kind == 3) {
            hdr.opt.setInvalid();
        } else {
            hdr.opt.setValid();
            hdr.opt.a = 0xa5;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        update_checksum_with_payload(hdr.tag.isValid(),
                                     { hdr.tag.kind, hdr.opt, hdr.var, hdr.end }, hdr.tag.sum,
                                     HashAlgorithm.csum16);
    }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.tag);
        pkt.emit(hdr.opt);
        pkt.emit(hdr.var);
        pkt.emit(hdr.end);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

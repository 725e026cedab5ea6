// next, last and lastIndex in a parser loop, with the StackOutOfBounds errors of next and last.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> go; }
header label_t { bit<8> v; }
header out_t { bit<8> last_index; bit<8> last_v; bit<8> size; bit<8> err; }

struct headers_t {
    in_t i;
    label_t[4] s;
    out_t o;
}

struct meta_t {
    bit<8> last_index;
    bit<8> last_v;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        meta.last_index = 0xff;
        meta.last_v = 0xff;
        pkt.extract(hdr.i);
        transition select(hdr.i.go) {
            0: empty;
            default: label;
        }
    }
    state label {
        pkt.extract(hdr.s.next);
        transition select(hdr.s.last.v) {
            0x80 &&& 0x80: done;
            default: label;
        }
    }
    state empty {
        meta.last_v = hdr.s.last.v;
        transition accept;
    }
    state done {
        meta.last_index = (bit<8>)hdr.s.lastIndex;
        meta.last_v = hdr.s.last.v;
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
        hdr.o.last_index = meta.last_index;
        hdr.o.last_v = meta.last_v;
        hdr.o.size = (bit<8>)hdr.s.size;
        hdr.o.err = sm.parser_error == error.StackOutOfBounds ? 8w1 : 8w0;
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
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

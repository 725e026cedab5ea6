// A run-time index beyond the end of a stack reads an invalid header of zeros and writes nothing.
#include <core.p4>
#include <v1model.p4>

header ctl_t { bit<8> idx; bit<8> kill; }
header elem_t { bit<8> v; }
header out_t { bit<8> read; bit<8> valid; bit<8> copy; }

struct headers_t {
    ctl_t ctl;
    elem_t[3] s;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.ctl);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
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
        hdr.o.read = hdr.s[hdr.ctl.idx].v + 0x40;
        hdr.o.valid = hdr.s[hdr.ctl.idx].isValid() ? 8w0xaa : 0x55;
        elem_t t = hdr.s[hdr.ctl.idx];
        hdr.o.copy = t.isValid() ? t.v : 0xc0;
        hdr.s[hdr.ctl.idx].v = 0xf1;
        hdr.s[hdr.ctl.kill].setInvalid();
        hdr.ctl.setInvalid();
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
        pkt.emit(hdr.ctl);
        pkt.emit(hdr.o);
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

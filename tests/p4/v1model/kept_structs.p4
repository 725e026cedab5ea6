// Copies keep whole structs: a field list on a struct and inside one, a part of
// the metadata that a control inside knows by another name, all of
// standard_metadata.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> a;
    bit<8> b;
    bit<8> c;
}
struct headers_t {
    h_t h;
}
struct pair_t {
    bit<8> x;
    bit<8> y;
}
struct mixed_t {
    @field_list(1, 2)
    bit<8> x;
    bit<8> y;
}
struct plain_t {
    bit<8> x;
    bit<8> y;
}
struct meta_t {
    mixed_t mixed;
    @field_list(2)
    pair_t pair;
    plain_t plain;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control Part(inout plain_t part) {
    apply {
        resubmit(part);
        part.y = part.y + 1;
    }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    Part() inside;
    apply {
        smeta.egress_spec = 1;
        if (smeta.instance_type == 0) {
            meta.mixed = { 1, 2 };
            meta.pair = { 3, 4 };
            meta.plain = { 5, 6 };
            if (hdr.h.k == 1) {
                resubmit_preserving_field_list(1);
            } else if (hdr.h.k == 2) {
                resubmit_preserving_field_list(2);
            } else if (hdr.h.k == 3) {
                inside.apply(meta.plain);
            } else if (hdr.h.k == 4) {
                clone3(CloneType.I2E, 5, { smeta, meta.pair });
            }
        } else {
            hdr.h.a = meta.mixed.x ++ meta.mixed.y == 16w0x0100 ? 8w0x10 : 8w0;
            hdr.h.b = meta.pair.x + meta.pair.y;
            hdr.h.c = meta.plain.x + meta.plain.y;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        if (smeta.instance_type == 1) {
            hdr.h.a = (bit<8>) smeta.ingress_port;
            hdr.h.b = meta.pair.y;
            hdr.h.c = meta.plain.y;
        }
        if (hdr.h.k == 5) {
            hdr.h.k = 6;
            recirculate(smeta);
        } else if (smeta.instance_type == 0 && hdr.h.k == 6) {
            // The recirculated packet is normal again once ingress is over.
            hdr.h.a = (bit<8>) smeta.ingress_port;
        }
    }
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

// @name changes the name that the control plane uses, of tables, keys, actions
// and instances; a leading dot makes the name absolute.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
    bit<8> t;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

@name("global_set") action set_global(inout bit<8> where, bit<8> v) {
    where = v;
}

control Sub(inout h_t h) {
    @name("put") action set(bit<8> v) {
        h.r = v;
    }
    @name("renamed") table t1 {
        key = {
            h.k: exact @name("selector");
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    apply {
        t1.apply();
    }
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

@name("pipe") control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    @name("left") Sub() sub;
    @name(".top.absolute") table t2 {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set_global(hdr.h.s);
        }
        default_action = set_global(hdr.h.s, 0xff);
    }
    @name(".mark") action set_t(@name("what") bit<8> v) {
        hdr.h.t = v;
    }
    // Named like the first table was called in the source.
    @name("t1") table t3 {
        key = {
            hdr.h.k: exact @name("hdr.other.k");
        }
        actions = {
            set_t;
        }
        default_action = set_t(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        sub.apply(hdr.h);
        t2.apply();
        t3.apply();
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
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

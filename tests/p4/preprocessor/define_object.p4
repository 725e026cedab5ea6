// Macros without arguments: replaced token by token, also inside other macros
// and defined later than those; empty ones vanish; longer names, comments and
// strings are left alone; a macro that names itself does not loop.
#include <core.p4>
#include <v1model.p4>

#define SUM LEFT + RIGHT
#define LEFT 1
#define RIGHT 2
#define GROUP (LEFT + RIGHT)
#define EMPTY
#define T bit<8>
# define SPACED 0x55
#define COMMENTED 7 /* not part of the value: */ // nor this

header h_t {
    T a;
    T b;
    T c;
    T d;
    T e;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

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

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    const T SUMMIT = 0x40;
    const T self = 0x30;
#define self self + 1
    action set(T LEFTOVER) {
        hdr.h.d = LEFTOVER;
    }
    // The name in the string is no macro: the table is called SUM.
    @name("SUM") table t {
        key = {
            hdr.h.a: exact;
        }
        actions = {
            set;
        }
        default_action = set(SUMMIT);
    }
    apply {
        EMPTY smeta.egress_spec = 1 EMPTY;
        t.apply();
        hdr.h.b = SUM * 4;   // 1 + 2 * 4
        hdr.h.c = GROUP * 4; /* (1 + 2) * 4 */
        hdr.h.a = hdr.h.a + COMMENTED;
        hdr.h.e = self + SPACED;
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

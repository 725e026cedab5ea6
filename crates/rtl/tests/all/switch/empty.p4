// The empty pipeline: each packet leaves at the port behind the one where it came in.
#include <core.p4>
#include <v1model.p4>

struct headers_t {
}

struct metadata_t {
}

parser Read(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard) {
    state start {
        transition accept;
    }
}

control Check(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control Forward(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    apply {
        if (standard.ingress_port == PORTS - 1) {
            standard.egress_spec = 0;
        } else {
            standard.egress_spec = standard.ingress_port + 1;
        }
    }
}

control Leave(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    apply {
    }
}

control Sums(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control Emit(packet_out packet, in headers_t hdr) {
    apply {
    }
}

V1Switch(Read(), Check(), Forward(), Leave(), Sums(), Emit()) main;

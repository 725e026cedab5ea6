// Spreads packets over four ports by a hash of their addresses that a module of SystemVerilog
// computes, flow_hash.sv; `hash_in_p4` says the same for engines in software.
#include <core.p4>
#include <v1model.p4>

header flow_t {
    bit<32> source;
    bit<32> destination;
    bit<32> hash;
}
struct headers_t {
    flow_t flow;
}
struct metadata_t { }

@ww_module("flow_hash", latency = 2, stateless)
@ww_model("hash_in_p4")
extern bit<32> flow_hash(in bit<32> source, in bit<32> destination);

bit<32> hash_in_p4(in bit<32> source, in bit<32> destination) {
    bit<32> sum = source + (destination << 7 | destination >> 25);
    return sum ^ (sum >> 16);
}

parser FlowParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                  inout standard_metadata_t standard) {
    state start {
        packet.extract(hdr.flow);
        transition accept;
    }
}

control FlowVerify(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control FlowIngress(inout headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard) {
    apply {
        hdr.flow.hash = flow_hash(hdr.flow.source, hdr.flow.destination);
        standard.egress_spec = (bit<9>)hdr.flow.hash[1:0];
    }
}

control FlowEgress(inout headers_t hdr, inout metadata_t meta,
               inout standard_metadata_t standard) {
    apply { }
}

control FlowCompute(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control FlowDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.flow);
    }
}

V1Switch(FlowParser(), FlowVerify(), FlowIngress(), FlowEgress(), FlowCompute(), FlowDeparser()) main;

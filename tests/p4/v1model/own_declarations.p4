// A program that brings its own declarations of v1model instead of including
// them: fewer fields in another order, some that only old versions had, and the
// functions that came before those of today. What counts is the names.
error {
    PacketTooShort,
    NoError,
    NoMatch
}
match_kind {
    ternary,
    exact
}
extern packet_in {
    void extract<T>(out T hdr);
    T lookahead<T>();
}
extern packet_out {
    void emit<T>(in T hdr);
}
@name("standard_metadata")
struct standard_metadata_t {
    error parser_error;
    bit<1> drop;
    @alias("intrinsic_metadata.resubmit_flag")
    bit<32> resubmit_flag;
    bit<16> mcast_grp;
    bit<32> clone_spec;
    bit<9> egress_port;
    bit<9> egress_spec;
    bit<32> instance_type;
    bit<9> ingress_port;
    bit<1> checksum_error;
}
enum HashAlgorithm {
    csum16,
    crc32
}
enum CounterType {
    bytes,
    packets_and_bytes,
    packets
}
enum CloneType {
    E2E,
    I2E
}
extern register<T> {
    register(bit<32> size);
    void write(in bit<32> index, in T value);
    void read(out T result, in bit<32> index);
}
extern counter {
    counter(bit<32> size, CounterType type);
    void count(in bit<32> index);
}
extern void mark_to_drop();
extern void clone3<T>(in CloneType type, in bit<32> session, in T data);
extern void resubmit<T>(in T data);
extern void verify_checksum<T, O>(in bool condition, in T data, inout O checksum,
                                  HashAlgorithm algo);
extern void update_checksum<T, O>(in bool condition, in T data, inout O checksum,
                                  HashAlgorithm algo);

parser Parser<H, M>(packet_in b, out H parsedHdr, inout M meta,
                    inout standard_metadata_t standard_metadata);
control VerifyChecksum<H, M>(inout H hdr, inout M meta);
control Ingress<H, M>(inout H hdr, inout M meta, inout standard_metadata_t standard_metadata);
control Egress<H, M>(inout H hdr, inout M meta, inout standard_metadata_t standard_metadata);
control ComputeChecksum<H, M>(inout H hdr, inout M meta);
control Deparser<H>(packet_out b, in H hdr);
package V1Switch<H, M>(Parser<H, M> p, VerifyChecksum<H, M> vr, Ingress<H, M> ig,
                       Egress<H, M> eg, ComputeChecksum<H, M> ck, Deparser<H> dep);

header h_t {
    bit<8> k;
    bit<8> r;
    bit<16> sum;
}
struct headers_t {
    h_t h;
}
struct meta_t {
    bit<8> kept;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        verify_checksum(hdr.h.isValid(), { hdr.h.k, hdr.h.r }, hdr.h.sum, HashAlgorithm.csum16);
    }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    register<bit<8>>(4) last;
    counter(4, CounterType.packets) seen;
    action nothing() { }
    action discard() {
        mark_to_drop();
    }
    action mirror() {
        clone3(CloneType.I2E, 5, { meta.kept });
        meta.kept = 0x77;
    }
    action again() {
        resubmit({ meta });
        meta.kept = 0x66;
    }
    table t {
        key = {
            hdr.h.k: exact;
            smeta.instance_type: ternary;
        }
        actions = {
            discard;
            mirror;
            again;
            nothing;
        }
        default_action = nothing();
    }
    apply {
        smeta.egress_spec = smeta.ingress_port + 1;
        if (smeta.parser_error == error.PacketTooShort) {
            smeta.egress_spec = 9;
        } else {
            if (smeta.checksum_error == 1) {
                smeta.egress_spec = 8;
            }
            seen.count(1);
            last.write(2, hdr.h.k);
            t.apply();
            if (smeta.instance_type == 6) {
                hdr.h.r = meta.kept;
            }
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        if (smeta.instance_type == 1) {
            hdr.h.r = meta.kept;
        }
    }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        update_checksum(hdr.h.isValid(), { hdr.h.k, hdr.h.r }, hdr.h.sum, HashAlgorithm.csum16);
    }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

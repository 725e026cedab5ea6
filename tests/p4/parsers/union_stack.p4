// A stack of header unions filled by a sub-parser that looks ahead at the kind
// of each option; emit writes the options in order, each with its valid
// member.
#include <core.p4>
#include <v1model.p4>

header end_t {
    bit<8> kind;
}
header nop_t {
    bit<8> kind;
}
header mss_t {
    bit<8>  kind;
    bit<16> value;
}
header sack_t {
    bit<8>     kind;
    bit<8>     len;
    varbit<64> blocks;
}
header_union opt_t {
    end_t  end;
    nop_t  nop;
    mss_t  mss;
    sack_t sack;
}
typedef opt_t[4] opts_t;
header status_t {
    bit<8> err;
    bit<8> mss;
}
struct headers_t {
    status_t st;
    opts_t   opts;
}
struct sack_top_t {
    bit<8> kind;
    bit<8> len;
}
struct meta_t { }

// One byte per parser error, so that the error can be seen in the output.
bit<8> err_code(in error e) {
    if (e == error.NoError) { return 0; }
    if (e == error.PacketTooShort) { return 1; }
    if (e == error.NoMatch) { return 2; }
    if (e == error.StackOutOfBounds) { return 3; }
    if (e == error.HeaderTooShort) { return 4; }
    if (e == error.ParserTimeout) { return 5; }
    if (e == error.ParserInvalidArgument) { return 6; }
    return 0xee;
}

parser Options(packet_in p, out opts_t vec) {
    state start {
        transition select(p.lookahead<bit<8>>()) {
            0: end;
            1: nop;
            2: mss;
            5: sack;
        }
    }
    state end {
        p.extract(vec.next.end);
        transition accept;
    }
    state nop {
        p.extract(vec.next.nop);
        transition start;
    }
    state mss {
        p.extract(vec.next.mss);
        transition start;
    }
    state sack {
        bit<8> n = p.lookahead<sack_top_t>().len;
        p.extract(vec.next.sack, (bit<32>)(8 * n - 16));
        transition start;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Options() options;
    state start {
        options.apply(pkt, hdr.opts);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.st.setValid();
        hdr.st.err = err_code(smeta.parser_error);
        hdr.st.mss = 4w0 ++ (bit<1>)hdr.opts[3].mss.isValid() ++ (bit<1>)hdr.opts[2].mss.isValid() ++
                     (bit<1>)hdr.opts[1].mss.isValid() ++ (bit<1>)hdr.opts[0].mss.isValid();
        if (hdr.opts[1].mss.isValid()) {
            hdr.opts[1].mss.value = 0x0102;
        }
        smeta.egress_spec = 1;
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
        pkt.emit(hdr.st);
        pkt.emit(hdr.opts);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;

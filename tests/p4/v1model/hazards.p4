// What goes wrong in a pipeline shows in packets that follow each other closely: a value that is a
// clock late belongs to the packet in front. Each packet here needs what the one before left in a
// register, and differs from it in every table, branch, header and counter.

#include <core.p4>
#include <v1model.p4>

header tag_t {
    bit<16> sum;
}

header item_t {
    bit<8> kind;
    bit<8> a;
    bit<8> b;
    bit<8> c;
}

struct headers_t {
    tag_t  tag;
    item_t item;
}

struct metadata_t {
    bit<8> key;
    bit<8> x;
}

parser HazardParser(packet_in packet,
                    out headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.item);
        transition accept;
    }
}

control HazardVerify(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    register<bit<16>>(4) sums;
    register<bit<8>>(4) marks;
    counter(4, CounterType.packets_and_bytes) odd;
    direct_counter(CounterType.packets) hits;

    action set_x(bit<8> value) {
        meta.x = value;
    }
    table first {
        key = { meta.key: exact; }
        actions = { set_x; NoAction; }
        default_action = NoAction();
        counters = hits;
        size = 64;
    }

    action send(bit<9> port, bit<8> addend) {
        standard_metadata.egress_spec = port;
        hdr.item.c = hdr.item.c + addend;
    }
    action discard() {
        mark_to_drop(standard_metadata);
    }
    table second {
        key = { meta.x: exact; }
        actions = { send; discard; }
        default_action = discard();
        size = 64;
    }

    apply {
        bit<16> sum;
        bit<8> mark;
        bool known;
        bit<32> cell = (bit<32>) (hdr.item.kind & 3);

        // The same table with another key on each of two ways.
        if (hdr.item.kind & 1 == 1) {
            meta.key = hdr.item.a;
            known = first.apply().hit;
        } else {
            meta.key = hdr.item.b;
            known = first.apply().hit;
        }
        if (!known) {
            meta.x = 0xf0;
        }
        second.apply();

        // Read, change, write back: by two ways.
        sums.read(sum, cell);
        if (hdr.item.b == 0) {
            sum = 0;
            sums.write(cell, 0);
        } else {
            sum = sum + (bit<16>) hdr.item.b;
            sums.write(cell, sum);
        }

        // Read at one index, write at another one.
        marks.read(mark, (bit<32>) (hdr.item.a & 3));
        marks.write((bit<32>) (hdr.item.b & 3), hdr.item.a);
        hdr.item.b = mark;

        if (hdr.item.a & 1 == 1) {
            odd.count(cell);
        }
        if (hdr.item.kind & 2 == 2) {
            hdr.tag.setValid();
            hdr.tag.sum = sum;
        }
        hdr.item.a = hdr.item.a + meta.x;
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.item.c == 0x77) {
            mark_to_drop(standard_metadata);
        }
    }
}

control HazardCompute(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control HazardDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.tag);
        packet.emit(hdr.item);
    }
}

V1Switch(HazardParser(),
         HazardVerify(),
         ingress(),
         egress(),
         HazardCompute(),
         HazardDeparser()) main;

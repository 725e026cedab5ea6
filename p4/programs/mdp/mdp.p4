// A market-data feed handler.
//
// Exchanges send every message twice, on feeds A and B, so that a loss on one
// is covered by the other. This program sits in front of the trading hosts:
// it knows its feeds by multicast group and UDP port, parses the message with
// its list of order-book entries, lets the first copy of each message pass and
// drops the second, and picks the subscriber by channel or by instrument.
//
//   ethernet | ipv4 | udp | mdp | refreshBook | refreshBookEntry * numEntries
//
// The list's length is in the packet: the parser counts `group_size` down from
// numEntries and extracts one entry a round. All numbers are in network order.

#include <core.p4>
#include <v1model.p4>

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<8>  PROTOCOL_UDP   = 17;
const bit<4>  IHL_NO_OPTIONS = 5;

// mdp_t.templateID of a message that carries a refresh of the book. Other
// templates (heartbeats, security status) end behind mdp_t as far as we look.
const bit<16> TEMPLATE_REFRESH_BOOK = 32;

// The longest list: 30 entries make a frame of 1,038 bytes. A longer one is an
// error of the parser, StackOutOfBounds.
#define MAX_ENTRIES 30

// Feeds A and B of one channel share their sequence numbers. For each channel
// the last 1,024 of them are remembered.
#define CHANNEL_BITS 4
#define WINDOW_BITS 10
#define N_CHANNELS 16
#define N_SLOTS 16384

// Cells of counter `verdicts`.
enum bit<8> Verdict {
    FORWARDED      = 0,
    DUPLICATE      = 1,  // seen before, or older than the window
    MALFORMED      = 2,  // the parser ran out of packet or of entries
    NOT_SUBSCRIBED = 3   // no feed of ours
}

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  diffserv;
    bit<16> totalLen;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragOffset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> hdrChecksum;
    bit<32> srcAddr;
    bit<32> dstAddr;
}

header udp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<16> length;
    bit<16> checksum;
}

// 22 bytes.
header mdp_t {
    bit<32> msgSeqNum;
    bit<64> sendingTime;
    bit<16> msgSize;
    bit<16> blockLength;
    bit<16> templateID;
    bit<16> schemaID;
    bit<16> version;
}

// 14 bytes.
header refreshBook_t {
    bit<64> transactTime;
    bit<16> matchEventIndicator;
    bit<16> blockLength;
    bit<16> numEntries;
}

// 32 bytes.
header refreshBookEntry_t {
    bit<64> mdEntryPx;
    bit<32> mdEntrySize;
    bit<32> securityID;
    bit<32> rptReq;
    bit<32> numberOfOrders;
    bit<8>  mdPriceLevel;
    bit<8>  mdUpdateAction;
    bit<8>  mdEntryType;
    bit<40> padding;
}

struct headers_t {
    ethernet_t                      ethernet;
    ipv4_t                          ipv4;
    udp_t                           udp;
    mdp_t                           mdp;
    refreshBook_t                   refreshBook;
    refreshBookEntry_t[MAX_ENTRIES] refreshBookEntry;
}

struct metadata_t {
    bit<16>           group_size;  // entries still to come
    bit<16>           extracted;   // entries that came
    bit<CHANNEL_BITS> channel;
}

parser MdpParser(packet_in packet,
                 out headers_t hdr,
                 inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            ETHERTYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.fragOffset, hdr.ipv4.protocol) {
            (IHL_NO_OPTIONS, 0, PROTOCOL_UDP): parse_udp;
            default: accept;
        }
    }

    // CME's incremental feeds: 14310 to 14399 for A, 15310 to 15399 for B.
    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dstPort) {
            14310..14399: parse_mdp;
            15310..15399: parse_mdp;
            default: accept;
        }
    }

    state parse_mdp {
        packet.extract(hdr.mdp);
        transition select(hdr.mdp.templateID) {
            TEMPLATE_REFRESH_BOOK: parse_refresh_book;
            default: accept;
        }
    }

    state parse_refresh_book {
        packet.extract(hdr.refreshBook);
        meta.group_size = hdr.refreshBook.numEntries;
        meta.extracted = 0;
        transition select(meta.group_size) {
            0: accept;
            default: parse_refresh_book_entry;
        }
    }

    state parse_refresh_book_entry {
        packet.extract(hdr.refreshBookEntry.next);
        meta.group_size = meta.group_size - 1;
        meta.extracted = meta.extracted + 1;
        transition select(meta.group_size) {
            0: accept;
            default: parse_refresh_book_entry;
        }
    }
}

control MdpVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(4, CounterType.packets) verdicts;

    // Messages by their number of entries.
    counter(32, CounterType.packets) messages_by_entries;

    // Entries that passed, by channel.
    register<bit<32>>(N_CHANNELS) entries_total;

    // What is remembered of a sequence number: bit 32 says that the slot is in
    // use, for number 0 is a number like any other.
    register<bit<33>>(N_SLOTS) last_seen;

    // The newest price of each instrument in table `instruments`.
    register<bit<64>>(1024) last_price;

    action drop(Verdict verdict) {
        mark_to_drop(standard_metadata);
        verdicts.count((bit<32>) (bit<8>) verdict);
    }

    action set_channel(bit<CHANNEL_BITS> channel, bit<9> port) {
        meta.channel = channel;
        standard_metadata.egress_spec = port;
    }

    table feeds {
        key = {
            hdr.ipv4.dstAddr: exact;
            hdr.udp.dstPort: exact;
        }
        actions = { set_channel; NoAction; }
        default_action = NoAction();
        size = 64;
    }

    // By the first entry: `cell` of last_price takes the price, and the message
    // goes to the host that trades this instrument.
    action to_trader(bit<10> cell, bit<9> port) {
        last_price.write((bit<32>) cell, hdr.refreshBookEntry[0].mdEntryPx);
        standard_metadata.egress_spec = port;
    }

    table instruments {
        key = { hdr.refreshBookEntry[0].securityID: exact @name("securityID"); }
        actions = { to_trader; NoAction; }
        default_action = NoAction();
        size = 1024;
    }

    apply {
        if (standard_metadata.parser_error != error.NoError) {
            drop(Verdict.MALFORMED);
            return;
        }
        if (!hdr.mdp.isValid()) {
            drop(Verdict.NOT_SUBSCRIBED);
            return;
        }
        if (!feeds.apply().hit) {
            drop(Verdict.NOT_SUBSCRIBED);
            return;
        }

        // A slot holds the newest number that fell into it. `age` is how far
        // this packet is behind that, in serial-number arithmetic: 0 is the
        // same message, 1024 and more is a message from before the window, of
        // which we no longer know whether it passed, and a number with the top
        // bit set is ahead.
        bit<32> slot = (bit<32>) (meta.channel ++ hdr.mdp.msgSeqNum[WINDOW_BITS-1:0]);
        bit<33> seen;
        last_seen.read(seen, slot);
        bit<32> age = seen[31:0] - hdr.mdp.msgSeqNum;
        if (seen[32:32] == 1 && age[31:31] == 0) {
            drop(Verdict.DUPLICATE);
            return;
        }
        last_seen.write(slot, 1w1 ++ hdr.mdp.msgSeqNum);

        if (hdr.refreshBook.isValid()) {
            messages_by_entries.count((bit<32>) meta.extracted);
            bit<32> total;
            entries_total.read(total, (bit<32>) meta.channel);
            entries_total.write((bit<32>) meta.channel, total + (bit<32>) meta.extracted);
            if (hdr.refreshBookEntry[0].isValid()) {
                instruments.apply();
            }
        }
        verdicts.count((bit<32>) (bit<8>) Verdict.FORWARDED);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {}
}

control MdpComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control MdpDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.mdp);
        packet.emit(hdr.refreshBook);
        packet.emit(hdr.refreshBookEntry);
    }
}

V1Switch(MdpParser(),
         MdpVerifyChecksum(),
         ingress(),
         egress(),
         MdpComputeChecksum(),
         MdpDeparser()) main;

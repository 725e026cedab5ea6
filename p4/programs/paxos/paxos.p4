// Paxos in the network: a coordinator and an acceptor in one program.
//
// A switch cannot make packets, so one header holds the union of all fields
// and each role edits the message it got and sends it on:
//
//   coordinator  REQUEST -> 2A   with the next instance and round 0, to all acceptors
//   acceptor     1A -> 1B        promise: with what was accepted before, if anything
//                2A -> 2B        accept:  the value is stored and voted for
//
// An acceptor obeys a message whose round is not below the round it promised
// for that instance (L. Lamport, Paxos Made Simple, 2.2); it drops all others.
// The comparison includes equality: a 2A follows a 1A of the same round, and
// rounds begin at 0. Instances beyond the registers are dropped: nothing is
// read or written outside them.
//
// Which role a switch plays is in register `role`. Learners and proposers are
// hosts. Every other message, and every other packet, is only forwarded.

#include <core.p4>
#include <v1model.p4>

// Sizes; change them with -D. VALUE_SIZE and INST_SIZE are in bits, INST_SIZE at
// most 32.
#ifndef VALUE_SIZE
#define VALUE_SIZE 256
#endif
#ifndef INST_SIZE
#define INST_SIZE 32
#endif
// Instances 0 .. N_INSTANCES-1 have state.
#ifndef N_INSTANCES
#define N_INSTANCES 1024
#endif

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<8>  PROTOCOL_UDP   = 17;
const bit<4>  IHL_NO_OPTIONS = 5;
const bit<16> PAXOS_PORT     = 0x8888;

enum bit<8> MsgType {
    REQUEST  = 0,
    PHASE_1A = 1,
    PHASE_1B = 2,
    PHASE_2A = 3,
    PHASE_2B = 4
}

enum bit<8> Role {
    FORWARDER   = 0,
    COORDINATOR = 1,
    ACCEPTOR    = 2
}

// Cells of counter `verdicts`.
enum bit<8> Verdict {
    SEQUENCED      = 0,  // requests that got an instance
    PROMISED       = 1,
    ACCEPTED       = 2,
    ROUND_TOO_LOW  = 3,
    OUT_OF_RANGE   = 4,  // an instance without state
    EXHAUSTED      = 5,  // a request after the last instance was given away
    MALFORMED      = 6
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

header paxos_t {
    MsgType         msgtype;
    bit<INST_SIZE>  inst;
    bit<8>          rnd;     // the round of this message
    bit<8>          vrnd;    // the round in which `value` was accepted
    bit<64>         swid;    // the acceptor that speaks
    bit<VALUE_SIZE> value;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
    udp_t      udp;
    paxos_t    paxos;
}

struct metadata_t {
    Role   role;
    bit<8> round;    // promised for this instance
    bit<1> edited;   // the message became another one
}

parser PaxosParser(packet_in packet,
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

    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dstPort) {
            PAXOS_PORT: parse_paxos;
            default: accept;
        }
    }

    state parse_paxos {
        packet.extract(hdr.paxos);
        transition accept;
    }
}

control PaxosVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(8, CounterType.packets) verdicts;

    // What this switch is: a Role, and its name as an acceptor.
    register<bit<8>>(1) role;
    register<bit<64>>(1) datapath_id;

    // The coordinator's last instance; the first one it gives away is 1.
    register<bit<INST_SIZE>>(1) instance;

    // The acceptor's promise and its vote, by instance.
    register<bit<8>>(N_INSTANCES) rounds;
    register<bit<8>>(N_INSTANCES) vrounds;
    register<bit<VALUE_SIZE>>(N_INSTANCES) values;

    action drop(Verdict verdict) {
        mark_to_drop(standard_metadata);
        verdicts.count((bit<32>) (bit<8>) verdict);
    }

    // ---- Coordinator --------------------------------------------------

    action handle_request(bit<16> acceptors) {
        bit<INST_SIZE> number;
        instance.read(number, 0);
        number = number + 1;
        instance.write(0, number);
        hdr.paxos.msgtype = MsgType.PHASE_2A;
        hdr.paxos.rnd = 0;
        hdr.paxos.inst = number;
        meta.edited = 1;
        standard_metadata.mcast_grp = acceptors;
        verdicts.count((bit<32>) (bit<8>) Verdict.SEQUENCED);
    }

    table sequence {
        key = { hdr.paxos.msgtype: exact; }
        actions = { handle_request; NoAction; }
        default_action = NoAction();
        size = 1;
    }

    // ---- Acceptor -----------------------------------------------------

    action read_round() {
        rounds.read(meta.round, (bit<32>) hdr.paxos.inst);
    }

    // A table without key: its action runs for every packet.
    table round {
        actions = { read_round; }
        const default_action = read_round();
    }

    action handle_1a() {
        hdr.paxos.msgtype = MsgType.PHASE_1B;
        vrounds.read(hdr.paxos.vrnd, (bit<32>) hdr.paxos.inst);
        values.read(hdr.paxos.value, (bit<32>) hdr.paxos.inst);
        datapath_id.read(hdr.paxos.swid, 0);
        rounds.write((bit<32>) hdr.paxos.inst, hdr.paxos.rnd);
        meta.edited = 1;
        verdicts.count((bit<32>) (bit<8>) Verdict.PROMISED);
    }

    action handle_2a() {
        hdr.paxos.msgtype = MsgType.PHASE_2B;
        datapath_id.read(hdr.paxos.swid, 0);
        rounds.write((bit<32>) hdr.paxos.inst, hdr.paxos.rnd);
        vrounds.write((bit<32>) hdr.paxos.inst, hdr.paxos.rnd);
        values.write((bit<32>) hdr.paxos.inst, hdr.paxos.value);
        meta.edited = 1;
        verdicts.count((bit<32>) (bit<8>) Verdict.ACCEPTED);
    }

    table acceptor {
        key = { hdr.paxos.msgtype: exact; }
        actions = { handle_1a; handle_2a; NoAction; }
        default_action = NoAction();
        size = 2;
    }

    // ---- Forwarding ---------------------------------------------------

    // Where messages of a type go: promises to the coordinator, votes to the learners.
    action set_destination(bit<48> mac, bit<32> address, bit<16> port) {
        hdr.ethernet.dstAddr = mac;
        hdr.ipv4.dstAddr = address;
        hdr.udp.dstPort = port;
    }

    table destination {
        key = { hdr.paxos.msgtype: exact; }
        actions = { set_destination; NoAction; }
        default_action = NoAction();
        size = 8;
    }

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    action broadcast(bit<16> group) {
        standard_metadata.mcast_grp = group;
    }

    action no_route() {
        mark_to_drop(standard_metadata);
    }

    table dmac {
        key = { hdr.ethernet.dstAddr: exact; }
        actions = { forward; broadcast; no_route; }
        default_action = no_route();
        size = 256;
    }

    apply {
        if (standard_metadata.parser_error != error.NoError) {
            drop(Verdict.MALFORMED);
            return;
        }

        if (hdr.paxos.isValid()) {
            bit<8> configured;
            role.read(configured, 0);
            meta.role = (Role) configured;

            if (meta.role == Role.COORDINATOR) {
                // An instance that no acceptor has a place for is not given away.
                bit<INST_SIZE> given_away;
                instance.read(given_away, 0);
                if (hdr.paxos.msgtype == MsgType.REQUEST
                    && (bit<64>) given_away >= N_INSTANCES - 1) {
                    drop(Verdict.EXHAUSTED);
                    return;
                }
                sequence.apply();
            } else if (meta.role == Role.ACCEPTOR
                       && (hdr.paxos.msgtype == MsgType.PHASE_1A
                           || hdr.paxos.msgtype == MsgType.PHASE_2A)) {
                if ((bit<64>) hdr.paxos.inst >= N_INSTANCES) {
                    drop(Verdict.OUT_OF_RANGE);
                    return;
                }
                round.apply();
                if (hdr.paxos.rnd >= meta.round) {
                    acceptor.apply();
                } else {
                    drop(Verdict.ROUND_TOO_LOW);
                    return;
                }
            }
            if (meta.edited == 1) {
                // The datagram changed under its checksum. Over IPv4, zero
                // says that there is none (RFC 768).
                hdr.udp.checksum = 0;
                destination.apply();
            }
        }

        if (standard_metadata.mcast_grp == 0) {
            dmac.apply();
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {}
}

control PaxosComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(
            hdr.ipv4.isValid() && meta.edited == 1,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control PaxosDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.paxos);
    }
}

V1Switch(PaxosParser(),
         PaxosVerifyChecksum(),
         ingress(),
         egress(),
         PaxosComputeChecksum(),
         PaxosDeparser()) main;

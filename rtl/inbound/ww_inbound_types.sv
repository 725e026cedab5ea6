// What a frame that comes in is, and why it is dropped.
package ww_inbound_types;
    typedef enum logic [1:0] {KIND_ARP, KIND_ICMP, KIND_UDP, KIND_TCP} kind_t;

    // In the order in which the reasons are looked for, but for `no_room`, which is looked for last: a frame that is
    // dropped for another reason needs no room.
    typedef enum logic [3:0] {
        REASON_FRAME,         // shorter than an Ethernet header, longer than 9,014 bytes, bad check sequence
        REASON_NO_ROOM,
        REASON_NOT_OURS,      // another Ethernet or IPv4 address
        REASON_ETHERTYPE,     // neither ARP nor IPv4
        REASON_ARP,           // not for IPv4 over Ethernet, or cut short
        REASON_IP_HEADER,     // version, header length, total length
        REASON_IP_CHECKSUM,
        REASON_FRAGMENT,
        REASON_PROTOCOL,      // neither ICMP nor UDP nor TCP
        REASON_ICMP,          // short, bad checksum, no echo request
        REASON_UDP_LENGTH,
        REASON_UDP_CHECKSUM,
        REASON_TCP_HEADER,
        REASON_TCP_CHECKSUM
    } reason_t;

    // What is known of a frame beside its message.
    typedef struct packed {
        kind_t        kind;
        logic [31:0]  source;   // IPv4 address
        logic         marked;   // congestion experienced (RFC 3168)
        logic [3:0]   words;    // of the IPv4 header
        logic [13:0]  length;   // bytes of the message; of UDP, as its header says
        logic [511:0] bytes;    // what follows the Ethernet header: ARP's message, or the IPv4 header
    } head_t;
endpackage

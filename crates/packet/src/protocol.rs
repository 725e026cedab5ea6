//! EtherType and IP protocol numbers (IEEE and IANA registries).

/// EtherType values, as they stand in the Ethernet type field.
pub mod ethertype {
    /// IPv4, RFC 894.
    pub const IPV4: u16 = 0x0800;
    /// ARP, RFC 826.
    pub const ARP: u16 = 0x0806;
    /// Customer VLAN tag, IEEE 802.1Q clause 9.6.
    pub const VLAN: u16 = 0x8100;
    /// IPv6, RFC 2464.
    pub const IPV6: u16 = 0x86dd;
    /// Service VLAN tag, IEEE 802.1Q clause 9.6 (802.1ad).
    pub const SERVICE_VLAN: u16 = 0x88a8;
}

/// IP protocol and IPv6 next-header values.
pub mod ip {
    /// IPv6 hop-by-hop options, RFC 8200 section 4.3.
    pub const HOP_BY_HOP: u8 = 0;
    /// ICMP, RFC 792.
    pub const ICMP: u8 = 1;
    /// TCP, RFC 9293.
    pub const TCP: u8 = 6;
    /// UDP, RFC 768.
    pub const UDP: u8 = 17;
    /// IPv6 routing header, RFC 8200 section 4.4.
    pub const ROUTING: u8 = 43;
    /// IPv6 fragment header, RFC 8200 section 4.5.
    pub const FRAGMENT: u8 = 44;
    /// Authentication header, RFC 4302.
    pub const AUTHENTICATION: u8 = 51;
    /// ICMPv6, RFC 4443.
    pub const ICMPV6: u8 = 58;
    /// IPv6 no next header, RFC 8200 section 4.7.
    pub const NO_NEXT_HEADER: u8 = 59;
    /// IPv6 destination options, RFC 8200 section 4.6.
    pub const DESTINATION_OPTIONS: u8 = 60;
}

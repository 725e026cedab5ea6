"""The market-data message of mdp.p4 as scapy layers, and frames made of them."""

from scapy.all import IP, UDP, BitField, ByteField, Ether, IntField, LongField, Packet, Raw, ShortField


class Mdp(Packet):
    """22 bytes."""

    fields_desc = [
        IntField("msgSeqNum", 0),
        LongField("sendingTime", 0),
        ShortField("msgSize", 0),
        ShortField("blockLength", 11),
        ShortField("templateID", 32),
        ShortField("schemaID", 1),
        ShortField("version", 9),
    ]


class RefreshBook(Packet):
    """14 bytes."""

    fields_desc = [
        LongField("transactTime", 0),
        ShortField("matchEventIndicator", 0x84),
        ShortField("blockLength", 32),
        ShortField("numEntries", 0),
    ]


class RefreshBookEntry(Packet):
    """32 bytes."""

    fields_desc = [
        LongField("mdEntryPx", 0),
        IntField("mdEntrySize", 0),
        IntField("securityID", 0),
        IntField("rptReq", 0),
        IntField("numberOfOrders", 0),
        ByteField("mdPriceLevel", 1),
        ByteField("mdUpdateAction", 0),
        ByteField("mdEntryType", ord("0")),
        BitField("padding", 0, 40),
    ]


# Channel: its groups and UDP ports on feeds A and B, as in entries.txt.
FEEDS = {
    1: {"A": ("224.0.31.1", 14310), "B": ("224.0.32.1", 15310)},
    9: {"A": ("224.0.31.9", 14318), "B": ("224.0.32.9", 15318)},
    12: {"A": ("224.0.31.12", 14321), "B": ("224.0.32.12", 15321)},
}


def multicast_mac(address):
    """The MAC address of an IPv4 multicast group (RFC 1112, 6.4)."""
    octets = [int(part) for part in address.split(".")]
    return f"01:00:5e:{octets[1] & 0x7F:02x}:{octets[2]:02x}:{octets[3]:02x}"


def entry(security, price, level=1):
    """One entry of the book; every field differs from its neighbours."""
    return RefreshBookEntry(
        mdEntryPx=price, mdEntrySize=10 * level, securityID=security, rptReq=price & 0xFFFF,
        numberOfOrders=level + 2, mdPriceLevel=level & 0xFF, padding=0x0102030405 + level,
    )  # fmt: skip


def message(feed, channel, sequence, entries=None, claimed=None, tail=b"", **fields):
    """A frame. `entries` None: a message without book; `claimed`: another numEntries."""
    group, port = FEEDS[channel][feed]
    body = b""
    if entries is not None:
        count = len(entries) if claimed is None else claimed
        body = bytes(RefreshBook(transactTime=10**9 + sequence, numEntries=count)) + b"".join(map(bytes, entries))
    else:
        fields.setdefault("templateID", 12)
    mdp = Mdp(msgSeqNum=sequence, sendingTime=10**18 + sequence, msgSize=10 + len(body), **fields)
    source = "198.51.100.1" if feed == "A" else "198.51.100.2"
    return (
        Ether(src=f"02:00:00:00:0f:{ord(feed):02x}", dst=multicast_mac(group))
        / IP(src=source, dst=group, ttl=8, flags="DF")
        / UDP(sport=30000 + channel, dport=port)
        / Raw(bytes(mdp) + body + tail)
    )

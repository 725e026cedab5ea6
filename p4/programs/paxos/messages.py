"""The Paxos message of paxos.p4 as a scapy layer, and frames made of it."""

from scapy.all import IP, UDP, ByteField, Ether, IntField, LongField, Packet, Raw, StrFixedLenField

REQUEST, PHASE_1A, PHASE_1B, PHASE_2A, PHASE_2B = range(5)
PAXOS_PORT = 0x8888
LEARNER_PORT = 34953

PROPOSER = ("02:00:00:00:00:10", "10.0.0.10")
COORDINATOR = ("02:00:00:00:00:01", "10.0.0.1")
# Groups (RFC 1112): the coordinator listens to 224.3.29.72, the acceptors to .73, the learners to .74.
TO_COORDINATOR = ("01:00:5e:03:1d:48", "224.3.29.72")
TO_ACCEPTORS = ("01:00:5e:03:1d:49", "224.3.29.73")
TO_LEARNERS = ("01:00:5e:03:1d:4a", "224.3.29.74")


class Paxos(Packet):
    """47 bytes."""

    fields_desc = [
        ByteField("msgtype", REQUEST),
        IntField("inst", 0),
        ByteField("rnd", 0),
        ByteField("vrnd", 0),
        LongField("swid", 0),
        StrFixedLenField("value", b"", 32),
    ]


def message(msgtype, source=COORDINATOR, target=TO_ACCEPTORS, tail=b"", dport=PAXOS_PORT, chksum=None, **fields):
    """A frame; a text given as `value` fills the field's 32 bytes with zeros."""
    if isinstance(fields.get("value"), str):
        fields["value"] = fields["value"].encode().ljust(32, b"\0")
    return (
        Ether(src=source[0], dst=target[0])
        / IP(src=source[1], dst=target[1], ttl=16)
        / UDP(sport=40000, dport=dport, chksum=chksum)
        / Raw(bytes(Paxos(msgtype=msgtype, **fields)) + tail)
    )

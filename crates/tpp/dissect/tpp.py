"""Scapy layer for tiny packet programs. Written by `cargo run -p wirewright-tpp --example dissectors`; do not edit.

    from tpp import TPP
    Ether() / TPP(Flags="WIDE", instructions=[0x30000000], memory=bytes(4)) / IP()
"""

from scapy.fields import ByteField, FieldListField, FlagsField, ShortField, StrLenField, XIntField, XShortField, XShortEnumField
from scapy.layers.inet import UDP
from scapy.layers.l2 import ETHER_TYPES, Ether
from scapy.packet import Packet, bind_layers
from scapy.utils import checksum

HEADER_LENGTH = 12
TPP_NUMBER = 0x6666

MNEMONICS = {
    0: "NOP",
    1: "LOAD",
    2: "STORE",
    3: "PUSH",
    4: "POP",
    5: "CSTORE",
    6: "CEXEC",
    7: "LOADI",
}

# Namespace, first address, words, (count, stride) of each index, (offset, words, name, numbered) of each entry.
SEGMENTS = [
    ("Switch", 0x0000, 4096, (), [
        (0, 1, "SwitchID", False),
        (1, 1, "VendorID", False),
        (2, 1, "Version", False),
        (4, 1, "Clock", False),
        (5, 1, "ClockHigh", False),
        (6, 1, "ClockFrequency", False),
    ]),
    ("Stage", 0x1000, 256, ((48, 256),), [
        (0, 1, "Version", False),
        (1, 1, "ReferenceCount", False),
        (2, 1, "SramBase", False),
        (8, 1, "Lookup-Packets", False),
        (9, 1, "Lookup-PacketsHigh", False),
        (10, 1, "Lookup-Bytes", False),
        (11, 1, "Lookup-BytesHigh", False),
        (12, 1, "Lookup-PacketRate", False),
        (13, 1, "Lookup-ByteRate", False),
        (16, 1, "Match-Packets", False),
        (17, 1, "Match-PacketsHigh", False),
        (18, 1, "Match-Bytes", False),
        (19, 1, "Match-BytesHigh", False),
        (20, 1, "Match-PacketRate", False),
        (21, 1, "Match-ByteRate", False),
        (64, 64, "Reg", True),
    ]),
    ("FlowEntry", 0x4000, 128, ((64, 128),), [
        (0, 1, "InsertClock", False),
        (1, 1, "InsertClockHigh", False),
        (2, 1, "EntryID", False),
        (8, 1, "Match-Packets", False),
        (9, 1, "Match-PacketsHigh", False),
        (10, 1, "Match-Bytes", False),
        (11, 1, "Match-BytesHigh", False),
        (12, 1, "Match-PacketRate", False),
        (13, 1, "Match-ByteRate", False),
        (64, 1, "WindowEntry", False),
        (66, 1, "Window-InsertClock", False),
        (67, 1, "Window-InsertClockHigh", False),
        (72, 1, "Window-Match-Packets", False),
        (73, 1, "Window-Match-PacketsHigh", False),
        (74, 1, "Window-Match-Bytes", False),
        (75, 1, "Window-Match-BytesHigh", False),
    ]),
    ("Link", 0x6000, 64, ((128, 64),), [
        (0, 1, "ID", False),
        (1, 1, "Status", False),
        (2, 1, "Queued-Bytes", False),
        (3, 1, "Queued-Packets", False),
        (4, 1, "TX-Utilization", False),
        (5, 1, "RX-Utilization", False),
        (6, 1, "Capacity", False),
        (8, 1, "TX-Packets", False),
        (9, 1, "TX-PacketsHigh", False),
        (10, 1, "TX-Bytes", False),
        (11, 1, "TX-BytesHigh", False),
        (12, 1, "TX-PacketRate", False),
        (13, 1, "TX-ByteRate", False),
        (16, 1, "RX-Packets", False),
        (17, 1, "RX-PacketsHigh", False),
        (18, 1, "RX-Bytes", False),
        (19, 1, "RX-BytesHigh", False),
        (20, 1, "RX-PacketRate", False),
        (21, 1, "RX-ByteRate", False),
        (24, 1, "Drop-Packets", False),
        (25, 1, "Drop-PacketsHigh", False),
        (26, 1, "Drop-Bytes", False),
        (27, 1, "Drop-BytesHigh", False),
        (28, 1, "Drop-PacketRate", False),
        (29, 1, "Drop-ByteRate", False),
        (32, 1, "Error-Packets", False),
        (33, 1, "Error-PacketsHigh", False),
        (34, 1, "Error-Bytes", False),
        (35, 1, "Error-BytesHigh", False),
        (36, 1, "Error-PacketRate", False),
        (37, 1, "Error-ByteRate", False),
        (48, 16, "AppSpecific_", True),
    ]),
    ("Link", 0x8000, 64, (), [
        (0, 1, "ID", False),
        (1, 1, "Status", False),
        (2, 1, "Queued-Bytes", False),
        (3, 1, "Queued-Packets", False),
        (4, 1, "TX-Utilization", False),
        (5, 1, "RX-Utilization", False),
        (6, 1, "Capacity", False),
        (8, 1, "TX-Packets", False),
        (9, 1, "TX-PacketsHigh", False),
        (10, 1, "TX-Bytes", False),
        (11, 1, "TX-BytesHigh", False),
        (12, 1, "TX-PacketRate", False),
        (13, 1, "TX-ByteRate", False),
        (16, 1, "RX-Packets", False),
        (17, 1, "RX-PacketsHigh", False),
        (18, 1, "RX-Bytes", False),
        (19, 1, "RX-BytesHigh", False),
        (20, 1, "RX-PacketRate", False),
        (21, 1, "RX-ByteRate", False),
        (24, 1, "Drop-Packets", False),
        (25, 1, "Drop-PacketsHigh", False),
        (26, 1, "Drop-Bytes", False),
        (27, 1, "Drop-BytesHigh", False),
        (28, 1, "Drop-PacketRate", False),
        (29, 1, "Drop-ByteRate", False),
        (32, 1, "Error-Packets", False),
        (33, 1, "Error-PacketsHigh", False),
        (34, 1, "Error-Bytes", False),
        (35, 1, "Error-BytesHigh", False),
        (36, 1, "Error-PacketRate", False),
        (37, 1, "Error-ByteRate", False),
    ]),
    ("InputLink", 0x8040, 64, (), [
        (0, 1, "ID", False),
        (1, 1, "Status", False),
        (2, 1, "Queued-Bytes", False),
        (3, 1, "Queued-Packets", False),
        (4, 1, "TX-Utilization", False),
        (5, 1, "RX-Utilization", False),
        (6, 1, "Capacity", False),
        (8, 1, "TX-Packets", False),
        (9, 1, "TX-PacketsHigh", False),
        (10, 1, "TX-Bytes", False),
        (11, 1, "TX-BytesHigh", False),
        (12, 1, "TX-PacketRate", False),
        (13, 1, "TX-ByteRate", False),
        (16, 1, "RX-Packets", False),
        (17, 1, "RX-PacketsHigh", False),
        (18, 1, "RX-Bytes", False),
        (19, 1, "RX-BytesHigh", False),
        (20, 1, "RX-PacketRate", False),
        (21, 1, "RX-ByteRate", False),
        (24, 1, "Drop-Packets", False),
        (25, 1, "Drop-PacketsHigh", False),
        (26, 1, "Drop-Bytes", False),
        (27, 1, "Drop-BytesHigh", False),
        (28, 1, "Drop-PacketRate", False),
        (29, 1, "Drop-ByteRate", False),
        (32, 1, "Error-Packets", False),
        (33, 1, "Error-PacketsHigh", False),
        (34, 1, "Error-Bytes", False),
        (35, 1, "Error-BytesHigh", False),
        (36, 1, "Error-PacketRate", False),
        (37, 1, "Error-ByteRate", False),
        (48, 16, "AppSpecific_", True),
    ]),
    ("Queue", 0x9000, 32, ((32, 256), (8, 32),), [
        (0, 1, "QueueOccupancy", False),
        (1, 1, "Queued-Packets", False),
        (2, 1, "Weight", False),
        (3, 1, "Quantum", False),
        (4, 1, "Rate", False),
        (5, 1, "Priority", False),
        (6, 1, "EligibleTime", False),
        (7, 1, "ID", False),
        (8, 1, "TX-Packets", False),
        (9, 1, "TX-PacketsHigh", False),
        (10, 1, "TX-Bytes", False),
        (11, 1, "TX-BytesHigh", False),
        (12, 1, "TX-PacketRate", False),
        (13, 1, "TX-ByteRate", False),
        (16, 1, "RX-Packets", False),
        (17, 1, "RX-PacketsHigh", False),
        (18, 1, "RX-Bytes", False),
        (19, 1, "RX-BytesHigh", False),
        (20, 1, "RX-PacketRate", False),
        (21, 1, "RX-ByteRate", False),
        (24, 1, "Drop-Packets", False),
        (25, 1, "Drop-PacketsHigh", False),
        (26, 1, "Drop-Bytes", False),
        (27, 1, "Drop-BytesHigh", False),
        (28, 1, "Drop-PacketRate", False),
        (29, 1, "Drop-ByteRate", False),
    ]),
    ("Queue", 0xb000, 64, (), [
        (0, 1, "QueueOccupancy", False),
        (1, 1, "Queued-Packets", False),
        (2, 1, "Weight", False),
        (3, 1, "Quantum", False),
        (4, 1, "Rate", False),
        (5, 1, "Priority", False),
        (6, 1, "EligibleTime", False),
        (7, 1, "ID", False),
        (8, 1, "TX-Packets", False),
        (9, 1, "TX-PacketsHigh", False),
        (10, 1, "TX-Bytes", False),
        (11, 1, "TX-BytesHigh", False),
        (12, 1, "TX-PacketRate", False),
        (13, 1, "TX-ByteRate", False),
        (16, 1, "RX-Packets", False),
        (17, 1, "RX-PacketsHigh", False),
        (18, 1, "RX-Bytes", False),
        (19, 1, "RX-BytesHigh", False),
        (20, 1, "RX-PacketRate", False),
        (21, 1, "RX-ByteRate", False),
        (24, 1, "Drop-Packets", False),
        (25, 1, "Drop-PacketsHigh", False),
        (26, 1, "Drop-Bytes", False),
        (27, 1, "Drop-BytesHigh", False),
        (28, 1, "Drop-PacketRate", False),
        (29, 1, "Drop-ByteRate", False),
    ]),
    ("PacketMetadata", 0xc000, 64, (), [
        (0, 1, "InputPort", False),
        (1, 1, "PacketLength", False),
    ]),
    ("PacketMetadata", 0xc040, 192, (), [
        (0, 1, "OutputPort", False),
        (1, 1, "OutputPortBitmap", False),
        (2, 1, "OutputPortBitmapHigh", False),
        (3, 1, "QueueID", False),
        (4, 1, "MatchedEntryID", False),
        (5, 1, "AlternateRoutes", False),
    ]),
    ("PacketMetadata", 0xc100, 256, (), [
        (0, 1, "OutputQueue", False),
    ]),
    ("PacketMetadata", 0xc200, 64, (), [
        (0, 1, "Ethernet-DestinationHigh", False),
        (1, 1, "Ethernet-Destination", False),
        (2, 1, "Ethernet-SourceHigh", False),
        (3, 1, "Ethernet-Source", False),
        (4, 1, "EtherType", False),
        (5, 1, "VlanID", False),
        (6, 1, "IPv4-Source", False),
        (7, 1, "IPv4-Destination", False),
        (8, 1, "IPv4-Protocol", False),
        (9, 1, "IPv4-TTL", False),
        (10, 1, "IPv4-DSCP", False),
        (11, 1, "SourcePort", False),
        (12, 1, "DestinationPort", False),
    ]),
    ("PacketMetadata", 0xc240, 64, (), [
        (0, 1, "TotalLength", False),
        (1, 1, "MemoryLength", False),
        (2, 1, "Flags", False),
        (3, 1, "HopNumber", False),
        (4, 1, "StackPointer", False),
        (5, 1, "PerHopLength", False),
        (6, 1, "AppTag", False),
        (7, 1, "Checksum", False),
        (8, 1, "EncapsulatedProtocol", False),
    ]),
    ("Link", 0xd000, 16, (), [
        (0, 16, "AppSpecific_", True),
    ]),
    ("Stage", 0xe000, 64, ((48, 64),), [
        (0, 64, "Sram_", True),
    ]),
]


def name_of(address):
    """The name of an address, or its number."""
    for namespace, base, length, indices, entries in SEGMENTS:
        rest, name = address - base, namespace
        if rest < 0:
            continue
        inside = True
        for count, stride in indices:
            value, rest = divmod(rest, stride)
            inside = inside and value < count
            name += f"${value}"
        if not inside or rest >= length:
            continue
        for offset, words, entry, numbered in entries:
            if 0 <= rest - offset < words:
                return f"{name}:{entry}" + (str(rest - offset) if numbered else "")
    return f"0x{address:04x}"


def text_of(word, hop_mode):
    """An instruction as the assembler reads it."""
    opcode, address, first, second = word >> 28, word >> 12 & 0xFFFF, word >> 6 & 63, word & 63
    mnemonic = MNEMONICS.get(opcode)
    switch = f"[{name_of(address)}]"
    packet = ["[Packet:%s[%d]]" % ("Hop" if hop_mode else "Word", index) for index in (first, second)]
    if mnemonic is None:
        return f".instruction 0x{word:08x}"
    if mnemonic == "NOP":
        return mnemonic
    if mnemonic in ("PUSH", "POP"):
        return f"{mnemonic} {switch}"
    if mnemonic in ("LOAD", "STORE"):
        return f"{mnemonic} {switch}, {packet[0]}"
    if mnemonic == "LOADI":
        return f"{mnemonic} {packet[1]}, {packet[0]}"
    if mnemonic == "CEXEC" and first == 63:
        return f"{mnemonic} {switch}, {packet[1]}"
    return f"{mnemonic} {switch}, {packet[0]}, {packet[1]}"


class TPP(Packet):
    """A tiny packet program. TotalLength, MemoryLength and Checksum are computed if they are not set."""

    name = "TPP"
    fields_desc = [
        ShortField("TotalLength", None),  # header, instructions and memory, bytes
        ByteField("MemoryLength", None),  # packet memory, bytes
        FlagsField("Flags", 0, 8, ["VERSION_0", "VERSION_1", "STANDALONE", "REPORT_BACK", "DONE", "REFLECT", "WIDE", "HOP"]),  # mode, word size, reflect, done, report back
        ByteField("HopNumber", 0),  # from 0, +1 at each TPP-capable switch, at most 255
        ByteField("StackPointer", 0),  # byte offset into packet memory
        ByteField("PerHopLength", 0),  # bytes of memory a hop; hop mode only
        ByteField("AppTag", 0),  # which application; 8 bits for its 64-bit number
        XShortField("Checksum", None),  # ones' complement, over the whole TPP
        XShortEnumField("EncapsulatedProtocol", 0x0800, ETHER_TYPES),  # EtherType of the payload; 0: none
        FieldListField(
            "instructions",
            [],
            XIntField("", 0),
            length_from=lambda p: max(p.TotalLength - HEADER_LENGTH - p.MemoryLength, 0) // 4 * 4,
        ),
        StrLenField("memory", b"", length_from=lambda p: p.MemoryLength),
    ]

    def post_build(self, header, payload):
        header = bytearray(header)
        if self.TotalLength is None:
            header[0:0 + 2] = len(header).to_bytes(2, "big")
        if self.MemoryLength is None:
            header[2] = len(self.memory)
        if self.Checksum is None:
            header[8:8 + 2] = checksum(bytes(header)).to_bytes(2, "big")
        return bytes(header) + payload

    def guess_payload_class(self, payload):
        protocols = {fields["type"]: cls for fields, cls in Ether.payload_guess if "type" in fields}
        return protocols.get(self.EncapsulatedProtocol) or super().guess_payload_class(payload)

    def program(self):
        """The instructions as text."""
        return [text_of(word, bool(int(self.Flags) & 0x80)) for word in self.instructions]

    def words(self):
        """Packet memory as numbers."""
        size = 4 if int(self.Flags) & 0x40 else 2
        return [int.from_bytes(self.memory[at : at + size], "big") for at in range(0, len(self.memory), size)]


bind_layers(Ether, TPP, type=TPP_NUMBER)
bind_layers(UDP, TPP, dport=TPP_NUMBER)
bind_layers(UDP, TPP, sport=TPP_NUMBER)

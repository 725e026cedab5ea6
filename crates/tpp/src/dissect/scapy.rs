//! The layer for scapy.

use super::{NOTE, parts, rows};
use crate::header::{FIELDS, FLAGS, HEADER_LENGTH, TPP_NUMBER, flag};
use crate::instruction::{MASK_ALL_ONES, Opcode};
use std::fmt::Write as _;

/// The whole file.
pub fn scapy() -> String {
    let mut text = format!(
        "\"\"\"Scapy layer for tiny packet programs. {NOTE}\n\n    from tpp import TPP\n    Ether() / TPP(Flags=\"WIDE\", instructions=[0x30000000], memory=bytes(4)) / IP()\n\"\"\"\n\nfrom scapy.fields import ByteField, FieldListField, FlagsField, ShortField, StrLenField, XIntField, XShortField, XShortEnumField\nfrom scapy.layers.inet import UDP\nfrom scapy.layers.l2 import ETHER_TYPES, Ether\nfrom scapy.packet import Packet, bind_layers\nfrom scapy.utils import checksum\n\nHEADER_LENGTH = {HEADER_LENGTH}\nTPP_NUMBER = 0x{TPP_NUMBER:04x}\n\nMNEMONICS = {{\n"
    );
    for opcode in Opcode::ALL {
        let _ = writeln!(text, "    {}: \"{}\",", opcode as u8, opcode.mnemonic());
    }
    text += "}\n\n# Namespace, first address, words, (count, stride) of each index, (offset, words, name, numbered) of each entry.\nSEGMENTS = [\n";
    for part in parts() {
        let indices: String = part.indices.iter().map(|(c, s)| format!("({c}, {s}), ")).collect();
        let (name, base, length) = (part.segment.namespace, part.segment.base, part.segment.length);
        let _ =
            writeln!(text, "    (\"{name}\", 0x{base:04x}, {length}, ({}), [", indices.trim_end());
        for (offset, count, name, numbered) in part.segment.entries.iter().flat_map(rows) {
            let numbered = if numbered { "True" } else { "False" };
            let _ = writeln!(text, "        ({offset}, {count}, \"{name}\", {numbered}),");
        }
        text += "    ]),\n";
    }
    // Bit 0 first, as scapy wants it.
    let names = (0..8).map(|bit| {
        let name = FLAGS.iter().find(|(mask, ..)| *mask == 1 << bit).map(|(_, name, _)| *name);
        format!("\"{}\"", name.map_or_else(|| format!("VERSION_{bit}"), str::to_owned))
    });
    let names: Vec<String> = names.collect();
    let _ = write!(
        text,
        r#"]


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
            name += f"${{value}}"
        if not inside or rest >= length:
            continue
        for offset, words, entry, numbered in entries:
            if 0 <= rest - offset < words:
                return f"{{name}}:{{entry}}" + (str(rest - offset) if numbered else "")
    return f"0x{{address:04x}}"


def text_of(word, hop_mode):
    """An instruction as the assembler reads it."""
    opcode, address, first, second = word >> 28, word >> 12 & 0xFFFF, word >> 6 & 63, word & 63
    mnemonic = MNEMONICS.get(opcode)
    switch = f"[{{name_of(address)}}]"
    packet = ["[Packet:%s[%d]]" % ("Hop" if hop_mode else "Word", index) for index in (first, second)]
    if mnemonic is None:
        return f".instruction 0x{{word:08x}}"
    if mnemonic == "NOP":
        return mnemonic
    if mnemonic in ("PUSH", "POP"):
        return f"{{mnemonic}} {{switch}}"
    if mnemonic in ("LOAD", "STORE"):
        return f"{{mnemonic}} {{switch}}, {{packet[0]}}"
    if mnemonic == "LOADI":
        return f"{{mnemonic}} {{packet[1]}}, {{packet[0]}}"
    if mnemonic == "CEXEC" and first == {MASK_ALL_ONES}:
        return f"{{mnemonic}} {{switch}}, {{packet[1]}}"
    return f"{{mnemonic}} {{switch}}, {{packet[0]}}, {{packet[1]}}"


class TPP(Packet):
    """A tiny packet program. TotalLength, MemoryLength and Checksum are computed if they are not set."""

    name = "TPP"
    fields_desc = [
"#
    );
    for field in FIELDS {
        let name = field.name;
        let line = match name {
            "TotalLength" => format!("ShortField(\"{name}\", None)"),
            "MemoryLength" => format!("ByteField(\"{name}\", None)"),
            "Flags" => format!("FlagsField(\"{name}\", 0, 8, [{}])", names.join(", ")),
            "Checksum" => format!("XShortField(\"{name}\", None)"),
            "EncapsulatedProtocol" => format!("XShortEnumField(\"{name}\", 0x0800, ETHER_TYPES)"),
            _ if field.bytes == 1 => format!("ByteField(\"{name}\", 0)"),
            _ => format!("ShortField(\"{name}\", 0)"),
        };
        let _ = writeln!(text, "        {line},  # {}", field.about);
    }
    let offset =
        |name: &str| FIELDS.iter().find(|field| field.name == name).map_or(0, |f| f.offset);
    let (total, memory, sum) = (offset("TotalLength"), offset("MemoryLength"), offset("Checksum"));
    let (hop, wide) = (flag::HOP_MODE, flag::WIDE);
    let _ = write!(
        text,
        r#"        FieldListField(
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
            header[{total}:{total} + 2] = len(header).to_bytes(2, "big")
        if self.MemoryLength is None:
            header[{memory}] = len(self.memory)
        if self.Checksum is None:
            header[{sum}:{sum} + 2] = checksum(bytes(header)).to_bytes(2, "big")
        return bytes(header) + payload

    def guess_payload_class(self, payload):
        protocols = {{fields["type"]: cls for fields, cls in Ether.payload_guess if "type" in fields}}
        return protocols.get(self.EncapsulatedProtocol) or super().guess_payload_class(payload)

    def program(self):
        """The instructions as text."""
        return [text_of(word, bool(int(self.Flags) & 0x{hop:02x})) for word in self.instructions]

    def words(self):
        """Packet memory as numbers."""
        size = 4 if int(self.Flags) & 0x{wide:02x} else 2
        return [int.from_bytes(self.memory[at : at + size], "big") for at in range(0, len(self.memory), size)]


bind_layers(Ether, TPP, type=TPP_NUMBER)
bind_layers(UDP, TPP, dport=TPP_NUMBER)
bind_layers(UDP, TPP, sport=TPP_NUMBER)
"#
    );
    text
}

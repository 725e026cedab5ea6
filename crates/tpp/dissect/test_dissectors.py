#!/usr/bin/env python3
"""Tests the scapy layer and the Wireshark dissector of tiny packet programs.

    test_dissectors.py [WW]

Needs scapy and tshark; says SKIP for what is missing, and with WW, the ww command, compares its bytes with
scapy's. The frames are written out by hand here.
"""

import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

# Three pushes (SwitchID, OutputPort, QueueOccupancy) with 16-bit words for 5 hops, after one hop at which they
# gave 1, 4 and 300. 54 = 0x36 bytes, 30 = 0x1e of them memory, hop 1, SP 6. Sum of the words without the checksum:
# 0036 + 1e00 + 0106 + 0000 + 0800 + 3000 + 0000 + 3c04 + 0000 + 3b00 + 0000 + 0001 + 0004 + 012c = cf71,
# complement 308e.
TPP = bytes.fromhex("00361e0001060000308e0800" "30000000" "3c040000" "3b000000" "00010004012c") + bytes(24)
ETHERNET = bytes.fromhex("020000000002" "020000000001")
IP = bytes.fromhex("45000024000100004011000000000000" "0a000002")
TRANSPARENT = ETHERNET + bytes.fromhex("6666") + TPP + IP + bytes.fromhex("03e807d000100000") + b"payload!"
STANDALONE = (
    ETHERNET
    + bytes.fromhex("0800" "4500" "0052" "00010000" "4011" "0000" "0a000001" "0a000002")
    + bytes.fromhex("03e8" "6666" "003e" "0000")
    + TPP
)
PROGRAM = ["PUSH [Switch:SwitchID]", "PUSH [PacketMetadata:OutputPort]", "PUSH [Queue:QueueOccupancy]"]


def scapy_layer(ww):
    try:
        from scapy.all import IP as IPv4
        from scapy.all import UDP, Ether
    except ImportError:
        print("SKIP: scapy is not installed")
        return
    import tpp

    for frame, above in ((TRANSPARENT, IPv4), (STANDALONE, None)):
        packet = Ether(frame)
        layer = packet[tpp.TPP]
        assert layer.program() == PROGRAM, layer.program()
        assert layer.words()[:3] == [1, 4, 300] and len(layer.words()) == 15
        assert (layer.HopNumber, layer.StackPointer, layer.TotalLength) == (1, 6, 54)
        assert above is None or layer.haslayer(above) and layer[UDP].dport == 2000
        assert bytes(packet) == frame
        # Built anew, with lengths and checksum computed.
        made = tpp.TPP(HopNumber=1, StackPointer=6, instructions=layer.instructions, memory=layer.memory)
        assert bytes(made) == TPP, bytes(made).hex()
    assert str(tpp.TPP(Flags="HOP+WIDE+DONE").Flags) == "DONE+WIDE+HOP"
    print("scapy: good")
    if ww:
        source = ".word 16\n.hops 5\n" + "\n".join(PROGRAM)
        out = subprocess.run([ww, "tpp", "asm", "-"], input=source, capture_output=True, text=True, check=True)
        made = tpp.TPP(instructions=[0x30000000, 0x3C040000, 0x3B000000], memory=bytes(30))
        assert out.stdout == bytes(made).hex() + "\n", out.stdout
        print("ww tpp asm and scapy: the same bytes")


def tshark():
    program = shutil.which("tshark")
    if not program:
        print("SKIP: tshark is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        capture = Path(folder) / "tpp.pcap"
        # https://www.tcpdump.org/manpages/pcap-savefile.5.html: link type 1 is Ethernet.
        data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        for frame in (TRANSPARENT, STANDALONE):
            data += struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame
        capture.write_bytes(data)
        fields = ("tpp.HopNumber", "tpp.StackPointer", "tpp.instruction", "tpp.word", "udp.dstport")
        arguments = [f"-e{field}" for field in fields]
        command = [program, "-X", f"lua_script:{HERE / 'tpp.lua'}", "-r", str(capture), "-T", "fields", *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "lua" not in result.stderr.lower(), result.stderr
        lines = result.stdout.splitlines()
        assert len(lines) == 2, result.stdout
        for line, port in zip(lines, ("2000", "26214")):
            hop, stack, instructions, words, found = line.split("\t")
            assert (hop, stack, instructions, found) == ("1", "6", ",".join(PROGRAM), port), line
            assert words.startswith("0: 0x0001,1: 0x0004,2: 0x012c,3: 0x0000"), line
    print("tshark: good")


if __name__ == "__main__":
    scapy_layer(sys.argv[1] if len(sys.argv) > 1 else None)
    tshark()

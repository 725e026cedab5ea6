"""Looks at the TCP packets that reach eth0 and checks their checksums by RFC 791 and RFC 9293.

    sniff.py COUNT

Says "ready" once it listens. After COUNT packets it prints a JSON object: "seen", "wrong" (packets
with a wrong checksum in either header), "longest" (bytes of the longest frame).
"""

import json
import socket
import struct
import sys

PACKET_OUTGOING = 4
SO_RCVBUFFORCE = 33
# Bytes: room for a whole transfer, which arrives faster than it is looked at.
BUFFER = 64 << 20


def sum16(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data[: len(data) & ~1]))
    if len(data) % 2:
        total += data[-1] << 8
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def is_right(packet):
    header = (packet[0] & 15) * 4
    segment = packet[header : struct.unpack("!H", packet[2:4])[0]]
    pseudo = packet[12:20] + struct.pack("!HH", 6, len(segment))
    return sum16(packet[:header]) == 0xFFFF and sum16(pseudo + segment) == 0xFFFF


wanted = int(sys.argv[1])
found = {"seen": 0, "wrong": 0, "longest": 0}
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003)) as listener:
    listener.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    listener.bind(("eth0", 0))
    listener.settimeout(60)
    print("ready", flush=True)
    while found["seen"] < wanted:
        frame, address = listener.recvfrom(1 << 17)
        # What this host sends is not on the wire yet: its checksums are left to the interface.
        if address[2] == PACKET_OUTGOING or frame[12:14] != b"\x08\x00" or frame[23] != 6:
            continue
        found["seen"] += 1
        found["wrong"] += not is_right(frame[14:])
        found["longest"] = max(found["longest"], len(frame))
print(json.dumps(found))

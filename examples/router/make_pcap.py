#!/usr/bin/env python3
"""Writes in.pcap: four packets that a router must treat differently.

Standard library only; the layouts are those of RFC 791 and RFC 768.
"""

import socket
import struct


def checksum(data):
    """RFC 1071: the one's complement of the one's complement sum."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def ethernet(payload, kind=0x0800):
    """From host h1 to the router's port 1."""
    return bytes.fromhex("0200000001fe 020000000101") + struct.pack("!H", kind) + payload


def udp_in_ipv4(dst, ttl, wrong=0):
    """Eight bytes of UDP header without payload, from 10.0.1.1."""
    udp = struct.pack("!4H", 1000, 2000, 8, 0)

    def header(check):
        addresses = socket.inet_aton("10.0.1.1") + socket.inet_aton(dst)
        return struct.pack("!2B3H2BH", 0x45, 0, 20 + len(udp), 1, 0, ttl, 17, check) + addresses

    return header(checksum(header(0)) ^ wrong) + udp


packets = [
    ethernet(udp_in_ipv4("10.0.2.1", ttl=64)),  # to be routed
    ethernet(udp_in_ipv4("10.0.2.1", ttl=1)),  # at the end of its life
    ethernet(udp_in_ipv4("10.0.2.1", ttl=64, wrong=1)),  # damaged
    ethernet(bytes(28), kind=0x0806),  # no IPv4
]

with open("in.pcap", "wb") as file:
    # The header of a pcap file: microseconds, Ethernet; then each packet behind its own.
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for second, packet in enumerate(packets):
        file.write(struct.pack("<4I", second, 0, len(packet), len(packet)) + packet)

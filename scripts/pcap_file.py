"""Classic pcap files (microseconds, Ethernet) in a dozen lines of standard Python.

The capture makers of p4/programs and the micro-benchmark generator write
through this module, so that the same packets always give the same bytes on
disk. Format: draft-ietf-opsawg-pcap, little-endian, magic 0xa1b2c3d4.
"""

import struct

MAGIC_LITTLE_MICRO = 0xA1B2C3D4
LINKTYPE_ETHERNET = 1
SNAPLEN = 65535


def write(path, packets):
    """Write `packets`, an iterable of (time in microseconds, bytes)."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", MAGIC_LITTLE_MICRO, 2, 4, 0, 0, SNAPLEN, LINKTYPE_ETHERNET))
        for micros, data in packets:
            out.write(struct.pack("<IIII", micros // 1_000_000, micros % 1_000_000, len(data), len(data)))
            out.write(data)


def read(path):
    """Read a classic pcap of either byte order and either resolution.

    Returns a list of (time in nanoseconds, bytes). Raises ValueError with the
    file's name when the file is not one or ends in the middle of a record.
    """
    with open(path, "rb") as source:
        data = source.read()
    if len(data) < 24:
        raise ValueError(f"{path}: {len(data)} bytes are too few for a pcap header (24)")
    for order in "<>":
        magic = struct.unpack_from(order + "I", data)[0]
        if magic in (0xA1B2C3D4, 0xA1B23C4D):
            break
    else:
        raise ValueError(f"{path}: not a pcap file (first bytes {data[:4].hex()})")
    to_nanos = 1 if magic == 0xA1B23C4D else 1000
    packets = []
    at = 24
    while at < len(data):
        if at + 16 > len(data):
            raise ValueError(f"{path}: record {len(packets)} is cut off in its header")
        seconds, fraction, captured, _ = struct.unpack_from(order + "IIII", data, at)
        at += 16
        if at + captured > len(data):
            raise ValueError(f"{path}: record {len(packets)} is cut off in its data")
        packets.append((seconds * 1_000_000_000 + fraction * to_nanos, data[at : at + captured]))
        at += captured
    return packets

"""Sends and receives frames on the TAP devices t1, t2, t3, as lines of standard input say.

    flood SRC DST TAP N     sends N numbered frames, and prints where they arrive, as JSON
    load SRC DST TAP N      the same, spread over some seconds
"""

import json
import select
import socket
import sys
import time

TYPE = 0x88B5  # for local experiments
NAMES = ["t1", "t2", "t3"]

sockets = {}
for name in NAMES:
    sockets[name] = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(TYPE))
    sockets[name].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    sockets[name].bind((name, TYPE))


def collect(arrived, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select(list(sockets.values()), [], [], left)
        for sock in ready:
            frame, address = sock.recvfrom(2048)
            # What this script sends is seen here as well.
            if address[2] != socket.PACKET_OUTGOING:
                name = next(n for n in NAMES if sockets[n] is sock)
                arrived[name].add(int.from_bytes(frame[14:18], "big"))


print("ready", flush=True)
for line in sys.stdin:
    command, source, destination, tap, number = line.split()
    arrived = {name: set() for name in NAMES}
    head = bytes.fromhex(destination) + bytes.fromhex(source) + TYPE.to_bytes(2, "big")
    for n in range(int(number)):
        sockets[tap].send(head + n.to_bytes(4, "big") + bytes(46))
        if command == "load":
            collect(arrived, 0.002)
    collect(arrived, 1.0)
    print(json.dumps({name: len(seen) for name, seen in arrived.items()}), flush=True)

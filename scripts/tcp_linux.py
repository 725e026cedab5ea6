#!/usr/bin/env python3
"""Lets this machine's kernel talk to `ww tcp host` over a TAP device, in a network namespace of its own.

    tcp_linux.py [--ww PATH] [--engine model|rtl] [--full]

ARP, pings, UDP with and without a checksum, closed ports, echoes with half-close: each is done by the kernel or by packets that are
built here, and what comes back is checked. With --full: a ping of each length, eight echoes of 200 KB at once, and Debian's
iperf (version 2) both ways. Needs root or user namespaces, and `ip`. Exit status 1 at the first thing
that is wrong. Standard library only.
"""

import argparse
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST, OWN, DEVICE = "10.0.0.2", "10.0.0.1", "tap0"
HOST_MAC = bytes.fromhex("020000000002")
PORTS = ["tcp:7=echo", "udp:7=echo", "tcp:9=discard", "tcp:5001=iperf", "udp:5001=iperf"]
# An engine is built in this time, on a machine that does other things too.
MOST_BUILD = 900
SO_NO_CHECK = 11


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"tcp_linux: {what}: expected {wanted!r}, found {found!r}")
    print(f"{what}: as expected", flush=True)


def arping():
    """An ARP request of our own is answered with the host's address."""
    line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
    line.bind((DEVICE, 0))
    line.settimeout(5)
    own = line.getsockname()[4]
    question = struct.pack(">HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, own, socket.inet_aton(OWN), bytes(6), socket.inet_aton(HOST))
    line.send(b"\xff" * 6 + own + b"\x08\x06" + question)
    while True:
        frame = line.recv(2048)
        operation, mac, ip = struct.unpack(">H6s4s", frame[20:32])
        if operation == 2 and ip == socket.inet_aton(HOST):
            expect("arping", mac, HOST_MAC)
            return


def pings(lengths):
    """Echo requests of these lengths come back byte for byte."""
    line = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    line.settimeout(5)
    wrong = []
    for number, length in enumerate(lengths):
        data = os.urandom(length)
        head = struct.pack(">BBHHH", 8, 0, 0, 0x7777, number & 0xFFFF)
        message = head[:2] + struct.pack(">H", checksum(head + data)) + head[4:] + data
        line.sendto(message, (HOST, 0))
        while True:
            packet = line.recv(65535)
            answer = packet[(packet[0] & 15) * 4 :]
            if answer[0] == 0 and answer[4:8] == head[4:8]:
                break
        if answer[8:] != data or checksum(answer) != 0:
            wrong.append(length)
    expect(f"{len(lengths)} pings", wrong, [])


def datagrams():
    for what, unchecked in (("UDP", 0), ("UDP without a checksum", 1)):
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.settimeout(5)
        line.setsockopt(socket.SOL_SOCKET, SO_NO_CHECK, unchecked)
        for length in (0, 1, 17, 1400):
            data = os.urandom(length)
            line.sendto(data, (HOST, 7))
            expect(f"{what}, {length} bytes", line.recv(2000) == data, True)


def refused():
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.settimeout(5)
    line.connect((HOST, 77))
    line.send(b"x")
    for what, attempt in (
        ("a closed UDP port", lambda: line.recv(10)),
        ("a closed TCP port", lambda: socket.create_connection((HOST, 77), 5)),
    ):
        try:
            attempt()
            expect(what, "an answer", "refused")
        except ConnectionRefusedError:
            expect(what, "refused", "refused")


def echo(count):
    """What is sent comes back, and the end only after ours."""
    data = os.urandom(count)
    line = socket.create_connection((HOST, 7), 10)
    line.settimeout(60)

    def send():
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)

    sender = threading.Thread(target=send)
    sender.start()
    came = bytearray()
    while piece := line.recv(65536):
        came += piece
    sender.join()
    line.close()
    return bytes(came) == data


def echoes(sessions, count):
    results = []
    began = time.monotonic()
    threads = [threading.Thread(target=lambda: results.append(echo(count))) for _ in range(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(f"{sessions} echoes of {count} bytes", results, [True] * sessions)
    return time.monotonic() - began


def rate(line):
    """Bits a second, the last field of iperf's line of values."""
    return int(line.strip().split(",")[-1])


def host(arguments, options):
    """Starts `ww tcp host` on the device, and waits until it is ready."""
    started = subprocess.Popen(
        [arguments.ww, "tcp", "host", "--engine", arguments.engine, "--port", f"tap:{DEVICE}", "--ip", f"{HOST}/24", "--json"]
        + options,
        stdout=subprocess.PIPE,
        text=True,
    )
    watch = threading.Timer(MOST_BUILD, started.kill)
    watch.start()
    ready = started.stdout.readline()
    watch.cancel()
    expect("the host", ready, "ready\n")
    subprocess.run(["ip", "addr", "add", f"{OWN}/24", "dev", DEVICE], check=True)
    subprocess.run(["ip", "link", "set", DEVICE, "up"], check=True)
    return started


def ended(started):
    """The host's report: each frame is counted once, and no connection is left."""
    report = json.loads(started.stdout.readline())
    expect("status", started.wait(), 0)
    expect("frames in", report["frames_in"], sum(report["accepted"].values()) + sum(report["dropped"].values()))
    expect("connections that are left", report["open"], 0)
    print(json.dumps(report), flush=True)


def iperf_from(arguments):
    """The host's iperf sends to Debian's."""
    server = subprocess.Popen(["iperf", "-s", "-y", "C"], stdout=subprocess.PIPE, text=True)
    started = host(arguments, ["--connect", f"{OWN}:5001=iperf", "--seconds", "4"])
    try:
        expect("iperf from the host has a rate", rate(server.stdout.readline()) > 0, True)
        ended(started)
    finally:
        server.kill()
        started.kill()


def talk(arguments):
    """In the namespace: starts the host, talks to it, stops it, and reads its report."""
    started = host(arguments, [word for port in PORTS for word in ("--listen", port)])
    try:
        arping()
        datagrams()
        refused()
        if arguments.full:
            pings(list(range(1473)))
            seconds = echoes(8, 200_000)
            expect("they take less than a minute", seconds < 60, True)
            client = ["iperf", "-c", HOST, "-t", "2", "-y", "C"]
            done = subprocess.run(client, capture_output=True, text=True, timeout=60, check=True)
            expect("iperf to the host has a rate", rate(done.stdout) > 0, True)
        else:
            pings([0, 1, 17, 18, 19, 56, 100, 500, 1471, 1472])
            echoes(2, 20_000)
        started.send_signal(signal.SIGINT)
        ended(started)
    finally:
        started.kill()
    if arguments.full:
        iperf_from(arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ww", default=str(ROOT / "target/debug/ww"))
    parser.add_argument("--engine", choices=("model", "rtl"), default="model")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        talk(arguments)
        return 0
    namespace = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
    return subprocess.run([*namespace, sys.executable, __file__, *sys.argv[1:], "--inside"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

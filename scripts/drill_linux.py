#!/usr/bin/env python3
"""Plays the scripts of crates/tcp/tests/drill against this machine's kernel: what Linux does is what they expect.

    drill_linux.py [SCRIPT.pkt ...] [--tries N]

Each script runs in a network namespace of its own, which needs root or user namespaces: packets go in and out through a
TUN device, calls are those of the sockets of this process. The language is the part of packetdrill's that our scripts
use; reading them is written anew here, so that a mistake of `ww tcp drill` is not shared. Times are real: the kernel's timers
are up to some tens of milliseconds late, and a busy machine makes them later; a script that fails is tried again, three times in all
by default. Exit status 1 if a script fails each time. Standard library only.
"""

import argparse
import errno
import fcntl
import os
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

SCRIPTS = Path(__file__).parent.parent / "crates/tcp/tests/drill"
LOCAL, REMOTE, PORT = "192.168.0.1", "192.0.2.1", 8080
# Seconds by which something may be early, and late.
EARLY, LATE = 0.012, 0.02
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
FLAGS = {"F": 1, "S": 2, "R": 4, "P": 8, ".": 16, "U": 32, "E": 64, "W": 128}
CODEPOINTS = {"noecn": (0,), "ect1": (1,), "ect0": (2,), "ect01": (1, 2), "ce": (3,)}
# As the model is: buffers that make the window scale 8, and NewReno.
SYSCTLS = {"tcp_rmem": "4096 131072 8388608", "tcp_congestion_control": "reno"}
NAMES = {"SOL_TCP": 6, "SIOCINQ": 0x541B, "SIOCOUTQ": 0x5411, "SIOCOUTQNSD": 0x894B}

TIME = r"\+?\d*\.?\d+"
EVENT = re.compile(rf"(\*|{TIME}(?:~{TIME})?)(?:\.\.\.({TIME}))?\s+(.*)")
TCP = re.compile(
    r"[<>]\s*(?:\[(\w+)\]\s*)?([SFRP.UEW-]+)\s+(\d+):\d+\((\d+)\)(?:\s+ack (\d+))?(?:\s+win (\d+))?(?:\s+<(.*)>)?"
)
UDP = re.compile(r"[<>]\s*udp \((\d+)\)")
CALL = re.compile(r"(\w+)\((.*)\)\s*=\s*(-?\w+)(?:\s+(E\w+))?")


class Difference(Exception):
    """Something else happened than the script says."""


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ip_packet(protocol, ecn, payload):
    ends = socket.inet_aton(REMOTE) + socket.inet_aton(LOCAL)
    header = struct.pack(">BBHHHBBH", 0x45, ecn, 20 + len(payload), 0, 0x4000, 64, protocol, 0) + ends
    return header[:10] + struct.pack(">H", checksum(header)) + header[12:] + payload


def options_of(data):
    """The options of a segment in the script's words; timestamps as a tuple."""
    words = []
    while data:
        kind = data[0]
        if kind == 0:
            words.append("eol")
            break
        if kind == 1:
            words.append("nop")
            data = data[1:]
            continue
        value, data = data[2 : data[1]], data[data[1] :]
        if kind == 2:
            words.append(f"mss {int.from_bytes(value, 'big')}")
        elif kind == 3:
            words.append(f"wscale {value[0]}")
        elif kind == 4:
            words.append("sackOK")
        elif kind == 5:
            edges = struct.unpack(f">{len(value) // 4}I", value)
            words.append("sack " + " ".join(f"{a}:{b}" for a, b in zip(edges[::2], edges[1::2])))
        elif kind == 8:
            words.append(struct.unpack(">II", value))
    return words


def wanted_options(text):
    """The options of a script's line: a list, or None if any will do."""
    if text == "...":
        return None
    return [word.strip() for word in text.split(",")] if text else []


class Kernel:
    """A TUN device, the sockets, and what the numbers of the script are relative to."""

    def __init__(self):
        self.tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(self.tun, TUNSETIFF, struct.pack("16sH", b"tun0", IFF_TUN | IFF_NO_PI))
        for command in (
            "ip link set lo up",
            f"ip addr add {LOCAL}/16 dev tun0",
            "ip link set tun0 up mtu 1500",
            "ip route add 192.0.2.0/24 dev tun0",
        ):
            subprocess.run(command.split(), check=True)
        for name, value in SYSCTLS.items():
            Path("/proc/sys/net/ipv4", name).write_text(value)
        self.sockets = {}
        self.sent = []
        self.local, self.remote, self.next_remote = PORT, 0, 40000
        self.first = self.stamp = None
        self.listens = False
        self.start = time.monotonic() + 0.05
        threading.Thread(target=self.watch, daemon=True).start()

    def now(self):
        return time.monotonic() - self.start

    def watch(self):
        while True:
            select.select([self.tun], [], [])
            while True:
                try:
                    packet = os.read(self.tun, 65536)
                except BlockingIOError:
                    break
                if packet[0] >> 4 == 4:
                    self.sent.append((self.now(), packet))

    # ---- packets

    def emit_options(self, text):
        out = b""
        for word in wanted_options(text) or []:
            name, *rest = word.split()
            if name == "nop":
                out += b"\1"
            elif name == "eol":
                out += b"\0"
            elif name == "mss":
                out += struct.pack(">BBH", 2, 4, int(rest[0]))
            elif name == "wscale":
                out += bytes([3, 3, int(rest[0])])
            elif name == "sackOK":
                out += bytes([4, 2])
            elif name == "sack":
                edges = [(int(n) + (self.first or 0)) & 0xFFFFFFFF for block in rest for n in block.split(":")]
                out += bytes([5, 2 + 4 * len(edges)]) + struct.pack(f">{len(edges)}I", *edges)
            elif name == "TS":
                echo = int(rest[3])
                out += struct.pack(">BBII", 8, 10, int(rest[1]), (echo + (self.stamp or 0)) & 0xFFFFFFFF if echo else 0)
            else:
                raise Difference(f"option {word} is not known here")
        return out + b"\0" * (-len(out) % 4)

    def inbound(self, text):
        datagram = UDP.match(text)
        if datagram:
            length = 8 + int(datagram[1])
            header = struct.pack(">HHHH", self.remote or PORT, self.local, length, 0)
            os.write(self.tun, ip_packet(17, 0, header + b"\0" * (length - 8)))
            return
        ecn, flags, start, length, ack, window, options = TCP.match(text).groups()
        bits = sum(FLAGS.get(flag, 0) for flag in flags)
        if (self.listens and bits & 0x12 == 2) or not self.remote:
            self.next_remote += 1
            self.remote, self.first, self.stamp, self.listens = self.next_remote, None, None, False
        options = self.emit_options(options)
        number = (int(ack) + (self.first or 0)) & 0xFFFFFFFF if ack else 0
        segment = struct.pack(
            ">HHIIBBHHH",
            self.remote,
            self.local,
            int(start),
            number,
            (5 + len(options) // 4) << 4,
            bits,
            int(window or 0),
            0,
            0,
        )
        segment += options + b"\0" * int(length)
        pseudo = socket.inet_aton(REMOTE) + socket.inet_aton(LOCAL) + struct.pack(">BBH", 0, 6, len(segment))
        segment = segment[:16] + struct.pack(">H", checksum(pseudo + segment)) + segment[18:]
        os.write(self.tun, ip_packet(6, CODEPOINTS[ecn][-1] if ecn else 0, segment))

    def read_segment(self, packet):
        segment = packet[(packet[0] & 15) * 4 :]
        source, destination, start, ack, offset, flags, window = struct.unpack(">HHIIBBH", segment[:16])
        offset = (offset >> 4) * 4
        return {
            "ports": (source, destination),
            "start": start,
            "ack": ack,
            "flags": flags,
            "window": window,
            "length": len(segment) - offset,
            "options": options_of(segment[20:offset]),
            "ecn": packet[1] & 3,
        }

    def joined(self, found, length):
        """A segment with those behind it that make it as long as the script has it. Where they end PSH means nothing:
        the kernel sets it on what it would hand to a card as one."""
        while 0 < found["length"] < length:
            until = self.now() + LATE
            while not self.sent and self.now() < until:
                time.sleep(0.0005)
            if not self.sent:
                break
            behind = self.read_segment(self.sent[0][1])
            if behind["start"] != (found["start"] + found["length"]) & 0xFFFFFFFF:
                break
            found["length"] += behind["length"]
            found["flags"] = behind["flags"]
            self.sent.pop(0)
        return found

    def outbound(self, text, earliest, latest):
        """Compares what goes out next with a line, and returns when it went."""
        while not self.sent and self.now() < latest + LATE:
            time.sleep(0.0005)
        if not self.sent:
            raise Difference("nothing goes out")
        at, packet = self.sent.pop(0)
        datagram = UDP.match(text)
        if datagram:
            if packet[9] != 17 or len(packet) - 28 != int(datagram[1]):
                raise Difference(f"another packet goes out: {packet[:40].hex()}")
            return at
        if packet[9] != 6:
            raise Difference(f"another packet goes out: {packet[:40].hex()}")
        ecn, flags, start, length, ack, window, options = TCP.match(text).groups()
        found = self.read_segment(packet)
        self.local, self.remote = found["ports"]
        if found["flags"] & 2 and self.first is None:
            self.first = (found["start"] - int(start)) & 0xFFFFFFFF
        alone = found["length"] >= int(length)
        found = self.joined(found, int(length))
        bits = sum(FLAGS.get(flag, 0) for flag in flags)
        unseen = 0 if alone else FLAGS["P"]
        wanted = wanted_options(options)
        there = [self.timestamps(word, wanted or []) if isinstance(word, tuple) else word for word in found["options"]]
        start_found = (found["start"] - (self.first or 0)) & 0xFFFFFFFF
        same = (
            found["flags"] | unseen == bits | unseen
            and (start_found, found["length"]) == (int(start), int(length))
            and (ack is None or found["ack"] == int(ack))
            and (window is None or found["window"] == int(window))
            and (ecn is None or found["ecn"] in CODEPOINTS[ecn])
            and (wanted is None or there == wanted)
        )
        if not same:
            names = "".join(name for name, bit in FLAGS.items() if found["flags"] & bit)
            numbers = f"{start_found}:{start_found + found['length']}({found['length']}) ack {found['ack']}"
            raise Difference(f"Linux sends {names} {numbers} win {found['window']} <{','.join(there)}> at {at:.3f} s")
        if not earliest - EARLY <= at <= latest + LATE:
            raise Difference(f"Linux sends it at {at:.3f} s, expected {earliest:.3f} to {latest:.3f} s")
        return at

    def timestamps(self, values, wanted):
        """Timestamps in the script's words: within 10 ms they are the script's."""
        value, echo = values
        mine = next((int(word.split()[2]) for word in wanted if word.startswith("TS")), None)
        if mine is None:
            return f"TS val {value} ecr {echo}"
        if self.stamp is None:
            self.stamp = (value - mine) & 0xFFFFFFFF
        apart = ((value - self.stamp - mine + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)
        return f"TS val {mine if abs(apart) <= 10 else mine + apart} ecr {echo}"

    # ---- calls

    def call(self, name, arguments):
        """Carries a call out: its result, and the name of its error."""
        try:
            return self.carry_out(name, split(arguments)), None
        except OSError as error:
            return -1, errno.errorcode.get(error.errno)

    def descriptor(self, new):
        number = next(number for number in range(3, 1000) if number not in self.sockets)
        self.sockets[number] = new
        return number

    def carry_out(self, name, arguments):
        if name == "socket":
            return self.descriptor(socket.socket(socket.AF_INET, value(arguments[1])))
        if name == "poll":
            return self.poll(arguments)
        number = value(arguments[0])
        if name == "close":
            self.sockets.pop(number).close()
            return 0
        one = self.sockets[number]
        if name == "bind":
            one.bind((LOCAL, PORT))
            if one.type == socket.SOCK_DGRAM:
                self.local = self.remote = PORT
        elif name == "listen":
            one.listen(value(arguments[1]))
            self.listens = True
        elif name == "accept":
            return self.descriptor(one.accept()[0])
        elif name == "connect":
            one.connect((REMOTE, PORT))
        elif name in ("read", "recv", "recvfrom"):
            return len(one.recv(value(arguments[2])))
        elif name in ("write", "send"):
            return one.send(b"\0" * value(arguments[2]), value(arguments[3]) if len(arguments) > 3 else 0)
        elif name == "sendto":
            return one.sendto(b"\0" * value(arguments[2]), (REMOTE, PORT))
        elif name in ("readv", "writev"):
            length = sum(int(n) for n in re.findall(r"\.\.\.,\s*(\d+)", arguments[1]))
            return one.send(b"\0" * length) if name == "writev" else len(one.recv(length))
        elif name == "shutdown":
            one.shutdown(value(arguments[1]))
        elif name == "setsockopt":
            one.setsockopt(value(arguments[1]), value(arguments[2]), option_value(arguments[3]))
        elif name == "getsockopt":
            return left(one.getsockopt(value(arguments[1]), value(arguments[2])), arguments[3])
        elif name == "fcntl":
            if arguments[1] == "F_GETFL":
                return fcntl.fcntl(one, fcntl.F_GETFL) & 0xFFF
            fcntl.fcntl(one, fcntl.F_SETFL, value(arguments[2]))
        elif name == "ioctl":
            number = bytearray(4)
            fcntl.ioctl(one, value(arguments[1]), number)
            return left(struct.unpack("i", number)[0], arguments[2])
        else:
            raise Difference(f"call {name} is not known here")
        return 0

    def poll(self, arguments):
        poll, wanted = select.poll(), {}
        for number, events, revents in re.findall(r"fd=(\d+),\s*events=([\w|]+),\s*revents=([\w|]+)", arguments[0]):
            descriptor = self.sockets[int(number)].fileno()
            poll.register(descriptor, value(events))
            wanted[descriptor] = value(revents)
        there = dict(poll.poll(value(arguments[2])))
        if any(there.get(descriptor, 0) != events for descriptor, events in wanted.items()):
            raise Difference(f"poll leaves {there}, expected {wanted}")
        return len(there)


def split(text):
    """Arguments, split where no bracket is open."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [*parts, part.strip()]


def value(text):
    """A number, or names of numbers with | between them."""
    total = 0
    for name in text.split("|"):
        name = name.strip()
        if re.fullmatch(r"-?\d+|0x[0-9a-f]+", name):
            total |= int(name, 0)
            continue
        known = NAMES.get(name)
        for module in (socket, select, os, fcntl):
            known = getattr(module, name, None) if known is None else known
        if known is None:
            raise Difference(f"{name} is not known here")
        total |= int(known)
    return total


def option_value(text):
    if text.startswith("{"):
        return struct.pack("ii", *(int(n) for n in re.findall(r"=\s*(\d+)", text)))
    return text.strip('"').encode() if text.startswith('"') else int(text.strip("[]"))


def left(number, wanted):
    """0 if a call has left the number that the script says."""
    if wanted != "..." and number != int(wanted.strip("[]")):
        raise Difference(f"the call leaves {number}")
    return 0


def play(path):
    """Plays one script in this process, whose network namespace is fresh. Returns the first difference."""
    kernel, base, waiting, problems = Kernel(), 0.0, None, []

    def judged(line, name, arguments, wanted, error):
        try:
            result, failed = kernel.call(name, arguments)
            if failed != error or (error is None and result != int(wanted, 0)):
                raise Difference(f"{name} returns {result} {failed or ''}")
        except Difference as difference:
            problems.append((line, difference))

    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    for line, code in enumerate(text.split("\n"), 1):
        code = code.split("//")[0].strip()
        try:
            if code.startswith("`"):
                for name, setting in re.findall(r"net\.ipv4\.(\w+)=([^\s`]+)", code):
                    Path("/proc/sys/net/ipv4", name).write_text(setting)
                continue
            if not code:
                continue
            when, ends, what = EVENT.match(code).groups()
            edges = [] if when == "*" else [
                base + float(edge[1:]) if edge.startswith("+") else float(edge) for edge in when.split("~")
            ]
            earliest, latest = (edges[0], edges[-1]) if edges else (0.0, kernel.now() + 30)
            if what.startswith(">"):
                at = kernel.outbound(what, earliest, latest)
                base = at if "~" in when or when == "*" else earliest
            else:
                time.sleep(max(0.0, earliest - kernel.now()))
                base = max(base, earliest)
                if what.startswith("<"):
                    kernel.inbound(what)
                else:
                    if waiting:
                        waiting.join(5)
                    arguments = (line, *CALL.match(what).groups())
                    waiting = threading.Thread(target=judged, args=arguments, daemon=True) if ends else None
                    waiting.start() if waiting else judged(*arguments)
        except Difference as difference:
            problems.append((line, difference))
        if problems:
            return problems[0]
    if waiting:
        waiting.join(20)
        if waiting.is_alive():
            return len(text.split("\n")), "a call does not return"
    return problems[0] if problems else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scripts", nargs="*", type=Path)
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        problem = play(arguments.scripts[0])
        if problem:
            print(f"{arguments.scripts[0]}:{problem[0]}: {problem[1]}")
        sys.stdout.flush()
        # Threads may still wait in a call.
        os._exit(1 if problem else 0)
    scripts = arguments.scripts or sorted(SCRIPTS.glob("*.pkt"))
    failed = []
    for script in scripts:
        command = ["unshare", "-Urn", sys.executable, __file__, "--inside", str(script)]
        for _ in range(arguments.tries):
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if result.returncode == 0:
                break
        else:
            failed.append(script)
            print(result.stdout + result.stderr, end="")
    print(f"{len(scripts) - len(failed)} of {len(scripts)} scripts are as Linux {os.uname().release} does")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

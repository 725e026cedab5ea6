#!/usr/bin/env python3
"""What a shim costs TCP: shim.py [--ww WW] [--rounds N] [--seconds S] [--out FILE.json] [--plot FILE.svg]

Two network namespaces; each host's stack reaches its end of a veth pair through `ww tpp shim` and a TAP interface. One
flow of TCP with packets of 1,240 bytes goes one way. Two sweeps, after figures 10 and 11 of the paper on TPPs:

sampling    one packet in N carries a TPP of 260 bytes, N in 1, 2, 5, 10, 20, 100 and never
filters     1, 10, 100, 1000 rules on TCP's destination port that never sample: the flow fits the first or the last; or
            20 flows are spread over all; compared with the same flows without rules

Rounds take turns, the median counts. Absolute figures are those of the machine; ratios are what the paper's can be
compared with. Needs root and iproute2; `--plot` needs matplotlib.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKET = 1240  # bytes of IP
TPP = 260  # bytes
PORT = 5000
SAMPLING = [1, 2, 5, 10, 20, 100, 0]
RULES = [1, 10, 100, 1000]
FLOWS = 20
# What the sizes give, for one packet in N: 1240 / (1240 + 260 / N).
EXPECTED = {n: 100 * PACKET / (PACKET + (TPP / n if n else 0)) for n in SAMPLING}

SINK = """
import selectors, socket, sys, time
ports, seconds = int(sys.argv[1]), float(sys.argv[2])
poll, received = selectors.DefaultSelector(), 0
for port in range(ports):
    listener = socket.create_server(("0.0.0.0", %d + port))
    poll.register(listener, selectors.EVENT_READ, True)
print("ready", flush=True)
begin = None
while begin is None or time.monotonic() < begin + seconds:
    for key, _ in poll.select(0.05):
        if key.data:
            poll.register(key.fileobj.accept()[0], selectors.EVENT_READ, False)
        else:
            data = key.fileobj.recv(1 << 18)
            begin = begin or time.monotonic()
            received += len(data)
            if not data:
                poll.unregister(key.fileobj)
print(received / (time.monotonic() - begin), flush=True)
""" % PORT
SOURCE = """
import selectors, socket, sys
poll, data = selectors.DefaultSelector(), bytes(1 << 17)
for port in map(int, sys.argv[1].split(",")):
    flow = socket.create_connection(("10.0.9.2", port))
    flow.setblocking(False)
    poll.register(flow, selectors.EVENT_WRITE)
try:
    while True:
        for key, _ in poll.select():
            key.fileobj.send(data)
except OSError:
    pass
"""


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


class Hosts:
    def __init__(self, ww, folder):
        self.ww, self.folder = ww, folder
        self.names = [f"wwt{os.getpid()}{end}" for end in "ab"]

    def __enter__(self):
        a, b = self.names
        for name in self.names:
            run("ip", "netns", "add", name)
        run("ip", "-n", a, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", b)
        for name in self.names:
            run("ip", "-n", name, "link", "set", "wire", "addrgenmode", "none")
            run("ip", "-n", name, "link", "set", "wire", "arp", "off", "up")
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def inside(self, end, *command, **options):
        return subprocess.Popen(["ip", "netns", "exec", self.names[end], *command], cwd=self.folder, text=True, **options)

    def shims(self, rules):
        """Starts both, with the rules at the sender's."""
        shims = []
        for end, text in enumerate([rules, "mtu = 1500\n"]):
            (self.folder / f"{end}.toml").write_text(text)
            arguments = ["tpp", "shim", f"{end}.toml", "--stack", "tap:tpp0", "--wire", "wire", "--json"]
            shims.append(self.inside(end, self.ww, *arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        for end, name in enumerate(self.names):
            for _ in range(100):
                link = ["ip", "-n", name, "link", "set", "tpp0", "addrgenmode", "none"]
                if subprocess.run(link, stderr=subprocess.DEVNULL).returncode == 0:
                    break
                time.sleep(0.05)
            mac = "02:00:00:00:09:0{}"
            run("ip", "-n", name, "link", "set", "tpp0", "address", mac.format(end + 1), "mtu", str(PACKET), "up")
            run("ip", "-n", name, "addr", "add", f"10.0.9.{end + 1}/24", "dev", "tpp0")
            run("ip", "-n", name, "neigh", "replace", f"10.0.9.{2 - end}", "lladdr", mac.format(2 - end), "dev", "tpp0")
        return shims

    def measure(self, rules, ports, seconds):
        """Bytes a second of data that came, and what the sender's shim has to say."""
        shims = self.shims(rules)
        sink = self.inside(1, sys.executable, "-c", SINK, str(max(ports) - PORT + 1), str(seconds), stdout=subprocess.PIPE)
        sink.stdout.readline()
        source = self.inside(0, sys.executable, "-c", SOURCE, ",".join(map(str, ports)), stderr=subprocess.DEVNULL)
        rate = float(sink.stdout.readline())
        source.kill()
        source.wait()
        sink.wait()
        reports = []
        for shim in shims:
            shim.send_signal(2)
            reports.append(json.loads(shim.communicate()[0]))
        return rate, reports[0]


def rule(port, every, program, hops):
    return f'[[rule]]\napp = 1\nfilter = "-p tcp --dport {port}"\nevery = {every}\nhops = {hops}\nprogram = """\n{program}"""\n'


def rules(of):
    return 'mtu = 1500\n[[app]]\ntag = 1\nread = ["*"]\n' + "".join(of)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ww", default=ROOT / "target/release/ww", type=Path)
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--seconds", default=2.0, type=float)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    # 12 bytes of header, 5 instructions, 57 words: 260 bytes, as in the paper.
    names = ["Switch:SwitchID", "Queue:QueueOccupancy", "Link:ID", "PacketMetadata:OutputPort", "PacketMetadata:InputPort"]
    large = ".memory " + ", ".join(["0"] * 52) + "\n" + "".join(f"PUSH [{name}]\n" for name in names)
    points = {}
    for every in SAMPLING:
        points["sampling", every, ""] = (rules([rule(PORT, every, large, 1)]), [PORT])
    points["without", 0, "one"] = (rules([]), [PORT])
    for count in RULES:
        made = rules(rule(PORT + number, 0, "PUSH [Switch:SwitchID]\n", 5) for number in range(count))
        points["filters", count, "first"] = (made, [PORT])
        points["filters", count, "last"] = (made, [PORT + count - 1])
        spread = [PORT + flow * count // FLOWS for flow in range(FLOWS)]
        points["filters", count, "all"] = (made, spread)
        # The same flows to the same ports: many sockets cost the receiver, too.
        points["without", count, "all"] = (rules([]), spread)
    measured = {point: [] for point in points}
    with tempfile.TemporaryDirectory() as folder, Hosts(arguments.ww.resolve(), Path(folder)) as hosts:
        for _ in range(arguments.rounds):
            for point, (text, ports) in points.items():
                rate, report = hosts.measure(text, ports, arguments.seconds)
                (stack,) = [port["rx"] for port in report["world"]["ports"] if port["port"] == 0]
                # Without Ethernet headers; nothing else changes a frame's length.
                begin = stack["bytes"] - 14 * stack["packets"]
                share = 100 * begin / (begin + report["stamped"] * TPP) if point[0] == "sampling" else None
                measured[point].append({"rate": rate, "share": share})
                print(*point, f"{rate * 8e-9:.3f} Gb/s", file=sys.stderr)
    results = []
    for (sweep, number, which), rounds in measured.items():
        rates = [one["rate"] for one in rounds]
        result = {"sweep": sweep, "number": number, "which": which, "bytes_per_s": statistics.median(rates)}
        result["spread"] = [min(rates), max(rates)]
        if sweep == "sampling":
            result["share"] = statistics.median(one["share"] for one in rounds)
        results.append(result)
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    print(tables(results))
    if arguments.plot:
        plot(results, arguments.plot)


def kept(one, results):
    """Per cent of what the same flows have without rules."""
    without = ("without", one["number"], "all") if one["which"] == "all" else ("without", 0, "one")
    (rate,) = (two["bytes_per_s"] for two in results if (two["sweep"], two["number"], two["which"]) == without)
    return 100 * one["bytes_per_s"] / rate


def tables(results):
    """Tables as Markdown."""
    lines = ["| one packet in | goodput, Gb/s | network, share of never | goodput of network | by its sizes |", "|---|---|---|---|---|"]
    sampling = [one for one in results if one["sweep"] == "sampling"]
    never = next(one for one in sampling if one["number"] == 0)
    for one in sampling:
        network = one["bytes_per_s"] / one["share"] / (never["bytes_per_s"] / never["share"])
        name = one["number"] or "never"
        lines.append(f"| {name} | {one['bytes_per_s'] * 8e-9:.2f} | {100 * network:.0f} % | {one['share']:.1f} % | {EXPECTED[one['number']]:.1f} % |")
    filters = [one for one in results if one["sweep"] == "filters"]
    lines += ["", "| rules | first | last | all |", "|---|---|---|---|"]
    for count in RULES:
        cells = [f"{kept(one, results):.0f} %" for one in filters if one["number"] == count]
        lines.append(f"| {count} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot(results, file):
    """Both sweeps."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "bench"
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    sampling = [one for one in results if one["sweep"] == "sampling"]
    ticks = range(len(sampling))
    goodput = [one["bytes_per_s"] * 8e-9 for one in sampling]
    left.bar(ticks, [rate * 100 / one["share"] for rate, one in zip(goodput, sampling)], color="#7fb2d9", label="network")
    left.bar(ticks, goodput, color="#1b6ca8", label="application")
    left.set_xticks(ticks, [one["number"] or "never" for one in sampling])
    left.set_xlabel("one packet in")
    left.set_ylabel("Gb/s")
    left.legend()
    for which in ("first", "last", "all"):
        those = [one for one in results if one["sweep"] == "filters" and one["which"] == which]
        right.plot([one["number"] for one in those], [kept(one, results) for one in those], marker="o", label=which)
    right.set_xscale("log")
    right.set_ylim(0, 130)
    right.set_xlabel("rules")
    right.set_ylabel("% of without rules")
    right.legend()
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    main()

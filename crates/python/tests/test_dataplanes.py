"""Dataplanes from Python: on captures as the command line runs them, under control, and on interfaces."""

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
import wirewright

ROOT = Path(__file__).resolve().parents[3]
WW = os.environ.get("WW", str(ROOT / "target/debug/ww"))
FOLDER = ROOT / "p4/programs/udp_count"
PROGRAM = FOLDER / "udp_count.p4"
ENTRIES = FOLDER / "entries.txt"


def captures(out):
    return {port: f"{FOLDER}/in.{port}.pcap:{out}/out.{port}.pcap" for port in (0, 1)}


def test_captures_are_those_of_the_command_line(tmp_path):
    ours, theirs = tmp_path / "python", tmp_path / "command"
    ours.mkdir(), theirs.mkdir()
    with wirewright.run(PROGRAM, ports=captures(ours), entries=ENTRIES) as switch:
        pass
    assert not switch.running
    ports = [word for port, spec in captures(theirs).items() for word in ("--port", f"{port}={spec}")]
    done = subprocess.run(
        [WW, "run", PROGRAM, *ports, "--entries", ENTRIES, "--json"], capture_output=True, text=True, check=True
    )
    for port in (0, 1):
        assert (ours / f"out.{port}.pcap").read_bytes() == (theirs / f"out.{port}.pcap").read_bytes()
    told, expected = switch.statistics, json.loads(done.stdout)
    for report in (told, expected):
        del report["world"]["wall_seconds"]
        for port in report["world"]["ports"]:
            del port["spec"]
    assert told == expected
    cells = {counter["index"]: counter["packets"] for counter in told["counters"]}
    assert cells == {1: 13, 2: 7, 3: 5}, "as the README of the program says"


def test_the_reference_engine_sees_the_same(tmp_path):
    switch = wirewright.run(PROGRAM, ports=captures(tmp_path), entries=ENTRIES, engine="interp", check=True)
    assert switch.wait()["engine"]["name"] == "interp"
    with pytest.raises(ConnectionError, match="takes no requests"):
        switch.control("generation")


def test_requests_while_it_runs(tmp_path):
    memory = {0: f"mem:{FOLDER}/in.0.pcap,seconds=120", 1: f"mem:{FOLDER}/in.1.pcap,seconds=120"}
    socket = tmp_path / "control"
    with wirewright.run(PROGRAM, ports=memory, control=socket) as switch:
        assert switch.running
        with pytest.raises(TimeoutError, match="still runs"):
            switch.wait(timeout=0.01)
        made = switch.control("table_add", table="udp_ports", keys=[53], action="count", arguments=[7])
        assert made == {"handle": 0}
        deadline = time.monotonic() + 60
        while not switch.control("counter_read", counter="c1", index=7)["cells"][0]["packets"]:
            assert time.monotonic() < deadline, "no packet is counted"
        with pytest.raises(ValueError, match="did you mean `table_add`"):
            switch.control("table_ad", table="udp_ports")
        # The same dataplane by its socket.
        listed = subprocess.run(
            [WW, "ctl", "--socket", socket, "table", "dump", "udp_ports"], capture_output=True, text=True, check=True
        )
        assert "53" in listed.stdout or "0x35" in listed.stdout
        assert switch.statistics["world"]["ports"][0]["rx"]["packets"] > 0
        done = switch.stop()
    assert done["engine"]["received"] > 0
    assert not socket.exists()
    with pytest.raises(ConnectionError):
        switch.control("generation")


def test_other_threads_of_python_go_on():
    switch = wirewright.run(PROGRAM, ports={0: f"mem:{FOLDER}/in.0.pcap,seconds=120"})
    stopper = threading.Timer(0.2, switch.stop)
    stopper.start()
    assert switch.wait(timeout=60)["engine"]["received"] > 0
    stopper.join()


def test_what_is_wrong_is_told(tmp_path):
    broken = tmp_path / "broken.p4"
    broken.write_text("control c() { apply { x = 1; } }\n")
    commands = tmp_path / "commands.txt"
    commands.write_text("table_add ingress.udp_port count 53 => 1\n")
    files = captures(tmp_path)
    for options, words in [
        ({"program": broken}, "broken.p4 is rejected: 1 error"),
        ({"entries": commands}, "commands.txt is rejected: 1 error"),
        ({"entries": tmp_path / "none.txt"}, "cannot read"),
        ({"engine": "verilog"}, "expected an engine"),
        ({"workers": 2}, "capture files are replayed"),
        ({"ports": {}}, "needs a port"),
        ({"ports": {600: files[0]}}, "port 600"),
        ({"ports": {0: f"{tmp_path}/none.pcap:"}}, "none.pcap"),
    ]:
        arguments = {"program": PROGRAM, "ports": files, **options}
        with pytest.raises((ValueError, RuntimeError)) as told:
            with wirewright.run(arguments.pop("program"), **arguments):
                pass
        assert words in str(told.value), options
        command = [WW, "run", str(options.get("program", PROGRAM)), "--engine", options.get("engine", "jit")]
        for port, spec in arguments["ports"].items():
            command += ["--port", f"{port}={spec}"]
        if "entries" in options:
            command += ["--entries", str(options["entries"])]
        if "workers" in options:
            command += ["--workers", "2"]
        if "engine" in options or not arguments["ports"]:
            # The command line's parser says it in its own words.
            continue
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (1, 2)
        assert done.stderr.replace("error: ", "").strip().endswith(str(told.value).splitlines()[-1])


INTERFACES = """
    import socket
    import wirewright

    switch = wirewright.run({program!r}, ports={{0: "left", 1: "right"}}, entries={entries!r})
    with switch:
        ends = []
        for name in ("outer-left", "outer-right"):
            end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            end.bind((name, 0))
            end.settimeout(20)
            ends.append(end)
        frame = bytes(12) + b"\\x88\\xb5" + b"wirewright" * 5
        ends[0].send(frame)
        while ends[1].recv(2048) != frame:
            pass
    told = switch.statistics
    assert told["world"]["ports"][1]["tx"]["packets"] >= 1, told
    print("carried")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="interfaces and namespaces need root")
def test_interfaces():
    script = textwrap.dedent(INTERFACES).format(program=str(PROGRAM), entries=str(ENTRIES))
    links = "".join(
        f"ip link add {end} type veth peer name outer-{end}; ip link set {end} up; ip link set outer-{end} up; "
        for end in ("left", "right")
    )
    done = subprocess.run(
        ["unshare", "--net", "sh", "-ec", f'{links} exec "$0" -c "$1"', sys.executable, script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "carried\n", done.stderr

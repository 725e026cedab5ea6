"""Tiny packet programs: bytes by hand, answers from a peer that is written down here, and a shim that runs."""

import json
import os
import signal
import socket
import subprocess
import threading
import time

import pytest
from wirewright import tpp

WW = os.environ.get("WW", "target/debug/ww")

# One PUSH of 0xb000 in 16-bit words and memory of 2 bytes, application 9. By hand: 12 + 4 + 2 = 0x12 bytes; the words
# 0012 0200 0000 0009 cccc 0800 3b00 0000 0000 sum up to 0x451b without the checksum, which is 0xbae4 therefore.
BYTES = bytes.fromhex("001202000000" "0009" "bae4" "0800" "3b000000" "0000")


def checksum(data):
    total = sum(int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def test_bytes_and_fields():
    program = tpp.assemble("PUSH [Queue:QueueOccupancy]", hops=1, word=16, app=9)
    assert bytes(program) == BYTES
    read = tpp.Tpp(BYTES)
    assert read == program
    assert (read.mode, read.word, read.hops, read.stack_pointer, read.app) == ("stack", 16, 0, 0, 9)
    assert (read.protocol, read.done, read.words) == (0x0800, False, [0])
    assert read.instructions == ["PUSH [Queue:QueueOccupancy]"]
    assert tpp.assemble(tpp.disassemble(read)) == read
    for wrong in [BYTES[:-1], BYTES + b"\0", b"", BYTES[:8] + b"\0\0" + BYTES[10:]]:
        with pytest.raises(ValueError, match="TPP"):
            tpp.Tpp(wrong)
    with pytest.raises(ValueError, match="SwitchID"):
        tpp.assemble("PUSH [Switch:SwitchIDD]", hops=1)
    with pytest.raises(ValueError, match="16 or 32"):
        tpp.assemble("NOP", word=8)


def test_check():
    program = tpp.assemble("PUSH [Switch:SwitchID]\nPUSH [Link:QueueSize]", hops=2, app=3)
    assert tpp.check(program) == []
    policy = '[[app]]\ntag = 3\nread = ["Switch:*"]\n'
    (reason,) = tpp.check(program, policy=policy)
    assert "instruction 2" in reason
    # From stage 3 into the packet, from the packet into stage 1.
    late = tpp.assemble(".memory 0\nLOAD [Stage3:Reg0], [Packet:Word[0]]\nSTORE [Stage1:Reg0], [Packet:Word[0]]")
    assert tpp.check(late)[0].startswith("hazard")
    with pytest.raises(ValueError, match="1:"):
        tpp.check(program, policy="[[ap]]")


class Path(threading.Thread):
    """Two switches, 7 and 8, behind an address of the loopback; every second datagram is lost.

    It knows one instruction, PUSH of SwitchID, with the guard of a targeted TPP in front of it or not.
    """

    def __init__(self, address):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 0x6666))
        self.seen = 0
        self.start()

    def run(self):
        while True:
            data, peer = self.socket.recvfrom(2048)
            self.seen += 1
            if not data:
                return
            if self.seen % 2:
                continue
            data = bytearray(data)
            memory = len(data) - data[2]
            for switch in (7, 8):
                guarded = data[12] >> 4 == 6
                if not guarded or int.from_bytes(data[memory : memory + 4], "big") == switch:
                    at = memory + data[5]
                    data[at : at + 4] = switch.to_bytes(4, "big")
                    data[5] += 4
                data[4] += 1
            data[3] |= 0x10
            data[8:10] = b"\0\0"
            data[8:10] = checksum(data).to_bytes(2, "big")
            self.socket.sendto(bytes(data), peer)


@pytest.fixture
def path():
    address = f"127.{os.getpid() >> 8 & 127 | 64}.{os.getpid() & 255}.9"
    path = Path(address)
    yield address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.sendto(b"", (address, 0x6666))
    path.join(5)
    path.socket.close()


def test_the_executor(path):
    executor = tpp.Executor(tries=5, timeout=0.2)
    program = tpp.assemble("PUSH [Switch:SwitchID]", hops=2)
    answer = executor.reliable(program, path)
    assert (answer.names, answer.rows) == (["Switch:SwitchID"], [[7], [8]])
    assert (answer.tries, answer.hops, answer.tpp.done) == (2, 2, True)
    assert 0 < answer.round_trip < 0.2
    assert answer.tpp.rows(1) == [[7], [8]]
    assert executor.targeted(program, path, 8).rows == [[8]]
    with pytest.raises(LookupError, match="switch 9"):
        executor.targeted(program, path, 9)
    found = executor.scatter_gather(program, {7: path, 9: path})
    assert found[7].rows == [[7]]
    assert isinstance(found[9], LookupError)
    one, refused = executor.all([(program, path), (program, "127.0.0.254")])
    assert one.rows == [[7], [8]]
    assert isinstance(refused, ConnectionRefusedError)
    with pytest.raises(ValueError, match="IPv4"):
        executor.reliable(program, "here")
    with pytest.raises(TimeoutError, match="sent 1 time"):
        silent = tpp.Executor(tries=1, timeout=0.05)
        silent.reliable(program, path)
        silent.reliable(program, path)


@pytest.fixture
def interruptible():
    """Python ignores Ctrl-C if it was started so, as shells start what is to run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_control_c_ends_a_wait(path, interruptible):
    program = tpp.assemble("PUSH [Switch:SwitchID]", hops=2)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tpp.Executor(tries=1, timeout=60).reliable(program, path)
    assert time.monotonic() - begin < 30


def test_a_shim_under_control(tmp_path):
    # It ends when its captures do, so that it has to have one that lasts: a pipe.
    os.mkfifo(tmp_path / "in.pcap")
    command = [WW, "tpp", "shim", "--control", "shim", "--state", "state.toml", "--stack", "in.pcap:", "--wire", ":out.pcap"]
    command[0] = os.path.abspath(WW)
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        try:
            pipe = open(tmp_path / "in.pcap", "wb", buffering=0)
            deadline = time.monotonic() + 30
            while True:
                try:
                    shim = tpp.Shim(tmp_path / "shim")
                    break
                except OSError:
                    assert time.monotonic() < deadline and process.poll() is None
                    time.sleep(0.05)
            with shim:
                tag, owned = shim.register("queues", read=["Switch:*"], allocate={"link": 2})
                assert (tag, owned) == (1, {"link": (0xD000, 0xD001)})
                program = tpp.assemble("PUSH [Switch:SwitchID]", hops=2)
                rule = shim.add_tpp("queues", "-p udp --dport 5000", program, sample_frequency=10)
                assert [made["rule"] for made in shim.rules()] == [rule]
                with pytest.raises(tpp.Refused, match="instruction 1"):
                    shim.add_tpp("queues", "", tpp.assemble("PUSH [Link:QueueSize]", hops=2))
                assert shim.stats()["stamped"] == 0
                shim.remove(rule)
                assert shim.rules() == []
                shim.unregister("queues")
                assert shim.applications() == []
            pipe.close()
        finally:
            process.kill()


def test_records(tmp_path):
    file = tmp_path / "tpps.json"
    file.write_text('{"app": 1, "words": [7]}\n{"app": 2, "words": []}\n{"ap')
    assert [record["app"] for record in tpp.records(file)] == [1, 2]
    follow = tpp.records(file, follow=True)
    assert [next(follow)["app"], next(follow)["app"]] == [1, 2]
    with open(file, "a") as more:
        more.write('p": 3}\n')
    assert next(follow) == {"app": 3}
    assert json.dumps(next(tpp.records(file))["words"]) == "[7]"

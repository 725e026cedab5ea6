"""Every kind of object of objects.p4 through the generated Python module, on a simulated device.

objects.py DESIGN MODEL: the folder of `ww build`, and examples/control-api/device.cpp as a library.
"""

import ctypes
import sys

sys.path.insert(0, sys.argv[1] + "/control")

import objects  # noqa: E402
import ww_control  # noqa: E402

model = ctypes.CDLL(sys.argv[2])
model.model_open.restype = ctypes.c_void_p
for name in ["write", "read", "send", "receive"]:
    getattr(model, f"model_{name}").argtypes = {
        "write": [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32],
        "read": [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p],
        "send": [ctypes.c_void_p, ctypes.c_uint16, ctypes.c_char_p, ctypes.c_size_t],
        "receive": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t],
    }[name]
model.model_receive.restype = ctypes.c_size_t


class Bus:
    """AXI4-Lite of the model."""

    def __init__(self, handle):
        self.handle = handle

    def write32(self, address, word):
        assert model.model_write(self.handle, address, word) == 0, hex(address)

    def read32(self, address):
        word = ctypes.c_uint32()
        assert model.model_read(self.handle, address, ctypes.byref(word)) == 0, hex(address)
        return word.value


def send(a=0, b=0, address=0, mac=0):
    """Sends a packet; returns the ports of its copies, and what the first copy tells."""
    frame = bytes([a, b]) + address.to_bytes(4, "big") + mac.to_bytes(6, "big") + bytes(17) + b"tail"
    assert model.model_send(handle, 5, frame, len(frame)) == 0
    port, room = ctypes.c_uint16(), ctypes.create_string_buffer(2000)
    ports, first = [], None
    while length := model.model_receive(handle, ctypes.byref(port), room, 2000):
        assert length == len(frame) and room.raw[:12] == frame[:12]
        ports.append(port.value)
        first = first or room.raw[12:29]
    numbers = [int.from_bytes((first or bytes(17))[i:j], "big") for i, j in [(0, 2), (2, 4), (4, 10), (10, 12), (12, 16), (16, 17)]]
    return ports, dict(zip(["ternary", "lpm", "exact", "own", "register", "colour"], numbers))


def refused(error, call):
    try:
        call()
    except error:
        return
    raise AssertionError(f"not refused: {call.__code__.co_names}")


handle = model.model_open()
device = objects.Device(Bus(handle))
device.open()

# The program's own entries and defaults.
_, seen = send(b=2)
assert seen == dict(ternary=0, lpm=0xFFFF, exact=0, own=0x202, register=0, colour=0), seen
assert send(b=1)[1]["own"] == 0x101 and send(b=3)[1]["own"] == 7
own = device.ingress_own
assert not hasattr(own, "insert") and len(own) == 2
assert own.read(1) == own.set_own(0x101) and own.entries()[1].keys == (2,)
own.set_default(own.set_own(8))
assert send(b=3)[1]["own"] == 8
own.reset_default()
assert send(b=3)[1]["own"] == 7

# Ternary, range and optional; the higher priority wins; counters belong to entries.
table = device.ingress_by_ternary
table.insert((0x10, 0xF0), None, None, table.mark(1), priority=1)
table.insert((0x10, 0xF0), (4, 9), None, table.mark(2), priority=5)
table.insert(None, None, 0xABC, table.mark(3), priority=3)
refused(ww_control.ControlError, lambda: table.insert(None, None, 0xABC, table.mark(4), priority=3))
refused(ValueError, lambda: table.insert((256, 1), None, None, table.mark(4)))
refused(ValueError, lambda: table.insert(1, None, None, table.mark(1 << 16)))
refused(TypeError, lambda: table.insert(1, None, None, device.ingress_by_prefix.via(1)))
found = {(a, b, mac): send(a, b, 0, mac)[1]["ternary"]
         for a in (0x12, 0x22) for b in (3, 4, 9, 10) for mac in (0, 0xABC)}  # fmt: skip
for (a, b, mac), answer in found.items():
    rules = [(1, 1, a == 0x12), (5, 2, a == 0x12 and 4 <= b <= 9), (3, 3, mac == 0xABC)]
    assert answer == max([(p, n) for p, n, match in rules if match], default=(0, 0))[1], (a, b, mac)
assert table.counter((0x10, 0xF0), (4, 9), None, priority=5) == (4, 4 * 33)
assert table.counter(None, None, 0xABC, priority=3).packets == 6
table.set_counter(None, None, 0xABC, priority=3, packets=100)
table.delete((0x10, 0xF0), (4, 9), None, priority=5)
assert send(0x12, 4, 0, 0xABC)[1]["ternary"] == 3
assert table.counter(None, None, 0xABC, priority=3) == (101, 33)
table.modify(None, None, 0xABC, table.mark(9), priority=3)
assert send(mac=0xABC)[1]["ternary"] == 9
entries = {entry.keys: (entry.priority, entry.action) for entry in table.entries()}
assert entries == {((0x10, 0xF0), (0, 255), None): (1, table.mark(1)),
                   ((0, 0), (0, 255), 0xABC): (3, table.mark(9))}, entries  # fmt: skip

# Longest prefix.
routes = device.ingress_by_prefix
for value, length in [(0x0A000000, 8), (0x0A010000, 16), (0x0A010203, 32), (0, 0)]:
    routes.insert((value, length), routes.via(length))
for address, length in [(0x0A010203, 32), (0x0A010204, 16), (0x0AFF0000, 8), (0x0B000000, 0)]:
    assert send(address=address)[1]["lpm"] == length
routes.delete((0x0A010000, 16))
assert send(address=0x0A010204)[1]["lpm"] == 8 and len(routes) == 3
refused(ww_control.ControlError, lambda: routes.delete((0x0A010000, 16)))

# Exact, with bytes as values.
macs = device.ingress_by_mac
macs.insert(bytes.fromhex("020304050607"), 1, macs.rewrite(bytes.fromhex("0a0b0c0d0e0f")))
assert send(a=1, mac=0x020304050607)[1]["exact"] == 0x0A0B0C0D0E0F
assert send(a=2, mac=0x020304050607)[1]["exact"] == 0
assert not hasattr(macs, "set_default")

# Registers.
cells = device.ingress_cells
cells.write(7, 0xFFFFFFF0)
assert send(a=7)[1]["register"] == 0xFFFFFFF0 and cells.read(7) == 0xFFFFFFF1
refused(IndexError, lambda: cells.read(16))

# Meters: two packets at the committed rate, two more at the peak rate, and the clock stands still.
device.ingress_rates.write(3, ww_control.Rates(1, 2, 2, 4))
assert [send(a=3)[1]["colour"] for _ in range(5)] == [0, 0, 1, 1, 2]
assert send(a=2)[1]["colour"] == 0
device.ingress_rates.write(3, None)
assert send(a=3)[1]["colour"] == 0

# Copies.
device.multicast.set_group(1, [(0, 3), (1, 300), (2, 4)])
assert send(b=0x10)[0] == [3, 300, 4]
device.multicast.set_group(1, [(0, 9)])
device.multicast.set_group(2, [(0, 1), (0, 2)])
assert send(b=0x10)[0] == [9] and send(b=0x20)[0] == [1, 2]

# Messages.
while device.digests.take():
    pass
send(a=0x55, mac=0x112233445566)
receiver, fields = device.digests.take()[1:]
assert receiver == 3 and list(fields.values()) == [0x112233445566, 0x55]
assert device.digests.take() is None

# A reset leaves what the program says.
device.reset()
ports, _ = send(a=1, b=0x12, address=0x0A010203, mac=0x020304050607)
assert ports == [], "the group has no members any more"
assert send(b=2)[1] == dict(ternary=0, lpm=0xFFFF, exact=0, own=0x202, register=cells.read(0) - 1, colour=0)

# Rates of meters as tests of the software engines have them.
row = ww_control._meter_row(ww_control.Rates(500_000, 3, 2_000_000, 5))
expected = [500_000_000_000, 3 * 10**12, 2 * 10**12, 5 * 10**12, 1]
for value, width in zip(expected, [60, 72, 60, 72, 1]):
    assert row & (1 << width) - 1 == value
    row >>= width

# Another design is noticed.
objects.Device._row_bits = (64, 1)
refused(ww_control.ControlError, lambda: objects.Device(Bus(handle)).open())
device.close()
print("passed")

"""Groups of an action selector through the generated Python API, on a bus that remembers rows.

    groups.py DIR: the `control` folder of selectors.p4, with its library

What is expected of the rows is what rtl/table_selector/README.md says of them.
"""

import importlib.util
import sys
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
# Python has a module of the program's name.
spec = importlib.util.spec_from_file_location("api", folder / "selectors.py")
api = importlib.util.module_from_spec(spec)
spec.loader.exec_module(api)

GROUPS, MEMBERS, WINDOW = 13, 14, 1


class Rows:
    """A device whose rows are a dictionary."""

    def __init__(self):
        self.staged = {}
        self.rows = {}

    def write32(self, address, word):
        window, offset = address >> 12, address & 0xFFF
        if offset >= 0x400:
            self.staged[window, offset] = word
        elif offset == 0:
            row = sum(self.staged.get((window, 0x400 + 4 * n), 0) << 32 * n for n in range(4))
            self.rows[window, word >> 28, word & 0xFFFFFFF] = row

    def read32(self, address):
        window = address >> 12
        return api.Device._row_bits[window] if address & 0xFFF == 8 else window


def refused(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"{arguments} were taken")


bus = Rows()
device = api.Device(bus)
device.open()
table = device.I_exactly
short = table.short_

table.set_group(3, [short(a=1), table.long_(b=0x1234), short(a=3)])
row = bus.rows[WINDOW, GROUPS, 3]
base, count, reciprocal = row & 63, row >> 6 & 15, row >> 10
assert count == 3
# The action's number in bit 0, its parameter behind it.
members = [bus.rows[WINDOW, MEMBERS, base + n] & 0x1FFFF for n in range(3)]
assert members == [1 << 1, 1 | 0x1234 << 1, 3 << 1], members
# The hash has 10 bits, counts have 4.
assert all(value * reciprocal >> 14 == value // 3 for value in range(1024))
assert table.members(3) == [short(a=1), table.long_(b=0x1234), short(a=3)]

table.insert(7, table.group(3))
# {valid, group, data}: direct, row = key.
assert bus.rows[WINDOW, 0, 7] & 0x7FFFF == 3 << 17 | 3
assert table.read(7) == table.group(3)
table.set_default(table.group(5))
assert bus.rows[WINDOW, 15, 0] & 0x3FFFF == 1 << 17 | 5

# New members do not lie where the old ones do.
table.set_group(3, [short(a=9)] * 8)
other = bus.rows[WINDOW, GROUPS, 3] & 63
assert other >= base + 3 or other + 8 <= base
table.set_group(3, [])
assert bus.rows[WINDOW, GROUPS, 3] == 0

# There are 64 rows for members.
for group in range(8):
    table.set_group(group, [short(a=group)] * 8)
refused(api.ww_control.ControlError, table.set_group, 9, [short(a=1)])
refused(ValueError, table.set_group, 9, [short(a=1)] * 9)
refused(IndexError, table.group, 16)
refused(TypeError, table.set_group, 9, [table.group(1)])
device.reset()
assert all(bus.rows[WINDOW, GROUPS, group] == 0 for group in range(16))
table.set_group(9, [short(a=1)])
print("passed")

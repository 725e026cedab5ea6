"""What the generated control module of a device stands on.

The tables are kept by the driver in C, which is compiled as a shared library (`make` in this
folder); it decides which rows are written and in which order, so that packets meanwhile see either
the old or the new table. This module carries the rows over the bus and has counters, registers,
meters, copies and digests.

A bus is any object with `write32(address, word)` and `read32(address) -> word`. Where these are
coroutines (cocotb, asyncio), give `asynchronous=True` to the device: then every method that needs
the hardware returns something to `await`.
"""

import ctypes
from collections import namedtuple
from pathlib import Path

import ww_driver

# generated: window (crates/blocks/src/facts.rs)
WW_WINDOW_WRITE = 0x000
WW_WINDOW_READ = 0x004
WW_WINDOW_WIDTH = 0x008
WW_WINDOW_OBJECT = 0x00c
WW_WINDOW_STAGING = 0x400
# end of generated
# generated: memories (crates/rtl/src/manifest.rs)
WW_DEFAULT_MEMORY = 15
WW_GROUP_MEMORY = 13
WW_MEMBER_MEMORY = 14
# end of generated
WHOLE = 0xFFFF
"""Copies of a mirror session stay whole."""

# `sign` is a bit that is inverted in hardware: of ranges of signed numbers their sign, otherwise 0.
Key = namedtuple("Key", "id name kind width offset sign", defaults=(0,))
Parameter = namedtuple("Parameter", "id name width offset")
ActionType = namedtuple("ActionType", "id name number parameters")
Action = namedtuple("Action", "type arguments")
Action.__doc__ = "An action with its arguments; tables have a function for each of theirs."
Group = namedtuple("Group", "number")
Group.__doc__ = "A group of a table's action selector, in the place of an action."
Selector = namedtuple("Selector", "groups members group_members hash_bits")
OwnEntry = namedtuple("OwnEntry", "key mask prefix_length priority data")
Counts = namedtuple(
    "Counts", "packets_received packets_sent packets_dropped digests_lost buffer_lost"
)
Cell = namedtuple("Cell", "packets bytes")
Entry = namedtuple("Entry", "keys priority action")
Digest = namedtuple("Digest", "name receiver fields")
Rates = namedtuple("Rates", "committed_rate committed_burst peak_rate peak_burst")
Rates.__doc__ = """Rates of a two-rate three-colour meter, in packets or bytes: rates per second,
bursts as numbers."""


class ControlError(Exception):
    """The driver refuses a request: the sentence is that of ww_error_text."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def _library(path):
    if not Path(path).exists():
        raise FileNotFoundError(f"{path} is missing: run `make` in {Path(path).parent}")
    return ww_driver.load(path)


def _number(value, width, what):
    """A value as an integer: bytes count in network order."""
    value = int.from_bytes(value, "big") if isinstance(value, (bytes, bytearray)) else int(value)
    if not 0 <= value < 1 << width:
        raise ValueError(f"{what}: {value} does not fit into {width} bits")
    return value


def _ones(width):
    return (1 << width) - 1


def _biased(value, field, what):
    """A signed number as hardware has it: the lowest one is 0."""
    if not -field.sign <= value < field.sign:
        raise ValueError(f"{what}: {value} is no signed number of {field.width} bits")
    return value + field.sign


class Device:
    """A device behind a bus. Generated modules derive from it.

    Methods that use the hardware are written once, as generators of bus accesses; `_run` carries
    them out, at once or as a coroutine.
    """

    _library_path = None
    _row_bits = ()

    def __init__(self, bus, asynchronous=False):
        self._bus = bus
        self._asynchronous = asynchronous
        self._driver = _library(self._library_path)
        self._tables = []

    def _run(self, steps):
        return self._later(steps) if self._asynchronous else self._now(steps)

    def _now(self, steps):
        answer = None
        try:
            while True:
                address, word = steps.send(answer)
                if word is None:
                    answer = self._bus.read32(address)
                else:
                    answer = self._bus.write32(address, word)
        except StopIteration as end:
            return end.value

    async def _later(self, steps):
        answer = None
        try:
            while True:
                address, word = steps.send(answer)
                if word is None:
                    answer = await self._bus.read32(address)
                else:
                    answer = await self._bus.write32(address, word)
        except StopIteration as end:
            return end.value

    def open(self):
        """Checks that this design is behind the bus and puts the program's own entries and default
        actions in. Call it once; the tables must be empty, as after configuration of the FPGA."""
        return self._run(self._open())

    def reset(self):
        """Empties all tables and copies, writing every row, and opens the device again: after an
        exception of the bus, or where another program has written tables."""
        return self._run(self._reset())

    def _open(self):
        for window, bits in enumerate(self._row_bits):
            found = yield window << 12 | WW_WINDOW_WIDTH, None
            number = yield window << 12 | WW_WINDOW_OBJECT, None
            if (found, number) != (bits, window):
                raise ControlError(f"window {window} is not that of this design", -6)
        for table in self._tables:
            yield from table._load()

    def _reset(self):
        for table in self._tables:
            if table._handle:
                yield from table._clear()
            yield from table._clear_groups()
        if hasattr(self, "multicast"):
            yield from self.multicast._clear()
        yield from self._open()

    def close(self):
        """Forgets what software remembers; the hardware goes on as it is."""
        for table in self._tables:
            if table._handle:
                self._driver.ww_table_close(table._handle)
                table._handle = None

    def counts(self):
        """Counts of the whole device since the reset: a `Counts`."""

        def steps():
            values = []
            for row in range(len(Counts._fields)):
                values.append((yield from _read_row(0, self._row_bits[0], 0, row)))
            return Counts(*values)

        return self._run(steps())

    def _check(self, code):
        if code != 0:
            raise ControlError(self._driver.ww_error_text(code).decode(), code)


def _words(bits):
    return range((bits + 31) // 32)


def _read_row(window, bits, memory, index):
    """Reads a row as an integer."""
    base = window << 12
    yield base | WW_WINDOW_READ, memory << 28 | index
    row = 0
    for n in _words(bits):
        row |= (yield base | WW_WINDOW_STAGING + 4 * n, None) << 32 * n
    return row & _ones(bits)


def _write_row(window, bits, memory, index, row):
    """Writes a row."""
    base = window << 12
    for n in _words(bits):
        yield base | WW_WINDOW_STAGING + 4 * n, row >> 32 * n & 0xFFFFFFFF
    yield base | WW_WINDOW_WRITE, memory << 28 | index


class Table:
    """A table. Generated classes say what its keys and actions are."""

    name = ""
    window = 0
    implementation = "none"
    order = None
    keys = ()
    actions = ()
    key_bits = data_bits = action_bits = 0
    info = {}
    own_entries = ()
    own_default = 0
    selector = None
    counter_window = meter_window = None

    def __init__(self, device):
        self._device = device
        self._handle = None
        self._written = []
        self._entries = {}
        # Of each group with members: where they begin, and the data of each.
        self._groups = {}
        device._tables.append(self)
        if self.implementation == "none":
            return
        size = self._key_bytes = (self.key_bits + 7) // 8
        self._data_bytes = (self.data_bits + 7) // 8
        bits = low = 0
        for key in self.keys:
            if key.kind == "range":
                bits |= _ones(key.width) << key.offset
                low |= 1 << key.offset
        info = dict(self.info)
        if bits:
            info["range_bits"] = bits.to_bytes(size, "little")
            info["range_low"] = low.to_bytes(size, "little")
        self._info = ww_driver.Info(
            name=self.name.encode(), window=self.window, kind=ww_driver.KINDS[self.implementation],
            key_bits=self.key_bits, data_bits=self.data_bits, action_bits=self.action_bits, **info,
        )  # fmt: skip

        def write(_context, address, word):
            self._written.append((address, word))
            return 0

        def read(_context, _address, _word):
            return 1  # The driver never reads a table back.

        self._callbacks = ww_driver.Bus(None, ww_driver.Write(write), ww_driver.Read(read))
        handle = ctypes.c_void_p()
        device._check(
            device._driver.ww_table_open(
                ctypes.byref(handle), ctypes.byref(self._info), ctypes.byref(self._callbacks)
            )
        )
        self._handle = handle

    # ---- layout -----------------------------------------------------------------------

    def _pack(self, values, priority):
        """Keys as the driver takes them, and in the one form in which they are remembered."""
        key = mask = prefixes = cares = 0
        form = []
        for field, value in zip(self.keys, values, strict=True):
            what, width = f"{self.name}: {field.name}", field.width
            if field.kind == "range":
                if value is None:
                    number, care = 0, _ones(width)
                elif field.sign:
                    number, care = (_biased(bound, field, what) for bound in value)
                else:
                    number, care = (_number(bound, width, what) for bound in value)
                form.append((number, care))
            else:
                if field.kind == "exact":
                    care = _ones(width)
                elif value is None:
                    value, care = 0, 0
                elif field.kind == "optional":
                    care = _ones(width)
                elif field.kind == "lpm":
                    value, length = value
                    if not 0 <= length <= width:
                        raise ValueError(f"{what}: prefixes have 0 to {width} bits, not {length}")
                    care = _ones(length) << width - length
                    prefixes += length
                else:
                    value, care = value if isinstance(value, tuple) else (value, _ones(width))
                    care = _number(care, width, what)
                number = _number(value, width, what) & care
                form.append((number, care))
                cares += care.bit_count()
            key |= number << field.offset
            mask |= care << field.offset
        rank = {None: 0, "priority": priority, "prefixes": prefixes}.get(
            self.order, (priority << 12) + prefixes
        )
        if not -(1 << 31) <= rank < 1 << 31:
            raise ValueError(f"{self.name}: priority {priority} is too large")
        match = OwnEntry(key, mask, cares if self.implementation == "lpm" else 0, rank, None)
        return match, (tuple(form), rank)

    def _match(self, entry):
        size = self._key_bytes
        self._kept = entry.key.to_bytes(size, "little"), entry.mask.to_bytes(size, "little")
        return ctypes.byref(ww_driver.Match(*self._kept, entry.prefix_length, entry.priority))

    def _data(self, action):
        if isinstance(action, Group) and self.selector:
            return 1 << self.data_bits - 1 | self._group(action.number)
        return self._action_data(action)

    def _group(self, number):
        if not 0 <= number < self.selector.groups:
            raise IndexError(f"{self.name}: groups are 0 to {self.selector.groups - 1}")
        return number

    def _action_data(self, action):
        if not isinstance(action, Action) or action.type not in self.actions:
            raise TypeError(f"{self.name}: {action!r} is no action of this table")
        data = action.type.number
        for parameter, value in zip(action.type.parameters, action.arguments, strict=True):
            what = f"{action.type.name}: {parameter.name}"
            data |= _number(value, parameter.width, what) << parameter.offset
        return data

    def _action(self, data):
        if self.selector and data >> self.data_bits - 1:
            return Group(data - (1 << self.data_bits - 1))
        kind = self.actions[data & _ones(self.action_bits)]
        values = (data >> p.offset & _ones(p.width) for p in kind.parameters)
        return Action(kind, tuple(values))

    def _keys(self, form):
        """Remembered keys as `insert` takes them."""
        values = []
        for field, (number, care) in zip(self.keys, form[0]):
            if field.kind == "exact":
                values.append(number)
            elif field.kind == "optional":
                values.append(number if care else None)
            elif field.kind == "lpm":
                values.append((number, care.bit_count()))
            elif field.sign:
                values.append((number - field.sign, care - field.sign))
            else:
                values.append((number, care))
        priority = {"priority": form[1], None: 0, "prefixes": 0}.get(self.order, form[1] >> 12)
        return tuple(values), priority

    # ---- operations -------------------------------------------------------------------

    def _call(self, operation, *arguments):
        """Calls the driver and carries out what it writes."""
        self._written.clear()
        function = getattr(self._device._driver, f"ww_table_{operation}")
        self._device._check(function(self._handle, *arguments))
        written = self._written[:]
        self._written.clear()
        for access in written:
            yield access

    def _load(self):
        if self.implementation != "none":
            for entry in self.own_entries:
                yield from self._add(entry, entry.data)
                form = tuple(
                    (entry.key >> f.offset & _ones(f.width), entry.mask >> f.offset & _ones(f.width))
                    for f in self.keys
                )
                self._entries[form, entry.priority] = entry.data
        yield from self._store_default(self.own_default)

    def _add(self, match, data):
        number = ctypes.c_uint32()
        content = data.to_bytes(self._data_bytes, "little")
        yield from self._call("insert", self._match(match), content, ctypes.byref(number))
        if self.counter_window is not None:
            yield from _write_row(self.counter_window, 128, 0, number.value, 0)
        if self.meter_window is not None:
            yield from _write_row(self.meter_window, _METER_BITS, 0, number.value, 0)

    def _insert(self, values, priority, action):
        def steps(match, form, data):
            yield from self._add(match, data)
            self._entries[form] = data

        data = self._data(action)
        return self._device._run(steps(*self._pack(values, priority), data))

    def _modify(self, values, priority, action):
        def steps(match, form, data):
            content = data.to_bytes(self._data_bytes, "little")
            yield from self._call("modify", self._match(match), content)
            self._entries[form] = data

        data = self._data(action)
        return self._device._run(steps(*self._pack(values, priority), data))

    def _delete(self, values, priority):
        def steps(match, form):
            yield from self._call("delete", self._match(match))
            self._entries.pop(form, None)

        return self._device._run(steps(*self._pack(values, priority)))

    def _read(self, values, priority):
        match, form = self._pack(values, priority)
        self._number_of(match)
        return self._action(self._entries[form])

    def _number_of(self, match):
        number = ctypes.c_uint32()
        found = self._device._driver.ww_table_find(
            self._handle, self._match(match), None, ctypes.byref(number)
        )
        self._device._check(found)
        return number.value

    def entries(self):
        """All entries, as software remembers them: `Entry(keys, priority, action)`."""
        return [
            Entry(*self._keys(form), self._action(data)) for form, data in self._entries.items()
        ]

    def __len__(self):
        return len(self._entries)

    def _clear(self):
        yield from self._call("clear")
        self._entries.clear()

    def _set_group(self, number, actions):
        """Writes the members to rows that no group has, then the group: packets see all of the old
        group or all of the new one."""

        def steps():
            for index, data in enumerate(members, base):
                yield from _write_row(
                    self.window, self.data_bits, WW_MEMBER_MEMORY, index, data
                )
            yield from self._write_group(number, base, len(members))
            self._groups[number] = base, members

        number = self._group(number)
        members = [self._action_data(action) for action in actions]
        if len(members) > self.selector.group_members:
            most = self.selector.group_members
            raise ValueError(f"{self.name}: a group has at most {most} members")
        base = self._gap(len(members)) if members else 0
        return self._device._run(steps())

    def _clear_groups(self):
        if self.selector:
            for number in range(self.selector.groups):
                yield from self._write_group(number, 0, 0)
            self._groups.clear()

    def _write_group(self, number, base, count):
        """Writes the row of a group: reciprocal, count and base."""
        selector = self.selector
        base_bits = max((selector.members - 1).bit_length(), 1)
        count_bits = selector.group_members.bit_length()
        row = 0
        if count:
            # Hardware multiplies by this to divide by the count.
            reciprocal = (1 << selector.hash_bits + count_bits) // count + 1
            row = base | count << base_bits | reciprocal << base_bits + count_bits
        bits = base_bits + 2 * count_bits + selector.hash_bits + 1
        return _write_row(self.window, bits, WW_GROUP_MEMORY, number, row)

    def _gap(self, count):
        base = 0
        for begin, members in sorted(place for place in self._groups.values() if place[1]):
            if begin - base >= count:
                return base
            base = begin + len(members)
        if base + count > self.selector.members:
            raise ControlError(f"{self.name}: no {count} rows for members follow each other", -2)
        return base

    def _members(self, number):
        _, members = self._groups.get(self._group(number), (0, []))
        return [self._action(data) for data in members]

    def _store_default(self, data):
        return _write_row(self.window, self.data_bits, WW_DEFAULT_MEMORY, 0, data)

    def _set_default(self, action):
        return self._device._run(self._store_default(self._data(action)))

    def _reset_default(self):
        return self._device._run(self._store_default(self.own_default))

    def _counter(self, values, priority):
        match, _ = self._pack(values, priority)
        return self._device._run(_read_cell(self.counter_window, self._number_of(match)))

    def _set_counter(self, values, priority, packets, count):
        match, _ = self._pack(values, priority)
        row = _number(packets, 64, "packets") | _number(count, 64, "bytes") << 64
        number = self._number_of(match)
        return self._device._run(_write_row(self.counter_window, 128, 0, number, row))

    def _set_meter(self, values, priority, rates):
        match, _ = self._pack(values, priority)
        number, row = self._number_of(match), _meter_row(rates)
        return self._device._run(_write_row(self.meter_window, _METER_BITS, 0, number, row))


def _read_cell(window, index):
    row = yield from _read_row(window, 128, 0, index)
    return Cell(row & _ones(64), row >> 64)


_RATE_BITS, _TOKEN_BITS = 60, 72
_METER_BITS = 1 + 2 * (_RATE_BITS + _TOKEN_BITS)


def _meter_row(rates):
    """Rates are in 10^-12 units per microsecond, bursts in 10^-12 units."""
    if rates is None:
        return 0
    row, offset = 1 << _METER_BITS - 1, 0
    for rate, burst in (rates[0:2], rates[2:4]):
        row |= _number(rate * 1_000_000, _RATE_BITS, "rate") << offset
        row |= _number(burst * 10**12, _TOKEN_BITS, "burst") << offset + _RATE_BITS
        offset += _RATE_BITS + _TOKEN_BITS
    return row


class _Array:
    def __init__(self, device, name, window, size, width=0):
        self._device, self.name, self.window, self.size = device, name, window, size
        self.width = width

    def __len__(self):
        return self.size

    def _index(self, index):
        if not 0 <= index < self.size:
            raise IndexError(f"{self.name}: index {index}; there are {self.size}")
        return index


class Counter(_Array):
    """A counter array."""

    def read(self, index):
        """A cell: `Cell(packets, bytes)`."""
        return self._device._run(_read_cell(self.window, self._index(index)))

    def write(self, index, packets, bytes=0):
        """Sets a cell."""
        row = _number(packets, 64, "packets") | _number(bytes, 64, "bytes") << 64
        return self._device._run(_write_row(self.window, 128, 0, self._index(index), row))


class Register(_Array):
    """A register array."""

    def read(self, index):
        """A value."""
        return self._device._run(_read_row(self.window, self.width, 0, self._index(index)))

    def write(self, index, value):
        """Sets a value."""
        row = _number(value, self.width, self.name)
        return self._device._run(_write_row(self.window, self.width, 0, self._index(index), row))


class Meter(_Array):
    """A meter array."""

    def write(self, index, rates):
        """Sets the `Rates` of a cell, whose buckets are full then; None: everything is green."""
        row = _meter_row(rates)
        return self._device._run(_write_row(self.window, _METER_BITS, 0, self._index(index), row))


class Replication:
    """Multicast groups and mirror sessions. A member is (replication id, port)."""

    _GROUPS, _REPLICAS, _SESSIONS = range(3)

    def __init__(self, device, window, groups, replicas, sessions):
        self._device, self.window = device, window
        self._sizes = {self._GROUPS: groups, self._SESSIONS: sessions}
        self._used = [False] * replicas
        self._places = {}

    def set_group(self, group, members):
        """Replaces the members of a multicast group; an empty list empties it. Packets meanwhile
        get the old or the new members."""
        return self._device._run(self._replace(self._GROUPS, group, list(members), None))

    def set_mirror(self, session, members, truncate=WHOLE):
        """Replaces the copies of a mirror session, cut to so many bytes."""
        truncate = _number(truncate, 16, "truncate")
        return self._device._run(self._replace(self._SESSIONS, session, list(members), truncate))

    def _run_of(self, count):
        length = 0
        for row, used in enumerate(self._used if count else ()):
            length = 0 if used else length + 1
            if length == count:
                return row + 1 - count
        if count:
            raise ControlError(f"there are no {count} free replicas next to each other", -2)
        return 0

    def _replace(self, memory, index, members, truncate):
        if not 0 <= index < self._sizes[memory]:
            raise IndexError(f"there are {self._sizes[memory]}, and {index} is beyond them")
        first, count = self._run_of(len(members)), len(members)
        for row, (replication_id, port) in enumerate(members, first):
            value = _number(replication_id, 16, "replication id") | _number(port, 16, "port") << 16
            yield from _write_row(self.window, 48, self._REPLICAS, row, value)
        row = first | count << 16 if truncate is None else truncate | count << 16 | first << 32
        yield from _write_row(self.window, 48, memory, index, row)
        before, length = self._places.get((memory, index), (0, 0))
        self._used[before : before + length] = [False] * length
        self._used[first : first + count] = [True] * count
        self._places[memory, index] = first, count

    def _clear(self):
        for memory, size in self._sizes.items():
            for index in range(size):
                yield from _write_row(self.window, 48, memory, index, 0)
        self._used = [False] * len(self._used)
        self._places.clear()


class Digests:
    """Messages of the program to the control plane."""

    def __init__(self, device, window, row_bits, layouts):
        self._device, self.window, self._bits, self._layouts = device, window, row_bits, layouts

    def take(self):
        """Takes the oldest message out: `Digest(name, receiver, fields)`, the fields as a dict;
        None if no message waits."""

        def steps():
            row = yield from _read_row(self.window, self._bits, 0, 0)
            data = self._bits - 41
            if not row >> data + 40 & 1:
                return None
            name, fields = self._layouts[row >> data & 0xFF]
            values, offset = {}, 0
            for field, width in fields:
                values[field] = row >> offset & _ones(width)
                offset += width
            return Digest(name, row >> data + 8 & _ones(32), values)

        return self._device._run(steps())

"""Tiny packet programs from Python: assembling, sending, and asking a host's shim to put them into packets.

>>> from wirewright import tpp
>>> program = tpp.assemble("PUSH [Switch:SwitchID]", hops=5, word=16)
>>> len(bytes(program))
26
"""

import json
import socket
import time

from . import _native

Answer = _native.tpp.Answer
Executor = _native.tpp.Executor
Tpp = _native.tpp.Tpp
assemble = _native.tpp.assemble
check = _native.tpp.check
disassemble = _native.tpp.disassemble

__all__ = [
    "Answer",
    "Executor",
    "Refused",
    "Shim",
    "Tpp",
    "assemble",
    "check",
    "disassemble",
    "records",
]


class Refused(Exception):
    """A shim has refused a request: its reason."""


class Shim:
    """The control plane of a shim that runs: `ww tpp shim --control SOCKET`.

    Each method is a request, which is done wholly or raises Refused. The connection ends with `close` or the `with`
    statement; what was requested stays.
    """

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("rb")
        self._number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection."""
        self._lines.close()
        self._socket.close()

    def _ask(self, request, **fields):
        self._number += 1
        line = json.dumps({"id": self._number, "request": request, **fields})
        self._socket.sendall(line.encode() + b"\n")
        answer = self._lines.readline()
        if not answer:
            raise ConnectionError("the shim has closed the connection")
        answer = json.loads(answer)
        if not answer["ok"]:
            raise Refused(answer["error"]["message"])
        return answer["result"]

    def register(self, name, read=(), write=(), allocate=None):
        """Registers an application with what it may access, in the words of policy files.

        `allocate` says how many words of "link" or "stage N" no other application may write. Returns the application's
        tag and, for each space, the first and last address.
        """
        made = self._ask("register", name=name, read=list(read), write=list(write))
        owned = {}
        try:
            for space, words in (allocate or {}).items():
                owned[space] = self.allocate(name, space, words)
        except Refused:
            self.unregister(name)
            raise
        return made["tag"], owned

    def allocate(self, name, space, words):
        """Words of "link" or "stage N" that no other application can write: first and last address."""
        made = self._ask("allocate", name=name, space=space, words=words)
        return made["first"], made["last"]

    def unregister(self, name):
        """Removes an application and its rules."""
        self._ask("unregister", name=name)

    def add_tpp(self, name, filter, tpp, sample_frequency=1, priority=0):
        """Has packets that fit the filter carry an application's TPP, one in `sample_frequency`. Returns the rule's number."""
        fields = {"filter": filter, "tpp": bytes(tpp).hex(), "priority": priority}
        return self._ask("add_tpp", name=name, every=sample_frequency, **fields)["rule"]

    def remove(self, rule):
        """Ends a rule."""
        self._ask("remove", rule=rule)

    def applications(self):
        """All applications, as dictionaries."""
        return self._ask("applications")["applications"]

    def rules(self):
        """All rules, as dictionaries."""
        return self._ask("rules")["rules"]

    def stats(self):
        """What the shim has done: counters by name."""
        return self._ask("stats")


def records(path, follow=False):
    """The TPPs that a shim has collected in a file (`--collect`), as dictionaries.

    With `follow` it waits for more at the end of the file, for ever.
    """
    with open(path, "rb") as file:
        rest = b""
        while True:
            line = file.readline()
            rest += line
            if rest.endswith(b"\n"):
                yield json.loads(rest)
                rest = b""
            elif not line:
                if not follow:
                    # The shim may be in the middle of a line.
                    return
                time.sleep(0.05)

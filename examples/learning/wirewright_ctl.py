"""A client of `ww run --control SOCKET`: one file, nothing but the standard library.

    with Control("/tmp/ww.sock") as ww:
        ww.request("table_add", table="routes", keys=["10.0.0.0/8"],
                   action="forward", arguments=[1])
        for entry in ww.request("table_entries", table="routes")["entries"]:
            print(entry)

docs/control.md lists the requests and their fields.
"""

import json
import socket


class Refused(Exception):
    """The dataplane refused a request; `change` is the position in a transaction, if known."""

    def __init__(self, message, change=None):
        super().__init__(message if change is None else f"change {change}: {message}")
        self.change = change


class Control:
    """A connection to a running dataplane."""

    def __init__(self, path, timeout=None):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._socket.connect(path)
        self._reader = self._socket.makefile("r", encoding="utf-8")
        self._next = 1
        self._events = []
        self.request("hello", version=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection; an open transaction is forgotten."""
        self._reader.close()
        self._socket.close()

    def request(self, name, **fields):
        """Makes a request and returns its result, a dictionary."""
        number = self._next
        self._next += 1
        message = {"id": number, "request": name, **fields}
        self._socket.sendall(json.dumps(message).encode() + b"\n")
        result = {}
        while True:
            answer = self._line()
            if "event" in answer:
                self._events.append(answer)
                continue
            if not answer["ok"]:
                error = answer["error"]
                raise Refused(error["message"], error.get("change"))
            for field, value in answer["result"].items():
                if isinstance(value, list) and field in result:
                    result[field] += value
                else:
                    result[field] = value
            if not answer.get("more"):
                return result

    def transaction(self, changes, batch=1000):
        """Carries out changes (dictionaries with `request` and its fields), all or none.

        Any number: they are sent in batches, and take effect together at the end.
        """
        self.request("begin")
        try:
            waiting = []
            for change in changes:
                waiting.append(change)
                if len(waiting) == batch:
                    self.request("transaction", changes=waiting)
                    waiting = []
            self.request("transaction", changes=waiting)
        except BaseException:
            self.request("abort")
            raise
        return self.request("commit")

    def digests(self):
        """Subscribes, and yields digests as they come: `name`, `fields`, `at`, `lost`."""
        self.request("digests", subscribe=True)
        while True:
            yield self._events.pop(0) if self._events else self._event()

    def _event(self):
        while True:
            line = self._line()
            if "event" in line:
                return line

    def _line(self):
        line = self._reader.readline()
        if not line:
            raise ConnectionError("the dataplane has closed the connection")
        return json.loads(line)

"""The controller of learning.p4: enters the addresses that the switch tells it about.

    python3 controller.py SOCKET PORT...

It prints a line for each address that it learns, and ends when the switch does.
"""

import sys

from wirewright_ctl import Control, Refused

ALL_PORTS = 1


def learn(ww, ports_of, address, port):
    """Enters that `address` is at `port`, in place of where it was."""
    source = {"hdr.ethernet.src": address, "std.ingress_port": port}
    changes = [{"request": "table_add", "table": "sources", "keys": source, "action": "NoAction"}]
    target = {"action": "forward", "arguments": [port]}
    destination = {"table": "destinations", "keys": [address], **target}
    before = ports_of.get(address)
    if before is None:
        changes.append({"request": "table_add", **destination})
    else:
        old = {"hdr.ethernet.src": address, "std.ingress_port": before}
        changes.insert(0, {"request": "table_delete", "table": "sources", "keys": old})
        changes.append({"request": "table_modify", **destination})
    ww.transaction(changes)
    ports_of[address] = port
    print(f"{int(address, 16):012x} is at port {port}", flush=True)


def main():
    path, ports = sys.argv[1], [int(port) for port in sys.argv[2:]]
    # One connection hears, the other speaks.
    with Control(path) as ears, Control(path) as ww:
        try:
            ww.request("transaction", changes=[
                {"request": "multicast_group_create", "group": ALL_PORTS},
                {"request": "multicast_node_create", "group": ALL_PORTS, "ports": ports},
            ])
        except Refused as error:
            # An earlier controller has made it.
            print(f"note: {error}", file=sys.stderr)
        ports_of = {}
        for entry in ww.request("table_entries", table="destinations").get("entries", []):
            address, port = entry["keys"]["hdr.ethernet.dst"], entry["arguments"]["port"]
            ports_of[address] = int(port, 16)
        print("ready", flush=True)
        try:
            for digest in ears.digests():
                address = digest["fields"]["address"]
                port = int(digest["fields"]["port"], 16)
                is_group = int(address, 16) >> 40 & 1
                # The same news comes again until the entry is there.
                if not is_group and ports_of.get(address) != port:
                    learn(ww, ports_of, address, port)
        except ConnectionError:
            pass


if __name__ == "__main__":
    main()

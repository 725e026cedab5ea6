"""A lab: the leaf-spine of crates/sim/examples/hops.rs (udp) with every switch running p4/programs/l2l3, or ECMP switches:

    python3 leaf_spine.py l2l3 > lab.toml
    python3 leaf_spine.py plain > lab.toml

16 hosts at 10 Gb/s at four leaves, two spines at 20 Gb/s. Each host sends frames of 1,500 bytes to four others at Poisson times, at 80 % of its
line in all. With l2l3 every port has a VLAN, every packet is routed, passes six access rules, and its source is known.
"""

import sys
from pathlib import Path

HOSTS = 16
PROGRAM = Path(__file__).resolve().parents[2] / "p4/programs/l2l3/l2l3.p4"
RULES = [
    "permit 0&&&0 0&&&0 10.0.20.21&&&255.255.255.255 6&&&0xff 0&&&0 443&&&0xffff => 10",
    "deny 0&&&0 0&&&0 10.0.20.21&&&255.255.255.255 6&&&0xff 0&&&0 0&&&0 => 20",
    "deny 0&&&0 0&&&0 0&&&0 17&&&0xff 0&&&0 69&&&0xffff => 30",
    "deny 4&&&0x1ff 192.168.0.0&&&255.255.0.0 0&&&0 0&&&0 0&&&0 0&&&0 => 5",
    "deny 0&&&0 0&&&0 0&&&0 6&&&0xff 0&&&0 23&&&0xffff => 40",
    "deny 0&&&0 127.0.0.0&&&255.0.0.0 0&&&0 0&&&0 0&&&0 0&&&0 => 50",
]

LAB = """title = "A leaf-spine of {switches}"
[run]
duration = "20 ms"
[topology]
kind = "leaf-spine"
leaves = 4
spines = 2
hosts = 4
switch = {{ routes = true }}
edge = {{ rate = "10 Gb/s", delay = "1 us", queue = "300 KB" }}
core = {{ rate = "20 Gb/s", delay = "1 us", queue = "300 KB" }}
"""


def commands(kind, names):
    """The entries of a switch, and what it needs for each host."""
    # Behind each port that leads to a switch is the address of that switch.
    stations = {4: "02:00:00:00:01:00", 5: "02:00:00:00:01:01"}
    if kind == "spine":
        stations = {port: f"02:00:00:00:02:0{port}" for port in range(4)}
    entries = []
    for port in range(6):
        entries += [
            f"table_add ingress.port_config set_port {port} => 10{port}",
            f"table_add ingress.vlan_ingress NoAction {port} 10{port} =>",
            f"table_add egress.vlan_egress untagged {port} 10{port} =>",
        ]
        entries += [f"table_add ingress.router_mac NoAction 10{port} {name} =>" for name in names]
    entries += [f"table_add ingress.smac station 10{port} {mac} => {port}" for port, mac in stations.items()]
    entries += [f"table_add ingress.acl_ipv4 {rule}" for rule in RULES]
    routes = [
        "table_add ingress.nexthop route 1{number} => {port} 10{port} {own} {next_mac}",
        "table_add ingress.ipv4_lpm set_nexthop {ip}/32 => 1{number}",
        "table_add ingress.smac station 10{port} {mac} => {port}",
    ]
    return entries, routes


def main():
    program = sys.argv[1] == "l2l3"
    print(LAB.format(switches="l2l3" if program else "ECMP switches"))
    for kind, count in [("leaf", 4), ("spine", 2)] if program else []:
        for number in range(count):
            mac = f"02:00:00:00:0{1 if kind == 'spine' else 2}:0{number}"
            entries, routes = commands(kind, [mac])
            print(f'[[node]]\nname = "{kind}{number}"\nkind = "program"\nprogram = "{PROGRAM}"\nmac = "{mac}"')
            print("entries = [" + ", ".join(f'"{entry}"' for entry in entries) + "]")
            print("routes = [" + ", ".join(f'"{route}"' for route in routes) + "]\n")
    for host in range(HOSTS):
        for other in range(1, 5):
            to = (host + other * HOSTS // 5) % HOSTS
            print(f'[[traffic]]\nname = "t{host}.{other}"\nkind = "stream"\npattern = "poisson"\nbytes = "1500 B"')
            print(f'rate = "2 Gb/s"\nfrom = "h{host}"\nto = "h{to}"\n')


main()

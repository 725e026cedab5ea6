#!/bin/sh
# Two hosts on one cable, as network namespaces:
#
#   h1 10.0.9.1 eth0 ---- eth0 10.0.9.2 h2
#
#   pair.sh up PREFIX      makes the namespaces PREFIX-h1, PREFIX-h2
#   pair.sh down PREFIX    removes them and everything in them
set -eu
prefix=$2

up() {
    for host in 1 2; do
        ip netns add "$prefix-h$host"
        ip -n "$prefix-h$host" link set lo up
    done
    ip -n "$prefix-h1" link add eth0 type veth peer name eth0 netns "$prefix-h2"
    for host in 1 2; do
        # IPv6 stays quiet, so that nothing but the test is on the cable.
        ip -n "$prefix-h$host" link set eth0 addrgenmode none
        ip -n "$prefix-h$host" addr add "10.0.9.$host/24" dev eth0
        ip -n "$prefix-h$host" link set eth0 up
    done
}

down() {
    for name in h1 h2; do
        if [ -e "/run/netns/$prefix-$name" ]; then ip netns del "$prefix-$name"; fi
    done
}

case $1 in
up) up ;;
down) down ;;
*)
    echo "usage: pair.sh up|down PREFIX" >&2
    exit 2
    ;;
esac

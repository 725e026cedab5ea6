#!/bin/sh
# Two hosts and a place for the router between them, as network namespaces:
#
#   h1 10.0.1.1 eth0 ---- p1 router p2 ---- eth0 10.0.2.1 h2
#
#   netns.sh up [PREFIX]      makes the namespaces PREFIX-h1, PREFIX-router, PREFIX-h2
#   netns.sh down [PREFIX]    removes them and everything in them
#
# PREFIX is `ww` unless it is given. Needs root and iproute2.
set -eu
prefix=${2:-ww}
router=$prefix-router

# host NAME NETWORK: a host .1 in 10.0.NETWORK.0/24, whose gateway .254 is the router's port.
host() {
    namespace=$prefix-$1
    ip netns add "$namespace"
    ip -n "$namespace" link set lo up
    ip -n "$namespace" link add eth0 address "02:00:00:00:0$2:01" type veth \
        peer name "p$2" netns "$router"
    # IPv6 stays quiet: the router does not speak it.
    ip -n "$namespace" link set eth0 addrgenmode none
    ip -n "$router" link set "p$2" addrgenmode none
    ip -n "$router" link set "p$2" up
    ip -n "$namespace" link set eth0 up
    ip -n "$namespace" addr add "10.0.$2.1/24" dev eth0
    # Our router does not answer ARP, so the host is told where its gateway is.
    ip -n "$namespace" neigh add "10.0.$2.254" lladdr "02:00:00:00:0$2:fe" dev eth0
    ip -n "$namespace" route add default via "10.0.$2.254"
}

up() {
    ip netns add "$router"
    host h1 1
    host h2 2
}

down() {
    for name in h1 h2 router; do
        if [ -e "/run/netns/$prefix-$name" ]; then ip netns del "$prefix-$name"; fi
    done
}

case ${1:-} in
up)
    trap down EXIT # all or nothing
    up
    trap - EXIT
    ;;
down) down ;;
*)
    echo "usage: netns.sh up|down [PREFIX]" >&2
    exit 2
    ;;
esac

#!/bin/sh
# A path of two switches between two hosts, as network namespaces:
#
#   h1 10.0.7.1 eth0 ---- a0 s1 b0 ---- a0 s2 b0 ---- eth0 10.0.7.2 h2
#
#   path.sh up PREFIX      makes the namespaces PREFIX-h1, PREFIX-s1, PREFIX-s2, PREFIX-h2
#   path.sh down PREFIX    removes them and everything in them
set -eu
prefix=$2

up() {
    for name in h1 s1 s2 h2; do
        ip netns add "$prefix-$name"
        ip -n "$prefix-$name" link set lo up
    done
    link h1 eth0 s1 a0
    link s1 b0 s2 a0
    link s2 b0 h2 eth0
    for host in 1 2; do
        other=$((3 - host))
        ip -n "$prefix-h$host" link set eth0 address "02:00:00:00:07:0$host"
        ip -n "$prefix-h$host" addr add "10.0.7.$host/24" dev eth0
        ip -n "$prefix-h$host" neigh add "10.0.7.$other" lladdr "02:00:00:00:07:0$other" dev eth0
    done
}

# link NAME INTERFACE NAME INTERFACE
link() {
    ip -n "$prefix-$1" link add "$2" type veth peer name "$4" netns "$prefix-$3"
    for end in "$1 $2" "$3 $4"; do
        # IPv6 stays quiet, so that nothing but the test is on the links.
        ip -n "$prefix-${end% *}" link set "${end#* }" addrgenmode none
        ip -n "$prefix-${end% *}" link set "${end#* }" up
    done
}

down() {
    for name in h1 s1 s2 h2; do
        if [ -e "/run/netns/$prefix-$name" ]; then ip netns del "$prefix-$name"; fi
    done
}

case $1 in
up)
    trap down EXIT # all or nothing
    up
    trap - EXIT
    ;;
down) down ;;
esac

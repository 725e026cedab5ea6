#!/bin/sh
# Fetches the source package of the installed DPDK into DIR, for two headers of the SWX pipeline
# that generated code includes and that no Debian package installs: fetch_source.sh DIR
set -eu
out=$1
version=$(dpkg-query -W -f '${Version}' libdpdk-dev)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial"
sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/src.sources"
apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$work/src.sources" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$work/lists" -o APT::Sandbox::User=root "$@"
}
apt update
(cd "$work" && apt source --download-only "dpdk=$version")
mkdir -p "$out"
tar -xf "$work"/dpdk_*.orig.tar.* -C "$out" --strip-components=1 --wildcards '*/lib/pipeline/*'

# Read by the other scripts (CARGO_TARGET_DIR and here are set). build_ns3 NAME [MODULE...]: installs the PyPI package ns3 (libraries
# and headers; some 200 MB) in NS3_ENV, and compiles NAME.cc with it to $CARGO_TARGET_DIR/bench/ns3_NAME.
: "${NS3_ENV:=$CARGO_TARGET_DIR/bench/ns3}"

build_ns3() {
    name=$1
    shift
    if [ ! -x "$NS3_ENV/bin/python3" ]; then
        python3 -m venv "$NS3_ENV"
        "$NS3_ENV/bin/pip" install --quiet --disable-pip-version-check ns3==3.44.post0
    fi
    package=$(dirname "$(dirname "$(find "$NS3_ENV/" -path '*/lib64/libns3*-core.so')")")
    modules="core network internet point-to-point traffic-control $*"
    set --
    for module in $modules; do
        set -- "$@" "$(echo "$package"/lib64/libns3*-"$module".so)"
    done
    mkdir -p "$CARGO_TARGET_DIR/bench"
    # The libraries of the wheel name others that these programs do not need.
    c++ -std=c++20 -O2 -I "$package/include" "$here/$name.cc" "$@" \
        -Wl,--allow-shlib-undefined -Wl,-rpath,"$package/lib64" -o "$CARGO_TARGET_DIR/bench/ns3_$name"
}

// spec: §8.24 Operations on types introduced by type
type bit<8> Port;
control C(inout Port p) {
    apply { p = p + p; } //~ ERROR
}

// spec: §7.6 Introducing new types
type bit<8> Port;
control C(out Port p) {
    apply { p = 8w1; } //~ ERROR
}

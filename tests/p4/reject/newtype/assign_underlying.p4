// spec: §7.6 Introducing new types
type bit<8> Port;
control C(inout Port p, in bit<8> x) {
    apply { p = x; } //~ ERROR
}

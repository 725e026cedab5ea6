// spec: §10 Function declarations
control C() {
    bit<8> f(in bit<8> x) { return x; } //~ ERROR
    apply { }
}

// spec: §6.8 Calling convention
control C(in bit<8> x) {
    apply { x[3:0] = 1; } //~ ERROR
}

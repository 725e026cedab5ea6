// spec: §15 Parameterization
control C()(bit<8> n) {
    apply { n = 1; } //~ ERROR
}

// spec: §7.2.9.1 Set types
control C(out bit<8> x) {
    apply { x = 8w1 &&& 8w3; } //~ ERROR
}

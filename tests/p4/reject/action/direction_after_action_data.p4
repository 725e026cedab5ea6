// spec: §14.1 Actions
control C() {
    action a(bit<8> data, in bit<8> x) { } //~ ERROR
    apply { }
}

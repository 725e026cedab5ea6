// spec: §6.8.2 Optional parameters
control C() {
    action a(@optional in bit<8> p) { } //~ ERROR
    apply { }
}

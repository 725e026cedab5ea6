// spec: §6.6.1 Scopes
control C() {
    bit<8> both;
    action both() { } //~ ERROR both
    apply { }
}

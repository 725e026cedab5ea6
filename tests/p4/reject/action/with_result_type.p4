// spec: §14.1 Actions
control C() {
    action bit<8> a() { } //~ ERROR
    apply { }
}

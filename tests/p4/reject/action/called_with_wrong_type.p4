// spec: §14.1.1 Invoking actions
control C(inout bit<8> x) {
    action a(bit<8> data) { x = data; }
    apply { a(16w1); } //~ ERROR
}

// spec: §14.1.1 Invoking actions
control C(inout bit<8> x) {
    action a(inout bit<8> y, bit<8> data) { y = data; }
    apply { a(x); } //~ ERROR
}

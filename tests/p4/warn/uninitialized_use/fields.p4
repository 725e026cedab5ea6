struct Inner { bit<8> p; bit<8> q; }
struct Meta { bit<8> a; Inner in_; }
control C(inout bit<8> x) {
    apply {
        Meta m;
        m.a = 1;
        m.in_.p = 2;
        x = m.a + m.in_.p;
        x = m.in_.q; //~ WARN `m.in_.q` is read before it has a value
    }
}

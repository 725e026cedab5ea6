header H { bit<8> f; }
struct Headers { H a; H b; }
control C(inout Headers h, inout bit<8> x) {
    action decapsulate() { h.a.setInvalid(); }
    action restore() { h.a.setValid(); h.a.f = 1; }
    action maybe() { if (x == 1) { h.a.setInvalid(); } }
    action early() { if (x == 1) { return; } h.b.setInvalid(); }
    apply {
        decapsulate();
        x = h.a.f; //~ WARN read of a field of `h.a`, which is invalid here
        restore();
        x = h.a.f;
        maybe();
        x = h.a.f;
        early();
        x = h.b.f;
    }
}

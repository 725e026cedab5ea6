header H { bit<8> f; }
struct Headers { H a; H b; }
control C(inout Headers h, inout bit<8> x) {
    apply {
        h.a.setInvalid();
        x = h.a.f; //~ WARN read of a field of `h.a`, which is invalid here
        h.b = h.a;
        H local;
        local.f = 1; //~ WARN write to a field of `local`, which is invalid here
        local = { 1 };
        x = local.f;
    }
}

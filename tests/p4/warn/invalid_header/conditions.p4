header H { bit<8> f; }
struct Headers { H a; H b; }
control C(inout Headers h) {
    apply {
        if (h.a.isValid()) {
            h.a.f = 1;
        } else {
            h.a.f = 2; //~ WARN write to a field of `h.a`, which is invalid here
        }
        if (!h.b.isValid() && h.b.f == 1) { //~ WARN read of a field of `h.b`, which is invalid here
            h.b.setValid();
        }
    }
}

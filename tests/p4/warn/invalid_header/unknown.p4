// no warnings
// What an action may do to a header is not known, nor is the begin of a control.
match_kind { exact }
header H { bit<8> f; }
struct Headers { H a; H b; }
control C(inout Headers h, inout bit<8> x) {
    action make() { h.a.setValid(); h.a.f = 1; }
    action none() { }
    table t { key = { x : exact; } actions = { make; none; } default_action = none; }
    apply {
        x = h.b.f;
        if (!h.a.isValid() && t.apply().hit) { x = h.a.f; }
        if (!h.b.isValid()) { h.b.setValid(); h.b.f = 3; }
        h.a.setInvalid();
        h.a = h.b;
        x = h.a.f;
        if (!h.a.isValid() || h.a.f == 0) { return; }
        x = h.a.f;
    }
}

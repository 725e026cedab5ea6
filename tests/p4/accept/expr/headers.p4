// spec: §8.18 Operations on headers
header H { bit<32> x; bit<32> y; }
struct S { H h; }
control C(inout S s, in H k, out bool b) {
    apply {
        H h;
        h = { 10, 12 };
        h = { y = 12, x = 10 };
        h.setInvalid();
        s.h.setValid();
        b = h.isValid() && k.isValid();
        b = h == k || h != s.h;
        h = k;
        h = {#};
        b = h == (H) {#};
        H i = { 1, ... };
    }
}

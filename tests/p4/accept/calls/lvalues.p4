// spec: §6.7 L-values
header H { bit<8> f; }
struct S { H[4] stack; H h; bit<32> w; }
extern void get(out bit<8> x);
extern void make(out H h);
control C(inout S s, in bit<8> n) {
    apply {
        get(s.stack[n].f);
        get(s.w[15:8]);
        get(s.h.f);
        make(s.stack[2]);
        make(s.h);
        (s.h.f) = 5;
        (s.stack[1]).f = 6;
        ((s).w)[7:0] = 7;
    }
}

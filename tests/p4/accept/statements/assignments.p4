// spec: §12.1 Assignment statement
header H { bit<8> f; }
struct S { H h; H[2] st; bit<8> x; tuple<bit<8>, bool> t; }
control C(inout S s, in S r) {
    apply {
        s = r;
        s.h = r.h;
        s.st = r.st;
        s.st[1] = r.st[0];
        s.t = r.t;
        s.t = { 1, true };
        s.x = r.t[0];
    }
}

// spec: §F Restrictions on compile time and run time calls
control Step(inout bit<8> x);
control Add(inout bit<8> x)(bit<8> n) { apply { x = x + n; } }
control Twice(inout bit<8> x)(Step s) { apply { s.apply(x); s.apply(x); } }
control Root(inout bit<8> x) {
    Twice(Add(3)) t;
    Add(1) one;
    Twice(one) u;
    apply { t.apply(x); u.apply(x); }
}

// spec: §15.1 Direct type invocation
control Inner(inout bit<8> x) { apply { x = x + 1; } }
control Outer(inout bit<8> x) {
    apply { Inner.apply(x); if (x == 3) { Inner.apply(x); } .Inner.apply(x); }
}

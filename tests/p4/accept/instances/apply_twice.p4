// spec: §14.4 Invoking controls
#include <core.p4>
control Inner(inout bit<8> x) {
    table t { key = { x: exact; } actions = { NoAction; } }
    apply { t.apply(); t.apply(); }
}
control Outer(inout bit<8> x) {
    Inner() a;
    Inner() b;
    apply { a.apply(x); a.apply(x); b.apply(x); }
}

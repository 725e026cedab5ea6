// spec: §14.2.2 Match-action unit invocation
#include <core.p4>
control C(inout bit<8> x) {
    table t { key = { x: exact; } actions = { NoAction; } }
    table u { key = { x: exact; } actions = { NoAction; } }
    apply {
        t.apply();
        if (t.apply().hit) { x = 1; }
        if (t.apply().miss) { u.apply(); }
        bool h = t.apply().hit && !u.apply().miss;
        x = t.apply().hit ? 8w1 : 8w2;
        if (!t.apply().hit) x = 3;
    }
}

// spec: §14.2.1.4 Entries
#include <core.p4>
match_kind { range }
enum bit<8> Level { Low = 0, High = 9 }
control C(in bit<8> x, in Level l, in bool b) {
    table t {
        key = { x: range; l: exact; b: exact; }
        actions = { NoAction; }
        const entries = {
            (1 .. 5, Level.Low, true): NoAction();
            (6, Level.High, false): NoAction();
        }
    }
    apply { t.apply(); }
}
